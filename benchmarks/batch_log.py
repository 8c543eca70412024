"""A log of tool calls as services write it: most calls right, one in ten faulty, made of payloads of its own.

    python -m benchmarks.batch_log calls.jsonl --rows 500000
    python -m benchmarks.batch_log calls.parquet --rows 500000 --tools tools.json

Ten tools of an office and shop assistant are called by four models over some weeks. A faulty call is a right one
damaged by an operator of the accuracy benchmark, or by what only a log shows: another tool's name, last quarter's field
name, a reply that was cut. A model that is told of a fault often sends the same again, so every fourth faulty call is
repeated once or twice. The same seed gives the same log.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from benchmarks.accuracy import cases
from benchmarks.accuracy.dice import Dice
from benchmarks.accuracy.operators import Subject

FAULTY = 0.1
START = 1_751_328_000  # 2025-07-01, seconds
MODELS = (("atlas-large", 5), ("atlas-mini", 8), ("mistral-lake-24b", 4), ("quill-7b", 3))

_VOCABULARY = (
    "invoice lamp brass walnut delivery Friday meeting budget refund ticket quarterly chair cable adapter "
    "blue green urgent draft contract Zürich Málaga 上海 北京 発注 заказ résumé supplier warehouse shelf label "
    "carton pallet stock receipt total discount holiday north south printer toner desk office phone "
    "customer order number return address "
)
_WORDS = _VOCABULARY.split()
_CITIES = ("Lisbon", "Oslo", "上海", "Málaga", "Tromsø", "Kyoto", "Lima", "القاهرة", "Graz", "Cork", "Ghent", "Porto")
_TEXTS = (
    'Dear Ms Okafor,\n\nthe "walnut" chair ships on Friday.\n\nBest regards',
    "SELECT id, total FROM orders WHERE total > 100 AND note LIKE '%gift%' ORDER BY id;",
    "def area(w: float, h: float) -> float:\n    return w * h  # m²\n",
    "C:\\Users\\nora\\Desktop\\report final.docx",
    "| item | price |\n|---|--:|\n| lamp | 39.90 |\n",
    "https://shop.example/items?id=42&ref=mail#top",
    "Bitte die Rechnung (Nr. 4711) noch heute prüfen – danke! 🙂",
)


def _object(properties: dict[str, Any], *required: str, closed: bool = True) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "object", "properties": properties, "required": list(required)}
    return schema | ({"additionalProperties": False} if closed else {})


_TEXT, _WHOLE, _NUMBER, _FLAG = {"type": "string"}, {"type": "integer"}, {"type": "number"}, {"type": "boolean"}
_ITEM = _object({"sku": _TEXT, "quantity": {"type": "integer", "minimum": 1}, "price": _NUMBER}, "sku", "quantity")

TOOLS: dict[str, dict[str, Any]] = {
    "search_products": _object(
        {"query": _TEXT, "limit": {"type": "integer", "minimum": 1, "maximum": 100}, "in_stock": _FLAG,
         "sort": {"enum": ["price", "date", "relevance"]}, "tags": {"type": "array", "items": _TEXT}}, "query"),
    "get_weather": _object({"city": _TEXT, "unit": {"enum": ["celsius", "fahrenheit"]}, "days": _WHOLE}, "city"),
    "run_script": _object(
        {"script_name": _TEXT, "arguments_list": {"type": "array", "items": _TEXT}, "timeout": _NUMBER}, "script_name"),
    "send_email": _object({"to": {"type": "array", "items": _TEXT}, "subject": _TEXT, "body": _TEXT, "urgent": _FLAG},
                          "to", "subject", "body"),
    "write_file": _object({"path": _TEXT, "content": _TEXT, "append": _FLAG}, "path", "content"),
    "create_order": _object({"customer_id": _WHOLE, "items": {"type": "array", "items": _ITEM}, "note": _TEXT},
                            "customer_id", "items"),
    "query_database": _object({"sql": _TEXT, "max_rows": _WHOLE}, "sql"),
    "schedule_meeting": _object({"title": _TEXT, "start": _TEXT, "minutes": _WHOLE, "people": {"type": "array",
                                 "items": _TEXT}}, "title", "start"),
    "get_time": _object({"zone": _TEXT}),
    "update_ticket": _object({"ticket": _WHOLE, "status": {"enum": ["open", "waiting", "closed"]}, "comment": _TEXT},
                             "ticket", "status", closed=False),
}  # fmt: skip

OLD_NAMES = {
    "run_script": ("script_name", "script_path"),
    "send_email": ("body", "message"),
    "write_file": ("path", "file"),
}


def _words(dice: Dice, low: int, high: int) -> str:
    return " ".join(dice.one(_WORDS) for _ in range(low + dice.below(high - low)))


def _some(dice: Dice, values: dict[str, Callable[[], Any]]) -> dict[str, Any]:
    """Optional arguments, each now and then."""
    return {name: make() for name, make in values.items() if dice.chance(0.5)}


def _address(dice: Dice) -> str:
    return f"{dice.one(('nora', 'ali', 'mei', 'jonas', 'sofia'))}.{dice.below(400)}@mail.example"


def _item(dice: Dice) -> dict[str, Any]:
    priced = {"price": round(dice.below(90_000) / 100 + 0.9, 2)} if dice.chance(0.5) else {}
    return {"sku": f"SKU-{dice.below(90_000):05}", "quantity": 1 + dice.below(9), **priced}


def _query(dice: Dice) -> str:
    return f"SELECT {dice.one(_WORDS)} FROM orders WHERE id = {dice.below(10**6)} LIMIT 5"  # noqa: S608  # never run


MAKERS: dict[str, Callable[[Dice], dict[str, Any]]] = {
    "search_products": lambda d: {"query": _words(d, 1, 6)} | _some(d, {
        "limit": lambda: 1 + d.below(50), "in_stock": lambda: d.chance(0.5), "sort": lambda: d.one(("price", "date")),
        "tags": lambda: [d.one(_WORDS) for _ in range(1 + d.below(3))]}),
    "get_weather": lambda d: {"city": d.one(_CITIES)} | _some(d, {
        "unit": lambda: "celsius", "days": lambda: 1 + d.below(9)}),
    "run_script": lambda d: {"script_name": f"{d.one(_WORDS)}_{d.below(300)}.py"} | _some(d, {
        "arguments_list": lambda: [f"--{d.one(_WORDS)}", str(d.below(1_000))], "timeout": lambda: 0.5 + d.below(60)}),
    "send_email": lambda d: {"to": [_address(d) for _ in range(1 + d.below(3))], "subject": _words(d, 2, 7),
                             "body": f"{_words(d, 8, 50)}\n\n{d.one(_TEXTS)}"} | _some(d, {"urgent": lambda: True}),
    "write_file": lambda d: {"path": f"notes/{d.one(_WORDS)}-{d.below(5_000)}.md",
                             "content": "\n".join(_words(d, 4, 14) for _ in range(1 + d.below(12))) + d.one(_TEXTS)},
    "create_order": lambda d: {"customer_id": 10**15 + d.below(10**9),
                               "items": [_item(d) for _ in range(1 + d.below(4))]} | _some(d, {
        "note": lambda: _words(d, 3, 12)}),
    "query_database": lambda d: {"sql": _query(d)} | _some(d, {
        "max_rows": lambda: 10 * (1 + d.below(50))}),
    "schedule_meeting": lambda d: {"title": _words(d, 2, 5), "start": f"2025-0{1 + d.below(9)}-1{d.below(10)}T09:30"}
    | _some(d, {"minutes": lambda: 15 * (1 + d.below(8)), "people": lambda: [_address(d)]}),
    "get_time": lambda d: _some(d, {"zone": lambda: d.one(("Europe/Oslo", "Asia/Tokyo", "UTC"))}),
    "update_ticket": lambda d: {"ticket": d.below(100_000), "status": d.one(("open", "waiting", "closed"))} | _some(d, {
        "comment": lambda: f"{_words(d, 3, 25)} {d.one(_TEXTS)}"}),
}  # fmt: skip
_NAMES = (
    ("search_products", 9), ("get_weather", 4), ("run_script", 5), ("send_email", 4), ("write_file", 5),
    ("create_order", 4), ("query_database", 6), ("schedule_meeting", 3), ("get_time", 2), ("update_ticket", 5),
)  # fmt: skip

_OPERATORS = [(operator, operator.weight) for operator in cases.OPERATORS if operator.family != "valid"]


def rows(count: int, seed: str = "log") -> Iterator[dict[str, Any]]:
    """So many logged calls."""
    dice = Dice(seed)
    again: list[dict[str, Any]] = []
    for number in range(count):
        if again:
            call = again.pop()
        else:
            call = _call(dice)
            if call.pop("faulty") and dice.chance(0.25):
                again = [call] * (1 + dice.below(2))
        yield {"id": number, "at": START + number * 5, **call}


def _call(dice: Dice) -> dict[str, Any]:
    name = dice.weighted(_NAMES)
    arguments = MAKERS[name](dice)
    call = {"name": name, "finish_reason": "tool_calls", "model": dice.weighted(MODELS), "faulty": False}
    if dice.chance(FAULTY * 0.73):  # with the repeats one in ten
        return call | {"faulty": True} | _faulty(dice, name, arguments)
    blanks = None if dice.chance(0.4) else (",", ":")  # models write either
    return call | {"arguments": json.dumps(arguments, ensure_ascii=False, separators=blanks)}


def _faulty(dice: Dice, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    if dice.chance(0.08):
        return {"name": dice.one((f"{name}_v2", name.title(), "search", "final")), "arguments": json.dumps(arguments)}
    if dice.chance(0.08):
        text = json.dumps(arguments)
        return {"arguments": text[: max(1, dice.below(len(text)))], "finish_reason": "length"}
    if name in OLD_NAMES and dice.chance(0.3):
        declared, old = OLD_NAMES[name]
        return {"arguments": json.dumps({old if key == declared else key: item for key, item in arguments.items()})}
    return {"arguments": _damaged(dice, name, arguments)}


def _damaged(dice: Dice, name: str, arguments: dict[str, Any]) -> str:
    while True:
        operator = dice.weighted(_OPERATORS)
        damaged = operator.damage(dice, Subject(name, TOOLS[name], arguments))
        if damaged is not None and damaged.result != arguments:
            return damaged.result if isinstance(damaged.result, str) else json.dumps(damaged.result, ensure_ascii=False)


def write(path: Path, count: int, seed: str = "log") -> None:
    """A file of so many calls: Parquet, or JSONL, compressed if its name ends in gz."""
    if path.suffix == ".parquet":
        _write_parquet(path, count, seed)
        return
    with gzip.open(path, "wb", compresslevel=4) if path.suffix == ".gz" else path.open("wb") as file:
        for row in rows(count, seed):
            file.write(json.dumps(row, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n")


def _write_parquet(path: Path, count: int, seed: str) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    schema = pa.schema([("id", pa.int64()), ("at", pa.int64()), ("name", pa.string()), ("finish_reason", pa.string()),
                        ("model", pa.string()), ("arguments", pa.string())])  # fmt: skip
    with parquet.ParquetWriter(path, schema) as writer:
        chunk: list[dict[str, Any]] = []
        for row in rows(count, seed):
            row["arguments"] = row["arguments"].encode("utf-8", "backslashreplace").decode()
            chunk.append(row)
            if len(chunk) == 20_000 or row["id"] == count - 1:
                writer.write_batch(pa.RecordBatch.from_pylist(chunk, schema=schema))
                chunk = []


def main() -> None:
    """Write a log, and the tools it calls."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", type=Path)
    parser.add_argument("--rows", type=int, default=500_000)
    parser.add_argument("--seed", default="log")
    parser.add_argument("--tools", type=Path, help="where to write the tools")
    options = parser.parse_args()
    write(options.path, options.rows, options.seed)
    if options.tools:
        options.tools.write_text(json.dumps(TOOLS, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
