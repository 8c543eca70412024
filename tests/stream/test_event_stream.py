"""Binary frames with headers and checksums."""

from __future__ import annotations

import json
import struct
import zlib

from argwright.stream.accumulator import Accumulator
from argwright.stream.framing import decoder
from argwright.wire.format import Framing
from tests.stream.frames import cuts, decoded


def header(name: str, value: str) -> bytes:
    return bytes([len(name)]) + name.encode() + b"\x07" + struct.pack(">H", len(value)) + value.encode()


def frame(payload: bytes, *headers: bytes) -> bytes:
    head = b"".join(headers)
    prelude = struct.pack(">II", 16 + len(head) + len(payload), len(head))
    body = prelude + struct.pack(">I", zlib.crc32(prelude)) + head + payload
    return body + struct.pack(">I", zlib.crc32(body))


def event(kind: str, **data: object) -> bytes:
    flag = b"\x04flag\x00"  # a header without a value, before those that are text
    stamp = b"\x02at\x08" + b"\x00" * 8
    return frame(json.dumps(data).encode(), flag, stamp, header(":event-type", kind), header(":message-type", "event"))


def stream():
    return decoder(Framing.EVENT_STREAM)


BEGIN = event("messageStart", role="assistant")
STOP = event("messageStop", stopReason="tool_use")


def test_any_cut_gives_the_same():
    for way in cuts(BEGIN + STOP):
        assert decoded(stream, *way) == [
            (None, {"messageStart": {"role": "assistant"}}),
            (None, {"messageStop": {"stopReason": "tool_use"}}),
        ]


def test_an_exception_is_named_by_its_type():
    raised = frame(b'{"message": "slow"}', header(":exception-type", "throttlingException"))
    assert decoded(stream, raised) == [(None, {"throttlingException": {"message": "slow"}})]


def test_a_frame_without_a_name_is_its_payload():
    assert decoded(stream, frame(b'{"a": 1}'), frame(b"")) == [(None, {"a": 1}), (None, {})]


def test_damage_ends_the_reading():
    for damaged in (b"\x00\x00\x00\x20" + b"x" * 20, BEGIN[:-1] + b"\x00", b"\xff" * 16):
        assert decoded(stream, damaged, STOP) == ["encoding"]


def test_cut_in_a_frame():
    assert decoded(stream, BEGIN, STOP[:20]) == [(None, {"messageStart": {"role": "assistant"}}), "not_json"]


def test_headers_that_cannot_be_read_are_passed_over():
    assert decoded(stream, frame(b'{"a": 1}', b"\x09:event")) == [(None, {"a": 1})]


def test_a_reply_of_converse_stream():
    reply = [
        event("messageStart", role="assistant"),
        event("contentBlockStart", contentBlockIndex=0, start={"toolUse": {"toolUseId": "t1", "name": "book_berth"}}),
        event("contentBlockDelta", contentBlockIndex=0, delta={"toolUse": {"input": '{"Hafen": '}}),
        event("contentBlockDelta", contentBlockIndex=0, delta={"toolUse": {"input": '"Ærø"}'}}),
        event("contentBlockStop", contentBlockIndex=0),
        STOP,
    ]
    for way in cuts(b"".join(reply)):
        acc = Accumulator("bedrock-converse")
        for data in way:
            acc.feed_bytes(data)
        [call] = acc.close().calls
        assert (call.id, call.name, call.arguments) == ("t1", "book_berth", '{"Hafen": "Ærø"}')
