"""Under which names a tool's sensitive fields arrive: the declared ones, and the old ones that are aliases of them.

A call that is refused keeps its fields under the names that the model wrote, so what is masked must know those as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from argwright import pointer
from argwright.tool import Tool


def secret_names(tools: Iterable[Tool]) -> tuple[str, ...]:
    """Names and JSON Pointers of the sensitive fields of these tools, sorted."""
    return tuple(sorted({name for tool in tools if tool.sensitive for name in (*tool.sensitive, *_old_names(tool))}))


def _old_names(tool: Tool) -> Iterator[str]:
    for old, new in tool.aliases.items():
        path = pointer.split(old) if old.startswith("/") else (old,)
        above = ["0" if token == "*" else token for token in path[:-1]]  # noqa: S105  # any item of a list
        if tool.mask.covers((*above, new)):
            yield old
