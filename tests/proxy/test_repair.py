"""The repair endpoint: one call in, the valid call or the reason out."""

from __future__ import annotations

import asyncio
import json

import aiohttp
import pytest
from aiohttp import web

from argwright.proxy.repair import BadRequestError, asked, handler, read_body, repair
from argwright.proxy.settings import Mending, ToolSettings

SEARCH = {
    "type": "object",
    "properties": {"query": {"type": "string"}, "limit": {"type": "integer"}},
    "required": ["query"],
    "additionalProperties": False,
}
OPENAI = {"type": "function", "function": {"name": "search", "parameters": SEARCH}}
TOOLS = {
    "openai chat": [OPENAI],
    "openai responses": [{"type": "function", "name": "search", "parameters": SEARCH}],
    "anthropic": [{"name": "search", "input_schema": SEARCH}],
    "mcp": {"tools": [{"name": "search", "inputSchema": SEARCH}]},
    "gemini": [{"functionDeclarations": [{"name": "search", "parameters": SEARCH}]}],
    "plain, with a name": [{"name": "search", "schema": SEARCH}],
    "plain, with a title": [{"title": "search", **SEARCH}],
    "schemas by name": {"search": SEARCH},
    "declarations by name": {"search": {"description": "looks for products", "inputSchema": SEARCH}},
    "beside one that the provider runs": [{"type": "web_search_20250305", "name": "web"}, OPENAI],
}


@pytest.mark.parametrize("tools", TOOLS.values(), ids=TOOLS)
def test_every_form_of_declarations_is_read(tools):
    got = repair({"name": "search", "arguments": "{'query': '上海 🍜',}", "tools": tools})
    repairs = got.pop("repairs")
    assert got == {
        "status": "valid",
        "name": "search",
        "arguments": {"query": "上海 🍜"},
        "arguments_text": '{"query":"上海 🍜"}',
    }
    assert [(one["rule"], one["certainty"], one["span"]) for one in repairs] == [
        ("single-quotes", "exact", [1, 16]),
        ("trailing-comma", "exact", [16, 17]),
    ]


def test_a_valid_text_is_answered_as_it_stands():
    text = '{ "query" : "a\\u2028b",  "limit": 9007199254740993 }'
    assert repair({"name": "search", "arguments": text, "schema": SEARCH}) == {
        "status": "valid",
        "name": "search",
        "arguments": {"query": "a\u2028b", "limit": 9007199254740993},
        "arguments_text": text,
        "repairs": [],
    }


def test_an_integer_beyond_two_to_the_53_keeps_every_digit_when_the_text_is_mended():
    got = repair({"name": "search", "arguments": "{query: 'a', limit: '12345678901234567891'}", "schema": SEARCH})
    assert (got["status"], got["arguments_text"]) == ("valid", '{"query":"a","limit":12345678901234567891}')


def test_arguments_may_come_as_an_object_or_as_nothing():
    assert repair({"name": "search", "arguments": {"query": "a", "limit": "5"}, "schema": SEARCH})["arguments"] == {
        "query": "a",
        "limit": 5,
    }
    assert repair({"arguments": None, "schema": {"type": "object"}})["arguments_text"] == "{}"


def test_a_refusal_names_kind_reason_and_places_and_has_the_message_for_the_model():
    got = repair({"name": "search", "arguments": '{"query": 5, "size": 1}', "schema": SEARCH})
    assert {key: got[key] for key in ("status", "kind", "reason")} == {
        "status": "invalid",
        "kind": "schema_error",
        "reason": "unexpected",
    }
    assert [(issue["pointer"], issue["keyword"]) for issue in got["issues"]] == [
        ("/query", "type"),
        ("/size", "additionalProperties"),
    ]
    assert json.loads(got["message"])["error"] == "Invalid call of search"
    assert set(got) == {"status", "kind", "reason", "issues", "message"}


@pytest.mark.parametrize(
    ("written", "kind", "reason"),
    [
        ('{"query": "a', "json_error", "truncated"),
        ("", "json_error", "empty"),
        ("I cannot do that", "json_error", "not_json"),
        ('{"query": "a"}{"query": "b"}', "json_error", "several_values"),
        ("[]", "schema_error", "not_an_object"),
        (["a"], "schema_error", "not_an_object"),
        (5, "schema_error", "not_an_object"),
        ({"query": None}, "schema_error", "type"),
    ],
)
def test_what_a_model_wrote_is_answered_whatever_it_is(written, kind, reason):
    got = repair({"name": "search", "arguments": written, "schema": SEARCH})
    assert (got["status"], got["kind"], got["reason"]) == ("invalid", kind, reason)


def test_a_finish_reason_that_means_cut_refuses_a_text_that_parses():
    body = {"name": "search", "arguments": '{"query": "a"}', "schema": SEARCH}
    assert repair(body | {"finish_reason": "stop"})["status"] == "valid"
    assert repair(body | {"finish_reason": "length"})["reason"] == "truncated"


