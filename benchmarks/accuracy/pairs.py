"""True calls with their tools' schemas, out of the Berkeley Function Calling Leaderboard.

The data are read from the wheel of `bfcl-eval`, which is downloaded and unzipped, never
installed. A question file lists the tools, an answer file the calls, each argument as a
list of acceptable values; the first one is taken, and `""` among them means that an
optional argument may be left out. Only calls that satisfy their schema are kept.
"""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jsonschema_rs

_SETS = (
    "simple_python", "multiple", "parallel", "parallel_multiple",
    "live_simple", "live_multiple", "live_parallel", "live_parallel_multiple",
)  # fmt: skip
_TYPES = {"dict": "object", "float": "number", "tuple": "array", "any": None}


@dataclass(frozen=True)
class Pair:
    """One call that is right."""

    id: str
    tool: str
    schema: Mapping[str, Any]
    arguments: Mapping[str, Any]


def download(folder: Path) -> Path:
    """The wheel, fetched once."""
    found = sorted(folder.glob("bfcl_eval-*.whl"))
    if not found:
        folder.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "pip", "download", "-qq", "--no-deps", "--dest", str(folder), "bfcl-eval"]
        subprocess.run(command, check=True)
        found = sorted(folder.glob("bfcl_eval-*.whl"))
    return found[-1]


def load(wheel: Path) -> list[Pair]:
    """Every usable call of the wheel, in its own order."""
    with zipfile.ZipFile(wheel) as archive:
        return [pair for name in _SETS for pair in _pairs(archive, name) if _fits(pair)]


def _pairs(archive: zipfile.ZipFile, name: str) -> Iterator[Pair]:
    questions = {entry["id"]: entry for entry in _lines(archive, f"bfcl_eval/data/BFCL_v4_{name}.json")}
    for answer in _lines(archive, f"bfcl_eval/data/possible_answer/BFCL_v4_{name}.json"):
        tools = {tool["name"]: tool["parameters"] for tool in questions[answer["id"]]["function"]}
        for number, call in enumerate(answer["ground_truth"]):
            (tool, accepted), *_ = call.items()
            if tool in tools:
                yield Pair(f"{answer['id']}#{number}", tool, _schema(tools[tool]), _first(accepted))


def _lines(archive: zipfile.ZipFile, name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in archive.read(name).decode().split("\n") if line.strip()]


def _schema(node: Any) -> Any:
    """The leaderboard's schema as JSON Schema: its own type names, and defaults that are prose, are replaced."""
    if isinstance(node, list):
        return [_schema(item) for item in node]
    if not isinstance(node, dict):
        return node
    kept = {key: _schema(value) for key, value in node.items() if key not in ("default", "optional")}
    kind = kept.get("type")
    if isinstance(kind, str) and kind in _TYPES:
        kept["type"] = _TYPES[kind]
    if kept.get("type", "") is None:
        del kept["type"]
    if isinstance(kept.get("required"), bool):
        del kept["required"]
    return kept


def _first(accepted: Mapping[str, Any]) -> dict[str, Any]:
    chosen = {name: values[0] for name, values in accepted.items() if isinstance(values, list) and values}
    return {name: _inner(value) for name, value in chosen.items() if value != ""}


def _inner(value: Any) -> Any:
    if isinstance(value, dict):
        return _first(value)
    return [_inner(item) for item in value] if isinstance(value, list) else value


def _fits(pair: Pair) -> bool:
    """Whether the arguments satisfy the schema, also when it is closed."""
    try:
        closed = {**pair.schema, "additionalProperties": False}
        return pair.schema.get("type") == "object" and jsonschema_rs.is_valid(closed, pair.arguments)
    except (jsonschema_rs.ValidationError, ValueError):
        return False
