"""What a request asks for: engaged in or not, and what goes upstream."""

from __future__ import annotations

import json
from typing import Any

import pytest

from argwright.model import compact
from argwright.policy import Policy
from argwright.proxy.exchange import request as requests
from argwright.proxy.exchange.table import TABLE
from argwright.proxy.settings import Mending, ToolSettings
from argwright.scripted import FORMS
from tests.proxy.exchange.playing import ERR, GO, SCHEMAS, TRY, exchange, request

FORM = pytest.mark.parametrize("form", FORMS)


def asked(form: str, mending: Mending = GO, **more: Any) -> requests.Asked:
    found = requests.read(TABLE[form], compact(request(form, **more)).encode(), mending)
    assert found is not None
    return found


@FORM
def test_the_clients_own_bytes_go_upstream(form):
    body = json.dumps(request(form), indent=2).encode()
    under = exchange(form, asked=body)
    assert (under.engaged, under.streamed, under.ask) == (True, True, body)


@FORM
@pytest.mark.parametrize(
    "change",
    [
        {"tools": []},
        {"tools": None},
        {"tools": "x"},
        {"tools": [{"type": "web_search"}]},
    ],
)
def test_no_functions_or_not_understood_is_not_engaged_in(form, change):
    body = compact(request(form) | change).encode()
    under = exchange(form, asked=body)
    assert (under.engaged, under.ask) == (False, body)
    assert (under.feed(b"x"), under.end(broken=True).data, under.whole(b"y").body) == (b"x", b"", b"y")


@FORM
@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"null", b'"x"', b"\xff", b"[" * 100_000])
def test_what_is_no_request_is_not_engaged_in(form, body):
    assert not exchange(form, asked=body).engaged


ENGAGED: list[tuple[str, dict[str, Any]]] = [
    *(("openai-chat", {"n": n}) for n in (None, 0, 1, 2, "1", "2", 2.5, True)),
    *((form, {"messages": messages}) for form in ("openai-chat", "anthropic") for messages in (None, [], "x")),
    ("openai-responses", {"background": True}),
    *(("openai-responses", {"input": given}) for given in (None, "x", [], 7, {"role": "user", "content": "x"})),
]


@pytest.mark.parametrize(("form", "more"), ENGAGED, ids=str)
def test_whatever_declares_functions_is_engaged_in(form, more):
    assert exchange(form, **more).engaged
    assert exchange(form, asked={key: value for key, value in request(form, **more).items() if key not in more}).engaged


@pytest.mark.parametrize("mending", [GO, TRY, ERR])
@pytest.mark.parametrize(
    ("n", "stream", "refused"), [(2, True, True), ("3", True, True), (2, False, False), (1, True, False)]
)
def test_calls_of_several_choices_are_not_streamed_where_they_have_to_be_valid(mending, n, stream, refused):
    under = exchange("openai-chat", mending, n=n, stream=stream)
    assert bool(under.refusal) is (refused and mending is not GO)


NONE = {"openai-chat": "none", "openai-responses": "none", "anthropic": {"type": "none"}}
DOCUMENT: dict[str, dict[str, Any]] = {
    "openai-chat": {"response_format": {"type": "json_object"}},
    "openai-responses": {"text": {"format": {"type": "json_schema", "name": "x", "schema": {}}}},
    "anthropic": {"output_config": {"format": {"type": "json_schema", "schema": {}}}},
}


@FORM
def test_whether_calls_may_come_and_whether_the_text_is_read(form):
    assert (asked(form).may_call, asked(form).scans) == (True, True)
    none = asked(form, tool_choice=NONE[form])
    assert (none.may_call, none.scans) == (False, False)
    document = asked(form, **DOCUMENT[form])
    assert (document.may_call, document.scans) == (True, False)


FREE = {
    "openai-chat": {"type": "custom", "custom": {"name": "run_sql"}},
    "openai-responses": {"type": "custom", "name": "run_sql"},
    "anthropic": {"type": "bash_20250124", "name": "run_sql"},
}
BROKEN = {
    "openai-chat": {"type": "function", "function": {"name": "bad", "parameters": {"type": "no such type"}}},
    "openai-responses": {"type": "function", "name": "bad", "parameters": {"type": "no such type"}},
    "anthropic": {"name": "bad", "input_schema": {"type": "no such type"}},
}


@FORM
def test_of_tools_that_are_no_functions_and_of_broken_declarations_no_schema_is_known(form):
    tools = [*request(form)["tools"], FREE[form], BROKEN[form]]
    found = asked(form, tools=tools)
    assert (found.box.names, found.bare.names, found.broken) == (tuple(SCHEMAS), ("bad", "run_sql"), ("bad",))


