"""Prose, code and documentation about tool calls hold no call."""

from __future__ import annotations

import random

import pytest

import argwright as aw

CITY = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
BOX = aw.Toolbox([aw.Tool.from_schema("get_weather", CITY), aw.Tool.from_schema("run", {"type": "object"})])

NEGATIVES = [
    "Use get_weather to look it up.",
    "The function `get_weather(city)` takes one argument.",
    'Call `get_weather(city="Oslo")` and look at the result.',
    'I would write get_weather("Oslo") here, but I have no access.',
    "Wrap the call in `<tool_call>` and `</tool_call>`.",
    "Write <tool_call> and then JSON.",
    "The tag <tool_call> is Hermes' opener; `[TOOL_CALLS]` is Mistral's.",
    "A marker like <|python_tag|> is a special token.",
    'In XML: `<invoke name="get_weather"><parameter name="city">Oslo</parameter></invoke>`.',
    "`<function=get_weather><parameter=city>Oslo</parameter></function>` is Qwen's form.",
    '```python\nget_weather(city="Oslo")\n```',
    '```python\nprint(get_weather(city="上海"))\n```\nThis prints the weather.',
    '```xml\n<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}</tool_call>\n```',
    '```\n<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</tool_call>\n```\nis what a model sends.',
    '```json\n{"name": "get_weather", "version": "1.0.0", "scripts": {"test": "jest"}}\n```',
    '```json\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n```\nThat is how a call looks.',
    '```json\n{"name": "left-pad", "arguments": {}}\n```',
    "```yaml\nname: get_weather\narguments:\n  city: Oslo\n```",
    "```js\nconst call = {name: 'get_weather', arguments: {city: 'Oslo'}};\n```",
    '```bash\ncurl -d \'{"name": "get_weather", "arguments": {"city": "Oslo"}}\' localhost\n```',
    '> <tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}</tool_call>\n\nThe user pasted this.',
    '{"city": "Oslo", "temperature": 3}',
    "[1, 2, 3]",
    "[get_weather](https://example.com/docs)",
    "[see get_weather(city)]",
    "Thought: I know the answer.\nFinal Answer: It is cold.",
    "My action: none. Action items: call the team.",
    "Action: think about it.\nThen act.",
    'The tool said: `{"tool_calls": []}`.',
    "An empty list of `tool_calls` is rejected with 400.",
    'Schema: {"name": {"type": "string"}, "arguments": {"type": "object"}}',
    'A JSON-RPC body is {"method": "tools/call", "params": {"name": "get_weather"}}.',
    "使用 get_weather 工具可以查询天气。",
    "在 `<tool_call>` 标签里写 JSON。",
    '例如：`get_weather(city="上海")`，但不要现在调用。',
    "استخدم get_weather لمعرفة الطقس.",
    "Tags such as </tool_call> close a call.",
    "The text ended with <|im_end|>.",
    "Compare a < b and c > d.",
    "x = [run(i) for i in range(3)]",
    "function get_weather() { return 1; }",
    "def get_weather(city: str) -> str: ...",
    "| tool | arguments |\n|---|---|\n| get_weather | city |",
    "1. get_weather\n2. run",
    "<b>get_weather</b> is bold.",
    "<details><summary>get_weather</summary>docs</details>",
    "The DSL is `call:get_weather{city:Oslo}`.",
    '`<|tool_call|>[{"name": "get_weather"}]` is Granite\'s.',
    "The header to=get_weather is harmony's.",
    "Our API has /functions/get_weather and /tools/run.",
    "Deepseek writes `<｜tool▁calls▁begin｜>` first.",
    '`functools[{"name": "get_weather", "arguments": {"city": "Oslo"}}]`',
    "Please confirm: should I call get_weather for Oslo?",
    '```text\nAction: get_weather\nAction Input: {"city": "Oslo"}\n```\nshows ReAct.',
    'She said: "<tool_call> is a tag"\u2028and left 🚚.',
    'assert parse(r#"<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}</tool_call>"#).is_ok();',
    'x = f"<function=run>{args}</function>"  # Qwen',
    "{%- for call in calls %}\n{{- '<tool_call>' + call.json + '</tool_call>' }}\n{%- endfor %}",
    '<tools>\n{"type": "function", "function": {"name": "get_weather"}}\n</tools>',
    '<tool_response>\n{"name": "get_weather", "content": {"city": "Oslo"}}\n</tool_response>',
    '{"messages": [{"role": "assistant", "tool_calls": [{"function": {"name": "get_weather", "arguments": "{}"}}]}]}',
    '$ echo \'<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}</tool_call>\'',
    '&lt;tool_call&gt;{"name": "get_weather", "arguments": {"city": "Oslo"}}&lt;/tool_call&gt;',
    '+<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}</tool_call>\n-old line',
    'The record: {"name": "get_weather", "arguments": {"city": "Oslo"}} is stored.',
]


def read(text):
    return aw.read_text(text, tools=BOX)


@pytest.mark.parametrize("text", NEGATIVES)
def test_no_call_and_no_text_lost(text):
    turn = read(text)
    assert turn.calls == ()
    assert turn.text.strip() == text.strip()


@pytest.mark.parametrize("text", NEGATIVES)
def test_nor_when_it_arrives_in_pieces(text):
    dice = random.Random(len(text))
    for _ in range(4):
        scanner, shown, pos = aw.TextScanner(BOX), "", 0
        events = []
        while pos < len(text):
            step = dice.randint(1, 7)
            events += scanner.feed(text[pos : pos + step])
            pos += step
        events += scanner.close()
        shown = "".join(event.text for event in events if type(event).__name__ == "TextSafe")
        assert not [event for event in events if type(event).__name__ == "CallFound"]
        assert shown.strip() == text.strip()


def test_there_are_enough_of_them():
    assert len(set(NEGATIVES)) >= 50
