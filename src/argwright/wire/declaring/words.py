"""What cannot be said in a provider's keywords, said in the description."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from argwright.model import Json, compact

LONGEST = 500  # characters of one keyword's value: longer ones cost more tokens than a model makes use of

STRUCTURE = frozenset({"$defs", "definitions"})
ANNOTATIONS = frozenset({
    "$schema", "$id", "id", "$comment", "$anchor", "$vocabulary", "$dynamicAnchor", "$recursiveAnchor", "title",
    "nullable", "discriminator", "propertyOrdering", "xml", "externalDocs",
})  # fmt: skip
"""Keywords that hold the model to nothing: they are dropped, not said."""

_SAID = frozenset({
    "type", "enum", "const", "default", "examples", "example", "format", "pattern", "minLength", "maxLength", "minimum",
    "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minItems", "maxItems", "uniqueItems", "contains",
    "minContains", "maxContains", "prefixItems", "items", "unevaluatedItems", "properties", "required", "minProperties",
    "maxProperties", "additionalProperties", "patternProperties", "propertyNames", "unevaluatedProperties",
    "dependentRequired", "dependentSchemas", "not", "if", "then", "else", "anyOf", "oneOf", "allOf", "$ref",
    "contentEncoding", "contentMediaType", "contentSchema", "deprecated", "readOnly", "writeOnly",
})  # fmt: skip

_TRIVIAL: tuple[tuple[str, Any], ...] = (
    ("additionalProperties", True), ("additionalProperties", {}), ("unevaluatedProperties", True), ("items", True),
    ("items", {}), ("uniqueItems", False), ("required", []), ("properties", {}), ("minItems", 0), ("minLength", 0),
    ("minProperties", 0), ("deprecated", False), ("readOnly", False), ("writeOnly", False),
)  # fmt: skip


def says_nothing(keyword: str, value: Json) -> bool:
    """Whether a keyword with this value is what holds anyway."""
    return any(keyword == key and value == common and type(value) is type(common) for key, common in _TRIVIAL)


def worth_saying(keyword: str, value: Json) -> bool:
    """Whether a model can make use of the keyword in words."""
    return keyword in _SAID and len(compact(value)) <= LONGEST


def describe(description: Any, said: Sequence[tuple[str, Json]]) -> str | None:
    """The description with what is said in words behind it; `None` if there is neither."""
    own = description if isinstance(description, str) else ""
    words = ", ".join(f"{keyword}: {compact(value)}" for keyword, value in said)
    if not words:
        return own or None
    return f"{own} ({words})" if own else f"({words})"
