"""What users write to declare tools; checked, never run."""

from __future__ import annotations

from typing import Annotated, Any, Literal, assert_type

from pydantic import BaseModel, Field

import argwright as aw


@aw.tool
def plain(query: str) -> str:
    """Search."""
    return query


@aw.tool(aliases={"q": "query"}, sensitive={"token"})
def with_options(
    query: str, token: str, limit: Annotated[int, Field(ge=1)] = 10, sort: Literal["a", "b"] = "a"
) -> list[str]:
    """Search."""
    return [query, token, sort][:limit]


class Order(BaseModel):
    """An order."""

    number: int
    note: str | None = None


def declared(schema: dict[str, Any]) -> aw.Toolbox:
    by_schema = aw.Tool.from_schema("read_file", schema, description="reads a file", annotations={"readOnlyHint": True})
    assert_type(by_schema, aw.Tool)
    by_model = aw.Tool.from_model(Order)
    return aw.Toolbox([plain, with_options, by_schema, by_model], policy=aw.Policy.EXACT)


def declarations(box: aw.Toolbox) -> Any:
    return box.declare("openai-chat", strict=True)
