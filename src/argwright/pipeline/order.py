"""The order of the steps: name, finish, text, unwrap, rename, validate, mend, validate, inspect.

`resolve` makes a `ValidCall` or an `InvalidCall` of one call; it never raises because of
what a model wrote. What is strictly valid takes the short way: one strict parse, one
validation, and a few looks for proof of damage. If mending does not end in a valid
value, every repair of meaning is rolled back and the issues are those of what the model
wrote. The steps themselves live in `decode`, `rules`, `schema` and `feedback`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TypeVar

from argwright.decode import Undecodable
from argwright.making import changed, quick
from argwright.model import InvalidCall, Issue, Json, Outcome, Repair, Suspicion, ToolCall, Turn, ValidCall
from argwright.pipeline import another, glance, reading, refusal
from argwright.pipeline.named import Tools, meant
from argwright.policy import Certainty, Limits, Policy
from argwright.rules import STANDARD, RuleSet, engine, glued, mending
from argwright.rules.engine import Passed, Scene
from argwright.rules.places import shown
from argwright.rules.rule import is_flat
from argwright.tool import Tool

T = TypeVar("T")

_LIMITS = Limits()
_BLOCKED = Undecodable(reason="blocked", message="the provider marked this call as not to be run")
_MOST_WARNINGS = 50  # of one call; more are one oddity many times


def resolve(  # keyword-only
    call: ToolCall,
    tools: Tools,
    *,
    policy: Policy | None = None,
    default: Policy = Policy.STANDARD,
    limits: Limits = _LIMITS,
    rules: RuleSet = STANDARD,
    repairs: tuple[Repair, ...] = (),
    seen: glance.Sight | None = None,
) -> Outcome:
    """What became of one call.

    Args:
        call: the call as the model wrote it.
        tools: the declared tools.
        policy: for this call alone; goes before the tool's and the default.
        default: the policy of tools that have none.
        limits: what one call may cost.
        rules: the rules in force.
        repairs: how the call came apart from others.
        seen: what the short way, taken before, saw in the text of a declared tool's call.
    """
    tool = tools.get(call.name) if isinstance(call.name, str) else None
    if tool is None or call.name in tool.name_aliases:
        chosen = default if policy is None else policy
        found = meant(scene_of(None, call, chosen, (limits, rules)), tools, policy)
        if isinstance(found, InvalidCall):
            return found
        tool, repairs = found.tool, repairs + found.repairs
    made = resolve_with(
        tool, call, policy=policy, default=default, limits=limits, rules=rules, repairs=repairs, seen=seen
    )
    if not isinstance(made, ValidCall) or another.DOUBTFUL.isdisjoint([repair.rule for repair in made.repairs]):
        return made
    chosen = tool.effective_policy(default) if policy is None else policy
    return another.doubted(made, tools, scene_of(tool, call, chosen, (limits, rules)))


def resolve_with(  # keyword-only
    tool: Tool,
    call: ToolCall,
    *,
    policy: Policy | None = None,
    default: Policy = Policy.STANDARD,
    limits: Limits = _LIMITS,
    rules: RuleSet = STANDARD,
    repairs: tuple[Repair, ...] = (),
    seen: glance.Sight | None = None,
) -> Outcome:
    """What became of a call whose tool is known.

    Args:
        tool: the tool.
        call: the call as the model wrote it.
        policy: for this call alone; goes before the tool's and the default.
        default: the policy of tools that have none.
        limits: what one call may cost.
        rules: the rules in force.
        repairs: how the tool's name was read.
        seen: what the short way, taken before, saw in its text.
    """
    text, finish = call.arguments, call.finish_reason
    whole = seen is not None or finish is None or reading.is_whole(finish)
    value: Json = glance.NOT_STRICT
    look, stopped = glance.Look.ODD, None
    if seen is not None:
        value, stopped, look = seen
    elif whole and not call.blocked and isinstance(text, str):
        value, stopped = glance.strictly(text, limits)
        look = glance.look(tool, text, value, rules)
        if look is glance.Look.PLAIN and not repairs:
            instance, issues = tool.instance(value)
            if not issues:
                return glance.valid(call, tool, value, instance)
    chosen = tool.effective_policy(default) if policy is None else policy
    scene = scene_of(tool, call, chosen, (limits, rules), stopped=stopped)
    if value is not glance.NOT_STRICT:
        strict = reading.Read(value=value, repairs=repairs)
        return _settled(tool, scene, strict) if look is glance.Look.ODD else _inspected(tool, scene, strict, look)
    if call.blocked:
        return refusal.json_error(scene, _BLOCKED)
    if not whole:
        return refusal.json_error(scene, reading.cut_short(text, finish or "", limits))
    return _read(tool, scene, repairs)


def _read(tool: Tool, scene: Scene, repairs: tuple[Repair, ...]) -> Outcome:
    """What became of a text that is no strict JSON."""
    read = reading.read(tool, scene)
    if isinstance(read, InvalidCall):
        return read
    read = changed(read, repairs=repairs + read.repairs) if repairs else read
    if glance.is_quiet(tool, scene.text, read.value, scene.rules):
        return _valid(tool, scene, read.value, repairs=read.repairs)
    return _settled(tool, scene, read)


def scene_of(
    tool: Tool | None, call: ToolCall, policy: Policy, bounds: tuple[Limits, RuleSet], *, stopped: int | None = None
) -> Scene:
    """What holds for one call."""
    text = call.arguments if isinstance(call.arguments, str) else None
    limits, rules = bounds
    return Scene(tool=tool, call=call, policy=policy, limits=limits, rules=rules, text=text, stopped=stopped)


def resolve_turn(
    turn: Turn,
    tools: Tools,
    *,
    policy: Policy | None = None,
    default: Policy = Policy.STANDARD,
    limits: Limits = _LIMITS,
    rules: RuleSet = STANDARD,
) -> tuple[Outcome, ...]:
    """What became of the calls of one reply, in order; glued calls are taken apart if the policy says so."""
    parts = (part for call in turn.calls for part in _parts(call, tools, policy, default))
    return tuple(
        resolve(call, tools, policy=policy, default=default, limits=limits, rules=rules, repairs=repairs)
        for call, repairs in parts
    )


def _parts(
    call: ToolCall, tools: Tools, policy: Policy | None, default: Policy
) -> Iterator[tuple[ToolCall, tuple[Repair, ...]]]:
    """The call, or one for each different object that stands in its text, with a record of that."""
    tool = tools.get(call.name) if isinstance(call.name, str) else None
    chosen = policy or (tool.effective_policy(default) if tool else default)
    whole = call.arguments
    texts = glued.split(whole) if chosen.split_glued and isinstance(whole, str) else ()
    if not texts:
        yield call, ()
    for number, text in enumerate(texts, start=1):
        part = replace(
            call,
            id=call.id if number == 1 or call.id is None else f"{call.id}_{number}",
            arguments=text,
            finish_reason=call.finish_reason if number == len(texts) else None,
        )
        record = Repair(rule="split-glued", certainty=Certainty.GUESS, before=shown(whole), after=shown(text))
        yield part, (record,)


@quick
@dataclass(frozen=True, kw_only=True)
class _Passage:
    """The steps of meaning that a call went through, as far as it came."""

    unwrapped: Passed
    renamed: Passed
    issues: tuple[Issue, ...]
    mended: mending.Mended
    inspected: Passed | None = None

    @property
    def steps(self) -> tuple[Passed | mending.Mended, ...]:
        """The steps in their order."""
        steps = (self.unwrapped, self.renamed, self.mended)
        return steps if self.inspected is None else (*steps, self.inspected)

    @property
    def refusals(self) -> tuple[Issue, ...]:
        """Why the call must not run, by the rules."""
        return _joined([step.refusals for step in self.steps])

    @property
    def explains(self) -> frozenset[str]:
        """Pointers of issues that only follow from a refusal."""
        return frozenset().union(*[step.explains for step in self.steps])

    @property
    def repairs(self) -> tuple[Repair, ...]:
        """Every change of meaning."""
        return tuple([repair for step in self.steps for repair in step.repairs])

    @property
    def warnings(self) -> tuple[Suspicion, ...]:
        """What is odd, each oddity once."""
        return _joined([step.warnings for step in self.steps])[:_MOST_WARNINGS]


def _joined(parts: list[tuple[T, ...]]) -> tuple[T, ...]:
    """What the steps found, each once."""
    return tuple(dict.fromkeys([one for part in parts for one in part]))


def _inspected(tool: Tool, scene: Scene, read: reading.Read, look: glance.Look) -> Outcome:
    """The middle way, of a valid value: only the rules that inspect one have something to say."""
    passed = engine.run("inspect", scene, read.value, marked=look is not glance.Look.STRANGE)
    if passed.refusals or passed.repairs:
        return _settled(tool, scene, read)
    warnings = tuple(dict.fromkeys(passed.warnings))[:_MOST_WARNINGS]
    return _valid(tool, scene, read.value, repairs=read.repairs, warnings=warnings)


def _settled(tool: Tool, scene: Scene, read: reading.Read) -> Outcome:
    """The long way: what the arguments mean."""
    if read.value is None and reading.allows_nothing(tool, scene):
        return _valid(tool, scene, {}, repairs=(*read.repairs, reading.emptied(scene.text)))
    unwrapped = _unwrapped(tool, scene, read.value)
    if not isinstance(unwrapped.value, dict):
        return _no_object(tool, scene, read)
    renamed = (
        engine.run("rename", scene, unwrapped.value) if _has_old_names(tool, scene) else Passed(value=unwrapped.value)
    )
    issues = tool.compiled.issues(renamed.value)
    mended = _mended(tool, scene, renamed.value, issues)
    passage = _Passage(unwrapped=unwrapped, renamed=renamed, issues=issues, mended=mended)
    if not mended.valid or passage.refusals:
        return _rolled_back(tool, scene, read, passage)
    inspected = engine.run("inspect", scene, mended.value, marked=not glance.is_odd(mended.value, tool.shape))
    passage = changed(passage, inspected=inspected)
    if inspected.refusals or not (inspected.value is mended.value or tool.compiled.is_valid(inspected.value)):
        return _rolled_back(tool, scene, read, passage)
    return _valid(
        tool,
        scene,
        inspected.value,
        repairs=read.repairs + passage.repairs,
        warnings=passage.warnings,
    )


def _unwrapped(tool: Tool, scene: Scene, value: Json) -> Passed:
    """The value as an object; most are one that no rule would take anything out of."""
    if type(value) is dict and scene.rules.quick and not glance.may_be_wrapped(tool, value):
        return Passed(value=value)
    return engine.run("unwrap", scene, value)


def _has_old_names(tool: Tool, scene: Scene) -> bool:
    return bool(tool.aliases or tool.value_aliases or scene.rules.foreign)


def _mended(tool: Tool, scene: Scene, value: Json, issues: tuple[Issue, ...]) -> mending.Mended:
    """The value as the schema wants it, if a repair leads there."""
    if not issues:
        return mending.Mended(value=value)
    if scene.policy.certainty is None:
        return mending.Mended(value=value, valid=False)
    return mending.mend(scene, value, issues, tool.compiled.issues)


def _valid(
    tool: Tool,
    scene: Scene,
    arguments: dict[str, Json],
    *,
    repairs: tuple[Repair, ...] = (),
    warnings: tuple[Suspicion, ...] = (),
) -> Outcome:
    """The valid call, unless validators of the tool's model refuse what its schema allows."""
    value, issues = tool.instance(arguments)
    if issues:
        return refusal.schema_error(scene, issues)
    return ValidCall(call=scene.call, tool=tool, arguments=arguments, repairs=repairs, warnings=warnings, value=value)


