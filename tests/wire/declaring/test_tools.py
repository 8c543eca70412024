from __future__ import annotations

from functools import cache
from typing import Any

import jsonschema_rs
import pytest

import argwright as aw
from argwright.errors import UnknownFormatError
from argwright.wire import FORMATS
from argwright.wire.declaring import MODES, Adjustment, declare
from argwright.wire.names import ANY, TOOL_NAMES

PLAIN = {
    "type": "object",
    "properties": {"city": {"type": "string", "description": "城市\u2028שם"}},
    "required": ["city"],
}
RICH = {
    "type": "object",
    "properties": {
        "query": {"type": "string", "minLength": 1, "pattern": "^\\S"},
        "limit": {"type": "integer", "default": 10, "minimum": 1},
        "unit": {"enum": ["c", "f"]},
        "tags": {"type": "array", "items": {"type": "string"}, "uniqueItems": True},
        "either": {"oneOf": [{"type": "string"}, {"type": "integer"}]},
    },
    "required": ["query"],
}
MAP = {"type": "object", "properties": {"labels": {"type": "object", "additionalProperties": {"type": "string"}}}}
CHINESE = {"type": "object", "properties": {"城市": {"type": "string"}}, "required": ["城市"]}


def tool(name: str, schema: dict[str, Any], **more: Any) -> aw.Tool:
    return aw.Tool.from_schema(name, schema, description="does it", **more)


def actions(found: Any) -> list[tuple[str, str, str, str]]:
    return [(note.tool, note.pointer, note.keyword, note.action) for note in found.adjustments]


def test_every_format_has_its_modes_and_its_rule_for_names_is_known():
    assert FORMATS.keys() <= MODES.keys()
    for form in FORMATS.values():
        assert form.names in (*TOOL_NAMES, ANY)


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("strict", [False, True])
def test_every_format_declares_every_tool_that_it_can(form, strict):
    box = aw.Toolbox([tool("a", PLAIN), tool("fs.read", RICH), tool("查询天气", MAP)])
    assert box.declare(form, strict=strict)
    assert "left_out" not in {note.action for note in box.declaration_report(form, strict=strict)}


def test_a_plain_tool_costs_nothing():
    found = declare("openai-chat", [tool("get_weather", PLAIN)])
    assert found.adjustments == ()
    assert found.tools == [
        {"type": "function", "function": {"name": "get_weather", "description": "does it", "parameters": PLAIN}}
    ]


def test_strict_mode_and_what_it_cost():
    found = declare("openai-chat", [tool("t", RICH), tool("m", MAP)], strict=True)
    assert [entry["function"].get("strict") for entry in found.tools] == [True, None]
    strict = found.tools[0]["function"]["parameters"]
    assert strict["required"] == list(RICH["properties"])
    assert strict["properties"]["limit"] == {
        "type": ["integer", "null"], "minimum": 1, "description": "(default: 10)",
    }  # fmt: skip
    assert found.tools[1]["function"]["parameters"] == MAP
    assert actions(found) == [
        ("t", "/properties/query", "minLength", "moved"),
        ("t", "/properties/limit", "default", "moved"),
        ("t", "/properties/unit", "type", "rewritten"),
        ("t", "/properties/tags", "uniqueItems", "moved"),
        ("t", "/properties/either", "oneOf", "rewritten"),
        ("t", "", "additionalProperties", "closed"),
        ("t", "/properties/limit", "required", "closed"),
        ("t", "/properties/unit", "required", "closed"),
        ("t", "/properties/tags", "required", "closed"),
        ("t", "/properties/either", "required", "closed"),
        ("m", "", "strict", "relaxed"),
    ]


def test_null_for_none_comes_back_as_absent_and_stays_null_where_null_is_declared():
    schema = {
        "type": "object",
        "properties": {"city": {"type": "string"}, "unit": {"type": "string"}, "note": {"type": ["string", "null"]}},
        "required": ["city"],
    }
    box = aw.Toolbox([tool("t", schema)])
    sent = box.declare("openai-chat", strict=True)[0]["function"]["parameters"]
    assert sent["properties"] == {
        "city": {"type": "string"},
        "unit": {"type": ["string", "null"]},
        "note": {"type": ["string", "null"]},
    }
    outcome = box.resolve(aw.ToolCall("1", "t", '{"city": "奥斯陆", "unit": null, "note": null}'))
    assert outcome.unwrap() == {"city": "奥斯陆", "note": None}
    refused = box.resolve(aw.ToolCall("1", "t", '{"city": null, "unit": null, "note": null}'))
    assert isinstance(refused, aw.InvalidCall)


