from __future__ import annotations

import pytest

from argwright.model import ToolCall
from argwright.policy import Policy
from argwright.tool import Tool
from argwright.toolbox import Toolbox

SCHEMA = {"type": "object", "properties": {"q": {"type": "string"}}, "additionalProperties": False}
BOX = Toolbox(
    [
        Tool.from_schema("search", SCHEMA, name_aliases=("find",)),
        Tool.from_schema("search:1", SCHEMA),
        Tool.from_schema("functions.list", SCHEMA),
        Tool.from_schema("wipe", SCHEMA, policy=Policy.STRICT),
    ]
)


def resolved(name, policy=None):
    return BOX.resolve(ToolCall("1", name, '{"q": "x"}'), policy)


def test_a_declared_name_is_never_stripped():
    for name in ("search", "search:1", "functions.list"):
        outcome = resolved(name)
        assert (outcome.tool.name, outcome.repairs) == (name, ())


@pytest.mark.parametrize(
    ("written", "tool", "rule"),
    [
        ("find", "search", "name-alias"),
        (" search\n", "search", "name-noise"),
        ("functions.search", "search", "name-noise"),
        ("functions.find:0", "search", "name-noise"),
        ("search:7", "search", "name-noise"),
        ("functions.search:1", "search:1", "name-noise"),
        ("search<|channel|>commentary", "search", "name-noise"),
        ("searchsearch", "search", "name-noise"),
    ],
)
def test_how_the_name_was_read_is_on_record(written, tool, rule):
    outcome = resolved(written)
    assert outcome.call.name == written
    assert outcome.tool.name == tool
    assert [(one.rule, one.before, one.after) for one in outcome.repairs] == [(rule, written, tool)]


@pytest.mark.parametrize(
    "name", [None, "", " ", "serch", "Search", "server.search", "search_0", "delete_all", "😀", "\ud800", "a" * 100_000]
)
def test_everything_else_is_unknown(name):
    outcome = resolved(name)
    assert (outcome.kind, outcome.reason, outcome.tool) == ("unknown_tool", "unknown", None)
    assert outcome.known == ("search", "search:1", "functions.list", "wipe")
    assert outcome.feedback["error"].startswith("Unknown function: ")


def test_a_repetition_of_two_declared_names_is_neither():
    box = Toolbox([Tool.from_schema(name, SCHEMA) for name in ("f", "ff")])
    for name in ("ffff", "functions.ffffff", " ffff:0"):
        assert box.resolve(ToolCall("1", name, "{}")).kind == "unknown_tool"
    assert {name: box.resolve(ToolCall("1", name, "{}")).tool.name for name in ("fff", "functions.ff", "ff:0")} == {
        "fff": "f", "functions.ff": "ff", "ff:0": "ff",
    }  # fmt: skip


def test_likeness_only_suggests():
    assert resolved("serch").suggestion == "search"
    assert resolved("delete_all").suggestion is None


def test_a_name_of_another_type_is_unknown():
    assert resolved(["search"]).kind == "unknown_tool"
    assert resolved(5).kind == "unknown_tool"


def test_a_name_that_holds_parameters_is_refused():
    outcome = resolved('search<parameter name="q">x')
    assert (outcome.kind, outcome.reason, outcome.tool.name) == ("schema_error", "absorbed", "search")


def test_without_repairs_only_the_name_itself_will_do():
    assert resolved("find", Policy.STRICT).kind == "unknown_tool"
    assert resolved(" search", Policy.STRICT).kind == "unknown_tool"
    assert resolved("search", Policy.STRICT).arguments == {"q": "x"}


def test_a_tools_own_policy_holds_for_its_name():
    assert resolved(" wipe").kind == "unknown_tool"
    assert resolved("wipe").arguments == {"q": "x"}


def test_a_leak_without_a_name_that_cannot_be_read_is_a_json_error():
    box = Toolbox([Tool.from_schema("append", {"type": "object"})])
    leaked = ToolCall(None, None, "<parameter=mode=append</parameter>", origin="text:qwen3_coder")
    assert (box.resolve(leaked).kind, box.resolve(leaked).reason) == ("json_error", "not_json")
    assert box.resolve(ToolCall("1", None, "{}")).kind == "unknown_tool"
    assert box.resolve(ToolCall("1", "", '{"a": ')).kind == "unknown_tool"
