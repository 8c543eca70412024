"""Types for values that the wire carries as bare text.

A tag-valued parameter has no type of its own: the declared schema gives it one, never
its looks. Where the schema says string, the text stays what it is, `007` and `null` too.
A number is one only as JSON writes it: `007` and `+5` may be codes, and stay text.
Where nothing fits, the text goes on as it is, and validation says what is wrong with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from argwright.decode import Decoded, decode
from argwright.dialects.literals import LiteralError, spaces
from argwright.dialects.literals import value as literal
from argwright.model import Json, compact
from argwright.policy import Policy
from argwright.shape import Shape, json_type

_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]{0,3999})")  # the interpreter converts no more than 4,300 digits
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,399})(?:\.[0-9]{1,400})?(?:[eE][+-]?[0-9]{1,4})?")
_STRING = frozenset({"string"})
_NULLS = frozenset({"null", "Null", "NULL"})
_TRUE = frozenset({"true", "True", "TRUE", "1"})
_FALSE = frozenset({"false", "False", "FALSE", "0"})
_INFINITE = (float("inf"), float("-inf"))


def typed(text: str, shape: Shape) -> Json:
    """The value that the text stands for at this place of the schema."""
    types = shape.types
    if types == _STRING:
        return text
    bare = text.strip()
    if not types:
        return _untyped(text, bare)
    if "null" in types and bare in _NULLS:
        return None
    if types & {"integer", "number"} and (number := _number(bare, types)) is not None:
        return number
    if "boolean" in types and bare in _TRUE | _FALSE:
        return bare in _TRUE
    if types & {"object", "array"}:
        return _container(text, bare, types)
    return text


def _untyped(text: str, bare: str) -> Json:
    read = decode(bare, policy=Policy.STRICT)
    return read.value if isinstance(read, Decoded) and not read.repairs else text


def _number(bare: str, types: frozenset[str]) -> int | float | None:
    if _INTEGER.fullmatch(bare):
        return int(bare)
    if "number" in types and _NUMBER.fullmatch(bare):
        number = float(bare)
        return None if number in _INFINITE else number
    return None


def _container(text: str, bare: str, types: frozenset[str]) -> Json:
    if bare[:1] not in ("{", "["):
        return text
    read = decode(bare, policy=Policy.STRICT)
    if isinstance(read, Decoded) and not read.repairs:
        return read.value if json_type(read.value) in types else text
    try:
        end, value = literal(bare, 0)
    except LiteralError:
        return text
    return value if spaces(bare, end) == len(bare) and json_type(value) in types else text


def object_text(members: Iterable[tuple[str, Json]]) -> str:
    """An object's JSON text, one key twice if it was given twice, so that the decoder sees it."""
    return "{" + ",".join(f"{compact(key)}:{compact(value)}" for key, value in members) + "}"


def member_shape(shape: Shape, name: str) -> Shape:
    """The shape of the member of this name, or of the one whose name is the same words in another spelling."""
    if name in shape.properties:
        return shape.member(name)
    same = [declared for declared in shape.properties if _folded(declared) == _folded(name)]
    return shape.member(same[0] if len(same) == 1 else name)


def _folded(name: str) -> str:
    return re.sub(r"[\s_-]", "", name).casefold()


def text_parameter(schema: Mapping[str, Json]) -> str | None:
    """The parameter that a bare text input means: the only or first required one, else the first if it takes text."""
    properties = schema.get("properties")
    names = [str(name) for name in properties] if isinstance(properties, Mapping) else []
    required = schema.get("required")
    first = [str(name) for name in required if name in names] if isinstance(required, list) else []
    if first or not names:
        return first[0] if first else None
    return names[0] if len(names) == 1 or Shape(schema).member(names[0]).allows("string") else None
