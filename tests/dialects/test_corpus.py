"""The golden texts, one or more a dialect: read whole, in pieces, and with their dialect named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from argwright.dialects import DIALECTS, read_text
from tests.dialects.reading import BOX, scan, told

FILE = Path(__file__).parent / "cases" / "calls.jsonl"
CASES = [json.loads(line) for line in FILE.read_text(encoding="utf-8").split("\n") if line]
each = pytest.mark.parametrize("case", CASES, ids=[f"{case['dialect']}: {case['title']}" for case in CASES])


def expected(case):
    return [{key: value for key, value in call.items() if key != "text"} for call in case["calls"]]


def pieces(text, size):
    return [text[start : start + size] for start in range(0, len(text), size)]


@each
def test_whole(case):
    turn = read_text(case["text"], BOX)
    assert told(turn) == expected(case)
    assert (turn.text, turn.reasoning) == (case["content"], case["reasoning"])
    written = [call["text"] for call in case["calls"] if "text" in call]
    assert [call.arguments for call in turn.calls if call.finish_reason][: len(written)] == written


@each
@pytest.mark.parametrize("size", [1, 2, 7])
def test_in_pieces(case, size):
    assert scan(pieces(case["text"], size)) == scan([case["text"]])


@each
def test_named(case):
    if "both" in case:
        return
    turn = read_text(case["text"], BOX, dialect=case["dialect"])
    assert told(turn) == expected(case)
    assert {call.origin for call in turn.calls} <= {f"text:{case['dialect']}"}


@each
def test_found_by_itself(case):
    found = {call.origin for call in read_text(case["text"], BOX).calls[:1]}
    assert found <= {f"text:{case.get('found', case['dialect'])}"}


@each
def test_other_dialects_are_not_read(case):
    kin = {call.origin.removeprefix("text:") for call in read_text(case["text"], BOX, dialect=case["dialect"]).calls}
    others = DIALECTS - kin
    assert not kin & {
        call.origin.removeprefix("text:") for call in read_text(case["text"], BOX, dialects=sorted(others)).calls
    }


@each
def test_cut_anywhere(case):
    whole = told(scan([case["text"]]))
    if any("refused" in call for call in whole):
        return
    for end in range(len(case["text"])):
        part = [call for call in told(scan([case["text"][:end]])) if "arguments" in call]
        assert part == whole[: len(part)], case["text"][:end]


def test_every_dialect_has_a_case():
    assert {case["dialect"] for case in CASES} == DIALECTS
