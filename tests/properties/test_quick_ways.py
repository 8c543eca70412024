"""Every quick way gives what the long way gives: the same value, repairs in the same order, warnings and refusals."""

from __future__ import annotations

import json
from functools import partial

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import argwright as aw
from argwright.pipeline import glance, order, resolve, written_out
from argwright.rules import BUILTIN, load
from argwright.rules.rule import Context
from benchmarks import batch_log
from benchmarks.accuracy import cases
from benchmarks.accuracy.dice import Dice
from benchmarks.accuracy.operators import Subject

ODD_TOOLS = {
    "odd": {
        "type": "object",
        "properties": {
            "path": {"type": "string"},
            "text": {"type": ["string", "null", "array"]},
            "n": {"type": "integer"},
            "inner": {"type": "object", "properties": {"n": {"type": "integer"}, "file": {"type": "string"}}},
            "rows": {"type": "array", "items": {"type": "integer"}},
        },
    },
    "any": {"type": "object"},
}
OLD = {tool: {old: declared} for tool, (declared, old) in batch_log.OLD_NAMES.items()}
TOOLS = [aw.Tool.from_schema(name, schema) for name, schema in (batch_log.TOOLS | ODD_TOOLS).items()]
BOXES = [
    aw.Toolbox(TOOLS),
    aw.Toolbox(
        [aw.Tool.from_schema(name, schema, aliases=OLD.get(name, {})) for name, schema in batch_log.TOOLS.items()]
    ),
    aw.Toolbox(TOOLS, policy=aw.Policy.LENIENT),
]
RULES = load()


def long_way(box, call):
    """What becomes of the call if nothing is passed over."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(glance, "look", lambda *_: glance.Look.ODD)
        patch.setattr(glance, "is_quiet", lambda *_: False)
        patch.setattr(glance, "is_odd", lambda *_: True)
        patch.setattr(glance, "may_be_wrapped", lambda *_: True)
        patch.setattr(order, "_has_old_names", lambda *_: True)
        patch.setattr(written_out, "_ESCAPES", ("",))
        return box.resolve(call)


def assert_the_same(box, call):
    quick = box.resolve(call)
    assert quick == long_way(box, call)
    if call.name in box and isinstance(call.arguments, str) and call.finish_reason is None:
        value, stopped = glance.strictly(call.arguments, box.limits)
        say = glance.looker(box[call.name], RULES)(call.arguments, value)
        assert say is glance.look(box[call.name], call.arguments, value, RULES)
        seen = glance.Sight(value, stopped, say)
        assert quick == resolve(call, box, default=box.policy, limits=box.limits, rules=RULES, seen=seen)


@settings(max_examples=300)
@given(st.sampled_from(cases.OPERATORS), st.integers(0, 10**9), st.sampled_from(BOXES))
def test_damaged_calls(operator, seed, box):
    dice = Dice(f"quick-{seed}")
    name = dice.one(tuple(batch_log.MAKERS))
    damaged = operator.damage(dice, Subject(name, batch_log.TOOLS[name], batch_log.MAKERS[name](dice)))
    if damaged is not None:
        text = damaged.result if isinstance(damaged.result, str) else json.dumps(damaged.result, ensure_ascii=False)
        assert_the_same(box, aw.ToolCall(None, name, text))


@pytest.mark.parametrize("seed", ["quick", "ways"])
def test_a_log_of_calls(seed):
    for row in batch_log.rows(600, seed):
        for box in BOXES:
            assert_the_same(box, aw.ToolCall(None, row["name"], row["arguments"], row["finish_reason"]))


SIGNS = st.sampled_from(
    [
        "a",
        "C:\\t",
        "C:\n",
        "\t",
        "null",
        "None",
        "&amp;",
        "<b>",
        '<parameter name="n">1',
        "[1]",
        "上海",
        "\u2028",
        "1",
        "",
    ]
)
VALUES = st.recursive(
    SIGNS | st.integers(-9, 9) | st.sampled_from([1.0, 2.5, None, True]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["path", "text", "n", "inner", "rows", "file", "Path", "x"]), inner, max_size=4
        )
    ),
    max_leaves=8,
)
NOTATIONS = st.sampled_from(
    [
        json.dumps,
        lambda value: json.dumps(value, ensure_ascii=False, separators=(",", ":")),
        lambda value: f"```json\n{json.dumps(value)}\n```",
        lambda value: json.dumps(value)[:-1] + ",}",
        lambda value: json.dumps(json.dumps(value)),
        lambda value: json.dumps({"arguments": value}),
        repr,
        lambda value: f"{json.dumps(value, ensure_ascii=False)}<|im_end|>",
    ]
)


@settings(max_examples=500)
@given(
    st.dictionaries(
        st.sampled_from(["path", "text", "a path"]), SIGNS | st.text('C:\\/"\n\t\x0b& ;<ab路径amp', max_size=12)
    ),
    st.sampled_from(
        [json.dumps, partial(json.dumps, ensure_ascii=False, separators=(",", ":")), partial(json.dumps, indent=1)]
    ),
    st.sampled_from(BOXES[0].tools),
)
@example({"path": "C:\t"}, json.dumps, BOXES[0]["odd"])
@example({"path": "a\\\\b\t"}, json.dumps, BOXES[0]["odd"])
@example({"path": 'say "a"/\n'}, json.dumps, BOXES[0]["odd"])
@example({"path": '"a"/\x0b\n'}, json.dumps, BOXES[0]["odd"])
def test_where_no_clue_matches_nothing_is_doubted(value, write, tool):
    text = write(value)
    doubted = any(mark in text and doubts(text, tool) for mark, doubts in RULES.doubts)
    (matched,) = pc.match_substring_regex(pa.array([text]), pattern="|".join(RULES.clues)).to_pylist()
    assert matched or not doubted


@settings(max_examples=500)
@given(
    st.dictionaries(st.sampled_from(["path", "text", "n", "inner", "rows", "x"]), VALUES, max_size=4),
    NOTATIONS,
    st.sampled_from(["odd", "any"]),
    st.sampled_from([BOXES[0], BOXES[2]]),
)
@example({"path": "C:\t"}, repr, "odd", BOXES[0])
@example({"text": "null", "n": 1.0}, repr, "odd", BOXES[0])
@example({"inner": {"n": 2.0, "x": 1}}, repr, "odd", BOXES[0])
def test_odd_values_in_any_notation(value, write, name, box):
    assert_the_same(box, aw.ToolCall(None, name, write(value)))


@pytest.mark.parametrize("rule", [rule for rule in BUILTIN if rule.takes is not None], ids=lambda rule: rule.name)
def test_a_rule_has_nothing_to_say_of_what_it_does_not_take(rule):
    issues = [(), (aw.Issue(pointer="/x", keyword="required", message=""),)]
    issues += [(aw.Issue(pointer="/x", keyword="type", message="", expected=kind),) for kind in ("string", "array")]
    for value in (None, True, 1, 1.5, "", "null", "1", "[1]", [], [1], {}, {"X": 1}):
        if not isinstance(value, rule.takes):
            for found in issues:
                for tool in TOOLS[-2:]:
                    place = Context(
                        tool=tool, call=aw.ToolCall(None, tool.name, ""), root=value, value=value, shape=tool.shape,
                        issues=found, optional=True, policy=aw.Policy.LENIENT,
                    )  # fmt: skip
                    assert rule.propose(place) is None
