"""`TextScanner`: calls that a model wrote as text, found while the text arrives.

The interface:

    scanner = TextScanner(tools, dialects=None, reasoning=False)
    scanner.feed(text)  -> list of events   TextSafe | ReasoningText | CallFound | TextWasReasoning
    scanner.close()     -> list of events   what was held back; an unfinished call comes as an incomplete one
    add_up(events)      -> Reading(calls, text, reasoning)

`tools` is anything with `names` and `get(name)` (a `Toolbox`); without tools nothing is read and all is text.
`dialects` limits what is read: `None` is every dialect, `()` none. `reasoning=True` also takes a call that ends a
reasoning block with nothing after it.

Events, added up, are the same however the text is cut. Plain text is held back for no more than a marker's length;
the exceptions are texts whose very beginning is a call's (a JSON object with a declared name, a `json` fence,
`Action:`), which are held until they turn out to be something else. `TextWasReasoning` takes back what was reported
before it. A call with `finish_reason="incomplete"` is not whole and must keep that reason.
"""

from __future__ import annotations

from collections.abc import Sequence

from argwright.dialects.events import Event, TextSafe, ToolNames


class TextScanner:
    """Reads one reply's text as it arrives; see the module's text.

    Args:
        tools: the declared tools; `None` reads nothing.
        dialects: the names of the dialects to read; `None` reads them all.
        reasoning: whether a call that ends a reasoning block, with nothing after it, is taken.

    Raises:
        UnknownFormatError: no dialect has one of these names.
    """

    def __init__(
        self, tools: ToolNames | None, *, dialects: Sequence[str] | None = None, reasoning: bool = False
    ) -> None:
        self._tools = tools
        self._dialects = dialects
        self._reasoning = reasoning

    def feed(self, text: str) -> list[Event]:
        """Take the next piece of text and report what is certain by now."""
        return [TextSafe(text)] if text else []

    def close(self) -> list[Event]:
        """The text has ended: report what was held back."""
        return []