def test_an_unknown_tool_is_told_with_the_names_that_exist():
    got = repair({"name": "serach", "arguments": '{"query": "a"}', "tools": [OPENAI]})
    assert (got["status"], got["kind"], got["reason"], got["issues"]) == ("invalid", "unknown_tool", "unknown", [])
    assert json.loads(got["message"])["suggestion"] == "did you mean search?"
    for name in (None, "", "search\ud83d", "<script>alert(1)</script>"):
        assert repair({"name": name, "arguments": "{}", "tools": [OPENAI]})["kind"] == "unknown_tool"
    assert repair({"name": "functions.search", "arguments": '{"query": "a"}', "tools": [OPENAI]})["name"] == "search"
    assert repair({"name": "search", "arguments": "{}", "tools": []})["kind"] == "unknown_tool"


def test_aliases_hold_for_the_tool_that_has_their_target_or_by_name():
    other = {"name": "fetch", "input_schema": {"type": "object", "properties": {"url": {"type": "string"}}}}
    body = {"name": "search", "arguments": '{"q": "a"}', "tools": [OPENAI, other]}
    assert repair(body)["status"] == "invalid"
    assert repair(body | {"aliases": {"q": "query"}})["arguments"] == {"query": "a"}
    assert repair(body | {"aliases": {"search": {"q": "query"}}})["arguments"] == {"query": "a"}
    assert repair({"arguments": '{"q": "a"}', "schema": SEARCH, "aliases": {"q": "query"}})["status"] == "valid"
    assert (
        repair(body | {"arguments": '{"q": "a", "query": "b"}', "aliases": {"q": "query"}})["reason"]
        == "alias_conflict"
    )


def test_a_request_may_name_a_policy():
    body = {"name": "search", "arguments": '{"query": "a",}', "schema": SEARCH}
    assert repair(body | {"policy": "strict"})["status"] == "invalid"
    assert repair(body | {"policy": "exact"})["status"] == "valid"


def test_the_configuration_is_laid_over_what_is_declared():
    mending = Mending(tools={"search": ToolSettings(aliases={"q": "query"}, sensitive=("limit",))})
    assert repair({"name": "search", "arguments": '{"q": "a"}', "schema": SEARCH}, mending)["arguments"] == {
        "query": "a"
    }
    got = repair({"name": "search", "arguments": '{"query": "a", "limit": "geheim"}', "schema": SEARCH}, mending)
    assert "geheim" not in json.dumps(got)
    unfit = {"type": "object", "properties": {"words": {"type": "string"}}}
    assert repair({"name": "search", "arguments": '{"words": "a"}', "schema": unfit}, mending)["status"] == "valid"


BAD = {
    "no object": ([], "(body): an object was expected, found array"),
    "an unknown member": (
        {"name": "search", "argumnets": "{}", "schema": SEARCH},
        "/argumnets: no such member (did you mean 'arguments'?)",
    ),
    "no arguments": (
        {"name": "search", "schema": SEARCH},
        "/arguments: what the model wrote was expected (text, an object or null), found nothing",
    ),
    "a name that is none": (
        {"name": 5, "arguments": "{}", "schema": SEARCH},
        "/name: a string was expected, found integer",
    ),
    "tools without a name": (
        {"arguments": "{}", "tools": [OPENAI]},
        "/name: the called tool's name was expected, found nothing",
    ),
    "neither schema nor tools": (
        {"name": "search", "arguments": "{}"},
        "(body): either 'schema' or 'tools' was expected, found neither",
    ),
    "both": (
        {"name": "search", "arguments": "{}", "schema": SEARCH, "tools": [OPENAI]},
        "(body): either 'schema' or 'tools' was expected, found both",
    ),
    "a schema that is a text": (
        {"name": "search", "arguments": "{}", "schema": "{}"},
        "/schema: a JSON Schema object was expected, found string",
    ),
    "tools that are a text": (
        {"name": "search", "arguments": "{}", "tools": "search"},
        "/tools: a list of declarations or an object of schemas was expected, found string",
    ),
    "tools that declare nothing": (
        {"name": "search", "arguments": "{}", "tools": [{"type": "web_search"}]},
        "/tools: nothing in it declares a function with its parameters",
    ),
    "an entry that is no object": (
        {"name": "search", "arguments": "{}", "tools": [5]},
        "/tools: a declaration is an object, not integer",
    ),
    "an alias to nothing": (
        {"name": "search", "arguments": "{}", "tools": [OPENAI], "aliases": {"search_it": {"q": "query"}}},
        "/aliases: no tool 'search_it' (did you mean 'search'?)",
    ),
    "a mixed table of aliases": (
        {"name": "search", "arguments": "{}", "tools": [OPENAI], "aliases": {"search": {"q": "query"}, "x": "query"}},
        "/aliases: no tool 'x'",
    ),
    "a policy that is none": (
        {"name": "search", "arguments": "{}", "schema": SEARCH, "policy": "loose"},
        "/policy: one of ['exact', 'lenient', 'standard', 'strict'] was expected, found 'loose'",
    ),
}


