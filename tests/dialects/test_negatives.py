"""Texts about tool calls, and texts that only look like some: no call, and not a character changed."""

from __future__ import annotations

import pytest

from argwright.dialects import DIALECTS, read_text
from tests.dialects.reading import BOX, scan

CALL = '<tool_call>\n{"name": "book_table", "arguments": {"people": 5}}\n</tool_call>'
ABOUT_MARKERS = [
    "Write `<tool_call>` and then JSON.",
    "The model opens a <tool_call> tag, writes JSON and closes it with </tool_call>.",
    "In the chat template `<tool_call>` and `</tool_call>` are plain text, not tokens.",
    "Qwen wraps calls in <tool_call>…</tool_call> and results in <tool_response>…</tool_response>.",
    "Use <tool_call>{...}</tool_call> for each call.",
    'Calls look like <tool_call>{"name": ..., "arguments": ...}</tool_call>, one per tag.',
    'For each call return JSON within tags:\n<tool_call>\n{"name": <function-name>, "arguments": <args-json-object>}\n</tool_call>',
    "Kimi's section opens with <|tool_calls_section_begin|> and closes with <|tool_calls_section_end|>.",
    "DeepSeek writes <｜tool▁calls▁begin｜> before the first call.",
    "What does [TOOL_CALLS] mean? It is a control token of Mistral's tokenizer.",
    "The [TOOL_CALLS] token is followed by a name or by a list.",
    "ready<‖DSML‖tool_calls>bye",
    "Harmony has channels: <|channel|> names one, <|message|> opens the text.",
    "Do not print <|python_tag|> in answers.",
    "<tool_call> is the opening tag and </tool_call> the closing one.",
    "An empty pair of tags, <tool_call></tool_call>, is not a call.",
    "The tags are:\n<tool_call>\n</tool_call>\nand nothing else.",
    "Gemma 4 has `<|tool_call>call:NAME{…}<tool_call|>`; note that the tags differ.",
    "Seed uses <seed:tool_call> where Qwen uses <tool_call>.",
    'He typed "<tool_call>{\\"name\\": \\"list_ships\\", \\"arguments\\": {}}</tool_call>" into the box.',
    "GLM 模型用 `<tool_call>book_table<arg_key>people</arg_key><arg_value>5</arg_value></tool_call>` 来调用工具。",
    "\u200fהתג `<tool_call>` פותח קריאה, והתג `</tool_call>` סוגר אותה.",
    "The opener <function=NAME> names the tool; <parameter=KEY> follows.",
    "Use <think> tags for thoughts.",
    "The tag </think> ends the reasoning.",
]  # fmt: skip
TUTORIALS = [
    f"# Tool calls\n\nA call looks like this:\n\n```\n{CALL}\n```\n\nThe client parses it.",
    f"Hermes:\n\n```xml\n{CALL}\n```",
    f"Example:\n\n~~~text\n{CALL}\n~~~\n\nThat is all.",
    f'````markdown\n```json\n{{"name": "book_table", "arguments": {{}}}}\n```\n{CALL}\n````\nEnd.',
    'In one line: `<tool_call>{"name": "list_ships", "arguments": {}}</tool_call>`.',
    'In one line: ``<tool_call>{"name": "list_ships", "arguments": {}}</tool_call>`` with two ticks.',
    '> <tool_call>{"name": "list_ships", "arguments": {}}</tool_call>\n\nSo it was quoted.',
    "The user wrote:\n> Action: list_ships\n> Action Input: {}\nand nothing happened.",
    '<pre>\n<tool_call>{"name": "list_ships", "arguments": {}}</tool_call>\n</pre>\nis what it prints.',
    '<code><tool_call>{"name": "list_ships", "arguments": {}}</tool_call></code> in HTML',
    '<example>\n<tool_call>{"name": "list_ships", "arguments": {}}</tool_call>\n</example>\nfollows the system prompt.',
    '<!-- <tool_call>{"name": "list_ships", "arguments": {}}</tool_call> -->',
    'A call such as <tool_call>{"name": "list_ships", "arguments": {}}</tool_call> is parsed by the server.',
    'Then comes <tool_call>{"name": "my_tool", "arguments": {}}</tool_call>, which the client reads.',
    "```python\nprint('<tool_call>{\"name\": \"list_ships\", \"arguments\": {}}</tool_call>')\n```",
    "```python\nbook_table(people=5)\n```\nruns the tool.",
    '```json\n{"name": "book_table", "arguments": {"people": 5}}\n```\nThat is what a call looks like.',
    'First an example:\n```json\n{"name": "book_table", "arguments": {"people": 5}}\n```\nthen another:\n```json\n{"name": "list_ships"}\n```',
    "```tool_code\nbook_table(people=5)\n```\nis Gemma's form.",
    '```json\n{"name": "my_tool", "arguments": {"people": 5}}\n```',
    '```json\n[{"name": "book_table", "arguments": {}}, {"name": "my_tool", "arguments": {}}]\n```',
    '```json\n{"name": "book_table", "version": "1.0", "dependencies": {}}\n```',
    "```yaml\nname: book_table\narguments:\n  people: 5\n```",
    "1. Open the file.\n2. Insert:\n   ```\n   <function=book_table>\n   <parameter=people>\n   5\n   </parameter>\n   </function>\n   ```\n3. Save.",
    'This is the notation you asked about:\n```\ncall:book_table{place: <|"|>PLACE<|"|>}\n```',
    '```json\n{"content": null, "tool_calls": [\n  {"id',
    f"Here is an example:\n\n{CALL}\n\nThe server parses it.",
    f"For instance, a model may answer:\n{CALL}",
    f"例如：\n{CALL}\n就是这样。",
    f"Ein Beispiel: {CALL}",
    f"Indented, it is code:\n\n    {CALL}\n\nand not run.",
]  # fmt: skip
MARKUP = [
    '<?xml version="1.0"?>\n<project name="x"><target name="build"><exec executable="make"/></target></project>',
    '<config>\n  <parameter name="timeout">5</parameter>\n  <parameter name="retries">3</parameter>\n</config>',
    '<invoke name="refresh"><parameter name="force">true</parameter></invoke>',
    '<function name="onLoad"><param name="e">event</param></function>',
    "<tool>hammer</tool><tool_input>nail</tool_input>",
    '<div class="tool_call"><span>list_ships</span></div>',
    '<do what="book_table">\n  <with key="people">5</with>\n</do>',
    "<script>function book_table(people) { return people < 5 && people > 1; }</script>",
    "a < b and c > d, so <x, y> is a vector",
    '&lt;tool_call&gt;{"name": "list_ships", "arguments": {}}&lt;/tool_call&gt;',
    "<response>\nfine\n</response>",
    '<xsl:template match="book"><xsl:call-template name="book_table"/></xsl:template>',
    "<｜nothing｜> <|nothing|> [NOTHING] ]<]nothing[>[",
]  # fmt: skip
JSON_AND_CODE = [
    '{"name": "Harbour Cafe", "parameters": {"seats": 40}}',
    'The record: {"name": "book_table", "arguments": {"people": 5}}',
    '{"name": "book_table", "arguments": {"people": 5}}\n\nis the JSON you asked for.',
    '{"name": "book_table"}',
    '{"city": "Bath", "name": "book_table", "arguments": {}}',
    '[{"name": "Ana", "age": 4}, {"name": "Bo", "age": 5}]',
    "[1, 2, 3]",
    "[book_table](https://example.org/book_table) is documented here.",
    "[book_table(people=5)] was the call that failed.",
    "[other_tool(people=5)]",
    "book_table(people=5)",
    "book_table {people: 5}",
    "book_table\nis the tool for that.",
    'The function book_table(people) books; write {"people": 5} to call it.',
    ">>> book_table(people=5)\n'booked'",
    ">>> list_ships\n[]",
    "Action: buy milk\nAction Input: none needed",
    "Action: my_tool\nAction Input: {}",
    "Action items: list_ships and book_table",
    "Final Answer: 42",
    "Thought: I know this.\nFinal Answer: noon",
    "analysis of the data shows that commentary to=functions.x is rare",
    'commentary to=functions.my_tool json{"a": 1}',
    "to=book_table is a header, not a sentence.",
    '>> Look with {"shelf":"B"} then >> Count with {"shelf":"B"}',
    "functools[0] is not subscriptable; functools.cache is.",
    "call: book_table at 5",
    "all\u2028right, שלום, 好, 🛥️",
    "   leading blanks,\n\n\n\nmany lines and trailing blanks   \n\n",
    "",
    "\n",
]  # fmt: skip
EVERY = [*ABOUT_MARKERS, *TUTORIALS, *MARKUP, *JSON_AND_CODE]
each = pytest.mark.parametrize("text", EVERY, ids=range(len(EVERY)))


@each
def test_no_call_and_nothing_changed(text):
    turn = read_text(text, BOX)
    assert (turn.calls, turn.text, turn.reasoning) == ((), text, "")


@each
def test_by_characters(text):
    assert scan(text) == scan([text])


@each
def test_no_dialect_alone_sees_a_call(text):
    for dialect in sorted(DIALECTS):
        assert read_text(text, BOX, dialect=dialect).calls == (), dialect


def test_there_are_enough():
    assert len(EVERY) >= 90
