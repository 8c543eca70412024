"""Arguments before and after → rows, one a field, each with what became of it.

Before is what stands in the text once its notation is read, after is what ran. Values are JSON text, so that no integer
loses a digit on its way to a browser. A value that stands under another name or at another place now, and was found
there alone, has moved.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from argwright import pointer
from argwright.model import compact

Change = Literal["same", "changed", "added", "removed", "moved"]

MAX_ROWS = 400  # that a page shows
MAX_VALUE = 4_000  # characters of one value; the text has it whole


def fields(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str, str]]:
    """The scalars and empty containers of a value, with their pointers, as JSON text."""
    match value:
        case dict() if value:
            for key, item in value.items():
                yield from fields(item, (*path, key))
        case list() if value:
            for index, item in enumerate(value):
                yield from fields(item, (*path, index))
        case _:
            yield pointer.join(path), compact(value)


def rows(before: Any, after: Any) -> list[dict[str, Any]]:
    """What became of each field, in the order in which they stand; those that were added come last."""
    old, new = dict(fields(before)), dict(fields(after))
    moved = _moved(old, new)
    gone = set(moved.values())
    told: list[dict[str, Any]] = []
    for place, text in old.items():
        if place in new:
            told.append(_row(place, text, new[place], "same" if text == new[place] else "changed"))
        elif place not in gone:
            told.append(_row(place, text, None, "removed"))
    for place, text in new.items():
        if place in moved:
            told.append(_row(place, old[moved[place]], text, "moved") | {"from": moved[place]})
        elif place not in old:
            told.append(_row(place, None, text, "added"))
    return told[:MAX_ROWS]


def _moved(old: Mapping[str, str], new: Mapping[str, str]) -> dict[str, str]:
    """The new places of values that stand elsewhere now, with their old ones."""
    lost = [(place, text) for place, text in old.items() if place not in new]
    found = [(place, text) for place, text in new.items() if place not in old]
    moved: dict[str, str] = {}
    for place, text in found:
        sources = [source for source, value in lost if value == text]
        targets = [target for target, value in found if value == text]
        same_name = [source for source in sources if source.rpartition("/")[2] == place.rpartition("/")[2]]
        if len(same_name) == 1 or (len(sources) == 1 and len(targets) == 1):
            moved[place] = (same_name or sources)[0]
    return moved if len(set(moved.values())) == len(moved) else {}


def _row(place: str, before: str | None, after: str | None, change: Change) -> dict[str, Any]:
    return {"pointer": place, "before": shortened(before), "after": shortened(after), "change": change}


def shortened(text: str | None, limit: int = MAX_VALUE) -> str | None:
    """The text, or its beginning and how much there is of it."""
    if text is None or len(text) <= limit:
        return text
    return f"{text[:limit]}… ({len(text)})"
