"""Amazon Bedrock Converse and ConverseStream.

A reply is a message with a list of blocks, each an object with one member that names its
kind; a call is `toolUse` with an object as `input`, streamed as text. A call without
arguments may stream no piece at all. Text blocks have no start event. A stream's events
are objects with one member, as the SDKs hand them out, or the payloads of the binary
frames, whose header names the event; exceptions come as members too. Reasoning is signed
and must come back as it was; blocks that say more than text and calls in the usual order
stand in `Turn.extra["blocks"]`. `toolUse` of the type `server_tool_use` is not ours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from argwright.model import CallDelta, Json, ToolCall, Turn
from argwright.wire import finish
from argwright.wire.deltas import (
    CallEnd,
    Delta,
    ErrorDelta,
    FinishDelta,
    MetaDelta,
    PartDelta,
    ReasoningDelta,
    TextDelta,
    ViolationDelta,
    whole,
)
from argwright.wire.format import Answer, Declaration, Format, Framing, Reply
from argwright.wire.names import NAME_64, Rule
from argwright.wire.parts import CALL, UNUSUAL, Part, Parts
from argwright.wire.plain import arguments, identifier, mapping, number, objects, rest, text, word

_USE_FIELDS = frozenset({"toolUseId", "name", "input"})
_CALL_MARK: Part = {"toolUse": {}}
_KINDS = frozenset({"text", "toolUse", "reasoningContent", "citationsContent", "toolResult", "guardContent"})


def _is_call(block: Mapping[str, Any]) -> bool:
    use = block.get("toolUse")
    return isinstance(use, dict) and use.get("type") != "server_tool_use"


def _tidy(block: Part) -> Part | None:
    """A block in its whole form; a streamed one has its pieces side by side, as `deltas` puts them."""
    if _is_call(block):
        return _CALL_MARK
    if "reasoning" in block or "signature" in block:
        signature = {"signature": block["signature"]} if block.get("signature") else {}
        return {"reasoningContent": {"reasoningText": {"text": text(block.get("reasoning")), **signature}}}
    if "citations" in block:
        return {"citationsContent": {"content": [{"text": text(block.get("text"))}], "citations": block["citations"]}}
    for kind, member in (("toolUse", "input"), ("toolResult", "content")):
        if member in block:
            return {kind: {**mapping(block.get(kind)), member: block[member]}}
    return None if not block or block == {"text": ""} else block


def _continues(last: Part, block: Part) -> bool:
    return set(last) == set(block) == {"text"}


def _rank(block: Part) -> int:
    if block == _CALL_MARK:
        return CALL
    if block.keys() == {"text"}:
        return 1
    thought = mapping(block.get("reasoningContent"))
    unsigned = thought.keys() == {"reasoningText"} and mapping(thought["reasoningText"]).keys() == {"text"}
    return 0 if unsigned and block.keys() == {"reasoningContent"} else UNUSUAL


_BLOCKS = Parts(key="blocks", mark=_CALL_MARK, tidy=_tidy, rank=_rank, continues=_continues)


def read(body: Json) -> Turn:
    """The answer of `Converse`, or one assistant message."""
    top = mapping(body)
    message = mapping((mapping(top.get("output")) or top).get("message")) or top
    blocks = objects(message.get("content"))
    turn = finish.turn(
        [_call(block["toolUse"]) for block in blocks if _is_call(block)],
        word(top.get("stopReason")),
        text="".join(_said(block) for block in blocks),
        reasoning="".join(
            text(mapping(mapping(block.get("reasoningContent")).get("reasoningText")).get("text")) for block in blocks
        ),
        usage=mapping(top.get("usage")) or None,
        extra={"blocks": blocks},
        error=_failure(top),
    )
    return _BLOCKS.settle(turn)


def _said(block: Mapping[str, Any]) -> str:
    cited = objects(mapping(block.get("citationsContent")).get("content"))
    return text(block.get("text")) + "".join(text(piece.get("text")) for piece in cited)


def _call(use: Mapping[str, Any]) -> ToolCall:
    return ToolCall(
        identifier(use.get("toolUseId")), word(use.get("name")), arguments(use.get("input")), extra=_call_extra(use)
    )


def _call_extra(use: Mapping[str, Any]) -> dict[str, Any]:
    more = rest(use, _USE_FIELDS)
    return {"toolUse": more} if more else {}


def _failure(top: Mapping[str, Any]) -> dict[str, Any] | None:
    """The exception that stands in place of an event or a body."""
    name = next((key for key in top if key.endswith("Exception")), None)
    if name is not None:
        return {"type": name, **mapping(top[name])}
    said = next((top[key] for key in ("message", "Message") if isinstance(top.get(key), str)), None)
    return None if said is None else {"message": said}


def deltas(event: str | None, data: Json) -> Iterator[Delta]:
    """One event: an object with one member, or that member's value under the event's name."""
    top = mapping(data)
    if event and event not in top and (event in _EVENTS or event.endswith("Exception")):
        top = {event: top}
    failure = _failure(top)
    known = [name for name in _EVENTS if name in top]
    if failure is not None:
        yield ErrorDelta(failure)
    elif known:
        yield from _EVENTS[known[0]](mapping(top[known[0]]))
    elif "stopReason" in top or "output" in top:
        yield from whole(read(top))
    else:
        yield ViolationDelta("unknown_event", "no event of this protocol")


def _start(said: Mapping[str, Any]) -> Iterator[Delta]:
    index, start = number(said.get("contentBlockIndex")), mapping(said.get("start"))
    if _is_call(start):
        use = start["toolUse"]
        given, extra = arguments(use.get("input")), _call_extra(use) or None
        yield CallDelta(
            index, identifier(use.get("toolUseId")), word(use.get("name")), given, stage="initial", extra=extra
        )
        yield PartDelta("blocks", index, put=_CALL_MARK)
    else:
        yield PartDelta("blocks", index, put=start, arguments="input" if "toolUse" in start else None)


def _delta(said: Mapping[str, Any]) -> Iterator[Delta]:
    index, delta = number(said.get("contentBlockIndex")), mapping(said.get("delta"))
    use, thought = mapping(delta.get("toolUse")), mapping(delta.get("reasoningContent"))
    if use:
        yield CallDelta(index, arguments=arguments(use.get("input")))
    if text(delta.get("text")):
        yield TextDelta(delta["text"])
        yield PartDelta("blocks", index, append={"text": delta["text"]})
    if thought:
        if text(thought.get("text")):
            yield ReasoningDelta(thought["text"])
        redacted = thought.get("redactedContent")
        put = {"reasoningContent": {"redactedContent": redacted}} if redacted is not None else None
        pieces = {"reasoning": text(thought.get("text")), "signature": text(thought.get("signature"))}
        yield PartDelta("blocks", index, put, {name: piece for name, piece in pieces.items() if piece})
    if delta.get("citation"):
        yield PartDelta("blocks", index, append={"citations": [delta["citation"]]})
    if isinstance(delta.get("toolResult"), list):
        yield PartDelta("blocks", index, append={"content": delta["toolResult"]})


def _stop(said: Mapping[str, Any]) -> Iterator[Delta]:
    yield CallEnd(number(said.get("contentBlockIndex")))


def _end(said: Mapping[str, Any]) -> Iterator[Delta]:
    if word(said.get("stopReason")):
        yield FinishDelta(said["stopReason"])


def _metadata(said: Mapping[str, Any]) -> Iterator[Delta]:
    if mapping(said.get("usage")):
        yield MetaDelta(usage=said["usage"])


def _nothing(_said: Mapping[str, Any]) -> Iterator[Delta]:
    return iter(())


_EVENTS: dict[str, Callable[[Mapping[str, Any]], Iterator[Delta]]] = {
    "messageStart": _nothing,
    "contentBlockStart": _start,
    "contentBlockDelta": _delta,
    "contentBlockStop": _stop,
    "messageStop": _end,
    "metadata": _metadata,
}


def write(reply: Reply) -> list[dict[str, Any]]:
    """The assistant message, then one `user` message with all results; blank texts are refused, so none is written."""
    turn = reply.turn
    usual: list[Part] = []
    if turn.reasoning.strip():
        usual.append({"reasoningContent": {"reasoningText": {"text": turn.reasoning}}})
    if turn.text.strip():
        usual.append({"text": turn.text})
    blocks = [block for block in _BLOCKS.written(turn, usual, reply.answers, _use) if not _is_blank(block)]
    messages = [{"role": "assistant", "content": blocks}] if blocks else []
    results = [{"toolResult": _result(answer)} for answer in reply.answers]
    return [*messages, {"role": "user", "content": results}] if results else messages


def _is_blank(block: Mapping[str, Any]) -> bool:
    return set(block) == {"text"} and not text(block["text"]).strip()


def _use(answer: Answer) -> Part:
    more = mapping(answer.call.extra.get("toolUse"))
    return {
        "toolUse": {**more, "toolUseId": answer.id, "name": answer.name, "input": dict(answer.arguments)},
    }


def _result(answer: Answer) -> dict[str, Any]:
    """The result; a member `json` must be an object, a member `text` must not be blank."""
    content: dict[str, Any] = {"text": answer.result}
    if isinstance(answer.content, dict):
        content = {"json": answer.content}
    elif not answer.result.strip():
        content = {"json": {"output": answer.result}}
    status = "error" if answer.is_error else "success"
    return {"toolUseId": answer.id, "content": [content], "status": status}


def declare(declaration: Declaration) -> dict[str, Any]:
    """One member of `toolConfig.tools`; a description must not be empty."""
    described = {"description": declaration.description} if declaration.description else {}
    strict = {"strict": True} if declaration.strict else {}
    schema = {"json": dict(declaration.schema)}
    return {"toolSpec": {"name": declaration.name, **described, "inputSchema": schema, **strict}}


def collect(declared: Sequence[dict[str, Any]]) -> Json:
    """The value of `toolConfig`."""
    return {"tools": list(declared)}


def recognises(body: Json) -> bool:
    """An answer, an event, or a message whose blocks are named by their member."""
    top = mapping(body)
    events = [name for name in _EVENTS if isinstance(top.get(name), dict)]
    if isinstance(top.get("stopReason"), str) or (events and (events != ["metadata"] or "metrics" in top["metadata"])):
        return True
    first = next(iter(objects(top.get("content"))), {})
    return "role" in top and len(first) == 1 and first.keys() <= _KINDS and "type" not in first


BEDROCK_CONVERSE = Format(
    name="bedrock-converse",
    read=read,
    deltas=deltas,
    write=write,
    declare=declare,
    recognises=recognises,
    collect=collect,
    framing=Framing.EVENT_STREAM,
    names=NAME_64,
    ids=Rule(r"a-zA-Z0-9_.:-", longest=64),
    settle=_BLOCKS.settle,
)
