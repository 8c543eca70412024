"""Which rules are in force; and two real packages, installed, whose rules are found by entry point."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from argwright.errors import DeclarationError
from argwright.policy import Certainty
from argwright.rules import BUILTIN, STANDARD, Rule, RuleSet, load
from argwright.rules.registry import _loaded, as_rules

PLUGINS = Path(__file__).parents[1] / "plugins"


def rule(name, order=0, layer="mend", **more):
    return Rule(name=name, layer=layer, certainty=Certainty.LIKELY, propose=lambda _: None, order=order, **more)


def test_the_built_in_rules_have_one_order():
    assert [one.name for one in BUILTIN] == [
        "encoded-twice", "wrapper", "properties-echo",
        "alias", "value-alias",
        "null-optional", "stringified-container", "stringified-scalar", "lone-element", "list-of-one", "key-spelling",
        "enum-spelling", "drop-undeclared",
        "absorbed", "integral-float", "undeclared-field", "null-text", "html-entity", "control-in-path", "json-text",
    ]  # fmt: skip
    assert [one.layer for one in BUILTIN] == ["unwrap"] * 3 + ["rename"] * 2 + ["mend"] * 8 + ["inspect"] * 7


def test_others_run_by_order_then_name():
    rules = RuleSet((), (rule("b"), rule("a"), rule("z", order=-1), rule("c", order=1)))
    assert [one.name for one in rules.others("mend", None)] == ["z", "a", "b", "c"]


def test_a_rule_may_be_for_some_tools_only():
    rules = RuleSet((rule("a", tools={"x"}), rule("b")))
    assert [one.name for one in rules.own("mend", "x")] == ["a", "b"]
    assert [one.name for one in rules.own("mend", "y")] == ["b"]
    assert rules.own("rename", "x") == ()


def test_rules_can_be_switched_off_by_name():
    rules = load([rule("mine")], without={"enum-spelling", "mine"}, plugins=False)
    assert "enum-spelling" not in [one.name for one in rules.builtin]
    assert rules.foreign == ()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: load([rule("alias")]), "two rules are named 'alias'"),
        (lambda: load([rule("a"), rule("a")]), "two rules are named 'a'"),
        (lambda: load(without={"enum-case"}), "no rule is named 'enum-case'"),
        (
            lambda: as_rules("text", "rule entry 'x' of distribution 'y'"),
            "rule entry 'x' of distribution 'y' is no Rule",
        ),
        (lambda: as_rules([1], "here"), "here is no Rule"),
    ],
)
def test_mistakes_are_named(make, message):
    with pytest.raises(DeclarationError) as caught:
        make()
    assert message in str(caught.value)


@pytest.mark.parametrize("target", ["no_such_module:RULES", "json:no_such_name", "json:dumps"])
def test_an_entry_that_cannot_be_loaded_is_named(target):
    with pytest.raises(DeclarationError) as caught:
        _loaded(EntryPoint(name="mine", value=target, group="argwright.rules"))
    assert "rule entry 'mine' of distribution ''" in str(caught.value)


def test_only_rules_that_see_valid_calls_slow_them_down():
    assert STANDARD.quick
    assert RuleSet(BUILTIN, (rule("a"),)).quick
    assert not RuleSet(BUILTIN, (rule("a", layer="inspect"),)).quick


# Installed


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    """A folder into which both packages are installed."""
    home = tmp_path_factory.mktemp("plugins")
    sources = [shutil.copytree(PLUGINS / name, home / name) for name in ("spoken_units", "other_units")]
    command = [
        sys.executable, "-m", "pip", "install", "-qq", "--disable-pip-version-check",
        "--no-deps", "--no-index", "--no-build-isolation", "--target", str(home / "site"), *map(str, sources),
    ]  # fmt: skip
    subprocess.run(command, check=True)
    return home / "site"


def run(site: Path, script: str) -> str:
    paths = [str(site), *filter(None, [os.environ.get("PYTHONPATH")])]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    return subprocess.run([sys.executable, "-c", script], env=env, check=True, capture_output=True, text=True).stdout


SCRIPT = """
import json, sys
import argwright as aw
assert not any(name.endswith("_units") for name in sys.modules), "importing registers nothing"
unit = {"enum": ["celsius", "kelvin"]}
tool = aw.Tool.from_schema("temperature", {"type": "object", "properties": {"unit": unit}})
call = aw.ToolCall("1", "temperature", '{"unit": "centigrade"}')
told = []
for without in ((), ("other-units",), ("spoken-units",), ("other-units", "spoken-units")):
    outcome = aw.Toolbox([tool], without=without).resolve(call)
    told.append(outcome.arguments if isinstance(outcome, aw.ValidCall) else outcome.reason)
print(json.dumps(told))
"""


def test_installed_rules_are_found_and_two_that_differ_are_a_conflict(site):
    assert json.loads(run(site, SCRIPT)) == ["rule_conflict", {"unit": "celsius"}, {"unit": "kelvin"}, "enum"]


def test_the_command_line_proves_them(site):
    assert "spoken-units" in run(site, "from argwright.testing import check_rule; import spoken_units as m; "
                                 "assert check_rule(m.RULES[0]) == (); print(m.RULES[0].name)")  # fmt: skip
    told = run(site, "from argwright.testing import check_rule; import spoken_units as m, other_units as o; "
                     "print(check_rule(m.RULES[0], o.RULES))")  # fmt: skip
    assert "propose different values" in told
