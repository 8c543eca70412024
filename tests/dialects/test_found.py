"""Faults that were found by trying to deceive the dialects, by kind."""

from __future__ import annotations

import pytest

import argwright as aw
from tests.growth import growth

TEXT = {"type": "string"}
INTEGER = {"type": "integer"}


def box(**properties: object) -> aw.Toolbox:
    return aw.Toolbox([aw.Tool.from_schema("f", {"type": "object", "properties": properties})])


FILES = box(path=TEXT, content=TEXT)


def only(text: str, tools: aw.Toolbox) -> aw.ToolCall:
    (call,) = aw.read_text(text, tools=tools).calls
    return call


@pytest.mark.parametrize(
    ("schema", "written", "value"),
    [
        (INTEGER, "7", 7),
        (INTEGER, "-3", -3),
        (INTEGER, "12345678901234567890", 12345678901234567890),
        ({"type": "number"}, "1e3", 1000.0),
        ({"anyOf": [TEXT, INTEGER, {"type": "null"}]}, "007", "007"),
        ({"anyOf": [TEXT, INTEGER, {"type": "null"}]}, "+5", "+5"),
        ({"anyOf": [TEXT, INTEGER, {"type": "null"}]}, "٣", "٣"),
        ({"anyOf": [TEXT, INTEGER, {"type": "null"}]}, "null", None),
        ({"type": ["string", "number"]}, "1.", "1."),
        ({"type": "boolean"}, "True", True),
    ],
)
def test_a_number_is_one_only_as_json_writes_it(schema: object, written: str, value: object) -> None:
    tools = box(n=schema)
    outcome = tools.resolve(only(f"<function=f><parameter=n>{written}</parameter></function>", tools))
    assert isinstance(outcome, aw.ValidCall)
    assert outcome.arguments == {"n": value}
    assert type(outcome.arguments["n"]) is type(value)


@pytest.mark.parametrize("written", ["007", "1_000", "0x10", "--5", "٣"])
def test_what_may_be_a_code_is_no_integer(written: str) -> None:
    tools = box(n=INTEGER)
    text = f"<function=f><parameter=n>{written}</parameter></function>"
    assert isinstance(tools.resolve(only(text, tools)), aw.InvalidCall)
    assert isinstance(tools.resolve(aw.ToolCall("1", "f", text)), aw.InvalidCall)


KIMI = (
    '<|open|>call tool="f" index="0"<|sep|><|open|>argument key="path" type="string"<|sep|>a{}'
    "<|close|>argument<|sep|><|close|>call<|sep|>"
)
DSML = '<|DSML|invoke name="f"><|DSML|parameter name="path" string="true">a{}</|DSML|parameter></|DSML|invoke>'

SWALLOWED = [
    "<tool_call>f<arg_key>path</arg_key><arg_value>a</arg_value><arg_value>b</arg_value></tool_call>",
    "<tool_call>f<arg_key>path</arg_key><arg_value>a<arg_key>content</arg_key><arg_value>b</arg_value></tool_call>",
    "<tool_call>f<arg_key>path</arg_key><arg_value>a</arg_value>content</arg_key><arg_value>b</arg_value></tool_call>",
    "<tool_call>f<arg_key>path</arg_key><arg_value>a</arg_key><arg_value>b</arg_value></tool_call>",
    "<ifm|tool_call>f<ifm|arg_key>path</ifm|arg_key><ifm|arg_value>a<ifm|arg_value>b</ifm|arg_value></ifm|tool_call>",
    KIMI.format('<|close|><|open|>argument key="content" type="string"<|sep|>b'),
    KIMI.format('<|close|>argument<|sep|>argument key="content" type="string"<|sep|>b'),
    KIMI.format("<|sep|>b"),
    "<function=f><parameter=path>a</parameter>content>b</parameter></function>",
    "<function=f><parameter=path>a<parameter=content>b</parameter></function>",
    "<function=f><parameter=path>a</parameter></parameter></function>",
    '<invoke name="f"><parameter name="path">a</parameter>name="content">b</parameter></invoke>',
    '<invoke name="f"><parameter name="path">a<parameter name="content">b</parameter></invoke>',
    '<invoke name="f"><parameter name="path">a</invoke><invoke name="f"><parameter name="path">b</parameter></invoke>',
    DSML.format('</|DSML|parameter>content" string="true">b'),
    DSML.format('<|DSML|parameter name="content" string="true">b'),
    DSML.format('|DSML|parameter name="content" string="true">b'),
    DSML.replace("DSML", "GCML").format('<|GCML|parameter name="content" string="true">b'),
    '<steptml:invoke name="f"><steptml:parameter name="path">a<steptml:parameter >b</steptml:parameter></steptml:invoke>',
    '<function name="f"><param name="path">a</param>b</param></function>',
    '<function name="f"><param name="path">a<param name="content">b</param></function>',
    "<invoke><tool_name>f</tool_name><parameters><path>a<content>b</content></path></parameters></invoke>",
]


