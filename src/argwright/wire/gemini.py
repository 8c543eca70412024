"""Gemini `generateContent` and `streamGenerateContent`, of the Gemini API and of Vertex.

A reply is a list of parts; a call is a part with `functionCall`, whose `args` are an object
and may be missing. Ids may be missing too: then results pair by order and name, so none is
written. On Vertex a call can be streamed by `partialArgs` (`argwright.wire.partial_args`): a
`functionCall` with a name opens it, nameless ones go on, one that announces nothing ends it.
`finishReason` is `STOP` although calls were made. Thought signatures sit on parts, of calls
and of texts, and must come back where they were: parts that say more than plain text and
calls in the usual order stand in `Turn.extra["parts"]`, where `{"functionCall": {}}` marks a call.
Every field is also read in snake case, as Python dicts for the SDK have it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from argwright.model import CallDelta, Json, ToolCall, Turn
from argwright.wire import finish
from argwright.wire.deltas import (
    CallEnd,
    Delta,
    ErrorDelta,
    FinishDelta,
    MemberDelta,
    MetaDelta,
    PartDelta,
    ReasoningDelta,
    TextDelta,
    ViolationDelta,
)
from argwright.wire.format import Answer, Declaration, Format, Identity, Reply
from argwright.wire.names import ANY, GEMINI_NAME
from argwright.wire.partial_args import PartialArgs
from argwright.wire.parts import CALL, UNUSUAL, Part, Parts
from argwright.wire.plain import arguments, identifier, mapping, number, objects, rest, text, word

_SNAKE = {
    "functionCall": "function_call", "partialArgs": "partial_args", "willContinue": "will_continue",
    "thoughtSignature": "thought_signature", "finishReason": "finish_reason", "finishMessage": "finish_message",
    "usageMetadata": "usage_metadata", "modelVersion": "model_version", "promptFeedback": "prompt_feedback",
    "blockReason": "block_reason", "responseId": "response_id",
}  # fmt: skip
_CALL_FIELDS = frozenset({"id", "name", "args", "partialArgs", "partial_args", "willContinue", "will_continue"})
_PART_FIELDS = frozenset({"functionCall", "function_call", "thoughtSignature", "thought_signature"})
_TOP_FIELDS = ("candidates", "usageMetadata", "promptFeedback", "modelVersion", "responseId")
_CALL_MARK: Part = {"functionCall": {}}
_BY_PATH: dict[str, Any] = {"jsonPath": "$"}
"""An entry that says only that the arguments will come by path: a call that is never ended is cut, also without any."""


def _field(value: Mapping[str, Any], name: str) -> Any:
    found = value.get(name)
    return value.get(_SNAKE.get(name, name)) if found is None else found


def read(body: Json) -> Turn:
    """A `GenerateContentResponse`, the list of them that a stream without SSE is, or one `Content` of the model."""
    tops = objects(body)
    parts: list[dict[str, Any]] = []
    said = _Said()
    for top in tops:
        parts += said.take(top)
    calls = _calls(parts)
    plain_parts = [part for part in parts if not _is_call(part) and "text" in part]
    turn = finish.turn(
        calls,
        said.raw,
        text="".join(text(part["text"]) for part in plain_parts if not part.get("thought")),
        reasoning="".join(text(part["text"]) for part in plain_parts if part.get("thought")),
        model=said.model,
        usage=said.usage,
        extra=said.extra | {"parts": [part for part in parts if _opens(part)]},
        error=said.error,
    )
    if said.reason:
        turn = replace(turn, finish=replace(turn.finish, reason=said.reason))
    return _PARTS.settle(turn)


@dataclass
class _Said:
    """What the bodies say beside their parts; later ones replace what earlier ones said."""

    raw: str | None = None
    reason: str | None = None
    model: str | None = None
    usage: dict[str, Any] | None = None
    extra: dict[str, Any] = field(default_factory=dict)
    error: Any = None

    def take(self, top: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Take one body in; its parts."""
        candidate = next(iter(objects(top.get("candidates"))), {"content": top} if "parts" in top else {})
        raw, reason = _reason(top, candidate)
        self.raw, self.reason = (raw, reason) if raw else (self.raw, self.reason)
        self.model = word(_field(top, "modelVersion")) or self.model
        self.usage = mapping(_field(top, "usageMetadata")) or self.usage
        self.error = top.get("error") or self.error
        self.extra |= _message(candidate)
        return objects(mapping(candidate.get("content")).get("parts"))


def _reason(top: Mapping[str, Any], candidate: Mapping[str, Any]) -> tuple[str | None, str | None]:
    """The word for the end, and its meaning where the common table may not know: a whole prompt may be blocked."""
    blocked = word(_field(mapping(_field(top, "promptFeedback")), "blockReason"))
    raw = word(_field(candidate, "finishReason"))
    return (blocked, "content_filter") if blocked and not raw else (raw, None)


