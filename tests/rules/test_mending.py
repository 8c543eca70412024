"""How candidates are tried: the next one, back to where a place came from, and nothing at all if the end is not valid."""

from __future__ import annotations

import itertools

import pytest

from argwright.model import ToolCall
from argwright.policy import Certainty, Limits, Policy
from argwright.rules import BUILTIN, REMOVED, Proposal, Rule, RuleSet
from argwright.rules.engine import Scene
from argwright.rules.mending import mend
from argwright.tool import Tool
from tests.rules.tables import INTEGER, INTEGERS, STRING, closed, opened


def rule(name, *steps):
    """A rule that knows what becomes of which value at which place."""
    known = {place: {repr(old): new for old, new in steps} for place, steps in dict(steps).items()}

    def propose(context):
        new = known.get(context.pointer, {}).get(repr(context.value))
        return None if new is None else Proposal(value=new)

    return Rule(name=name, layer="mend", certainty=Certainty.LIKELY, propose=propose)


def mended(schema, value, *rules, foreign=()):
    tool = Tool.from_schema("tool", schema)
    scene = Scene(
        tool=tool, call=ToolCall("1", "tool"), policy=Policy.STANDARD, limits=Limits(), rules=RuleSet(rules, foreign)
    )
    return mend(scene, value, tool.compiled.issues(value), tool.compiled.issues)


def told(result):
    return result.value, [repair.rule for repair in result.repairs] if result.valid else "invalid"


X = opened(x={"type": "integer", "minimum": 5})
DEEP = opened(o=closed(("n",), n=INTEGER, m=INTEGER))


def test_the_first_candidate_that_ends_valid_wins():
    rules = [rule("a", ("/x", [("v", 1)])), rule("b", ("/x", [("v", 6)])), rule("c", ("/x", [("v", 7)]))]
    assert told(mended(X, {"x": "v"}, *rules)) == ({"x": 6}, ["b"])


def test_the_order_decides_among_built_in_rules():
    rules = [rule("b", ("/x", [("v", 6)])), rule("c", ("/x", [("v", 7)]))]
    assert told(mended(X, {"x": "v"}, *reversed(rules))) == ({"x": 7}, ["c"])


def test_back_to_the_place_that_a_fault_came_from():
    rules = [rule("a", ("/o", [("v", {"n": "x"})])), rule("b", ("/o", [("v", {"n": 1})]))]
    assert told(mended(DEEP, {"o": "v"}, *rules)) == ({"o": {"n": 1}}, ["b"])


def test_what_was_mended_inside_a_dropped_candidate_is_forgotten():
    rules = [
        rule("a", ("/o", [("v", {"n": "x", "m": "5"})]), ("/o/m", [("5", 5)])),
        rule("b", ("/o", [("v", {"n": 1, "m": "5"})])),
    ]
    result = mended(DEEP, {"o": "v"}, *rules)
    assert result.value == {"o": {"n": 1, "m": 5}}
    assert [(repair.rule, repair.pointer) for repair in result.repairs] == [("b", "/o"), ("a", "/o/m")]


def test_back_over_several_levels():
    schema = opened(o=closed(("p",), p=closed(("n",), n=INTEGER)))
    rules = [
        rule("a", ("/o", [("v", {"p": "w"})]), ("/o/p", [("w", {"n": "x"})])),
        rule("b", ("/o", [("v", {"p": {"n": 2}})])),
    ]
    assert told(mended(schema, {"o": "v"}, *rules)) == ({"o": {"p": {"n": 2}}}, ["b"])


def test_a_place_that_is_mended_waits_for_one_that_takes_longer():
    rules = [
        rule("a", ("/x", [("v", 1)]), ("/y", [("v", 1)])),
        rule("b", ("/x", [("v", 6)])),
    ]
    schema = opened(x={"type": "integer", "minimum": 5}, y=INTEGER)
    assert told(mended(schema, {"y": "v", "x": "v"}, *rules)) == ({"y": 1, "x": 6}, ["a", "b"])


def test_members_and_values_of_one_object_are_mended_together():
    schema = closed(("user_name",), user_name=STRING, n=INTEGER, deep=closed(("a_b",), a_b=INTEGERS))
    value = {"userName": "x", "n": "5", "deep": {"aB": "[1, 2]"}}
    result = mended(schema, value, *BUILTIN)
    assert result.value == {"user_name": "x", "n": 5, "deep": {"a_b": [1, 2]}}
    assert value == {"userName": "x", "n": "5", "deep": {"aB": "[1, 2]"}}


@pytest.mark.parametrize("order", list(itertools.permutations(["n", "userName", "deep"])))
def test_the_order_of_the_members_changes_nothing(order):
    schema = closed(("user_name",), user_name=STRING, n=INTEGER, deep=closed(("a_b",), a_b=INTEGERS))
    value = {"userName": "x", "n": "5", "deep": {"aB": "[1, 2]"}}
    result = mended(schema, {key: value[key] for key in order}, *BUILTIN)
    assert result.value == {"user_name": "x", "n": 5, "deep": {"a_b": [1, 2]}}


def test_a_removal_that_breaks_something_else_is_taken_back():
    schema = opened(x=INTEGER) | {"minProperties": 1}
    gone = Rule(
        name="gone", layer="mend", certainty=Certainty.LIKELY,
        propose=lambda context: Proposal(value=REMOVED) if context.pointer == "/x" else None,
    )  # fmt: skip
    assert told(mended(schema, {"x": None}, gone)) == ({"x": None}, "invalid")
    assert told(mended(schema, {"x": None}, gone, rule("b", ("/x", [(None, 1)])))) == ({"x": None}, "invalid")


def test_nothing_is_mended_if_one_place_cannot_be():
    result = mended(closed(("x",), x=INTEGER, y=INTEGER), {"x": "5", "y": "many"}, *BUILTIN)
    assert told(result) == ({"x": "5", "y": "many"}, "invalid")
    assert result.repairs == ()


def test_more_failing_places_than_a_model_writes_are_refused():
    schema = opened(ids=INTEGERS)
    assert mended(schema, {"ids": ["1"] * 4000}, *BUILTIN).valid
    assert not mended(schema, {"ids": ["1"] * 4001}, *BUILTIN).valid


def test_a_rule_without_end_comes_to_an_end():
    schema = {
        "$ref": "#/$defs/node",
        "$defs": {"node": {"type": "object", "properties": {"a": {"$ref": "#/$defs/node"}}}},
    }
    deeper = Rule(
        name="deeper", layer="mend", certainty=Certainty.LIKELY,
        propose=lambda context: Proposal(value={"a": "x"}) if context.value == "x" else None,
    )  # fmt: skip
    assert told(mended(schema, {"a": "x"}, deeper)) == ({"a": "x"}, "invalid")


def test_proposals_of_others_are_tried_after_the_built_in_ones():
    foreign = (rule("f", ("/x", [("v", 6)])),)
    assert told(mended(X, {"x": "v"}, rule("a", ("/x", [("v", 1)])), foreign=foreign)) == ({"x": 6}, ["f"])


def test_a_dispute_is_told_even_if_nothing_ends_valid():
    foreign = (rule("f", ("/x", [("v", 1)])), rule("g", ("/x", [("v", 2)])))
    result = mended(X, {"x": "v"}, foreign=foreign)
    assert not result.valid
    assert [issue.keyword for issue in result.refusals] == ["rule_conflict"]
