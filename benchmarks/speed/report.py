"""The tables of speed."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Iterator
from functools import partial
from typing import Any

import json_repair
import jsonschema_rs

import argwright as aw
from benchmarks.accuracy.cases import same
from benchmarks.accuracy.dice import Dice
from benchmarks.speed.faulty import KINDS
from benchmarks.speed.hostile import texts
from benchmarks.speed.measure import Ratio, compare, one_each

_TEXTS = 40  # faulty texts of each kind and round
_ROUNDS = 9

_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "query": {"type": "string"},
        "filters": {"type": "array", "items": {"type": "string"}},
        "limit": {"type": "integer", "minimum": 1, "maximum": 100},
        "sort": {"enum": ["price", "date", "relevance"]},
        "in_stock": {"type": "boolean"},
        "note": {"type": "string"},
    },
    "required": ["query"],
    "additionalProperties": False,
}
_VALID = {
    "query": "wireless headphones 降噪",
    "filters": ["brand:any", "colour:black", "price:200"],
    "limit": 25,
    "sort": "price",
    "in_stock": True,
    "note": "the customer prefers over-ear models, delivery by Friday",
}
_SAMPLES = (
    ("plain", _VALID),
    ("a value with markup", {**_VALID, "note": "<p>the customer prefers over-ear models</p>"}),
)


def valid_call() -> str:
    """`resolve` of a valid call against parsing and validating alone."""
    box = aw.Toolbox([aw.Tool.from_schema("search_products", _SCHEMA)])
    validator = jsonschema_rs.validator_for(_SCHEMA)
    lines = [
        "| valid call | bytes | times `json.loads` and `jsonschema_rs` alone | µs | µs alone |",
        "|---|--:|--:|--:|--:|",
    ]
    for name, arguments in _SAMPLES:
        text = json.dumps(arguments, ensure_ascii=False)
        call = aw.ToolCall(id="1", name="search_products", arguments=text)
        assert isinstance(box.resolve(call), aw.ValidCall)  # noqa: S101  # the measurement is of a valid call
        ratio = compare(partial(box.resolve, call), partial(_alone, validator, text), rounds=31, times=1_000)
        size = len(text.encode())
        lines.append(f"| {name} | {size} | **{ratio}** | {ratio.first_micros:.1f} | {ratio.second_micros:.1f} |")
    return "\n".join(lines)


def _alone(validator: Any, text: str) -> bool:
    return bool(validator.is_valid(json.loads(text)))


def faulty_texts() -> str:
    """`parse_arguments` of faulty texts against json_repair."""
    head = ("fault, about 2 KB", "json_repair takes, times as long", "argwright µs", "json_repair µs")
    lines = [f"| {' | '.join(head)} | right: argwright | right: json_repair |", "|---|--:|--:|--:|--:|--:|"]
    logs = []
    for name, make in KINDS:
        pairs = [make(Dice(f"{name}/{number}")) for number in range(_TEXTS)]
        ratio = _against_json_repair([text for text, _ in pairs])
        right = [sum(same(read(text), value) for text, value in pairs) for read in (_value, json_repair.loads)]
        logs.append(math.log(ratio.median))
        lines.append(f"| {name} | {ratio} | {ratio.second_micros / _TEXTS:.0f} | {ratio.first_micros / _TEXTS:.0f} "
                     f"| {right[0]}/{_TEXTS} | {right[1]}/{_TEXTS} |")  # fmt: skip
    lines += ["", f"Geometric mean: **{math.exp(sum(logs) / len(logs)):.1f}** times."]
    return "\n".join(lines)


def _value(text: str) -> Any:
    read = aw.parse_arguments(text)
    return read.value if isinstance(read, aw.Decoded) else None


def _against_json_repair(sample: list[str]) -> Ratio:
    return compare(one_each(json_repair.loads, sample), one_each(aw.parse_arguments, sample), rounds=_ROUNDS)


def hostile_inputs() -> str:
    """The longest that one megabyte takes."""
    slowest = sorted(_hostile(), reverse=True)
    lines = ["| one megabyte of | seconds | answer |", "|---|--:|---|"]
    lines += [f"| {name} | {seconds:.2f} | {answer} |" for seconds, name, answer in slowest[:10]]
    return "\n".join([*lines, "", f"The slowest ten of {len(slowest)}."])


def _hostile() -> Iterator[tuple[float, str, str]]:
    for name, text in texts():
        started = time.perf_counter()
        result = aw.parse_arguments(text)
        seconds = time.perf_counter() - started
        yield seconds, name, result.reason if isinstance(result, aw.Undecodable) else "a value"