def _message(candidate: Mapping[str, Any]) -> dict[str, Any]:
    said = word(_field(candidate, "finishMessage"))
    return {"finishMessage": said} if said else {}


def _is_call(part: Mapping[str, Any]) -> bool:
    return isinstance(_field(part, "functionCall"), dict)


def _opens(part: Mapping[str, Any]) -> bool:
    """Whether the part is more than the continuation of a call."""
    return not _is_call(part) or bool(word(_field(part, "functionCall").get("name")))


def _entries(call: Mapping[str, Any]) -> list[dict[str, Any]]:
    return objects(_field(call, "partialArgs"))


def _goes_on(call: Mapping[str, Any]) -> bool:
    return bool(_field(call, "willContinue")) or any(_field(entry, "willContinue") for entry in _entries(call))


def _given(said: Mapping[str, Any]) -> tuple[str | dict[str, Any] | None, list[dict[str, Any]]]:
    """What a `functionCall` gives of its arguments: all of them, or entries; empty ones are none where entries come."""
    given, entries = arguments(said.get("args")), _entries(said)
    if not entries and not _goes_on(said):
        return ({} if given is None and word(said.get("name")) else given), []
    if not entries and word(said.get("name")):
        entries = [_BY_PATH]
    return given or None, entries


def _extra(part: Mapping[str, Any]) -> dict[str, Any]:
    """What must come back with a call: its signature, and whatever else its part says."""
    signature = _field(part, "thoughtSignature")
    more = rest(part, _PART_FIELDS)
    unknown = rest(_field(part, "functionCall"), _CALL_FIELDS)
    return {
        **({"thought_signature": signature} if signature else {}),
        **({"part": more} if more else {}),
        **({"functionCall": unknown} if unknown else {}),
    }


@dataclass
class _Open:
    """A call while its parts are read."""

    call: ToolCall
    partial: PartialArgs | None = None
    ended: bool = False

    def take(self, said: Mapping[str, Any], extra: Mapping[str, Any]) -> None:
        self.call = replace(self.call, extra={**self.call.extra, **extra})
        self.ended = not _goes_on(said)
        given, entries = _given(said)
        if given is not None:
            self.call = replace(self.call, arguments=given)
        for entry in entries:
            self.partial = self.partial or PartialArgs()
            self.partial.add(entry)

    def done(self) -> ToolCall:
        """The call as it is when nothing more comes."""
        call, partial = self.call, self.partial
        if partial is not None:
            blocked = partial.fault is not None or not partial.agrees(call.arguments)
            given = partial.text(complete=self.ended) if call.arguments is None else call.arguments
            call = replace(call, arguments=given, blocked=blocked)
        return call if self.ended else replace(call, finish_reason="incomplete")


def _calls(parts: Sequence[Mapping[str, Any]]) -> list[ToolCall]:
    """The calls of a list of parts, streamed ones put together."""
    made: list[_Open] = []
    for part in parts:
        if not _is_call(part):
            continue
        said = mapping(_field(part, "functionCall"))
        if not said.get("name") and not said.get("args") and (not made or made[-1].ended):
            continue  # the end of a call that has ended already
        if not _continues(made, said):
            made.append(_Open(ToolCall(identifier(said.get("id")), word(said.get("name")))))
        made[-1].take(said, _extra(part))
    return [one.done() for one in made]


def _continues(made: Sequence[_Open], said: Mapping[str, Any]) -> bool:
    if not made or made[-1].ended:
        return False
    own = identifier(said.get("id"))
    return not word(said.get("name")) or (own is not None and own == made[-1].call.id)


def _is_plain(part: Mapping[str, Any]) -> bool:
    return part.keys() <= {"text", "thought"} and isinstance(part.get("text"), str)


def _tidy(part: Part) -> Part | None:
    if _is_call(part):
        return _CALL_MARK
    odd = _field(part, "functionCall") is not None or not isinstance(part.get("text", ""), str)
    return None if odd or part in ({"text": ""}, {"text": "", "thought": True}) else part


def _continues_text(last: Part, part: Part) -> bool:
    """Two texts of one kind; signed ones stay as they are."""
    return _is_plain(last) and _is_plain(part) and bool(last.get("thought")) == bool(part.get("thought"))


def _rank(part: Part) -> int:
    if _is_plain(part):
        return 0 if part.get("thought") else 1
    return CALL if part == _CALL_MARK else UNUSUAL


_PARTS = Parts(key="parts", mark=_CALL_MARK, tidy=_tidy, rank=_rank, continues=_continues_text)


def deltas(event: str | None, data: Json) -> Iterator[Delta]:  # noqa: ARG001  # this protocol names no events
    """One `GenerateContentResponse` of a stream."""
    for top in objects(data) or [{}]:
        yield from _response(top)


