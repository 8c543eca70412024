"""Every rule against every other rule's table of what must stay, and the proofs that the rules bring themselves."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

from argwright.rules import BUILTIN, STANDARD
from argwright.testing import check_rule
from tests.rules.tables import leaves, resolved, told

HERE = Path(__file__).parent
MODULES = [rule.name.replace("-", "_") for rule in BUILTIN]
TABLES = {name: import_module(f"tests.rules.test_{name}").UNTOUCHED for name in MODULES}


def test_every_rule_has_a_test_file_of_its_name():
    assert [name for name in MODULES if not (HERE / f"test_{name}.py").exists()] == []


# What one rule must leave alone is another rule's business in these cases, and only in these.
_BUSINESS = {
    ("null-optional", "stringified_container"): 1,  # {"tags": ""}: an optional list, not given
    ("null-optional", "stringified_scalar"): 1,  # {"on": ""}: an optional boolean, not given
    ("null-optional", "enum_spelling"): 1,  # {"mode": null}
    ("lone-element", "stringified_container"): 1,  # {"tags": "北京"}
    ("stringified-container", "lone_element"): 2,  # {"tags": "[a]"}: the text of a list
}


@pytest.mark.parametrize("rule", BUILTIN, ids=lambda rule: rule.name)
def test_against_the_other_tables(rule):
    touched = {
        (rule.name, name): [example.arguments for example in table if not leaves(rule, example)]
        for name, table in TABLES.items()
        if name != rule.name.replace("-", "_")
    }
    found = {pair: len(examples) for pair, examples in touched.items() if examples}
    assert found == {pair: number for pair, number in _BUSINESS.items() if pair[0] == rule.name}, touched


@pytest.mark.parametrize("rule", BUILTIN, ids=lambda rule: rule.name)
def test_proof(rule):
    assert check_rule(rule) == ()


@pytest.mark.parametrize("name", MODULES)
def test_what_runs_with_all_rules_in_force_needs_no_repair_again(name):
    for example in import_module(f"tests.rules.test_{name}").__dict__.get("MENDED", ()):
        outcome = resolved(STANDARD, example)
        assert told(outcome) == ("valid", example.becomes)
        again = resolved(STANDARD, type(example)(schema=example.schema, arguments=outcome.arguments))
        assert (told(again), again.repairs) == (told(outcome), ())
