"""What each provider takes of JSON Schema, as allow-lists: a keyword that is not named does not go out.

A `Subset` is what one provider takes in one mode, `Modes` all that one provider offers.
Facts come from the providers' documentation and from the types and helpers of their own
SDKs. Where a provider is known to ignore what it does not know, the keyword is still
not sent, since a model that never sees a constraint cannot keep it: it is said in the
description.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

_UNSAFE_PATTERN = re.compile(r"\(\?<?[=!]|\\[1-9]|\\[bB]")
"""Look-around, back-references and word boundaries: no provider's grammar compiler takes them."""

_PRIMITIVES = frozenset({"string", "integer", "number", "boolean", "null"})


@dataclass(frozen=True, kw_only=True)
class Subset:
    """What a provider takes in one mode.

    Args:
        name: how messages call it.
        keywords: the allow-list; `None` takes everything.
        root_bans: keywords refused at the root only.
        formats: values of `format`; `None` takes all.
        numbers: for a keyword with a number, the only numbers taken.
        simple_patterns: `pattern` without look-around, back-references and word boundaries.
        enum_types: JSON types that `enum` may list; `None` takes all.
        uniform_enums: all values of an `enum` have one type.
        null: how "or null" is written.
        type_lists: `type` may be a list.
        upper_types: types are written in capitals.
        lone_any_of: which keywords may stand beside `anyOf`; `None` takes all.
        ref_siblings: a `$ref` may have other keywords beside it.
        recursion: `optional` takes a cycle only through members that are not required.
        typed: every place names its type.
        array_items: an array says what its items are.
        object_members: an object below the root has members.
        keys: what the name of a member must match.
        shut: an object that says nothing of further members takes none.
        closed: strict mode: objects take no further members.
        all_required: strict mode: every member is required, an optional one may be null.
        some_required: at least one member of the root is required.
        max_members: members in all; 0 sets no limit, as below.
        max_depth: nesting of objects and arrays.
        max_enum: values of all enums.
    """

    name: str
    keywords: frozenset[str] | None = None
    root_bans: frozenset[str] = frozenset()
    formats: frozenset[str] | None = None
    numbers: Mapping[str, frozenset[int]] = field(default_factory=dict[str, frozenset[int]])
    simple_patterns: bool = False
    enum_types: frozenset[str] | None = None
    uniform_enums: bool = False
    null: Literal["type", "any_of", "nullable"] = "type"
    type_lists: bool = True
    upper_types: bool = False
    lone_any_of: frozenset[str] | None = None
    ref_siblings: bool = True
    recursion: Literal["yes", "optional", "no"] = "yes"
    typed: bool = False
    array_items: bool = False
    object_members: bool = False
    keys: re.Pattern[str] | None = None
    shut: bool = False
    closed: bool = False
    all_required: bool = False
    some_required: bool = False
    max_members: int = 0
    max_depth: int = 0
    max_enum: int = 0

    def takes(self, keyword: str) -> bool:
        """Whether the keyword may stand below the root."""
        return self.keywords is None or keyword in self.keywords

    def objection(self, keyword: str, value: Any) -> str | None:
        """Why this keyword with this value cannot go; `None` if it can."""
        if not self.takes(keyword):
            return f"{self.name} does not take {keyword!r}"
        if keyword == "format" and self.formats is not None and value not in self.formats:
            return f"{self.name} does not take the format {value!r}"
        if keyword in self.numbers and value not in self.numbers[keyword]:
            return f"{self.name} takes {keyword!r} only as one of {sorted(self.numbers[keyword])}"
        if keyword == "pattern" and self.simple_patterns and _UNSAFE_PATTERN.search(str(value)):
            return f"{self.name} takes no look-around, back-reference or word boundary in a pattern"
        return None


@dataclass(frozen=True, kw_only=True)
class Modes:
    """The modes of one provider.

    Args:
        normal: the subsets to choose from: the first in which nothing is lost, else the one in which least is.
        strict: the subset of strict mode; `None` if there is no such mode.
        always_strict: the provider holds every call to the schema without being asked.
        max_strict: strict tools in one request; 0 sets no limit, as below.
        max_optional: optional members of all strict tools of one request.
        max_unions: members with several types, likewise.
    """

    normal: tuple[Subset, ...]
    strict: Subset | None = None
    always_strict: bool = False
    max_strict: int = 0
    max_optional: int = 0
    max_unions: int = 0


