"""The layer `mend`: only at the failing places, kept only if the end is valid.

Each failing place gets its candidates, in the rules' one order. All places are tried at
once and judged by one validation, so that many faults cost no more validations than
few; a place that fails in fewer ways than before goes on from there, one that does not
gets its next candidate, and when it has no more, the nearest place that it came from
gets its next one. What stands at the end is made from what the model wrote and the
chosen candidates alone, and if it is not valid, nothing was mended.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from argwright import pointer as json_pointer
from argwright.making import changed, quick
from argwright.model import Issue, Json, Repair, Suspicion
from argwright.rules.engine import Passed, Scene, allowed, ask, ask_other, conflict, records, run
from argwright.rules.places import edited, equal, find, shape_at
from argwright.rules.rule import KEEP, MEMBER_KEYWORDS, REMOVED, Context, Proposal, Rule

Judge = Callable[[Json], tuple[Issue, ...]]

_ROUNDS = 24  # validations of one call; a list of lists as text, each item with a fault of its own, takes 6
_MOST_PLACES = 4_000  # failing places of one call; more than the elements of any list a model writes
_STAGES = 3  # rules that help one after the other at one place: spelling, then what is still not declared


@quick
@dataclass(frozen=True, kw_only=True)
class Mended:
    """What mending came to: a valid value and how it came about, or that there is none."""

    value: Json
    valid: bool = True
    repairs: tuple[Repair, ...] = ()
    warnings: tuple[Suspicion, ...] = ()
    refusals: tuple[Issue, ...] = ()
    explains: frozenset[str] = frozenset()


class _Place(NamedTuple):
    """A failing place: a value, or the set of members of an object; a later stage goes on from an earlier one."""

    pointer: str
    members: bool = False
    stage: int = 0

    def lineage(self) -> Iterator[_Place]:
        """The places whose change may have made this one, nearest first."""
        pointer, members, stage = self
        yield from _stages(pointer, stage, members=members)
        if members:
            yield from _stages(pointer)
        while pointer:
            pointer = pointer.rpartition("/")[0]
            yield from _stages(pointer, members=True)
            yield from _stages(pointer)


def _stages(pointer: str, below: int = _STAGES, *, members: bool = False) -> list[_Place]:
    return [_Place(pointer, members, stage) for stage in reversed(range(below))]


@quick
@dataclass(frozen=True, kw_only=True)
class _Edit:
    rule: Rule
    proposal: Proposal
    pointer: str
    before: Json

    @property
    def change(self) -> tuple[Sequence[str], Json]:
        return json_pointer.split(self.pointer), self.proposal.value


@quick
@dataclass(frozen=True, kw_only=True)
class _Choice:
    """The candidates of a place, the chosen one, what rules of others proposed, and how many issues there were."""

    edits: tuple[_Edit, ...]
    issues: int
    index: int = 0
    foreign: tuple[_Edit, ...] = ()

    @property
    def edit(self) -> _Edit:
        return self.edits[self.index]

    @property
    def next(self) -> _Choice | None:
        return changed(self, index=self.index + 1) if self.index + 1 < len(self.edits) else None


Choices = dict[_Place, _Choice]


def mend(scene: Scene, written: Json, issues: tuple[Issue, ...], judge: Judge) -> Mended:
    """The value with its failing places mended, if that ends valid."""
    done = Mended(value=written)
    choices: Choices = {}
    warnings: list[Suspicion] = []
    value = written
    for _ in range(_ROUNDS):
        if not issues:
            break
        if not _advance(choices, scene, (value, issues), warnings):
            return _ended(done, written, choices, valid=False, warnings=warnings)
        value = edited(done.value, [choice.edit.change for choice in choices.values()])
        renamed = _renamed(scene, value)
        if renamed is not None:
            made = _ended(done, value, choices, valid=True, warnings=[*warnings, *renamed.warnings])
            done = changed(made, value=renamed.value, repairs=made.repairs + renamed.repairs)
            value, choices, warnings = renamed.value, {}, []
        issues = judge(value)
    return _ended(done, written if issues else value, choices, valid=not issues, warnings=warnings)


def _renamed(scene: Scene, value: Json) -> Passed | None:
    """The value with the tool's aliases applied to what came to light; `None` if nothing did."""
    tool = scene.tool
    if tool is None or not (tool.aliases or tool.value_aliases):
        return None
    renamed = run("rename", scene, value)
    return renamed if renamed.repairs and not renamed.refusals else None


def _advance(choices: Choices, scene: Scene, state: tuple[Json, tuple[Issue, ...]], warnings: list[Suspicion]) -> bool:
    """One more candidate for every place that still fails; whether there was any."""
    value, issues = state
    places = _places(issues)
    if len(places) > _MOST_PLACES:
        return False
    changed: set[_Place] = set()
    new: Choices = {}
    for place, violated in places.items():
        here = _onward(choices, place, len(violated))
        choice = None if here in choices else _candidates(scene, value, here, (violated, warnings))
        if choice is not None:
            new[here] = choice
        else:
            changed |= _retried(choices, here, changed)
    _forget(choices, changed)
    above = {origin for place in changed for origin in place.lineage()}
    choices |= {place: choice for place, choice in new.items() if place not in above}
    return bool(changed or new)


def _onward(choices: Choices, place: _Place, issues: int) -> _Place:
    """The place at the stage that has to act: the next one if the last one helped."""
    if not choices:
        return place
    reached = next((stage for stage in _stages(place.pointer, members=place.members) if stage in choices), None)
    if reached is None:
        return place
    helped = issues < choices[reached].issues and reached.stage + 1 < _STAGES
    return reached._replace(stage=reached.stage + 1) if helped else reached


