"""The order of the steps, on the shapes that are seen most; and the laws that hold for every call."""

from __future__ import annotations

import copy
import json
import pickle

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, field_validator

import argwright as aw
from argwright.model import Finish, Turn
from argwright.pipeline import resolve, resolve_turn
from argwright.policy import Certainty, Policy
from argwright.tool import Tool
from argwright.toolbox import Toolbox

SEARCH = {
    "type": "object",
    "properties": {"query": {"type": "string"}, "limit": {"type": "integer", "default": 10}},
    "required": ["query"],
    "additionalProperties": False,
}


def told(outcome):
    return outcome.arguments if isinstance(outcome, aw.ValidCall) else f"{outcome.kind}/{outcome.reason}"


def rules(outcome):
    return [(repair.rule, repair.certainty.name) for repair in outcome.repairs]


def box(schema, name="search", **options):
    return Toolbox([Tool.from_schema(name, schema, **options)])


def search(text, policy=None, **fields):
    return box(SEARCH).resolve(aw.ToolCall("1", "search", text, **fields), policy)


# The three classes


def test_the_three_classes_are_told_apart():
    schema = {
        "type": "object",
        "properties": {"location": {"type": "string"}, "unit": {"enum": ["c", "f"]}},
        "required": ["location"],
    }
    tools = box(schema, "get_temperature")
    for name, text, expected in (
        ("get_temperature", '{"location": "上海"}', {"location": "上海"}),
        ("get_temperature", "location=上海", "json_error/not_json"),
        ("get_temperature", '{"unit": "c"}', "schema_error/missing"),
        ("delete_all", '{"location": "上海"}', "unknown_tool/unknown"),
        ("get_temperature", '[{"location": "上海"}]', "schema_error/not_an_object"),
        ("get_temperature", "null", "schema_error/not_an_object"),
    ):
        assert told(tools.resolve(aw.ToolCall("1", name, text))) == expected
    missing = tools.resolve(aw.ToolCall("1", "get_temperature", '{"unit": "c"}'))
    assert [issue.pointer for issue in missing.issues] == ["/location"]


@pytest.mark.parametrize(
    ("text", "repaired"),
    [
        ('{"query": "a"}', []),
        ('{"arguments": {"query": "a"}}', [("wrapper", "LIKELY")]),
        (json.dumps('{"query": "a"}'), [("encoded-twice", "EXACT")]),
        ('{"name": "search", "arguments": "{\\"query\\": \\"a\\"}"}', [("wrapper", "LIKELY")]),
        (json.dumps('{"arguments": {"query": "a"}}'), [("encoded-twice", "EXACT"), ("wrapper", "LIKELY")]),
        ('{"Query": "a"}', [("key-spelling", "LIKELY")]),
        ('{"query": ["a"]}', [("list-of-one", "LIKELY")]),
        ('{"query": "a", "limit": null}', [("null-optional", "LIKELY")]),
    ],
)
def test_the_classic_shapes(text, repaired):
    outcome = search(text)
    assert told(outcome) == {"query": "a"}
    assert rules(outcome) == repaired


def test_a_missing_brace_is_a_cut():
    assert told(search('{"query": "GEO 分析", "limit": 1')) == "json_error/truncated"


def test_notation_and_meaning_in_one_text():
    outcome = search("```json\n{'args': {'Query': 'a', 'limit': '5'},}\n```")
    assert told(outcome) == {"query": "a", "limit": 5}
    assert [name for name, _ in rules(outcome)][-3:] == ["wrapper", "key-spelling", "stringified-scalar"]


# Aliases


@pytest.mark.parametrize("required", [["script_name"], []])
@pytest.mark.parametrize("more", [{}, {"additionalProperties": False}], ids=["open", "closed"])
def test_an_old_name(required, more):
    schema = {"type": "object", "properties": {"script_name": {"type": "string"}}, "required": required, **more}
    tools = box(schema, "run_skill_script", aliases={"script_path": "script_name"})
    for arguments, expected, count in (
        ({"script_path": "a.py"}, {"script_name": "a.py"}, 1),
        ({"script_path": "a.py", "script_name": "a.py"}, {"script_name": "a.py"}, 1),
        ({"script_path": "a.py", "script_name": "b.py"}, "schema_error/alias_conflict", 0),
        ({"script_name": "a.py"}, {"script_name": "a.py"}, 0),
    ):
        for written in (json.dumps(arguments), arguments):
            outcome = tools.resolve(aw.ToolCall("1", "run_skill_script", written))
            assert told(outcome) == expected
            assert [repair.rule for repair in outcome.repairs] == ["alias"] * count


