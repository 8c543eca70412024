from __future__ import annotations

from argwright.policy import Certainty
from argwright.rules import BUILTIN, Example, Proposal, Rule
from argwright.testing import check_rule

SCHEMA = {"type": "object", "properties": {"unit": {"enum": ["celsius", "kelvin"]}, "note": {"type": "string"}}}


def example(arguments, becomes=None):
    if becomes is None:
        return Example(schema=SCHEMA, arguments=arguments)
    return Example(schema=SCHEMA, arguments=arguments, becomes=becomes)


def units(value, **more):
    def propose(context):
        return Proposal(value=value) if context.pointer == "/unit" and context.value == "C" else None

    return Rule(name="units", layer="mend", certainty=Certainty.LIKELY, propose=propose, **more)


GOOD = {"examples": (example({"unit": "C"}, {"unit": "celsius"}),), "untouched": (example({"unit": "kelvin"}),)}


def test_a_proof_that_holds():
    assert check_rule(units("celsius", **GOOD)) == ()


def test_an_example_that_does_not_hold():
    assert check_rule(units("kelvin", **GOOD)) == ("example 1: became {'unit': 'kelvin'}, not {'unit': 'celsius'}",)
    assert check_rule(units("rankine", **GOOD))[0].startswith("example 1: schema_error/enum")


def test_an_example_that_needs_no_rule():
    rule = units("celsius", examples=(example({"unit": "kelvin"}, {"unit": "kelvin"}),))
    assert check_rule(rule) == ("example 1: it does not need this rule",)


def test_what_must_stay_and_does_not():
    assert check_rule(units("celsius", untouched=(example({"unit": "C"}),))) == (
        "untouched 1: became {'unit': 'celsius'}",
    )


def test_what_is_untouched_by_others_must_stay_too():
    greedy = Rule(
        name="greedy", layer="inspect", certainty=Certainty.LIKELY, propose=lambda _: Proposal(value={}, pointer="")
    )
    assert any("of enum-spelling: became {}" in problem for problem in check_rule(greedy))


def test_what_is_not_idempotent():
    def propose(context):
        note = context.value.get("note") if isinstance(context.value, dict) else None
        return Proposal(value=note + "!", pointer="/note") if note else None

    rule = Rule(
        name="louder",
        layer="rename",
        certainty=Certainty.LIKELY,
        propose=propose,
        examples=(example({"note": "a"}, {"note": "a!"}),),
    )
    assert check_rule(rule, ()) == ("example 1: not idempotent: what the rule made needs mending again",)


def test_a_conflict_with_another_rule():
    rival = Rule(
        name="rival",
        layer="mend",
        certainty=Certainty.LIKELY,
        propose=lambda context: Proposal(value="kelvin") if context.value == "C" else None,
    )
    problems = check_rule(units("celsius", **GOOD), (*BUILTIN, rival))
    assert problems == ("{'unit': 'C'}: /unit: rules 'rival' and 'units' propose different values",)


def test_a_rule_that_raises_does_not_prove_anything():
    rule = Rule(name="broken", layer="mend", certainty=Certainty.LIKELY, propose=lambda _: 1 / 0, **GOOD)
    assert check_rule(rule)[0].startswith("example 1: schema_error/enum")


def test_a_name_that_is_taken():
    assert check_rule(units("celsius", **GOOD), (*BUILTIN, units("kelvin"))) == ()
    assert "two rules are named 'alias'" in check_rule(
        Rule(name="mine", layer="mend", certainty=Certainty.LIKELY, propose=lambda _: None),
        (*BUILTIN, Rule(name="alias", layer="mend", certainty=Certainty.LIKELY, propose=lambda _: None)),
    )[0]  # fmt: skip


def test_a_rule_that_only_warns_says_so_by_an_example_without_an_end():
    silent = Rule(
        name="silent",
        layer="inspect",
        certainty=Certainty.EXACT,
        propose=lambda _: None,
        examples=(example({"note": "x"}),),
    )
    assert check_rule(silent) == ("example 1: neither refused nor warned of",)
