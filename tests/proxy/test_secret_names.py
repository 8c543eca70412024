"""Sensitive fields by every name under which they may arrive."""

from __future__ import annotations

from argwright import Tool
from argwright.proxy.secret_names import known_names, secret_names

SCHEMA = {
    "type": "object",
    "properties": {
        "user": {"type": "string"},
        "password": {"type": "string", "format": "password"},
        "cards": {"type": "array", "items": {"type": "object", "properties": {"number": {"type": "string"}}}},
    },
}


def test_old_names_of_sensitive_fields_are_sensitive():
    tool = Tool.from_schema(
        "pay",
        SCHEMA,
        sensitive=("/cards/number",),
        aliases={"pwd": "password", "name": "user", "/cards/*/no": "number"},
    )
    assert secret_names([tool]) == ("/cards/*/no", "/cards/number", "password", "pwd")


def test_a_tool_without_any_has_none():
    plain = Tool.from_schema("look", {"type": "object", "properties": {"a": {}}}, aliases={"b": "a"})
    assert secret_names([plain]) == ()
    assert secret_names([]) == ()


def test_all_names_that_a_tool_knows():
    tool = Tool.from_schema("pay", {**SCHEMA, "$defs": {"x": {"anyOf": [{"properties": {"深": {}}}]}}}, aliases={"pwd": "password", "/cards/*/no": "number"})  # fmt: skip
    assert known_names([tool]) == ("cards", "no", "number", "password", "pwd", "user", "深")
    assert known_names([]) == ()
