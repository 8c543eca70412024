"""`TextScanner`: calls that a model wrote as text, found while the text arrives.

The interface:

    scanner = TextScanner(tools, dialects=None, reasoning=False)
    scanner.feed(text)            -> list of events   TextSafe | ReasoningText | CallFound | TextWasReasoning
    scanner.close(finished=False) -> list of events   what was held back; an unfinished call comes as an incomplete one
    add_up(events)                -> Reading(calls, text, reasoning)

`tools` is anything with `names` and `get(name)` (a `Toolbox`); without tools nothing is read and all is text.
`dialects` limits what is read: `None` is every dialect, `()` none. `reasoning=True` also takes calls that end a
reasoning block with nothing after it. `finished=True` says that the provider reported a normal end: it settles the few
notations that nothing closes but the end of the text (a plain ReAct input).

Events, added up, are the same however the text is cut. Plain text is held back for no more than a marker's length;
the exceptions are texts whose very beginning is a call's (a JSON object with a call's first key, a `json` fence,
`Action:` with a declared tool), which are held until they turn out to be something else. `TextWasReasoning` takes back
what was reported before it. A call with `finish_reason="incomplete"` is not whole and must keep that reason.
"""

from __future__ import annotations

from collections.abc import Sequence

from argwright.dialects.context import Context
from argwright.dialects.events import Event, TextSafe, ToolNames
from argwright.dialects.openers import DIALECTS
from argwright.dialects.reply import Reply
from argwright.dialects.source import Source, Steps
from argwright.errors import UnknownFormatError


class TextScanner:
    """Reads one reply's text as it arrives, and tells text, reasoning and calls apart.

    Its events stand in `argwright.dialects.events`: `TextSafe(text)` may be shown; `ReasoningText(text)`;
    `CallFound(call)` has a whole call, or at the end one that is cut; `TextWasReasoning(text)` takes back everything
    before it. However the text is cut into pieces, they add up to the same. Text is held back for no more than the
    length of a marker, unless its very beginning is that of a call.

    Args:
        tools: the declared tools (a `Toolbox`, or anything with `names` and `get(name)`); `None` reads nothing.
        dialects: the names of the dialects to read; `None` reads them all.
        reasoning: whether calls that end a reasoning block, with nothing after it, are taken.

    Raises:
        UnknownFormatError: no dialect has one of these names.
    """

    def __init__(
        self, tools: ToolNames | None, *, dialects: Sequence[str] | None = None, reasoning: bool = False
    ) -> None:
        enabled = _enabled(dialects)
        self._source = Source()
        self._steps: Steps[None] | None = None
        self._reply: Reply | None = None
        self._passed: list[str] = []  # pieces that are text, which the reader was not told of yet
        if tools is not None and enabled and any(True for _ in tools.names):
            forced = dialects is not None and len(enabled) == 1
            context = Context(tools, enabled, forced=forced, reasoning=reasoning)
            self._reply = Reply(context, self._source)
            self._steps = self._reply.read()

    def feed(self, text: str) -> list[Event]:
        """Take the next piece of text, of any length, and report what is certain by now; often nothing."""
        if not text:
            return []
        if self._steps is None:
            self._source.append(text)
            return [TextSafe(text)]
        self._catch_up()
        self._source.append(text)
        return self._advance(self._steps)

    def passes(self, text: str) -> bool:
        """Take the next piece if it is text whatever follows it, so that it may be shown at once; else take nothing.

        Cheaper than `feed`; what it takes is in no later event.
        """
        if self._reply is None or not self._reply.is_plain(text):
            return False
        self._passed.append(text)
        return True

    def _catch_up(self) -> None:
        """Read what passed; it is known to be text."""
        if self._passed and self._steps is not None:
            text = "".join(self._passed)
            self._passed.clear()
            self._source.append(text)
            self._advance(self._steps)

    @property
    def reached(self) -> int:
        """How many characters of the text, from its beginning, are decided: no call that may yet come holds them."""
        self._catch_up()
        return len(self._source.text) if self._steps is None or self._reply is None else self._reply.outlet.reached

    def written(self, start: int, end: int) -> str:
        """The text as it came, from one position to another."""
        self._catch_up()
        return self._source.text[start:end]

    def close(self, *, finished: bool = False) -> list[Event]:
        """The text has ended: report what was held back; an unfinished call comes as an incomplete one.

        Args:
            finished: the provider reported a normal end, which settles the notations that nothing else closes.
        """
        if self._steps is None:
            return []
        self._catch_up()
        self._source.ended = True
        self._source.finished = finished
        return self._advance(self._steps)

    def _advance(self, steps: Steps[None]) -> list[Event]:
        events: list[Event] = []
        for event in steps:
            if event is None:
                text = self._reply.outlet.flush() if self._reply else None
                return [*events, text] if text else events
            events.append(event)
        self._steps = None
        return events


def _enabled(dialects: Sequence[str] | None) -> frozenset[str]:
    if dialects is None:
        return DIALECTS
    unknown = sorted(set(dialects) - DIALECTS)
    if unknown:
        raise UnknownFormatError(f"no dialect is named {unknown[0]!r}; there are {', '.join(sorted(DIALECTS))}")
    return frozenset(dialects)
