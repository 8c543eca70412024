from __future__ import annotations

import pytest

from argwright.decode import Decoded, Undecodable, decode
from argwright.policy import Limits, Policy
from argwright.shape import Shape

CITY = Shape({"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]})


def test_bytes_are_utf_8():
    assert decode('{"city": "上海"}'.encode()) == Decoded(value={"city": "上海"})


def test_bytes_that_are_not_utf_8_are_a_guess():
    assert decode('{"city": "上海"}'.encode("gbk")).reason == "not_json"
    result = decode(b'{"city": "\xff"}', policy=Policy.LENIENT)
    assert result.value == {"city": "\ufffd"}
    assert [(r.rule, r.span) for r in result.repairs] == [("invalid-utf8", (10, 11))]


@pytest.mark.parametrize("text", ["[" * 600 + "]" * 600, '{"a":' * 600 + "1" + "}" * 600, '{"a": ' + "[" * 100_000])
def test_too_deep(text):
    assert decode(text).reason == "too_deep"


def test_depth_is_counted_and_not_brackets():
    assert decode('{"a": ' + "[[1]," * 400 + "[1]" + "]" * 400 + "}", limits=Limits(max_depth=402)).value
    many = '{"a": [' + ",".join(["[1]"] * 2_000) + "]}"
    assert isinstance(decode(many, limits=Limits(max_depth=3)), Decoded)
    assert decode(many[:-1] + ",}", limits=Limits(max_depth=3)).value == decode(many).value
    assert decode(many[:-1] + ",}", limits=Limits(max_depth=2)).reason == "too_deep"


def test_too_long():
    assert decode("{}" + " " * 10, limits=Limits(max_chars=11)) == Undecodable(
        reason="too_long", position=11, message="12 characters, at most 11"
    )
    assert decode('{"a": ' + "1" * 5_000 + "}").reason == "too_long"


@pytest.mark.parametrize(("quotes", "reason"), [(200, None), (201, "too_many_repairs")])
def test_choices_are_limited(quotes, reason):
    text = '{"city": "' + 'x "y' * quotes + ' z"}'
    assert getattr(decode(text, shape=CITY), "reason", None) == reason


def test_uniform_notation_is_not_limited():
    strings = [f"s{number}" for number in range(2_000)]
    result = decode(repr({"list": strings}))
    assert result.value == {"list": strings}
    assert sorted((r.rule, r.count) for r in result.repairs) == [("single-quotes", 1), ("single-quotes", 2_000)]
    result = decode('{"city": "' + "line\n" * 3_000 + '"}')
    assert result.value == {"city": "line\n" * 3_000}
    assert [(r.rule, r.count) for r in result.repairs] == [("raw-control", 3_000)]


def test_many_bare_keys_are_one_repair_over_the_whole_span():
    text = "{" + ", ".join(f"k{number}: {number}" for number in range(110)) + "}"
    (repair,) = decode(text).repairs
    assert (repair.rule, repair.count, repair.pointer, repair.before) == ("bare-key", 110, "", "k0")
    assert text[slice(*repair.span)].startswith("k0")
    assert text[slice(*repair.span)].endswith("k109")


def test_a_refusal_names_place_field_and_readings():
    result = decode('{"a": {"city": "Oslo", "city": "Rom"}}')
    assert (result.reason, result.position, result.pointer) == ("duplicate_key", 22, "/a/city")
    assert result.readings == ({"city": "Oslo"}, {"city": "Rom"})
    result = decode('{"city": "x"}{"city": "y"}')
    assert (result.reason, result.position, result.readings) == ("several_values", 13, ({"city": "x"}, {"city": "y"}))
    assert decode('{"a": [1, {"b": "x').pointer == "/a/1/b"


def test_lenient_closes_a_cut_text_where_it_broke():
    result = decode('{"a": [1, {"b": "x\\u00', policy=Policy.LENIENT)
    assert result.value == {"a": [1, {"b": "x"}]}
    assert {r.rule for r in result.repairs} == {"cut-closed"}
    assert decode('{"a": 1, "b": tr', policy=Policy.LENIENT).value == {"a": 1}
    assert decode('{"a": 1, "b', policy=Policy.LENIENT).value == {"a": 1}
    assert decode('{"a": [', policy=Policy.LENIENT).value == {"a": []}


def test_what_json_allows_and_is_damage_all_the_same():
    assert decode('{"a": 1, "a": 2}').reason == "duplicate_key"
    assert decode('{"a": NaN}').reason == "not_json"
    assert decode('{"a": 1e999}').reason == "not_json"
    assert decode('{"\\ud83d": 1}').value == {"\ufffd": 1}
    assert decode('{"a": "\ud83d\ude00"}').value == {"a": "😀"}


def test_the_record_is_bounded_and_counts_everything():
    text = "[" + "{a: 1}," * 5_000 + "]"
    repairs = decode(text).repairs
    assert len(repairs) <= 1_002
    assert sum(repair.count for repair in repairs if repair.rule == "bare-key") == 5_000
    assert repairs[-1].pointer == ""


HALVES = [
    ('{"a\ud83d": 1,}', {"a\ufffd": 1}, "", (2, 4)),
    ("{'a\ud83d': 1}", {"a\ufffd": 1}, "", (2, 4)),
    ('{"a\ud83d": [1, 2], "b": 1}', {"a\ufffd": [1, 2], "b": 1}, "", (2, 4)),
    ('{"a": 1, "b\\ud83d": 2,}', {"a": 1, "b\ufffd": 2}, "", (10, 17)),
    ("{a: Oslo \ud83d, b: 1}", {"a": "Oslo \ufffd", "b": 1}, "/a", (4, 10)),
    ('{"a": Möwen am \ud83dKai"}', {"a": "Möwen am \ufffdKai"}, "/a", (6, 19)),
    ('{"a": <|"|>\ud83d 上海<|"|>}', {"a": "\ufffd 上海"}, "/a", (11, 15)),
    ('<|"|>\ude00', "\ufffd", "", (5, 6)),
    ('{"a": `\ud83d`}', {"a": "\ufffd"}, "/a", (7, 8)),
    ("{&quot;a&quot;: &quot;&#92;ud83d&quot;}", {"a": "\ufffd"}, "/a", (0, 39)),
    ('{\\"a\\": \\"\\u005cud83d\\"}', {"a": "\ufffd"}, "/a", (0, 24)),
]


@pytest.mark.parametrize(("text", "value", "pointer", "span"), HALVES, ids=[ascii(row[0]) for row in HALVES])
def test_half_a_pair_of_surrogates_is_replaced_wherever_it_stands(text, value, pointer, span):
    result = decode(text, shape=Shape({"properties": {"a": {}, "b": {}}}), policy=Policy.LENIENT)
    assert result.value == value
    (repair,) = [repair for repair in result.repairs if repair.rule == "lone-surrogate"]
    assert (repair.pointer, repair.span, repair.count) == (pointer, span, 1)


def test_a_whole_pair_of_surrogates_is_one_character_wherever_it_stands():
    for pair in ("\ud83d\ude00", "😀"):
        for text in ('{"a😀": "😀",}', "{a😀: 1}", '{"a": <|"|>😀<|"|>}', "{a: x 😀, b: 1}"):
            whole, halves = decode(text), decode(text.replace("😀", pair))
            assert getattr(halves, "value", None) == getattr(whole, "value", None)


IN_KEYS = [
    ('{"a": {"x": 1, "b\n": 2}}', "/a"),
    ('{"a": {"x": 1, "b\\é": 2}}', "/a"),
    ('{"a": {"x": 1, "b', "/a"),
    ('{"a": {"x": 1, ?: 2}}', "/a"),
    ('{"a": {"x": 1, "b" ? 2}}', "/a/b"),
    ('{"a": {"x": 1, "b": ?}}', "/a/b"),
]


@pytest.mark.parametrize(("text", "pointer"), IN_KEYS, ids=[row[0] for row in IN_KEYS])
def test_what_happens_in_a_key_happens_in_the_object(text, pointer):
    result = decode(text)
    assert (result.repairs[0].pointer if isinstance(result, Decoded) else result.pointer) == pointer
