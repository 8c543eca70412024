"""One reply of the model as it streams in: what goes out at once, what is held, and what it comes to.

Events go out in the order in which they came. Text waits for the gate, no longer than a marker is; the pieces of a call
wait until the call is resolved, and everything behind them waits with them. Where a model goes on behind a call, that
call is whole: if it is valid as it stands, it goes out then. Everything else is decided at the reply's end, since only
the reason for the end tells whether the last call was cut (`closing`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from weakref import proxy

from argwright.model import ToolCall, Turn, ValidCall
from argwright.proxy.exchange.course import Course
from argwright.proxy.exchange.current import Current
from argwright.proxy.exchange.frames import Frame, Says
from argwright.proxy.exchange.held import Held, Queue, held
from argwright.proxy.exchange.judging import Judged, cut_off, identified, judge
from argwright.proxy.exchange.openings import Openings
from argwright.proxy.exchange.optimistic import Optimist, continuation
from argwright.proxy.exchange.protocol import END, OTHER, UNCHANGED, Body, Change, Place, Seen
from argwright.proxy.exchange.stock import Stock, adds, grows
from argwright.proxy.exchange.transcript import Transcript
from argwright.wire import find
from argwright.wire.deltas import CallDelta, CallEnd, Delta, FinishDelta, TextDelta
from argwright.wire.finish import finished

_TAIL = 400  # characters of a text's end from which it can be told whether it announces something
_SHORT = 64  # characters of a text that waits whole, though only its end may belong to a call: a marker is as long


class Attempt:
    """Reads one stream.

    Attributes:
        course: what holds for the exchange.
        current: events that are known by their bytes.
        begun: the client was told that the reply begins.
        begins: what tells it so, as long as it waits.
        queue: what is held.
        gate: the reply's text.
        stock: the reply's calls as a client reads them.
        released: how many calls went out before the end.
        late: one of these went on after that.
        finished: the reason for the end has come: what breaks off after it takes nothing away.
        ended: the reply is over, by its own word.
        failed: the provider reported an error.
        ends: the reason for the reply's end, if it was known by its bytes.
        structured: the reply has calls of its own, beside its text.
        reads: an event came that may hold more than text, its end and its cost.
    """

    def __init__(self, course: Course, *, begun: bool = False, owes: bool = False) -> None:
        self.course = course
        self._deltas = find(course.protocol.form).deltas
        self._transcript = Transcript(course)
        self._all = course.mending.on_invalid == "retry" or course.mending.on_stall == "reask"
        """All that the model says is needed, to ask it again."""
        self._again = begun
        self._waits = owes or (course.mending.on_stall == "reask" and course.asked.may_call)
        self._tail = ""  # the end of the text, where not all is kept
        self._damaged = False
        self.reads = False
        self.begins: list[Held] = []
        self._looked = 0  # calls that were looked at before the end
        self.begun = begun
        self.queue = Queue()
        me: Attempt = proxy(self)  # who is part of it does not keep it: it is gone when the exchange lets go of it
        self.openings = Openings(partial(Attempt._sent, me), partial(Attempt.drop, me))
        self.optimist = Optimist(course.asked.box) if course.mending.optimistic else None
        self.gate = course.gate()
        self.stock = Stock(
            dense=course.protocol.dense,
            closes=course.protocol.closes,
            confirms=course.protocol.confirms,
            ids=not course.protocol.legacy(course.asked.body),
        )
        self.released = 0
        self.late = False
        self.finished = False
        self.ended = False
        self.failed = False
        self.ends: FinishDelta | None = None
        self.structured = False
        self.current = Current(me)

    # what comes in

    def take(self, frame: Frame) -> bytes:
        """Take one event; what goes out now."""
        if frame.says is Says.EMPTY:
            return b""
        self.tell()
        item = self._read(frame)
        if item.text:
            self._text(item)
        self._release(item)
        self.queue.add(item)
        self.finished = self.finished or item.seen.finish
        self.ended = self.ended or item.seen.end
        self.failed = self.failed or item.seen.error
        self.current.read(frame, item)
        return b"" if self.ended or self.failed else self._drained()

    def hold(self, item: Held) -> bytes:
        """Take an event whose text the gate has read, and does not let go of as it came; what goes out now."""
        body = item.data or {}
        self.noted(item.name, lambda: body, item.seen, (TextDelta(item.text),))
        self._placed(item, raw=True)
        self.queue.add(item)
        return self._drained()

    def noted(self, name: str | None, body: Callable[[], Body], seen: Seen, deltas: Sequence[Delta]) -> None:
        """Keep what an event says, if it may be asked for."""
        if seen.reads or self._all:
            self._transcript.add(name, body, deltas)

    def tell(self) -> None:
        """What ran through is part of the reply."""
        self._tail = (self._tail + self.current.tell())[-_TAIL:]

    def _read(self, frame: Frame) -> Held:
        """The event, and what it says of calls."""
        if frame.says is Says.UNREADABLE or (frame.says is Says.DATA and not isinstance(frame.data, dict)):
            self._damaged = self._damaged or bool(self.stock.calls)
            return held(frame, OTHER, frozenset())
        if frame.says is not Says.DATA:
            return held(frame, END if frame.says is Says.DONE else OTHER, frozenset())
        try:
            seen = self.course.protocol.see(frame.name, frame.data)
            item = held(frame, seen, frozenset())
            self._calls(frame, item)
        except Exception:  # noqa: BLE001  # the last line of defence: what a server sends never raises
            self._damaged = True
            return held(Frame(b"", Says.UNREADABLE), OTHER, frozenset())
        return item

    def _calls(self, frame: Frame, item: Held) -> None:
        """Find the calls that an event belongs to."""
        seen = item.seen
        deltas = list(self._deltas(frame.name, frame.data)) if seen.reads or self._all else []
        self.noted(frame.name, lambda: frame.data, seen, deltas)
        if not seen.reads:
            self.course.opened(self.stock, seen, call=False)
            return
        self.reads = self.reads or not seen.usage or seen.finish or seen.calls
        if seen.odd:
            self.stock.clean = False
        if seen.others:
            self.course.ledger.chose(strays=seen.strays)
        numbers: set[int] = set()
        for delta in deltas:
            number = self.stock.take(delta, seen.item)
            if number is not None:
                numbers.add(number)
                self.late = self.late or (number < self.released and adds(delta))
                self._watch(number, delta, item)
        self.course.opened(self.stock, seen, call=bool(numbers))
        if seen.end and self.course.protocol.confirms and len(numbers) < len(self.stock.calls):
            self.stock.clean = False
        item.calls = frozenset() if seen.end or seen.error else frozenset(numbers)
        if (seen.calls and not item.calls) or (seen.odd and not item.pure):
            item.change = Change(without_calls=seen.calls and not item.calls)
        if item.pure:
            item.data = None

    def _watch(self, number: int, delta: Delta, item: Held) -> None:
        """Where pieces go out before their call is whole: what came of it."""
        if self.optimist is None:
            return
        call = self.stock.calls[number]
        if grows(delta) and call.pieces:
            self.optimist.feed(number, call, call.pieces[-1])
        item.ends = item.ends or isinstance(delta, CallEnd) or (isinstance(delta, CallDelta) and delta.stage == "final")
        item.said = self.optimist.said.get(number, 0)

    def _text(self, item: Held) -> None:
        """Read an event's text."""
        raw = self.gate.raw
        self.gate.feed(item.text)
        self._placed(item, raw=raw)

    def _placed(self, item: Held, *, raw: bool) -> None:
        """The gate has read an event's text; `raw`: until then text went out as it came."""
        gate = self.gate
        self._tail = (self._tail + item.text)[-_TAIL:]
        item.end = gate.fed
        if gate.raw:
            return
        if raw:
            self.turned()
        item.text, item.rewritten, item.ready = gate.taken(), True, True

    def turned(self) -> None:
        """A call was found in the text: what waits of it is no longer what goes out."""
        waiting = [one for one in self.queue if one.seen.place is Place.TEXT]
        for one in waiting:
            one.text, one.rewritten, one.ready = "", True, True
        if waiting:
            waiting[0].text = self.gate.taken()

    # what goes out

    def _release(self, item: Held) -> None:
        """The model goes on behind its calls: those that are valid as they stand go out."""
        done = len(self.stock.calls) - 1 if item.calls else len(self.stock.calls)
        if done <= self._looked or not self._goes_on(item) or self.course.mending.on_invalid == "retry":
            return
        if not self.stock.clean or self._damaged:
            return
        start, self._looked = self._looked, done
        if start > self.released:
            return  # one before it waits for the end
        calls = [
            ToolCall(
                call.id, call.name, None if call.free else call.arguments, input=call.arguments if call.free else None
            )
            for call in self.stock.calls[start:done]
        ]
        if self.course.protocol.confirms and not all(call.ended for call in self.stock.calls[start:done]):
            return
        for judged in self.judged(calls):
            if judged.refused or judged.mended:
                return
            self.course.ledger.enter(judged)
            self.released += 1

    def _goes_on(self, item: Held) -> bool:
        """Whether this is something new behind the calls that came before."""
        return bool(item.calls) or bool(item.text.strip()) or item.seen.place is Place.OPEN

    def _is_continued(self, calls: Sequence[ToolCall], judged: Sequence[Judged]) -> bool:
        """Whether every call of which a part went out can be what it began as."""
        if not self.stock.agrees(calls) or len(calls) != len(judged):
            return False
        return all(self.continuation(number, one) is not None for number, one in enumerate(judged) if one.mended)

    def continuation(self, number: int, judged: Judged) -> str | None:
        """What is still to be said of a mended call, if what went out of it lets it become what it means."""
        said = self.said_of(number)
        if said is None or not isinstance(judged.outcome, ValidCall):
            return ""
        return continuation(said, judged.outcome.arguments)

    def said_of(self, number: int) -> str | None:
        """What of a call's arguments went out, if it began to."""
        sent = self.optimist.sent.get(number) if self.optimist is not None else None
        return None if sent is None else "".join(self.stock.calls[number].pieces)[:sent]

    def judged(self, calls: Iterable[ToolCall]) -> tuple[Judged, ...]:
        """What became of calls."""
        return judge(calls, self.course.asked.box, self.course.asked.bare)

    def _drained(self) -> bytes:
        queue = self.queue
        out: list[bytes] = []
        while queue and self._goes(queue):
            out += self.out(queue.pop())
        if queue and queue.head.text and self.gate.raw:
            out += self._part(queue.head)
        return b"".join(out)

    def _goes(self, queue: Queue) -> bool:
        """Whether what came first may go out."""
        head = queue.head
        if head.calls:
            return (max(head.calls) < self.released and not self.late) or self._is_hopeful(head)
        if head.text and self.gate.raw:
            head.ready = self.gate.reached >= head.end
        match head.seen.place:
            case Place.TEXT:
                return head.ready and not (head.seen.finish and self.holds())
            case Place.OPEN:
                return True
            case Place.CLOSE:
                return self.gate.raw or not self.gate.undecided
            case Place.OTHER:
                return not head.seen.finish or not self.holds()

    def _is_hopeful(self, head: Held) -> bool:
        """Whether pieces of a call go out though it is not whole."""
        if self.optimist is None or not head.pure or len(head.calls) > 1 or not self.stock.clean or self._damaged:
            return False
        [number] = head.calls
        if not self.optimist.passes(number, self.stock.calls[number], ends=head.ends):
            return False
        self.optimist.sent[number] = head.said
        return True

    def holds(self) -> bool:
        """Whether the reason for the end waits, since it may become another."""
        return self._waits or not self.gate.raw or bool(self.stock.calls and self.released < len(self.stock.calls))

    def out(self, item: Held, change: Change = UNCHANGED) -> Iterator[bytes]:
        """An event's turn has come."""
        item.change = change if item.change is UNCHANGED else item.change.beside(change)
        return self.openings.out(item, raw=self.gate.raw)

    def _sent(self, item: Held) -> bytes:
        if not item.rewritten:
            self.gate.sent += len(item.text)
        if item.seen.begins:
            return self._begin(item)
        return b"".join([*self.begin(), item.passed(self.course.writer)])

    def _begin(self, item: Held) -> bytes:
        """The reply begins; where it may be asked for again, that goes out with the first that stays."""
        if self.begun and not self.begins and self._again and not self.course.writer.renames(item.data or {}):
            self.drop(item)
            return b""
        self.begins.append(item)
        return b"" if self._all else b"".join(self.begin())

    def begin(self) -> Iterator[bytes]:
        """Something goes out: that the reply begins goes before."""
        waiting, self.begins = self.begins, []
        for one in waiting:
            self.begun = True
            yield one.passed(self.course.writer)

    def unchanged(self) -> bytes | None:
        """Everything that waits, at the end of a reply of which nothing is different; `None`, if something is."""
        if self.begins or self.openings.waiting or not (self.gate.raw and self.course.output.even()):
            return None
        if any(item.rewritten or item.change is not UNCHANGED for item in self.queue):
            return None
        return b"".join(frame for item in self.queue.taken() for frame in item.frames)

    def drop(self, item: Held) -> None:
        """An event does not go out."""
        data = item.first()
        if data is not None:
            self.course.writer.dropped(data)

    def _part(self, head: Held) -> Iterator[bytes]:
        """Of a long text whose end may belong to a call, what does not."""
        size = self._parts(head)
        if head.calls or head.data is None or head.seen.finish or head.seen.usage or not size:
            return
        said, head.text, head.rewritten = head.text[:size], head.text[size:], True
        self.gate.sent += size
        yield from self.out(replace(head, text=said))

    def _parts(self, head: Held) -> int:
        """How much of a text can go out before the rest."""
        size = self.gate.reached - (head.end - len(head.text))
        return size if _SHORT < size < len(head.text) else 0

    # the end

    def broke_promise(self, calls: Sequence[ToolCall], judged: Sequence[Judged]) -> bool:
        """Whether a call that went out is another one at the end."""
        out = self.released
        if self.optimist is not None and self.optimist.sent and not self._is_continued(calls, judged):
            return True
        changed = any(one.mended or one.refused for one in judged[:out]) or len(calls) < out
        return self.late or changed or not self.stock.begins(calls[:out])

    def _is_simple(self) -> bool:
        """Whether nothing was odd so far, and of the reply nothing but its calls and its end will be asked for."""
        odd = self.gate.calls or self.gate.left or self._damaged or self.failed or not self.stock.clean
        return not odd and self.gate.raw and self.course.is_simple

    def is_plain(self) -> bool:
        """Whether the reply was text and nothing else, all of which went out, and gave its reason for the end."""
        return self.ends is not None and not (self.reads or self.stock.calls) and self._is_simple()

    def ending(self) -> str:
        """The end of the text, where not all is kept."""
        return (self._tail + self.current.said())[-_TAIL:]

    def close(self) -> Turn:
        """The reply is over: what the model said, with the calls that it wrote as text."""
        self.tell()
        raw = self.gate.raw
        plain = self._transcript.plain() if self._is_simple() else None
        turn = plain or self._transcript.close()
        self.gate.close(finished=turn.finish.reason in ("stop", "tool_calls"))
        if raw and not self.gate.raw:
            self.turned()
        if plain is None or not self._is_simple():
            return self.read_whole()
        self.structured = bool(plain.calls)
        return replace(plain, text=self._tail)

    def read_whole(self) -> Turn:
        """The same, with all that may be asked for of a reply that is not the client's as it came."""
        turn = self._transcript.close()
        turn = turn if self._all else replace(turn, text=self._tail)
        calls = turn.calls
        self.structured = bool(calls)
        if not calls and self.gate.calls:
            calls, end = finished(self.gate.calls, turn.finish.raw, streamed=True, error=self.failed)
            turn = replace(turn, finish=end)
        if self._damaged or self.failed:
            calls = tuple(map(cut_off, calls))
        return replace(turn, calls=identified(calls, self.course.ids))
