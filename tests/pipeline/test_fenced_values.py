"""A fence inside a value of a call that is written out: what stands in it is the value's, and not the arguments."""

from __future__ import annotations

import pytest

import argwright as aw

FENCE = '```json\n{"文": "外", "n": 1}\n```'
TOOL = aw.Tool.from_schema(
    "save", {"type": "object", "properties": {"文": {"type": "string"}, "n": {"type": "integer"}}}
)
WRITTEN = [
    f"<function=save>\n<parameter=文>\n{FENCE}\n</parameter>\n</function>",
    f"<tool_call>\n<function=save>\n<parameter=文>\n{FENCE}\n</parameter>\n</function>\n</tool_call>",
    f"<tool_call>save\n<arg_key>文</arg_key>\n<arg_value>{FENCE}</arg_value>\n</tool_call>",
    f'<invoke name="save"><parameter name="文">{FENCE}</parameter></invoke>',
    f"<function=save>\n<parameter=文>\n```py\nx\n```\n{FENCE}\n</parameter>\n</function>",
]


@pytest.mark.parametrize("text", WRITTEN)
def test_it_is_the_value(text):
    outcome = aw.Toolbox([TOOL]).resolve(aw.ToolCall(id="1", name="save", arguments=text))
    assert isinstance(outcome, aw.ValidCall), outcome
    value = f"```py\nx\n```\n{FENCE}" if "```py" in text else FENCE
    assert outcome.arguments == {"文": value}
    assert [repair.rule for repair in outcome.repairs] == ["text-dialect"]


@pytest.mark.parametrize("text", WRITTEN)
def test_it_is_not_the_arguments_without_the_tool(text):
    assert isinstance(aw.parse_arguments(text), aw.Undecodable)


def test_a_fence_behind_a_sentence_still_is():
    text = f"Ich rufe save auf:\n\n{FENCE}\n\nשלום"
    outcome = aw.Toolbox([TOOL]).resolve(aw.ToolCall(id="1", name="save", arguments=text))
    assert isinstance(outcome, aw.ValidCall), outcome
    assert outcome.arguments == {"文": "外", "n": 1}
