"""A small toolbox, and how a text that was read is told so that it can be compared."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import argwright as aw
from argwright.dialects import Reading, TextScanner, add_up


def _object(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "additionalProperties": False}


TEXT = {"type": "string"}
SCHEMAS = {
    "book_table": _object(
        place=TEXT, people={"type": "integer"}, outdoors={"type": "boolean"}, notes={"type": ["string", "null"]}
    ),
    "list_ships": _object(),
    "save_note": _object(path=TEXT, text=TEXT),
    "search_archive": _object(
        query=TEXT, limit={"type": "integer"}, tags={"type": "array", "items": TEXT}, filters={"type": "object"}
    ),
}
BOX = aw.Toolbox([aw.Tool.from_schema(name, schema) for name, schema in SCHEMAS.items()])


def scan(pieces: Iterable[str], *, finished: bool = False, **options: Any) -> Reading:
    """What a text says that arrives in these pieces."""
    scanner = TextScanner(BOX, **options)
    events = [event for piece in pieces for event in scanner.feed(piece)]
    return add_up([*events, *scanner.close(finished=finished)])


def told(reading: Reading) -> list[dict[str, Any]]:
    """The calls, resolved: their arguments, or why they are refused."""
    return [_told(call) for call in reading.calls]


def _told(call: aw.ToolCall) -> dict[str, Any]:
    ids = {} if call.id is None else {"id": call.id}
    match BOX.resolve(call):
        case aw.ValidCall(arguments) as valid:
            return {"name": valid.tool.name, "arguments": arguments, **ids}
        case aw.InvalidCall(kind, reason):
            return {"name": call.name, "refused": f"{kind.value}/{reason}", **ids}
