"""Hints counted → what someone may want to declare, in sentences and as a snippet of configuration.

Nothing of it is applied: an alias is a decision about what a field means, and a log only
shows that two names were used alike.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from argwright import pointer
from argwright.batch.log.figures import Hint

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_SHOWN = 30
_LEAST = 2  # times; once is a slip


@dataclass(frozen=True, kw_only=True)
class Advice:
    """One suggestion: what was seen, and how often."""

    hint: Hint
    times: int


@dataclass
class _Declared:
    """What is suggested for one tool."""

    aliases: dict[str, str] = field(default_factory=dict)
    name_aliases: list[str] = field(default_factory=list)
    value_aliases: defaultdict[str, dict[str, str]] = field(default_factory=lambda: defaultdict(dict))


def advice(hints: Mapping[Hint, int]) -> list[Advice]:
    """The suggestions worth a look, the most frequent first; an old name is suggested for one field only."""
    ranked = sorted(hints.items(), key=lambda item: (-item[1], item[0]))
    taken: set[tuple[str, str, str, str]] = set()
    made: list[Advice] = []
    for hint, times in ranked:
        key = (hint.what, hint.tool if hint.what != "name" else "", hint.place, hint.said)
        if times < _LEAST or key in taken or len(made) == _SHOWN:
            continue
        taken.add(key)
        made.append(Advice(hint=hint, times=times))
    return made


def toml(given: Iterable[Advice]) -> str:
    """The suggestions as a snippet of the gateway's configuration."""
    lines: list[str] = []
    for tool, declared in _declared(given).items():
        lines += [f"[tools.{_key(tool)}]"]
        if declared.aliases:
            lines.append(f"aliases = {_table(declared.aliases)}")
        if declared.name_aliases:
            lines.append(f"name_aliases = {json.dumps(declared.name_aliases, ensure_ascii=False)}")
        if declared.value_aliases:
            inner = ", ".join(f"{_key(name)} = {_table(values)}" for name, values in declared.value_aliases.items())
            lines.append(f"value_aliases = {{ {inner} }}")
        lines.append("")
    return "\n".join(lines).strip()


def python(given: Iterable[Advice]) -> str:
    """The same for who declares tools in Python."""
    lines: list[str] = []
    for tool, declared in _declared(given).items():
        options: dict[str, Any] = {
            "aliases": declared.aliases,
            "name_aliases": declared.name_aliases,
            "value_aliases": dict(declared.value_aliases),
        }
        said = ", ".join(f"{name}={value!r}" for name, value in options.items() if value)
        lines.append(f"aw.Tool.from_schema({tool!r}, schema, {said})")
    return "\n".join(lines)


def _declared(given: Iterable[Advice]) -> dict[str, _Declared]:
    found: defaultdict[str, _Declared] = defaultdict(_Declared)
    times: Counter[str] = Counter()
    for one in given:
        hint = one.hint
        if not hint.meant:
            continue
        declared = found[hint.tool]
        times[hint.tool] += one.times
        match hint.what:
            case "field":
                declared.aliases[hint.said] = hint.meant
            case "name":
                declared.name_aliases.append(hint.said)
            case "value":
                declared.value_aliases[_place(hint.place)][hint.said] = hint.meant
            case _:
                pass
    return {tool: found[tool] for tool, _ in times.most_common()}


def _place(place: str) -> str:
    """A field at the top by its name, one inside by its pointer."""
    tokens = pointer.split(place)
    return tokens[0] if len(tokens) == 1 else place


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else json.dumps(name, ensure_ascii=False)


def _table(values: Mapping[str, str]) -> str:
    return (
        "{ "
        + ", ".join(f"{_key(name)} = {json.dumps(value, ensure_ascii=False)}" for name, value in values.items())
        + " }"
    )
