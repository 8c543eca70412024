"""Each kind of repair shows what it does: the text before becomes the text after, by that repair."""

from __future__ import annotations

import json

import pytest

from argwright.decode import Decoded, decode
from argwright.decode.notation import NOTATION
from argwright.policy import Certainty, Policy
from argwright.shape import Shape

SCHEMAS = {
    "thousands": {"properties": {"a": {"type": "integer"}}},
    "wrong-bracket": {"type": "object", "properties": {"a": {"type": "integer"}}},
    "missing-closer": {"properties": {"a": {"type": "array"}}},
    "missing-quote": {"properties": {"a": {"type": "integer"}}},
}
ELSEWHERE = {"text-dialect", "invalid-utf8"}  # done by the pipeline, and to bytes


@pytest.mark.parametrize("rule", sorted(set(NOTATION) - ELSEWHERE))
def test_before_becomes_after(rule):
    notation = NOTATION[rule]
    result = decode(notation.before, shape=Shape(SCHEMAS.get(rule, {})), policy=Policy.LENIENT)
    assert isinstance(result, Decoded), result
    assert result.value == json.loads(notation.after)
    assert rule in {repair.rule for repair in result.repairs}


@pytest.mark.parametrize("rule", sorted(set(NOTATION) - ELSEWHERE))
def test_a_stricter_policy_refuses_what_is_less_certain(rule):
    notation, shape = NOTATION[rule], Shape(SCHEMAS.get(rule, {}))
    assert not isinstance(decode(notation.before, shape=shape, policy=Policy.STRICT), Decoded)
    exact = decode(notation.before, shape=shape, policy=Policy.EXACT)
    assert isinstance(exact, Decoded) == (notation.certainty is Certainty.EXACT)
