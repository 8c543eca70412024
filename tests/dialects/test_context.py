"""Names: prefixes, doubled ones, and what Kimi makes of them."""

from __future__ import annotations

import pytest

from argwright.dialects.context import Context, bare_name, is_name, undoubled
from argwright.dialects.token_calls import kimi_name
from argwright.tool import Tool
from argwright.toolbox import Toolbox

CTX = Context(
    Toolbox([Tool.from_schema(name, {"type": "object"}) for name in ("grep", "set_rate", "get", "get5", "a.b")]),
    frozenset("xyz"),
)


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("functions.grep:0", "grep"),
        ("functions.a.b:12", "a.b"),
        ("functions.nope:3", "nope"),
        ("grep:7", "grep"),
        ("grep", "grep"),
        ("functionsgrep7", "grep"),
        ("functions_set_rate_3", "set_rate"),
        ("functions:grep:1", "grep"),
        ("functions.get5", "get5"),
        ("functionsget5", "functionsget5"),
        ("7", "7"),
        ("call00003", "call00003"),
    ],
)
def test_kimi_name(label, name):
    assert kimi_name(CTX, label) == name


def test_bare_name():
    assert [bare_name(name) for name in ("functions.f", "default_api.f", "tools:f", "f.g", "functions.")] == [
        "f",
        "f",
        "f",
        "f.g",
        "functions.",
    ]


def test_undoubled():
    assert [undoubled(CTX, name) for name in ("grep.grep", "nope.nope", "a.b", "grep.get")] == [
        "grep",
        "nope.nope",
        "a.b",
        "grep.get",
    ]


def test_is_name():
    assert [is_name(name) for name in ("a", "a.b:c/d-e_1", "名", "", "a b", "...", "a" * 129)] == [
        True,
        True,
        True,
        False,
        False,
        True,
        False,
    ]


def test_pick_and_known():
    assert (CTX.pick("q", "y", "x"), CTX.pick("q")) == ("y", None)
    assert (CTX.known("functions.grep"), CTX.declared("functions.grep"), CTX.begins("set_")) == (True, False, True)
    assert CTX.schema("tools.grep") == {"type": "object"}
