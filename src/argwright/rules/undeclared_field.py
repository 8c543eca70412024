"""A field that an open schema lets pass though nothing declares it: it may be a misspelt one. A warning only.

Looked for in every object that declares any field, since what a tool does not declare
it most likely ignores.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TypeAlias

from argwright.model import Json, Suspicion
from argwright.policy import Certainty
from argwright.rules.keys import admits, is_declared, same_word
from argwright.rules.places import pointer_of
from argwright.rules.rule import Context, Example, Proposal, Rule
from argwright.shape import Shape

_MOST = 20  # warnings of one call; a free-form object has as many undeclared fields as it likes

Path: TypeAlias = tuple[str, ...]


def propose(context: Context) -> Proposal | None:
    """A warning for each undeclared field."""
    tool = context.tool
    if tool is None or not isinstance(context.value, dict):
        return None
    if context.is_flat and context.value.keys() <= tool.shape.properties.keys():
        return None
    found = (
        (path, shape)
        for path, shape in strangers(context.value, tool.shape)
        if len(path) != 1 or not admits(tool, path[0])
    )
    warnings = tuple(_warning(path, shape) for path, shape in islice(found, _MOST))
    return Proposal(warnings=warnings) if warnings else None


def strangers(root: Json, shape: Shape) -> Iterator[tuple[Path, Shape]]:
    """The paths of fields that no schema declares, with the shape of the object that holds each."""
    todo: list[tuple[Path, Json, Shape]] = [((), root, shape)]
    while todo:
        path, value, here = todo.pop()
        if isinstance(value, list):
            todo += [((*path, str(index)), item, here.item) for index, item in enumerate(value) if _holds(item)]
        elif isinstance(value, dict) and here.properties:
            for name, item in value.items():
                if name in here.properties:
                    todo += [((*path, name), item, here.member(name))] if _holds(item) else []
                elif not is_declared(name, here):
                    yield (*path, name), here


def _holds(value: Json) -> bool:
    return isinstance(value, (dict, list))


def _warning(path: Path, shape: Shape) -> Suspicion:
    meant = same_word(path[-1], shape.properties)
    tail = f"; the declared field is {meant!r}" if meant else ""
    return Suspicion(rule=RULE.name, pointer=pointer_of(path), message=f"the schema does not declare this field{tail}")


_SCHEMA = {"type": "object", "properties": {"text": {"type": "string"}}}

RULE = Rule(
    name="undeclared-field",
    layer="inspect",
    certainty=Certainty.EXACT,
    propose=propose,
    examples=(Example(schema=_SCHEMA, arguments={"text": "ok", "trace": {"id": 7}}),),
    untouched=(Example(schema={"type": "object"}, arguments={"anything": 1}),),
)
