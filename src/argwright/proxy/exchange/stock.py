"""The calls of a stream as a stock client reads them: by index, each id and name once, pieces joined.

`Accumulator` reads what a server meant; a client reads what stands there. Where both see the same calls, the events
can go to the client as they came. Where they do not (ids repeated, one index for all, pieces that hold everything so
far), the form itself is at fault, and the calls have to be written anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from argwright.model import CallDelta, ToolCall
from argwright.wire.deltas import ArgumentsDelta, CallEnd, Delta

_FINALS = 3  # times that a call is said whole


@dataclass(slots=True)
class StockCall:
    """One call as a client has it so far."""

    id: str | None
    name: str | None
    index: int | None
    item: str | None
    pieces: list[str] = field(default_factory=list)
    initial: Any = None
    final: Any = None
    free: bool = False
    ended: bool = False
    finals: int | None = None  # where calls are said whole: how often this one was
    closes: bool = False  # it has an event of its own that ends it

    @property
    def whole(self) -> bool:
        """Whether everything was said that says that the call is whole."""
        if self.finals is None:
            return self.ended or not self.closes
        return self.ended and self.finals == _FINALS

    @property
    def arguments(self) -> Any:
        """What the client takes for the arguments."""
        joined = "".join(self.pieces)
        return joined or (self.initial if self.final is None else self.final)


class Stock:
    """Reads the calls of one stream.

    Args:
        dense: their indices are 0, 1, 2, …
        closes: each is ended by an event of its own.
        confirms: each is said whole at its end, with its item, and with the reply.
        ids: each has one.

    Attributes:
        calls: in the order of first appearance.
        clean: whether the form is the documented one so far.
        placed: whether each block stands in the next place of the reply, where clients look for it.
    """

    def __init__(self, *, dense: bool = False, closes: bool = False, confirms: bool = False, ids: bool = True) -> None:
        self._closes = closes
        self._confirms = confirms
        self._dense = dense
        self._ids = ids
        self._next = 0
        self.calls: list[StockCall] = []
        self.clean = True
        self.placed = True
        self._by_index: dict[int, int] = {}
        self._by_item: dict[str, int] = {}

    def take(self, delta: Delta, item: str | None = None) -> int | None:
        """Take one delta: the number of the call that it belongs to, if any; `item`: the one that its event names."""
        number = self._number(delta)
        if number is not None and not _names(self.calls[number], item):
            self.clean = False
        return number

    def opened(self, place: int | None, *, call: bool) -> None:
        """An item opens in this place of the reply's; a call's is the next, or a client puts it elsewhere."""
        if place is None:
            return
        if self._closes:
            self.placed &= place == self._next
            self._next += 1
        else:
            self.clean &= not call or place == self._next
            self._next = place + 1

    def _number(self, delta: Delta) -> int | None:
        match delta:
            case ArgumentsDelta():
                return self._piece(delta)
            case CallDelta():
                return self._call(delta)
            case CallEnd():
                number = self._find(delta.index, delta.item)
                if number is not None:
                    self.calls[number].ended = True
                return number
            case _:
                return None

    def _find(self, index: int | None, item: str | None) -> int | None:
        if index is not None:
            return self._by_index.get(index)
        return self._by_item.get(item) if item is not None else None

    def number(self, index: int) -> int | None:
        """The number of the call with this index."""
        return self._by_index.get(index)

    def _piece(self, delta: ArgumentsDelta) -> int | None:
        number = self._find(delta.index, None)
        if number is None and self._dense:
            return self._misplaced(CallDelta(arguments=delta.text))
        if number is None and self._confirms:
            self.clean = False
            return self._opened(CallDelta(delta.index, arguments=delta.text))
        if number is None:
            return None  # it belongs to what is no call of ours
        self.calls[number].pieces.append(delta.text)
        return number

    def _call(self, delta: CallDelta) -> int | None:
        number = self._find(delta.index, delta.item)
        if number is None and delta.index is None and delta.item is None:
            return self._confirmed(delta) if delta.stage == "final" else self._misplaced(delta)
        if number is None:
            return self._opened(delta)
        call = self.calls[number]
        given = delta.input if delta.input is not None else delta.arguments
        if delta.stage == "final":
            call.final = given
            call.finals = (call.finals or 0) + 1
            self.clean &= _agree(call, delta) and _names(call, delta.item)
        else:
            self._more(call, delta, given)
        return number

    def _misplaced(self, delta: CallDelta) -> int:
        """A piece that says of no call that it is its own: it goes on with the last one, for what that is worth."""
        self.clean = False
        return len(self.calls) - 1 if self.calls else self._opened(delta)

    def _more(self, call: StockCall, delta: CallDelta, given: Any) -> None:
        """A further piece of a call, which says nothing but its text."""
        self.clean &= not (delta.id or delta.name) and (given is None or isinstance(given, str))
        if isinstance(given, str):
            call.pieces.append(given)

    def _opened(self, delta: CallDelta) -> int:
        number = len(self.calls)
        free, finals = delta.input is not None, 0 if self._confirms else None
        call = StockCall(delta.id, delta.name, delta.index, delta.item, free=free, finals=finals, closes=self._closes)
        given = delta.input if delta.input is not None else delta.arguments
        if delta.stage == "initial":
            call.initial = given
        elif isinstance(given, str):
            call.pieces.append(given)
        else:
            self.clean &= given is None
        self.clean &= self._is_documented(delta, number)
        self.calls.append(call)
        if delta.index is not None:
            self._by_index[delta.index] = number
        if delta.item is not None:
            self._by_item[delta.item] = number
        return number

    def _is_documented(self, delta: CallDelta, number: int) -> bool:
        """Whether a call begins with all that names it."""
        empty = delta.stage == "piece" or not delta.arguments
        own = not self._ids if delta.id is None else all(delta.id != one.id for one in self.calls)
        placed = not self._dense or delta.index == number
        return own and placed and empty and delta.name is not None and delta.stage != "final"

    def _confirmed(self, delta: CallDelta) -> int | None:
        """A call said once more, whole, at the end of the reply: the same, or the form is at fault."""
        number = next((place for place, call in enumerate(self.calls) if call.id == delta.id), None)
        if number is None:
            self.clean = False
            return None
        call = self.calls[number]
        call.final = delta.input if delta.input is not None else delta.arguments
        call.finals = (call.finals or 0) + 1
        self.clean &= _agree(call, delta) and _names(call, delta.item)
        return number

    def agrees(self, calls: Sequence[ToolCall]) -> bool:
        """Whether these are the calls that a client has."""
        return self.clean and len(calls) == len(self.calls) and self.begins(calls)

    def begins(self, calls: Sequence[ToolCall]) -> bool:
        """Whether a client's first calls are these."""
        return all(_same(stock, call) for stock, call in zip(self.calls, calls, strict=False))


def _agree(call: StockCall, delta: CallDelta) -> bool:
    """Whether a later whole says what the pieces said."""
    named = delta.name in (None, call.name) and delta.id in (None, call.id)
    return named and (call.final or "") == "".join(call.pieces)


def _names(call: StockCall, item: str | None) -> bool:
    """Whether an event that names this item, or none, goes on with the call's own."""
    return item is None or call.item is None or item == call.item


def _same(stock: StockCall, call: ToolCall) -> bool:
    given = call.input if call.input is not None else call.arguments
    return stock.id in (None, call.id) and stock.name == call.name and (stock.arguments or "") == (given or "")


def grows(delta: Delta) -> bool:
    """Whether a delta is a further piece of a call's text."""
    match delta:
        case ArgumentsDelta():
            return bool(delta.text)
        case CallDelta():
            return delta.stage == "piece" and bool(delta.arguments or delta.input)
        case _:
            return False


def adds(delta: Delta) -> bool:
    """Whether it is one that says something."""
    return grows(delta) and not (isinstance(delta, ArgumentsDelta) and delta.text.isspace())
