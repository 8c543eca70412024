"""The shape of calls and tools that OpenAI began and others took over: `{"id", "type", "function": {"name", …}}`.

What differs between those who took it over (an object or text as arguments, indices, ids
that are missing) stays in their own modules.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from argwright.model import ToolCall
from argwright.wire.format import Answer, Declaration
from argwright.wire.plain import arguments, identifier, mapping, rest, word

_FIELDS = frozenset({"id", "index", "type", "function"})


def call(entry: Mapping[str, Any]) -> ToolCall:
    """A call, whole or a piece of one; what else it holds is carried through."""
    function = mapping(entry.get("function"))
    return ToolCall(
        identifier(entry.get("id")),
        word(function.get("name")),
        arguments(function.get("arguments")),
        extra=rest(entry, _FIELDS),
    )


def written(answer: Answer) -> dict[str, Any]:
    """A call with its arguments as JSON text."""
    return {"id": answer.id, "type": "function", "function": {"name": answer.name, "arguments": answer.text}}


def tool(declaration: Declaration) -> dict[str, Any]:
    """One member of `tools`; `strict` only if it is asked for."""
    function = {
        "name": declaration.name,
        "description": declaration.description,
        "parameters": dict(declaration.schema),
    }
    return {"type": "function", "function": function | ({"strict": True} if declaration.strict else {})}


def flat_tool(declaration: Declaration) -> dict[str, Any]:
    """One member of `tools` where the function stands in no object of its own; strictness is not told."""
    return {
        "type": "function",
        "name": declaration.name,
        "description": declaration.description,
        "parameters": dict(declaration.schema),
    }
