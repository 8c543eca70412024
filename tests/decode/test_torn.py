"""Texts that look whole though a piece of them is out of its place, and their neighbours that have one reading."""

from __future__ import annotations

import pytest

from argwright.decode import Decoded, Undecodable, decode
from argwright.shape import Shape

S = {"type": "string"}
LIST = {"type": "array", "items": S}
SHAPE = Shape({
    "type": "object",
    "properties": {
        "城市": S,
        "q": S,
        "n": {"type": "integer"},
        "tags": LIST,
        "rows": {"type": "array", "items": {"type": "array", "items": {"type": "number"}}},
        "cursor": {"type": ["string", "null"]},
        "set": {"type": "object"},
        "on": {"type": "boolean"},
        "u": S,
    },
})  # fmt: skip

REFUSED = [
    # what looks like a comment is the rest of a text with a quote in it
    ('```json\n{"城市": "上海", "q":""# 标题\\n正文。", "on": true}\n```', "ambiguous", "a comment, or the rest"),
    ('```\n{"q": "see "// here", "n": 1}\n```', "ambiguous", "a comment, or the rest"),
    ("{'q': ''# it', 'n': 1\n}", "ambiguous", "a comment, or the rest"),
    # items whose quotes have moved
    ('{"tags": ["a", "b "c, "日本"], "on": true}', "ambiguous", "the next item"),
    ('{"tags": ["a"[ "b c", "日本"]}', "ambiguous", "the next item"),
    ('{"tags": ["Tromsø"0, "Bodø"]}', "ambiguous", "the next item"),
    # a bracket is missing, or it is inside the text before
    ('{"tags": ["a", "日本]", "on": true}', "ambiguous", "inside the last text"),
    ('{"tags": ["[\\"a\\", \\"b\\"]", "on": true}', "ambiguous", "inside the last text"),
    ('{"tags": "[\\"a\\"]"], "on": true}', "ambiguous", "the text of one"),
    ('{"tags": [}', "ambiguous", "nothing stands in"),
    ('{"rows": [[1, 2.5], -3, 0]], "q": "m"}', "ambiguous", "a list of lists"),
    ('{"rows": [[1, 2.5], ]-3, 0]]}', "not_json", "a comma or a closing bracket"),
    ('{"rows": [[1, 2.5], [-3, ]0], "q": "m"}', "ambiguous", "more than a comma"),
    ("[[1, 2], ]-3, 0]]", "ambiguous", "may belong into it"),
    ("[[1, 2.5], -3, 0]]", "ambiguous", "brackets are mixed up"),
    ("""{'q': 'x', 'n': 1, 'on': True, 'cursor': None, '城市': '', 'rows': [], 'tags': [], 'set': {'k': {'a', 'b'}}""", "truncated", ""),
    # the object was closed too early, and its last member is not declared here
    ('{"q": "x", "set": {"state": "paid"}, "note": "ok"}}', "ambiguous", "the object closed before it"),
    # keys
    ('{"城\\d市": "x", "q": "y"}', "ambiguous", "a key that is not declared"),
    ('{"q": "x", "o\nf": true}', "ambiguous", "a key that is not declared"),
    ('{"q":<|"|>x<|"|>",on":false}', "ambiguous", "what follows is torn"),
    ('"{n":5,"cursor":null}', "ambiguous", ""),
    ('```json\n{"q": "x", "set": {"a": 1,} "note": ""}}\n```', "ambiguous", "the object closed before it"),
    # the object of one field, or the arguments
    ('set = {"q": "x"}', "ambiguous", "the object of a declared field"),
    ('Hier: "set": {"q": "x"}', "ambiguous", "the object of a declared field"),
    ('<城市>{"q": "x"}</城市>', "ambiguous", "the object of a declared field"),
    ('<q>{"q": "x"}</q>', "ambiguous", "a tag with the name of a declared field"),
    ('<|open|>argument key="q"<|sep|>```json\n{"q": "x"}\n```', "not_json", "a call in a text dialect"),
    # a code that lost a digit, among others
    ('"{\\"城市\\": \\"\\u6807\\u98n\\u6b63\\"}"', "ambiguous", "a code that is broken"),
    ('{"城市": "\\u4e0\\u6d77"}', "ambiguous", "a code that is broken"),
    # words
    ('{"n": 5, "cursor": ull}', "not_json", "no JSON value"),
    ('{"n": 5, "cursor": nulnull}', "not_json", "no JSON value"),
    ("{'n': 5, 'cursor': oNne}", "not_json", "no JSON value"),
    ('{"n": 5, "cursor":: null,}', "not_json", "no JSON value"),
    ('{"n": 5, "cursor": nul}l}', "not_json", "no JSON value"),
    ('{"n": 5, "q": abc}d}', "ambiguous", "may belong into it"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "reason", "message"), REFUSED, ids=[text for text, _, _ in REFUSED])
def test_what_is_out_of_place_is_refused(text, reason, message):
    got = decode(text, shape=SHAPE)
    assert isinstance(got, Undecodable), got
    assert (got.reason, message in got.message) == (reason, True), got


