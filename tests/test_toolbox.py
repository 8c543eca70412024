from __future__ import annotations

import asyncio
import json
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from pydantic import BaseModel

import argwright as aw
from argwright.rules import Rule

SCHEMA = {
    "type": "object",
    "properties": {"path": {"type": "string"}},
    "required": ["path"],
    "additionalProperties": False,
}


@aw.tool(aliases={"q": "query"}, name_aliases=["find"])
def search(query: str, limit: int = 10) -> list[str]:
    """Search the catalogue."""
    return [query] * limit


def get_temperature(location: str, unit: str = "c") -> float:
    return float(len(location + unit))


async def wait(seconds: float) -> float:
    return seconds


class Report(BaseModel):
    title: str


def box(*more, **options):
    return aw.Toolbox(
        [
            search,
            get_temperature,
            wait,
            Report,
            {"name": "remove", "inputSchema": SCHEMA, "annotations": {"destructiveHint": True}},
            {"type": "function", "function": {"name": "read_file", "parameters": SCHEMA}},
            *more,
        ],
        **options,
    )


def call(name, arguments, **options):
    return aw.ToolCall(id="c1", name=name, arguments=arguments, **options)


NAMES = ("search", "get_temperature", "wait", "Report", "remove", "read_file")


def test_it_is_a_collection_by_name():
    tools = box()
    assert tools.names == NAMES
    assert [tool.name for tool in tools] == list(NAMES)
    assert (len(tools), "wait" in tools, "nothing" in tools) == (6, True, False)
    assert tools.get("search") is search
    assert tools.get("find") is search
    assert (tools.get("nothing"), tools.get(None)) == (None, None)
    assert tools["read_file"].schema == SCHEMA
    assert repr(tools) == f"Toolbox({list(NAMES)!r})"


OUTCOMES = [
    ("get_temperature", '{"location": "上海"}', None, {"location": "上海"}),
    ("get_temperature", "location=上海", "json_error", None),
    ("get_temperature", '{"unit": "c"}', "schema_error", None),
    ("get_temperature", "[]", "schema_error", None),
    ("get_temperature", "null", "schema_error", None),
    ("delete_all", "{}", "unknown_tool", None),
    ("search", '{"q": "a"}', None, {"query": "a"}),
    ("find", '{"query": "a"}', None, {"query": "a"}),
    ("read_file", '{"path": "a"}', None, {"path": "a"}),
]


@pytest.mark.parametrize(("name", "arguments", "kind", "value"), OUTCOMES, ids=range(len(OUTCOMES)))
def test_calls_are_resolved(name, arguments, kind, value):
    outcome = box().resolve(call(name, arguments))
    match outcome:
        case aw.ValidCall():
            assert (kind, outcome.arguments) == (None, value)
        case aw.InvalidCall():
            assert outcome.kind == kind


def test_a_missing_field_is_named_by_its_pointer():
    outcome = box().resolve(call("get_temperature", '{"unit": "c"}'))
    assert [issue.pointer for issue in outcome.issues] == ["/location"]


def test_a_turn_is_resolved_in_order():
    turn = aw.Turn(calls=(call("search", '{"query": "a"}'), call("nothing", "{}"), call("wait", '{"seconds": 1}')))
    assert [type(outcome) for outcome in box().resolve_turn(turn)] == [aw.ValidCall, aw.InvalidCall, aw.ValidCall]


FENCED = '```json\n{"path": "a"}\n```'
WRAPPED = '{"arguments": {"path": "a"}}'
POLICIES = [
    ("read_file", FENCED, {}, None, True),
    ("read_file", FENCED, {"policy": aw.Policy.STRICT}, None, False),
    ("read_file", FENCED, {}, aw.Policy.STRICT, False),
    ("read_file", FENCED, {"policy": aw.Policy.STRICT}, aw.Policy.STANDARD, True),
    ("read_file", WRAPPED, {}, None, True),
    ("read_file", WRAPPED, {"policy": aw.Policy.EXACT}, None, False),
    ("read_file", WRAPPED, {"without": {"wrapper"}}, None, False),
    ("remove", FENCED, {}, None, True),
    ("remove", WRAPPED, {}, None, False),
    ("remove", WRAPPED, {"policy": aw.Policy.LENIENT}, None, False),
    ("remove", WRAPPED, {}, aw.Policy.STANDARD, True),
]


@pytest.mark.parametrize(("name", "arguments", "options", "policy", "runs"), POLICIES, ids=range(len(POLICIES)))
def test_how_far_repairs_are_trusted(name, arguments, options, policy, runs):
    assert isinstance(box(**options).resolve(call(name, arguments), policy=policy), aw.ValidCall) is runs