_BASE = frozenset({"type", "properties", "required", "items", "enum", "description"})
_REFS = frozenset({"$ref", "$defs"})
_RANGES = frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"})
_STRICT_FORMATS = frozenset({"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"})

ANY = Subset(name="JSON Schema")

OPENAI = Subset(
    name="OpenAI",
    root_bans=frozenset({"oneOf", "anyOf", "allOf", "enum", "const", "not"}),
    array_items=True,
)
OPENAI_STRICT = Subset(
    name="OpenAI strict mode",
    keywords=_BASE | _REFS | _RANGES
    | {"additionalProperties", "const", "anyOf", "title", "pattern", "format", "minItems", "maxItems"},
    root_bans=frozenset({"anyOf", "enum", "const"}),
    formats=_STRICT_FORMATS,
    simple_patterns=True,
    ref_siblings=False,
    typed=True,
    array_items=True,
    closed=True,
    all_required=True,
    max_members=5000,
    max_depth=10,
    max_enum=1000,
)  # fmt: skip

_ANTHROPIC_KEYS = re.compile(r"[a-zA-Z0-9_.-]{1,64}")
ANTHROPIC = Subset(name="Anthropic", root_bans=frozenset({"oneOf", "anyOf", "allOf"}), keys=_ANTHROPIC_KEYS)
ANTHROPIC_STRICT = Subset(
    name="Anthropic strict mode",
    keywords=_BASE | _REFS
    | {"additionalProperties", "const", "anyOf", "title", "default", "pattern", "format", "minItems"},
    root_bans=frozenset({"anyOf", "enum", "const"}),
    formats=_STRICT_FORMATS | {"uri"},
    numbers={"minItems": frozenset({0, 1})},
    simple_patterns=True,
    enum_types=_PRIMITIVES,
    ref_siblings=False,
    recursion="no",
    typed=True,
    array_items=True,
    keys=_ANTHROPIC_KEYS,
    closed=True,
)  # fmt: skip

BEDROCK = Subset(name="Bedrock Converse", root_bans=frozenset({"oneOf", "anyOf", "allOf", "enum", "const", "not"}))
NOVA = Subset(
    name="Amazon Nova",
    root_bans=frozenset({
        "oneOf", "anyOf", "allOf", "enum", "const", "not", "if", "then", "else", "additionalProperties", "title",
        "description", "$defs", "$schema", "$id", "minProperties", "maxProperties", "patternProperties",
        "propertyNames", "dependentRequired", "dependentSchemas", "unevaluatedProperties", "default", "examples",
    }),
    ref_siblings=False,
)  # fmt: skip

GEMINI_OPENAPI = Subset(
    name="Gemini's OpenAPI subset",
    keywords=_BASE
    | {"format", "title", "nullable", "minItems", "maxItems", "minProperties", "maxProperties", "minimum", "maximum",
       "minLength", "maxLength", "pattern", "anyOf", "default", "example", "propertyOrdering"},
    root_bans=frozenset({"anyOf", "enum"}),
    formats=frozenset({"date-time", "enum", "float", "double", "int32", "int64"}),
    enum_types=frozenset({"string"}),
    uniform_enums=True,
    null="nullable",
    type_lists=False,
    upper_types=True,
    lone_any_of=frozenset({"nullable"}),
    ref_siblings=False,
    recursion="no",
    typed=True,
    array_items=True,
    object_members=True,
)  # fmt: skip
GEMINI_JSON = Subset(
    name="Gemini's JSON Schema subset",
    keywords=_BASE | _REFS
    | {"$id", "$anchor", "format", "title", "prefixItems", "minItems", "maxItems", "minimum", "maximum", "anyOf",
       "oneOf", "additionalProperties", "propertyOrdering"},
    root_bans=frozenset({"anyOf", "oneOf", "enum"}),
    enum_types=frozenset({"string", "integer", "number"}),
    ref_siblings=False,
    recursion="optional",
)  # fmt: skip

