"""Whatever comes, and however it is cut: events that run through say the same as events that are read one by one.

Each stream is told twice. To one exchange each event comes in two pieces, so that none is ever known by its bytes; to
the other several at once, behind another stream of the same upstream, whose events may be like its own.
"""

from __future__ import annotations

import json
from itertools import count
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from argwright.proxy.exchange import Again, Exchange
from argwright.proxy.settings import Mending
from argwright.scripted import FORMS
from tests.proxy.exchange.playing import ERR, TRY, request

MODES = {
    "pass": Mending(),
    "error": ERR,
    "retry": TRY,
    "reask": Mending(on_stall="reask"),
    "optimistic": Mending(optimistic=True),
}
UPSTREAMS = count()
BOM = b"\xef\xbb\xbf"


def under(form: str, mending: Mending, upstream: str) -> Exchange:
    sent = json.dumps(request(form)).encode()
    return Exchange(form, sent, mending, request_id="r-1", upstream=upstream, now=lambda: 7.0)


def told(exchange: Exchange, pieces: list[bytes], *, broken: bool) -> tuple[Any, ...]:
    """All that an exchange says of a stream."""
    out = b"".join([exchange.feed(piece) for piece in pieces])
    end = exchange.end(broken=broken)
    said = ("again", json.loads(end.body)) if isinstance(end, Again) else ("tail", end.data, end.whole)
    records = [(one.status, one.tool, one.reason, one.detail.arguments_text) for one in exchange.take_records()]
    return out, said, records, exchange.stalled, exchange.attempts