NESTED = {
    "type": "object",
    "properties": {
        "who": {
            "type": "object",
            "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
            "required": ["name"],
        },
        "list": {"type": "array", "items": {"type": "object", "properties": {"x": {"type": "number"}}}},
        "kind": {"type": "string", "enum": ["a", "é"]},
        "one": {"const": "x"},
        "either": {"anyOf": [{"type": "string"}, {"type": "integer"}]},
        "ref": {"$ref": "#/$defs/Point"},
        "nothing": {"type": ["integer", "null"]},
    },
    "required": ["who", "list"],
    "$defs": {"Point": {"type": "object", "properties": {"x": {"type": "number"}}, "required": ["x"]}},
}


def test_null_for_none_comes_back_at_every_place():
    box = aw.Toolbox([tool("t", NESTED)])
    (declared,) = box.declare("openai-chat", strict=True)
    assert declared["function"]["strict"] is True
    sent = {
        "who": {"name": "李", "age": None}, "list": [{"x": None}, {"x": 1}], "kind": None, "one": None, "either": None,
        "ref": None, "nothing": None,
    }  # fmt: skip
    assert jsonschema_rs.Draft202012Validator(declared["function"]["parameters"]).is_valid(sent)
    outcome = box.resolve(aw.ToolCall("1", "t", sent))
    assert outcome.unwrap() == {"who": {"name": "李"}, "list": [{}, {"x": 1}], "nothing": None}


def test_a_tool_that_reads_null_as_it_stands_is_not_declared_strictly():
    optional = {
        "type": "object",
        "properties": {"path": {"type": "string"}, "force": {"type": "boolean"}},
        "required": ["path"],
    }
    hinted = tool("delete", optional, annotations={"destructiveHint": True})
    for box in (
        aw.Toolbox([hinted]),
        aw.Toolbox([tool("delete", optional)], policy=aw.Policy.STRICT),
        aw.Toolbox([tool("delete", optional)], without={"null-optional"}),
    ):
        assert "strict" not in box.declare("openai-chat", strict=True)[0]["function"]
        assert [note.action for note in box.declaration_report("openai-chat", strict=True)] == ["relaxed"]
    assert aw.Toolbox([tool("read", PLAIN)], policy=aw.Policy.STRICT).declare("openai-chat", strict=True)[0][
        "function"
    ]["strict"]
    assert aw.Toolbox([hinted]).declare("anthropic", strict=True)[0]["strict"]


def test_names_there_and_back():
    names = ["fs.read", "查询天气", "x" * 100, "get weather", "2fast", "ok"]
    box = aw.Toolbox([tool(name, {"type": "object"}) for name in names])
    for form in FORMATS:
        rule = FORMATS[form].names
        assert [box.get(rule.apply(name)).name for name in names] == names
        renamed = [note.tool for note in box.declaration_report(form) if note.action == "renamed"]
        assert renamed == [name for name in names if not rule.fits(name)]
    wire = [entry["function"]["name"] for entry in box.declare("openai-chat")]
    assert len(set(wire)) == len(names)
    outcomes = box.resolve_turn(aw.Turn(calls=tuple(aw.ToolCall(str(n), name, "{}") for n, name in enumerate(wire))))
    assert [outcome.tool.name for outcome in outcomes] == names
    assert all(outcome.repairs == () for outcome in outcomes)
    assert box.declare("openai-chat")[1]["function"]["description"] == "查询天气: does it"


def test_a_name_that_would_be_anothers_is_left_out():
    taken = FORMATS["openai-chat"].names.apply("fs.read")
    box = aw.Toolbox([tool(taken, PLAIN), tool("fs.read", PLAIN)])
    assert [entry["function"]["name"] for entry in box.declare("openai-chat")] == [taken]
    assert box.declaration_report("openai-chat") == (
        Adjustment(
            tool="fs.read", pointer="", keyword="name", action="left_out",
            why=f"its name would be {taken!r} here, which another tool has",
        ),
    )  # fmt: skip
    assert box.get(taken).name == taken
    assert (
        aw.Toolbox([tool("fs.read", PLAIN), tool("b", PLAIN, name_aliases=[taken])])
        .declaration_report("openai-chat")[0]
        .action
        == "left_out"
    )


