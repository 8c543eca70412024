"""Where in a text a repair of meaning or a violation stands, which the pipeline knows by its pointer only.

In a text that is JSON the pointer leads there: as it is, or below a wrapper, or as far as the part that holds the rest
as text. Elsewhere the field's name is looked for, and taken if it stands there once. What is found nowhere, or in more
than one place, is not marked.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from argwright import pointer as json_pointer
from argwright.proxy.json_spans import Place, places

Span = tuple[int, int]

_RENAMED = frozenset({"alias", "key-spelling"})  # `before` is the name that the model wrote
_UNDECLARED = frozenset({"additionalProperties", "unevaluatedProperties"})  # the key is what is wrong
_ABSENT = frozenset({"required", "dependentRequired"})
_QUOTES = "\"'`“”‘’"


class Finder:
    """Looks for places in one text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._places = places(text)

    def repair(self, repair: Mapping[str, Any]) -> Span | None:
        """Where a repair that has no span was at work."""
        tokens = json_pointer.split(str(repair.get("pointer") or ""))
        before = repair.get("before")
        if repair.get("rule") in _RENAMED and isinstance(before, str):
            return self._key((*tokens[:-1], before))
        if not tokens:
            return self._key(tuple(before)) if isinstance(before, dict) and len(before) == 1 else None
        return self._value(tokens)

    def issue(self, issue: Mapping[str, Any]) -> Span | None:
        """Where a violation stands; what is missing stands nowhere."""
        tokens = json_pointer.split(str(issue.get("pointer") or ""))
        keyword = issue.get("keyword")
        if not tokens or keyword in _ABSENT:
            return None
        return self._key(tokens) if keyword in _UNDECLARED else self._value(tokens)

    def _value(self, tokens: Sequence[str]) -> Span | None:
        if self._places is None:
            return self._named(tokens[-1])
        for length in range(len(tokens), 0, -1):
            place = _only(self._places, tokens[:length])
            if place is not None:
                return place.start, place.end
        return None

    def _key(self, tokens: Sequence[str]) -> Span | None:
        if self._places is None:
            return self._named(tokens[-1])
        place = _only(self._places, tokens)
        return None if place is None else place.key

    def _named(self, name: str) -> Span | None:
        """The only place where the name stands as a key, in whatever quotes."""
        if name.isdecimal():
            return None
        found = list(re.finditer(rf"(?<![\w-])[{_QUOTES}]?{re.escape(name)}[{_QUOTES}]?(?=\s*(?::|=|：))", self._text))
        return found[0].span() if len(found) == 1 else None


def _only(found: Sequence[Place], tokens: Sequence[str]) -> Place | None:
    """The place that a pointer names; else the only one whose path ends with it."""
    fitting = [place for place in found if place.path and _ends(place, tokens)]
    exact = [place for place in fitting if len(place.path) == len(tokens)]
    best = exact or fitting
    return best[0] if len(best) == 1 else None


def _ends(place: Place, tokens: Sequence[str]) -> bool:
    return tuple(str(token) for token in place.path[-len(tokens) :]) == tuple(tokens)
