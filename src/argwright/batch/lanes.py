"""From a row's schema, or what it refers to, to the lane that judges it.

A schema column holds, row by row, one of: nothing (the tools given to `clean` hold), the
text of a JSON Schema (of this row's tool), the text of a list of declarations (as a
request's `tools`), or a reference, looked up in the schemas given to `clean`. A schema
is compiled once a process, however many batches bring it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
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

NAMELESS = "arguments"
"""What the tool is called where a row brings a schema and no name."""

_KEPT = 512  # toolboxes in memory, each with its compiled schemas; a log has a handful


def lane_of_box(box: Toolbox, policy: Policy | None) -> Lane:
    """The lane of a toolbox; the same one for an equal box."""
    return _of_box(box, policy)


def lane_of_text(text: str, name: str | None, policy: Policy | None) -> Lane | str:
    """The lane of a schema or of declarations given as JSON text, or what is wrong with it."""
    return _of_text(text, name if text.lstrip().startswith("{") else None, policy)


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


@lru_cache(maxsize=64)
def _of_box(box: Toolbox, policy: Policy | None) -> Lane:
    return Lane(box, policy)


@lru_cache(maxsize=_KEPT)
def _of_text(text: str, name: str | None, policy: Policy | None) -> Lane | str:
    try:
        tools = _tools(json.loads(text), name or NAMELESS)
        return Lane(Toolbox(tools), policy) if tools else "nothing in it declares a function with its parameters"
    except DeclarationError as error:
        return str(error)
    except (ValueError, RecursionError) as error:
        return f"the schema is no JSON: {error}"


def _tools(declared: Any, name: str) -> list[Tool]:
    if isinstance(declared, list):
        return list(tools_from(declared))
    return [Tool.from_schema(name, declared)]
