"""What a client gave, on its way to the loop: a refused request, a reply that is being streamed."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Any

from argwright.clients import is_broken, is_refusal
from argwright.loop import Refused
from argwright.run.preparing import Prepared
from argwright.stream import Accumulator

_log = logging.getLogger("argwright.run")
END = object()
"""The end of a stream."""


def refused(error: Exception) -> Refused:
    """What the loop is told of an error that it may do something about; every other is raised."""
    if not is_refusal(error):
        raise error
    return Refused(error=error)


class Reading:
    """A reply that is being streamed."""

    def __init__(self, prepared: Prepared) -> None:
        self.accumulator = Accumulator(prepared.setup.form, tools=prepared.setup.box)
        self.on_event = prepared.on_event if prepared.stream and prepared.on_event is not None else _nothing
        self._began = False

    def feed(self, chunk: Any) -> Iterable[Any]:
        """What the model wrote with this chunk."""
        self._began = True
        return self.accumulator.feed(chunk)

    def broken(self, error: Exception) -> Any:
        """The end, of a stream that broke off after it began; every other error is raised."""
        if not self._began or not is_broken(error):
            raise error
        _log.warning("the stream broke off: %s", type(error).__name__)
        return END


def _nothing(_event: Any) -> None:
    """Nobody wants to know."""
