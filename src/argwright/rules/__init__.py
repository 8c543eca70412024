"""What the arguments mean: one rule a module, one order.

A rule looks at one place and proposes a value; it never acts. The built-in rules run in
the order of `BUILTIN`, layer by layer: `unwrap` (arguments that stand one level too
deep), `rename` (declared old names), `mend` (only where validation failed, and at one
place the first whose end is valid wins), `inspect` (what is odd in arguments that would
run). Every change is on record with its rule's name; what the schema calls a string is
never reinterpreted, and nothing that is missing is filled in.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from argwright.rules import (
    absorbed,
    alias,
    control_in_path,
    drop_undeclared,
    encoded_twice,
    enum_spelling,
    html_entity,
    integral_float,
    json_text,
    key_spelling,
    list_of_one,
    lone_element,
    null_optional,
    null_text,
    properties_echo,
    stringified_container,
    stringified_scalar,
    undeclared_field,
    value_alias,
    wrapper,
)
from argwright.rules.registry import RuleSet, installed, select
from argwright.rules.rule import KEEP, REMOVED, Context, Example, Proposal, Rule

__all__ = ["BUILTIN", "KEEP", "REMOVED", "STANDARD", "Context", "Example", "Proposal", "Rule", "RuleSet", "load"]

BUILTIN: tuple[Rule, ...] = (
    encoded_twice.RULE,
    wrapper.RULE,
    properties_echo.RULE,
    alias.RULE,
    value_alias.RULE,
    null_optional.RULE,
    stringified_container.RULE,
    stringified_scalar.RULE,
    lone_element.RULE,
    list_of_one.RULE,
    key_spelling.RULE,
    enum_spelling.RULE,
    drop_undeclared.RULE,
    absorbed.RULE,
    integral_float.RULE,
    undeclared_field.RULE,
    null_text.RULE,
    html_entity.RULE,
    control_in_path.RULE,
    json_text.RULE,
)

STANDARD = RuleSet(BUILTIN)
"""The built-in rules and nobody else's."""


def load(rules: Iterable[Rule] = (), *, without: Collection[str] = (), plugins: bool = True) -> RuleSet:
    """The rules in force: the built-in ones, those of installed distributions, and the given ones.

    Args:
        rules: rules of the caller.
        without: names of rules to switch off.
        plugins: whether rules that installed distributions register are taken.

    Raises:
        DeclarationError: an entry point is broken, two rules have one name, or a name to switch off is unknown.
    """
    foreign = (*(installed() if plugins else ()), *rules)
    return select(BUILTIN, foreign, without) if foreign or without else STANDARD
