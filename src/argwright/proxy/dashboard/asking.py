"""A query string → what is asked of the journal, or a request that is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from argwright.proxy.journal import Filter
from argwright.proxy.repair import BadRequestError

MAX_HOURS = 24 * 366
_FACETS = ("tool", "model", "kind", "reason", "rule", "upstream", "protocol", "status")
_STEPS = ((1, 60), (6, 300), (24, 900), (24 * 7, 7_200), (24 * 31, 21_600))  # hours → seconds: some hundred bars
_DAY = 86_400


def wanted(query: Mapping[str, str], now: float) -> Filter:
    """The calls that are meant.

    Raises:
        BadRequestError: `hours` is no number of hours.
    """
    asked: dict[str, Any] = {name: query[name] for name in _FACETS if query.get(name)}
    return replace(Filter(since=now - hours(query) * 3600), **asked)


def hours(query: Mapping[str, str]) -> int:
    """How many hours back the page looks.

    Raises:
        BadRequestError: it is no number of hours.
    """
    return whole(query, "hours", 24, MAX_HOURS)


def whole(query: Mapping[str, str], name: str, default: int, most: int) -> int:
    """A whole number from 1.

    Raises:
        BadRequestError: it is none.
    """
    text = query.get(name)
    if text is None:
        return default
    if not (text.isascii() and text.isdigit() and len(text) < 19) or not 1 <= int(text) <= most:  # noqa: PLR2004  # 64 bits
        raise BadRequestError(f"?{name}", f"a whole number from 1 to {most} was expected")
    return int(text)


def step(span: int) -> int:
    """The seconds of one bar, for so many hours."""
    return next((seconds for most, seconds in _STEPS if span <= most), _DAY)
