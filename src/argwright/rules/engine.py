"""What is done with proposals: the policy, conflicts, the record.

Built-in rules of a layer run one after the other, each on what the one before left.
The rules of others all look at what the layer began with, and what they propose is laid
beside that: the same member with two different values is a `rule_conflict`, whoever
comes first. A rule that raises is skipped, reported as a warning, and the call goes on.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from argwright import pointer as json_pointer
from argwright.decode import Decoded, Undecodable
from argwright.making import changed, quick
from argwright.model import Issue, Json, Repair, Suspicion, ToolCall
from argwright.policy import Limits, Policy
from argwright.rules.given import given
from argwright.rules.places import edited, equal, find, pointer_of, shown
from argwright.rules.registry import RuleSet
from argwright.rules.rule import KEEP, REMOVED, Context, Layer, Proposal, Rule, Sight
from argwright.shape import ANY

_log = logging.getLogger("argwright.rules")


@quick
@dataclass(frozen=True, kw_only=True)
class Scene:
    """What all rules of one call have in common.

    Args:
        tool: the called tool, as rules know it; `None` while the name is unknown.
        text: the arguments as the model wrote them, if they were text.
        stopped: where the text stops to be strict JSON, if somebody has looked; -1 if that is not known.
    """

    tool: Any
    call: ToolCall
    policy: Policy
    limits: Limits
    rules: RuleSet
    text: str | None = None
    stopped: int | None = None

    @property
    def name(self) -> str | None:
        """The tool's name, for rules that are for some tools only."""
        return self.tool.name if self.tool else None

    def of(self, tool: Any) -> Scene:
        """The same call, its tool known."""
        return changed(self, tool=tool)

    def at_root(self, value: Json) -> Context:
        """The whole value as a place."""
        return Context(
            tool=self.tool,
            call=self.call,
            root=value,
            value=value,
            shape=self.tool.shape if self.tool else ANY,
            policy=self.policy,
            limits=self.limits,
        )


@quick
@dataclass(frozen=True, kw_only=True)
class Passed:
    """A value after a layer."""

    value: Json
    repairs: tuple[Repair, ...] = ()
    warnings: tuple[Suspicion, ...] = ()
    refusals: tuple[Issue, ...] = ()
    explains: frozenset[str] = frozenset()


def ask(rule: Rule, context: Context) -> Proposal | None:
    """What the rule proposes; of a rule that raises, only a warning."""
    try:
        propose: Callable[[Context], object] = rule.propose  # a rule may be anybody's, and untyped
        proposal = propose(context)
        if proposal is None or isinstance(proposal, Proposal):  # pyright: ignore[reportUnnecessaryIsInstance]
            return proposal
        raise TypeError(f"a rule returns a Proposal or None, not {type(proposal).__name__}")  # noqa: TRY301  # reported like any other fault of a rule
    except Exception as error:  # noqa: BLE001  # a rule may be anybody's; its fault must not stop the call
        _log.warning("rule %r raised %s and was skipped", rule.name, type(error).__name__)
        message = f"the rule raised {type(error).__name__} and was skipped"
        return Proposal(warnings=(Suspicion(rule=rule.name, pointer=context.pointer, message=message),))


def ask_other(rule: Rule, context: Context) -> Proposal | None:
    """As `ask`, of somebody else's rule: a value that is no JSON counts as a fault of the rule."""

    def propose(place: Context) -> Proposal | None:
        proposal = rule.propose(place)
        if isinstance(proposal, Proposal) and proposal.value is not KEEP and proposal.value is not REMOVED:
            own = given(proposal.value, Policy.EXACT, place.limits)
            if not isinstance(own, Decoded):
                raise TypeError(f"the proposed value is no JSON: {own.message}")
            return replace(proposal, value=own.value)
        return proposal

    return ask(replace(rule, propose=propose), context)


def allowed(rule: Rule, proposal: Proposal, policy: Policy) -> bool:
    """Whether the policy lets the proposal change anything."""
    if proposal.asked:
        return policy.certainty is not None
    certainties = [proposal.certainty or rule.certainty, *(repair.certainty for repair in proposal.repairs)]
    return policy.allows(min(certainties))


def records(rule: Rule, proposal: Proposal, pointer: str, before: Json) -> tuple[Repair, ...]:
    """The proposal as it goes on record."""
    if any(repair.rule == rule.name for repair in proposal.repairs):
        return proposal.repairs
    after = None if proposal.value is REMOVED else proposal.value
    own = Repair(
        rule=rule.name,
        certainty=proposal.certainty or rule.certainty,
        pointer=pointer,
        before=shown(before) if proposal.before is KEEP else proposal.before,
        after=shown(after) if proposal.after is KEEP else proposal.after,
        count=proposal.count,
    )
    return (own, *proposal.repairs)


