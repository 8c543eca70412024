from __future__ import annotations

import gzip
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from argwright.cli.check import count
from argwright.cli.source import Line
from argwright.tool import Tool
from argwright.toolbox import Toolbox

SCHEMA = {
    "type": "object",
    "properties": {"location": {"type": "string"}, "unit": {"enum": ["c", "f"]}},
    "required": ["location"],
    "additionalProperties": False,
}
NAME = "get_temperature"

TOOLS = {
    "OpenAI": [{"type": "function", "function": {"name": NAME, "parameters": SCHEMA}}],
    "OpenAI Responses": [{"type": "function", "name": NAME, "parameters": SCHEMA}],
    "Anthropic": [{"name": NAME, "input_schema": SCHEMA}],
    "MCP": [{"name": NAME, "inputSchema": SCHEMA}],
    "MCP, whole answer": {"tools": [{"name": NAME, "inputSchema": SCHEMA}]},
    "by name": {NAME: SCHEMA},
}

RESPONSE = {
    "id": "chatcmpl-1",
    "object": "chat.completion",
    "model": "模型-1",
    "choices": [
        {
            "index": 0,
            "finish_reason": "tool_calls",
            "message": {
                "role": "assistant",
                "content": None,
                "tool_calls": [
                    {"id": "1", "type": "function", "function": {"name": NAME, "arguments": '{"location": "上海",}'}},
                    {"id": "2", "type": "function", "function": {"name": "delete_all", "arguments": "{}"}},
                ],
            },
        }
    ],
}

LOG = [
    json.dumps({"name": NAME, "arguments": '{"location": "上海"}'}, ensure_ascii=False),
    json.dumps({"name": NAME, "arguments": {"location": "Paris"}}),
    json.dumps({"name": NAME, "arguments": "location=上海", "model": "m"}),
    json.dumps({"name": NAME, "arguments": '{"unit": "c"}'}),
    json.dumps({"name": NAME, "arguments": "[]"}),
    json.dumps({"name": NAME, "arguments": '{"location": "Paris"}', "finish_reason": "length"}),
    json.dumps(RESPONSE, ensure_ascii=False),
    "",
    '{"name": ',
    "[1]",
    '{"name": 5}',
    '{"something": "else"}',
]


@pytest.fixture
def tools(tmp_path):
    path = tmp_path / "tools.json"
    path.write_text(json.dumps(TOOLS["OpenAI"]))
    return path


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "调用.jsonl"
    path.write_text("\n".join(LOG) + "\n", encoding="utf-8")
    return path


def test_json(run, log, tools):
    done = run("check", log, "--tools", tools, "--json")
    assert (done.code, done.err) == (0, "")
    counts = json.loads(done.out)
    rules = {group["rule"] for group in counts["groups"]} - {""}
    groups = [tuple(group.values()) for group in counts["groups"] if not group["rule"]]
    assert rules == {"trailing-comma"}
    assert groups == [
        ("delete_all", "模型-1", "unknown_tool", "unknown", "", 1),
        (NAME, "", "valid", "", "", 2),
        (NAME, "", "json_error", "truncated", "", 1),
        (NAME, "", "schema_error", "missing", "", 1),
        (NAME, "", "schema_error", "not_an_object", "", 1),
        (NAME, "m", "json_error", "not_json", "", 1),
        (NAME, "模型-1", "mended", "", "", 1),
    ]
    assert (counts["lines"], counts["calls"]) == (11, 8)
    assert counts["broken"] == [
        {"line": 9, "error": "no JSON at character 8: expecting value"},
        {"line": 10, "error": "no object but list"},
        {"line": 11, "error": "a call's name is text"},
        {"line": 12, "error": "neither a call (name, arguments) nor a reply known by its keys: something"},
    ]


