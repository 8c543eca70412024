"""Faulty texts of about 2 KB with their right value; every text is new."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from benchmarks.accuracy.dice import Dice

_WORDS = (
    "report",
    "weekly",
    "北京",
    "invoice",
    "don't",
    "review",
    "naïve",
    "total",
    "order",
    "shipment",
    "delayed",
    "价格",
    "note",
)
_SIZE = 2_000


def record(dice: Dice, *, quotes: bool = False) -> dict[str, Any]:
    """Arguments of about 2 KB as JSON."""
    items: list[dict[str, Any]] = []
    value: dict[str, Any] = {
        "title": _text(dice, 4),
        "limit": dice.below(1_000),
        "exact": dice.chance(0.5),
        "items": items,
    }
    while len(json.dumps(value, ensure_ascii=False)) < _SIZE:
        items.append(
            {"id": dice.below(10**9), "name": _text(dice, 3), "price": dice.below(10_000) / 100, "note": _text(dice, 9)}
        )
    if quotes:
        value["comment"] = f'He said {_text(dice, 2)} and then "{_text(dice, 2)}" to us'
    return value


def _text(dice: Dice, words: int) -> str:
    return " ".join(dice.one(_WORDS) for _ in range(words))


def fence_and_comma(dice: Dice) -> tuple[str, Any]:
    value = record(dice)
    return f"```json\n{json.dumps(value, ensure_ascii=False, indent=2)[:-2]},\n}}\n```", value


def single_quotes(dice: Dice) -> tuple[str, Any]:
    value = record(dice)
    return repr(value), value


def inner_quote(dice: Dice) -> tuple[str, Any]:
    value = record(dice, quotes=True)
    return json.dumps(value, ensure_ascii=False).replace('\\"', '"'), value


def bare_keys(dice: Dice) -> tuple[str, Any]:
    value = record(dice)
    text = json.dumps(value, ensure_ascii=False)
    for key in ("title", "limit", "exact", "items", "id", "name", "price", "note"):
        text = text.replace(f'"{key}": ', f"{key}: ")
    return text, value


KINDS: tuple[tuple[str, Callable[[Dice], tuple[str, Any]]], ...] = (
    ("fence and trailing comma", fence_and_comma),
    ("single quotes (Python repr)", single_quotes),
    ("unescaped inner quotes", inner_quote),
    ("bare keys", bare_keys),
)
