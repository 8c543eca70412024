from __future__ import annotations

import dataclasses
import json
import pickle

import pytest

import argwright as aw
from argwright.model import compact

CALL = aw.ToolCall(id="1", name="pay", arguments='{"card": "4111-SECRET"}')
REPAIR = aw.Repair(rule="fence", certainty=aw.Certainty.EXACT, span=(0, 3), before="SECRET", after="")
ISSUE = aw.Issue(pointer="/card", keyword="type", message="expected integer")
TOOL = aw.Tool.from_schema("pay", {"type": "object", "properties": {"card": {"type": "string"}}}, sensitive=["card"])
VALID = aw.ValidCall(call=CALL, tool=TOOL, arguments={"card": "4111-SECRET", "note": "上海"}, repairs=(REPAIR,))
INVALID = aw.InvalidCall(
    call=CALL, kind=aw.ErrorKind.SCHEMA_ERROR, reason="type", issues=(ISSUE,), feedback={"error": "…"}, tool=TOOL
)
VALUES = [
    CALL,
    REPAIR,
    ISSUE,
    VALID,
    INVALID,
    aw.Turn((CALL,), "文"),
    aw.ToolResult("1", "pay", {"ok": True}),
    aw.CallDelta(0, "1", "pay", "{"),
]


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_values_are_frozen_picklable_and_plain(value):
    assert pickle.loads(pickle.dumps(value)) == value
    assert json.loads(json.dumps(value.to_dict(), ensure_ascii=False)) == value.to_dict()
    with pytest.raises(AttributeError):
        setattr(value, dataclasses.fields(value)[0].name, None)


@pytest.mark.parametrize("value", [CALL, REPAIR, VALID, INVALID], ids=lambda value: type(value).__name__)
def test_repr_shows_no_secret(value):
    assert "SECRET" not in repr(value)


def test_unwrap():
    assert VALID.unwrap() == VALID.arguments
    with pytest.raises(aw.InvalidCallError, match="schema_error/type: /card: expected integer") as caught:
        INVALID.unwrap()
    assert pickle.loads(pickle.dumps(caught.value)).call == INVALID


def test_result_of_a_refused_call():
    assert INVALID.result() == aw.ToolResult("1", "pay", {"error": "…"}, is_error=True)
    assert INVALID.result(attempts_left=1).content == {"error": "…", "attempts_left": 1}
    assert INVALID.result().text == '{"error":"…"}'


def test_outcomes_are_matched_by_what_matters():
    match INVALID:
        case aw.InvalidCall(kind, reason):
            assert (kind, reason) == ("schema_error", "type")
    match VALID:
        case aw.ValidCall(arguments):
            assert arguments["note"] == "上海"


def test_json_is_compact_and_keeps_text_as_it_is():
    assert compact({"城市": ["上海", 1]}) == '{"城市":["上海",1]}'


def test_policies_in_order():
    levels = [policy.certainty for policy in (aw.Policy.STRICT, aw.Policy.EXACT, aw.Policy.STANDARD, aw.Policy.LENIENT)]
    assert levels == [None, 3, 2, 1]
    assert [aw.Policy.STRICT.allows(one) for one in aw.Certainty] == [False] * 3
    assert [
        aw.Policy.STANDARD.allows(one) for one in (aw.Certainty.GUESS, aw.Certainty.LIKELY, aw.Certainty.EXACT)
    ] == [False, True, True]
