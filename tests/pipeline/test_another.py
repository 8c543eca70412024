from __future__ import annotations

import json

import pytest

from argwright.model import ToolCall, ValidCall
from argwright.tool import Tool
from argwright.toolbox import Toolbox

SCHEMA = {"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"], "additionalProperties": False}
BOX = Toolbox([Tool.from_schema("f", SCHEMA), Tool.from_schema("g", SCHEMA, name_aliases=("搜索",))])
ALONE = Toolbox([Tool.from_schema("f", SCHEMA)])
LONG = "上海 " * 100


def resolved(arguments, box=BOX):
    return box.resolve(ToolCall("1", "f", arguments))


@pytest.mark.parametrize(
    "text",
    [
        '[TOOL_CALLS]g{"q":"a"}',
        'to=functions.g <|message|>{"q":"a"}',
        'Action: g\nAction Input: {"q":"a"}',
        '<|tool_call_begin|>functions.g:0<|tool_call_argument_begin|>{"q":"a"}<|tool_call_end|>',
        '<g>{"q":"a"}</g>',
        '{"q":"a"}</g>',
        'g {"q":"a"}',
        'g: {"q":"a"}',
        '搜索: {"q":"a"}',
        '<function_call name="g">{"q":"a"}</function_call>',
        '<tool_call>g{"q":"a"}</tool_call>',
        b'g = {"q":"a"}',
        '<tool_response>{"q":"a"}',
        '<tool_response>{"q":"a"}</tool_response>',
        '<think>f</think>g: {"q":"a"}',
        f'{LONG} g: {{"q":"a"}}',
    ],
)
def test_a_text_that_calls_another_tool_is_refused(text):
    outcome = resolved(text)
    assert (outcome.kind, outcome.reason) == ("json_error", "not_json")


@pytest.mark.parametrize(
    "arguments",
    [
        {"g": {"q": "a"}},
        {"functions.g": {"q": "a"}},
        {"搜索": {"q": "a"}},
        {"g": '{"q": "a"}'},
        {"arguments": {"g": {"q": "a"}}},
        {"g": {"q": LONG}},
        {"arguments": {"g": {"q": LONG}}},
    ],
)
def test_a_wrapper_with_the_name_of_another_tool_is_refused(arguments):
    for written in (arguments, json.dumps(arguments)):
        outcome = resolved(written)
        assert (outcome.kind, outcome.reason) == ("schema_error", "unexpected")


@pytest.mark.parametrize(
    "text",
    [
        'f: {"q":"a"}',
        'Sure: {"q":"a"}',
        'args: {"q":"g"}',
        'fog: {"q":"a"}',
        '<think>g or f?</think>{"q":"a"}',
        '<think>g or f?</think>Sure: {"q":"a"}',
        '<tool_call>{"q":"a"}</tool_call>',
        '{"f":{"q":"a"}}',
        '{"arguments":{"q":"a"}}',
        '{"q":"a",}',
    ],
)
def test_what_names_no_other_tool_is_read(text):
    outcome = resolved(text)
    assert isinstance(outcome, ValidCall)
    assert outcome == BOX.resolve(outcome.call)
    assert outcome.arguments == resolved(text, ALONE).arguments


def test_the_model_is_told_which_tool_its_text_calls():
    assert resolved('g: {"q":"a"}').message == "the text calls 'g' and not this tool"
