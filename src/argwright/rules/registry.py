"""Which rules are in force, and in which order.

The built-in rules stand in one tuple. Others are given by the caller or found under the
entry-point group `argwright.rules` (each entry a `Rule`, or several), and run by layer,
then `order`, then name, never by import. Finding them is asked for, once, by whoever
makes a `RuleSet`; importing a package registers nothing.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.metadata import EntryPoint, entry_points
from itertools import chain

from argwright.errors import DeclarationError
from argwright.rules.rule import Doubts, Layer, Rule, RuleTool

GROUP = "argwright.rules"


@dataclass(frozen=True)
class RuleSet:
    """The rules in force.

    Args:
        builtin: the rules that this package brings, in their one order.
        foreign: the rules of others; they propose, and never win against a different proposal.
    """

    builtin: tuple[Rule, ...]
    foreign: tuple[Rule, ...] = ()

    def __post_init__(self) -> None:
        ordered = sorted(self.foreign, key=lambda rule: (rule.order, rule.name))
        object.__setattr__(self, "foreign", tuple(ordered))
        seen: set[str] = set()
        for rule in (*self.builtin, *self.foreign):
            if rule.name in seen:
                raise DeclarationError(f"two rules are named {rule.name!r}; a name stands for one rule in every record")
            seen.add(rule.name)

    def own(self, layer: Layer, tool: str | None) -> tuple[Rule, ...]:
        """The built-in rules of a layer that are for this tool."""
        rules = self._layers[0].get(layer, ())
        return rules if self._for_all else _for(rules, tool)

    def others(self, layer: Layer, tool: str | None) -> tuple[Rule, ...]:
        """The rules of others of a layer that are for this tool."""
        return _for(self._layers[1].get(layer, ()), tool) if self.foreign else ()

    @cached_property
    def _layers(self) -> tuple[Mapping[Layer, tuple[Rule, ...]], Mapping[Layer, tuple[Rule, ...]]]:
        return _by_layer(self.builtin), _by_layer(self.foreign)

    @cached_property
    def _for_all(self) -> bool:
        return all(rule.tools is None for rule in self.builtin)

    @cached_property
    def quick(self) -> bool:
        """Whether nobody else's rule has to look at calls that are valid as they stand."""
        return not any(rule.layer != "mend" for rule in self.foreign)

    @cached_property
    def marks(self) -> tuple[str, ...]:
        """What a text must hold for the built-in rules that inspect and have marks."""
        return tuple(dict.fromkeys(mark for rule in self._inspecting for mark in rule.marks))

    @cached_property
    def doubts(self) -> tuple[tuple[str, Doubts], ...]:
        """What makes a valid call worth a second look: a mark in its text, if what goes with it says yes.

        Marks that are escapes are left out; whoever asks must see to ASCII characters that are escaped.
        """
        return tuple((mark, rule.doubts or _always) for rule in self._inspecting for mark in _plain(rule.marks))

    @cached_property
    def clues(self) -> tuple[str, ...]:
        """Regular expressions for columns of texts: where none matches, none of the `doubts` says yes."""
        found = [(rule.clue,) if rule.clue else map(re.escape, _plain(rule.marks)) for rule in self._inspecting]
        return tuple(dict.fromkeys(chain.from_iterable(found)))

    @property
    def _inspecting(self) -> tuple[Rule, ...]:
        return self._layers[0].get("inspect", ())


def _plain(marks: Iterable[str]) -> list[str]:
    return [mark for mark in marks if not mark.startswith("\\u")]


def _always(_text: str, _tool: RuleTool | None) -> bool:
    return True


def _by_layer(rules: tuple[Rule, ...]) -> Mapping[Layer, tuple[Rule, ...]]:
    found: dict[Layer, tuple[Rule, ...]] = {}
    for rule in rules:
        found[rule.layer] = (*found.get(rule.layer, ()), rule)
    return found


def _for(rules: tuple[Rule, ...], tool: str | None) -> tuple[Rule, ...]:
    return tuple(rule for rule in rules if rule.tools is None or tool in rule.tools)


def installed() -> tuple[Rule, ...]:
    """The rules that installed distributions register, sorted by distribution and entry.

    Raises:
        DeclarationError: an entry cannot be loaded or is no rule; the text names the distribution.
    """
    return _found(tuple((place, _changed(place)) for place in sys.path))


@lru_cache(maxsize=4)  # reading every distribution's metadata takes tens of milliseconds
def _found(_places: tuple[tuple[str, int], ...]) -> tuple[Rule, ...]:
    """The same, for these places to import from, as they were last changed."""
    found = sorted(entry_points(group=GROUP), key=lambda entry: (_owner(entry), entry.name))
    return tuple(rule for entry in found for rule in _loaded(entry))


def _changed(place: str) -> int:
    try:
        return os.stat(place or ".").st_mtime_ns  # noqa: PTH116  # for every toolbox: ten times as fast
    except OSError:
        return 0


def _owner(entry: EntryPoint) -> str:
    return entry.dist.name if entry.dist is not None else ""


def _loaded(entry: EntryPoint) -> tuple[Rule, ...]:
    where = f"rule entry {entry.name!r} of distribution {_owner(entry)!r}"
    try:
        target = entry.load()
    except Exception as error:
        raise DeclarationError(f"{where} cannot be loaded: {type(error).__name__}: {error}") from error
    return as_rules(target, where)


def as_rules(target: object, where: str) -> tuple[Rule, ...]:
    """A rule, or several, as a tuple.

    Raises:
        DeclarationError: it is neither; the text begins with `where`.
    """
    if isinstance(target, Rule):
        return (target,)
    if isinstance(target, Iterable) and not isinstance(target, (str, bytes)):
        rules = tuple(target)
        if all(isinstance(rule, Rule) for rule in rules):
            return rules
    raise DeclarationError(f"{where} is no Rule and no sequence of rules: {type(target).__name__}")


def select(builtin: tuple[Rule, ...], foreign: Iterable[Rule], without: Collection[str]) -> RuleSet:
    """The rules in force when some are switched off by name.

    Raises:
        DeclarationError: a name to switch off is no rule's, or two rules have one name.
    """
    others = tuple(foreign)
    unknown = set(without) - {rule.name for rule in (*builtin, *others)}
    if unknown:
        raise DeclarationError(f"no rule is named {min(unknown)!r}")
    return RuleSet(
        tuple(rule for rule in builtin if rule.name not in without),
        tuple(rule for rule in others if rule.name not in without),
    )
