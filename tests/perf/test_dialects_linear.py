"""Reading four times the text takes about four times the time: openers, half markers, nested tags, broken bodies."""

from __future__ import annotations

import pytest

from argwright.dialects import read_text
from argwright.dialects.openers import LITERALS, TAGS
from tests.dialects.reading import BOX
from tests.growth import growth

OPENERS = [head if head[-1] in ">=" else f'{head}name="book_table">' for head in TAGS]
SIGNS = [lead + sign for sign in LITERALS for lead in ("", "\n")]
UNITS = [
    "<", "<a", "`", "` ", "```\n", "```json\n{", "~~~\n", "\n", "a\n", " ", "<tool_cal", "<｜", "<|", "> ", "**", "Act", "functools",
    "<tool_call>{", '<tool_call>{"', '<tool_call>{"a": "', '<tool_call>{"a": "</tool_call>', "<tool_call>[,", '<tool_call>["a"',
    '<tool_call>{"name": "book_table", "arguments": {"place": "x</tool_call>', '<tool_call>{"name":"list_ships","arguments":{}}}}',
    "<tool_calls><tool_call>", '<function_calls><invoke name="f">', "<tool_call>book_table<arg_key>place</arg_key><arg_value>",
    "<function=book_table><parameter=place>", "<function=book_table><parameter=place>x</parameter>y", "\n<parameter=place>",
    '<invoke name="book_table"><parameter name="place">', '<｜DSML｜invoke name="book_table">', "</parameter>", "</tool_call>",
    "<|tool_calls_section_begin|><|tool_call_begin|>", "<｜tool▁call▁begin｜>function<｜tool▁sep｜>book_table", "[TOOL_CALLS][",
    '[TOOL_CALLS]book_table[ARGS]{"a":"', "<|channel|>analysis", "<|start|>assistant<|channel|>final<|message|>x",
    "assistantcommentary to=functions.book_table json{", "<think>", "<think></think>", "</think>", '<think><tool_call>{"a', "]<]minimax[>[",
    ']<]minimax[>[<invoke name="book_table">', "]<]minimax[>[<place>", '<|tool_call>call:book_table{place:<|"|>', "call:book_table{a:",
    "[book_table(", '[book_table(place="', "book_table(people=1)\n", "\nAction: book_table\n", "\nAction: book_table\nAction Input: x",
    "\nAction:\n{", '{"name":"book_table","arguments":', "[{", "[", "{", '{"', '"', "'", "\\", "<code>", "<pre>\n", ">>>book_table\n",
    "<![book_table>{", '<|open|>call tool="book_table"<|sep|>', "<tool>book_table</tool><tool_input>", "<![CDATA[", "see <tool_call>{} x ",
    '<function name="save_note"><param name="text"><![CDATA[', "<ifm|tool_call>book_table<ifm|arg_key>", "<|plamo:begin_tool_request:plamo|>",
    'Here:\n<tool_call>{"name":"list_ships","arguments":{}}</tool_call>\nx\n', "For example:\n<function=book_table><parameter=place>",
    'For example:\n<tool_call>{"name":"list_ships","arguments":{}}</tool_call>\n', '"<tool_call>{"name": "book_table"', "# <tool_call>book_table<arg_key>a</arg_key>",
    '- <invoke name="book_table"></invoke>\n', "例：[TOOL_CALLS]book_table[ARGS]{", "<|close|>think<|sep|>", "a<|tool_call_end|>\n", "<tool_call:x>book_table",
]  # fmt: skip
SIZE = 6_000


@pytest.mark.parametrize("lead", ["", "Hi.\n"], ids=["first", "later"])
@pytest.mark.parametrize("unit", dict.fromkeys([*OPENERS, *SIGNS, *UNITS]))
def test_linear(lead, unit):
    once, more = (lead + unit * (size // len(unit)) for size in (SIZE, 4 * SIZE))
    # a quadratic reader gives 16
    assert growth(lambda: read_text(once, BOX), lambda: read_text(more, BOX), bound=9, floor=0.002) < 9
