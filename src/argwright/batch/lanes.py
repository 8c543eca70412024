"""From a row's schema, or what it refers to, to the lane that judges it.

A schema column holds, row by row, one of: nothing (the tools given to `clean` hold), the
text of a JSON Schema (of this row's tool), the text of a list of declarations (as a
request's `tools`), or a reference, looked up in the schemas given to `clean`. A schema
is compiled once a process, however many batches bring it.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, TypeAlias

from argwright.batch.lane import Lane
from argwright.declarations import tools_from
from argwright.errors import DeclarationError
from argwright.policy import Policy
from argwright.tool import Tool
from argwright.toolbox import Toolbox

Schemas: TypeAlias = Mapping[str, Any]
"""What references lead to: a JSON Schema, a list of declarations, or a toolbox, by reference."""

_NOTHING = "nothing in it declares a function with its parameters"

NAMELESS = "arguments"
"""What the tool is called where a row brings a schema and no name."""

_MOST = 2_000_000
"""Characters of declarations whose lanes are kept: with what is made of them some 200 megabytes."""

_ANSWERS_OF_A_LIST, _ANSWERS_OF_A_SCHEMA = 256, 16  # each lane keeps: a log has few lists, and maybe many schemas


def lane_of_box(box: Toolbox, policy: Policy | None) -> Lane:
    """The lane of a toolbox; the same one for an equal box."""
    return _of_box(box, policy)


def lane_of_text(text: str, name: str | None, policy: Policy | None) -> Lane | str:
    """The lane of a schema or of declarations given as JSON text, or what is wrong with it."""
    is_schema = text.lstrip().startswith("{")
    return _kept.get(text, (name or NAMELESS) if is_schema else None, policy)


def lane_of_reference(schemas: Schemas, reference: str, name: str | None, policy: Policy | None) -> Lane | str:
    """The lane of what a reference leads to, or what is wrong with it."""
    found = schemas.get(reference)
    if found is None:
        return f"no schema is given for the reference {reference!r}"
    if isinstance(found, Toolbox):
        return _of_box(found, policy)
    return lane_of_text(json.dumps(found), name, policy)


def is_text(cell: str) -> bool:
    """Whether a cell holds JSON text and no reference."""
    return cell.lstrip()[:1] in ("{", "[")


@lru_cache(maxsize=32)
def _of_box(box: Toolbox, policy: Policy | None) -> Lane:
    return Lane(box, policy)


class _Kept:
    """The lanes that were used last, by what declares their tools, up to so many characters of it."""

    def __init__(self, most: int) -> None:
        self._lanes: OrderedDict[tuple[str, str | None, Policy | None], Lane | str] = OrderedDict()
        self._most, self._size = most, 0

    def get(self, text: str, name: str | None, policy: Policy | None) -> Lane | str:
        """The lane of a list of declarations; or of a schema, if it has a name."""
        key = (text, name, policy)
        found = self._lanes.get(key)
        if found is not None:
            self._lanes.move_to_end(key)
            return found
        made = _of_list(text, policy) if name is None else _of_schema(text, name, policy)
        self._lanes[key] = made
        self._size += len(text)
        while self._size > self._most and len(self._lanes) > 1:
            (old, *_), _ = self._lanes.popitem(last=False)
            self._size -= len(old)
        return made


_kept = _Kept(_MOST)


def _of_list(text: str, policy: Policy | None) -> Lane | str:
    return _made(text, lambda declared: list(tools_from(declared)), policy, _ANSWERS_OF_A_LIST)


def _of_schema(text: str, name: str, policy: Policy | None) -> Lane | str:
    return _made(text, lambda schema: [Tool.from_schema(name, schema)], policy, _ANSWERS_OF_A_SCHEMA)


def _made(text: str, declare: Callable[[Any], list[Tool]], policy: Policy | None, kept: int) -> Lane | str:
    try:
        tools = declare(json.loads(text))
        return Lane(Toolbox(tools), policy, kept=kept) if tools else _NOTHING
    except DeclarationError as error:
        return str(error)
    except (ValueError, RecursionError) as error:
        return f"the schema is no JSON: {error}"
