"""The text of a reply on its way to the client, while it is read for calls.

As long as no call stands in it, the text goes on as it came, up to where no call that may yet come can begin
(`TextScanner.reached`); reasoning inside it and its tags are the upstream's own and stay. From the first call on, the
text is what the scanner gives: its markup is gone. The way over is made once and not back. A call that is to stay in
the text, since it must not run and the client gets what the model wrote, is text; from one list with calls that become
some it stays as a JSON object of its own, so that none of them is told twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from argwright.dialects import CallFound, Event, ReasoningText, TextSafe, TextScanner, TextWasReasoning
from argwright.dialects.reasoning import BLOCKS
from argwright.model import ToolCall, compact
from argwright.proxy.exchange.judging import as_text

_SPACE = " \t\r\n"
_BLANKS = ("", *_SPACE)
_OPENER, _CLOSER = "<think>", "</think>"
_CLOSERS = tuple(BLOCKS.values())
_TAGS = (*BLOCKS, *_CLOSERS)

_STEP = 16  # characters looked at at once where some calls stay in the text: no two calls stand in so few
_SIGNS = "<{[("  # one of them stands in every call


class Gate:
    """Reads the text and says what of it may go out.

    Args:
        tools: the declared tools; `None` lets all text go as it came.
        raw: text goes out as it came until a call is found; else all of it is what the scanner gives.
        keep: whether a call becomes one; else it stays in the text. `None`: all do.

    Attributes:
        calls: the calls found so far.
        left: those that stay in the text.
        raw: whether text still goes out as it came.
        fed: how many characters have come.
        sent: how many characters of it have gone out; told by the caller.
    """

    def __init__(self, tools: Any, *, raw: bool = True, keep: Callable[[ToolCall], bool] | None = None) -> None:
        self._scanner = TextScanner(tools) if tools is not None else None
        self._reached = 0
        self.fed = 0
        self._thinking = False
        self._open: list[ToolCall] = []  # calls whose markup is still to come: of one construct, which may hold several
        self._made: list[str] = []
        self._keep = keep
        self.calls: list[ToolCall] = []
        self.left: list[ToolCall] = []
        self.raw = raw or self._scanner is None
        self.sent = 0

    @property
    def reached(self) -> int:
        """How many characters of the text, from its beginning, may go out as they came."""
        return self.fed if self._scanner is None else self._reached

    @property
    def undecided(self) -> bool:
        """Whether some of the text may yet turn out to be a call."""
        return self._scanner is not None and self._reached < self.fed

    def passes(self, text: str) -> bool:
        """Take the next piece if it goes out as it came, whatever follows it, and count it as sent; else take nothing.

        Only where everything before it was sent.
        """
        if self._scanner is not None:
            if not self.raw or self._open or self._reached < self.fed or not self._scanner.passes(text):
                return False
            self._thinking = False
            self._reached += len(text)
        self.fed += len(text)
        self.sent += len(text)
        return True

    def goes(self, text: str) -> bool:
        """Take the next piece, where everything before was sent: whether it goes out as it came, and nothing waits."""
        if self.passes(text):
            return True
        self.feed(text)
        if not self.raw or self.undecided:
            return False
        self.sent = self.fed
        return True

    def feed(self, text: str) -> None:
        """Take the next piece."""
        if self._scanner is None:
            self.fed += len(text)
            return
        apart = (self.raw or self._keep is not None) and len(text) > _STEP and any(sign in text for sign in _SIGNS)
        step = _STEP if apart else len(text)
        for start in range(0, len(text), step or 1):
            piece = text[start : start + step]
            self.fed += len(piece)
            self._take(self._scanner, self._scanner.feed(piece), self._scanner.reached)

    def close(self, *, finished: bool) -> None:
        """The text has ended; `finished`: by the provider's own word."""
        if self._scanner is not None:
            self._take(self._scanner, self._scanner.close(finished=finished), self.fed)

    def taken(self) -> str:
        """What is to be sent in place of the text that came, since it was last asked for."""
        made = "".join(self._made)
        self._made.clear()
        return made

    def _take(self, scanner: TextScanner, events: Sequence[Event], reached: int) -> None:
        before, self._reached = self._reached, max(reached, self._reached)
        if self.raw and not self._open and len(events) <= 1 and self._is_all_text(scanner, before, events):
            return
        found = [event.call for event in events if isinstance(event, CallFound)]
        self.left += [call for call in found if self._keep is not None and not self._keep(call)]
        passage = scanner.written(before, self._reached)
        marked = _is_marked_up(passage, events)
        self._open += found
        left = [call for call in self._open if call in self.left]
        alone = left if marked and len(left) < len(self._open) else []
        if left and len(left) == len(self._open):
            self._made += [] if self.raw else [passage]
        elif not self.raw:
            self._made.append(self._told(events, alone))
        elif found or marked:
            self.raw = False
            self._turn(scanner, before, partial(self._told, events, alone))
        elif events:
            self._thinking = isinstance(events[-1], ReasoningText)
        if marked:
            self._open.clear()

    def _is_all_text(self, scanner: TextScanner, before: int, events: Sequence[Event]) -> bool:
        """Whether what was decided is text and nothing else: what nearly every piece is."""
        if not events:
            return before == self._reached
        if not isinstance(events[0], TextSafe) or events[0].text != scanner.written(before, self._reached):
            return False
        self._thinking = False
        return True

    def _told(self, events: Sequence[Event], alone: Iterable[ToolCall]) -> str:
        """What events add to the text that is sent, with calls that stay in it behind the others of their list."""
        last = max((at for at, event in enumerate(events, 1) if isinstance(event, CallFound)), default=0)
        told = [*map(self._shown, events[:last]), *map(_alone, alone), *map(self._shown, events[last:])]
        return "".join(told)

    def _turn(self, scanner: TextScanner, before: int, told: Callable[[], str]) -> None:
        """From here on the text is what the scanner gives: what was decided and not sent yet, and what is told now."""
        self._thinking = self._thinking and not _is_closed(scanner.written(0, before))
        rest, made = scanner.written(self.sent, before).rstrip(_SPACE), told()
        spaced = not rest and scanner.written(max(0, self.sent - 1), self.sent) in _BLANKS
        self._made = [rest, made.lstrip(_SPACE) if spaced else made]

    def _shown(self, event: Event) -> str:
        """What an event adds to the text that is sent."""
        match event:
            case CallFound():
                self.calls += [event.call] if event.call not in self.left else []
                return self._closing()
            case TextSafe():
                closer = self._closing()
                return f"{closer}\n{event.text}" if closer else event.text
            case ReasoningText():
                opener = "" if self._thinking else _OPENER
                self._thinking = True
                return opener + event.text
            case TextWasReasoning():
                self.calls.clear()
                return _CLOSER if self.sent or any(self._made) else ""

    def _closing(self) -> str:
        closer = _CLOSER if self._thinking else ""
        self._thinking = False
        return closer


def _is_marked_up(passage: str, events: Iterable[Event]) -> bool:
    """Whether a passage that is decided is not the text reported of it.

    It holds more: markup that is no reasoning's. Or less: the text comes out of a construct that has not ended.
    """
    told = sum(_visible(event.text) for event in events if isinstance(event, (TextSafe, ReasoningText)))
    held = _visible(passage)
    return held < told or (held > told and not any(tag in passage for tag in _TAGS))


def _alone(call: ToolCall) -> str:
    """A call that stays in the text, without the others of its list."""
    return f'\n{{"name": {compact(call.name)}, "arguments": {as_text(call.arguments) or "{}"}}}\n'


def _is_closed(text: str) -> bool:
    """Whether no block of reasoning is open at the end of a text."""
    return max(map(text.rfind, _CLOSERS)) > max(map(text.rfind, BLOCKS))


def _visible(text: str) -> int:
    return sum(map(len, text.split()))