def events(stream: bytes) -> list[bytes]:
    parts = stream.split(b"\n\n")
    return [part + b"\n\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])


def both(form: str, mending: Mending, said: list[list[bytes]], steps: list[int], *, broken: bool) -> tuple[Any, Any]:
    """What comes of the last stream: read one by one, and run through behind the others."""
    slow = [piece for event in said[-1] for piece in (event[:1], event[1:])]
    read = told(under(form, mending, f"u{next(UPSTREAMS)}"), slow, broken=broken)
    upstream, ran = f"u{next(UPSTREAMS)}", None
    for stream in said:
        pieces, place = list[bytes](), 0
        for step in (*steps, len(stream)):
            pieces.append(b"".join(stream[place : place + step]))
            place += step
        ran = told(under(form, mending, upstream), pieces, broken=broken)
    return read, ran


# what is said


def data(body: Any, name: str | None = None) -> bytes:
    head = b"" if name is None else f"event: {name}\n".encode()
    return (
        head
        + b"data: "
        + (body.encode() if isinstance(body, str) else json.dumps(body, ensure_ascii=False).encode())
        + b"\n\n"
    )


WORDS = [
    "Well, ",
    " and so on, ",
    "Möwe",
    " 🐦",
    "a",
    "\n",
    "so:",
    '"',
    "\\",
    "<",
    "<tool_call>",
    "</tool_call>",
    "[",
    "{",
    "\u2028",
    "Let me look:",
    "x" * 70,
    "<think>",
    "</think>",
    "`",
]
PIECES = ["{", "}", '{"m": 1}', '"m"', ": 1", ", ", '"name": "x"', " ", "\t{", '{"m"', "{}", "ä", "\\u00e4", "\\"]
text = st.sampled_from(WORDS)
ident = st.sampled_from(["c-1", "c-2", "", "ø"])
reason = st.sampled_from(["stop", "length", "tool_calls", "content_filter", "", None, "end_turn"])


def chunk(own: str, delta: Any, reason: Any = None, **more: Any) -> bytes:
    return data(
        {
            "id": own,
            "object": "chat.completion.chunk",
            "created": 1,
            "model": "m",
            "choices": [{"index": 0, "delta": delta, "finish_reason": reason}],
            **more,
        }
    )


def entry(index: Any, piece: Any, own: Any = ..., name: Any = ...) -> dict[str, Any]:
    named = {} if own is ... else {"id": own}
    return {
        "tool_calls": [
            {"index": index, **named, "function": {**({} if name is ... else {"name": name}), "arguments": piece}}
        ]
    }


RAW = [
    b"data: [DONE]\n\n", b"data: [DONE]\n\ndata: {}\n\n", b": ping\n\n", b"data:\n\n", b"\n\n", b"data: {\n\n", b"data: [1]\n\n",
    BOM + chunk("c-1", {"content": "bom"}), BOM + chunk("c-1", entry(0, '"m"')),
    chunk("c-1", {"content": "crlf"}).replace(b"\n", b"\r\n"), chunk("c-1", {"content": "cr"}).replace(b"\n", b"\r"),
    chunk("c-1", {"content": "half"})[:-9], chunk("c-1", {"content": "~"}).replace(b"~", b"\xff"), chunk("c-1", {"content": "~"}).replace(b"~", b"\xc3"),
    chunk("c-1", {"content": "~"}).replace(b"~", rb"\ud83d"), chunk("c-1", {"content": "~"}).replace(b"~", rb"\ud83d\ude00"),
    chunk("c-1", {"content": "~"}).replace(b"~", b"\x01"), chunk("c-1", {"content": "~"}).replace(b'"~"', b'"a","content":"b"'),
    chunk("c-1", {"content": "~"}).replace(b'"c-1"', b'"\xff"'), data({"error": {"message": "down"}}), data({"message": "down"}, "error"),
    chunk("c-1", {"content": "named"}).replace(b"data", b"event: x\ndata", 1), data({"hello": 1}), data('{"choices": null}'),
    chunk("c-1", {"content": "two"})[:-2] + b"\nid: 7\n\n", data({"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 4}}),
]  # fmt: skip

chats = [
    st.builds(lambda own, said: chunk(own, {"content": said}), ident, text),
    st.builds(lambda own, said: chunk(own, {"content": said}), st.just("c-1"), text),
    st.builds(lambda said: chunk("c-1", {"content": said, "tool_calls": None, "function_call": None, "refusal": None}), text),
    st.builds(lambda said: chunk("c-1", {"reasoning_content": said}), text),
    st.builds(lambda said: chunk("c-1", {"content": None, "reasoning": said, "reasoning_details": [{"type": "reasoning.text", "index": 0, "text": said}]}), st.sampled_from(["hm", "so"])),
    st.builds(lambda said, why: chunk("c-1", {"content": said, "reasoning_content": why}), text, st.sampled_from(["hm"])),
    st.builds(lambda said: chunk("c-1", {"content": said}, logprobs={"content": [{"token": said}]}), text),
    st.builds(lambda why: chunk("c-1", {}, why), reason),
    st.builds(lambda said, why: chunk("c-1", {"content": said}, why), text, reason),
    st.builds(lambda index, piece: chunk("c-1", entry(index, piece)), st.sampled_from([0, 0, 0, 1, None]), st.sampled_from(PIECES)),
    st.builds(lambda piece, own: chunk("c-1", entry(0, piece, own)), st.sampled_from(PIECES), st.sampled_from(["", None, "call_2"])),
    st.builds(lambda index, own, name, piece: chunk("c-1", entry(index, piece, own, name)), st.sampled_from([0, 1]), st.sampled_from(["call_1", "call_2"]),
              st.sampled_from(["book_berth", "count_gulls", "", "nobody"]), st.sampled_from(["", "{", "{}", '{"m": 1}'])),
    st.builds(lambda said: chunk("c-1", {"refusal": said, "audio": {"data": said}}), text),
    st.builds(lambda said: data({"id": "c-1", "choices": [{"index": 1, "delta": {"content": said}, "finish_reason": None}]}), text),
    st.builds(lambda said: data({"id": "c-1", "choices": [{"index": 0, "delta": {"content": said}}, {"index": 1, "delta": {"content": "no"}}]}), text),
    st.builds(lambda said: chunk("c-1", {"function_call": {"name": "book_berth", "arguments": said}}), st.sampled_from(PIECES)),
    st.sampled_from(RAW),
]  # fmt: skip


def block(kind: str, **members: Any) -> bytes:
    return data({"type": kind, **members}, kind)


def delta(index: int, kind: str, **members: Any) -> bytes:
    return block("content_block_delta", index=index, delta={"type": kind, **members})


START = block(
    "message_start",
    message={
        "id": "m-1",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": [],
        "stop_reason": None,
        "usage": {"input_tokens": 3, "output_tokens": 1},
    },
)
index = st.sampled_from([0, 0, 1])
blocks = [
    st.builds(lambda at, said: delta(at, "text_delta", text=said), index, text),
    st.builds(lambda said: delta(0, "text_delta", text=said), text),
    st.builds(lambda at, said: delta(at, "thinking_delta", thinking=said), index, text),
    st.builds(lambda at: delta(at, "signature_delta", signature="c2ln"), index),
    st.builds(lambda at: delta(at, "citations_delta", citation={"type": "x", "cited_text": "y"}), index),
    st.builds(lambda at, said: delta(at, "input_json_delta", partial_json=said), index, st.sampled_from(PIECES)),
    st.builds(lambda at, kind: block("content_block_start", index=at, content_block={"type": kind, kind: ""}), index, st.sampled_from(["text", "thinking"])),
    st.builds(lambda at, kind, own: block("content_block_start", index=at, content_block={"type": kind, "id": own, "name": "book_berth", "input": {}}), index, st.sampled_from(["tool_use", "server_tool_use"]), ident),
    st.builds(lambda at: block("content_block_stop", index=at), index),
    st.builds(lambda why: block("message_delta", delta={"stop_reason": why, "stop_sequence": None}, usage={"output_tokens": 9}), st.sampled_from(["end_turn", "tool_use", "max_tokens"])),
    st.sampled_from([START, block("message_stop"), block("ping"), block("error", error={"type": "x", "message": "down"}), block("mood"), b"data: [DONE]\n\n", b": ping\n\n"]),
]  # fmt: skip


def item(kind: str, at: int, number: int, **members: Any) -> bytes:
    name = f"response.{kind}"
    return data({"type": name, "output_index": at, "sequence_number": number, **members}, name)


CALL = {
    "type": "function_call",
    "id": "fc_1",
    "call_id": "c1",
    "name": "book_berth",
    "arguments": "",
    "status": "in_progress",
}
SAID = {"type": "message", "id": "msg_1", "role": "assistant", "status": "in_progress", "content": []}
CREATED = data(
    {
        "type": "response.created",
        "sequence_number": 0,
        "response": {"id": "resp_1", "status": "in_progress", "output": []},
    },
    "response.created",
)
number = st.integers(0, 20)
padding = st.sampled_from(["", "aB", "ø"])
items = [
    st.builds(lambda n, said, pad: item("output_text.delta", 0, n, item_id="msg_1", content_index=0, delta=said, obfuscation=pad), number, text, padding),
    st.builds(lambda n, said, pad: item("output_text.delta", 0, n, item_id="msg_1", content_index=0, delta=said, obfuscation=pad), number, text, padding),
    st.builds(lambda n, said: item("reasoning_summary_text.delta", 0, n, item_id="rs_1", summary_index=0, delta=said), number, text),
    st.builds(lambda n, at, said, own, pad: item("function_call_arguments.delta", at, n, item_id=own, delta=said, obfuscation=pad), number, index, st.sampled_from(PIECES), st.sampled_from(["fc_1", "fc_1", "fc_2"]), padding),
    st.builds(lambda n, at: item("output_item.added", at, n, item=SAID), number, index),
    st.builds(lambda n, at, own: item("output_item.added", at, n, item={**CALL, "id": own}), number, index, st.sampled_from(["fc_1", "fc_2"])),
    st.builds(lambda n: item("content_part.added", 0, n, item_id="msg_1", content_index=0, part={"type": "output_text", "text": ""}), number),
    st.builds(lambda n, said: item("output_text.done", 0, n, item_id="msg_1", content_index=0, text=said), number, text),
    st.builds(lambda n, at, said: item("output_item.done", at, n, item={**CALL, "arguments": said, "status": "completed"}), number, index, st.sampled_from(PIECES)),
    st.builds(lambda n, status: data({"type": f"response.{status}", "sequence_number": n, "response": {"id": "resp_1", "status": status, "output": []}}, f"response.{status}"), number, st.sampled_from(["completed", "incomplete", "failed"])),
    st.sampled_from([CREATED, b": ping\n\n", b"data: [DONE]\n\n", data({"type": "error", "message": "down"}, "error")]),
]  # fmt: skip
SAYING = {"openai-chat": chats, "anthropic": blocks, "openai-responses": items}
FIRST = {"openai-chat": [chunk("c-1", {"content": "Well, "})], "anthropic": [START], "openai-responses": [CREATED]}


def stream(form: str) -> st.SearchStrategy[list[bytes]]:
    """Some events of one kind, some of another."""
    alike = st.one_of([st.lists(one, min_size=1, max_size=4) for one in SAYING[form]])
    return st.lists(alike, max_size=5).map(lambda runs: [*FIRST[form], *(event for run in runs for event in run)])


CASES = st.sampled_from(FORMS).flatmap(
    lambda form: st.tuples(st.just(form), st.lists(stream(form), min_size=1, max_size=2))
)
STEPS = st.lists(st.integers(1, 6), max_size=6)


@given(CASES, st.sampled_from(sorted(MODES)), STEPS, st.booleans())
def test_what_runs_is_what_is_read(case, mode, steps, broken):
    form, streams = case
    again = [*streams, streams[-1]]  # its own shapes are known, too
    read, ran = both(form, MODES[mode], again, steps, broken=broken)
    assert ran == read


def opened(own: str = "call_1") -> bytes:
    return chunk("c-1", entry(0, "{", own, "book_berth"))


def detailed(said: str) -> bytes:
    return chunk(
        "c-1", {"reasoning": said, "reasoning_details": [{"type": "reasoning.text", "index": 0, "text": "so"}]}
    )


DONE, HELLO = RAW[0], chunk("c-1", {"content": "Die Möwe, "})
ASK = chunk("c-1", entry(0, '{"x": 2}', "call_9", "book_berth"))
ATTACKS = [
    ("a piece with an empty id, then one with an id", "openai-chat", "pass",
     [opened(), chunk("c-1", entry(0, '"m"', "")), chunk("c-1", entry(0, ": 1}", "")), chunk("c-1", entry(0, "!", "call_2")), chunk("c-1", {}, "tool_calls"), DONE]),
    ("a byte order mark behind what ran", "openai-chat", "pass", [HELLO, HELLO, BOM + chunk("c-1", entry(0, "{}", "call_1", "book_berth")), chunk("c-1", {}, "stop"), DONE]),
    ("two reasons for the end", "openai-chat", "pass", [chunk("c-1", {"content": "Let me look:"}), chunk("c-1", {}, "length"), chunk("c-1", {}, "stop"), DONE]),
    ("equal events that add up", "anthropic", "retry",
     [START, block("content_block_start", index=0, content_block={"type": "thinking", "thinking": ""}), *[delta(0, "signature_delta", signature="c2ln")] * 3,
      block("content_block_stop", index=0), block("content_block_start", index=1, content_block={"type": "tool_use", "id": "t", "name": "book_berth", "input": {}}),
      block("content_block_stop", index=1), block("message_delta", delta={"stop_reason": "tool_use", "stop_sequence": None}, usage={"output_tokens": 9}), block("message_stop")]),
    ("text beside what adds up", "openai-chat", "retry", [detailed("hm"), detailed("so"), detailed("ja"), ASK, chunk("c-1", {}, "tool_calls"), DONE]),
    ("the same text again beside thoughts", "openai-chat", "retry",
     [*[chunk("c-1", {"content": word, "reasoning_content": "hm"}) for word in ("a", "b", "c")], ASK, chunk("c-1", {}, "tool_calls"), DONE]),
    ("bytes behind the end", "openai-chat", "error", [HELLO, chunk("c-1", {}, "stop"), DONE + HELLO, DONE]),
    ("a call behind the reason for the end", "openai-chat", "error", [HELLO, HELLO, chunk("c-1", {}, "stop"), ASK, DONE]),
    ("text behind the reason for the end", "openai-chat", "pass", [HELLO, chunk("c-1", {}, "stop"), HELLO, chunk("c-1", {"content": "So:"}), DONE]),
    ("half a pair of surrogates in each event", "openai-chat", "error", [HELLO, RAW[14], RAW[14].replace(b"d83d", b"de00"), HELLO, chunk("c-1", {}, "stop"), DONE]),
    ("another item's piece", "openai-responses", "error",
     [CREATED, item("output_item.added", 0, 1, item=CALL), *[item("function_call_arguments.delta", 0, at, item_id=own, delta=said, obfuscation="")
      for at, (own, said) in enumerate([("fc_1", "{"), ("fc_1", '"m"'), ("fc_2", ": 1"), ("fc_1", "}")], 2)]]),
]  # fmt: skip


@pytest.mark.parametrize("steps", [[], [1] * 20, [2, 3], [1, 4]], ids=str)
@pytest.mark.parametrize("broken", [False, True])
@pytest.mark.parametrize(("form", "mode", "said"), [row[1:] for row in ATTACKS], ids=[row[0] for row in ATTACKS])
def test_what_is_not_alike_does_not_run(form, mode, said, steps, broken):
    read, ran = both(form, MODES[mode], [said, said], steps, broken=broken)
    assert ran == read
