"""Plainly valid calls, found by whole columns.

Nearly all calls of a log are valid, and most of those look alike. What a pattern of the
tool matches (`argwright.batch.pattern`) is valid and strict JSON, with its keys declared
and each there once; then only a mark in the text can raise a doubt, and where there is
one, what goes with the mark is asked as for any other call. The rest is for the lane.

A model writes the keys of an object in an order of its own. The orders of valid calls
that were missed are kept, a few, and patterns are made anew with them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

import orjson
import pyarrow as pa
from pyarrow import compute

from argwright.batch.columns import listed
from argwright.batch.pattern import COMPACT, LOOSE, Keys, pattern
from argwright.model import Json
from argwright.pipeline import glance
from argwright.pipeline.reading import is_whole
from argwright.policy import Limits
from argwright.rules import RuleSet
from argwright.tool import Tool

Array: TypeAlias = Any
"""A column of Arrow; its type is decided by the log, not by us."""

pc: Any = compute

FEW = 32
"""Calls of a tool in a batch; fewer are judged one by one, without a look at whole columns."""

_DEEP = 40  # more than any pattern nests
_LESSONS = 512  # missed calls of a tool that are looked at
_ORDERS = 32  # of keys that are kept of a tool
_ALL_BETWEEN = r'\A(?:[^"]|"(?: |[,:]*(?:[^"\\,: ]|\\.))*[,:]*")*\z'
"""Every blank behind a comma or a colon stands between strings."""


T = TypeVar("T")


class ByStyle(NamedTuple, Generic[T]):
    """What is written without blanks, and what may have some."""

    compact: T
    loose: T


class Sieve:
    """Finds the plainly valid calls of some tools.

    Args:
        tools: by name.
        rules: those that will judge the rest.
        limits: of a text.
    """

    def __init__(self, tools: Mapping[str, Tool], rules: RuleSet, limits: Limits) -> None:
        self._rules, self._longest = rules, limits.max_chars
        fit = rules.quick and limits.max_depth > _DEEP
        self._tools = {name: tool for name, tool in tools.items() if fit and glance.is_told_by_text(tool)}
        self._seen: dict[str, dict[Keys, None]] = {name: {} for name in self._tools}
        self._clues = "|".join(rules.clues)
        self._lessons = dict.fromkeys(self._tools, _LESSONS)
        self._patterns: dict[str, ByStyle[str] | None] = {}
        self._frequent: set[str] = set()

    def plain(self, names: Array, texts: Array, finishes: Array) -> Array:
        """The effective arguments of the calls that are plainly valid, as compact JSON text; null for the rest.

        Args:
            names: of the tools.
            texts: the arguments as they came.
            finishes: the provider's words for the end.
        """
        compact, loose = self._fits(names, texts, finishes)
        doubted = self._doubted(names, texts, pc.or_(compact, loose))
        compact, loose = pc.and_not(compact, doubted), pc.and_not(loose, doubted)
        as_they_are = pc.if_else(compact, texts, pa.scalar(None, texts.type))
        return pc.replace_with_mask(as_they_are, loose, _packed(texts.filter(loose)))

    def learn(self, name: str | None, value: Json) -> None:
        """Look at plainly valid arguments that no pattern matched."""
        if name not in self._frequent or not (left := self._lessons[name]):
            return
        self._lessons[name] = left - 1
        seen = self._seen[name]
        for keys in _orders(value):
            if len(seen) < _ORDERS and keys not in seen:
                seen[keys] = None
                self._patterns.pop(name, None)

    def _fits(self, names: Array, texts: Array, finishes: Array) -> tuple[Array, Array]:
        """Which rows match a pattern without blanks, and which of the others one with them."""
        whole, called = _whole(finishes), names.dictionary_encode()
        found = ByStyle[list[Array]]([], [])
        for number, name in _frequent(called):
            if name not in self._tools:
                continue
            self._frequent.add(name)
            mask = pc.equal(called.indices, number)
            places = pc.indices_nonzero(mask if whole is None else pc.and_(mask, whole))
            try:
                for expression, rows in zip(self._of(name) or (), found, strict=False):
                    fits = pc.match_substring_regex(texts.take(places), pattern=expression)
                    rows.append(places.filter(fits))
                    places = places.filter(pc.invert(fits))
            except pa.ArrowInvalid:  # more than an automaton can have
                self._patterns[name] = None
        return _mask(found.compact, len(texts)), _mask(found.loose, len(texts))

    def _of(self, name: str) -> ByStyle[str] | None:
        if name not in self._patterns:
            schema, seen = self._tools[name].schema, self._seen[name]
            compact, loose = (pattern(schema, style, seen) for style in (COMPACT, LOOSE))
            self._patterns[name] = None if loose is None or compact is None else ByStyle(compact, loose)
        return self._patterns[name]

    def _doubted(self, names: Array, texts: Array, fits: Array) -> Array:
        """Which of the rows that fit are too long, or have something in the text that raises a doubt."""
        marked = pc.and_(fits, pc.match_substring_regex(texts, pattern=self._clues))
        doubted = list(map(self._is_doubted, listed(names.filter(marked)), listed(texts.filter(marked))))
        found = pc.replace_with_mask(marked, marked, pa.array(doubted, pa.bool_()))
        if (pc.max(pc.binary_length(texts)).as_py() or 0) > self._longest:
            return pc.or_(found, pc.greater(pc.utf8_length(texts), self._longest))
        return found

    def _is_doubted(self, name: str, text: str) -> bool:
        tool = self._tools[name]
        return any(doubts(text, tool) for mark, doubts in self._rules.doubts if mark in text)


def _frequent(called: Array) -> list[tuple[int, str]]:
    """The values of a dictionary's column that stand in it often, with their numbers."""
    counted = pc.value_counts(called.indices)
    often = counted.filter(pc.greater_equal(counted.field("counts"), FEW)).field("values").drop_null()
    return list(zip(often.to_pylist(), called.dictionary.take(often).to_pylist(), strict=True))


def _packed(texts: Array) -> Array:
    """Texts that match a pattern with blanks, without those that are in no string."""
    mixed = pc.invert(pc.match_substring_regex(texts, pattern=_ALL_BETWEEN))
    made = map(orjson.dumps, map(orjson.loads, listed(texts.filter(mixed))))
    packed = pc.replace_substring(pc.replace_substring(texts, ", ", ","), ": ", ":")
    return pc.replace_with_mask(packed, mixed, pa.array(list(made), texts.type))


def _mask(places: list[Array], rows: int) -> Array:
    """Which of so many rows are among the places."""
    numbers = pa.array(range(rows), pa.uint64())
    return pc.is_in(numbers, value_set=pa.concat_arrays([pa.array([], pa.uint64()), *places]))


def _whole(finishes: Array) -> Array | None:
    """Which calls are not reported as cut; `None` for all of them."""
    said = finishes.dictionary_encode()
    words = [is_whole(word) for word in said.dictionary.to_pylist()]
    return None if all(words) else pc.fill_null(pa.array(words).take(said.indices), fill_value=True)


def _orders(value: Json) -> Iterator[Keys]:
    """The keys of every object inside, as they stand."""
    todo: list[Json] = [value]
    while todo:
        item = todo.pop()
        inside: Iterable[Json] = ()
        if isinstance(item, dict):
            yield tuple(item)
            inside = item.values()
        elif isinstance(item, list):
            inside = item
        todo.extend(child for child in inside if isinstance(child, (dict, list)))
