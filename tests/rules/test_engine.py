"""What is done with the proposals of others: the record, conflicts whatever the order, isolation, what a rule may see."""

from __future__ import annotations

import itertools
import logging

import pytest

from argwright.model import ToolCall
from argwright.pipeline import resolve
from argwright.policy import Certainty, Policy
from argwright.rules import BUILTIN, REMOVED, Proposal, Rule, RuleSet
from argwright.tool import Tool
from argwright.toolbox import Toolbox
from tests.rules.tables import INTEGER, STRING, closed, opened, told

SCHEMA = closed(("city",), city=STRING, days=INTEGER, unit={"enum": ["celsius", "kelvin"]}, note=STRING)
WEATHER = Tool.from_schema("weather", SCHEMA, aliases={"town": "city"}, name_aliases=("forecast",))
OTHER = Tool.from_schema("other", opened(city=STRING))
BOX = Toolbox([WEATHER, OTHER])


def made(name, propose, layer="mend", certainty=Certainty.LIKELY, **more):
    return Rule(name=name, layer=layer, certainty=certainty, propose=propose, **more)


def setting(name, place, value, only=None, layer="mend", **more):
    """A rule that proposes one value at one failing place."""

    def propose(context):
        if context.pointer == place and (only is None or context.value == only):
            return Proposal(value=value)
        return None

    return made(name, propose, layer, **more)


def replacing(name, old, new, layer="rename", **more):
    """A rule that looks at the whole and gives one member another value."""

    def propose(context):
        if isinstance(context.value, dict) and context.value.get("city") == old:
            return Proposal(value=new, pointer="/city")
        return None

    return made(name, propose, layer, **more)


def outcome(text, *rules, policy=Policy.STANDARD, name="weather", builtin=BUILTIN):
    return resolve(ToolCall("1", name, text), BOX, policy=policy, rules=RuleSet(builtin, rules))


# Mending


def test_a_proposal_is_validated_and_recorded():
    got = outcome('{"city": "x", "unit": "C"}', setting("units", "/unit", "celsius"))
    assert told(got) == ("valid", {"city": "x", "unit": "celsius"})
    assert [(one.rule, one.certainty, one.pointer, one.before, one.after) for one in got.repairs] == [
        ("units", Certainty.LIKELY, "/unit", "C", "celsius")
    ]


def test_a_proposal_that_does_not_fit_changes_nothing():
    got = outcome('{"city": "x", "unit": "C"}', setting("units", "/unit", "rankine"))
    assert told(got) == ("schema_error", "enum")
    assert got.repairs == ()


def test_a_rule_is_not_asked_where_nothing_fails():
    asked = []
    rule = made("curious", lambda context: asked.append(context.pointer))
    assert told(outcome('{"city": "x", "note": "C"}', rule)) == ("valid", {"city": "x", "note": "C"})
    outcome('{"city": "x", "unit": "C"}', rule)
    assert asked == ["/unit"]


def test_a_missing_field_fails_at_the_object_that_lacks_it():
    seen = []
    rule = made("curious", lambda context: seen.append((context.pointer, [issue.pointer for issue in context.issues])))
    outcome('{"note": "x"}', rule)
    assert seen == [("", ["/city"])]


@pytest.mark.parametrize("orders", list(itertools.permutations((-1, 0, 1), 2)))
@pytest.mark.parametrize("names", [("a", "b"), ("b", "a")])
def test_two_rules_that_differ_are_a_conflict_whatever_their_order(orders, names):
    rules = [
        setting(name, "/unit", value, order=order)
        for name, value, order in zip(names, ("celsius", "kelvin"), orders, strict=True)
    ]
    for order in (rules, rules[::-1]):
        got = outcome('{"city": "x", "unit": "C"}', *order)
        assert told(got) == ("schema_error", "rule_conflict")
        assert [(issue.pointer, issue.message) for issue in got.issues] == [
            ("/unit", "rules 'a' and 'b' propose different values")
        ]
        assert got.repairs == ()