def test_the_same_text_for_a_tool_without_the_alias():
    closed = box(SEARCH)
    assert told(closed.resolve(aw.ToolCall("1", "search", '{"q": "a"}'))).startswith("schema_error/")
    opened = box({"type": "object", "properties": {"query": {"type": "string"}}})
    outcome = opened.resolve(aw.ToolCall("1", "search", '{"q": "a"}'))
    assert (told(outcome), rules(outcome)) == ({"q": "a"}, [])
    assert [(warning.rule, warning.pointer) for warning in outcome.warnings] == [("undeclared-field", "/q")]


def test_an_old_name_that_comes_to_light_in_text():
    schema = {
        "type": "object",
        "properties": {"opts": {"type": "object", "properties": {"lang": {"type": "string"}}}},
    }
    tools = box(schema, aliases={"/opts/language": "lang"})
    outcome = tools.resolve(aw.ToolCall("1", "search", '{"opts": "{\\"language\\": \\"pl\\"}"}'))
    assert told(outcome) == {"opts": {"lang": "pl"}}
    assert [name for name, _ in rules(outcome)] == ["stringified-container", "alias"]


# Rolling back


def test_what_does_not_end_valid_is_not_mended_at_all():
    outcome = search('{"Query": "a", "limit": "5", "page": 2}')
    assert told(outcome) == "schema_error/missing"
    assert {issue.pointer for issue in outcome.issues} == {"/query", "/Query", "/limit", "/page"}
    assert outcome.repairs == ()


def test_repairs_of_notation_stay_on_record():
    outcome = search("{'limit': '5',}")
    assert told(outcome) == "schema_error/missing"
    assert {name for name, _ in rules(outcome)} == {"single-quotes", "trailing-comma"}


def test_the_issues_of_a_wrapper_are_those_of_what_was_written():
    outcome = search('{"arguments": {"limit": "x"}}')
    assert {(issue.pointer, issue.keyword) for issue in outcome.issues} == {
        ("/query", "required"), ("/arguments", "additionalProperties"),
    }  # fmt: skip


def test_the_issues_of_an_object_encoded_twice_are_its_own():
    outcome = search(json.dumps('{"limit": 5}'))
    assert [(issue.pointer, issue.keyword) for issue in outcome.issues] == [("/query", "required")]


def test_the_reason_is_the_first_in_order():
    assert search('{"limit": "x"}').reason == "missing"
    assert search('{"query": "a", "limit": "x", "more": 1}').reason == "unexpected"
    assert search('{"query": "a", "limit": "x"}').reason == "type"


def test_a_fault_in_a_list_of_thousands_is_mended_at_once():
    schema = {"type": "object", "properties": {"ids": {"type": "array", "items": {"type": "integer"}}}}
    outcome = box(schema).resolve(aw.ToolCall("1", "search", json.dumps({"ids": [str(n) for n in range(3000)]})))
    assert outcome.arguments == {"ids": list(range(3000))}
    assert [(repair.rule, repair.pointer, repair.count) for repair in outcome.repairs] == [
        ("stringified-scalar", "/ids", 3000)
    ]


def test_faults_inside_faults():
    row = {"type": "object", "properties": {"user_id": {"type": "integer"}, "kind": {"enum": ["new_user", "old_user"]}},
           "required": ["user_id"], "additionalProperties": False}  # fmt: skip
    schema = {"type": "object", "properties": {"rows": {"type": "array", "items": row}}, "required": ["rows"]}
    text = json.dumps({"Rows": json.dumps([{"userId": "7", "kind": "New User"}, {"user_id": 8, "kind": None}])})
    outcome = box(schema).resolve(aw.ToolCall("1", "search", text))
    assert told(outcome) == {"rows": [{"user_id": 7, "kind": "new_user"}, {"user_id": 8}]}
    assert {name for name, _ in rules(outcome)} == {
        "key-spelling", "stringified-container", "stringified-scalar", "enum-spelling", "null-optional",
    }  # fmt: skip


# Policies


