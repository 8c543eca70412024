from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from argwright.feedback import MAX_NAME, MAX_SIZE, MAX_VIOLATIONS, called, explain
from argwright.model import ErrorKind, Issue, compact
from argwright.schema import compile_schema

JSON, SCHEMA, UNKNOWN = ErrorKind.JSON_ERROR, ErrorKind.SCHEMA_ERROR, ErrorKind.UNKNOWN_TOOL
ONE = "send the arguments as one complete JSON object"
ESCAPE = f'{ONE}; inside strings write a double quote as \\", a backslash as \\\\ and a line break as \\n'

JSON_ERRORS = [
    ("empty", {}, {"problem": "no arguments arrived", "instruction": f"{ONE} with the required fields"}),
    (
        "not_json",
        {"message": "a colon was expected"},
        {
            "problem": "the arguments are not JSON",
            "instruction": f"{ONE}: keys and strings in double quotes, a colon after each key, a comma between members, no text before or after",
            "detail": "a colon was expected",
        },
    ),
    (
        "truncated",
        {"arrived": 8123, "pointer": "/content", "message": "the text ends inside a string"},
        {
            "problem": "the call was cut off after 8123 characters in the field /content, and nothing was run",
            "instruction": "the same call would be cut off again: send less, or split it into several smaller calls",
            "arrived_characters": 8123,
            "pointer": "/content",
        },
    ),
    (
        "truncated",
        {},
        {
            "problem": "the call was cut off, and nothing was run",
            "instruction": "the same call would be cut off again: send less, or split it into several smaller calls",
        },
    ),
    ("ambiguous", {"pointer": "/html"}, {"problem": "the arguments can be read in more than one way", "instruction": ESCAPE, "pointer": "/html"}),
    ("several_values", {}, {"problem": "the arguments hold several different JSON values", "instruction": "send exactly one JSON object in each call, and one call for each object"}),
    ("duplicate_key", {"pointer": "/a"}, {"problem": "a field stands twice with different values", "instruction": f"{ONE} in which each field stands once", "pointer": "/a"}),
    ("blocked", {}, {"problem": "the provider marked this call as not to be run", "instruction": "do not send it again; answer in another way"}),
    ("too_long", {}, {"problem": "the arguments are too long", "instruction": "send less, or split it into several smaller calls"}),
    ("too_deep", {}, {"problem": "the arguments are nested too deeply", "instruction": "send a flatter object"}),
    ("too_many_repairs", {}, {"problem": "the arguments have too many errors of notation", "instruction": ESCAPE}),
]  # fmt: skip


@pytest.mark.parametrize(("reason", "known", "told"), JSON_ERRORS, ids=range(len(JSON_ERRORS)))
def test_what_is_no_json(reason, known, told):
    head = {"error": "Invalid call of write_file", "kind": "json_error", "reason": reason}
    assert explain(JSON, reason, name="write_file", **known) == head | told


def test_a_cut_call_is_never_asked_for_again_unchanged():
    told = compact(explain(JSON, "truncated", name="t", arrived=10, pointer="/a"))
    assert "again" in told
    assert "try again" not in told.lower()


def test_the_malformed_text_is_not_quoted():
    message = "',' was expected behind 'the whole long value that the model wrote' and \"" + "x" * 40 + '"'
    assert explain(JSON, "not_json", name="t", message=message)["detail"] == "',' was expected behind … and …"


def test_nothing_is_said_of_a_sensitive_field():
    told = explain(
        JSON, "not_json", name="t", message="'hunter2' stands here", pointer="/login/password/x", sensitive=["password"]
    )
    assert "hunter2" not in compact(told)
    assert told["pointer"] == "/login/password/***"


WEATHER = {
    "type": "object",
    "properties": {
        "location": {"type": "string"},
        "unit": {"enum": ["celsius", "fahrenheit"]},
        "days": {"type": "integer"},
    },
    "required": ["location"],
    "additionalProperties": False,
}


def wrong(value, schema=WEATHER, **options):
    issues = compile_schema(schema, sensitive=options.get("sensitive", ())).issues(value)
    return explain(SCHEMA, "missing", issues, name="weather", **options)


def test_every_violation_with_place_expected_and_received():
    assert wrong({"loc": "x", "unit": "celcius", "days": "3"}) == {
        "error": "Invalid call of weather",
        "kind": "schema_error",
        "reason": "missing",
        "violations": [
            {"pointer": "/unit", "problem": "'celcius' is not one of ['celsius', 'fahrenheit']", "expected": ["celsius", "fahrenheit"], "received": "celcius"},
            {"pointer": "/days", "problem": "expected integer, found string '3'", "expected": "integer", "received": "3"},
            {"pointer": "/loc", "problem": "'loc' is not a declared field", "expected": ["location", "unit", "days"], "received": "string"},
            {"pointer": "/location", "problem": "missing, expected string", "expected": "string"},
        ],
        "suggestion": "/unit: did you mean 'celsius'?",
        "instruction": "send the whole call again with these corrected",
    }  # fmt: skip


def test_a_suggestion_that_is_given_goes_first():
    told = wrong({"location": "x", "unit": "celcius"}, suggestion="leave unit out")
    assert (told["suggestion"], compact(told).count("did you mean")) == ("leave unit out", 0)


INSTRUCTIONS = [
    ("not_an_object", f"{ONE}, not as a list or a single value"),
    ("unexpected", "send only the declared fields"),
    ("alias_conflict", "send the value once, under the declared name"),
    ("absorbed", "send each parameter as a field of its own, without markup inside the values"),
    ("rule_conflict", "send the value in exactly the declared form"),
    ("missing", "send the whole call again with these corrected"),
    ("enum", "send the whole call again with these corrected"),
]