def _rolled_back(tool: Tool, scene: Scene, read: reading.Read, passage: _Passage) -> InvalidCall:
    """The issues of what the model wrote, with what the rules refused in place of its consequences."""
    written = _as_written(scene, read.value)
    looked = passage.inspected or _looked_at(tool, scene, written.value)
    passage = changed(passage, inspected=looked)
    issues = passage.issues
    if written.value is not passage.renamed.value:
        issues = tool.compiled.issues(written.value)
    if not issues and not passage.refusals:  # what was written runs with nothing, and what it means does not fit
        issues = passage.issues
    explained = passage.explains
    kept = tuple([issue for issue in issues if issue.pointer not in explained])
    repairs = read.repairs + written.repairs
    return refusal.schema_error(scene, (*kept, *passage.refusals), repairs, warnings=passage.warnings)


def _looked_at(tool: Tool, scene: Scene, value: Json) -> Passed:
    """What the rules that inspect say of arguments that do not fit."""
    plain = type(value) is dict and is_flat(value) and not glance.is_odd(value, tool.shape)
    return engine.run("inspect", scene, value, marked=plain)


def _as_written(scene: Scene, value: Json) -> Passed:
    """The arguments without repairs of meaning; where the text of an object came, the object."""
    if isinstance(value, dict):
        return Passed(value=value)
    exact = replace(scene.policy, certainty=Certainty.EXACT)
    return engine.run("unwrap", changed(scene, policy=exact), value)


def _no_object(tool: Tool, scene: Scene, read: reading.Read) -> InvalidCall:
    value = read.value
    alone = value[0] if isinstance(value, list) and len(value) == 1 else None
    fits = isinstance(alone, dict) and tool.compiled.is_valid(alone)
    suggestion = "send the object itself, without a list around it" if fits else None
    return refusal.not_an_object(scene, value, read.repairs, suggestion)