def test_two_rules_that_agree_are_no_conflict():
    got = outcome('{"city": "x", "unit": "C"}', setting("a", "/unit", "kelvin"), setting("b", "/unit", "kelvin"))
    assert told(got) == ("valid", {"city": "x", "unit": "kelvin"})
    assert [one.rule for one in got.repairs] == ["a"]


@pytest.mark.parametrize("order", [-1, 0, 1])
def test_a_rule_against_a_built_in_one_is_a_conflict(order):
    same = setting("a", "/days", 3, order=order)
    assert told(outcome('{"city": "x", "days": "3"}', same)) == ("valid", {"city": "x", "days": 3})
    other = setting("a", "/days", 4, order=order)
    got = outcome('{"city": "x", "days": "3"}', other)
    assert told(got) == ("schema_error", "rule_conflict")
    assert "'a' and 'stringified-scalar'" in got.issues[0].message
    assert told(outcome('{"city": "x", "days": null}', setting("a", "/days", REMOVED))) == ("valid", {"city": "x"})


def test_rules_at_different_places_do_not_meet():
    text = '{"city": "x", "unit": "C", "days": "two"}'
    got = outcome(text, setting("a", "/unit", "celsius"), setting("b", "/days", 2))
    assert told(got) == ("valid", {"city": "x", "unit": "celsius", "days": 2})
    assert {one.rule for one in got.repairs} == {"a", "b"}


def test_one_rule_may_go_on_from_another_at_the_same_object():
    def drop(context):
        return Proposal(value={key: item for key, item in context.value.items() if key != "debug"})

    got = outcome(
        '{"City": "x", "debug": 1}',
        made("drop", lambda c: drop(c) if "debug" in c.value and "city" in c.value else None),
    )
    assert told(got) == ("valid", {"city": "x"})
    assert [one.rule for one in got.repairs] == ["key-spelling", "drop"]


# The whole value


@pytest.mark.parametrize("layer", ["unwrap", "rename", "inspect"])
def test_a_rule_of_each_layer_may_change_a_valid_call(layer):
    got = outcome('{"city": "Warszawa"}', replacing("cities", "Warszawa", "Warsaw", layer))
    assert told(got) == ("valid", {"city": "Warsaw"})
    assert [(one.rule, one.pointer) for one in got.repairs] == [("cities", "/city")]


@pytest.mark.parametrize("layer", ["unwrap", "rename", "inspect"])
@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_the_same_member_with_two_values_is_a_conflict_in_each_layer(layer, order):
    rules = [replacing("a", "x", "y", layer, order=order[0]), replacing("b", "x", "z", layer, order=order[1])]
    assert told(outcome('{"city": "x"}', *rules)) == ("schema_error", "rule_conflict")
    assert told(outcome('{"city": "x"}', rules[0], replacing("c", "x", "y", layer))) == ("valid", {"city": "y"})


def test_a_rule_beside_a_built_in_one_on_other_members_is_no_conflict():
    def note(context):
        return Proposal(value="n", pointer="/note") if context.value.get("note") == "m" else None

    got = outcome('{"town": "x", "note": "m"}', made("notes", note, "rename"))
    assert told(got) == ("valid", {"city": "x", "note": "n"})
    assert [one.rule for one in got.repairs] == ["alias", "notes"]


def test_what_a_rule_makes_is_still_held_to_the_schema():
    got = outcome('{"city": "x"}', replacing("cities", "x", 5, "inspect"))
    assert told(got)[0] == "schema_error"


def test_a_rule_may_refuse_and_warn():
    from argwright.model import Issue, Suspicion

    issue = Issue(pointer="/city", keyword="constraint", message="no such city")
    refuse = made("refuse", lambda _: Proposal(refuse=(issue,)), "inspect")
    assert told(outcome('{"city": "x"}', refuse)) == ("schema_error", "constraint")
    odd = Suspicion(rule="odd", pointer="/city", message="odd")
    warn = made("warn", lambda _: Proposal(warnings=(odd,)), "inspect")
    assert outcome('{"city": "x"}', warn).warnings == (odd,)


# Policy


