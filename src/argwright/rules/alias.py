"""Old names of fields, as the tool declares them: `{"q": "query"}`, `{"/items/*/article": "sku"}`.

Looked at even when the arguments validate, since an open schema ignores the old name
silently. Both names with equal values: one is kept, on record. With different values
there is no precedence, it is a conflict. Nothing is mapped that was not declared.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from argwright import pointer as json_pointer
from argwright.model import Issue, Json, Repair
from argwright.policy import Certainty
from argwright.rules.places import edited, equal, named, pointer_of
from argwright.rules.rule import Context, Example, Proposal, Rule

_NAME = "alias"


@dataclass
class _Outcome:
    """What one look at all aliases found."""

    root: Json
    repairs: list[Repair] = field(default_factory=list)
    conflicts: list[Issue] = field(default_factory=list)
    old: list[tuple[str, str]] = field(default_factory=list)
    given: set[str] = field(default_factory=set)
    origin: dict[str, str] = field(default_factory=dict)


def propose(context: Context) -> Proposal | None:
    """The arguments under their declared names."""
    tool = context.tool
    if tool is None or not tool.aliases or not isinstance(context.value, dict):
        return None
    outcome = _Outcome(context.value)
    for alias, new in tool.aliases.items():
        *way, old = _way(alias)
        for path, members in list(named(outcome.root, way)):
            if isinstance(members, dict) and old in members:
                _rename(outcome, path, old, new)
    if not outcome.old:
        return None
    place, declared = outcome.old[0]
    return Proposal(
        value=outcome.root,
        repairs=tuple(outcome.repairs),
        refuse=tuple(outcome.conflicts),
        explains=frozenset(pointer for pointer, _ in outcome.old) | outcome.given,
        otherwise=Issue(
            pointer=place, keyword="unexpected", message=f"an old name, write {declared!r}", expected=declared
        ),
    )


def stands(aliases: Iterable[str], root: Json) -> bool:
    """Whether one of the old names stands in the arguments."""
    for alias in aliases:
        *way, old = _way(alias)
        if any(isinstance(members, dict) and old in members for _, members in named(root, way)):
            return True
    return False


def _way(alias: str) -> list[str]:
    return [*json_pointer.split(alias)] if alias.startswith("/") else [alias]


def _rename(outcome: _Outcome, path: tuple[str, ...], old: str, new: str) -> None:
    members = _at(outcome.root, path)
    place, target = pointer_of((*path, old)), pointer_of((*path, new))
    outcome.old.append((place, new))
    if new in members and not equal(members[old], members[new]):
        first = outcome.origin.get(target, new)
        outcome.conflicts.append(
            Issue(
                pointer=target,
                keyword="alias_conflict",
                message=f"{old!r} and {first!r} name the same field and have different values",
                expected=new,
            )
        )
    else:
        outcome.repairs.append(Repair(rule=_NAME, certainty=Certainty.EXACT, pointer=target, before=old, after=new))
        outcome.origin[target] = old
        if new not in members:
            outcome.given.add(target)
    outcome.root = edited(outcome.root, [(path, _renamed(members, old, new))])


def _at(root: Json, path: Sequence[str]) -> Mapping[str, Json]:
    for token in path:
        root = root[int(token)] if isinstance(root, list) else root[token]
    members: Mapping[str, Json] = root
    return members


def _renamed(members: Mapping[str, Json], old: str, new: str) -> dict[str, Json]:
    """The members with the new name at the old one's place; one that stands there already is kept."""
    if new in members:
        return {key: value for key, value in members.items() if key != old}
    return {(new if key == old else key): value for key, value in members.items()}


_OPEN = {"type": "object", "properties": {"query": {"type": "string"}, "limit": {"type": "integer"}}}
_ALIASES = {"q": "query"}

RULE = Rule(
    name=_NAME,
    layer="rename",
    certainty=Certainty.EXACT,
    propose=propose,
    examples=(
        Example(schema=_OPEN, aliases=_ALIASES, arguments={"q": "x"}, becomes={"query": "x"}),
        Example(schema=_OPEN, aliases=_ALIASES, arguments={"q": "x", "query": "x"}, becomes={"query": "x"}),
    ),
    untouched=(
        Example(schema=_OPEN, aliases=_ALIASES, arguments={"query": "q"}),
        Example(schema=_OPEN, aliases=_ALIASES, arguments={"query": "x", "deep": {"q": "y"}}),
        Example(schema=_OPEN, arguments={"query": "x", "q": "y"}),
    ),
)
