"""How a rule's tables are run: through the real pipeline, with that rule alone."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

import pytest

from argwright.model import InvalidCall, Outcome, ToolCall, ValidCall, compact
from argwright.pipeline import resolve_with
from argwright.policy import Policy
from argwright.rules import Example, Rule, RuleSet
from argwright.tool import Tool


def resolved(rules: RuleSet, example: Example, policy: Policy = Policy.STANDARD) -> Outcome:
    tool = _tool(_ById(example))
    written = example.arguments
    text = written if isinstance(written, str) else compact(written)
    return resolve_with(tool, ToolCall(id="1", name="search", arguments=text), policy=policy, rules=rules)


class _ById:
    """An example as a key, since its schema is a dict."""

    def __init__(self, example: Example) -> None:
        self.example = example

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ById) and self.example is other.example

    def __hash__(self) -> int:
        return id(self.example)


@cache
def _tool(key: _ById) -> Tool:
    row = key.example
    return Tool.from_schema(
        "search", row.schema, aliases=row.aliases, value_aliases=row.value_aliases, name_aliases=("find",)
    )


@cache
def _bare(key: _ById) -> Any:
    return told(resolved(RuleSet(()), key.example))


def alone(rule: Rule, example: Example, policy: Policy = Policy.STANDARD) -> Outcome:
    return resolved(RuleSet((rule,)), example, policy)


def told(outcome: Outcome) -> Any:
    """What became of it, to be compared: the arguments, or the reason."""
    match outcome:
        case ValidCall(arguments):
            return "valid", arguments
        case InvalidCall(kind, reason):
            return kind.value, reason


def leaves(rule: Rule, example: Example) -> bool:
    """Whether the rule changes nothing, refuses nothing, and lets no more run than ran without it."""
    with_it = alone(rule, example)
    return told(with_it) == _bare(_ById(example)) and not with_it.repairs


def each(examples: Iterable[Example]) -> pytest.MarkDecorator:
    """One test for each row of a table, named by its number and what stands in it."""
    rows = [pytest.param(row, id=f"{number} {_text(row)[:60]}") for number, row in enumerate(examples, start=1)]
    return pytest.mark.parametrize("example", rows)


def _text(example: Example) -> str:
    return example.arguments if isinstance(example.arguments, str) else compact(example.arguments)


def closed(required: tuple[str, ...] = (), **properties: Any) -> dict[str, Any]:
    """A closed object schema."""
    return opened(required, **properties) | {"additionalProperties": False}


def opened(required: tuple[str, ...] = (), **properties: Any) -> dict[str, Any]:
    """An open object schema."""
    return {"type": "object", "properties": properties, "required": list(required)}


STRING, INTEGER, NUMBER, BOOLEAN = ({"type": kind} for kind in ("string", "integer", "number", "boolean"))
STRINGS, INTEGERS = ({"type": "array", "items": item} for item in (STRING, INTEGER))
