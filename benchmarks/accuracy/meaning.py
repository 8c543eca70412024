"""Damage to the meaning: the text is JSON, but what it says does not fit the tool."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from benchmarks.accuracy.dice import Dice
from benchmarks.accuracy.operators import Damaged, Operator, Subject, is_free_text, is_number, put, slots, types

_SCALARS = {"integer", "number", "boolean"}
_CONTAINERS = {"object", "array"}


def _replaced(
    dice: Dice,
    subject: Subject,
    fits: Callable[[Any, Mapping[str, Any]], bool],
    new: Callable[[Any], Any],
    *,
    recoverable: bool = True,
) -> Damaged | None:
    found = slots(subject, fits)
    if not found:
        return None
    slot = dice.one(found)
    return Damaged(put(subject.arguments, slot.path, new(slot.value)), recoverable)


def _only(schema: Mapping[str, Any], allowed: set[str]) -> bool:
    return bool(types(schema)) and types(schema) <= allowed


def text_for_scalar(dice: Dice, subject: Subject) -> Damaged | None:
    def fits(value: Any, schema: Mapping[str, Any]) -> bool:
        return (is_number(value) or isinstance(value, bool)) and _only(schema, _SCALARS) and "enum" not in schema

    return _replaced(dice, subject, fits, lambda value: dice.one((json.dumps(value), str(value))))


def text_for_container(dice: Dice, subject: Subject) -> Damaged | None:
    def fits(value: Any, schema: Mapping[str, Any]) -> bool:
        return isinstance(value, (dict, list)) and bool(value) and _only(schema, _CONTAINERS)

    return _replaced(
        dice,
        subject,
        fits,
        lambda value: dice.one((json.dumps(value), json.dumps(value, ensure_ascii=False), repr(value))),
    )


def element_for_list(dice: Dice, subject: Subject) -> Damaged | None:
    """One element without its list; a text that could itself be a list of several is no such case."""

    def fits(value: Any, schema: Mapping[str, Any]) -> bool:
        if not (isinstance(value, list) and len(value) == 1 and _only(schema, {"array"})):
            return False
        element = value[0]
        return is_number(element) or (
            isinstance(element, str)
            and bool(element)
            and not re.search(r"[,;\[\]\n]|^null$|^none$", element, re.IGNORECASE)
        )

    return _replaced(dice, subject, fits, lambda value: value[0])


def joined_list(dice: Dice, subject: Subject) -> Damaged | None:
    """A list as one text with commas: one element or several?"""

    def fits(value: Any, schema: Mapping[str, Any]) -> bool:
        return (
            isinstance(value, list)
            and len(value) > 1
            and _only(schema, {"array"})
            and all(isinstance(item, str) for item in value)
        )

    return _replaced(dice, subject, fits, ", ".join, recoverable=False)


def list_for_element(dice: Dice, subject: Subject) -> Damaged | None:
    def fits(value: Any, schema: Mapping[str, Any]) -> bool:
        return not isinstance(value, (dict, list)) and bool(types(schema)) and not types(schema) & _CONTAINERS

    return _replaced(dice, subject, fits, lambda value: [value])


def wrapper(dice: Dice, subject: Subject) -> Damaged | None:
    key = dice.one(("arguments", "parameters", "input", "args", "kwargs"))
    if not subject.arguments or {key, "name", "tool"} & set(subject.schema.get("properties", {})):
        return None
    inner: Any = json.dumps(subject.arguments) if dice.chance(0.25) else subject.arguments
    return Damaged({"name": subject.tool, key: inner} if dice.chance(0.35) else {key: inner})


def schema_echo(dice: Dice, subject: Subject) -> Damaged | None:
    if not subject.arguments or {"properties", "type", "required"} & set(subject.schema.get("properties", {})):
        return None
    echo: dict[str, Any] = {"properties": subject.arguments}
    if dice.chance(0.6):
        echo = {"type": "object", **echo}
    if dice.chance(0.3):
        echo["required"] = list(subject.schema.get("required", ()))
    return Damaged(echo)


def _words(name: str) -> list[str]:
    return [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+", name)]


def other_convention(dice: Dice, subject: Subject) -> Damaged | None:
    """Keys in another naming convention, where that breaks the schema and only one declared key has these words."""
    declared = list(subject.schema.get("properties", {}))
    convention: Callable[[list[str]], str] = dice.one((
        "_".join, "-".join, " ".join,
        lambda words: words[0] + "".join(word.title() for word in words[1:]),
        lambda words: "".join(word.title() for word in words),
    ))  # fmt: skip
    renamed = {
        name: convention(_words(name)) for name in subject.arguments if name in declared and len(_words(name)) > 1
    }
    renamed = {
        name: new
        for name, new in renamed.items()
        if new not in declared and sum(_words(other) == _words(name) for other in declared) == 1
    }
    closed = subject.schema.get("additionalProperties") is False
    if not renamed or not (closed or renamed.keys() & set(subject.schema.get("required", ()))):
        return None
    return Damaged({renamed.get(name, name): value for name, value in subject.arguments.items()})


def misspelt_key(dice: Dice, subject: Subject) -> Damaged | None:
    """Two letters of a required key swapped: likely meant, yet nobody declared it."""
    required = [name for name in subject.schema.get("required", ()) if name in subject.arguments and len(name) >= 5]
    if not required:
        return None
    name = dice.one(required)
    at = 1 + dice.below(len(name) - 2)
    wrong = dice.one(
        (
            name[:at] + name[at + 1] + name[at] + name[at + 2 :],
            name[:at] + name[at + 1 :],
            name[:at] + name[at] + name[at:],
        )
    )
    if wrong == name or wrong in subject.schema.get("properties", {}):
        return None
    return Damaged(
        {wrong if key == name else key: value for key, value in subject.arguments.items()}, recoverable=False
    )


def invented_keys(dice: Dice, subject: Subject) -> Damaged | None:
    required = [name for name in subject.schema.get("required", ()) if name in subject.arguments]
    invented = [
        name for name in ("content", "info", "field", "payload") if name not in subject.schema.get("properties", {})
    ]
    if len(required) < 2 or len(invented) < 2:
        return None
    first = dice.below(len(required) - 1)
    renamed = dict(zip(required[first : first + 2], invented, strict=False))
    return Damaged({renamed.get(name, name): value for name, value in subject.arguments.items()}, recoverable=False)


def _enum_slot(value: Any, schema: Mapping[str, Any]) -> bool:
    return (
        isinstance(value, str)
        and isinstance(schema.get("enum"), list)
        and len(schema["enum"]) > 1
        and value in schema["enum"]
    )


def enum_spelling(dice: Dice, subject: Subject) -> Damaged | None:
    def folded(text: Any) -> str:
        return re.sub(r"[\s_-]+", "", str(text)).casefold()

    found = [slot for slot in slots(subject, _enum_slot) if re.search("[A-Za-z]{2}", slot.value)]
    found = [slot for slot in found if sum(folded(other) == folded(slot.value) for other in slot.schema["enum"]) == 1]
    if not found:
        return None
    slot = dice.one(found)
    text = slot.value
    spellings = {text.upper(), text.lower(), text.title(), text.replace("_", "-"), text.replace(" ", "_"), f" {text} "}
    other = sorted(spelling for spelling in spellings if spelling not in slot.schema["enum"])
    return Damaged(put(subject.arguments, slot.path, dice.one(other)))


def enum_stranger(dice: Dice, subject: Subject) -> Damaged | None:
    found = slots(subject, _enum_slot)
    if not found:
        return None
    slot = dice.one(found)
    stranger = dice.one(("any", "unspecified", "n/a", "both"))
    return (
        None
        if stranger in slot.schema["enum"]
        else Damaged(put(subject.arguments, slot.path, stranger), recoverable=False)
    )


def null_for_absent(dice: Dice, subject: Subject) -> Damaged | None:
    required = set(subject.schema.get("required", ()))
    absent = [
        (name, node)
        for name, node in subject.schema.get("properties", {}).items()
        if name not in required | set(subject.arguments)
        and types(node)
        and "null" not in types(node)
        and "enum" not in node
    ]
    if not absent:
        return None
    filled = {}
    for name, node in absent if dice.chance(0.4) else [dice.one(absent)]:
        filled[name] = None if "string" in types(node) else dice.one((None, None, "", "null", "None"))
    return Damaged({**subject.arguments, **filled})


def null_for_required(dice: Dice, subject: Subject) -> Damaged | None:
    declared = subject.schema.get("properties", {})
    required = [name for name in subject.schema.get("required", ()) if name in subject.arguments]
    required = [name for name in required if types(declared.get(name, {})) and "null" not in types(declared[name])]
    return Damaged({**subject.arguments, dice.one(required): None}, recoverable=False) if required else None


def undeclared_key(dice: Dice, subject: Subject) -> Damaged | None:
    if subject.schema.get("additionalProperties") is not False:
        return None
    name = dice.one(("note_to_self", "rationale", "certainty", "step"))
    return Damaged({**subject.arguments, name: dice.one(("as asked", 0.8, 2))}, recoverable=False)


def missing_required(dice: Dice, subject: Subject) -> Damaged | None:
    required = [name for name in subject.schema.get("required", ()) if name in subject.arguments]
    if not required:
        return None
    gone = dice.one(required)
    return Damaged({name: value for name, value in subject.arguments.items() if name != gone}, recoverable=False)


def unfaithful_number(dice: Dice, subject: Subject) -> Damaged | None:
    def fits(value: Any, schema: Mapping[str, Any]) -> bool:
        return is_number(value) and _only(schema, {"integer", "number"}) and "enum" not in schema

    form = dice.one(("{} pieces", "ca. {}", "{}%", "€{}", "{}?", "{0}-{0}0"))
    return _replaced(dice, subject, fits, form.format, recoverable=False)


def other_type(dice: Dice, subject: Subject) -> Damaged | None:
    def fits(_: Any, schema: Mapping[str, Any]) -> bool:
        return _only(schema, _SCALARS) and "enum" not in schema

    return _replaced(
        dice, subject, fits, lambda _: dice.one(("not known yet", {"from": "previous"}, "see above")), recoverable=False
    )


def swallowed_parameter(dice: Dice, subject: Subject) -> Damaged | None:
    """A wrong closing tag: a later parameter has become part of the text before it."""
    declared = subject.schema.get("properties", {})
    texts = [name for name, value in subject.arguments.items() if is_free_text(value, declared.get(name, {}))]
    others = [name for name in subject.schema.get("required", ()) if name in subject.arguments]
    pairs = [(text, other) for text in texts for other in others if text != other]
    if not pairs:
        return None
    name, other = dice.one(pairs)
    value = subject.arguments[other]
    swallowed = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    left = {key: item for key, item in subject.arguments.items() if key != other}
    left[name] += f'</{dice.one(("parameter", name))}>\n<parameter name="{other}">{swallowed}'
    return Damaged(left, recoverable=False)


OPERATORS = (
    Operator("text_for_scalar", "meaning", 7, text_for_scalar),
    Operator("text_for_container", "meaning", 5, text_for_container),
    Operator("element_for_list", "meaning", 3, element_for_list),
    Operator("joined_list", "meaning", 1, joined_list),
    Operator("list_for_element", "meaning", 2, list_for_element),
    Operator("wrapper", "meaning", 5, wrapper),
    Operator("schema_echo", "meaning", 2, schema_echo),
    Operator("other_convention", "meaning", 4, other_convention),
    Operator("misspelt_key", "meaning", 2, misspelt_key),
    Operator("invented_keys", "meaning", 2, invented_keys),
    Operator("enum_spelling", "meaning", 3, enum_spelling),
    Operator("enum_stranger", "meaning", 2, enum_stranger),
    Operator("null_for_absent", "meaning", 5, null_for_absent),
    Operator("null_for_required", "meaning", 4, null_for_required),
    Operator("undeclared_key", "meaning", 2, undeclared_key),
    Operator("missing_required", "meaning", 4, missing_required),
    Operator("unfaithful_number", "meaning", 1, unfaithful_number),
    Operator("other_type", "meaning", 2, other_type),
    Operator("swallowed_parameter", "meaning", 1, swallowed_parameter),
)