def seen(sight: Sight, scene: Scene, fault: Undecodable | None = None) -> Iterator[tuple[Rule, Proposal]]:
    """What rules of others propose for a call of an unknown tool, or for text that has no reading."""
    if not scene.rules.foreign:
        return
    context = replace(scene.at_root(scene.call.arguments), undecodable=fault)
    for rule in scene.rules.foreign:
        if sight in rule.sees and (rule.tools is None or scene.name is None or scene.name in rule.tools):
            proposal = ask_other(rule, context)
            if proposal is not None and allowed(rule, proposal, scene.policy):
                yield rule, proposal


def run(layer: Layer, scene: Scene, value: Json, *, marked: bool = False) -> Passed:
    """The value after a layer that looks at the whole; with `marked`, of the built-in rules only those with marks."""
    passed, text, rules, name = Passed(value=value), scene.text, scene.rules, scene.name
    context: Context | None = None
    for rule in rules.own(layer, name):
        if (marked or rule.marks) and not _is_marked(rule, text):
            continue
        context = context or scene.at_root(value)
        proposal = ask(rule, context)
        if proposal is not None:
            passed = _taken(passed, rule, proposal, scene.policy)
            context = context if passed.value is context.value else scene.at_root(passed.value)
    if not rules.foreign:
        return passed
    others = [
        _taken(Passed(value=value), rule, proposal, scene.policy)
        for rule in rules.others(layer, name)
        if (proposal := ask_other(rule, scene.at_root(value))) is not None
    ]
    return _together(value, passed, others) if others else passed


def _is_marked(rule: Rule, text: str | None) -> bool:
    if text is None:
        return bool(rule.marks)
    for mark in rule.marks:  # noqa: SIM110  # asked of every rule of every call; `any` costs as much as the rest
        if mark in text:
            return True
    return False


def _taken(passed: Passed, rule: Rule, proposal: Proposal, policy: Policy) -> Passed:
    kept = Passed(
        value=passed.value,
        repairs=passed.repairs,
        warnings=passed.warnings + proposal.warnings,
        refusals=passed.refusals + proposal.refuse,
        explains=passed.explains | proposal.explains if proposal.refuse else passed.explains,
    )
    if proposal.value is KEEP:
        return kept
    if not allowed(rule, proposal, policy):
        refused = proposal.otherwise
        if refused is None:
            return kept
        return replace(kept, refusals=(*kept.refusals, refused), explains=kept.explains | {refused.pointer})
    tokens = json_pointer.split(proposal.pointer or "")
    made = records(rule, proposal, proposal.pointer or "", find(passed.value, tokens)[1])
    return replace(kept, value=edited(passed.value, [(tokens, proposal.value)]), repairs=passed.repairs + made)


def _together(value: Json, own: Passed, others: Iterable[Passed]) -> Passed:
    """What the built-in rules and each other rule made of the same value, laid beside each other."""
    merged, changes = own, _changes(value, own.value)
    for other in others:
        proposed = _changes(value, other.value)
        merged = replace(
            merged,
            warnings=merged.warnings + other.warnings,
            refusals=merged.refusals + other.refusals,
            explains=merged.explains | other.explains,
        )
        clash = _clash(changes, proposed)
        if clash is not None:
            merged = replace(merged, refusals=(*merged.refusals, conflict(clash)), explains=merged.explains | {clash})
            continue
        new = {path: item for path, item in proposed.items() if path not in changes}
        if new:
            merged = replace(
                merged, value=edited(merged.value, list(new.items())), repairs=merged.repairs + other.repairs
            )
            changes |= new
    return merged


Changes = dict[tuple[str, ...], Any]


def _changes(before: Json, after: Json) -> Changes:
    """What changed, by member; by the root, if the whole was replaced by something else."""
    if after is before or equal(before, after):
        return {}
    if not isinstance(before, dict) or not isinstance(after, dict):
        return {(): after}
    changed: Changes = {(key,): REMOVED for key in before if key not in after}
    changed |= {(key,): item for key, item in after.items() if key not in before or not equal(before[key], item)}
    return changed


def _clash(one: Mapping[tuple[str, ...], Json], other: Mapping[tuple[str, ...], Json]) -> str | None:
    """The place that two sets of changes see differently."""
    if one and other and (() in one or () in other) and not _same(one.get(()), other.get(())):
        return ""
    return next((pointer_of(path) for path in one if path in other and not _same(one[path], other[path])), None)


def _same(one: Json, other: Json) -> bool:
    if one is REMOVED or other is REMOVED:
        return one is other
    return equal(one, other)


def conflict(pointer: str, names: Iterable[str] = ()) -> Issue:
    """Two rules that see one place differently."""
    told = " and ".join(repr(name) for name in sorted(names))
    return Issue(
        pointer=pointer,
        keyword="rule_conflict",
        message=f"rules {told} propose different values" if told else "rules propose different values",
    )
