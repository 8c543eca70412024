from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from argwright.cli.marks import Mark, render


def lines(text: str, *marks: tuple[int, int], width: int = 60) -> list[str]:
    numbered = [Mark(start, end, str(number), "") for number, (start, end) in enumerate(marks, start=1)]
    return [line.plain.rstrip() for line in render(text, numbered, width=width)]


CASES = {
    "one span": (
        '{"a": 1,}',
        [(7, 8)],
        ['1 │ {"a": 1,}', "  │        ~1"],
    ),
    "marks side by side share a line": (
        "{'a': True}",
        [(1, 4), (6, 10)],
        ["1 │ {'a': True}", "  │  ~~~1 ~~~~2"],
    ),
    "overlapping marks get lines of their own": (
        "abcdef",
        [(0, 4), (2, 6)],
        ["1 │ abcdef", "  │ ~~~~1", "  │   ~~~~2"],
    ),
    "an insertion is a point": (
        '{"a" 1}',
        [(4, 4)],
        ['1 │ {"a" 1}', "  │     ^1"],
    ),
    "at the end of the text": (
        '{"a": [1',
        [(8, 8)],
        ['1 │ {"a": [1', "  │         ^1"],
    ),
    "behind the last line break": (
        "{\n",
        [(2, 2)],
        ["1 │ {", "2 │", "  │ ^1"],
    ),
    "a marked line break is shown": (
        '"a\nb"',
        [(2, 3)],
        ['1 │ "a⏎', "  │   ~1", '2 │ b"'],
    ),
    "a span over lines is numbered once": (
        "ab\ncd",
        [(0, 5)],
        ["1 │ ab⏎", "  │ ~~~1", "2 │ cd", "  │ ~~"],
    ),
    "Chinese characters take two cells": (
        "{城市: '上海'}",
        [(1, 3), (5, 9)],
        ["1 │ {城市: '上海'}", "  │  ~~~~1 ~~~~~~2"],
    ),
    "what cannot be seen is written out": (
        "\ufeff{\u2028}\x1b[31m",
        [(0, 1), (2, 3)],
        ["1 │ \\ufeff{\\u2028}\\x1b[31m", "  │ ~~~~~~1", "  │        ~~~~~~2"],
    ),
    "nothing at all": ("", [(0, 0)], ["1 │", "  │ ^1"]),
    "no marks": ("{}", [], ["1 │ {}"]),
}


@pytest.mark.parametrize(("text", "marks", "expected"), CASES.values(), ids=CASES.keys())
def test_marks_stand_under_their_text(text, marks, expected):
    assert lines(text, *marks) == expected


def test_a_long_line_is_folded_to_the_width():
    assert lines("abcdefghij" * 2, (8, 12), width=14) == [
        "1 │ abcdefghij",
        "  │         ~~1",
        "  │ abcdefghij",
        "  │ ~~",
    ]


def test_only_what_lies_near_a_mark_of_a_long_text_is_shown():
    shown = lines("x" * 100_000 + '"' + "y" * 100_000, (100_000, 100_001), width=100)
    assert shown[0] == "  │ …"
    assert shown[-1] == "  │ …"
    assert len(shown) < 10
    assert sum("~1" in line for line in shown) == 1


marks = st.tuples(st.integers(0, 40), st.integers(0, 40)).map(lambda span: (min(span), max(span)))


@given(st.text(max_size=40), st.lists(marks, max_size=4), st.integers(12, 80))
def test_every_mark_is_numbered_once_and_no_line_is_wider_than_asked(text, spans, width):
    inside = [(min(start, len(text)), min(end, len(text))) for start, end in spans]
    numbered = [Mark(start, end, f"#{number}#", "") for number, (start, end) in enumerate(inside)]
    shown = [line.plain for line in render(text, numbered, width=width)]
    for mark in numbered:
        assert sum(mark.label in line for line in shown) >= 1
    for line in shown:
        if not set(line) & set("~^#"):
            assert cell_len(line) <= width + 10  # one character written out may be wider than what is left