def test_table(run, log, tools):
    done = run("check", log, "--tools", tools)
    assert (done.code, done.err) == (0, "")
    assert "8 calls in 11 lines, 2 valid, 1 mended, 1 unknown_tool, 2 json_error, 2 schema_error, 4 broken" in done.out
    assert "line 9: no JSON at character 8: expecting value\n" in done.out
    header, *rows = done.out.splitlines()
    assert header.split() == ["tool", "model", "kind", "reason", "rule", "calls"]
    assert rows[0].split() == ["delete_all", "模型-1", "unknown_tool", "unknown", "1"]
    assert [row.split() for row in rows if "trailing-comma" in row] == [["trailing-comma", "1"]]


@pytest.mark.parametrize("declared", TOOLS.values(), ids=TOOLS.keys())
def test_tools_in_every_form(run, tmp_path, declared):
    tools = tmp_path / "tools.json"
    tools.write_text(json.dumps(declared))
    done = run("check", "-", "--tools", tools, "--json", stdin=LOG[0])
    assert json.loads(done.out)["kinds"]["valid"] == 1


def test_gzip(run, tmp_path, tools):
    path = tmp_path / "log.gz"
    path.write_bytes(gzip.compress("\n".join(LOG).encode()))
    assert json.loads(run("check", path, "--tools", tools, "--json").out)["calls"] == 8


@pytest.mark.parametrize(
    ("kinds", "code"),
    [("unknown_tool", 1), ("schema_error, json_error", 1), ("broken", 1), ("mended", 1), ("valid", 1)],
)
def test_fail_on_what_occurred(run, log, tools, kinds, code):
    assert run("check", log, "--tools", tools, "--fail-on", kinds).code == code


def test_fail_on_what_did_not_occur(run, tools):
    assert run("check", "-", "--tools", tools, "--fail-on", "unknown_tool,broken", stdin=LOG[0]).code == 0


BAD = {
    "a kind that is none": (["--fail-on", "nonsense"], "nonsense is not one of"),
    "no kind": (["--fail-on", ","], "nothing is not one of"),
}


@pytest.mark.parametrize(("words", "said"), BAD.values(), ids=BAD.keys())
def test_misuse(run, log, tools, words, said):
    done = run("check", log, "--tools", tools, *words)
    assert (done.code, done.out) == (2, "")
    assert said in done.err


BAD_TOOLS = {
    "no JSON": "{",
    "a number": "3",
    "an entry that is no object": "[3]",
    "nothing that runs here": '[{"type": "web_search"}]',
    "a schema that is none": '{"x": {"type": "nonsense"}}',
    "one name twice": json.dumps(TOOLS["MCP"] * 2),
}


@pytest.mark.parametrize("text", BAD_TOOLS.values(), ids=BAD_TOOLS.keys())
def test_bad_tools_are_misuse(run, tmp_path, log, text):
    tools = tmp_path / "tools.json"
    tools.write_text(text)
    done = run("check", log, "--tools", tools)
    assert (done.code, done.out) == (2, "")
    assert done.err


def test_what_a_model_wrote_does_not_act_on_the_terminal(run, tools):
    done = run("check", "-", "--tools", tools, stdin=json.dumps({"name": "\x1b[2Jx\u202e", "arguments": "{}"}))
    assert "\x1b" not in done.out
    assert "\\x1b[2Jx\\u202e" in done.out


def test_an_empty_log(run, tools):
    done = run("check", "-", "--tools", tools)
    assert (done.code, done.out) == (0, "0 calls in 0 lines\n")


WORDS = st.sampled_from(
    [
        "name",
        "arguments",
        "finish_reason",
        "model",
        "choices",
        "message",
        "tool_calls",
        "function",
        "content",
        "type",
        "output",
        "id",
    ]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.just("get_temperature"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=4),
    max_leaves=12,
)


@given(st.lists(VALUES, max_size=5))
def test_no_line_stops_the_run(records):
    box = Toolbox([Tool.from_schema(NAME, SCHEMA)])
    log = [Line(number, json.dumps(record).encode(), 0) for number, record in enumerate(records, start=1)]
    tally = count(log, box)
    assert tally.lines == len(records)
    json.dumps(tally.to_dict())


@given(st.binary(max_size=60))
def test_no_bytes_stop_the_run(data):
    box = Toolbox([Tool.from_schema(NAME, SCHEMA)])
    assert count([Line(1, data, 0)], box).lines == 1