@pytest.mark.parametrize(("body", "message"), BAD.values(), ids=BAD)
def test_a_wrong_request_is_told_where_and_what_was_expected(body, message):
    with pytest.raises(BadRequestError) as error:
        repair(body)
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"arguments": "{}", "schema": {"type": "objekt"}}, "/schema"),
        ({"arguments": "{}", "schema": SEARCH, "aliases": {"q": "nothing"}}, "/aliases"),
        ({"arguments": "{}", "schema": SEARCH, "aliases": {"q": 5}}, "/aliases"),
        ({"arguments": "{}", "schema": SEARCH, "aliases": ["q"]}, "/aliases"),
        ({"name": "a", "arguments": "{}", "tools": [{"name": "a", "parameters": {"type": "array"}}]}, "/tools"),
        ({"name": "search", "arguments": "{}", "tools": [OPENAI, OPENAI]}, "/tools"),
        ({"name": "", "arguments": "{}", "tools": {"": SEARCH}}, "/tools"),
    ],
)
def test_a_wrong_declaration_is_told_with_its_place(body, pointer):
    with pytest.raises(BadRequestError) as error:
        repair(body)
    assert error.value.pointer == pointer


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "(body): JSON was expected: Expecting value: line 1 column 1 (char 0)"),
        (b"\xff", "(body): JSON in UTF-8 was expected, byte 0 is none"),
        (b'{"arguments": {"a": 1, "a": 2}}', "(body): the key 'a' stands twice in one object"),
        (b'{"arguments": NaN}', "(body): NaN is not JSON"),
        (b"[" * 100_000, "(body): the JSON is nested too deeply"),
        (b'{"arguments": {"n": %s}}' % (b"9" * 5000), "(body): a number has too many digits; send the arguments as the text they were"),
    ],
)  # fmt: skip
def test_a_body_that_cannot_be_read_without_loss_is_refused(data, message):
    with pytest.raises(BadRequestError) as error:
        read_body(data)
    assert str(error.value) == message


def test_the_same_declarations_are_compiled_once():
    body = {"name": "search", "arguments": "{}", "tools": [OPENAI]}
    assert asked(body).toolbox is asked(json.loads(json.dumps(body))).toolbox
    assert asked(body, Mending(retries=9)).toolbox is not asked(body).toolbox


# --- over HTTP --------------------------------------------------------------------------------------------------------


def _ask(data, **options):
    """What a server with nothing but the endpoint answers: status, headers, body."""

    async def main():
        app = web.Application()
        app.router.add_post("/v1/repair", handler(**options))
        runner = web.AppRunner(app)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        port = runner.addresses[0][1]
        try:
            async with (
                aiohttp.ClientSession() as session,
                session.post(f"http://127.0.0.1:{port}/v1/repair", data=data) as reply,
            ):
                return reply.status, reply.headers["content-type"], json.loads(await reply.read())
        finally:
            await runner.cleanup()

    return asyncio.run(asyncio.wait_for(main(), 30))


def test_it_answers_over_http():
    body = {"name": "search", "arguments": "{'query': 'a\ud83d'}", "schema": SEARCH}
    status, kind, got = _ask(json.dumps(body).encode())
    assert (status, kind, got["status"]) == (200, "application/json; charset=utf-8", "valid")
    assert got["arguments"] == {"query": "a\N{REPLACEMENT CHARACTER}"}


def test_a_wrong_request_is_a_400_with_the_place():
    assert _ask(b'{"arguments": "{}", "schema": 5}') == (
        400,
        "application/json; charset=utf-8",
        {
            "error": {
                "type": "bad_request",
                "pointer": "/schema",
                "message": "/schema: a JSON Schema object was expected, found integer",
            }
        },
    )


def test_a_long_body_is_read_beside_the_event_loop_and_a_longer_one_is_a_413():
    body = json.dumps({"arguments": json.dumps({"query": "长" * 100_000}), "schema": SEARCH}).encode()
    assert _ask(body)[0] == 200
    assert _ask(body, max_body=1000) == (
        413,
        "application/json; charset=utf-8",
        {"error": {"type": "request_too_large", "message": "the request's body exceeds 1000 bytes"}},
    )


def test_a_body_of_unknown_length_is_read_no_further_than_the_limit():
    async def pieces():
        for _ in range(100):
            yield b" " * 1000

    assert _ask(pieces(), max_body=10_000)[0] == 413


def test_who_watches_is_told_what_was_resolved():
    seen = []
    _ask(
        json.dumps({"name": "search", "arguments": "{'query': 1}", "schema": SEARCH, "model": "m"}).encode(),
        watch=lambda question, outcome: seen.append((question.model, type(outcome).__name__)),
    )
    assert seen == [("m", "InvalidCall")]