def test_a_policy_holds_for_the_rules_of_others():
    rule = setting("units", "/unit", "celsius", certainty=Certainty.GUESS)
    text = '{"city": "x", "unit": "C"}'
    assert told(outcome(text, rule)) == ("schema_error", "enum")
    assert told(outcome(text, rule, policy=Policy.LENIENT)) == ("valid", {"city": "x", "unit": "celsius"})
    unsure = made("units", lambda _: Proposal(value="celsius", certainty=Certainty.GUESS))
    assert told(outcome(text, unsure)) == ("schema_error", "enum")


def test_a_rule_for_another_tool_is_not_asked():
    rule = setting("units", "/unit", "celsius", tools=("other",))
    assert told(outcome('{"city": "x", "unit": "C"}', rule)) == ("schema_error", "enum")


# Isolation


def broken(context):
    raise KeyError(context.pointer)


@pytest.mark.parametrize("layer", ["unwrap", "rename", "mend", "inspect"])
@pytest.mark.parametrize(
    "propose", [broken, lambda _: {"value": 1}, lambda _: 1 / 0], ids=["raises", "no proposal", "zero"]
)
def test_a_rule_that_raises_is_skipped_and_reported(layer, propose, caplog):
    with caplog.at_level(logging.WARNING, "argwright.rules"):
        got = outcome('{"city": "x", "days": "3"}', made("broken", propose, layer))
    assert told(got) == ("valid", {"city": "x", "days": 3})
    assert [(one.rule, "was skipped" in one.message) for one in got.warnings] == [("broken", True)]
    assert "rule 'broken' raised" in caplog.text


@pytest.mark.parametrize("value", [{1, 2}, float("nan"), object(), {1: 2}], ids=["set", "nan", "object", "key"])
def test_a_value_that_is_no_json_is_a_fault_of_the_rule(value):
    got = outcome('{"city": "x", "unit": "C"}', setting("units", "/unit", value))
    assert told(got) == ("schema_error", "enum")
    assert [one.rule for one in got.warnings] == ["units"]


def test_its_fault_is_reported_on_a_refused_call_too():
    got = outcome('{"city": 5}', made("broken", broken, "inspect"))
    assert told(got) == ("schema_error", "type")
    assert [one.rule for one in got.warnings] == ["broken"]


# Sight


def test_a_rule_sees_unknown_tools_only_if_it_asks_to():
    def weather(context):
        return Proposal(tool="weather") if context.call.name == "wetter" else None

    blind = made("names", weather, "unwrap")
    assert told(outcome('{"city": "x"}', blind, name="wetter")) == ("unknown_tool", "unknown")
    seeing = made("names", weather, "unwrap", sees=("unknown_tool",))
    got = outcome('{"city": "x"}', seeing, name="wetter")
    assert told(got) == ("valid", {"city": "x"})
    assert [(one.rule, one.before, one.after) for one in got.repairs] == [("names", "wetter", "weather")]
    rival = made("rival", lambda _: Proposal(tool="other"), "unwrap", sees=("unknown_tool",))
    for rules in ((seeing, rival), (rival, seeing)):
        assert told(outcome('{"city": "x"}', *rules, name="wetter")) == ("schema_error", "rule_conflict")
    nobody = made("nobody", lambda _: Proposal(tool="nobody"), "unwrap", sees=("unknown_tool",))
    assert told(outcome('{"city": "x"}', nobody, name="wetter")) == ("unknown_tool", "unknown")


def test_a_rule_sees_undecodable_text_only_if_it_asks_to():
    def semicolons(context):
        if context.undecodable is None or context.value != "city is Oslo":
            return None
        return Proposal(value={"city": "Oslo"})

    blind = made("prose", semicolons, "unwrap")
    assert told(outcome("city is Oslo", blind)) == ("json_error", "not_json")
    seeing = made("prose", semicolons, "unwrap", sees=("json_error",))
    got = outcome("city is Oslo", seeing)
    assert told(got) == ("valid", {"city": "Oslo"})
    assert [one.rule for one in got.repairs] == ["prose"]
    rival = made("rival", lambda _: Proposal(value={"city": "Kyiv"}), "unwrap", sees=("json_error",))
    for rules in ((seeing, rival), (rival, seeing)):
        assert told(outcome("city is Oslo", *rules)) == ("schema_error", "rule_conflict")
