"""Pieces of calls that go out before the call is whole: as long as they are the beginning of a valid one.

A piece goes out while the tool is declared under exactly this name, what has come is the beginning of one JSON object,
and no value in it rules the call out. The piece that makes the object whole waits, and so does all that ends the call:
a client never has a whole call that is not valid. What has gone out cannot be taken back: at the end a call can only be
continued, if its effective arguments begin with what went out.
"""

from __future__ import annotations

import json
import re
from typing import Any

from argwright.model import compact
from argwright.proxy.exchange.stock import StockCall
from argwright.stream.doom import Doom, is_plain
from argwright.stream.progress import Progress
from argwright.toolbox import Toolbox

_STRUCTURE = re.compile(r'"(?:[^"\\]|\\.)*"?|[{}\[\]]', re.DOTALL)
_BLANKS = " \t\r\n"
_CLOSERS = {"{": "}", "[": "]"}


class Optimist:
    """Watches the calls of one stream.

    Args:
        box: the declared tools; a call of any other waits until it is whole.

    Attributes:
        said: how much of each call has come.
        sent: how much of each call has gone out.
    """

    def __init__(self, box: Toolbox) -> None:
        self._box = box
        self._watched: dict[int, Progress] = {}
        self._doomed: set[int] = set()
        self.said: dict[int, int] = {}
        self.sent: dict[int, int] = {}

    def feed(self, number: int, call: StockCall, text: str) -> None:
        """A piece of a call's arguments came."""
        progress = self._watched.get(number) or self._watch(number, call)
        progress.feed(text)
        self.said[number] = self.said.get(number, 0) + len(text)

    def _watch(self, number: int, call: StockCall) -> Progress:
        progress = self._watched[number] = Progress()
        tool = self._box.get(call.name)
        if tool is not None and is_plain(tool.schema):
            progress.watch(Doom(tool, lambda *_: self._doomed.add(number)))
        return progress

    def passes(self, number: int, call: StockCall, *, ends: bool) -> bool:
        """Whether what has come of a call may go out; `ends`: its end as well."""
        if call.free:
            return True
        if ends or call.name not in self._box.names or number in self._doomed:
            return False
        progress = self._watched.get(number)
        return progress is None or not (progress.broken or progress.ended)


def continuation(said: str, arguments: dict[str, Any]) -> str | None:
    """What makes of the beginning of a text the text of these arguments; `None`, if nothing does."""
    wanted = compact(arguments)
    begun = said.lstrip(_BLANKS)
    for text in (wanted, json.dumps(arguments, ensure_ascii=False), json.dumps(arguments)):
        if text.startswith(begun):
            return text[len(begun) :]
    closers = _closers(said)
    try:
        return closers if compact(json.loads(said + closers)) == wanted else None
    except (ValueError, RecursionError):
        return None


def _closers(said: str) -> str:
    """What closes everything that a text leaves open."""
    waiting: list[str] = []
    for sign in _STRUCTURE.findall(said):
        if sign in _CLOSERS:
            waiting.append(_CLOSERS[sign])
        elif sign in ("}", "]") and waiting:
            waiting.pop()
    return "".join(reversed(waiting))
