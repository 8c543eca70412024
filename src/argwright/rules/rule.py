"""What a rule is: a value with a pure function and its own proof.

A rule looks at one place and proposes; it never changes anything, knows no other rule
and no order. What is done with a proposal (policy, conflicts, validation, the record)
is the engine's business. The place is the whole value for `unwrap`, `rename` and
`inspect`, and a failing place for `mend`; where a member is missing or unexpected, the
failing place is the object that lacks or holds it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import Any, Literal, Protocol, TypeAlias

from argwright.decode import Undecodable
from argwright.making import quick
from argwright.model import Issue, Json, Repair, Suspicion, ToolCall
from argwright.policy import Certainty, Limits, Policy
from argwright.shape import ANY, Shape

Layer: TypeAlias = Literal["unwrap", "rename", "mend", "inspect"]
"""When a rule runs: before names are read, before validation, where validation failed, on what would run."""

Sight: TypeAlias = Literal["unknown_tool", "json_error"]
"""What a rule may ask to see besides the readable calls of declared tools."""


class _Mark(Enum):
    KEEP = "keep"
    REMOVED = "removed"

    def __repr__(self) -> str:
        return self.name


KEEP = _Mark.KEEP
"""The value of a proposal that changes nothing: it refuses or warns."""
REMOVED = _Mark.REMOVED
"""The value of a proposal that takes the member away."""

_INSIDE = frozenset({dict, list})

MEMBER_KEYWORDS = frozenset({
    "required", "dependentRequired", "dependencies", "additionalProperties", "unevaluatedProperties", "propertyNames",
})  # fmt: skip
"""Keywords whose issue names a member, while the object that holds it is what fails."""


def is_flat(value: Mapping[str, Json]) -> bool:
    """Whether nothing is inside an object but scalars."""
    return _INSIDE.isdisjoint(map(type, value.values()))


class RuleTool(Protocol):
    """What a rule knows of the called tool."""

    @property
    def name(self) -> str:
        """The declared name."""
        ...

    @property
    def schema(self) -> Mapping[str, Json]:
        """JSON Schema of the arguments."""
        ...

    @property
    def shape(self) -> Shape:
        """The schema as a hint."""
        ...

    @property
    def aliases(self) -> Mapping[str, str]:
        """Old fields → the declared name beside them; below the top by JSON Pointer with `*` for every item."""
        ...

    @property
    def name_aliases(self) -> Collection[str]:
        """Old names of the tool."""
        ...

    @property
    def value_aliases(self) -> Mapping[str, Mapping[Any, Json]]:
        """By field, old values → declared ones."""
        ...


@quick
@dataclass(frozen=True, kw_only=True)
class Context:
    """The place a rule looks at.

    Args:
        tool: the called tool; `None` for a rule that sees unknown tools, where the name is unknown.
        call: the raw call.
        root: all arguments as they stand now.
        value: what stands at the place; `KEEP` if nothing does.
        pointer: the place, as a JSON Pointer.
        shape: what the schema says of the place, as a hint.
        issues: the violations at this place (layer `mend`).
        optional: the place is a declared member that its object need not have.
        undecodable: why the text has no reading, for a rule that sees undecodable text; `value` is the text.
    """

    tool: RuleTool | None
    call: ToolCall
    root: Json
    value: Json
    pointer: str = ""
    shape: Shape = ANY
    issues: tuple[Issue, ...] = ()
    optional: bool = False
    policy: Policy = Policy.STANDARD
    limits: Limits = Limits()  # noqa: RUF009  # a frozen value
    undecodable: Undecodable | None = None

    @property
    def issue(self) -> Issue | None:
        """The first violation at this place."""
        return self.issues[0] if self.issues else None

    @cached_property
    def members(self) -> bool:
        """Whether it is the set of members that fails here, not a value."""
        return bool(self.issues) and self.issues[0].keyword in MEMBER_KEYWORDS

    @cached_property
    def types(self) -> frozenset[str]:
        """The JSON types that may stand here: the violated `type`, else what the schema says of the place."""
        for issue in self.issues:
            if issue.keyword == "type":
                named = [issue.expected] if isinstance(issue.expected, str) else issue.expected
                if isinstance(named, (list, tuple)):
                    return frozenset(named)
        return self.shape.types

    @cached_property
    def is_flat(self) -> bool:
        """Whether an object of scalars stands here: nothing is inside but its members."""
        return isinstance(self.value, dict) and is_flat(self.value)

    def wants(self, *types: str) -> bool:
        """Whether the schema names its types here, one of these among them."""
        return not self.types.isdisjoint(types)


@quick
@dataclass(frozen=True, kw_only=True)
class Proposal:
    """What a rule would make of a place.

    Args:
        value: the new value; `REMOVED` to take the member away, `KEEP` to change nothing.
        pointer: the place that changes, if it is not the one looked at.
        tool: the declared tool that is meant (rules that see unknown tools).
        certainty: lower than the rule's own, where this case is less sure.
        before: for the record, what stood there, if it is not the whole value.
        after: for the record, what it became, if it is not the whole value.
        count: how many places of the container are changed alike.
        repairs: what was mended on the way, when the new value was read from text; a rule that changes several
            places may put its own records here, and then none is made from `before` and `after`.
        refuse: the call must not run, and this is why.
        explains: pointers whose other issues are only consequences of the refusal.
        otherwise: why the call must not run if the policy does not allow the change: what stands there is proof of
            damage even where it validates.
        asked: a flag of the policy asks for this change, so that its certainty does not decide.
        warnings: what is odd and left alone.
    """

    value: Json = KEEP
    pointer: str | None = None
    tool: str | None = None
    certainty: Certainty | None = None
    before: Json = KEEP
    after: Json = KEEP
    count: int = 1
    repairs: tuple[Repair, ...] = ()
    refuse: tuple[Issue, ...] = ()
    explains: frozenset[str] = frozenset()
    otherwise: Issue | None = None
    asked: bool = False
    warnings: tuple[Suspicion, ...] = ()


Propose: TypeAlias = Callable[[Context], Proposal | None]
Doubts: TypeAlias = Callable[[str, Any], bool]  # the text, and the tool as a `RuleTool`


@dataclass(frozen=True, kw_only=True)
class Example:
    """A proof: arguments under a schema, and what they become; in `untouched`, arguments that stay.

    Args:
        schema: JSON Schema of the arguments.
        arguments: what the model wrote, as a JSON value or as text.
        becomes: the effective arguments.
        aliases: declared aliases of fields.
        value_aliases: declared aliases of values.
    """

    schema: Mapping[str, Json]
    arguments: Json
    becomes: Json = KEEP
    aliases: Mapping[str, str] = field(default_factory=dict)
    value_aliases: Mapping[str, Mapping[Any, Json]] = field(default_factory=dict)


@dataclass(frozen=True)
class Rule:
    """One way in which arguments go wrong, and what they mean then.

    Args:
        name: a slug, stable over versions; it stands in every `Repair`.
        layer: when it runs.
        certainty: how sure its proposals are; the policy decides whether they are applied.
        propose: a pure function of the place; `None` if there is nothing to mend.
        tools: names of the only tools it is for; `None` for all.
        order: before (negative) or after the built-in rules of its layer; decides the record's order, never the value.
        examples: what it mends.
        untouched: what it must leave alone.
        sees: it also wants to see calls of unknown tools, or text that has no reading.
        marks: texts without one of these cannot interest it (`inspect`); empty if every call does.
        doubts: of the text of a valid call with one of the marks, and its tool, quickly: whether there may be something
            to say; no is a promise, as long as no ASCII character is escaped in the text by its number.
        clue: what every text with one of the marks that `doubts` says yes to holds, as a regular expression without
            looks around, references back and possessive repeats, for columns of texts; the marks if not given.
        takes: Python types of the values that may interest it (`mend`); `None` if any may.
    """

    name: str
    layer: Layer
    certainty: Certainty
    propose: Propose
    tools: Collection[str] | None = None
    order: int = 0
    examples: tuple[Example, ...] = ()
    untouched: tuple[Example, ...] = ()
    sees: Collection[Sight] = ()
    marks: tuple[str, ...] = ()
    doubts: Doubts | None = None
    clue: str | None = None
    takes: tuple[type, ...] | None = None
