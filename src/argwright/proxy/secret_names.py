"""Under which names a tool's sensitive fields arrive: the declared ones, and the old ones that are aliases of them.

A call that is refused keeps its fields under the names that the model wrote, so what is masked must know those as well.
And a model misspells: what stands under a name that the tool does not know at all may be the secret, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from argwright import pointer
from argwright.tool import Tool


def secret_names(tools: Iterable[Tool]) -> tuple[str, ...]:
    """Names and JSON Pointers of the sensitive fields of these tools, sorted."""
    return tuple(sorted({name for tool in tools if tool.sensitive for name in (*tool.sensitive, *_old_names(tool))}))


def known_names(tools: Iterable[Tool]) -> tuple[str, ...]:
    """Names of all fields of these tools, old ones among them, at any depth, sorted."""
    return tuple(sorted({name for tool in tools for name in (*_declared(tool.schema), *_aliases(tool))}))


def _declared(schema: Any) -> Iterator[str]:
    """Names of the properties in a schema."""
    match schema:
        case Mapping():
            properties = schema.get("properties")
            yield from properties if isinstance(properties, Mapping) else ()
            for inner in schema.values():
                yield from _declared(inner)
        case list() | tuple():
            for inner in schema:
                yield from _declared(inner)
        case _:
            pass


def _aliases(tool: Tool) -> Iterator[str]:
    for old in tool.aliases:
        yield pointer.split(old)[-1] if old.startswith("/") else old


def _old_names(tool: Tool) -> Iterator[str]:
    for old, new in tool.aliases.items():
        path = pointer.split(old) if old.startswith("/") else (old,)
        above = ["0" if token == "*" else token for token in path[:-1]]  # noqa: S105  # any item of a list
        if tool.mask.covers((*above, new)):
            yield old
