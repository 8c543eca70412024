"""A whole reply: read, judged, and written anew where something changed.

Of several choices each is read and written as a reply of its own. The calls of a reply that failed are those of one
that was cut.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from argwright import wire
from argwright.model import ToolCall, Turn
from argwright.proxy.exchange.closing import Read
from argwright.proxy.exchange.course import Course
from argwright.proxy.exchange.gate import Gate
from argwright.proxy.exchange.judging import Ids, Judged, Written, cut_off, identified, judge, written
from argwright.proxy.exchange.ledger import NOTE
from argwright.proxy.exchange.lossless import loads
from argwright.proxy.exchange.protocol import Body, Whole
from argwright.wire.finish import finished
from argwright.wire.plain import mapping, objects, word


class GarbledError(Exception):
    """A body is no reply."""


class ReportedError(Exception):
    """A body is the provider's own error, whatever its status said.

    Attributes:
        body: what it says.
    """

    def __init__(self, body: Body) -> None:
        self.body = body
        super().__init__(_message(body))


def _message(body: Body) -> str:
    """What an error says."""
    return word(mapping(body.get("error")).get("message")) or word(body.get("message")) or ""


@dataclass(frozen=True, kw_only=True)
class WholeReply:
    """A whole reply, or one of its choices.

    Args:
        body: as decoded.
        ids: of its calls.
        read: what it says.
        groups: what became of each of its calls; one that was taken apart is several.
        texts: its texts without the calls that stood in them, if there were any.
        sound: whether its calls have the documented form.
    """

    body: Body
    ids: Ids
    read: Read
    groups: tuple[tuple[Judged, ...], ...]
    texts: list[str] | None
    sound: bool

    @property
    def failure(self) -> str | None:
        """Why the reply failed; `None`: it did not."""
        if self.read.turn.finish.reason != "error":
            return None
        choices = objects(self.body.get("choices"))
        return next(filter(None, map(_message, (self.body, *choices))), "the provider reported an error")

    @property
    def is_final(self) -> bool:
        """Whether nothing can be asked again: the reply failed, or the provider goes on with it."""
        return self.read.turn.finish.reason in _UNFINISHED


_UNFINISHED = frozenset({"error", "missing"})


def read(course: Course, body: bytes) -> list[WholeReply]:
    """What a whole reply says, choice by choice.

    Raises:
        GarbledError: it is no reply of this protocol, nor its error.
        ReportedError: it is an error.
    """
    as_sent = course.mending.on_invalid == "pass"
    try:
        parts = course.protocol.apart(_shaped(course, loads(body, lenient=as_sent)))
        said = [(data, wire.read(course.protocol.form, data), course.protocol.texts(data)) for data in parts]
    except ReportedError:
        raise
    except Exception as error:  # the last line of defence: nothing that a server sends raises anything else
        raise GarbledError from error
    return [_read(course, *one, ids=course.ids.apart(number)) for number, one in enumerate(said)]


def _read(course: Course, data: Body, turn: Turn, texts: list[str], *, ids: Ids) -> WholeReply:
    failed = turn.finish.reason == "error"
    gate = course.gate()
    if failed:
        turn = replace(turn, calls=tuple(map(cut_off, turn.calls)))
    ended = turn.finish.reason in ("stop", "tool_calls", "unknown")
    mended = None if failed else _through(gate, texts, normal=ended)
    leaked = not turn.calls and bool(gate.calls)
    if leaked:
        calls, end = finished(gate.calls, turn.finish.raw)
        turn = replace(turn, calls=calls, finish=end)
    legacy = course.protocol.legacy(course.asked.body)
    sound = course.protocol.sound(data, legacy)
    if not sound or leaked:
        turn = replace(turn, calls=identified(turn.calls, ids))
    groups = tuple(judge((call,), course.asked.box, course.asked.bare) for call in turn.calls)
    judged = tuple(one for group in groups for one in group)
    left = judge(gate.left, course.asked.box, course.asked.bare)
    return WholeReply(
        body=data,
        ids=ids,
        read=Read(turn=turn, judged=judged, leaked=leaked, left=left),
        groups=groups,
        texts=mended,
        sound=sound,
    )


def _shaped(course: Course, data: Any) -> Body:
    """The body, if it is a reply or an error."""
    if not isinstance(data, dict) or not course.protocol.shaped(data):
        raise GarbledError
    if is_error(data):
        raise ReportedError(data)
    return data


def is_error(data: Body) -> bool:
    """Whether a body tells of an error and holds nothing of a reply."""
    told = data.get("error") or data.get("object") == "error" or data.get("type") == "error"
    return bool(told) and not any(data.get(part) for part in ("choices", "output", "content"))


def _through(gate: Gate, texts: Sequence[str], *, normal: bool) -> list[str] | None:
    """The texts without what was taken out of them; `None`, if nothing was."""
    made = list(texts)
    for at, text in enumerate(texts):
        raw = gate.raw
        gate.sent = gate.reached if raw else gate.sent
        gate.feed(text)
        if not gate.raw:
            made[: at + 1] = _turned(gate, made[: at + 1]) if raw else [*made[:at], gate.taken()]
    raw = gate.raw
    gate.close(finished=normal)
    if gate.raw:
        return None
    return _turned(gate, made) if raw else [*made[:-1], made[-1] + gate.taken()]


def _turned(gate: Gate, texts: Sequence[str]) -> list[str]:
    """The texts so far, at the first thing that is taken out: what was certain stays as it came."""
    made: list[str] = []
    certain, rest = gate.sent, gate.taken()
    for at, text in enumerate(texts, 1):
        if certain < len(text) or at == len(texts):
            made.append(text[:certain] + rest)
            rest = ""
        else:
            made.append(text)
        certain = max(0, certain - len(text))
    return made


def rewritten(
    course: Course, reply: WholeReply, *, added: Sequence[Written], said: Sequence[str], usage: Any
) -> Body | None:
    """The reply for the client; `None`, if it is the upstream's as it came.

    Args:
        course: what holds for the exchange.
        reply: the last reply.
        added: calls of earlier ones that it did not repeat.
        said: texts of earlier ones.
        usage: of all of them, if there were several.
    """
    ids, read = reply.ids, reply.read
    calls: list[Sequence[Written] | None] = []
    if not read.leaked:
        calls = [
            _replaced(ids, call, group, sound=reply.sound)
            for call, group in zip(read.turn.calls, reply.groups, strict=True)
        ]
    found = [_owned(written(one, ""), one.call, ids) for one in read.judged] if read.leaked else []
    more = [*found, *(replace(call, id=ids.take(call.id)) for call in added)]
    unsound = any(call is not None and not group[0].mended for call, group in zip(calls, reply.groups, strict=False))
    if unsound or (reply.texts is not None and not read.leaked):
        course.ledger.reformed = True
    if not (course.ledger.told or more):
        return None
    return course.protocol.rewritten(
        reply.body,
        Whole(
            texts=reply.texts,
            calls=calls,
            added=more,
            said=said,
            usage=usage,
            note=course.ledger.note(),
            legacy=course.protocol.legacy(course.asked.body),
        ),
    )


def together(course: Course, replies: Sequence[WholeReply]) -> Body | None:
    """The choices of a reply for the client, each rewritten; `None`, if all are the upstream's as they came."""
    made = [rewritten(course, reply, added=(), said=(), usage=None) for reply in replies]
    if not course.ledger.told:
        return None
    bodies = [reply.body if body is None else body for reply, body in zip(replies, made, strict=True)]
    choices = [choice for body in bodies for choice in objects(body.get("choices"))]
    return {**bodies[0], "choices": choices, NOTE: course.ledger.note()}


def _replaced(ids: Ids, call: ToolCall, group: Sequence[Judged], *, sound: bool) -> Sequence[Written] | None:
    """What takes the place of a call; `None` leaves it as it is."""
    [first, *others] = group
    as_it_is = sound and not others and not first.mended
    if first.refused or (as_it_is and ids.free(call.id)):
        ids.note(call.id)
        return None
    return [_owned(written(one, ""), one.call, ids) for one in group]


def _owned(call: Written, raw: ToolCall, ids: Ids) -> Written:
    return replace(call, id=ids.take(raw.id))
