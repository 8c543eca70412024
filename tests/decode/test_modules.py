"""The small readers of the decoder, each by itself: a function of text and position."""

from __future__ import annotations

import pytest

from argwright.decode import blanks, follows, plain, scalars, strict, strings
from argwright.decode.brackets import open_frame
from argwright.decode.scan import ARRAY, OBJECT, Log, Scan, Unreadable
from argwright.policy import Limits
from argwright.shape import ANY, Shape

SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "integer"}}}


def scan(text, schema=None, kind=OBJECT, key="a"):
    run = Scan(text, Shape(schema) if schema else ANY, Limits(), Log(text, Limits()), strict_left=10_000)
    frame = open_frame(run, kind, "}" if kind is OBJECT else "]", 0, run.shape)
    frame.key = key
    return run


@pytest.mark.parametrize(
    ("text", "end", "rules"),
    [
        (" \t\r\n{", 4, []),
        ("\ufeff \u200b{", 3, ["invisible"]),
        ("\\n\\t{", 4, ["literal-escape"]),
        ("// x\n/* y */ # z\n{", 17, ["comment"]),
        ("/* open", 7, ["comment"]),
        ("/ {", 0, []),
        ("\u2028\u3000{", 2, ["invisible"]),
    ],
)
def test_blanks(text, end, rules):
    log = Log(text, Limits())
    assert blanks.skip(text, 0, log) == end == blanks.peek(text, 0)
    assert [repair.rule for repair in log.repairs()] == rules


@pytest.mark.parametrize(
    "text", ["```", "~~~~", "</tool_call>", "<|im_end|>", "<｜tool▁call▁end｜>", "<eos>", "[/TOOL_CALLS]"]
)
def test_what_can_only_stand_at_the_end(text):
    assert blanks.END.fullmatch(text)


@pytest.mark.parametrize("text", ["``", '<|"|>', "<b>", "< |", "[1]", "[]", "</", "<||>"])
def test_what_is_no_end(text):
    assert not blanks.END.match(text)


ENDS = [
    (', "b": 1}', OBJECT, False, True),
    (', "zzz": 1}', OBJECT, False, True),
    (', "zzz": 1}', OBJECT, True, False),
    (', "b" 1}', OBJECT, False, True),
    (", more text", OBJECT, False, False),
    ("}", OBJECT, True, True),
    ("} and more", OBJECT, True, False),
    ("}</tool_call>", OBJECT, True, True),
    (" x", OBJECT, False, False),
    (' "b": 1', OBJECT, True, True),
    ("", OBJECT, True, True),
    ("\\n# comment to the end", OBJECT, False, False),
    (' + "x"', OBJECT, False, True),
    (' + "x"', OBJECT, True, False),
    (", 1]", ARRAY, False, True),
    (", y]", ARRAY, True, False),
    (' "y"]', ARRAY, False, True),
]


@pytest.mark.parametrize(("rest", "kind", "inner", "expected"), ENDS)
def test_may_a_string_end_here(rest, kind, inner, expected):
    assert follows.ends_string(scan('"x"' + rest, SCHEMA, kind), 3, inner=inner) is expected


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("12}", 12), ("-0}", 0), ("1.0}", 1.0), ("1e3}", 1000.0), ("123456789012345678901234567890}", 123456789012345678901234567890),
        ("+5}", 5), (".5}", 0.5), ("5.}", 5.0), ("1_000}", 1000), ("true}", True), ("None}", None), ("New York}", "New York"),
        ("2031-02-01}", "2031-02-01"), ("https://x.y/?a=b&c}", "https://x.y/?a=b&c"), ("007}", "007"), ("5 km}", "5 km"),
    ],
)  # fmt: skip
def test_scalars(text, value):
    declared = "string" if isinstance(value, str) else ["number", "boolean", "null"]
    end, found = scalars.scalar(scan(text, {"properties": {"a": {"type": declared}}}), 0)
    assert (type(found), found) == (type(value), value)
    assert text[end] == "}"


@pytest.mark.parametrize(
    "text",
    [
        "NaN}",
        "1e999}",
        "-}",
        "nil}",
        "a, b}",
        'a "b}',
        "x // y}",
        "1" * 5_000 + "}",
        "...}",
        "C:\\\\x}",
        "-inf}",
        "+Infinity}",
    ],
)
def test_no_scalars(text):
    with pytest.raises(Unreadable):
        scalars.scalar(scan(text, SCHEMA), 0)


@pytest.mark.parametrize("text", ["New Yo", "tru", "hello"])
def test_a_word_at_the_end_may_go_on(text):
    with pytest.raises(Unreadable, match="truncated"):
        scalars.scalar(scan(text, SCHEMA), 0)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('"x"}', "x"), ("'it\\'s \\x41 \\u00e9'}", "it's A é"), ("`x\n`}", "x\n"), ("“x”}", "x"), ("「x」}", "x"), ('"\\d\\n"}', "\\d\\n"),
        ('"a\\u0041\\/"}', "aA/"), ('<|"|>a\\n<|"|>}', "a\\n"), ("<escape>a'b<escape>}", "a'b"), ('"""a"b"""}', 'a"b'), ('"x" + "y"}', "xy"),
        ('"\\\\server\\share\\d"}', "\\\\server\\share\\d"),
    ],
)  # fmt: skip
def test_strings(text, value):
    assert strings.string(scan(text, SCHEMA), 0) == (len(text) - 1, value)


def test_strict_refuses_what_needs_a_look():
    for text in (
        '{"a":1,"a":1}',
        "[NaN]",
        "[1e999]",
        '"\\ud83d"',
        "[" * 600 + "]" * 600,
        "[" * 100_000,
        '{"a":1} x',
        "",
    ):
        with pytest.raises(ValueError):
            strict.load(text, 512)
    assert strict.load('{"a": "\\ud83d\\ude00 \\u00e9"}', 512) == {"a": "😀 é"}


def test_plain_members_stop_where_a_look_is_needed():
    run = scan('"a": "x", \'b\': 2, c: None, "d": [1, {"e": 2}], "f": "say "x""}')
    end = plain.members(run, 0, run.frame)
    assert run.frame.value == {"a": "x", "b": 2, "c": None, "d": [1, {"e": 2}]}
    assert run.text[end:].lstrip().startswith('"f"')


def test_failed_looks_at_nested_containers_are_paid_for():
    run = scan('[[[["x" "y"]]]]')
    before = run.strict_left
    assert plain.value_at(run, 0) is None
    assert run.strict_left < before
    run.strict_left = 0
    assert plain.value_at(scan('["x"]'), 0) == (5, ["x"])
