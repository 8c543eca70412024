"""A tool's schema, made to fit what a provider takes.

The walk goes down the schema once. At each place the keywords that the subset lacks are
first written in others that say the same (`rewrite`); what is left over is said in the
description or dropped, and either way noted. Only what a provider needs is changed: a
schema that fits goes out as it was declared. Where the fitted schema says less, it never
forbids what the declared one allows, strict mode apart; the declared schema is what
validates the call.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from argwright import pointer
from argwright.model import Json
from argwright.shape import json_type
from argwright.wire.declaring import rewrite, strict, words
from argwright.wire.declaring.modern import SCHEMA_LISTS, SCHEMA_MAPS, SCHEMAS, modern, size_and_depth
from argwright.wire.declaring.refs import Document, references
from argwright.wire.declaring.report import LOSSES, Action, Adjustment, CannotFit
from argwright.wire.declaring.subset import Subset

_MOST_PLACES = 20_000  # schemas in one declaration; the largest seen in the wild hold some thousand
_DEEPEST = 100  # levels; no provider takes as many, and the walk recurses

Said = list[tuple[str, Json]]


class Fitter:
    """One walk over one schema: what is fitted so far, and the notes."""

    def __init__(self, tool: str, subset: Subset, document: Document) -> None:
        self.tool = tool
        self.subset = subset
        self.document = document
        self.notes: list[Adjustment] = []
        self.said: tuple[tuple[str, Json], ...] = ()
        """What is to be said of the tool as a whole."""
        self._places = 0

    def note(self, at: str, keyword: str, action: Action, why: str) -> None:
        """Put one adjustment on record."""
        self.notes.append(Adjustment(tool=self.tool, pointer=at, keyword=keyword, action=action, why=why))

    def refuse(self, at: str, keyword: str, value: Json, why: str) -> Said:
        """Leave a keyword out; what is to be said in its place."""
        if keyword in words.STRUCTURE or words.says_nothing(keyword, value):
            return []
        if not words.worth_saying(keyword, value):
            self.note(at, keyword, "dropped", why)
            return []
        self.note(at, keyword, "moved", why)
        return [(keyword, value)]

    def place(self, schema: Any, at: str, trail: tuple[str, ...] = ()) -> dict[str, Any]:
        """The schema of one place, fitted.

        Args:
            schema: as declared, in today's spelling.
            at: where it stands, as a JSON Pointer.
            trail: the references that were written out on the way here.
        """
        self._places += 1
        if self._places > _MOST_PLACES:
            raise CannotFit(f"written out it has more than {_MOST_PLACES} places")
        if not isinstance(schema, dict):
            schema = {"not": {}} if schema is False else {}
        node, said, trail = rewrite.rewritten(self, schema, at, trail)
        made: dict[str, Any] = {}
        for key, value in node.items():
            why = self._objection(key, value, at)
            if key in SCHEMA_LISTS and not any(sub is not False for sub in value):
                self.note(at, key, "dropped", "nothing is valid here")
            elif why is None:
                made[key] = self._value(key, value, at, trail)
            else:
                said += self.refuse(at, key, value, why)
        made = self._finished(made, node, at)
        return self._described(made, said, at)

    def _described(self, made: dict[str, Any], said: Said, at: str) -> dict[str, Any]:
        if not at:
            self.said = tuple(said)
            return made
        alone = self.subset.lone_any_of
        if said and alone is not None and "anyOf" in made and "description" not in alone:
            first, *others = made["anyOf"]
            text = words.describe(first.get("description"), said)
            return {**made, "anyOf": [{**first, "description": text}, *others]}
        text = words.describe(made.get("description"), said)
        return made if text is None or text == made.get("description") else {**made, "description": text}

    def _objection(self, key: str, value: Json, at: str) -> str | None:
        if not at and key in self.subset.root_bans:
            return f"{self.subset.name} does not take {key!r} at the root"
        if key == "enum" and self.subset.enum_types is not None and isinstance(value, list):
            odd = [one for one in value if json_type(one) not in self.subset.enum_types]
            if odd:
                return f"{self.subset.name} lists no {json_type(odd[0])} in an enum"
        return self.subset.objection(key, value)

    def _value(self, key: str, value: Any, at: str, trail: tuple[str, ...]) -> Any:
        """A keyword's value, the schemas in it fitted."""
        if key == "properties" and isinstance(value, dict):
            return self._members(value, at, trail)
        if key in SCHEMA_MAPS and isinstance(value, dict):
            return {name: self._sub(sub, at, trail, key, name) for name, sub in value.items()}
        if key in SCHEMA_LISTS and isinstance(value, list):
            return [self._sub(sub, at, trail, key, str(number)) for number, sub in enumerate(value) if sub is not False]
        if key in SCHEMAS:
            return self._sub(value, at, trail, key)
        return value

    def _sub(self, schema: Any, at: str, trail: tuple[str, ...], *path: str) -> Any:
        if isinstance(schema, bool) and (self.subset.keywords is None or path == ("additionalProperties",)):
            return schema
        return self.place(schema, at + pointer.join(path), trail)

    def _members(self, members: Mapping[str, Any], at: str, trail: tuple[str, ...]) -> dict[str, Any]:
        kept: dict[str, Any] = {}
        for name, sub in members.items():
            where = at + pointer.join(("properties", name))
            if sub is False and self.subset.keywords is not None:
                self.note(where, "properties", "dropped", "nothing is valid here")
            elif self.subset.keys is not None and not self.subset.keys.fullmatch(name):
                self.note(where, "properties", "dropped", f"{self.subset.name} takes no member of this name")
            else:
                kept[name] = self._sub(sub, at, trail, "properties", name)
        return kept

    def _finished(self, made: dict[str, Any], node: Mapping[str, Any], at: str) -> dict[str, Any]:
        """The place, with what the provider wants said at every place of its kind."""
        named = strict.types_of(made)
        if "object" in named or "properties" in made:
            made = self._object(made, node, at)
        if "array" in named and self.subset.array_items and "items" not in made and "prefixItems" not in made:
            made = {**made, "items": self.place({}, at + "/items")}
        if self.subset.typed and not made.keys() & {"type", "anyOf", "$ref"}:
            made = self._typed(made, node, at)
        if self.subset.upper_types and isinstance(made.get("type"), str):
            made = {**made, "type": made["type"].upper()}
        return made

    def _object(self, made: dict[str, Any], node: Mapping[str, Any], at: str) -> dict[str, Any]:
        made = self._required(made, at)
        if self.subset.closed:
            shut = strict.closed(made, node, place=at, subset=self.subset)
            self._note_closed(made, shut, at)
            return shut
        if self.subset.object_members and at and not made.get("properties"):
            self.note(at, "type", "moved", f"{self.subset.name} takes no object without members")
            return {"type": "string", "description": words.describe(made.get("description"), [("type", "object")])}
        if self.subset.shut and at and not made.keys() & {"properties", "additionalProperties"}:
            self.note(
                at, "additionalProperties", "rewritten", f"{self.subset.name} takes no member that is not allowed"
            )
            return {**made, "additionalProperties": True}
        return made

    def _note_closed(self, made: Mapping[str, Any], shut: Mapping[str, Any], at: str) -> None:
        if made.get("additionalProperties") is not False:
            self.note(at, "additionalProperties", "closed", f"{self.subset.name} takes closed objects only")
        for name in shut.get("required", ()):
            if name not in made.get("required", ()):
                where = at + pointer.join(("properties", name))
                self.note(where, "required", "closed", "sent always, null stands for none")

    def _required(self, made: dict[str, Any], at: str) -> dict[str, Any]:
        """The object without required members that are not there, or that a cycle runs through."""
        wanted = made.get("required")
        if not isinstance(wanted, list):
            return made
        members = made.get("properties", {})
        kept = list[str]()
        for name in wanted:
            if self.subset.keys is not None and not self.subset.keys.fullmatch(name):
                raise CannotFit(f"{at or 'the root'} requires {name!r}, {self.subset.name} takes no such name")
            if name not in members and self.subset.keywords is not None:
                self.note(at, "required", "dropped", f"{name!r} is not among the declared members")
            elif self.subset.recursion == "optional" and self.document.leads_to_cycle(members.get(name)):
                self.note(at, "required", "dropped", f"{self.subset.name} takes a cycle only through optional members")
            else:
                kept.append(name)
        if kept == wanted:
            return made
        rest = {key: value for key, value in made.items() if key != "required"}
        return {**rest, "required": kept} if kept else rest

    def _typed(self, made: dict[str, Any], node: Mapping[str, Any], at: str) -> dict[str, Any]:
        """A place that named no type, with one."""
        listed = node.get("enum", [node["const"]] if "const" in node else [])
        named = list(dict.fromkeys(json_type(value) for value in listed))
        if not named and "properties" in made:
            named = ["object"]
        if named:
            self.note(at, "type", "rewritten", f"{self.subset.name} wants a type at every place")
            return {"type": named[0] if len(named) == 1 else named, **made}
        if self.subset.closed or "not" in made:
            raise CannotFit(f"{at or 'the root'} names no type")
        self.note(at, "type", "moved", f"{self.subset.name} wants a type at every place")
        branches = [{"type": name} for name in ("string", "number", "boolean")]
        if self.subset.upper_types:
            branches = [{"type": branch["type"].upper()} for branch in branches]
        beside = self.subset.lone_any_of
        return {**{key: sub for key, sub in made.items() if beside is None or key in beside}, "anyOf": branches}


