"""Valid calls of functions, made by hand."""

from __future__ import annotations

from typing import Any

import argwright as aw


def valid(tool: aw.Tool, call_id: str = "c1", **arguments: Any) -> aw.ValidCall:
    return aw.ValidCall(call=aw.ToolCall(call_id, "written", "…"), tool=tool, arguments=arguments)
