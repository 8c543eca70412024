"""What a scan counts, part by part; the sums of parts are the sums of the whole.

Names come from the log, so there may be as many as there are lines: past a limit further
ones are counted together. So it is with times. Of examples a few are kept, chosen by an order in which no two
are equal, so that it does not matter who did which part.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from argwright.batch.log.examples import Example, worst
from argwright.model import ErrorKind

MAX_GROUPS = 5_000
MAX_PAIRS = 20_000  # groups of a tool and a model
MAX_HINTS = 2_000
MAX_TIMES = 20_000
"""Times that are counted apart; where there would be more, longer ones are counted: days first, of a log of years."""
_GRAINS = (1, 24, 24 * 28, 24 * 28 * 13)  # hours; each a multiple of the one before, so that no order matters
MAX_BAD = 100  # bad lines that are named
OTHER = "(other)"
HOUR = 3_600
UNKNOWN_TOOL = ErrorKind.UNKNOWN_TOOL.value


class Group(NamedTuple):
    """What is counted apart; kind and reason are empty for calls that run."""

    tool: str
    model: str
    status: str
    kind: str
    reason: str


class Named(NamedTuple):
    """What is counted of a tool alone, or of a model alone: its calls are all there, whatever they stand beside."""

    name: str
    status: str
    kind: str


class Hint(NamedTuple):
    """What a person might declare, seen in a call.

    Args:
        what: field (`said` where `meant` is declared), undeclared (`said`, and nothing is meant), value (`said` for
            `meant` at `place`), name (`said` is called, `meant` exists), text (sent as text at `place`, where another
            type is declared).
    """

    what: str
    tool: str
    place: str
    said: str
    meant: str


class Bad(NamedTuple):
    """A line or a file that could not be read; line 0 is the file as a whole."""

    file: str
    line: int
    why: str


@dataclass
class Figures:
    """Counters of a part or of a scan; the one value here that changes."""

    groups: Counter[Group] = field(default_factory=Counter)
    tools: Counter[Named] = field(default_factory=Counter)
    models: Counter[Named] = field(default_factory=Counter)
    rules: Counter[tuple[str, str]] = field(default_factory=Counter)
    hours: Counter[tuple[int, str]] = field(default_factory=Counter)
    grain: int = 1
    hints: Counter[Hint] = field(default_factory=Counter)
    examples: list[Example] = field(default_factory=list)
    lines: int = 0
    bad: int = 0
    named: list[Bad] = field(default_factory=list)

    def count(self, groups: Mapping[Group, int]) -> None:
        """Count calls."""
        _add(self.groups, groups, MAX_PAIRS, _other_group)
        tools: Counter[Named] = Counter()
        models: Counter[Named] = Counter()
        for group, number in groups.items():
            tool = OTHER if group.kind == UNKNOWN_TOOL else group.tool  # names that nobody declared crowd out no tool
            tools[Named(tool, group.status, group.kind)] += number
            models[Named(group.model, group.status, group.kind)] += number
        self._count_named(tools, models)

    def _count_named(self, tools: Mapping[Named, int], models: Mapping[Named, int]) -> None:
        _add(self.tools, tools, MAX_GROUPS, _other_name)
        _add(self.models, models, MAX_GROUPS, _other_name)

    def count_hours(self, hours: Mapping[tuple[int, str], int]) -> None:
        """Count calls by hour and status."""
        self._count_times(hours, 1)

    def _count_times(self, times: Mapping[tuple[int, str], int], grain: int) -> None:
        """Count calls by the hour at which their time begins; of too many times, longer ones are made."""
        for at in _GRAINS[_GRAINS.index(max(grain, self.grain)) :]:
            if at > self.grain:
                self.grain, self.hours = at, _by_grain(self.hours, at)
            if len(self.hours) + len(times) <= MAX_TIMES or len(self.hours | _by_grain(times, at)) <= MAX_TIMES:
                break
        self.hours.update(_by_grain(times, self.grain))

    def hint(self, hints: Mapping[Hint, int]) -> None:
        """Count hints."""
        _add(self.hints, hints, MAX_HINTS, None)

    def broken(self, bad: Bad) -> None:
        """Count a line that could not be read."""
        self.bad += 1
        if len(self.named) < MAX_BAD:
            self.named.append(bad)

    def merge(self, other: Figures) -> None:
        """Take in the figures of another part."""
        _add(self.groups, other.groups, MAX_PAIRS, _other_group)
        self._count_named(other.tools, other.models)
        _add(self.rules, other.rules, MAX_GROUPS, lambda pair: (OTHER, pair[1]))
        self._count_times(other.hours, other.grain)
        _add(self.hints, other.hints, MAX_HINTS, None)
        self.examples = worst([*self.examples, *other.examples])
        self.lines += other.lines
        self.bad += other.bad
        self.named = [*self.named, *other.named][:MAX_BAD]

    @property
    def calls(self) -> int:
        """How many calls there are."""
        return self.groups.total()

    def by(self, *names: str) -> Counter[tuple[str, ...]]:
        """The calls by some of a group's fields."""
        found: Counter[tuple[str, ...]] = Counter()
        for group, number in self.groups.items():
            found[tuple(getattr(group, name) for name in names)] += number
        return found

    def to_dict(self) -> dict[str, Any]:
        """Everything counted, as JSON data."""
        return {
            "lines": self.lines,
            "calls": self.calls,
            "bad": self.bad,
            "groups": _listed(self.groups),
            "tools": _listed(self.tools),
            "models": _listed(self.models),
            "rules": _listed(self.rules),
            "hours": _listed(self.hours),
            "grain": self.grain,
            "hints": _listed(self.hints),
            "examples": [example.to_dict() for example in self.examples],
            "named": [list(bad) for bad in self.named],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Figures:
        """The figures that `to_dict` told."""
        return cls(
            groups=Counter({Group(*key): number for *key, number in data["groups"]}),
            tools=Counter({Named(*key): number for *key, number in data["tools"]}),
            models=Counter({Named(*key): number for *key, number in data["models"]}),
            rules=Counter({(tool, rule): number for tool, rule, number in data["rules"]}),
            hours=Counter({(hour, status): number for hour, status, number in data["hours"]}),
            grain=data.get("grain", 1),
            hints=Counter({Hint(*key): number for *key, number in data["hints"]}),
            examples=[Example.from_dict(example) for example in data["examples"]],
            lines=data["lines"],
            bad=data["bad"],
            named=[Bad(*bad) for bad in data["named"]],
        )


def _listed(counter: Counter[Any]) -> list[list[Any]]:
    return [[*key, number] for key, number in sorted(counter.items())]


def _add(counter: Counter[Any], more: Mapping[Any, int], limit: int, other: Any) -> None:
    """Add counts; what is new past the limit goes to the group of others, or nowhere."""
    for key, number in _in_order(more, counter, limit):
        if key in counter or len(counter) < limit:
            counter[key] += number
        elif other is not None:
            counter[other(key)] += number


def _by_grain(times: Mapping[tuple[int, str], int], grain: int) -> Counter[tuple[int, str]]:
    found: Counter[tuple[int, str]] = Counter()
    for (hour, status), number in times.items():
        found[hour // grain * grain, status] += number
    return found


def _in_order(more: Mapping[Any, int], counter: Counter[Any], limit: int) -> Iterator[tuple[Any, int]]:
    """The frequent first, where not all of them will find a place."""
    if len(counter) + len(more) <= limit:
        yield from more.items()
    else:
        yield from sorted(more.items(), key=lambda item: (-item[1], item[0]))


def _other_group(group: Group) -> Group:
    return group._replace(tool=OTHER, model=OTHER)


def _other_name(named: Named) -> Named:
    return named._replace(name=OTHER)
