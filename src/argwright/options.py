"""What the ways to declare a tool take, beside what they declare it from."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, TypedDict

from argwright.model import Json
from argwright.policy import Policy


class ToolOptions(TypedDict, total=False):
    """What every way to make a tool takes; see `Tool`."""

    description: str | None
    aliases: Mapping[str, str]
    name_aliases: Collection[str]
    value_aliases: Mapping[str, Mapping[Any, Json]]
    sensitive: Collection[str]
    budget: Any
    annotations: Mapping[str, Any] | None
    policy: Policy | None
    injected: Collection[str]
    timeout: float | None
    parallel: bool
    max_result: int


class DecoratorOptions(ToolOptions, total=False):
    """What `tool` takes besides."""

    name: str | None
    additional_properties: bool | Mapping[str, Json]
