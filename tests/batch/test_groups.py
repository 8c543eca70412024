"""However many groups there are, of few rows or of many, every row gets the answer of its own lane, in its place."""

from __future__ import annotations

import pyarrow as pa
import pytest

import argwright as aw
from argwright.batch import groups
from argwright.batch.groups import Groups
from argwright.batch.lane import Lane
from argwright.batch.verdict import error

NAMES = ("alpha", "北京", "🙂")
LANES = [
    Lane(aw.Toolbox([aw.Tool.from_schema("f", {"type": "object", "properties": {name: {"type": "integer"}}})]))
    for name in NAMES
]
TEXTS = [f'{{"{name}": {value}}}' for name in NAMES for value in ("1", '"2"', '"三"', "3,")]
UNKNOWN = error("nobody knows")


def expected(lane, text):
    outcome = lane.resolve(aw.ToolCall(None, "f", text))
    return outcome.verdict.arguments, outcome.verdict if outcome.verdict.status != "valid" else None


@pytest.mark.parametrize("few", [1, 3, 8, 1_000])
@pytest.mark.parametrize("made", [list, lambda texts: pa.array(texts, pa.string())], ids=["lists", "columns"])
def test_rows_come_back_in_their_order(few, made, monkeypatch):
    monkeypatch.setattr(groups, "_FEW", few)
    texts = [TEXTS[row % len(TEXTS)] for row in range(40)]
    found = Groups(made(["f"] * 40), made(texts), made([None] * 40))
    shares = {0: [*range(0, 40, 3)], 1: [*range(1, 40, 3)], 2: [38, 2, 5, 8]}
    for number, rows in shares.items():
        found.judge(rows, LANES[number])
    strange = sorted(set(range(40)) - {row for rows in shares.values() for row in rows})
    found.judge(strange, UNKNOWN)

    whole = dict.fromkeys(strange, (None, UNKNOWN))
    whole |= {row: expected(LANES[number], texts[row]) for number, rows in shares.items() for row in rows}
    assert found.arguments(pa.large_string()) == pa.array([whole[row][0] for row in range(40)], pa.large_string())
    told = {row: verdict for row, verdict in found.verdicts().items() if verdict.status != "valid"}
    assert told == {row: said for row, (_, said) in whole.items() if said is not None}
    assert found.unjudged == dict.fromkeys(strange, UNKNOWN)


@pytest.mark.parametrize("rows", [0, 1, 300])
def test_one_group_is_all_there_is(rows):
    found = Groups(*(pa.array([value] * rows, pa.string()) for value in ("f", '{"alpha":1}', None)))
    found.judge(range(rows), LANES[0])
    assert found.arguments(pa.string()) == pa.array(['{"alpha":1}'] * rows, pa.string())
    assert found.verdicts() == {}


def test_an_answer_can_be_overruled():
    found = Groups(*(pa.array([value] * 3, pa.string()) for value in ("f", '{"alpha":1}', None)))
    found.judge(range(3), LANES[0])
    found.overrule(1, LANES[0].resolve(aw.ToolCall(None, "f", '{"alpha": "7"}')))
    found.overrule(2, LANES[0].resolve(aw.ToolCall(None, "f", '{"alpha": "x"}')))
    assert found.arguments(pa.string()).to_pylist() == ['{"alpha":1}', '{"alpha":7}', None]
    assert {row: verdict.status for row, verdict in found.verdicts().items()} == {1: "mended", 2: "refused"}