COHERE_STRICT = Subset(
    name="Cohere strict tools",
    keywords=_BASE | _REFS | {"const", "pattern", "format", "anyOf", "title", "additionalProperties"},
    root_bans=frozenset({"anyOf", "enum", "const"}),
    formats=frozenset({"date-time", "uuid", "date", "time"}),
    simple_patterns=True,
    typed=True,
    array_items=True,
    some_required=True,
    max_members=200,
)
PLAIN = Subset(name="this provider", root_bans=OPENAI.root_bans)

OLLAMA = Subset(
    name="Ollama",
    keywords=_BASE | {"anyOf"},
    root_bans=frozenset({"anyOf", "enum", "description"}),
    ref_siblings=False,
    recursion="no",
)
KIMI = Subset(
    name="Kimi",
    keywords=_BASE | _REFS | {"default", "anyOf", "additionalProperties"},
    root_bans=frozenset({"anyOf", "enum"}),
    enum_types=frozenset({"string", "integer", "number"}),
    uniform_enums=True,
    null="any_of",
    type_lists=False,
    lone_any_of=frozenset({"description", "default"}),
    ref_siblings=False,
)
XAI = Subset(
    name="xAI",
    keywords=_BASE | _REFS | _RANGES
    | {"additionalProperties", "const", "anyOf", "oneOf", "title", "default", "pattern", "format", "not",
       "prefixItems"},
    root_bans=OPENAI.root_bans,
    simple_patterns=True,
    recursion="no",
    array_items=True,
    shut=True,
)  # fmt: skip
DEEPSEEK_STRICT = Subset(
    name="DeepSeek strict mode",
    keywords=_BASE | _REFS | _RANGES | {"additionalProperties", "const", "anyOf", "default", "pattern", "format"},
    root_bans=frozenset({"anyOf", "enum", "const"}),
    formats=frozenset({"email", "hostname", "ipv4", "ipv6", "uuid"}),
    simple_patterns=True,
    null="any_of",
    ref_siblings=False,
    typed=True,
    array_items=True,
    object_members=True,
    closed=True,
    all_required=True,
)

_OPENAI = Modes(normal=(OPENAI,), strict=OPENAI_STRICT)
_ANTHROPIC = Modes(normal=(ANTHROPIC,), strict=ANTHROPIC_STRICT, max_strict=20, max_optional=24, max_unions=16)
_FREE = Modes(normal=(ANY,))

MODES: Mapping[str, Modes] = {
    "openai-chat": _OPENAI,
    "openai-responses": _OPENAI,
    "openai-realtime": Modes(normal=(OPENAI,)),
    "anthropic": _ANTHROPIC,
    "gemini": Modes(normal=(GEMINI_OPENAPI, GEMINI_JSON)),
    "gemini-interactions": Modes(normal=(GEMINI_JSON,)),
    "bedrock-converse": Modes(
        normal=(BEDROCK,), strict=ANTHROPIC_STRICT, max_strict=20, max_optional=24, max_unions=16
    ),
    "cohere": Modes(normal=(PLAIN,), strict=COHERE_STRICT),
    "ollama": Modes(normal=(OLLAMA,)),
    "mistral-conversations": Modes(normal=(PLAIN,), strict=OPENAI_STRICT),
    "vercel-ui": _FREE,
    "vercel-data": _FREE,
    "ag-ui": _FREE,
    "mcp": _FREE,
    # by service
    "openai": _OPENAI,
    "mistral": Modes(normal=(PLAIN,), strict=OPENAI_STRICT),
    "kimi": Modes(normal=(KIMI,)),
    "xai": Modes(normal=(XAI,), always_strict=True),
    "deepseek": Modes(normal=(OPENAI,), strict=DEEPSEEK_STRICT),
    "nova": Modes(normal=(NOVA,)),
    "gemini-openapi": Modes(normal=(GEMINI_OPENAPI,)),
    "gemini-json": Modes(normal=(GEMINI_JSON,)),
}
"""By format, and by the `schema` of a service behind one (`argwright.wire.services`)."""