def _response(top: Mapping[str, Any]) -> Iterator[Delta]:
    if not any(_field(top, name) is not None for name in (*_TOP_FIELDS, "error")):
        yield ViolationDelta("not_a_response", "expected an object with candidates")
    model, usage = word(_field(top, "modelVersion")), mapping(_field(top, "usageMetadata"))
    if model or usage:
        yield MetaDelta(model, usage or None)
    raw, reason = None, None
    for candidate in objects(top.get("candidates")) or [{}]:
        if number(candidate.get("index") or 0) != 0:
            yield ViolationDelta("other_choice", "only the first candidate of a reply is read")
            continue
        for part in objects(mapping(candidate.get("content")).get("parts")):
            yield from _part(part)
        raw, reason = _reason(top, candidate)
        if _message(candidate):
            yield MetaDelta(extra=_message(candidate))
    if top.get("error"):
        yield ErrorDelta(top["error"], raw)
    elif raw:
        yield FinishDelta(raw, reason)


def _part(part: Mapping[str, Any]) -> Iterator[Delta]:
    if _is_call(part):
        yield from _piece(part)
    elif text(part.get("text")):
        yield ReasoningDelta(part["text"]) if part.get("thought") else TextDelta(part["text"])
    kept = _tidy(dict(part)) if _opens(part) else None
    if kept is not None:
        yield PartDelta("parts", put=kept)


def _piece(part: Mapping[str, Any]) -> Iterator[Delta]:
    """One `functionCall`: with a name it opens a call, without it goes on with the one opened last."""
    said = mapping(_field(part, "functionCall"))
    given, entries = _given(said)
    name, own, extra = word(said.get("name")), identifier(said.get("id")), _extra(part) or None
    if given is not None:
        yield CallDelta(id=own, name=name, arguments=given, stage="final", extra=extra)
    elif name or extra:
        yield CallDelta(id=own, name=name, extra=extra)
    for entry in entries:
        yield MemberDelta(entry)
    if not _goes_on(said):
        yield CallEnd()


def write(reply: Reply) -> list[dict[str, Any]]:
    """The model's `Content`, then one `user` content with all function responses."""
    turn = reply.turn
    usual: list[Part] = []
    if turn.reasoning:
        usual.append({"text": turn.reasoning, "thought": True})
    if turn.text:
        usual.append({"text": turn.text})
    parts = _PARTS.written(turn, usual, reply.answers, _call_part)
    results = [{"functionResponse": _response_of(answer)} for answer in reply.answers]
    messages = [{"role": "model", "parts": parts}] if parts else []
    return [*messages, {"role": "user", "parts": results}] if results else messages


def _paired(answer: Answer) -> dict[str, Any]:
    return {"name": answer.name} if answer.call.id is None else {"id": answer.id, "name": answer.name}


def _call_part(answer: Answer) -> dict[str, Any]:
    extra = answer.call.extra
    call = {**mapping(extra.get("functionCall")), **_paired(answer), "args": dict(answer.arguments)}
    signature = extra.get("thought_signature")
    signed = {"thoughtSignature": signature} if isinstance(signature, str) else {}
    return {**mapping(extra.get("part")), "functionCall": call, **signed}


def _response_of(answer: Answer) -> dict[str, Any]:
    content = answer.content
    if not answer.is_error:
        response: Any = {"output": content}
    else:
        response = content if isinstance(content, dict) and "error" in content else {"error": content}
    return {**_paired(answer), "response": response}


def declare(declaration: Declaration) -> dict[str, Any]:
    """One function declaration: its schema in Google's own subset, or as JSON Schema; none for no arguments."""
    schema = declaration.schema
    described = {"name": declaration.name, "description": declaration.description}
    if not schema.get("properties") and schema.keys() <= {"type", "properties", "required"}:
        return described
    return {**described, "parameters" if schema.get("type") == "OBJECT" else "parametersJsonSchema": dict(schema)}


def collect(declared: Sequence[dict[str, Any]]) -> Json:
    """The value of `tools`: one tool that holds all functions."""
    return [{"functionDeclarations": list(declared)}] if declared else []


def recognises(body: Json) -> bool:
    """`candidates`, or a content with `parts`, as Google names them; a list of such bodies too."""
    first = next(iter(objects(body)), {})
    if isinstance(first.get("candidates"), list) or _field(first, "promptFeedback") is not None:
        return True
    return first.get("role") == "model" and isinstance(first.get("parts"), list)


GEMINI = Format(
    name="gemini",
    read=read,
    deltas=deltas,
    write=write,
    declare=declare,
    recognises=recognises,
    collect=collect,
    identity=Identity.RULES,
    names=GEMINI_NAME,
    ids=ANY,
    settle=_PARTS.settle,
)