@pytest.mark.parametrize("text", SWALLOWED)
def test_a_value_that_holds_its_own_markup_is_no_value(text: str) -> None:
    call = only(text, FILES)
    assert call.finish_reason == "incomplete"
    assert isinstance(FILES.resolve(call), aw.InvalidCall)
    assert isinstance(FILES.resolve(aw.ToolCall("1", "f", text)), aw.InvalidCall)


def test_markup_in_character_data_is_text() -> None:
    text = '<function name="f"><param name="path"><![CDATA[a</param>b<param name="x">]]></param></function>'
    assert only(text, FILES).arguments == '{"path":"a</param>b<param name=\\"x\\">"}'


def test_markup_of_another_dialect_is_text() -> None:
    text = "<function=f><parameter=path>a</arg_value>😀\u2028<|sep|></parameter></function>"
    assert only(text, FILES).arguments == '{"path":"a</arg_value>😀\u2028<|sep|>"}'


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('<tool_call>{"name": "f", "path": "a"}</tool_call>', "several_values"),
        (
            '<tool_call>{"name": "f", "arguments": {"path": "a"}, "parameters": {"path": "b"}}</tool_call>',
            "several_values",
        ),
        ('<tool_call>{"name": "f", "arguments": {"path": "a"}, "content": "b"}</tool_call>', "several_values"),
        ('<tool_call>{"name": "f", "name": "g", "arguments": {"path": "a"}}</tool_call>', "duplicate_key"),
        ('{"name": "f", "name": "g", "arguments": {"path": "a"}}', "duplicate_key"),
        ("[f(path='a', **x)]", "not_json"),
        ("[f(path='a' + x)]", "not_json"),
        ("```tool_code\nf(path='a' + x)\n```", "not_json"),
        ("<|tool_call_start|>[f(path='a' + x)]<|tool_call_end|>", "not_json"),
    ],
)
def test_a_call_that_is_closed_is_not_called_cut(text: str, reason: str) -> None:
    call = only(text, FILES)
    outcome = FILES.resolve(call)
    assert isinstance(outcome, aw.InvalidCall)
    assert (call.finish_reason, outcome.kind, outcome.reason) == (None, "json_error", reason)


@pytest.mark.parametrize(
    ("head", "repeated", "tail"),
    [
        ("<function=f>", "<parameter=a>x</parameter>", "</function>"),
        ("<function=f><parameter=a>", "</function>", "x"),
        ("<function=f><parameter=a>", "\n<parameter=b>x", "</function>"),
        ("<tool_call>f", "<arg_key>a</arg_key><arg_value>x</arg_value>", "</tool_call>"),
        ("<function=f><parameter=a>", "</parameter>x", "</function>"),
    ],
)
def test_repeated_tags_take_time_in_proportion(head: str, repeated: str, tail: str) -> None:
    small, large = (head + repeated * count + tail for count in (500, 4000))
    times = growth(
        lambda: aw.read_text(small, tools=FILES), lambda: aw.read_text(large, tools=FILES), bound=24
    )  # eight times the text
    assert times < 24