def test_limits_hold():
    outcome = box(limits=aw.Limits(max_chars=5)).resolve(call("read_file", '{"path": "a"}'))
    assert (outcome.kind, outcome.reason) == ("json_error", "too_long")


def test_a_valid_call_runs_and_an_invalid_one_is_answered():
    tools = box()
    assert tools.run(tools.resolve(call("search", '{"query": "a", "limit": 2}'))) == aw.ToolResult(
        "c1", "search", ["a", "a"]
    )
    assert tools.run(tools.resolve(call("wait", '{"seconds": 2}'))).content == 2.0
    refused = tools.resolve(call("search", "{}"))
    assert tools.run(refused) == refused.result()
    assert asyncio.run(tools.arun(tools.resolve(call("wait", '{"seconds": 2}')))).content == 2.0
    assert asyncio.run(tools.arun(refused)) == refused.result()


def test_a_model_gives_its_instance():
    assert box().resolve(call("Report", '{"title": "x"}')).value == Report(title="x")


CLASHES = [
    ([search, search], "two tools answer to the name 'search': 'search' and 'search'"),
    ([search, aw.Tool.from_schema("find", {})], "two tools answer to the name 'find': 'search' and 'find'"),
    (
        [search, aw.Tool.from_schema("t", {}, name_aliases=["find"])],
        "two tools answer to the name 'find': 'search' and 't'",
    ),
    ([aw.Tool.from_schema("t", {}, name_aliases=["t"])], "two tools answer to the name 't': 't' and 't'"),
    ([3], "int declares no tool; known are functions, types, MCP tools and OpenAI declarations"),
]


@pytest.mark.parametrize(("tools", "text"), CLASHES, ids=range(len(CLASHES)))
def test_a_name_stands_for_one_tool(tools, text):
    with pytest.raises(aw.DeclarationError) as error:
        aw.Toolbox(tools)
    assert str(error.value) == text


def test_unknown_rules_are_the_programmers_error():
    with pytest.raises(aw.DeclarationError, match="no rule is named 'enum-cas'"):
        aw.Toolbox([search], without={"enum-cas"})


def nothing(_):
    return None


def test_pickled_it_is_the_same():
    rule = Rule("mine", "mend", aw.Certainty.LIKELY, nothing)
    tools = aw.Toolbox([search, Report], policy=aw.Policy.EXACT, rules=[rule], without={"wrapper"})
    again = pickle.loads(pickle.dumps(tools))
    assert again == tools
    assert hash(again) == hash(tools)
    assert again.run(again.resolve(call("search", '{"query": "a", "limit": 1}'))).content == ["a"]


def test_to_dict_is_json():
    shown = aw.Toolbox(
        [search], rules=[Rule("mine", "mend", aw.Certainty.LIKELY, nothing)], without={"wrapper"}
    ).to_dict()
    json.dumps(shown)
    assert shown["policy"] == {"certainty": "likely", "spelling": True, "split_glued": False, "drop_undeclared": False}
    assert ([tool["name"] for tool in shown["tools"]], shown["rules"], shown["without"]) == (
        ["search"],
        ["mine"],
        ["wrapper"],
    )


def test_declared_and_read_back():
    tools = box()
    again = aw.Toolbox.from_declarations("openai-chat", tools.declare("openai-chat"))
    assert again.names == NAMES
    assert again["read_file"].schema == SCHEMA
    assert tools.declaration_report("openai-chat") == ()


def test_a_wrong_format_is_named():
    for act in (
        lambda: box().declare("openai"),
        lambda: aw.Toolbox.from_declarations("openai", []),
        lambda: box().declaration_report("x"),
    ):
        with pytest.raises(aw.UnknownFormatError):
            act()


def test_threads_share_it():
    tools = box()
    with ThreadPoolExecutor(8) as pool:
        found = list(
            pool.map(lambda n: tools.resolve(call("search", json.dumps({"query": str(n)}))).arguments, range(100))
        )
    assert found == [{"query": str(n)} for n in range(100)]


def test_tools_of_schemas_load_neither_pydantic_nor_an_event_loop():
    code = (
        "import sys, argwright as aw; box = aw.Toolbox([aw.Tool.from_schema('f', {'type': 'object'})]); "
        "print(type(box.resolve(aw.ToolCall(id=None, name='f', arguments='{}'))).__name__); "
        "print({'pydantic', 'asyncio'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=60)
    assert done.stdout.split() == ["ValidCall", "set()"]
