"""JSON Schema, compiled once: a fast verdict, and every violation at its leaf.

A thin layer over jsonschema-rs. The draft is the one that `$schema` names (4, 6, 7,
2019-09, 2020-12), else 2020-12; `format` is asserted where that draft does (up to 7).
References are resolved within the document and never fetched: a schema that points
outside, or is wrong in any other way, is the programmer's error and is refused when it
is declared, by the name of the tool and the place in the schema.

`is_valid` is the validator's own call; `issues` is asked only when it says no.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Literal
from urllib.parse import unquote

import jsonschema_rs

from argwright import pointer
from argwright.errors import DeclarationError
from argwright.excerpt import Excerpt, Path
from argwright.faults import Fault, layered, whole
from argwright.mask import Mask
from argwright.model import Issue, Json
from argwright.reasons import SCHEMA_REASONS
from argwright.recursive_unions import RecursiveUnions, applies
from argwright.shape import Shape
from argwright.violations import Scene, leaves
from argwright.wording import shorten

MAX_ISSUES = 10_000  # of one value; more are of no use to anybody

_REASONS: Mapping[str, str] = {
    "required": "missing",
    "dependentRequired": "missing",
    "additionalProperties": "unexpected",
    "unevaluatedProperties": "unexpected",
    "type": "type",
    "enum": "enum",
    "const": "enum",
    **{slug: slug for slug in SCHEMA_REASONS},
}
_OF_A_PART = frozenset({"minItems", "contains", "minContains", "minProperties", "anyOf", "oneOf", "const", "enum"})


def compile_schema(schema: Any, *, where: str = "", sensitive: Collection[str] = ()) -> CompiledSchema:
    """Compile a JSON Schema.

    Args:
        schema: the schema, as JSON data.
        where: the tool's name, for the error's text.
        sensitive: names or JSON Pointers of fields whose values no issue may tell.

    Raises:
        DeclarationError: this is no valid schema, or it refers to what is not in it.
    """
    return CompiledSchema(schema, where, frozenset(sensitive))


class CompiledSchema:
    """A schema that validates; immutable, thread-safe, picklable (it is compiled again)."""

    __slots__ = ("_check", "_mask", "_sensitive", "_shapes", "_unions", "_validator", "_where", "schema")

    def __init__(self, schema: Any, where: str, sensitive: frozenset[str]) -> None:
        self.schema = schema
        self._where = where
        self._sensitive = sensitive
        self._mask = Mask(sensitive)
        self._validator = _compiled(schema, where)
        self._check = self._validator.is_valid
        self._shapes: dict[int, Shape] = {}
        self._unions: RecursiveUnions | Literal[False] | None = None  # made when it is first asked for

    def __reduce__(self) -> tuple[type[CompiledSchema], tuple[Any, str, frozenset[str]]]:
        return CompiledSchema, (self.schema, self._where, self._sensitive)

    def __repr__(self) -> str:
        return f"CompiledSchema({self._where!r})"

    def is_valid(self, value: Json) -> bool:
        """Whether the value satisfies the schema; what is no JSON satisfies none."""
        try:
            return self._check(value)
        except (ValueError, RecursionError):  # half a surrogate pair, a key that is no string, a Python object
            return False

    def issues(self, value: Json, sensitive: Collection[str] = ()) -> tuple[Issue, ...]:
        """Every violation, in the schema's order; empty exactly if the value is valid.

        Args:
            value: JSON data; of a very large or deep value only a part is searched.
            sensitive: more names or pointers of fields whose values must not be told.
        """
        if self.is_valid(value):
            return ()
        excerpt = Excerpt()
        mask = Mask({*self._sensitive, *sensitive}) if sensitive else self._mask
        scene = Scene(excerpt.of(value), self.schema, mask, shapes=self._shapes)
        found = _distinct(islice(self._raw(scene), MAX_ISSUES))
        found = _of_part(found, excerpt) if excerpt.odd or excerpt.cut else _without_echoes(found)
        return tuple(found) or (_UNPLACED,)

    def _raw(self, scene: Scene) -> Iterator[Issue]:
        try:
            for fault in self._faults(scene.value):
                yield from leaves(fault, scene)
        except ValueError:  # more than the validator can report on
            return

    def _faults(self, value: Json) -> Iterator[Fault]:
        if self._unions is None:
            self._unions = RecursiveUnions(self.schema) if applies(self.schema) else False
        return layered(self._unions, value) if self._unions else whole(self._validator.iter_errors(value), value)


_UNPLACED = Issue(pointer="", keyword="constraint", message="does not fit the schema, and is too large to say where")


def reason_of(issues: Iterable[Issue]) -> str:
    """The one slug for several issues: the first in the order of `SCHEMA_REASONS`."""
    found = {_reason(issue) for issue in issues}
    return next((slug for slug in SCHEMA_REASONS if slug in found), "constraint")


def _reason(issue: Issue) -> str:
    if issue.keyword == "type" and not issue.pointer:
        return "not_an_object"
    return _REASONS.get(issue.keyword, "constraint")


def _distinct(issues: Iterable[Issue]) -> list[Issue]:
    """Each issue once: two keywords of the schema may lead to the same violation."""
    return list({(issue.pointer, issue.keyword, issue.message): issue for issue in issues}.values())


def _of_part(issues: Iterable[Issue], excerpt: Excerpt) -> list[Issue]:
    """The issues of a value of which the validator was shown only a part, and what is no JSON in it."""
    odd = {pointer.join(path): what for path, what in excerpt.odd[:MAX_ISSUES]}
    cut = {pointer.join(path) for path in excerpt.cut}
    found = _without_echoes([issue for issue in issues if issue.pointer not in odd and not _of_cut(issue, cut)])
    return found + [Issue(pointer=place, keyword="constraint", message=what) for place, what in odd.items()]


def _of_cut(issue: Issue, places: Collection[str]) -> bool:
    """Whether the issue may come from showing the validator only a part, cut at these places."""
    parent = issue.pointer.rpartition("/")[0]
    return (issue.keyword in _OF_A_PART and issue.pointer in places) or (
        issue.keyword == "required" and parent in places
    )


def _without_echoes(issues: list[Issue]) -> list[Issue]:
    """Leave out declared fields that count as unevaluated only because something else about them is wrong."""
    kept = [issue for issue in issues if not (issue.keyword == "unevaluatedProperties" and _declared(issue))]
    return kept or issues


def _declared(issue: Issue) -> bool:
    return isinstance(issue.expected, list) and pointer.split(issue.pointer)[-1] in issue.expected


def _compiled(schema: Any, where: str) -> jsonschema_rs.Validator:
    try:
        return jsonschema_rs.validator_for(schema, offline=True, mask="")  # else every error prints the whole value
    except jsonschema_rs.ValidationError as error:
        place, message = _fault(error, schema)
    except (ValueError, TypeError, RecursionError) as error:
        place, message = "", str(error)
    named = f"tool {where!r}: " if where else ""
    at = f" at {place}" if place else ""
    raise DeclarationError(f"{named}bad schema{at}: {shorten(message, 400)}")


def _fault(error: jsonschema_rs.ValidationError, schema: Any) -> tuple[str, str]:
    """The place in the schema, and what is wrong there."""
    if isinstance(error.kind, jsonschema_rs.ValidationErrorKind.Referencing):
        return _dangling(schema, str(error.kind.error))
    issue = next(leaves(next(whole([error], schema)), Scene(schema, None, Mask())))
    return issue.pointer, issue.message


def _dangling(schema: Any, message: str) -> tuple[str, str]:
    """Find the reference of which the validator only says that it leads nowhere."""
    if "meta-schema" in message:
        return "/$schema", f"{schema.get('$schema')!r} is not a known draft of JSON Schema"
    for path, target in _references(schema, ()):
        if not _leads_somewhere(schema, target):
            remote = "" if target.startswith("#") else " (references are never fetched; put the target into $defs)"
            return pointer.join(path), f"the reference {target!r} leads nowhere{remote}"
    return "", message


def _references(node: Any, path: Sequence[str | int]) -> Iterator[tuple[Path, str]]:
    members = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, item in members:
        if key in ("$ref", "$dynamicRef", "$recursiveRef") and isinstance(item, str):
            yield (*path, key), item
        else:
            yield from _references(item, (*path, key))


def _leads_somewhere(schema: Any, target: str) -> bool:
    """Whether a reference names a place, an anchor or an embedded resource of the document."""
    if target.startswith("#/"):
        try:
            pointer.get(schema, unquote(target[1:]))
        except (LookupError, ValueError):
            return False
        return True
    return target in ("#", "") or target.removeprefix("#") in set(_names(schema))


def _names(node: Any) -> Iterator[str]:
    """The names by which parts of the document may be referred to."""
    members = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, item in members:
        if key in ("$id", "id", "$anchor", "$dynamicAnchor") and isinstance(item, str):
            yield item.removeprefix("#")
        else:
            yield from _names(item)
