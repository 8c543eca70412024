"""What a misbehaving upstream says: every kind of fault that a reply can have, in the three protocols, as bytes.

The faults are those that the tests of the core know: argument texts (`demo.jsonl`, the golden texts of the decoder),
streams whose pieces, ids, names and ends are odd (the tables of `tests/wire`), and calls written into the text (the
golden texts of the dialects). Here they become whole HTTP bodies: odd where the fault is, and as documented in all the
rest. What is right for a script is what the library itself reads from its bytes: the core has its own tests.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import argwright as aw
from argwright.cli import demo
from argwright.model import compact
from argwright.scripted import FORMS, body, events
from argwright.scripted.server import frames
from tests.dialects.reading import SCHEMAS as DIALECT_SCHEMAS
from tests.wire import test_anthropic, test_openai_chat, test_openai_responses

ROOT = Path(__file__).parents[1]
PATHS = {"openai-chat": "chat/completions", "openai-responses": "responses", "anthropic": "messages"}
ANY: dict[str, Any] = {"type": "object"}
WIRE_TOOLS = {"book_berth": ANY, "count_gulls": ANY}
_HEADS: dict[str, dict[str, Any]] = {
    "openai-chat": {"id": "chatcmpl-7", "object": "chat.completion.chunk", "created": 1_700_000_000, "model": "m-1"},
    "openai-responses": {
        "id": "resp_7",
        "object": "response",
        "created_at": 1_700_000_000,
        "model": "m-1",
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "error": None,
        "incomplete_details": None,
    },
    "anthropic": {"id": "msg_7", "model": "m-1", "stop_sequence": None},
}


@dataclass(frozen=True, kw_only=True)
class Script:
    """One reply of an upstream.

    Args:
        title: what is odd about it.
        form: the protocol.
        schemas: the tools that the request declares, by name.
        sent: the body.
        streamed: whether it is a stream.
        choice: the request's `tool_choice`, if it has one.
    """

    title: str
    form: str
    schemas: dict[str, Any] = field(repr=False)
    sent: bytes = field(repr=False)
    streamed: bool = True
    choice: Any = None

    def __str__(self) -> str:
        return f"{self.form}{'' if self.streamed else ', whole'}: {self.title}"

    @cached_property
    def tools(self) -> list[dict[str, Any]]:
        """The declarations, as the protocol has them."""
        return declared(self.form, self.schemas)

    def request(self, **more: Any) -> dict[str, Any]:
        """The body of a request that this is a reply to."""
        return asked(self.form, self.tools, stream=self.streamed, **more)

    def right(self, cut: int | None = None) -> Right:
        """What the library reads from the body, or from its first bytes."""
        return right(self, self.sent[:cut] if cut is not None else self.sent)


@dataclass(frozen=True, kw_only=True)
class Right:
    """What a reply amounts to.

    Args:
        turn: what was said.
        outcomes: its calls, resolved.
    """

    turn: aw.Turn
    outcomes: tuple[aw.ValidCall | aw.InvalidCall, ...]

    @property
    def valid(self) -> list[tuple[str, dict[str, Any]]]:
        return [(one.tool.name, one.arguments) for one in self.outcomes if isinstance(one, aw.ValidCall)]

    @property
    def refused(self) -> bool:
        return any(isinstance(one, aw.InvalidCall) for one in self.outcomes)

    @property
    def mended(self) -> bool:
        return any(one.repairs or one.call.name != one.tool.name for one in self.outcomes if isinstance(one, aw.ValidCall))  # fmt: skip


def right(script: Script, sent: bytes) -> Right:
    box = aw.Toolbox.from_declarations(script.form, script.tools)
    if script.streamed:
        acc = aw.Accumulator(script.form, tools=box)
        acc.feed_bytes(sent)
        turn = acc.close()
    else:
        turn = aw.read(script.form, json.loads(sent))
    if turn.text and not any(call.origin == "structured" for call in turn.calls):
        read = aw.read_text(turn.text, tools=box, finish=turn.finish)
        if read.calls or not script.streamed:  # a whole text is read as a stream is, and leaves no markup behind
            turn = aw.Turn(turn.calls or read.calls, read.text, turn.reasoning or read.reasoning, turn.finish)
    return Right(turn=turn, outcomes=tuple(box.resolve_turn(turn)))


@cache
def _declared(form: str, schemas: str) -> list[dict[str, Any]]:
    return aw.Toolbox([aw.Tool.from_schema(name, one) for name, one in json.loads(schemas).items()]).declare(form)


def declared(form: str, schemas: dict[str, Any]) -> list[dict[str, Any]]:
    """Declarations of tools."""
    return _declared(form, compact(schemas))


def asked(form: str, tools: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    """The body of a request."""
    question = [{"role": "user", "content": "Ist ein Liegeplatz frei? 🐦"}]
    talk: dict[str, Any] = {"input": question} if form == "openai-responses" else {"messages": question}
    limit = {"max_tokens": 1000} if form == "anthropic" else {}
    return {"model": "m-1", **talk, **limit, "tools": tools, **more}


# Bodies as documented, in all that is not the fault


def whole_envelope(form: str, given: dict[str, Any]) -> dict[str, Any]:
    """A whole body with all that its protocol asks for."""
    head = dict(_HEADS[form])
    if form == "openai-chat":
        head["object"] = "chat.completion"
        return _typed({**head, **given, "choices": [{"logprobs": None, **one} for one in given.get("choices", ())]})
    if form == "anthropic":
        return {**head, "usage": {"input_tokens": 9, "output_tokens": 4}, **given}
    return {**head, **given}


def envelope(form: str, given: list[Any]) -> list[Any]:
    """The events of a stream with all that their protocol asks for."""
    return [*_ENVELOPES[form]([one if isinstance(one, tuple) else (None, one) for one in given])]


def _chat(given: list[Any]) -> Iterator[Any]:
    begun = any(
        choice.get("delta", {}) and choice["delta"].get("role")
        for _, data in given
        if isinstance(data, dict)
        for choice in data.get("choices") or ()
    )
    head = _HEADS["openai-chat"]
    if not begun:
        delta = {"role": "assistant", "content": None}
        yield None, {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
    for name, data in given:
        if not isinstance(data, dict) or "choices" not in data:
            yield name, data
            continue
        usage = data.get("usage")
        if usage:
            usage = {"prompt_tokens": 1, "completion_tokens": 4, "total_tokens": 5, **usage}
        yield name, _typed({**head, **data, **({"usage": usage} if "usage" in data else {})})
    if given[-1:] != [(None, "[DONE]")]:
        yield None, "[DONE]"


def _typed(data: dict[str, Any]) -> dict[str, Any]:
    """With the `type` that the tables of `tests/wire` leave out where a call begins."""
    made = copy.deepcopy(data)
    for choice in made["choices"] or ():
        said = choice.get("delta") or choice.get("message") or {}
        entries = said.get("tool_calls") or ()
        for entry in [entries] if isinstance(entries, dict) else entries:
            if entry.get("id") and isinstance(entry.get("function"), dict) and entry["function"].get("name"):
                entry.setdefault("type", "function")
    return made


def _anthropic(given: list[Any]) -> Iterator[Any]:
    for name, data in given:
        if data.get("type") == "message_start":
            message = {**_HEADS["anthropic"], "usage": {"input_tokens": 9, "output_tokens": 1}, **data["message"]}
            yield name, {**data, "message": message}
        elif data.get("type") == "message_delta":
            delta = {"stop_sequence": None, **data["delta"]}
            yield name, {"usage": {"output_tokens": 4}, **data, "delta": delta}
        else:
            yield name, data


_DEFAULTS = {"content_index": 0, "logprobs": []}


def _responses(given: list[Any]) -> Iterator[Any]:
    if not any(isinstance(data, dict) and data.get("type") == "response.created" for _, data in given):
        given = [("response.created", {"type": "response.created", "response": {"status": "in_progress", "output": []}}), *given]  # fmt: skip
    for number, (name, data) in enumerate(given):
        numbered = {**data, "sequence_number": number}
        kind = str(data.get("type"))
        if isinstance(data.get("response"), dict):
            numbered["response"] = {**_HEADS["openai-responses"], **data["response"]}
        if kind.startswith("response.function_call_arguments.") and "output_index" in data:
            numbered = {"item_id": f"fc_{data['output_index'] + 1}", **numbered}
        if kind.startswith("response.output_text."):
            numbered = {"item_id": "msg_1", "output_index": 0, **_DEFAULTS, **numbered}
        yield name or kind, numbered


_ENVELOPES = {"openai-chat": _chat, "anthropic": _anthropic, "openai-responses": _responses}


# The scripts


@cache
def arguments() -> tuple[Script, ...]:
    """Calls whose arguments have all kinds of faults, or none, whole and streamed, in every protocol."""
    schemas = {tool.name: tool.schema for tool in demo.TOOLS}
    return tuple(
        made
        for title, call in [*demo.calls(), *_MORE]
        for form in FORMS
        for made in said(title, form, schemas, _turn(call, text="Moment 🐦\u2028"))
    )


_MORE = [
    ("valid, with everything that could be mistaken", aw.ToolCall("c1", "write_file", '{"path": "a\\\\b.md", "content": "```json\\n{x: 1,}\\n``` </tool_call> 7\\ud83d\\ude00\u2028 "}')),
    ("valid, an unusual layout", aw.ToolCall("c1", "search_products", '{ "limit" : 5 , "query":"\\u706f" }\n')),
    ("a name with noise", aw.ToolCall("c1", "functions.get_temperature:0", '{"location": "深圳"}')),
    ("a tool of the server that nobody declared", aw.ToolCall("c1", "multi_tool_use.parallel", '{"tool_uses": []}')),
    ("a huge integer", aw.ToolCall("c1", "delete_records", '{"ids": [900719925474099312345]}')),
    ("half a surrogate pair", aw.ToolCall("c1", "get_temperature", '{"location": "a\\ud83d"}')),
    ("null for nothing", aw.ToolCall("c1", "list_orders", "null")),
    ("a number for the arguments", aw.ToolCall("c1", "list_orders", "7")),
]  # fmt: skip


@cache
def golden() -> tuple[Script, ...]:
    """The decoder's golden texts as the arguments of an open tool, in chat streams."""
    lines = (ROOT / "cases" / "decode.jsonl").read_text(encoding="utf-8").split("\n")
    cases = [json.loads(line) for line in lines if line]
    return tuple(
        made
        for case in cases
        if isinstance(case["text"], str)
        for form in FORMS
        for made in said(case["title"], form, WIRE_TOOLS, _turn(aw.ToolCall("c1", "book_berth", case["text"])))
        if made.streamed
    )


