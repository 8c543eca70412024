"""Events known by their bytes: exactly those that differ in their text, and the same reply as when each is read."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from argwright.proxy.exchange import anthropic, openai_chat, openai_responses
from argwright.proxy.exchange.frames import parsed
from argwright.proxy.exchange.proving import pattern, piece
from argwright.proxy.exchange.running import Pattern, Shapes, frames
from argwright.proxy.settings import Mending
from argwright.wire import find
from argwright.wire import openai_chat as openai_chat_wire
from tests.proxy.exchange.playing import ERR, TRY, exchange, request

HEAD = '{"id":"c-1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":'


def chat(text: str, more: str = "") -> bytes:
    return f'data: {HEAD}{{"content":{text}{more}}},"finish_reason":null}}]}}\n\n'.encode()


def responses(text: str, number: int, padding: str = "aB3") -> bytes:
    said = f'"output_index":0,"content_index":0,"delta":{text},"sequence_number":{number},"obfuscation":"{padding}"'
    kind = "response.output_text.delta"
    return f'event: {kind}\ndata: {{"type":"{kind}","item_id":"msg_1",{said}}}\n\n'.encode()


def block(text: str, kind: str = "text") -> bytes:
    delta = f'{{"type":"{kind}_delta","{kind}":{text}}}'
    return f'event: content_block_delta\ndata: {{"type":"content_block_delta","index":0,"delta":{delta}}}\n\n'.encode()


FORMS = {openai_chat.see: "openai-chat", anthropic.see: "anthropic", openai_responses.see: "openai-responses"}

ALIKE = [
    ("chat", openai_chat.see, chat('"Hello"'), chat('" 世界 🌍"'), " 世界 🌍"),
    ("several at once", openai_chat.see, chat('"Hello"'), chat('"a"') + chat('"b"'), "ab"),
    ("escapes", openai_chat.see, chat('"Hello"'), chat(r'"\n\"\u4f60\\"'), '\n"你\\'),
    ("learned from an escape", openai_chat.see, chat(r'"\u4f60"'), chat('"\u2028 שלום"'), "\u2028 שלום"),
    ("reasoning", openai_chat.see, chat('null,"reasoning_content":"Hm"'), chat('null,"reasoning_content":"so"'), "so"),
    ("anthropic", anthropic.see, block('"Hello"'), block('"}"'), "}"),
    ("thinking", anthropic.see, block('"Hm"', "thinking"), block('"well"', "thinking"), "well"),
    ("counted and padded", openai_responses.see, responses('"Hi"', 9), responses('"you"', 10, "x"), "you"),
]


@pytest.mark.parametrize(("see", "first", "second", "text"), [one[1:] for one in ALIKE], ids=[one[0] for one in ALIKE])
def test_alike(see, first, second, text):
    frame = parsed(first)
    like = pattern(frame, see(frame.name, frame.data), see, find(FORMS[see]).deltas)
    found = like.run(second)
    assert (found.size, found.text) == (len(second), text)
    said = like.body(found.text, found.pieces)
    assert see(like.name, said) == see(like.name, {**parsed(second).data} if second.count(b"data: ") == 1 else said)


OTHER = [
    ("a quote ends the text", chat('"a","x":"b"')),
    ("half a surrogate pair", chat(r'"\ud83d"')),
    ("an escape that is none", chat(r'"\x"')),
    ("a raw line break", chat('"a\nb"')),
    ("no text", chat('""')),
    ("null", chat("null")),
    ("another member", chat('"a"', ',"tool_calls":[]')),
    ("the reason for the end", chat('"a"').replace(b"null}]", b'"stop"}]')),
    ("no UTF-8", chat('"a"').replace(b'"a"', b'"\xff"')),
    ("cut", chat('"abc"')[:-1]),
    ("CR LF", chat('"abc"').replace(b"\n", b"\r\n")),
]


@pytest.mark.parametrize("other", [one[1] for one in OTHER], ids=[one[0] for one in OTHER])
def test_not_alike(other):
    frame = parsed(chat('"Hello"'))
    assert (
        pattern(frame, openai_chat.see(None, frame.data), openai_chat.see, openai_chat_wire.deltas).run(other) is None
    )


NO_PATTERN = [
    ("a call", HEAD + '{"tool_calls":[{"index":0,"function":{"arguments":"{"}}]}}]}'),
    ("usage beside text", HEAD + '{"content":"x"}}],"usage":{"total_tokens":3}}'),
    ("the end", HEAD + '{"content":"x"},"finish_reason":"stop"}]}'),
    ("the end with text", HEAD + '{"content":"x"},"finish_reason":"length"}]}'),
    ("an error", '{"error":{"message":"x"}}'),
]


@pytest.mark.parametrize("data", [one[1] for one in NO_PATTERN], ids=[one[0] for one in NO_PATTERN])
def test_no_pattern(data):
    frame = parsed(f"data: {data}\n\n".encode())
    assert pattern(frame, openai_chat.see(None, frame.data), openai_chat.see, openai_chat_wire.deltas) is None


@pytest.mark.parametrize("data", [rb'{"note":"abc","choices":[{"index":0,"delta":{"content":"\u0061bc"}}]}',
                                  rb'{"choices":[{"index":0,"delta":{"content":"content"}}]}'])  # fmt: skip
def test_what_is_not_proved_is_no_pattern(data):
    """The text is found elsewhere first, so that the gap would be in the wrong place."""
    frame = parsed(b"data: %b\n\n" % data)
    assert pattern(frame, openai_chat.see(None, frame.data), openai_chat.see, openai_chat_wire.deltas) is None


def piece_of(text: str, index: int = 0, more: str = "") -> bytes:
    call = f'{{"index":{index},"function":{{"arguments":{text}}}{more}}}'
    return f'data: {HEAD}{{"tool_calls":[{call}]}},"finish_reason":null}}]}}\n\n'.encode()


def called(raw: bytes) -> Pattern | None:
    frame = parsed(raw)
    return piece(frame, openai_chat.see(None, frame.data), openai_chat.see, openai_chat_wire.deltas)


RUNNING = [
    ("one", piece_of('"rows"'), "rows"),
    ("quotes", piece_of(r'"\": \"Möwe 🐦"'), '": "Möwe 🐦'),
    ("several", piece_of('"a"') + piece_of(r'"\"b"') + piece_of('"שלום\u2028"'), 'a"bשלום\u2028'),
    ("up to one that may be all once more", piece_of('"a"') + piece_of('"{a"'), "a"),
    ("up to another call", piece_of('"a"') + piece_of('"b"', 1), "a"),
    ("up to the end of the bytes", piece_of('"a"') + piece_of('"b"')[:-9], "a"),
]  # fmt: skip


@pytest.mark.parametrize(("data", "text"), [one[1:] for one in RUNNING], ids=[one[0] for one in RUNNING])
def test_pieces_of_a_call(data, text):
    found = called(piece_of('"{"')).run(data)
    assert (found.text, data[: found.size].count(b"\n\n")) == (text, len(frames(data[: found.size])))
    assert b"".join(frames(data[: found.size])) == data[: found.size]


UNLIKE = [
    ("an id", piece_of('"{"', more=',"id":"call_1"')),
    ("a name", piece_of('"{","name":"book_berth"')),
    ("no text", piece_of('""')),
    ("two pieces", piece_of('"a"').replace(b"}}]}", b'}},{"index":1,"function":{"arguments":"b"}}]}')),
    ("beside text", piece_of('"a"').replace(b'{"tool', b'{"content":"x","tool')),
    ("the reason for the end", piece_of('"a"').replace(b"null}]", b'"tool_calls"}]')),
]


@pytest.mark.parametrize("raw", [one[1] for one in UNLIKE], ids=[one[0] for one in UNLIKE])
def test_more_than_a_piece_is_no_pattern(raw):
    assert called(raw) is None


TORN = [
    (
        "a character in two events",
        piece_of('"a"').replace(b'"a"', b'"\xc3"') + piece_of('"a"').replace(b'"a"', b'"\xb6"'),
    ),
    ("an escape in two events", piece_of('"a"').replace(b'"a"', b'"\\"') + piece_of('"nfoo"')),
    ("half a surrogate pair", piece_of(r'"\ud83d"') + piece_of(r'"\ude00"')),
]


@pytest.mark.parametrize("data", [one[1] for one in TORN], ids=[one[0] for one in TORN])
def test_what_only_both_together_say_is_not_said(data):
    """A client reads event by event."""
    assert called(piece_of('"{"')).run(data) is None


def named(delta: str, reason: str = "null", own: str = "c-1", at: int = 1, model: str = "m") -> bytes:
    head = f'{{"id":"{own}","object":"chat.completion.chunk","created":{at},"model":"{model}","choices":[{{"index":0,'
    return f'data: {head}"delta":{delta},"finish_reason":{reason}}}]}}\n\n'.encode()


SHAPES = [
    ("the beginning", '{"role":"assistant","content":""}', "null"),
    ("text", '{"content":"Möwe 🐦 שלום"}', "null"),
    ("reasoning", '{"reasoning_content":"hm"}', "null"),
    ("the reason for the end", "{}", '"stop"'),
]


@pytest.mark.parametrize(("delta", "reason"), [one[1:] for one in SHAPES], ids=[one[0] for one in SHAPES])
def test_the_shape_of_another_stream(delta, reason):
    known, frame = Shapes(), parsed(named(delta, reason))
    known.add(pattern(frame, openai_chat.see(None, frame.data), openai_chat.see, openai_chat_wire.deltas))
    event = named(delta, reason, "chatcmpl-9", 1_700_000_000, "шмель")
    found, place = known.find(event, 0)
    assert place == 1
    run = found.run(event * 2)
    assert run.size in (len(event), 2 * len(event))
    assert found.body(run.text, run.pieces)["id"] == "chatcmpl-9"
    assert found.run(named(delta, reason, "chatcmpl-10", 1_700_000_000, "шмель")) is None
    assert known.find(named('{"tool_calls":[]}'), 0) is None


def test_shapes_are_kept_for_the_last_streams_only():
    known, events = Shapes(), [named('{"content":"x"}').replace(b"object", b"o%d" % at) for at in range(15)]
    for event in events:
        frame = parsed(event)
        known.add(pattern(frame, openai_chat.see(None, frame.data), openai_chat.see, openai_chat_wire.deltas))
    assert [known.find(event, 0) is not None for event in events] == [False] * 3 + [True] * 12


PIECES = st.lists(
    st.sampled_from(["Hello", " world", "<", "tool_call>", "\n", '{"name": "count_gulls", ', '"arguments": {}}', "</",
                     "tool_call>", "你好", "🐦", "\u2028", "`", "```json\n", "שלום", "<think>", "</think>"])
    | st.text(min_size=1, max_size=5),
    max_size=12,
)  # fmt: skip


@given(PIECES, st.lists(st.integers(1, 400), max_size=6), st.sampled_from([Mending(), TRY, ERR]))
def test_the_way_the_bytes_come_changes_nothing(pieces, steps, mending):
    start = b'data: {"id":"c-1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,'
    stream = start + b'"delta":{"role":"assistant","content":""},"finish_reason":null}]}\n\n'
    stream += b"".join(chat(json.dumps(piece, ensure_ascii=len(piece) % 2 == 0)) for piece in pieces)
    stream += start + b'"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'
    assert len({_played(way, mending) for way in _ways(stream, steps)}) == 1


def _ways(stream: bytes, steps: list[int]) -> list[list[bytes]]:
    """Byte by byte, event by event, at once, and cut behind so many bytes each."""
    events = [one + b"\n\n" for one in stream.split(b"\n\n")[:-1]]
    cut = [stream[at : at + 1] for at in range(len(stream))]
    odd, rest = [], stream
    for step in steps:
        odd, rest = [*odd, rest[:step]], rest[step:]
    return [cut, events, [stream], [*odd, rest]]


def _played(pieces: list[bytes], mending: Mending) -> tuple[str, ...]:
    asked = exchange("openai-chat", mending, asked=request("openai-chat"))
    out = b"".join(asked.feed(piece) for piece in pieces)
    end = asked.end(broken=False)
    records = [(one.tool, one.status, one.detail and one.detail.arguments_text) for one in asked.take_records()]
    said = "".join(
        choice["delta"].get("content") or ""
        for line in (out + getattr(end, "data", b"")).decode().split("\n")
        if line.startswith("data: {")
        for choice in json.loads(line.removeprefix("data: ")).get("choices", [])
    )
    return said, str(records), str(getattr(end, "body", b""))


ARGUMENTS = [
    '{"rows": ',
    "{rows: '3",
    '"m": 12',
    "}",
    '"name": "Möwe 🐦"',
    ", ",
    '\\"',
    "\\u2028",
    "[1,",
    "2]",
    "null",
    "שלום",
]


@given(
    st.lists(st.sampled_from(ARGUMENTS) | st.text(min_size=1, max_size=4), max_size=9),
    st.lists(st.sampled_from(["", "Then ", "<"]), max_size=2),
    st.lists(st.integers(1, 500), max_size=5),
    st.sampled_from([Mending(), Mending(optimistic=True), TRY, ERR]),
)
def test_the_way_the_bytes_of_a_call_come_changes_nothing(pieces, texts, steps, mending):
    start = b'data: {"id":"c-1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,'
    stream = start + b'"delta":{"role":"assistant","content":""},"finish_reason":null}]}\n\n'
    stream += b"".join(chat(json.dumps(text)) for text in texts)
    named = b'{"index":0,"id":"call_1","type":"function","function":{"name":"book_berth","arguments":""}}'
    stream += start + b'"delta":{"tool_calls":[%b]},"finish_reason":null}]}\n\n' % named
    stream += b"".join(piece_of(json.dumps(one, ensure_ascii=len(one) % 2 == 0)) for one in pieces)
    stream += start + b'"delta":{},"finish_reason":"tool_calls"}]}\n\ndata: [DONE]\n\n'
    assert len({_played(way, mending) for way in _ways(stream, steps)}) == 1