def _places(issues: Iterable[Issue]) -> Mapping[_Place, list[Issue]]:
    """The failing places, the outer ones first, so that a change of an object never undoes one inside it."""
    found: dict[_Place, list[Issue]] = {}
    for issue in issues:
        members = issue.keyword in MEMBER_KEYWORDS and bool(issue.pointer)
        pointer = issue.pointer.rpartition("/")[0] if members else issue.pointer
        found.setdefault(_Place(pointer, members), []).append(issue)
    if len(found) == 1:
        return found
    return dict(sorted(found.items(), key=lambda item: (item[0].pointer.count("/"), not item[0].members)))


def _retried(choices: Choices, place: _Place, changed: set[_Place]) -> set[_Place]:
    """Give the place, or the nearest one that it came from, its next candidate; the place that moved on."""
    for origin in (place, *place.lineage()) if choices else ():
        choice = choices.get(origin)
        if choice is None:
            continue
        if origin in changed:
            return {origin}
        if choice.next is not None:
            choices[origin] = choice.next
            return {origin}
    return set()


def _forget(choices: Choices, changed: set[_Place]) -> None:
    """Drop what was chosen inside a place that moved on, and what was made from it."""
    if not changed:
        return
    order = {place: number for number, place in enumerate(choices)}
    stale = {place for place in choices if any(origin in changed for origin in place.lineage())}
    for place in changed:
        stale |= {above for above in place.lineage() if order.get(above, -1) > order[place]}
    for place in stale:
        del choices[place]


def _candidates(scene: Scene, value: Json, place: _Place, found: tuple[list[Issue], list[Suspicion]]) -> _Choice | None:
    issues, warnings = found
    context = _context(scene, value, place, issues)
    asked = [
        (rule, ask(rule, context))
        for rule in scene.rules.own("mend", scene.name)
        if rule.takes is None or isinstance(context.value, rule.takes)
    ]
    own = _edits(asked, context, scene, warnings)
    others = [(rule, ask_other(rule, context)) for rule in scene.rules.others("mend", scene.name)]
    foreign = _edits(others, context, scene, warnings) if others else ()
    edits = own + tuple(edit for edit in foreign if not any(_same(edit, other) for other in own))
    return _Choice(edits=edits, issues=len(issues), foreign=foreign) if edits else None


def _context(scene: Scene, value: Json, place: _Place, issues: list[Issue]) -> Context:
    tokens = json_pointer.split(place.pointer)
    there, here = find(value, tokens)
    tool = scene.tool
    shape = shape_at(tool.shape, tokens, value) if tool else scene.at_root(value).shape
    optional = False
    if tool and tokens:
        parent = shape_at(tool.shape, tokens[:-1], value)
        holder = find(value, tokens[:-1])[1]
        optional = isinstance(holder, dict) and tokens[-1] in parent.properties and tokens[-1] not in parent.required
    return Context(
        tool=tool,
        call=scene.call,
        root=value,
        value=here if there else KEEP,
        pointer=place.pointer,
        shape=shape,
        issues=tuple(issues),
        optional=optional,
        policy=scene.policy,
        limits=scene.limits,
    )


def _edits(
    asked: Iterable[tuple[Rule, Proposal | None]], context: Context, scene: Scene, warnings: list[Suspicion]
) -> tuple[_Edit, ...]:
    """What the policy lets these proposals change."""
    found: list[_Edit] = []
    for rule, proposal in asked:
        if proposal is None:
            continue
        warnings += proposal.warnings
        if proposal.value is not KEEP and allowed(rule, proposal, scene.policy):
            pointer = context.pointer if proposal.pointer is None else proposal.pointer
            before = find(context.root, json_pointer.split(pointer))[1]
            found.append(_Edit(rule=rule, proposal=proposal, pointer=pointer, before=before))
    return tuple(found)


def _same(one: _Edit, other: _Edit) -> bool:
    a, b = one.proposal.value, other.proposal.value
    if one.pointer != other.pointer or a is REMOVED or b is REMOVED:
        return one.pointer == other.pointer and a is b
    return equal(a, b)


def _ended(done: Mended, value: Json, choices: Choices, *, valid: bool, warnings: list[Suspicion]) -> Mended:
    """The end, with its record; disagreement of rules is told even if nothing ended valid."""
    refusals = done.refusals + _conflicts(choices.values())
    made = [
        repair
        for choice in choices.values()
        for repair in records(choice.edit.rule, choice.edit.proposal, choice.edit.pointer, choice.edit.before)
    ]
    return Mended(
        value=value,
        valid=valid,
        repairs=done.repairs + _gathered(made) if valid else (),
        warnings=done.warnings + tuple(dict.fromkeys(warnings)),
        refusals=refusals,
        explains=frozenset(issue.pointer for issue in refusals),
    )


def _conflicts(choices: Iterable[_Choice]) -> tuple[Issue, ...]:
    """Each place where a rule of others proposed something else than what was chosen, or than another one."""
    found: list[Issue] = []
    for choice in choices:
        rivals = [edit for edit in (choice.edit, *choice.foreign) if not _same(edit, choice.edit)]
        if choice.foreign and rivals:
            names = {choice.edit.rule.name, *(edit.rule.name for edit in rivals)}
            found.append(conflict(choice.edit.pointer, names))
    return tuple(found)


def _gathered(repairs: Sequence[Repair]) -> tuple[Repair, ...]:
    """One record for one rule at work in one container: what it did to several items or members alike is counted."""
    groups: dict[tuple[str, str], list[Repair]] = {}
    for repair in repairs:
        container = repair.pointer.rpartition("/")[0]
        groups.setdefault((repair.rule, container), []).append(repair)
    return tuple(
        group[0] if len(group) == 1 else changed(group[0], pointer=container, count=sum(one.count for one in group))
        for (_, container), group in groups.items()
    )
