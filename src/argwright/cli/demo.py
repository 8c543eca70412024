"""`argwright demo`: about 40 bad calls of all kinds, what became of each, and what the model is told."""

from __future__ import annotations

import json
from collections import Counter
from importlib.resources import files
from typing import Any

import click
from rich.table import Table
from rich.text import Text

from argwright.cli.terminal import NOTHING, REFUSAL_STYLE, STYLES, clip, out, visible
from argwright.model import InvalidCall, Outcome, ToolCall, ValidCall, compact
from argwright.tool import Tool
from argwright.toolbox import Toolbox

_ARRIVED = 110  # cells of the raw text that are shown
_TOLD = 160  # cells of each part of the message that are shown


def _schema(required: str, **properties: dict[str, Any]) -> dict[str, Any]:
    """A closed object schema; the required names stand in one text."""
    return {"type": "object", "properties": properties, "required": required.split(), "additionalProperties": False}


_TEXT: dict[str, Any] = {"type": "string"}
_LIMIT: dict[str, Any] = {"type": "integer", "minimum": 1, "maximum": 100}

TOOLS = (
    Tool.from_schema("get_temperature", _schema("location", location=_TEXT, unit={"enum": ["celsius", "fahrenheit"]})),
    Tool.from_schema(
        "search_products",
        _schema("query", query=_TEXT, limit=_LIMIT, sort={"enum": ["price", "date"]}, in_stock={"type": "boolean"}),
    ),
    Tool.from_schema("write_file", _schema("path content", path=_TEXT, content=_TEXT)),
    Tool.from_schema(
        "send_email", _schema("to subject", to={"type": "array", "items": _TEXT}, subject=_TEXT, body=_TEXT)
    ),
    Tool.from_schema(
        "run_skill_script", _schema("script_name", script_name=_TEXT), aliases={"script_path": "script_name"}
    ),
    Tool.from_schema("list_orders", _schema("", status=_TEXT)),
    Tool.from_schema(
        "delete_records",
        _schema("ids", ids={"type": "array", "items": {"type": "integer"}}),
        annotations={"destructiveHint": True},
    ),
)


def calls() -> list[tuple[str, ToolCall]]:
    """The embedded calls, each with its title."""
    text = files("argwright.cli").joinpath("demo.jsonl").read_text("utf-8")
    records = [json.loads(line) for line in text.split("\n") if line]
    return [(record.pop("title"), ToolCall(id=f"call_{number}", **record)) for number, record in enumerate(records, 1)]


@click.command()
def demo() -> int:
    """See about 40 bad calls and what becomes of each.

    Nothing is sent anywhere: the calls are part of the program.
    """
    box = Toolbox(TOOLS)
    table = Table(expand=True, show_lines=True, header_style="bold")
    for column, ratio in (("what arrived", 4), ("what became of it", 4), ("what the model is told", 4)):
        table.add_column(column, ratio=ratio, overflow="fold")
    counts: Counter[str] = Counter()
    for title, call in calls():
        outcome = box.resolve(call)
        counts["valid" if isinstance(outcome, ValidCall) else outcome.kind] += 1
        table.add_row(_arrived(title, call), _became(outcome), _told(outcome))
    console = out()
    console.print(table)
    console.print(f"{counts.total()} calls: " + ", ".join(f"{count} {kind}" for kind, count in counts.most_common()))
    return 0


def _arrived(title: str, call: ToolCall) -> Text:
    raw = call.arguments if isinstance(call.arguments, str) else compact(call.arguments)
    cut = f"   finish_reason={call.finish_reason}" if call.finish_reason else ""
    shown = clip(raw, _ARRIVED) or NOTHING
    return Text.assemble((f"{title}\n", "bold"), (f"{call.name}{cut}\n", "cyan"), shown)


def _became(outcome: Outcome) -> Text:
    if isinstance(outcome, InvalidCall):
        shown = Text.assemble((f"✘ {outcome.kind}/{outcome.reason}\n", REFUSAL_STYLE), visible(outcome.summary))
    else:
        shown = Text.assemble(("✔ runs with ", "bold green"), visible(compact(outcome.arguments)))
    for repair in outcome.repairs:
        shown.append(f"\n{repair.rule} ({repair.certainty.name})", STYLES[repair.certainty])
    return shown


def _told(outcome: Outcome) -> Text:
    if isinstance(outcome, ValidCall):
        return Text("the tool's own result", "dim")
    told = Text()
    for key, value in outcome.feedback.items():
        if key not in ("kind", "reason"):  # they stand in the column before
            said = value if isinstance(value, str) else compact(value)
            told.append("\n" if told else "").append(f"{key}: ", "dim").append(clip(said, _TOLD), "")
    return told
