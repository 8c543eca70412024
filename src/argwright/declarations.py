"""Declarations that exist already, in any provider's form → tools.

A declaration is known by the field that holds its schema, and the wrappers in which
providers put their lists are opened. What declares no function (a search the provider
runs itself, a free-text tool) is passed over: it never becomes a call with arguments.
Google's schema dialect writes types in capitals; they are read as JSON Schema's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from argwright.errors import DeclarationError
from argwright.model import Json
from argwright.sources import mapping, member
from argwright.tool import Tool

_LISTS = ("tools", "functionDeclarations", "function_declarations")
_WRAPPERS = ("function", "toolSpec", "custom")
_SCHEMAS = ("parameters", "parametersJsonSchema", "parameters_json_schema", "input_schema", "inputSchema")
_DATA = frozenset({"const", "enum", "default", "examples", "example"})  # keywords whose operand is no schema
_TYPES = {name.upper(): name for name in ("string", "number", "integer", "boolean", "array", "object", "null")}
_NOTHING: Mapping[str, Json] = {"type": "object", "properties": {}, "additionalProperties": False}


def tools_from(declared: Any) -> Iterator[Tool]:
    """The tools of a request's `tools` (or `toolConfig`), dicts or SDK objects.

    Raises:
        DeclarationError: an entry that declares a function has no name or a bad schema.
    """
    for entry in _entries(declared):
        inner = next((found for name in _WRAPPERS if (found := member(entry, name)) is not None), entry)
        schema = _schema(inner)
        if schema is None and not _is_function(entry, inner):
            continue
        yield Tool.from_schema(
            member(inner, "name"),
            _NOTHING if schema is None else schema,
            description=member(inner, "description") or "",
            annotations=mapping(member(inner, "annotations")) if member(inner, "inputSchema") is not None else {},
        )


def _entries(declared: Any) -> Iterator[Any]:
    """The single declarations, out of every list and wrapper."""
    inside = next((found for name in _LISTS if isinstance(found := member(declared, name), (list, tuple))), None)
    if inside is not None:
        yield from _all(inside)
    elif isinstance(declared, (list, tuple)):
        yield from _all(declared)
    elif isinstance(declared, (str, bytes)) or declared is None:
        raise DeclarationError(f"a list of declarations was expected, found {type(declared).__name__}")
    else:
        yield declared


def _all(entries: Iterable[Any]) -> Iterator[Any]:
    for entry in entries:
        yield from _entries(entry)


def _is_function(entry: Any, inner: Any) -> bool:
    """Whether an entry without a schema declares a function: it takes no arguments then."""
    kind = member(entry, "type")
    return kind == "function" or (kind is None and isinstance(member(inner, "name"), str))


def _schema(inner: Any) -> Any:
    found = next((value for name in _SCHEMAS if (value := member(inner, name)) is not None), None)
    if isinstance(found, Mapping) and set(found) == {"json"}:  # Bedrock's wrapper
        found = found["json"]
    return _plain(found)


def _plain(node: Any) -> Any:
    """The schema with Google's type names in JSON Schema's spelling."""
    if hasattr(node, "model_dump"):
        node = node.model_dump(exclude_none=True, mode="json", by_alias=True)
    if isinstance(node, Mapping):
        return {key: _member_plain(key, item) for key, item in node.items()}
    return [_plain(item) for item in node] if isinstance(node, (list, tuple)) else node


def _member_plain(key: str, item: Any) -> Any:
    if key in _DATA:
        return item
    return _TYPES.get(item, item) if key == "type" and isinstance(item, str) else _plain(item)
