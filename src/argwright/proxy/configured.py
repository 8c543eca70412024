"""What the configuration says of tools, laid over what a request declares; and the configuration as a cache's key."""

from __future__ import annotations

from dataclasses import replace

from argwright.errors import DeclarationError
from argwright.proxy.settings import Mending, ToolSettings
from argwright.tool import Tool


class Configured:
    """The settings as a key: compared by what they are, since mappings have no hash."""

    def __init__(self, mending: Mending) -> None:
        self.mending = mending

    def __hash__(self) -> int:
        return hash((self.mending.policy, self.mending.limits, tuple(self.mending.tools)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Configured) and (other.mending is self.mending or other.mending == self.mending)


def with_settings(tool: Tool, settings: ToolSettings | None) -> Tool:
    """The tool with what the configuration says of it; aliases that do not fit this declaration are left out."""
    if settings is None:
        return tool
    policy = settings.policy or tool.policy
    kept = replace(tool, sensitive={*tool.sensitive, *settings.sensitive}, policy=policy)
    try:
        return replace(
            kept,
            aliases=settings.aliases,
            value_aliases=settings.value_aliases,
            name_aliases=settings.name_aliases,
        )
    except DeclarationError:  # the caller's version of the tool has other fields
        return kept