def test_policies_from_the_box_to_the_call():
    mild = Tool.from_schema("mild", SEARCH)
    strict = Tool.from_schema("strict", SEARCH, policy=Policy.EXACT)
    destroys = Tool.from_schema("destroys", SEARCH, annotations={"destructiveHint": True})
    tools = Toolbox([mild, strict, destroys])
    likely, exact = '{"Query": "a"}', json.dumps('{"query": "a"}')

    def call(name, text, policy=None):
        return isinstance(tools.resolve(aw.ToolCall("1", name, text), policy), aw.ValidCall)

    assert [call(name, likely) for name in ("mild", "strict", "destroys")] == [True, False, False]
    assert [call(name, exact) for name in ("mild", "strict", "destroys")] == [True, True, True]
    assert [call(name, likely, Policy.STANDARD) for name in ("mild", "strict", "destroys")] == [True, True, True]
    assert [call(name, exact, Policy.STRICT) for name in ("mild", "strict", "destroys")] == [False, False, False]


def test_a_valid_call_is_valid_under_every_policy():
    for policy in (Policy.STRICT, Policy.EXACT, Policy.STANDARD, Policy.LENIENT):
        assert told(search('{"query": "a"}', policy)) == {"query": "a"}


@pytest.mark.parametrize("policy", [Policy.STRICT, Policy.EXACT, Policy.STANDARD, Policy.LENIENT])
def test_no_repair_is_less_sure_than_the_policy(policy):
    for text in ("{'query': 'a',}", '{"Query": "a"}', '{"query": ["a"]}', '{"query": "a'):
        for repair in search(text, policy).repairs if told(search(text, policy)) == {"query": "a"} else ():
            assert policy.allows(repair.certainty)


# Turns


def turn(*calls):
    return Turn(tuple(aw.ToolCall(str(number), "search", text) for number, text in enumerate(calls)), "", "", Finish())


def test_the_calls_of_a_turn_in_order():
    outcomes = box(SEARCH).resolve_turn(turn('{"query": "a"}', "{", '{"query": "b"}'))
    assert [told(outcome) for outcome in outcomes] == [{"query": "a"}, "json_error/truncated", {"query": "b"}]


GLUED = '{"query": "a"}{"query": "b"}'


def test_glued_objects_are_refused_or_taken_apart_if_asked():
    assert [told(one) for one in box(SEARCH).resolve_turn(turn(GLUED))] == ["json_error/several_values"]
    outcomes = box(SEARCH).resolve_turn(turn(GLUED), Policy(split_glued=True))
    assert [told(one) for one in outcomes] == [{"query": "a"}, {"query": "b"}]
    assert [one.call.id for one in outcomes] == ["0", "0_2"]
    assert [rules(one) for one in outcomes] == [[("split-glued", "GUESS")]] * 2
    assert told(search(GLUED, Policy(split_glued=True))) == "json_error/several_values"


def test_repeats_among_glued_objects_are_one_call():
    outcomes = box(SEARCH).resolve_turn(turn(GLUED + GLUED), Policy(split_glued=True))
    assert [told(one) for one in outcomes] == [{"query": "a"}, {"query": "b"}]
    same = box(SEARCH).resolve_turn(turn('{"query": "a"} {"query": "a"}'), Policy(split_glued=True))
    assert [told(one) for one in same] == [{"query": "a"}]


def test_only_the_last_of_glued_calls_was_cut():
    call = aw.ToolCall("1", "search", GLUED, finish_reason="length")
    outcomes = box(SEARCH).resolve_turn(Turn((call,)), Policy(split_glued=True))
    assert [told(one) for one in outcomes] == [{"query": "a"}, "json_error/truncated"]


# Models


class Range(BaseModel):
    """Numbers between two."""

    low: int
    high: int

    @field_validator("high")
    @classmethod
    def above(cls, high: int) -> int:
        if high < 0:
            raise ValueError("must not be negative")
        return high


def test_the_instance_of_the_tools_model():
    tools = Toolbox([Tool.from_model(Range)])
    outcome = tools.resolve(aw.ToolCall("1", "Range", '{"low": 1, "high": "2"}'))
    assert outcome.value == Range(low=1, high=2)
    plain = tools.resolve(aw.ToolCall("1", "Range", '{"low": 1, "high": 2}'))
    assert (plain.value, plain.repairs) == (Range(low=1, high=2), ())


def test_validators_beyond_the_schema_refuse():
    for text in ('{"low": 1, "high": -2}', '{"low": 1, "high": "-2"}'):
        outcome = Toolbox([Tool.from_model(Range)]).resolve(aw.ToolCall("1", "Range", text))
        assert told(outcome) == "schema_error/constraint"
        assert [issue.pointer for issue in outcome.issues] == ["/high"]


# Laws

