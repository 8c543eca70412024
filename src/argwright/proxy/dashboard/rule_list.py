"""Every rule that may change a call, with an example: what it is for shows best by what it does."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from argwright.decode.notation import NOTATION
from argwright.model import Json, compact
from argwright.rules import KEEP, Rule, load


@lru_cache(maxsize=1)
def rule_list() -> dict[str, dict[str, Any]]:
    """By name: the certainty, and an example before and after."""
    found = {
        name: _told(one.certainty.name.lower(), one.before, one.after) for name, one in NOTATION.items()
    }  # fmt: skip
    known = load()
    return found | {rule.name: _of_rule(rule) for rule in (*known.builtin, *known.foreign)}


def _of_rule(rule: Rule) -> dict[str, Any]:
    example = next((one for one in rule.examples if one.becomes is not KEEP), None)
    before, after = ("", "") if example is None else (_text(example.arguments), _text(example.becomes))
    return _told(rule.certainty.name.lower(), before, after)


def _told(certainty: str, before: str, after: str) -> dict[str, Any]:
    return {"certainty": certainty, "before": before, "after": after}


def _text(value: Json) -> str:
    return value if isinstance(value, str) else compact(value)
