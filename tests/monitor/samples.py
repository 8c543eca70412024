"""Outcomes to watch: one toolbox, and calls of each kind."""

from __future__ import annotations

from typing import Any

import argwright as aw

SECRET = "hunter2-秘密-🔑"
SCHEMA = {
    "type": "object",
    "properties": {
        "city": {"type": "string"},
        "days": {"type": "integer"},
        "labels": {"type": "object", "additionalProperties": {"type": "string"}},
        "stops": {"type": "array", "items": {"type": "object", "properties": {"km": {"type": "number"}}}},
    },
    "required": ["city"],
    "additionalProperties": False,
}
FORECAST = aw.Tool.from_schema("forecast", SCHEMA, description="Wetter", name_aliases=["weather"])
TIDES = aw.Tool.from_schema("tides", {"type": "object"})
BOX = aw.Toolbox([FORECAST, TIDES])


def resolved(arguments: Any = '{"city": "Ærø"}', name: str | None = "forecast", **more: Any) -> Any:
    return BOX.resolve(aw.ToolCall("call_1", name, arguments, **more))


VALID = resolved()
MENDED = resolved("```\n{'city': 'Ærø',}\n```", "weather")
TYPE = resolved('{"city": 3}')
MISSING = resolved("{}")
NO_JSON = resolved("city=Ærø")
CUT = resolved('{"city": "Ær')
UNKNOWN = resolved("{}", "forecst")
OTHER = resolved("{}", "tides")
