"""Which calls are meant: whole readings of texts in which one stands somewhere."""

from __future__ import annotations

import pytest

from tests.dialects.reading import scan, told

HERMES = '<tool_call>\n{"name": "book_table", "arguments": {"place": "Café 九"}}\n</tool_call>'
LINE = '<tool_call>{"name": "book_table", "arguments": {"place": "Café 九"}}</tool_call>'
QWEN = "<tool_call>\n<function=book_table>\n<parameter=place>\nCafé 九\n</parameter>\n</function>\n</tool_call>"
INVOKE = '<function_calls>\n<invoke name="book_table">\n<parameter name="place">Café 九</parameter>\n</invoke>\n</function_calls>'
DSML = '<｜DSML｜tool_calls>\n<｜DSML｜invoke name="book_table">\n<｜DSML｜parameter name="place" string="true">Café 九</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>'  # fmt: skip
DEEPSEEK = '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>book_table<｜tool▁sep｜>{"place": "Café 九"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>'
MISTRAL = '[TOOL_CALLS]book_table[ARGS]{"place": "Café 九"}'
CALL = {"name": "book_table", "arguments": {"place": "Café 九"}}
FORMS = [HERMES, LINE, QWEN, INVOKE, DSML, DEEPSEEK, MISTRAL]

SHOWN = [
    "For example:\n\n{}", "例如：\n\n{}\n\n以上。", "It looks like this:\n{}\nand so on.", "As an example, {}", "e.g. {}", "**Example**\n\n{}", "### Example 2\n\n{}",
    "<summary>Example</summary>\n\n{}\n", "The model printed:\n{}", "You wrote:\n{}\nand it failed.", "Do not send this:\n{}", '"{}"', "“{}”", "你写了「{}」，失败了。",
    '"""\n{}\n"""', "text = '''\n{}\n'''", "content: |\n  {}", "# {}", "// {}", "/* {} */", "| hermes | {} |", "\\{}", "    code\n\n    {}",
]  # fmt: skip
GOES_ON = [
    "The call:\n{}\nThat is all there is to it.", "Here is the raw text:\n{}\nIs it what was meant?", "- {}\n- the next point", "1. The first step is {}\n2. the second",
    "Assistant: {}\nTool: booked", "# A tutorial\n\nThis is a call.\n\n{}\n\nAs you see, it is short.", "该格式为：{}，然后结束。", "在这种格式中，{} 表示一次调用。", "+{}\n context",
]  # fmt: skip
MEANT = [
    "{}", "Sure.\n{}", "Sure:\n{}", "Let me see:\n{}\nI will be back.", "I'll book it: {}", "我来订：\n{}\n请稍等。", "Done.{}Bye.", "Done{}Bye", "好🌟{}\n再见", "A plan:\n- look\n- book\n\n{}",
    "# Plan\n\n{}", "I have no example, let me look for one:\n{}", "Don't worry, let me call them:\n{}", "<think>For example:</think>\n{}", "Right away:\n{}\n</answer>",
]  # fmt: skip


@pytest.mark.parametrize("call", FORMS)
@pytest.mark.parametrize("text", [*SHOWN, *GOES_ON])
def test_shown(text, call):
    shown = text.format(call)
    for pieces in ([shown], list(shown)):
        reading = scan(pieces)
        assert reading.calls == ()
        assert reading.text == shown


@pytest.mark.parametrize("call", FORMS)
@pytest.mark.parametrize("text", MEANT)
def test_meant(text, call):
    reading = scan([text.format(call)])
    assert told(reading) == [CALL]
    assert scan(list(text.format(call))) == reading
    assert "book_table" not in reading.text


@pytest.mark.parametrize("call", FORMS)
def test_what_follows_a_shown_call_is_shown_as_well(call):
    assert scan([f"For example:\n{call}\n{call}\n{HERMES}"]).calls == ()


@pytest.mark.parametrize("call", FORMS)
def test_a_call_behind_the_explanation_is_meant(call):
    reading = scan([f"For example:\n{LINE}\n\nSo much for that.\n\n{call}"])
    assert told(reading) == [CALL]
    assert reading.text == f"For example:\n{LINE}\n\nSo much for that."


@pytest.mark.parametrize("call", FORMS)
def test_introduced_calls_count_together(call):
    assert told(scan([f"Here:\n{call}\n{HERMES}\n"])) == [CALL, CALL]
    assert scan([f"Here:\n{call}\n{HERMES}\nis what was sent."]).calls == ()


@pytest.mark.parametrize(
    "text",
    [
        'commentary to=functions.book_table json{"place": "九"} is what leaks.',
        "call:book_table{place:1} is a notation.",
        '```json\n{"name": "book_table", "description": "d", "parameters": {"type": "object", "properties": {}}}\n```',
    ],
)
def test_weak_signs(text):
    reading = scan([text])
    assert (reading.calls, reading.text) == ((), text)