READ = [
    ('{"q": "x", // "n": 2\n "on": true}', {"q": "x", "on": True}, ["comment"]),
    ("{'q': 'x', # the user's wish\n 'on': True}", {"q": "x", "on": True}, ["single-quotes", "comment", "python-literal"]),
    ('{"tags": ["say "hi" \u2028 now", "日本"]}', {"tags": ['say "hi" \u2028 now', "日本"]}, ["inner-quote"]),
    ('{"城市": "他说"你好"了", "n": 1}', {"城市": '他说"你好"了', "n": 1}, ["inner-quote"]),
    ("{“tags”: [“a” “b c”, “日本”]}", {"tags": ["a", "b c", "日本"]}, ["smart-quotes", "smart-quotes", "missing-comma"]),
    ("{„城市“: „x“, „n“: 1}", {"城市": "x", "n": 1}, ["smart-quotes"]),
    ("{«q»: «x y», «n»: 1}", {"q": "x y", "n": 1}, ["smart-quotes"]),
    ("{「城市」：「東京」，「n」：1}", {"城市": "東京", "n": 1}, ["smart-quotes", "punctuation"]),
    ("{‘q’: ‘x’}", {"q": "x"}, ["smart-quotes"]),
    ('{tags: ["a", "b", on: true}', {"tags": ["a", "b"], "on": True}, ["bare-key", "missing-closer"]),
    ('{rows: [[1, 2.5], [-3, 0], q: "m"}', {"rows": [[1, 2.5], [-3, 0]], "q": "m"}, ["bare-key", "missing-closer"]),
    ('{,"q": "x", "n": 1}', {"q": "x", "n": 1}, ["extra-comma"]),
    ('{"q": ull, "cursor": nonessential}', {"q": "ull", "cursor": "nonessential"}, ["bare-value", "bare-value"]),
    ('{"城市": "[\\u4e00-\\u9fa5]\\d"}', {"城市": "[\\u4e00-\\u9fa5]\\d"}, ["literal-backslash"]),
    ('{"q": "C:\\users\\x"}', {"q": "C:\\users\\x"}, ["literal-backslash"]),
    ('q: {"q": "x"}', {"q": "x"}, ["prose"]),
    ('<args>{"q": "x"}</args>', {"q": "x"}, ["special-token"]),
    ('{u": "é", "n": 1}', {"u": "é", "n": 1}, ["missing-quote"]),
    ("{u'q': u'é'}", {"q": "é"}, ["python-literal", "single-quotes"]),
    ('{"q": "x"}\n}\n```', {"q": "x"}, ["extra-closer", "fence"]),
    ('{"n": 9007199254740993.}', {"n": 9007199254740993}, ["number-form"]),
    ('"\\u57ce\\u5e02":"C:\\\\a","n":3}', {"城市": "C:\\a", "n": 3}, ["missing-opener"]),
    ('"Tags": [{"k": 1}], "on": true}', {"Tags": [{"k": 1}], "on": True}, ["missing-opener"]),
    ('{"q": "x", "set": {"state": "paid"}, "on": true}}', {"q": "x", "set": {"state": "paid"}, "on": True},
     ["extra-closer"]),
    ('{"城\n市": "x", "q": "y"}', {"城\n市": "x", "q": "y"}, ["raw-control"]),
    ('{"set": {"\\d+": "x"}}', {"set": {"\\d+": "x"}}, ["literal-backslash"]),
    ('<THINK>{"q": "y"}</THINK>{"q": "x"}', {"q": "x"}, ["reasoning"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "value", "rules"), READ, ids=[text for text, _, _ in READ])
def test_what_is_in_its_place_is_read(text, value, rules):
    got = decode(text, shape=SHAPE)
    assert isinstance(got, Decoded), got
    assert got.value == value
    assert [repair.rule for repair in got.repairs] == rules
    assert type(got.value.get("n", 1)) is int


def test_the_text_of_a_list_is_whole_before_a_missing_brace():
    shape = Shape({"type": "object", "properties": {"ids": LIST}})
    got = decode('{"ids": "[\\"甲\\"]"', shape=shape)
    assert isinstance(got, Decoded)
    assert got.value == {"ids": '["甲"]'}
    cut = decode('{"ids": "甲"', shape=shape)
    assert isinstance(cut, Undecodable)
    assert cut.reason == "truncated"


@pytest.mark.parametrize(
    ("text", "reason"), [("#", "not_json"), ('{"q": 1 #', "truncated"), ('{"q": 1 //', "truncated")]
)
def test_a_comment_may_be_its_sign_alone(text, reason):
    got = decode(text, shape=SHAPE)
    assert isinstance(got, Undecodable)
    assert got.reason == reason


@pytest.mark.parametrize("text", ["\ufeff", "\u200b \n"])
def test_invisible_characters_alone_are_nothing(text):
    got = decode(text)
    assert isinstance(got, Undecodable)
    assert got.reason == "empty"