@FORM
def test_two_of_one_name_are_one_if_they_are_alike(form):
    tools = request(form)["tools"]
    alike = asked(form, tools=[*tools, {**tools[0]}])
    assert (alike.box.names, alike.bare.names, alike.broken) == (tuple(SCHEMAS), (), ())
    other = json.loads(json.dumps(tools[0]).replace('"m"', '"n"'))
    differ = asked(form, tools=[*tools, other])
    assert (differ.box.names, differ.bare.names, differ.broken) == (
        ("count_gulls", "write_log"), ("book_berth",), ("book_berth",),
    )  # fmt: skip


def test_a_schema_that_is_nested_too_deep_is_none():
    schema = '{"items":' * 3000 + "{}" + "}" * 3000
    sent = compact(request("openai-chat", names=())).replace(
        '"tools":[]', '"tools":[{"type":"function","function":{"name":"deep","parameters":' + schema + "}}]"
    )
    under = exchange("openai-chat", asked=sent.encode())
    assert not under.engaged or under._course.asked.broken == ("deep",)


def test_a_broken_declaration_is_logged_once(caplog):
    tools = [function("once_told", {"type": "no such type"}), function("fine", {"type": "object"})]
    with caplog.at_level("WARNING", "argwright.gateway"):
        for more in ([], [function("another", {"type": "object"})]):
            assert asked("openai-chat", tools=[*tools, *more]).broken == ("once_told",)
    [line] = [record.getMessage() for record in caplog.records]
    assert line.startswith("the declaration of tool 'once_told' cannot be used (")


def function(name: str, schema: Any) -> dict[str, Any]:
    return {"type": "function", "function": {"name": name, "parameters": schema}}


def test_an_old_name_that_means_another_tool_too_means_that_one():
    settings = {
        "book_berth": ToolSettings(name_aliases=("write_log", "moor", "bad")),
        "write_log": ToolSettings(name_aliases=("log",)),
    }
    found = asked(
        "openai-chat", Mending(tools=settings), tools=[*request("openai-chat")["tools"], BROKEN["openai-chat"]]
    )
    assert [(tool.name, tuple(tool.name_aliases)) for tool in found.box] == [
        ("book_berth", ("moor",)), ("count_gulls", ()), ("write_log", ("log",)),
    ]  # fmt: skip


def test_tools_in_namespaces_are_tools():
    inner = request("openai-responses")["tools"]
    assert asked("openai-responses", tools=[{"type": "namespace", "name": "sea", "tools": inner}]).box.names == tuple(
        SCHEMAS
    )


def test_the_old_functions_are_tools():
    functions = [{"name": name, "parameters": schema} for name, schema in SCHEMAS.items()]
    assert asked("openai-chat", tools=None, functions=functions).box.names == tuple(SCHEMAS)


@FORM
def test_what_is_configured_for_a_tool(form):
    settings = ToolSettings(
        aliases={"metres": "m"}, name_aliases=("moor",), sensitive=("name",), policy=Policy.STRICT,
        value_aliases={"side": {"left": "port"}},
    )  # fmt: skip
    tool = asked(form, Mending(tools={"book_berth": settings})).box["moor"]
    assert (tool.name, dict(tool.aliases), tool.policy, tool.mask.covers(["name"])) == (
        "book_berth", {"metres": "m"}, Policy.STRICT, True,
    )  # fmt: skip
    unfit = ToolSettings(aliases={"old": "no_such_field"}, policy=Policy.EXACT)
    tool = asked(form, Mending(tools={"book_berth": unfit})).box["book_berth"]
    assert (dict(tool.aliases), tool.policy) == ({}, Policy.EXACT)


BAD_HISTORY: dict[str, list[dict[str, Any]]] = {
    "openai-chat": [
        {"role": "user", "content": "x"},
        {"role": "assistant", "content": None, "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "book_berth", "arguments": '{"m": '}}]},
        {"role": "tool", "tool_call_id": "c1", "content": "?"},
    ],
    "openai-responses": [
        {"role": "user", "content": "x"},
        {"type": "function_call", "call_id": "c1", "name": "book_berth", "arguments": '{"m": '},
        {"type": "function_call_output", "call_id": "c1", "output": "?"},
    ],
    "anthropic": [
        {"role": "user", "content": "x"},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "book_berth", "input": {"m": 1}}]},
        {"role": "user", "content": "and?"},
    ],
}  # fmt: skip


@FORM
def test_a_history_that_the_provider_would_refuse_is_mended_on_its_way(form):
    key = "input" if form == "openai-responses" else "messages"
    body = request(form) | {key: BAD_HISTORY[form], "seed": 12345678901234567890, "note": "Möwe 🐦"}
    under = exchange(form, asked=body)
    sent = json.loads(under.ask)
    assert sent[key] != body[key]
    assert {name: sent[name] for name in sent if name != key} == {name: body[name] for name in body if name != key}
    assert "Möwe 🐦".encode() in under.ask
    assert exchange(form, Mending(history=False), asked=body).ask == compact(body).encode()