def _turn(call: aw.ToolCall, text: str = "") -> aw.Turn:
    reason = call.finish_reason or "tool_calls"
    finish = aw.Finish(None, reason, truncated=reason == "length")
    return aw.Turn((aw.ToolCall(call.id, call.name, call.arguments),), text, finish=finish)


def said(title: str, form: str, schemas: dict[str, Any], turn: aw.Turn) -> Iterator[Script]:
    """A turn, streamed and whole."""
    stream = b"".join(frames([*events(form, turn)]))
    yield Script(title=title, form=form, schemas=schemas, sent=stream)
    whole = compact(body(form, turn)).encode("utf-8", "surrogatepass")
    yield Script(title=title, form=form, schemas=schemas, sent=whole, streamed=False)


@cache
def several() -> tuple[Script, ...]:
    """Turns of several calls of which none, one or all are bad, with text around them."""
    good = ("get_temperature", '{"location": "北京"}')
    mended = ("get_temperature", "{location: '上海',}")
    bad = ("get_temperature", '{"unit": "celsius"}')
    unknown = ("delete_all", "{}")
    cut = ("write_file", '{"path": "a.py", "content": "import')
    schemas = {tool.name: tool.schema for tool in demo.TOOLS}
    rows = [
        ("two good ones", [good, good]),
        ("a good one and a mended one", [good, mended]),
        ("a mended one and a good one", [mended, good]),
        ("a good one and a bad one", [good, bad]),
        ("a bad one and a good one", [bad, good]),
        ("a mended one and an unknown one", [mended, unknown]),
        ("three, the middle one bad", [good, unknown, mended]),
        ("a good one and a cut one", [good, cut]),
        ("all bad", [bad, unknown, cut]),
        ("no call", []),
    ]
    made = []
    for title, calls in rows:
        calls_made = tuple(aw.ToolCall(f"c{number}", *one) for number, one in enumerate(calls))
        finish = aw.Finish(None, "tool_calls" if calls else "stop")
        turn = aw.Turn(calls_made, "Moment 🐦", "hm", finish=finish)
        made += [one for form in FORMS for one in said(title, form, schemas, turn)]
    return tuple(made)


