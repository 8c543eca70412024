"""The form of a streamed Anthropic message.

From the documentation of streaming messages: a `message_start` whose message is empty; then content blocks, each a
`content_block_start`, any number of `content_block_delta` and a `content_block_stop`, with the index of its place in
the final content; one or more `message_delta`; a `message_stop`. `ping` may come anywhere, an `error` ends it all.
"""

from __future__ import annotations

from typing import Any

from tests.proxy.forms import sdk
from tests.proxy.forms.seen import Call, End, Fault, Seen
from tests.proxy.forms.sse import Event, events

_DELTAS = {
    "text_delta": ("text",),
    "citations_delta": ("text",),
    "thinking_delta": ("thinking",),
    "signature_delta": ("thinking",),
    "input_json_delta": ("tool_use", "server_tool_use"),
}
"""Which blocks a delta may stand in."""


def check(data: bytes, *, calls_parse: bool = True) -> Seen:
    """What is wrong with the stream, and what a client reads from it.

    Args:
        data: the bytes of the body.
        calls_parse: whether each call of a finished message must be a JSON object.
    """
    found, faults = events(data)
    form = _Form(faults)
    for at, event in enumerate(found):
        form.take(at, event)
    return form.seen(len(found), calls_parse=calls_parse)


class _Form:
    def __init__(self, faults: list[Fault]) -> None:
        self.faults = faults
        self.started = self.stopped = False
        self.error: Any = None
        self.blocks: list[dict[str, Any]] = []  # each with its `text` so far
        self.open: int | None = None
        self.finish: str | None = None
        self.ended = False  # a message_delta was seen
        self.note: Any = None
        self.at = 0

    def fault(self, slug: str, found: object = "") -> None:
        self.faults.append(Fault(slug=slug, at=self.at, found=str(found)))

    def take(self, at: int, event: Event) -> None:
        self.at = at
        data = event.data if isinstance(event.data, dict) else {}
        kind = data.get("type")
        if event.name != kind:
            self.fault("name_is_not_type", f"{event.name!r}, {kind!r}")
        if self.stopped or self.error is not None:
            self.fault("after_the_end", kind)
        self.note = data.get("argwright", self.note)
        if kind == "ping":
            return
        if kind == "error":
            self.failed(data)
            return
        model = sdk.anthropic_events().get(str(kind))
        wrong = f"type {kind!r}" if model is None else sdk.complaint(model, event.text)
        if wrong is not None:
            self.fault("sdk", wrong)
            return
        if not self.started and kind != "message_start":
            self.fault("no_message_start", kind)
        getattr(self, str(kind))(data)

    def failed(self, data: dict[str, Any]) -> None:
        self.error = data.get("error")
        if not (isinstance(self.error, dict) and {"type", "message"} <= self.error.keys()):
            self.fault("error_form", data)
            self.error = self.error or {}

    def message_start(self, data: dict[str, Any]) -> None:
        if self.started:
            self.fault("second_message_start")
        self.started = True
        message = data["message"]
        if message["content"] or message["stop_reason"] is not None:
            self.fault("message_start_not_empty", message)

    def content_block_start(self, data: dict[str, Any]) -> None:
        if self.ended:
            self.fault("block_after_message_delta")
        if self.open is not None:
            self.fault("block_in_block", data["index"])
        if data["index"] != len(self.blocks):
            self.fault("index", f"{data['index']} is not {len(self.blocks)}")
        block = data["content_block"]
        if block["type"] == "tool_use":
            self.begun_call(block)
        if block.get("text") or block.get("thinking"):
            self.fault("block_starts_with_text", block)
        self.open = data["index"]
        self.blocks.append({**block, "said": "", "index": data["index"]})

    def begun_call(self, block: dict[str, Any]) -> None:
        if block["input"] != {}:
            self.fault("input_in_start", block["input"])
        if not block["id"] or not block["name"]:
            self.fault("call_without_id_or_name", block)
        if any(block["id"] == one.get("id") for one in self.blocks):
            self.fault("id_twice", block["id"])

    def content_block_delta(self, data: dict[str, Any]) -> None:
        if data["index"] != self.open:
            self.fault("delta_outside_its_block", data["index"])
            return
        block, delta = self.blocks[-1], data["delta"]
        if block["type"] not in _DELTAS[delta["type"]]:
            self.fault("delta_of_another_type", f"{delta['type']} in {block['type']}")
        block["said"] += delta.get("text", "") or delta.get("partial_json", "")

    def content_block_stop(self, data: dict[str, Any]) -> None:
        if data["index"] != self.open:
            self.fault("stop_outside_its_block", data["index"])
        self.open = None

    def message_delta(self, data: dict[str, Any]) -> None:
        if self.open is not None:
            self.fault("message_delta_in_block")
        self.ended = True
        self.finish = data["delta"].get("stop_reason") or self.finish

    def message_stop(self, _data: dict[str, Any]) -> None:
        if not self.ended:
            self.fault("no_message_delta")
        if self.open is not None:
            self.fault("message_stop_in_block")
        self.stopped = True

    def seen(self, count: int, *, calls_parse: bool) -> Seen:
        self.at = count
        uses = [block for block in self.blocks if block["type"] == "tool_use"]
        calls = tuple(Call(id=one["id"], name=one["name"], arguments=one["said"] or "{}") for one in uses)
        if self.stopped:
            self.finished(calls, calls_parse=calls_parse)
        end: End = "done" if self.stopped else "cut" if self.error is None else "error"
        text = "".join(block["said"] for block in self.blocks if block["type"] == "text")
        return Seen(
            faults=tuple(self.faults),
            calls=calls if end == "done" or self.open is None else calls[: len(calls) - self.open_calls()],
            text=text,
            finish=self.finish,
            end=end,
            error=self.error,
            note=self.note,
        )

    def open_calls(self) -> int:
        return int(self.blocks[-1]["type"] == "tool_use")

    def finished(self, calls: tuple[Call, ...], *, calls_parse: bool) -> None:
        if self.finish == "tool_use" and not calls:
            self.fault("tool_use_without_a_call")
        if calls and self.finish == "end_turn":
            self.fault("calls_but_end_turn")
        for call in calls if calls_parse else ():
            if not call.is_object():
                self.fault("arguments", repr(call.arguments))
