"""One call of each dialect: read whole, by its own markers and forced by name, and as the text arrives."""

from __future__ import annotations

import json
import random

import pytest

import argwright as aw

BOOK = {
    "type": "object",
    "properties": {
        "title": {"type": "string"},
        "year": {"type": "integer"},
        "tags": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["title"],
    "additionalProperties": False,
}
BOX = aw.Toolbox(
    [aw.Tool.from_schema("find_book", BOOK), aw.Tool.from_schema("list_shelves", {"type": "object", "properties": {}})]
)
ONE = {"title": "红楼梦", "year": 1791}

TEXTS = [
    ("hermes", '<tool_call>\n{"name": "find_book", "arguments": {"title": "红楼梦", "year": 1791}}\n</tool_call>'),
    ("mistral", '[TOOL_CALLS] [{"name": "find_book", "arguments": {"title": "红楼梦", "year": 1791}}]'),
    ("mistral 11", '[TOOL_CALLS]find_book[ARGS]{"title": "红楼梦", "year": 1791}'),
    ("llama 3", '<|python_tag|>{"name": "find_book", "parameters": {"title": "红楼梦", "year": 1791}}'),
    ("pythonic", "[find_book(title='红楼梦', year=1791)]"),
    ("llama 4", '<|python_start|>[find_book(title="红楼梦", year=1791)]<|python_end|>'),
    ("qwen3 coder", "<tool_call>\n<function=find_book>\n<parameter=title>\n红楼梦\n</parameter>\n<parameter=year>\n1791\n</parameter>\n</function>\n</tool_call>"),
    ("glm", "<tool_call>find_book\n<arg_key>title</arg_key>\n<arg_value>红楼梦</arg_value>\n<arg_key>year</arg_key>\n<arg_value>1791</arg_value>\n</tool_call>"),
    ("claude", '<function_calls>\n<invoke name="find_book">\n<parameter name="title">红楼梦</parameter>\n<parameter name="year">1791</parameter>\n</invoke>\n</function_calls>'),
    ("minimax m2", '<minimax:tool_call>\n<invoke name="find_book">\n<parameter name="title">红楼梦</parameter>\n<parameter name="year">1791</parameter>\n</invoke>\n</minimax:tool_call>'),
    ("deepseek dsml", '<｜DSML｜function_calls>\n<｜DSML｜invoke name="find_book">\n<｜DSML｜parameter name="title" string="true">红楼梦</｜DSML｜parameter>\n<｜DSML｜parameter name="year" string="false">1791</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>'),
    ("deepseek v3", '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>find_book\n```json\n{"title": "红楼梦", "year": 1791}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>'),
    ("deepseek v3.1", '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>find_book<｜tool▁sep｜>{"title": "红楼梦", "year": 1791}<｜tool▁call▁end｜><｜tool▁calls▁end｜>'),
    ("kimi k2", '<|tool_calls_section_begin|><|tool_call_begin|>functions.find_book:0<|tool_call_argument_begin|>{"title": "红楼梦", "year": 1791}<|tool_call_end|><|tool_calls_section_end|>'),
    ("kimi k3", '<|open|>tools<|sep|><|open|>call tool="find_book" index="1"<|sep|><|open|>argument key="title" type="string"<|sep|>红楼梦<|close|>argument<|sep|><|open|>argument key="year" type="number"<|sep|>1791<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>'),
    ("harmony", '<|channel|>commentary to=functions.find_book <|constrain|>json<|message|>{"title": "红楼梦", "year": 1791}<|call|>'),
    ("gemma 4", '<|tool_call>call:find_book{title:<|"|>红楼梦<|"|>,year:1791}<tool_call|>'),
    ("function gemma", "<start_function_call>call:find_book{title:<escape>红楼梦<escape>,year:1791}<end_function_call>"),
    ("tool code", '```tool_code\nprint(default_api.find_book(title="红楼梦", year=1791))\n```'),
    ("phi 4", 'functools[{"name": "find_book", "arguments": {"title": "红楼梦", "year": 1791}}]'),
    ("granite 3.1", '<tool_call>[{"name": "find_book", "arguments": {"title": "红楼梦", "year": 1791}}]'),
    ("hunyuan", '<tool_calls>[{"name": "find_book", "arguments": {"title": "红楼梦", "year": 1791}}]</tool_calls>'),
    ("internlm", '<|action_start|><|plugin|>{"name": "find_book", "parameters": {"title": "红楼梦", "year": 1791}}<|action_end|>'),
    ("function tag", '<function=find_book>{"title": "红楼梦", "year": 1791}</function>'),
    ("step 3", '<｜tool_calls_begin｜>\n<｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="find_book">\n<steptml:parameter name="title">红楼梦</steptml:parameter>\n<steptml:parameter name="year">1791</steptml:parameter>\n</steptml:invoke><｜tool_call_end｜>\n<｜tool_calls_end｜>'),
    ("minicpm", '<function name="find_book"><param name="title"><![CDATA[红楼梦]]></param><param name="year">1791</param></function>'),
    ("react", 'Thought: 查一下\nAction: find_book\nAction Input: {"title": "红楼梦", "year": 1791}'),
    ("react, structured", 'Thought: look\nAction:\n```json\n{"action": "find_book", "action_input": {"title": "红楼梦", "year": 1791}}\n```'),
    ("openai json", '{"tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "find_book", "arguments": "{\\"title\\": \\"红楼梦\\", \\"year\\": 1791}"}}]}'),
    ("json fence", '```json\n{"name": "find_book", "parameters": {"title": "红楼梦", "year": 1791}}\n```'),
    ("lfm2", '<|tool_call_start|>[find_book(title="红楼梦", year=1791)]<|tool_call_end|>'),
    ("olmo 3", "<function_calls>find_book(title='红楼梦', year=1791)</function_calls>"),
]  # fmt: skip


def resolved(turn):
    return [
        (o.tool.name, o.arguments) if isinstance(o, aw.ValidCall) else (o.kind, o.reason)
        for o in BOX.resolve_turn(turn)
    ]


@pytest.mark.parametrize("text", [text for _, text in TEXTS], ids=[name for name, _ in TEXTS])
def test_one_call(text):
    turn = aw.read_text(text, tools=BOX)
    assert resolved(turn) == [("find_book", ONE)]
    assert all(call.origin.startswith("text:") for call in turn.calls)
    assert "find_book" not in turn.text


@pytest.mark.parametrize("text", [text for _, text in TEXTS], ids=[name for name, _ in TEXTS])
def test_the_same_however_the_text_is_cut_into_pieces(text):
    whole = aw.read_text("前 " + text, tools=BOX)
    for seed in range(5):
        dice, scanner, events, pos, sent = random.Random(seed), aw.TextScanner(BOX), [], 0, "前 " + text
        while pos < len(sent):
            step = dice.randint(1, 5) if seed else 1
            events += scanner.feed(sent[pos : pos + step])
            pos += step
        events += scanner.close()
        calls = tuple(event.call for event in events if type(event).__name__ == "CallFound")
        assert [(c.name, c.arguments, c.origin, c.finish_reason) for c in calls] == [
            (c.name, c.arguments, c.origin, c.finish_reason) for c in whole.calls
        ]


@pytest.mark.parametrize("text", [text for _, text in TEXTS], ids=[name for name, _ in TEXTS])
def test_a_cut_call_never_runs_with_another_value(text):
    for end in range(1, len(text)):
        for outcome in BOX.resolve_turn(aw.read_text(text[:end], tools=BOX)):
            if isinstance(outcome, aw.ValidCall):
                assert outcome.arguments == ONE


def test_a_string_stays_a_string_and_a_number_is_typed_by_the_schema():
    text = "<function=find_book><parameter=title>1984</parameter><parameter=year>1949</parameter></function>"
    assert resolved(aw.read_text(text, tools=BOX)) == [("find_book", {"title": "1984", "year": 1949})]


def test_closing_tags_inside_json_strings_are_text():
    value = {"title": "use </tool_call> and }{ to close\u2028"}
    text = "<tool_call>" + json.dumps({"name": "find_book", "arguments": value}) + "</tool_call> done"
    turn = aw.read_text(text, tools=BOX)
    assert resolved(turn) == [("find_book", value)]
    assert turn.text.strip() == "done"


def test_several_calls_keep_their_order_and_the_text_between():
    text = 'A\n<tool_call>{"name": "list_shelves", "arguments": {}}</tool_call>\nB\n<tool_call>{"name": "find_book", "arguments": {"title": "x"}}</tool_call>\nC'
    turn = aw.read_text(text, tools=BOX)
    assert resolved(turn) == [("list_shelves", {}), ("find_book", {"title": "x"})]
    assert turn.text.split() == ["A", "B", "C"]


def test_an_undeclared_name_behind_a_strong_sign_is_reported():
    turn = aw.read_text('<tool_call>{"name": "burn_book", "arguments": {}}</tool_call>', tools=BOX)
    assert resolved(turn) == [("unknown_tool", "unknown")]


def test_reasoning_is_not_looked_at_unless_asked():
    text = '<think>maybe <tool_call>{"name": "list_shelves", "arguments": {}}</tool_call></think>No.'
    turn = aw.read_text(text, tools=BOX)
    assert turn.calls == ()
    assert turn.text.strip() == "No."


def test_an_unknown_dialect_is_the_programmers_error():
    with pytest.raises(aw.UnknownFormatError):
        aw.read_text("x", tools=BOX, dialect="klingon")