@cache
def odd() -> tuple[Script, ...]:
    """Streams and bodies that are odd in their pieces, ids, names and ends."""
    rows = [
        *(("openai-chat", title, given) for title, given, _ in test_openai_chat.IDENTITY),
        *(("openai-chat", title, test_openai_chat.pieces(*given)) for title, given, _ in test_openai_chat.FRAGMENTS),
        *(("openai-chat", title, given) for title, given, *_ in test_openai_chat.ENDS),
        *(("anthropic", title, given) for title, given, *_ in test_anthropic.STREAMS),
        *(("openai-responses", title, given) for title, given, *_ in test_openai_responses.STREAMS),
    ]
    streams = [
        Script(title=title, form=form, schemas=WIRE_TOOLS, sent=b"".join(frames(envelope(form, given))))
        for form, title, given in rows
        if given and "free-text" not in title
    ]
    tables = {"openai-chat": test_openai_chat, "anthropic": test_anthropic, "openai-responses": test_openai_responses}
    whole = [
        Script(
            title=title,
            form=form,
            schemas=WIRE_TOOLS,
            sent=compact(whole_envelope(form, given)).encode(),
            streamed=False,
        )
        for form, module in tables.items()
        for title, given, _ in module.WHOLE
        if isinstance(given, dict) and "free-text" not in title
    ]
    return (*streams, *whole)


