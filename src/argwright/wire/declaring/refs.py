"""References inside one schema: where they lead, and which of them lead back to themselves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from argwright import pointer
from argwright.wire.declaring.modern import children


@dataclass(frozen=True)
class Document:
    """A schema in today's spelling, and the text it was declared with, to which a reference may still point."""

    root: Mapping[str, Any]
    declared: Mapping[str, Any]

    def target(self, ref: Any) -> Any:
        """What a reference names; `None` if that is outside this document or nowhere."""
        if not isinstance(ref, str) or not ref.startswith("#"):
            return None
        for document in (self.root, self.declared):
            try:
                found = pointer.get(document, ref[1:])
            except (LookupError, ValueError):
                continue
            if isinstance(found, (dict, bool)):
                return found
        return None

    @cached_property
    def cyclic(self) -> frozenset[str]:
        """The references that are reached again from their own target."""
        return frozenset(ref for ref in self._reached if ref in self._reachable(ref))

    @cached_property
    def _reached(self) -> Mapping[str, frozenset[str]]:
        """For each reference of the document, those that stand in its target."""
        found: dict[str, frozenset[str]] = {}
        waiting = list(references(self.root))
        while waiting:
            ref = waiting.pop()
            if ref not in found:
                found[ref] = frozenset(references(self.target(ref)))
                waiting += found[ref]
        return found

    def _reachable(self, start: str) -> frozenset[str]:
        seen: set[str] = set()
        waiting = list(self._reached[start])
        while waiting:
            ref = waiting.pop()
            if ref not in seen:
                seen.add(ref)
                waiting += self._reached[ref]
        return frozenset(seen)

    def leads_to_cycle(self, schema: Any) -> bool:
        """Whether a schema holds a reference that is cyclic, or that leads to one."""
        return any(ref in self.cyclic or self._reachable(ref) & self.cyclic for ref in references(schema))


def references(schema: Any, *, definitions: bool = False) -> list[str]:
    """Every `$ref` in a schema, without following any; those in its definitions only if asked for."""
    found: list[str] = []
    waiting = [schema]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            if isinstance(node.get("$ref"), str):
                found.append(node["$ref"])
            waiting += [sub for path, sub in children(node) if definitions or path[0] not in ("$defs", "definitions")]
    return found