def test_a_tool_that_a_provider_cannot_take_is_left_out_and_the_others_go():
    box = aw.Toolbox([tool("a", PLAIN), tool("b", CHINESE), tool("c", PLAIN)])
    assert [entry["name"] for entry in box.declare("anthropic")] == ["a", "c"]
    (note,) = box.declaration_report("anthropic")
    assert (note.tool, note.action) == ("b", "left_out")
    assert "'城市'" in note.why
    assert len(box.declare("openai-chat")) == 3
    assert box.resolve(aw.ToolCall("1", "b", '{"城市": "奥斯陆"}')).unwrap() == {"城市": "奥斯陆"}


def test_gemini_gets_its_own_subset_or_json_schema():
    one, other, bare = declare("gemini", [tool("a", PLAIN), tool("b", MAP), tool("c", {"type": "object"})]).tools[0][
        "functionDeclarations"
    ]
    assert one["parameters"]["type"] == "OBJECT"
    assert other["parametersJsonSchema"] == MAP
    assert not bare.keys() & {"parameters", "parametersJsonSchema"}


def test_a_request_takes_so_many_strict_tools():
    many = [tool(f"t{number}", PLAIN) for number in range(22)]
    found = declare("anthropic", many, strict=True)
    assert sum(entry.get("strict", False) for entry in found.tools) == 20
    assert [note.why for note in found.adjustments if note.action == "relaxed"] == [
        "one request takes 20 strict tools"
    ] * 2
    optional = {"type": "object", "properties": {f"p{number}": {"type": "string"} for number in range(20)}}
    found = declare("anthropic", [tool("a", optional), tool("b", optional)], strict=True)
    assert [entry.get("strict") for entry in found.tools] == [True, None]


def test_services_take_less():
    nullable = {"type": "object", "properties": {"n": {"type": ["integer", "null"], "minimum": 0}}}
    (kimi,) = declare("openai-chat", [tool("t", nullable)], service="kimi").tools
    assert kimi["function"]["parameters"]["properties"]["n"] == {
        "anyOf": [{"type": "integer", "description": "(minimum: 0)"}, {"type": "null"}]
    }
    assert actions(declare("openai-chat", [tool("t", PLAIN)], strict=True, service="llama.cpp")) == [
        ("t", "", "strict", "relaxed")
    ]
    assert actions(declare("openai-chat", [tool("t", PLAIN)], strict=True, service="xai")) == []
    for name in ("vllm", "sglang"):
        (strict,) = declare("openai-chat", [tool("t", PLAIN)], strict=True, service=name).tools
        assert (strict["function"]["strict"], strict["function"]["parameters"]) == (
            True,
            {**PLAIN, "additionalProperties": False},
        )
    with pytest.raises(LookupError, match="no service"):
        declare("openai-chat", [], service="nope")
    with pytest.raises(UnknownFormatError):
        declare("nope", [])


# --- the SDKs' own types


@cache
def _adapter(module: str, name: str) -> Any:
    pydantic = pytest.importorskip("pydantic")
    return pydantic.TypeAdapter(getattr(pytest.importorskip(module), name)).validate_python


SDK = [
    ("openai-chat", lambda tools: [_adapter("openai.types.chat", "ChatCompletionToolParam")(one) for one in tools]),
    ("openai-responses", lambda tools: [_adapter("openai.types.responses", "FunctionToolParam")(one) for one in tools]),
    ("anthropic", lambda tools: [_adapter("anthropic.types", "ToolParam")(one) for one in tools]),
    ("gemini", lambda tools: [pytest.importorskip("google.genai.types").Tool.model_validate(one) for one in tools]),
    ("cohere", lambda tools: [pytest.importorskip("cohere").ToolV2.model_validate(one) for one in tools]),
    ("ollama", lambda tools: [pytest.importorskip("ollama").Tool.model_validate(one) for one in tools]),
]


@pytest.mark.parametrize(("form", "take"), SDK, ids=[row[0] for row in SDK])
@pytest.mark.parametrize("strict", [False, True])
def test_the_sdks_take_what_is_declared(form, take, strict):
    take(declare(form, [tool("a", PLAIN), tool("fs.read", RICH), tool("查询天气", MAP)], strict=strict).tools)


def test_gemini_schemas_have_fields_of_the_sdk_only():
    types = pytest.importorskip("google.genai.types")
    (declared,) = declare("gemini", [tool("t", PLAIN)]).tools[0]["functionDeclarations"]
    assert types.Schema.model_validate(declared["parameters"]).model_dump(exclude_none=True, by_alias=True) == {
        "type": types.Type.OBJECT,
        "properties": {"city": {"type": types.Type.STRING, "description": "城市\u2028שם"}},
        "required": ["city"],
    }