@cache
def leaked() -> tuple[Script, ...]:
    """Calls that a model wrote into its text, in every dialect."""
    lines = (ROOT / "dialects" / "cases" / "calls.jsonl").read_text(encoding="utf-8").split("\n")
    cases = [json.loads(line) for line in lines if line]
    return tuple(
        made
        for number, case in enumerate(cases)
        for made in said(
            f"{case['dialect']}: {case['title']}",
            FORMS[number % 3],
            DIALECT_SCHEMAS,
            aw.Turn((), case["text"], finish=aw.Finish(None, "stop")),
        )
    )


_FRAMINGS = {
    "CRLF": lambda data: data.replace(b"\n", b"\r\n"),
    "CR": lambda data: data.replace(b"\n", b"\r"),
    "no space": lambda data: data.replace(b"data: ", b"data:"),
    "a BOM": lambda data: b"\xef\xbb\xbf" + data,
    "comments": lambda data: b": hello\n\n" + data.replace(b"\n\n", b"\n\n: ping\n\n"),
    "ids and retry": lambda data: b"retry: 3000\n\n" + data.replace(b"data:", b"id: 7\ndata:"),
    "empty data": lambda data: data.replace(b"\n\n", b"\n\ndata:\n\n", 3),
    "no blank line at the end": lambda data: data.rstrip(b"\n") + b"\n",
    "two lines of data": lambda data: data.replace(b'{"id"', b'{\ndata: "id"').replace(b'{"type"', b'{\ndata: "type"'),
}


@cache
def framings() -> tuple[Script, ...]:
    """A good call and a mended one, in every framing of server-sent events."""
    return tuple(
        Script(title=f"{one.title}, {title}", form=one.form, schemas=one.schemas, sent=frame(one.sent))
        for one in several()
        if one.streamed and one.title in ("two good ones", "a good one and a mended one", "a good one and a bad one")
        for title, frame in _FRAMINGS.items()
    )


def every() -> tuple[Script, ...]:
    """All scripts."""
    return (*arguments(), *several(), *odd(), *leaked(), *framings(), *golden())
