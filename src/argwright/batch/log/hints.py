"""What a call shows that someone may want to declare: counted, suggested in the report, never applied.

An undeclared field is the old name of a declared one if the call would be valid under
that name, and no other absent field would make it so; or, among several, the one whose
name is like it. Two fields of a call that could both be the same one are neither, and
names that say two things (`user_id`, `order_id`) are never put for each other. Every hint
is about names, never about a value that someone put in, but for words beside an enum.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from argwright import pointer as json_pointer
from argwright.batch.log.figures import Hint
from argwright.batch.log.likeness import fields_alike, fields_differ, tools_alike, values_alike
from argwright.decode import Decoded, decode
from argwright.model import ErrorKind, InvalidCall, Issue, Outcome, Repair
from argwright.tool import Tool

_UNDECLARED = frozenset({"additionalProperties", "unevaluatedProperties"})
_ENUMS = frozenset({"enum", "const"})
_NAME = re.compile(r"[\w.$-]{1,64}")  # a declared field looks like this; what does not is a key of a free-form map
_MOST = 5  # of one call


def is_telling(outcome: Outcome) -> bool:
    """Whether there may be something to learn from a call."""
    if isinstance(outcome, InvalidCall):
        return outcome.kind is not ErrorKind.JSON_ERROR
    return bool(outcome.warnings) or any(_is_text_of_another_type(repair) for repair in outcome.repairs)


def hints(outcome: Outcome) -> list[Hint]:
    """What is to be learned from one call."""
    return [hint for _, hint in zip(range(_MOST), _hints(outcome), strict=False)]


def _hints(outcome: Outcome) -> Iterator[Hint]:
    tool = outcome.tool
    if isinstance(outcome, InvalidCall):
        if outcome.kind is ErrorKind.UNKNOWN_TOOL and outcome.call.name and _NAME.fullmatch(outcome.call.name):
            meant = outcome.suggestion or ""
            meant = meant if tools_alike(outcome.call.name, meant) else ""
            yield Hint("name", meant, "", outcome.call.name, meant)
        if isinstance(tool, Tool) and outcome.kind is ErrorKind.SCHEMA_ERROR:
            yield from _fields(tool, outcome)
            yield from (hint for issue in outcome.issues if (hint := _value(tool, issue)) is not None)
    elif isinstance(tool, Tool):
        yield from (
            Hint("text", tool.name, _general(repair.pointer), "", "")
            for repair in outcome.repairs
            if _is_text_of_another_type(repair)
        )
        if any(warning.rule == "undeclared-field" for warning in outcome.warnings):
            yield from _open_fields(tool, outcome.arguments)


def _is_text_of_another_type(repair: Repair) -> bool:
    return repair.rule.startswith("stringified-")


def _fields(tool: Tool, call: InvalidCall) -> Iterator[Hint]:
    """Undeclared fields of a refused call."""
    value = _value_of(call)
    closed = any(issue.keyword in _UNDECLARED for issue in call.issues)
    for name, meant in _one_each({name: _meant(tool, value, name) for name in _strange(tool, value)}):
        if meant is not None:
            yield Hint("field", tool.name, "", name, meant)
        elif closed:
            yield Hint("undeclared", tool.name, "", name, "")


def _open_fields(tool: Tool, value: dict[str, Any]) -> Iterator[Hint]:
    """Undeclared fields that an open schema let pass: the tool most likely ignored them."""
    for name, meant in _one_each({name: _ignored(tool, value, name) for name in _strange(tool, value)}):
        if meant is not None:
            yield Hint("field", tool.name, "", name, meant)
        else:
            yield Hint("undeclared", tool.name, "", name, "")


def _ignored(tool: Tool, value: dict[str, Any], name: str) -> str | None:
    """The declared field that one without effect stands for."""
    fitting = [other for other in _absent(tool, value) if fields_alike(name, other)]
    fits = len(fitting) == 1 and tool.compiled.is_valid(_renamed(value, name, fitting[0]))
    return fitting[0] if fits else None


def _one_each(meant: Mapping[str, str | None]) -> Iterator[tuple[str, str | None]]:
    """What each field means, and nothing where two mean the same."""
    often = Counter(meant.values())
    yield from ((name, other if often[other] == 1 else None) for name, other in meant.items())


def _value_of(call: InvalidCall) -> dict[str, Any]:
    written = call.call.arguments
    got = decode(written, shape=call.tool.shape) if isinstance(written, str) else None
    return got.value if isinstance(got, Decoded) and isinstance(got.value, dict) else {}


def _strange(tool: Tool, value: dict[str, Any]) -> list[str]:
    declared = tool.shape.properties
    return [name for name in value if name not in declared and _NAME.fullmatch(name)] if declared else []


def _absent(tool: Tool, value: dict[str, Any]) -> list[str]:
    return [name for name in tool.shape.properties if name not in value]


def _meant(tool: Tool, value: dict[str, Any], name: str) -> str | None:
    """The declared field that an undeclared one stands for."""
    issues = len(tool.compiled.issues(value))
    fitting = [
        other
        for other in _absent(tool, value)
        if not fields_differ(name, other)
        and (
            tool.compiled.is_valid(_renamed(value, name, other))
            or len(tool.compiled.issues(_renamed(value, name, other))) < issues - (other in tool.shape.required)
        )
    ]
    alike = [other for other in fitting if fields_alike(name, other)]
    best = alike or [other for other in fitting if other in tool.shape.required]
    return best[0] if len(best) == 1 else None


def _renamed(value: dict[str, Any], name: str, other: str) -> dict[str, Any]:
    return {(other if key == name else key): item for key, item in value.items()}


def _value(tool: Tool, issue: Issue) -> Hint | None:
    """A word that is none of an enum's."""
    if issue.keyword not in _ENUMS or not isinstance(issue.found, str) or not isinstance(issue.expected, list):
        return None
    if tool.mask.covers(json_pointer.split(issue.pointer)) or not _NAME.fullmatch(issue.found):
        return None
    words = [word for word in issue.expected if isinstance(word, str)]
    alike = [word for word in words if values_alike(issue.found, word)]
    return Hint("value", tool.name, _general(issue.pointer), issue.found, alike[0] if len(alike) == 1 else "")


def _general(place: str) -> str:
    """A pointer in which every index of a list is `*`."""
    return json_pointer.join("*" if token.isdecimal() else token for token in json_pointer.split(place))
