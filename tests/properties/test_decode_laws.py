"""Laws that hold for every text."""

from __future__ import annotations

import json
import math

from hypothesis import example, given
from hypothesis import strategies as st

from argwright.decode import Decoded, Undecodable, decode
from argwright.policy import Policy
from argwright.shape import ANY, Shape

SCHEMA = {
    "type": "object",
    "properties": {
        "text": {"type": "string"},
        "tags": {"type": "array", "items": {"type": "string"}},
        "n": {"type": "integer"},
        "inner": {"type": "object", "properties": {"x": {"type": "string"}}, "required": ["x"]},
    },
    "required": ["text"],
    "additionalProperties": False,
}
SHAPES = st.sampled_from([ANY, Shape(SCHEMA)])
WORDS = """
    { } [ ] ( ) " ' “ ” ` ``` json \\n \\ \\" \\u d83d : , = ; ： ， // /* # text "text": "n" True undefined 1 . e5 <|"|>
    </tool_call> <think> assistantfinal &quot; … f( {} 中文 😀 שלום +
"""
PIECES = st.sampled_from([*WORDS.split(), "\n", " ", "\x00", "\ufeff", "\u2028", "\ud800"])
TEXTS = st.lists(PIECES, max_size=30).map("".join) | st.text(max_size=60)
STRINGS = st.text(max_size=12) | st.sampled_from(
    ["", "a, b", 'say "x"', "C:\\dir", "line\nline", "上海：，", "שלום", "🚚\u2028", "}{", "</x>", "None"]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | STRINGS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(STRINGS, inner, max_size=4),
    max_leaves=12,
)
CALLS = st.fixed_dictionaries(
    {"text": STRINGS},
    optional={
        "tags": st.lists(STRINGS, max_size=3),
        "n": st.integers(),
        "inner": st.fixed_dictionaries({"x": STRINGS}),
    },
)


@given(TEXTS, SHAPES, st.sampled_from([Policy.STRICT, Policy.EXACT, Policy.STANDARD, Policy.LENIENT]), st.booleans())
@example('{"text": "x" "', Shape(SCHEMA), Policy.STANDARD, False)
@example('<|"|>\ud800', ANY, Policy.LENIENT, False)
def test_any_text_gives_a_value_or_a_reason(text, shape, policy, ended):
    result = decode(text, shape=shape, policy=policy, ended=ended)
    assert isinstance(result, (Decoded, Undecodable))
    if isinstance(result, Decoded):
        json.dumps(result.value, ensure_ascii=False).encode()  # no half surrogate hides in it
        for repair in result.repairs:
            assert repair.span is not None
            assert 0 <= repair.span[0] <= repair.span[1] <= len(text)


@given(VALUES, st.booleans(), st.sampled_from([None, 2]))
def test_what_rfc_8259_allows_comes_back_as_json_reads_it(value, ascii_only, indent):
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    result = decode(text)
    assert isinstance(result, Decoded)
    if not result.repairs:
        assert json.dumps(result.value) == json.dumps(json.loads(text))
    else:
        assert {r.rule for r in result.repairs} <= {"lone-surrogate"}


@given(TEXTS, SHAPES)
def test_a_mended_text_needs_no_second_mending(text, shape):
    result = decode(text, shape=shape)
    if isinstance(result, Decoded):
        again = decode(json.dumps(result.value, ensure_ascii=False), shape=shape)
        assert again == Decoded(value=result.value)


def damaged(call, ascii_only):
    text = json.dumps(call, ensure_ascii=ascii_only)
    yield text
    yield "```json\n" + text + "\n```"
    yield text[:-1] + ",}"
    yield repr(call)
    yield json.dumps(text)
    yield "Here: " + text + " Done."
    yield text.replace("\\n", "\n")
    yield text + text


@given(CALLS, st.booleans(), st.data())
def test_a_cut_never_gives_another_value(call, ascii_only, data):
    shape = Shape(SCHEMA)
    for text in damaged(call, ascii_only):
        whole = decode(text, shape=shape)
        if not isinstance(whole, Decoded) or not text:
            continue
        cut = decode(text[: data.draw(st.integers(0, len(text) - 1))], shape=shape)
        if isinstance(cut, Decoded) and isinstance(cut.value, dict) and "text" in cut.value:
            assert cut.value == whole.value


@given(CALLS)
def test_damage_outside_the_strings_leaves_them_alone(call):
    shape = Shape(SCHEMA)
    text = json.dumps(call, ensure_ascii=False)
    for damage in (
        text[:-1] + ",}",
        "```\n" + text + "\n```",
        text + "}",
        repr(call),
        "Sure: " + text,
        text + "<|im_end|>",
    ):
        result = decode(damage, shape=shape)
        assert isinstance(result, Decoded), (damage, result)
        assert result.value == call


@given(st.floats())
def test_numbers_are_finite(number):
    result = decode('{"n": ' + repr(number) + ",}")
    assert isinstance(result, Decoded) is math.isfinite(number)
