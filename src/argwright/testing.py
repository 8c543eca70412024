"""For users' own tests: a model and a provider's server as scripts, and a rule's own proof, carried out.

`ScriptedModel` stands for a client and needs no network; `ScriptedServer` answers real
SDKs on a real socket. Both take what the model says as data, and keep what it was sent.

A rule brings `examples` (what it mends) and `untouched` (what it must leave alone).
`check_rule` runs them through the real pipeline: each example holds, what the rule made
needs it no more, everything untouched stays, and nothing of this contradicts another
rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from argwright.errors import DeclarationError
from argwright.model import InvalidCall, Json, Outcome, ToolCall, ValidCall, compact
from argwright.pipeline import resolve_with
from argwright.policy import Certainty, Policy
from argwright.rules import BUILTIN, KEEP, Example, Rule, RuleSet
from argwright.rules.places import equal, shown
from argwright.scripted import (
    Asked,
    Cut,
    Raw,
    Request,
    ScriptedModel,
    ScriptedRefusal,
    ScriptedServer,
    Step,
    deepseek,
    history_checked,
    refusal,
)
from argwright.tool import Tool

__all__ = [
    "Asked", "Cut", "Raw", "Request", "ScriptedModel", "ScriptedRefusal", "ScriptedServer", "Step", "check_rule",
    "deepseek", "history_checked", "refusal",
]  # fmt: skip

_NAME = "example"


def check_rule(rule: Rule, others: Sequence[Rule] = BUILTIN) -> tuple[str, ...]:
    """What is wrong with a rule; empty if its proof holds.

    Args:
        rule: the rule.
        others: the rules it must get on with; itself among them is passed over.
    """
    beside = tuple(other for other in others if other.name != rule.name)
    alone = RuleSet((rule,)) if rule in BUILTIN else RuleSet((), (rule,))
    try:
        together = RuleSet(
            tuple(one for one in BUILTIN if one is rule or one in beside),
            tuple(one for one in (rule, *beside) if one not in BUILTIN),
        )
        return tuple(_problems(rule, beside, alone, together))
    except DeclarationError as error:
        return (str(error),)


def _policy(rules: Sequence[Rule]) -> Policy:
    """The standard one; for a rule alone that only guesses, one that lets it."""
    alone = len(rules) == 1 and rules[0].certainty is Certainty.GUESS
    return Policy.LENIENT if alone else Policy.STANDARD


def _problems(rule: Rule, beside: Sequence[Rule], alone: RuleSet, together: RuleSet) -> Iterator[str]:
    for number, example in enumerate(rule.examples, start=1):
        yield from (f"example {number}: {problem}" for problem in _example(rule, example, alone))
    for number, example in enumerate(rule.untouched, start=1):
        yield from (f"untouched {number}: {problem}" for problem in _untouched(example, alone))
    for other in beside:
        for number, example in enumerate(other.untouched, start=1):
            yield from (f"untouched {number} of {other.name}: {problem}" for problem in _untouched(example, alone))
    for example in _all(rule, beside):
        outcome = _resolved(example, together)
        if isinstance(outcome, InvalidCall) and any(issue.keyword == "rule_conflict" for issue in outcome.issues):
            yield f"{shown(example.arguments)}: {outcome.summary}"


def _all(rule: Rule, beside: Iterable[Rule]) -> Iterator[Example]:
    for one in (rule, *beside):
        yield from (*one.examples, *one.untouched)


def _example(rule: Rule, example: Example, alone: RuleSet) -> Iterator[str]:
    outcome = _resolved(example, alone)
    if example.becomes is KEEP:
        if isinstance(outcome, ValidCall) and not any(warning.rule == rule.name for warning in outcome.warnings):
            yield "neither refused nor warned of"
        return
    if not isinstance(outcome, ValidCall):
        yield f"{outcome.kind}/{outcome.reason}: {outcome.summary}"
    elif not equal(outcome.arguments, example.becomes):
        yield f"became {shown(outcome.arguments)}, not {shown(example.becomes)}"
    elif not any(repair.rule == rule.name for repair in outcome.repairs):
        yield "it does not need this rule"
    else:
        again = _resolved(example, alone, outcome.arguments)
        if not isinstance(again, ValidCall) or again.repairs:
            yield "not idempotent: what the rule made needs mending again"


def _untouched(example: Example, alone: RuleSet) -> Iterator[str]:
    without, outcome = _resolved(example, RuleSet(())), _resolved(example, alone)
    match without, outcome:
        case ValidCall(before), ValidCall(after) if equal(before, after):
            return
        case InvalidCall(), InvalidCall():
            return
        case _, ValidCall(after):
            yield f"became {shown(after)}"
        case _, InvalidCall():
            yield f"refused: {outcome.summary}"


def _resolved(example: Example, rules: RuleSet, arguments: Json = KEEP) -> Outcome:
    policy = _policy((*rules.builtin, *rules.foreign))
    tool = Tool.from_schema(_NAME, example.schema, aliases=example.aliases, value_aliases=example.value_aliases)
    written: Any = example.arguments if arguments is KEEP else arguments
    text = written if isinstance(written, str) else compact(written)
    return resolve_with(tool, ToolCall(id=None, name=_NAME, arguments=text), policy=policy, rules=rules)
