"""The readers that are compared, each as people use it.

A reader is made ready for a case's schema outside the measured time, as a program would at its start. It returns the
value or raises; every value is then validated against the schema, whoever read it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import lru_cache
from importlib.metadata import version
from typing import Any

import argwright as aw
from benchmarks.accuracy.cases import Case

Reader = Callable[[str], Any]
Prepare = Callable[[Case], Reader]


class RefusedError(Exception):
    """The reader says no."""


@lru_cache(maxsize=256)
def _box(tool: str, schema: str) -> aw.Toolbox:
    return aw.Toolbox([aw.Tool.from_schema(tool, json.loads(schema))])


def _argwright(case: Case) -> Reader:
    box = _box(case.tool, json.dumps(case.schema))

    def read(raw: str) -> Any:
        outcome = box.resolve(aw.ToolCall(id="1", name=case.tool, arguments=raw))
        if isinstance(outcome, aw.InvalidCall):
            raise RefusedError(outcome.reason)
        return outcome.arguments

    box.resolve(aw.ToolCall(id="0", name=case.tool, arguments="{"))  # the schema is compiled at the first call
    return read


def _json(_: Case) -> Reader:
    return json.loads


def _jiter(_: Case) -> Reader:
    import jiter

    return lambda raw: jiter.from_json(raw.encode(), partial_mode="trailing-strings")


def _fast_json_repair(_: Case) -> Reader:
    import fast_json_repair

    return fast_json_repair.loads


def _json_repair(_: Case) -> Reader:
    import json_repair

    return json_repair.loads


def _json_repair_strict(_: Case) -> Reader:
    import json_repair

    return lambda raw: json_repair.loads(raw, strict=True)


def _json_repair_with_schema(case: Case) -> Reader:
    import json_repair

    return lambda raw: json_repair.loads(raw, schema=case.schema)


READERS: tuple[tuple[str, str, Prepare], ...] = (
    ("argwright", "argwright", _argwright),
    ("json.loads", "", _json),
    ("jiter, partial", "jiter", _jiter),
    ("fast-json-repair", "fast-json-repair", _fast_json_repair),
    ("json-repair", "json-repair", _json_repair),
    ("json-repair, strict", "json-repair", _json_repair_strict),
    ("json-repair, schema", "json-repair", _json_repair_with_schema),
)
"""Name in the table, distribution, and how it is made ready."""


def versions() -> Iterator[tuple[str, str]]:
    """The versions that were measured."""
    for package in sorted({package for _, package, _ in READERS if package} | {"jsonschema-rs", "pydantic"}):
        yield package, version(package)
