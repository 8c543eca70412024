"""`Exchange`: one request with tools, and the model's replies to it until the client has one that is good.

It is told what arrives and says what goes out; asking the upstream again is the caller's work. What a reply comes to is
decided alike for whole replies and streams: only how they are read and written differs (`whole`, `attempt`, `closing`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from argwright.proxy.exchange import request
from argwright.proxy.exchange import whole as whole_replies
from argwright.proxy.exchange.asking import Dialogue, Verdict, texts_before
from argwright.proxy.exchange.attempt import Attempt
from argwright.proxy.exchange.closing import BROKEN_OFF, FAILED, Emission, fault_of, read
from argwright.proxy.exchange.course import Course
from argwright.proxy.exchange.frames import BLANK, Frame, Frames, Says, encoded, glued
from argwright.proxy.exchange.judging import Ids
from argwright.proxy.exchange.ledger import Ledger, Origin
from argwright.proxy.exchange.protocol import Fault
from argwright.proxy.exchange.table import TABLE
from argwright.proxy.record import CallRecord
from argwright.proxy.settings import Mending
from argwright.wire.plain import word

_OK, _BAD_GATEWAY = 200, 502
GARBLED, REPORTED = "upstream_garbled", "upstream_error"
UNREADABLE = "the upstream's reply could not be read"
STRAY = "the upstream made tool calls in a choice that was not asked for"
SEVERAL = "tool calls of several choices cannot be mended in a stream: ask for one choice (n), or for no stream"


@dataclass(frozen=True)
class Reply:
    """A whole reply for the client.

    Args:
        body: its bytes.
        headers: to be set beside the upstream's.
        status: 200, or 502 if the model's calls were refused: the fault is behind the gateway, not in the request. The
            SDKs repeat a request that is answered so, unless they are told not to (`x-should-retry`), as they are here:
            what could be asked again was.
    """

    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)
    status: int = _OK


@dataclass(frozen=True)
class Tail:
    """The end of a stream for the client.

    Args:
        data: its bytes.
        whole: the same as a whole reply, where the upstream sent one in place of a stream, so that nothing of it has
            gone out: a client is answered with its status, not with events.
    """

    data: bytes
    whole: Reply | None = None


@dataclass(frozen=True)
class Again:
    """The upstream is to be asked again, with this body."""

    body: bytes


class Exchange:
    """One request and its replies.

    Args:
        protocol: `openai-chat`, `openai-responses` or `anthropic`.
        body: the client's request.
        mending: what is done about calls.
        request_id: names the request in records; ids of calls that have none are made from it.
        upstream: the upstream's name, for records.
        now: the clock, for records.

    Attributes:
        engaged: whether the request declares functions and is understood; if not, bytes pass untouched.
        ask: the body to send upstream: the client's own bytes, unless its history had to be mended.
        streamed: whether the client asked for a stream.
        refusal: why the request cannot be answered as it was asked; empty if it can.
        model: the one that is asked for; empty if the request does not say so.
        left_out: how many events stood behind the end of the reply and did not go out.
    """

    def __init__(  # keyword-only beyond the third
        self,
        protocol: str,
        body: bytes,
        mending: Mending,
        *,
        request_id: str,
        upstream: str,
        now: Callable[[], float],
    ) -> None:
        table = TABLE[protocol]
        asked = request.read(table, body, mending)
        self.engaged = asked is not None
        self.ask = body if asked is None else asked.ask
        self.streamed = asked is not None and asked.streamed
        strict = mending.on_invalid != "pass" and self.streamed
        self.refusal = SEVERAL if asked is not None and asked.several and strict else ""
        self._course: Course | None = None
        self._frames = Frames()
        self._over = False
        self.left_out = 0
        self._next: bytes | None = None
        self.model = "" if asked is None else word(asked.body.get("model")) or ""
        if asked is None:
            return
        origin = Origin(
            request_id=request_id,
            protocol=protocol,
            upstream=upstream,
            model=self.model,
            streamed=asked.streamed,
            now=now,
        )
        ledger = Ledger(origin, asked.box, history=asked.changes, unmended=asked.broken)
        ids = Ids(request_id, table.id_prefix)
        self._course = Course(
            protocol=table,
            upstream=upstream,
            asked=asked,
            mending=mending,
            output=table.writer(ids, asked.body),
            ledger=ledger,
            ids=ids,
        )
        self._dialogue = Dialogue(self._course)

    def prepare(self) -> None:
        """Make ready for a stream: done by itself when one begins, and better while its first bytes are awaited."""
        if self._course is not None:
            _ = self._attempt

    @cached_property
    def _attempt(self) -> Attempt:
        """What is read of a stream; made when one begins."""
        assert self._course is not None  # noqa: S101  # only an exchange that is engaged reads
        return Attempt(self._course)

    @property
    def attempts(self) -> int:
        """How many replies the model was asked for."""
        return self._course.ledger.attempts if self._course else 1

    @property
    def stalled(self) -> bool:
        """Whether a reply announced an action and made no call."""
        return bool(self._course and self._course.ledger.stalled)

    @property
    def holds(self) -> bool:
        """Whether the client of a stream waits for what came and was held, or was asked for again."""
        if self._over or self._course is None or "_attempt" not in vars(self):
            return False
        attempt, again = self._attempt, self.attempts > 1 and not self._begun
        return again or bool(attempt.queue or attempt.begins or attempt.openings.waiting)

    def take_records(self) -> tuple[CallRecord, ...]:
        """The calls resolved since the last look."""
        return self._course.ledger.take_records() if self._course else ()

    # a whole reply

    def whole(self, body: bytes) -> Reply | Again:
        """Take a whole reply."""
        course = self._course
        try:
            replies = whole_replies.read(course, body) if course else []
        except whole_replies.GarbledError:
            return self._garbled()
        except whole_replies.ReportedError as error:
            return self._reported(body, error)
        if course is None:
            return Reply(body)
        for reply in replies:
            self._dialogue.enter(reply.read)
        final = len(replies) > 1 or replies[0].is_final
        verdicts = {self._dialogue.verdict(reply.read, final=final) for reply in replies}
        if Verdict.FAIL in verdicts:
            return self._failed(course, replies)
        if Verdict.ASK in verdicts:
            return Again(self._dialogue.ask(replies[0].read))
        made = self._rewritten(course, replies)
        return Reply(body if made is None else encoded(made), course.ledger.header())

    def _failed(self, course: Course, replies: Sequence[whole_replies.WholeReply]) -> Reply:
        """The error that stands for refused calls, or the provider's own."""
        note = course.ledger.note()
        failure = next(filter(None, (reply.failure for reply in replies)), None)
        refused = [one for reply in replies for one in reply.read.judged]
        fault = fault_of(refused, note) if failure is None else Fault(FAILED, failure, note)
        headers = {**course.ledger.header(), "x-should-retry": "false"}
        return Reply(encoded(course.protocol.error(fault)), headers, _BAD_GATEWAY)

    def _garbled(self) -> Reply:
        """The upstream said something that is no reply."""
        assert self._course is not None  # noqa: S101  # only an exchange that is engaged reads
        error = self._course.protocol.error(self._garble(UNREADABLE))
        return Reply(encoded(error), self._course.ledger.header(), _BAD_GATEWAY)

    def _reported(self, body: bytes, error: whole_replies.ReportedError) -> Reply:
        """The upstream reports an error with a status of success, at which a stock client would break."""
        assert self._course is not None  # noqa: S101  # only an exchange that is engaged reads
        fault = Fault(REPORTED, str(error) or "the upstream reported an error", self._course.ledger.note())
        in_form = isinstance(error.body.get("error"), dict)
        told = body if in_form else encoded(self._course.protocol.error(fault))
        return Reply(told, self._course.ledger.header(), _BAD_GATEWAY)

    def _garble(self, why: str) -> Fault:
        return Fault(GARBLED, why, self._course.ledger.note() if self._course else {})

    def _rewritten(self, course: Course, replies: Sequence[whole_replies.WholeReply]) -> dict[str, Any] | None:
        if len(replies) > 1:
            return whole_replies.together(course, replies)
        dialogue, [reply] = self._dialogue, replies
        return whole_replies.rewritten(
            course,
            reply,
            added=dialogue.unrepeated(reply.read),
            said=texts_before(dialogue.said),
            usage=dialogue.usage(reply.read),
        )

    # a stream

    def feed(self, data: bytes) -> bytes:
        """Take the stream's next bytes: what to send the client now."""
        if self._course is None or not data:
            return data
        pos, out = self._run(data, 0) if self._runs else (0, b"")
        if pos == len(data):
            return out
        self._begun = self._begun or bool(data.strip())
        return b"".join((out, *self._taken(data, pos)))

    def _run(self, data: bytes, pos: int) -> tuple[int, bytes]:
        """Take the events that need not be read: where they end, and what goes out."""
        begun, outs = pos, list[bytes]()
        while pos < len(data) and not self._over:
            end, out = self._attempt.current.run(data, pos)
            if end == pos:
                break
            pos = end
            outs.append(out)
            if self._attempt.ended:
                self._over, self._runs = True, False
                self._dialogue.pass_over(self._attempt.ends, self._attempt.ending())
        if pos > begun:
            self._begun = self._understood = True
            self._frames.passed()
        return pos, outs[0] if len(outs) == 1 else b"".join(outs)

    def _taken(self, data: bytes, pos: int) -> Iterator[bytes]:
        """What goes out for these bytes: events that run as they run, others one by one while more of them may."""
        while pos < len(data):
            end = -1 if self._over else data.find(BLANK, pos)
            end = len(data) if end < 0 else end + len(BLANK)
            yield from self._take(self._frames.feed(data[pos:end]))
            pos = end
            if self._in_order and pos < len(data):
                pos, out = self._run(data, pos)
                yield out
        self._runs = self._in_order

    @property
    def _in_order(self) -> bool:
        """Whether the next event is the reply's, from its first byte on."""
        return not (self._over or self._next or self._frames.pending)

    _runs = True  # events may run through
    _begun = False
    _understood = False  # an event of this reply could be read
    _given_up = False

    def end(self, *, broken: bool, why: Fault = BROKEN_OFF) -> Tail | Again:
        """The stream has ended: the rest for the client, or what to ask next.

        Args:
            broken: the connection broke, or was given up; the reply may not be whole.
            why: what the client is told of that.
        """
        if self._course is None:
            return Tail(b"")
        self._runs = False
        out = self._take([frame for frame in self._frames.close() if frame.is_whole])
        if not (self._understood or broken):
            self._over = True
            return Tail(self._course.writer.failed(self._garble(UNREADABLE)), self._garbled())
        if not self._over and self._next is None:
            out += self._closed(why if broken and not self._attempt.finished else None)
        if self._next is None:
            return Tail(glued(out))
        following, self._next = self._next, None
        self._frames, self._begun, self._understood, self._runs = Frames(), False, False, True
        self._attempt = Attempt(self._course, begun=self._attempt.begun, owes=self._dialogue.owes)
        return Again(following)

    def _take(self, frames: Sequence[Frame]) -> list[bytes]:
        out: list[bytes] = []
        for frame in frames:
            self._understood = self._understood or frame.says in (Says.DATA, Says.DONE)
            if self._over:
                out.append(frame.raw if self._may_follow(frame) else b"")
            elif self._next is None and self._is_lost(frame):
                out += self._gave_up(frame)
            elif self._next is None:
                out.append(self._attempt.take(frame))
                if self._attempt.ended or self._attempt.failed:
                    out += self._closed()
        return out

    def _may_follow(self, frame: Frame) -> bool:
        """Whether an event behind the end of the reply goes out: one that adds nothing to it; others are counted."""
        if self._given_up or self._course is None or frame.says is Says.EMPTY:
            return False
        if frame.says in (Says.NOTHING, Says.DONE):
            return True
        if frame.says is Says.DATA and isinstance(frame.data, dict) and self._course.protocol.idle(frame.data):
            return True
        self.left_out += 1
        return False

    def _is_lost(self, frame: Frame) -> bool:
        """Whether an event is not read, where a client gets nothing that was not looked at.

        What it said may have been a piece of a call, without which the rest is another one; or one of another choice.
        """
        course = self._course
        if course is None or (course.mending.on_invalid == "pass" and not course.mending.optimistic):
            return False
        if frame.says is not Says.DATA:
            return frame.says is Says.UNREADABLE
        if not isinstance(frame.data, dict):
            return True
        return course.mending.on_invalid != "pass" and course.protocol.strays(frame.data)

    def _gave_up(self, frame: Frame) -> list[bytes]:
        """Part of the reply is lost: what was text, and an error."""
        assert self._course is not None  # noqa: S101  # only an exchange that is engaged reads
        unread = frame.says is Says.UNREADABLE or not isinstance(frame.data, dict)
        why = UNREADABLE if unread else STRAY
        self._over = self._given_up = True
        reply = read(self._course, self._attempt, broken=True)
        self._dialogue.enter(reply)
        return [*Emission(self._course, self._attempt, reply).failed(self._garble(why))]

    def _closed(self, why: Fault | None = None) -> list[bytes]:
        """The reply is at its end: everything that was held, or what to ask next; `why`: it broke off."""
        course, attempt, broken = self._course, self._attempt, why is not None
        assert course is not None  # noqa: S101  # only an exchange that is engaged reads
        reply = read(course, attempt, broken=broken)
        self._dialogue.enter(reply)
        verdict = self._dialogue.verdict(reply, final=broken or attempt.failed or course.ledger.others)
        if verdict is Verdict.ASK:
            out = [*Emission(course, attempt, reply).said()]
            self._next = self._dialogue.ask(reply)
            course.writer.again()
            return out
        self._over = True
        fault = why and why._replace(note=course.ledger.note())
        if verdict is Verdict.FAIL:
            own = None if attempt.failed else fault or fault_of(reply.judged, course.ledger.note())
            return [*Emission(course, attempt, reply).failed(own)]
        added, usage = self._dialogue.unrepeated(reply), self._dialogue.usage(reply)
        out = [*Emission(course, attempt, reply, added, usage).all()]
        if fault is not None:
            return [*out, course.writer.failed(fault._replace(note=course.ledger.note()))]
        due = attempt.finished and not (attempt.ended or attempt.failed)
        return [*out, course.writer.end()] if due else out
