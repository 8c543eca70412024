"""The reasons of a refusal, as slugs: stable over versions, and what machines read in place of prose."""

from __future__ import annotations

from typing import Literal, TypeAlias

JsonReason: TypeAlias = Literal[
    "empty", "not_json", "truncated", "ambiguous", "several_values", "duplicate_key", "blocked",
    "too_long", "too_deep", "too_many_repairs",
]  # fmt: skip
SchemaReason: TypeAlias = Literal[
    "not_an_object", "missing", "unexpected", "type", "enum", "constraint", "alias_conflict",
    "absorbed", "rule_conflict",
]  # fmt: skip
Reason: TypeAlias = JsonReason | SchemaReason | Literal["unknown"]

SCHEMA_REASONS: tuple[str, ...] = (
    "not_an_object", "missing", "unexpected", "type", "enum", "constraint", "alias_conflict",
    "absorbed", "rule_conflict",
)  # fmt: skip
"""In the order in which one reason is chosen when a call has several issues."""
