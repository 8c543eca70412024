"""What a run gives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic_core import to_jsonable_python

from argwright.model import InvalidCall, Outcome, Value
from argwright.session import Counter, Stop


@dataclass(frozen=True, kw_only=True, repr=False)
class Deviation(Value):
    """One place where a submitted final answer was not what the schema says.

    Args:
        submission: the number of the submission, from 0.
        pointer: where, as a JSON Pointer into the answer.
        what: the schema's keyword that was violated, or the rule that mended it.
        message: what was found and expected; empty if it was mended.
        mended: whether the answer could be accepted all the same.
    """

    submission: int
    pointer: str
    what: str
    message: str = ""
    mended: bool = False

    def __repr__(self) -> str:
        return f"Deviation({self.submission}, {self.pointer!r}, {self.what!r}, mended={self.mended})"


@dataclass(frozen=True, kw_only=True, repr=False)
class RunResult(Value):
    """What a run gives.

    Args:
        output: the final answer: an instance of its type, else a dict; `None` if there is none.
        text: the text of the last reply that had any.
        messages: the conversation in the provider's form, ready to be sent again.
        outcomes: what the model's calls were resolved to, in order.
        steps: requests made to the model.
        usage: the provider's counts added up by their own names, with `input_tokens`, `output_tokens` and
            `total_tokens`.
        stop: why the run ended.
        deviations: field by field, what was wrong with the submitted answers.
        counters: everything counted.
    """

    output: Any = None
    text: str = ""
    messages: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    outcomes: tuple[Outcome, ...] = ()
    steps: int = 0
    usage: Mapping[str, Any] = field(default_factory=dict[str, Any])
    stop: Stop = "text"
    deviations: tuple[Deviation, ...] = ()
    counters: Mapping[Counter, int] = field(default_factory=dict[Counter, int])

    def __repr__(self) -> str:
        has = "no output" if self.output is None else type(self.output).__name__
        return f"RunResult({self.stop!r}, {has}, steps={self.steps}, outcomes={self.outcomes!r})"

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain JSON data; counters as a list."""
        counted = [{**counter._asdict(), "count": count} for counter, count in self.counters.items()]
        return Value.to_dict(self) | {"output": to_jsonable_python(self.output), "counters": counted}


def deviations(submissions: Sequence[Outcome]) -> Iterator[Deviation]:
    """What was wrong with submitted answers, place by place."""
    for number, outcome in enumerate(submissions):
        for repair in outcome.repairs:
            yield Deviation(submission=number, pointer=repair.pointer, what=repair.rule, mended=True)
        if not isinstance(outcome, InvalidCall):
            continue
        for issue in outcome.issues:
            yield Deviation(submission=number, pointer=issue.pointer, what=issue.keyword, message=issue.message)
        if not outcome.issues:
            yield Deviation(submission=number, pointer="", what=outcome.reason, message=outcome.message)


def added(total: Mapping[str, Any], usage: Mapping[str, Any]) -> dict[str, Any]:
    """Two counts added up, name by name, at any depth; what is no number is left out."""
    summed = dict(total)
    for name, value in usage.items():
        if isinstance(value, Mapping):
            before = summed.get(name)
            summed[name] = added(before if isinstance(before, Mapping) else {}, value)
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            before = summed.get(name)
            summed[name] = value + (before if isinstance(before, (int, float)) else 0)
    return summed


_IN = ("input_tokens", "prompt_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
_OUT = ("output_tokens", "completion_tokens")


def normalized(usage: Mapping[str, Any]) -> dict[str, int]:
    """One reply's usage in common words."""
    given = {name: value for name, value in usage.items() if isinstance(value, int)}
    taken, made = (sum(given.get(name, 0) for name in names) for names in (_IN, _OUT))
    return {
        "input_tokens": taken,
        "output_tokens": made,
        "total_tokens": max(given.get("total_tokens", 0), taken + made),
    }
