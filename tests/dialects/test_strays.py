"""Markup of calls that stands where no call is: taken out where it can be nothing else."""

from __future__ import annotations

import pytest

from tests.dialects.reading import scan, told

CALL = '<tool_call>{"name": "list_ships", "arguments": {}}</tool_call>'


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Bye.</｜DSML｜tool_calls>", "Bye."),
        ("</｜DSML｜tool_calls>", ""),
        ("Bye<|tool_calls_section_end|>", "Bye"),
        ("Bye.<|im_end|>", "Bye."),
        ("再见。<|tool_call_end|>\nMore.", "再见。\nMore."),
        ("Bye.<|close|>response<|sep|>", "Bye."),
        ("<think>Hm.</think>Bye.<|close|>think<|sep|>", "Bye."),
        ("Reasons. <|tool_calls_section_begin|><|tool_calls_section_end|>", "Reasons."),
        ("<|tool_call_start|>[]<|tool_call_end|>Nothing to do.", "Nothing to do."),
        ("<tool_calls>[]</tool_calls>", ""),
        ("[TOOL_CALLS] []", ""),
        ("<|message_model|><|content_text|>Hi.<|end_message|><|content_model_end_sampling|>", "Hi."),
    ],
)
def test_taken_out(text, shown):
    reading = scan([text])
    assert (reading.calls, reading.text) == ((), shown)
    assert scan(list(text)) == reading


@pytest.mark.parametrize(
    "text",
    [
        "A call ends with <|tool_call_end|>.",
        "The text ended with <|im_end|>",
        "See <|im_end|>\nfor more.",
        "`<|tool_calls_section_begin|><|tool_calls_section_end|>` is an empty section.",
        "The tokens <｜tool▁calls▁begin｜><｜tool▁calls▁end｜> wrap calls.",
        "<s>old</s>",
        "a </tool_call>",
    ],
)
def test_left(text):
    reading = scan([text])
    assert (reading.calls, reading.text) == ((), text)
    assert scan(list(text)) == reading


@pytest.mark.parametrize(
    ("text", "shown", "thought"),
    [
        ("I think.<channel|>So it is.", "So it is.", "I think."),
        ("I think.<|close|>think<|sep|><|open|>response<|sep|>So.<|close|>response<|sep|>", "So.", "I think."),
        ("I think.<|END_THINKING|>So.", "So.", "I think."),
        (f"So:\n{CALL}\n</think>\n\nNo.", "No.", f"So:\n{CALL}"),
        (f"For example:\n\n{CALL}{CALL}\n</think>No.", "No.", f"For example:\n\n{CALL}{CALL}"),
        (f"Ich schriebe: {CALL}\n[/THINK]Nein.", "Nein.", f"Ich schriebe: {CALL}"),
        (f"我会写：\n{CALL}\n<|END_THINKING|>\n不。", "不。", f"我会写：\n{CALL}"),
        (f"So.\n{CALL}<|close|>think<|sep|>No.", "No.", f"So.\n{CALL}"),
        (f"So:\n{CALL}\n<|close|> think <|sep|>\nNo.", "No.", f"So:\n{CALL}"),
        ("The `<channel|>` token. And <channel|> too.", "The `<channel|>` token. And <channel|> too.", ""),
    ],
)
def test_reasoning_that_the_prompt_opened(text, shown, thought):
    reading = scan([text])
    assert (reading.text, reading.reasoning) == (shown, thought)
    assert scan(list(text)) == reading


@pytest.mark.parametrize(
    "behind", ["</tool_calls>", "<|tool_sep|>", "\n</function>\n", "<|im_end|>", "<|tool_response>"]
)
def test_behind_a_call(behind):
    reading = scan([CALL + behind])
    assert (told(reading), reading.text) == ([{"name": "list_ships", "arguments": {}}], "")
