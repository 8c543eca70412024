"""What is shown and what is meant."""

from __future__ import annotations

import pytest

from argwright.dialects.brackets import whole
from argwright.dialects.markdown import Markdown, is_description


def looked_at(text):
    """A text with `@` where the marker stands, everything before it passed as the reader passes it."""
    pos = text.index("@")
    src, markdown = whole(text), Markdown()
    at = 0
    while at < pos:
        if text[at] == "`":
            end = at
            while text[end] == "`":
                end += 1
            markdown.ticks(src, at, end)
            at = end
        else:
            if text[at] == "<":
                markdown.wrap(src, at)
            at += 1
    return src, markdown, pos


@pytest.mark.parametrize(
    "text",
    [
        "`@`", "a `b @ c`", "``x ` @``", "> @", "  > @", '"@"', "say “@”", "('@')", "„@“", "「@」", "<code>@</code>", "<pre>\n\n@\n</pre>",
        "<example>\n@", "<!-- @ -->", "For example:\n@", "E.g. like this, for instance: @", "例如：\n@", "It looks like:\n\n@", "Text:\n\n    @", "a\n\n\t@",
        "写了「@」", "《@》", "\\@", '"""@"""', "# @", "  // @", "/* @", "| a | @ |", "**Example**\n\n@", "The model printed:\n@", 'parse(r#"@', 'x = f"@', "(rb'@", 'x = """\n@',
    ],
)  # fmt: skip
def test_quoted(text):
    src, markdown, pos = looked_at(text)
    assert markdown.quoted(src, pos)


@pytest.mark.parametrize(
    "text",
    [
        "@", "a\n@", "`a` @", "`a\n@", "it's @", 'he said "no"@', "> a\n@", "<code>a</code> @", "<code>a\n@", "use <pre> tags\n@", "<pre>\na\n</pre>\n@",
        "<!-- a -->\n@", "Let me look:\n@", "An example is below.\n@", "examples: none\n@", "    @", "a\n    @",
    ],
)  # fmt: skip
def test_not_quoted(text):
    src, markdown, pos = looked_at(text)
    assert not markdown.quoted(src, pos)


@pytest.mark.parametrize(
    ("text", "inside"),
    [
        ("the tag @", True),
        ("Sure. @", False),
        ("Sure.@", False),
        ("a\n@", False),
        ("so:@", False),
        ("好的。 @", False),
        ("的 @", True),
    ],
)
def test_in_sentence(text, inside):
    src, markdown, pos = looked_at(text)
    assert markdown.in_sentence(src, pos) is inside


@pytest.mark.parametrize(
    ("text", "doubtful"),
    [
        ("@", False),
        ("Sure.\n@", False),
        ("Sure. @", False),
        ("Here:\n@", True),
        ("Here: @", True),
        ("Let me see:\n@", False),
        ("the tag @", True),
        ("Done@", False),
        ("I use @", False),
        ("在格式中，@", True),
        ("- @", True),
        ("2. @", True),
        ("    @", True),
        ("# A title\n\nText.\n\n@", True),
        ("A title\n=======\n\nText.\n\n@", True),
    ],
)
def test_doubtful(text, doubtful):
    src, markdown, pos = looked_at(text)
    assert markdown.doubtful(src, pos) is doubtful


def test_what_stands_right_behind_a_shown_call_is_shown():
    src, markdown = whole("@ </tool_call>\n@ and @"), Markdown()
    markdown.passed(1)
    assert markdown.quoted(src, 15)
    assert not markdown.quoted(src, 21)


@pytest.mark.parametrize(
    ("text", "start"), [("@", True), ("a\n  @", True), ("a @", False), ("a\n" + " " * 20 + "@", False)]
)
def test_line_start(text, start):
    src, markdown, pos = looked_at(text)
    assert markdown.line_start(src, pos) is start


@pytest.mark.parametrize(
    ("body", "description"),
    [
        ("", True),
        (" \n ", True),
        ("...", True),
        ('{"name": …}', True),
        ("{{name}}", True),
        ("<function-name>", True),
        ("{}", False),
        ("<a>1</a>", False),
        ("x < y > z", False),
    ],
)
def test_is_description(body, description):
    assert is_description(body) is description