TOOLS = Toolbox(
    [
        Tool.from_schema("search", SEARCH),
        Tool.from_schema(
            "edit",
            {
                "type": "object",
                "properties": {
                    "path": {"type": "string"},
                    "lines": {"type": "array", "items": {"type": "integer"}},
                    "options": {
                        "type": "object",
                        "properties": {"dry_run": {"type": "boolean"}, "mode": {"enum": ["a_b", "c"]}},
                    },
                    "note": {"anyOf": [{"type": "string"}, {"type": "null"}]},
                },
                "required": ["path", "lines"],
            },
            aliases={"file": "path"},
        ),
    ]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(["", "null", "5", "true", "[1]", "A B", "x"]) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from(["path", "lines", "options", "note", "Path", "file", "arguments", "dry_run", "dryRun", "mode", "x"]), inner, max_size=4
    ),
    max_leaves=10,
)  # fmt: skip


@given(
    st.one_of(VALUES, VALUES.map(json.dumps), st.text(), st.binary()),
    st.sampled_from(["search", "edit", "x", None]),
)
def test_whatever_comes_is_answered_and_what_is_valid_satisfies_the_schema(arguments, name):
    before = copy.deepcopy(arguments)
    outcome = TOOLS.resolve(aw.ToolCall("1", name, arguments))
    assert repr(arguments) == repr(before)
    if isinstance(outcome, aw.ValidCall):
        jsonschema.validate(outcome.arguments, outcome.tool.schema)
        again = TOOLS.resolve(aw.ToolCall("1", name, json.dumps(outcome.arguments)))
        assert (again.arguments, again.repairs) == (outcome.arguments, ())
    else:
        assert outcome.reason
        assert json.dumps(outcome.feedback)
    json.dumps(outcome.to_dict())
    pickle.dumps(outcome)


@given(st.dictionaries(st.sampled_from(["query", "limit"]), st.text() | st.integers(), max_size=2))
def test_what_is_valid_comes_out_as_it_is_without_repairs(arguments):
    outcome = search(json.dumps(arguments, ensure_ascii=False))
    if jsonschema.Draft202012Validator(SEARCH).is_valid(arguments):
        assert (outcome.arguments, outcome.repairs) == (arguments, ())


@pytest.mark.parametrize(
    "text",
    [
        '{"path": "a.py", "lines": [1, 20, 300], "options": {"dry_run": true, "mode": "c"}, "note": "x\\n \\u4e0a"}',
        '{"arguments": {"path": "a.py", "lines": ["1", "20"]}}',
        '"{\\"path\\": \\"a.py\\", \\"lines\\": [1, 20]}"',
        '{"file": "a.py", "lines": "[1, 20]"}',
        "{'path': 'a.py', 'lines': [1, 20], 'note': None}",
        '```json\n{"path": "a.py", "lines": [12]}\n```',
    ],
)
def test_a_call_cut_anywhere_never_becomes_another_valid_call(text):
    whole = TOOLS.resolve(aw.ToolCall("1", "edit", text))
    assert isinstance(whole, aw.ValidCall)
    for end in range(1, len(text)):
        cut = TOOLS.resolve(aw.ToolCall("1", "edit", text[:end]))
        assert isinstance(cut, aw.InvalidCall) or cut.arguments == whole.arguments, text[:end]


def test_the_cost_of_many_faults_is_linear():
    """Counted in validations, not in time: what mending costs does not depend on how many places fail alike."""
    tool = Tool.from_schema(
        "search", {"type": "object", "properties": {"ids": {"type": "array", "items": {"type": "integer"}}}}
    )
    counts = []
    for number in (10, 1000):
        made = []
        original = tool.compiled.issues
        counting = lambda value, original=original, made=made: made.append(1) or original(value)  # noqa: E731
        from argwright.policy import Limits
        from argwright.rules import STANDARD
        from argwright.rules.engine import Scene
        from argwright.rules.mending import mend

        value = {"ids": [str(n) for n in range(number)]}
        call = aw.ToolCall("1", "search", "")
        scene = Scene(tool=tool, call=call, policy=Policy.STANDARD, limits=Limits(), rules=STANDARD)
        assert mend(scene, value, original(value), counting).valid
        counts.append(len(made))
    assert counts == [1, 1]


def test_both_doors_of_the_pipeline_take_keywords_only():
    call = aw.ToolCall("1", "search", '{"query": "a"}')
    assert told(resolve(call, box(SEARCH))) == {"query": "a"}
    assert [told(one) for one in resolve_turn(Turn((call,)), box(SEARCH))] == [{"query": "a"}]
    assert Certainty.EXACT > Certainty.LIKELY
