from __future__ import annotations

import sys
import textwrap

import pytest

from argwright.decode.notation import NOTATION
from argwright.rules import BUILTIN

PLUGIN = """
from argwright import Certainty
from argwright.rules import Context, Example, Proposal, Rule

SCHEMA = {{"type": "object", "properties": {{"percent": {{"type": "number"}}}}}}

def propose(context):
    text = context.value
    if not isinstance(text, str) or not text.endswith("%") or not text[:-1].isdigit():
        return None
    return Proposal(value=int(text[:-1]))

RULE = Rule(
    name="percent-sign", layer="mend", certainty=Certainty.LIKELY, propose=propose,
    examples=(Example(schema=SCHEMA, arguments={{"percent": "12%"}}, becomes={{"percent": {becomes}}}),),
    untouched=(Example(schema=SCHEMA, arguments={{"percent": 12}}),),
)
RULES = (RULE,)
"""


@pytest.fixture
def plugin(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)

    def write(name: str, text: str) -> str:
        (tmp_path / f"{name}.py").write_text(textwrap.dedent(text), encoding="utf-8")
        monkeypatch.delitem(sys.modules, name, raising=False)
        return name

    return write


def test_the_rules_are_listed_in_their_order(run):
    done = run("rules")
    assert (done.code, done.err) == (0, "")
    listed = [line.split()[1] for line in done.out.splitlines()[1:] if line.split()[0].isdigit()]
    assert listed == [*NOTATION, *(rule.name for rule in BUILTIN)]


def test_a_rule_that_holds(run, plugin):
    done = run("rules", "check", plugin("plugin_that_holds", PLUGIN.format(becomes=12)))
    assert (done.code, done.out) == (0, "✔ percent-sign (1 example, 1 untouched)\n")


def test_a_rule_that_does_not_hold(run, plugin):
    done = run("rules", "check", plugin("plugin_that_fails", PLUGIN.format(becomes=13)))
    assert done.code == 1
    assert done.out.startswith("✘ percent-sign")
    assert len(done.out.splitlines()) > 1


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("plugin_without_rules", "X = 1", "holds no Rule"),
        ("plugin_that_breaks", "import no_such_module_anywhere", "cannot be imported"),
    ],
)
def test_misuse(run, plugin, name, text, said):
    done = run("rules", "check", plugin(name, text))
    assert (done.code, done.out) == (2, "")
    assert said in done.err


def test_a_module_that_is_none(run):
    assert run("rules", "check", "no_such_module_anywhere").code == 2
