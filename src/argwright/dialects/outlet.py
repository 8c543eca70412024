"""Where a reply goes while it is read: the answer's text, the reasoning, the calls.

Text is only counted while it is passed over, from `shown` to `safe`; `flush` reports it,
before anything else is reported and whenever the reader waits.
"""

from __future__ import annotations

from argwright.dialects.channel import Channel
from argwright.dialects.events import CallFound, Event, ReasoningText, TextSafe, TextWasReasoning
from argwright.dialects.source import SPACE, Source, Steps


class Outlet:
    """What has been reported of one reply.

    Attributes:
        answer: the answer's channel.
        safe: up to where the text that was passed over belongs to the answer.
        reasoned: reasoning has been reported.
        last_calls: the calls with nothing but markup between them that were reported last.
        last_calls_start: where the markup of the first of them began.
    """

    __slots__ = (
        "_shown", "_src", "_thoughts", "_within", "answer", "last_calls", "last_calls_start", "reasoned", "safe",
    )  # fmt: skip

    def __init__(self, src: Source) -> None:
        self._src = src
        self._shown = 0
        self._within = 0
        self._thoughts = Channel()
        self.answer = Channel()
        self.safe = 0
        self.reasoned = False
        self.last_calls: list[CallFound] = []
        self.last_calls_start = 0

    @property
    def reached(self) -> int:
        """Up to where the text is decided, reasoning included: what lies before is in no call that may yet come."""
        return max(self.safe, self._within)

    def flush(self) -> Event | None:
        """The text passed over since the last report, if any of it may be shown."""
        if self.safe <= self._shown:
            return None
        text = self.answer.add(self._src.text[self._shown : self.safe])
        self._shown = self.safe
        return TextSafe(text) if text else None

    def flushed(self) -> Steps[None]:
        """Report the text passed over."""
        if event := self.flush():
            yield event

    def take(self, start: int, end: int) -> Steps[None]:
        """What stands from `start` to `end` is markup: report the text before, leave this out."""
        self.safe = max(self.safe, start)
        if self.safe > self._shown:
            yield from self.flushed()
        if not self.answer.after_cut:
            self.last_calls, self.last_calls_start = [], start
        self._shown = self.safe = max(start, end)
        self.answer.cut()

    def skip_to(self, end: int) -> None:
        """What was reported by other means ends here."""
        self._shown = self.safe = end
        self.answer.cut()

    def report(self, event: Event) -> Steps[None]:
        """Report what a construct holds."""
        match event:
            case TextSafe():
                if text := self.answer.add(event.text):
                    yield TextSafe(text)
            case ReasoningText():
                self.reasoned = True
                if text := self._thoughts.add(event.text):
                    yield ReasoningText(text)
            case CallFound() | TextWasReasoning():
                self.answer.cut()
                if isinstance(event, CallFound):
                    self.last_calls.append(event)
                yield event

    def forward(self, steps: Steps[int]) -> Steps[int]:
        """Report what a block of reasoning holds; the position behind it."""
        self.reasoned = True
        self._thoughts.cut("\n")
        self._within = self.safe
        while True:
            try:
                event = next(steps)
            except StopIteration as stop:
                end: int = stop.value
                return end
            if event is None:
                yield None
            else:
                self._within += len(event.text) if isinstance(event, ReasoningText) else 0
                yield from self.report(event)

    def all_was_reasoning(self, start: int, end: int) -> Steps[None]:
        """All before `start` was reasoning, which a closer up to `end` ended."""
        self.reasoned = True
        self.answer, self._thoughts = Channel(), Channel()
        self._shown = self.safe = end
        text = self._src.text[:start].strip(SPACE)
        yield TextWasReasoning(text)
        self._thoughts.add(text)

    def finish(self) -> Steps[None]:
        """The reply has ended: report what was held back."""
        yield from self.flushed()
        if rest := self.answer.finish():
            yield TextSafe(rest)
