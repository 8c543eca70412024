"""How values in tags end, and when nobody can tell."""

from __future__ import annotations

import pytest

from tests.dialects.reading import scan, told

REFUSED = {"name": "save_note", "refused": "json_error/truncated"}


def qwen(*parameters):
    return "<tool_call>\n<function=save_note>\n" + "".join(parameters) + "</function>\n</tool_call>"


PATH = "<parameter=path>\na.md\n</parameter>\n"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("<parameter=text>\n海\n</parameter>\n", "海"),
        ("<parameter=text>\n海\n</parameter1>\n", "海"),
        ("<parameter=text>\n海\n</parameter_text>\n", "海"),
        ("<parameter=text>\n海\n</parameter\n", "海"),
        *(
            (f"<parameter=text>\n海\n{closer}\n", "海")
            for closer in (
                "</param>",
                "</paramter>",
                "</parameter >",
                "< /parameter>",
                "<\\/parameter>",
                "</parameter=text>",
                "</parameetr>",
                "<\n/parameter>",
                "/parameter>",
            )
        ),
        ("<parameter=text>\nbin/parameter\n", "bin/parameter"),
        ("<parameter=text>\n海\n", "海"),
        ("<parameter=text>\n</parameterList> is Java\n</parameter>\n", "</parameterList> is Java"),
        ("<parameter=text>\n<p>1</p>\n</parameters>\n</parameter>\n", "<p>1</p>\n</parameters>"),
        ("<parameter=text>\na\n\n</parameter>\n", "a\n"),
        ("<parameter=text>\n</tool_call> in it\n</parameter>\n", "</tool_call> in it"),
    ],
)
def test_read(text, value):
    for written in (qwen(text, PATH), qwen(PATH, text)):
        (call,) = told(scan([written]))
        assert call == {"name": "save_note", "arguments": {"path": "a.md", "text": value}}
        assert scan(list(written)) == scan([written])


@pytest.mark.parametrize(
    "text",
    [
        qwen("<parameter=text>\na\n</tool_call>\n", PATH),
        qwen("<parameter=text>\na\n<function=save_note>\n"),
        qwen("<parameter=text>\n", PATH),
        qwen("<parameter=text>\na\n\n", PATH),
        '<invoke name="save_note">\n<parameter name="path">a</parameter>\n</invoke>{"b": 1}</parameter>\n</invoke>',
        "<tool_call>save_note</tool_call>path</arg_key><arg_value>a</arg_value></tool_call>",
        ' to=save_note<|channel|>analysis <|constrain|>xml<|message|><rfl:parameter name="path">\na\n<|constrain|><|call|>',
        ']<]minimax[>[<invoke name="save_note">]<]minimax[>[<path>a]<]minimax[>[</path>]<]minimax[>[</invoke>b]<]minimax[>[</text>',
    ],
)  # fmt: skip
def test_refused(text):
    assert told(scan([text]))[:1] == [REFUSED]
    assert scan(list(text)) == scan([text])


def test_a_blank_end_means_nothing_to_a_number():
    text = "<tool_call>\n<function=book_table>\n<parameter=people>\n5\n\n\n</tool_call>"
    assert told(scan([text])) == [{"name": "book_table", "arguments": {"people": 5}}]


def test_parameters_without_a_call_are_one_leak():
    text = "<parameter=path>a</parameter>\n<parameter=text>b</parameter>"
    (call,) = scan([text]).calls
    assert (call.name, call.arguments, call.finish_reason) == (None, text, "incomplete")
