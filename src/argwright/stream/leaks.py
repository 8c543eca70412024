"""The text and the reasoning of a reply, and calls that leaked into the text.

Where tools are declared, the text is read for calls while it arrives, so that their
markup is not shown. Structured calls win: with one in the reply, calls found in its
text are not calls, and the text stays as it came.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from argwright.dialects import CallFound, Event, Reading, ReasoningText, TextSafe, TextScanner, add_up
from argwright.model import ToolCall
from argwright.stream.events import StreamEvent
from argwright.wire.deltas import ReasoningDelta, TextDelta


class Leaks:
    """Gathers text and reasoning.

    Args:
        tools: the declared tools; without them all text is text.
        dialects: which dialects are looked for; `None` all, `()` none.
        events: where what may be shown is reported.

    Attributes:
        salvaged: the calls come from a text that the provider quoted in its error, which therefore did not cut them.
        continued: text came after the reason for the end; the text is read once more when all is there.

    Raises:
        UnknownFormatError: no dialect has one of these names.
    """

    def __init__(self, tools: Any, dialects: Sequence[str] | None, events: list[StreamEvent]) -> None:
        reads = tools is not None and (dialects is None or len(dialects) > 0)
        self._scanner = TextScanner(tools, dialects=dialects) if reads else None
        self._tools = tools
        self._dialects = dialects
        self._events = events
        self._text: list[str] = []
        self._reasoning: list[str] = []
        self._keyed: dict[str, list[str]] = {}
        self._found: list[Event] = []
        self._closed = False
        self.salvaged = False
        self.continued = False
        self.size = 0

    @property
    def reads(self) -> bool:
        """Whether the text is looked at at all."""
        return self._scanner is not None

    def text(self, delta: TextDelta) -> None:
        """A piece of the text."""
        self._text.append(delta.text)
        self.size += len(delta.text)
        if self._scanner is None:
            self._events.append(delta)
        elif self._closed:
            self.continued = True
            self._events.append(delta)
        else:
            self._show(self._scanner.feed(delta.text))

    def reasoning(self, delta: ReasoningDelta) -> None:
        """A piece of the reasoning, from a channel of its own: it is never read for calls."""
        self._reasoning.append(delta.text)
        self.size += len(delta.text)
        if delta.key:
            self._keyed.setdefault(delta.key, []).append(delta.text)
        self._events.append(delta)

    def _show(self, found: Sequence[Event]) -> None:
        for event in found:
            self._found.append(event)
            if isinstance(event, TextSafe):
                self._events.append(TextDelta(event.text))
            elif isinstance(event, ReasoningText):
                self._events.append(ReasoningDelta(event.text))

    @property
    def taken_out(self) -> bool:
        """Whether the text held something that is no text: where a provider says it once more, that is not the text."""
        return any(not isinstance(event, TextSafe) for event in self._found)

    @property
    def keyed(self) -> dict[str, str]:
        """The reasoning under the names by which the provider wants it back."""
        return {key: "".join(pieces) for key, pieces in self._keyed.items()}

    def calls(self, error: Any = None, *, finished: bool = False) -> tuple[ToolCall, ...]:
        """The text is at its end: the calls in it, once.

        Args:
            error: what the provider reported; it may quote the text that it could not read as a call.
            finished: it reported a normal end.
        """
        if self._scanner is None or self._closed:
            return ()
        self._closed = True
        self._show(self._scanner.close(finished=finished))
        return add_up(self._found).calls or self._salvaged(error)

    def _salvaged(self, error: Any) -> tuple[ToolCall, ...]:
        """Calls in a text that a provider quotes because it could not read them (`failed_generation`).

        The text is all that the model wrote, so these calls are not cut by the error itself.
        """
        quoted = error.get("failed_generation") if isinstance(error, dict) else None
        if not isinstance(quoted, str):
            return ()
        found = add_up(self._scanned(quoted)).calls
        self.salvaged = bool(found)
        return found

    def _scanned(self, text: str, *, finished: bool = False) -> list[Event]:
        scanner = TextScanner(self._tools, dialects=self._dialects)
        return [*scanner.feed(text), *scanner.close(finished=finished)]

    def close(self, *, structured: bool, finished: bool = False) -> Reading:
        """The text and the reasoning.

        Args:
            structured: the reply has structured calls, so that the text has none.
            finished: the provider reported a normal end.
        """
        said, thought = "".join(self._text), "".join(self._reasoning)
        if self._scanner is None:
            return Reading((), said, thought)
        if not self._closed:
            self._closed = True
            self._show(self._scanner.close(finished=finished))
        found = self._scanned(said, finished=finished) if self.continued else self._found
        if structured and any(isinstance(event, CallFound) for event in found):
            return Reading((), said, thought)
        reading = add_up(found)
        return Reading(reading.calls, reading.text, thought + reading.reasoning)