@dataclass(frozen=True, kw_only=True)
class Fitted:
    """A schema that a provider takes, what is to be said in the tool's own description, and what it cost."""

    schema: dict[str, Any]
    said: tuple[tuple[str, Json], ...]
    notes: tuple[Adjustment, ...]

    @property
    def losses(self) -> int:
        """How many constraints the provider no longer holds the model to."""
        return sum(note.action in LOSSES and note.keyword not in words.ANNOTATIONS for note in self.notes)


def fit(tool: str, schema: Mapping[str, Any], subset: Subset) -> Fitted:
    """A tool's schema in this subset.

    Raises:
        CannotFit: this provider cannot take the schema at all.
    """
    places, depth = size_and_depth(schema, most=_MOST_PLACES)
    if places > _MOST_PLACES or depth > _DEEPEST:
        raise CannotFit(f"it has more than {_MOST_PLACES if places > _MOST_PLACES else _DEEPEST} places or levels")
    document = Document(modern(dict(schema)), schema)
    fitter = Fitter(tool, subset, document)
    root = rewrite.as_object(document)
    made = fitter.place(root, "") if subset.keywords is None else _with_definitions(fitter, root)
    if any(Document(made, {}).target(ref) is None for ref in references(made, definitions=True)):
        raise CannotFit("a reference points into a part that has to be written otherwise")
    if subset.some_required and not made.get("required"):
        raise CannotFit(f"{subset.name} wants at least one required member")
    strict.check_limits(made, subset)
    return Fitted(schema=deepcopy(made), said=fitter.said, notes=tuple(fitter.notes))


def _with_definitions(fitter: Fitter, root: dict[str, Any]) -> dict[str, Any]:
    """The root, and of its definitions those that are still referred to."""
    made = fitter.place({key: value for key, value in root.items() if key != "$defs"}, "")
    used: dict[str, Any] = {}
    waiting = references(made)
    while waiting:
        name = pointer.split(waiting.pop()[1:])[-1]
        if name not in used:
            used[name] = fitter.place(root["$defs"][name], pointer.join(("$defs", name)))
            waiting += references(used[name])
    return {**made, "$defs": used} if used else made
