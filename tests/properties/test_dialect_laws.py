"""Laws of the text dialects: any cut gives the same answer, nothing raises, text without a call is not changed."""

from __future__ import annotations

import json
import re
from pathlib import Path

from hypothesis import example, given
from hypothesis import strategies as st

import argwright as aw
from tests.dialects.reading import BOX, scan, told

FILE = Path(__file__).parents[1] / "dialects" / "cases" / "calls.jsonl"
TEXTS = [json.loads(line)["text"] for line in FILE.read_text(encoding="utf-8").split("\n") if line]
FRAGMENTS = sorted(
    {piece for text in TEXTS for piece in re.findall(r"<[^<>\n]{1,40}>|\[[A-Z_]+\]|```\w*\n|[{}\[\]\"':,()`]|\n", text)}
    | {
        "<think>",
        "</think>",
        "\\",
        "Action: ",
        "all\n",
        "analysisX",
        "assistantfinal",
        "> ",
        "list_ships",
        "\u2028",
        "🛥",
    }
)
soups = st.lists(st.sampled_from(FRAGMENTS) | st.text(max_size=4), max_size=30).map("".join)


@st.composite
def damaged(draw):
    """A golden text in which something was left out, put in or repeated."""
    text = draw(st.sampled_from(TEXTS))
    start, end = sorted((draw(st.integers(0, len(text))), draw(st.integers(0, len(text)))))
    middle = draw(st.sampled_from(FRAGMENTS) | st.sampled_from(TEXTS))
    return draw(
        st.sampled_from([text[:start] + text[end:], text[:start] + middle + text[start:], text[:end] + text[start:]])
    )


@st.composite
def cut(draw, texts):
    """A text, and the pieces in which it arrives."""
    text = draw(texts)
    marks = sorted(draw(st.lists(st.integers(0, len(text)), max_size=12)))
    return text, [text[a:b] for a, b in zip([0, *marks], [*marks, len(text)], strict=True)]


THOUGHT = "<|START_THINKING|>I need both.<|END_THINKING|>No."


@given(cut(damaged() | soups), st.booleans())
@example((THOUGHT, [THOUGHT]), True)
@example(("</>>>book_table\n{", ["</>>>book_table\n{"]), False)
def test_any_cut_gives_the_same_answer(sample, reasoning):
    text, pieces = sample
    assert scan(pieces, reasoning=reasoning) == scan([text], reasoning=reasoning) == scan(text, reasoning=reasoning)


@given(damaged() | soups | st.text())
def test_every_call_ends_in_an_outcome_and_text_alone_stays(text):
    reading = scan([text])
    told(reading)
    assert all(call.origin.startswith("text:") for call in reading.calls)
    if not reading.calls and not reading.reasoning and reading.text != text:
        # markup of a reply without a call: channels, wrappers of answers, a recipient
        assert len(reading.text) < len(text)


words = st.text(st.characters(exclude_characters="<>[]{}`~\\:="), max_size=60)


@given(words)
def test_words_are_never_changed(text):
    reading = scan([text])
    assert (reading.calls, reading.text) == ((), text) or text.startswith(("all\n", "analysis"))


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=6,
)


@given(
    st.text(max_size=40),
    st.lists(st.text(max_size=8), max_size=3),
    st.sampled_from(["hermes", "mistral_v11", "harmony"]),
)
def test_what_json_says_comes_back(text, tags, dialect):
    arguments = {"query": text, "tags": tags}
    body = json.dumps(arguments, ensure_ascii=False)
    written = {
        "hermes": f'<tool_call>\n{{"name": "search_archive", "arguments": {body}}}\n</tool_call>',
        "mistral_v11": f"[TOOL_CALLS]search_archive[ARGS]{body}",
        "harmony": f"<|channel|>commentary to=functions.search_archive<|constrain|>json<|message|>{body}<|call|>",
    }[dialect]
    (call,) = scan(written).calls
    assert (call.arguments, call.origin) == (body, f"text:{dialect}")


plain = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="<]\r"), min_size=1, max_size=40)


@given(plain)
def test_a_string_stays_a_string_in_tags(text):
    for written in (
        f"<tool_call>\n<function=save_note>\n<parameter=text>\n{text}\n</parameter>\n</function>\n</tool_call>",
        f"<tool_call>save_note<arg_key>text</arg_key><arg_value>{text}</arg_value></tool_call>",
        f'<function_calls>\n<invoke name="save_note">\n<parameter name="text">{text}</parameter>\n</invoke>\n</function_calls>',
    ):
        (call,) = scan([written]).calls
        outcome = BOX.resolve(call)
        assert isinstance(outcome, aw.ValidCall)
        assert outcome.arguments == {"text": text}
