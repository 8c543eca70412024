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
from benchmarks.pictures import Bar, Picture, Section
from benchmarks.speed.faulty import KINDS
from benchmarks.speed.hostile import texts
from benchmarks.speed.measure import compare, compare_on

_TEXTS = 200  # faulty texts of each kind, each read once

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
_OPEN = {key: value for key, value in _SCHEMA.items() if key != "additionalProperties"}
_VALID = {
    "query": "wireless headphones 降噪",
    "filters": ["brand:any", "colour:black", "price:200"],
    "limit": 25,
    "sort": "price",
    "in_stock": True,
    "note": "the customer prefers over-ear models, delivery by Friday",
}
_CODE = 'def f(x: int) -> str:\n    if x < 3 and y > 4:\n        return "a\\n"\n'
_SAMPLES: tuple[tuple[str, dict[str, Any], dict[str, Any], dict[str, Any]], ...] = (
    ("plain", _VALID, _SCHEMA, {}),
    ("line breaks and quotes", {**_VALID, "note": 'prefers\nover-ear models,\n\tdelivery by "Friday"'}, _SCHEMA, {}),
    ("source code", {**_VALID, "note": _CODE}, _SCHEMA, {}),
    ("HTML", {**_VALID, "note": "<p>the customer prefers over-ear models &amp; delivery by Friday</p>"}, _SCHEMA, {}),
    ("a file of 4 KB", {**_VALID, "note": _CODE * 60}, _SCHEMA, {}),
    ("a tool with aliases", _VALID, _SCHEMA, {"aliases": {"q": "query", "max": "limit"}}),
    ("a warning: the word null as text", {**_VALID, "note": "null"}, _SCHEMA, {}),
    ("a warning: an undeclared field", {**_VALID, "why": "asked"}, _OPEN, {}),
)


def valid_call() -> Section:
    """`resolve` of a valid call against parsing and validating alone."""
    lines = [
        "| valid call | bytes | times `json.loads` and `jsonschema_rs` alone | µs | µs alone |",
        "|---|--:|--:|--:|--:|",
    ]
    bars = [Bar("json.loads and jsonschema_rs", 1, "1 ×")]
    for name, arguments, schema, options in _SAMPLES:
        box = aw.Toolbox([aw.Tool.from_schema("search_products", schema, **options)])
        validator = jsonschema_rs.validator_for(schema)
        text = json.dumps(arguments, ensure_ascii=False)
        call = aw.ToolCall(id="1", name="search_products", arguments=text)
        made = box.resolve(call)
        assert isinstance(made, aw.ValidCall)  # noqa: S101  # the measurement is of a valid call
        assert made.arguments == arguments  # noqa: S101
        ratio = compare(partial(box.resolve, call), partial(_alone, validator, text), rounds=201, times=50)
        size = len(text.encode())
        lines.append(f"| {name} | {size} | **{ratio}** | {ratio.first_micros:.1f} | {ratio.second_micros:.1f} |")
        bars.append(Bar(name, ratio.median, f"{ratio.median:.1f} × ({ratio.first_micros:.0f} µs)", own=True))
    told = "times as long as json.loads and jsonschema_rs alone; shorter is better"
    return Section("The valid path", "\n".join(lines), [Picture("valid", "resolving a valid call", told, bars)])


def _alone(validator: Any, text: str) -> bool:
    return bool(validator.is_valid(json.loads(text)))


def faulty_texts() -> Section:
    """`parse_arguments` of faulty texts against json_repair, every text new."""
    head = ("fault, about 2 KB", "json_repair takes, times as long", "argwright µs", "json_repair µs")
    lines = [f"| {' | '.join(head)} | right: argwright | right: json_repair |", "|---|--:|--:|--:|--:|--:|"]
    logs, bars = [], []
    for name, make in KINDS:
        pairs = [make(Dice(f"{name}/{number}")) for number in range(_TEXTS)]
        warm, _ = make(Dice(f"{name}/first"))  # what is compiled at first use is no part of a text's time
        _ = json_repair.loads(warm), aw.parse_arguments(warm)
        ratio = compare_on(json_repair.loads, aw.parse_arguments, [text for text, _ in pairs])
        right = [sum(same(read(text), value) for text, value in pairs) for read in (_value, json_repair.loads)]
        logs.append(math.log(ratio.median))
        lines.append(f"| {name} | {ratio} | {ratio.second_micros:.0f} | {ratio.first_micros:.0f} "
                     f"| {right[0]}/{_TEXTS} | {right[1]}/{_TEXTS} |")  # fmt: skip
        bars += [
            Bar(name, ratio.second_micros, f"argwright {ratio.second_micros:.0f} µs", own=True),
            Bar("json_repair", ratio.first_micros, f"{ratio.first_micros:.0f} µs, {ratio.median:.1f} ×"),
        ]
    mean = math.exp(sum(logs) / len(logs))
    text = (
        f"Geometric mean: **{mean:.1f}** times. {_TEXTS} texts of each kind, each read once by both, in turn; median "
        "and middle half of the texts' ratios."
    )
    told = "microseconds, every text new; shorter is better"
    return Section(
        "The faulty path",
        "\n".join([*lines, "", text]),
        [Picture("faulty", "reading faulty texts of 2 KB", told, bars)],
    )


def _value(text: str) -> Any:
    read = aw.parse_arguments(text)
    return read.value if isinstance(read, aw.Decoded) else None


def hostile_inputs() -> Section:
    """The longest that one megabyte takes."""
    slowest = sorted(_hostile(), reverse=True)
    lines = ["| one megabyte of | seconds | answer |", "|---|--:|---|"]
    lines += [f"| {name} | {seconds:.2f} | {answer} |" for seconds, name, answer in slowest[:12]]
    text = "\n".join([*lines, "", f"The slowest twelve of {len(slowest)}, seconds of the processor."])
    return Section("Hostile inputs", text)


def _hostile() -> Iterator[tuple[float, str, str]]:
    for name, text in texts():
        started = time.process_time()
        result = aw.parse_arguments(text)
        seconds = time.process_time() - started
        yield seconds, name, result.reason if isinstance(result, aw.Undecodable) else "a value"