@pytest.mark.parametrize(("reason", "instruction"), INSTRUCTIONS)
def test_each_reason_has_its_instruction(reason, instruction):
    assert explain(SCHEMA, reason, name="t")["instruction"] == instruction


def test_many_violations_are_bounded_and_counted():
    schema = {"type": "object", "properties": {"tags": {"type": "array", "items": {"enum": ["a" * 50, "b" * 50]}}}}
    told = wrong({"tags": ["x" * 300] * 500}, schema)
    assert len(told["violations"]) <= MAX_VIOLATIONS
    assert len(told["violations"]) + told["more_violations"] == 500
    assert len(compact(told)) <= MAX_SIZE + 100


def test_long_keys_of_maps_are_shortened():
    told = wrong(
        {"headers": {"Bearer " + "x" * 900: 1}},
        {"properties": {"headers": {"additionalProperties": {"type": "string"}}}},
    )
    assert len(compact(told)) < 500


def test_sensitive_values_never_appear():
    schema = {
        "type": "object",
        "properties": {"password": {"type": "string", "maxLength": 3}, "headers": {"type": "object", "additionalProperties": {"maxLength": 1}}},
    }  # fmt: skip
    value = {"password": "hunter2", "headers": {"hunter2-key": "hunter2"}}
    told = wrong(value, schema, sensitive=["password", "/headers"])
    assert "hunter2" not in compact(told)
    assert told["violations"] == [
        {"pointer": "/password", "problem": "*** has more than 3 characters", "expected": 3, "received": "***"},
        {"pointer": "/headers/***", "problem": "*** has more than 1 characters", "expected": 1, "received": "***"},
    ]


def test_an_issue_that_nobody_masked_is_not_trusted():
    issue = Issue(pointer="/password", keyword="alias_conflict", message="'hunter2' and 'pw' differ", found="hunter2")
    told = explain(SCHEMA, "alias_conflict", [issue], name="t", sensitive=["password"])
    assert told["violations"] == [{"pointer": "/password", "received": "***"}]


def test_an_unknown_tool():
    assert explain(UNKNOWN, "unknown", name="serch", known=["search", "read_file"]) == {
        "error": "Unknown function: serch",
        "kind": "unknown_tool",
        "reason": "unknown",
        "available": ["search", "read_file"],
        "suggestion": "did you mean search?",
        "instruction": "call one of the available functions by its exact name",
    }


SUGGESTED = [
    ("delete_all", ["search"], None),
    ("ReadFile", ["read_file", "write_file"], "did you mean read_file?"),
    ("math.add", ["add", "subtract"], "did you mean add?"),
    ("mcp__files__read", ["read", "write"], "did you mean read?"),
    ("搜索文档", ["搜索文件", "删除"], "did you mean 搜索文件?"),
]


@pytest.mark.parametrize(("name", "known", "suggestion"), SUGGESTED)
def test_a_likely_name_is_suggested(name, known, suggestion):
    assert explain(UNKNOWN, "unknown", name=name, known=known).get("suggestion") == suggestion


def test_many_names_are_bounded():
    told = explain(UNKNOWN, "unknown", name="x", known=[f"tool_with_a_rather_long_name_{n}" for n in range(5_000)])
    assert len(compact(told)) < MAX_SIZE
    assert len(told["available"]) + told["more_available"] == 5_000


def test_without_tools_it_is_said():
    told = explain(UNKNOWN, "unknown", name="x")
    assert (told["available"], told["instruction"]) == ([], "there are no functions; answer in text")


CALLED = [
    ("search", "search"),
    ("search<parameter=q>x</parameter>", "search"),
    ('search{"q": 1}', "search"),
    ("search(query='x')", "search"),
    ("a\nb", "a"),
    (" search ", "search"),
    ("<tool_call>", "(no readable name)"),
    ("", "(no readable name)"),
    (None, "(no readable name)"),
    ("x" * 500, "x" * (MAX_NAME - 1) + "…"),
    ("查询天气", "查询天气"),
]


@pytest.mark.parametrize(("name", "said"), CALLED)
def test_a_name_is_said_back_short_and_without_markup(name, said):
    assert called(name) == said


REASONS = (
    [(JSON, case[0]) for case in JSON_ERRORS] + [(SCHEMA, case[0]) for case in INSTRUCTIONS] + [(UNKNOWN, "unknown")]
)
TEXTS = st.text(st.characters(), max_size=300)
VALUES = TEXTS | st.integers() | st.none() | st.lists(TEXTS, max_size=3) | st.dictionaries(TEXTS, TEXTS, max_size=3)
ISSUES = st.builds(
    Issue,
    pointer=st.lists(TEXTS, max_size=3).map(
        lambda tokens: "".join("/" + t.replace("~", "~0").replace("/", "~1") for t in tokens)
    ),
    keyword=st.sampled_from(["type", "enum", "required", "additionalProperties", "alias_conflict"]),
    message=TEXTS,
    expected=VALUES,
    found=VALUES,
)


@given(st.sampled_from(REASONS), st.lists(ISSUES, max_size=30), TEXTS, TEXTS, st.lists(TEXTS, max_size=80))
def test_any_message_is_bounded_json_of_encodable_text(case, issues, name, message, known):
    told = explain(*case, issues, name=name, message=message, suggestion=message, known=known, arrived=5)
    text = json.dumps(told, ensure_ascii=False)
    text.encode()
    assert len(text) < 2 * MAX_SIZE
    assert told["error"]
    assert told["instruction"]
