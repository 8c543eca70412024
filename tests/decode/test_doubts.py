"""Texts with more than one reading, though one of them looks whole: each is refused."""

from __future__ import annotations

import pytest

from argwright.decode import Decoded, decode
from argwright.shape import Shape

S, I = {"type": "string"}, {"type": "integer"}  # noqa: E741  # as short as the schemas they stand in
FILE = {
    "type": "object",
    "properties": {"content": S, "path": S},
    "required": ["content"],
    "additionalProperties": False,
}
IDS = {
    "type": "object",
    "properties": {
        "ids": {"type": "array", "items": {"type": ["integer", "string"]}},
        "flag": {"type": "boolean"},
        "name": S,
    },
    "required": ["ids"],
}
CALL = {"type": "object", "properties": {"q": S, "n": I, "dir": S, "x": {}}}
POINT = {
    "type": "object",
    "properties": {"point": {"type": "object", "properties": {"x": I, "y": I}, "required": ["x"]}, "label": S},
    "required": ["point"],
}

REFUSED = [
    # what stands behind the object may belong into it
    (IDS, "{ids: [1, 20]}, flag: true}"),
    (IDS, "{“ids”: [1, 20]}, “flag”: true}"),
    (IDS, '{"ids": [1, 20]}；"flag"：true}'),
    (IDS, '{"ids": [1, 20]}, \\"flag\\": true}'),
    (IDS, "{'ids': [1, 20}, 'flag': true}"),
    (IDS, '{"ids": [1, 20]} flag: true'),
    (IDS, '{"ids": [1, 20]}, "fla'),
    (IDS, '{"ids": [1, 2}0, 3]}'),
    (CALL, '{"q": "上海"}\nn: 5'),
    (CALL, 'n=5 {"q": "上海"}'),
    (CALL, '{"q": "a"}<parameter name="n">5</parameter>'),
    # another call stands beside the first
    (CALL, "f(q='a')\nf(q='b')"),
    (CALL, "f(q='a'); g(z='b')"),
    (CALL, "[f(q='a')] [f(q='b')]"),
    (CALL, "f(q='a') if x else f(q='b')"),
    (CALL, '{"q": "a"} g(z="b")'),
    # a backslash before the closing quote
    (CALL, '{"dir": "C:\\", "n": 1}'),
    (CALL, '{"dir": "C:\\dir\\", "n": 1}'),
    (CALL, "{'dir': 'C:\\dir\\', 'n': 1}"),
    # brackets of which two kinds may be meant
    (IDS, '{"ids": {1, "2"], "name": "x"}'),
    (IDS, '{"ids": [1, 20, 30)0]}'),
    (CALL, '{"x": ("e")}'),
    (CALL, '{"x": (1)}'),
    (POINT, '{"point": {"x": 1, "y": 2], "label": "p"}}'),
    (POINT, '{"point": {"x": 1, "y": 2, "label": "p"}\n```'),
    # quotes
    (FILE, '{"content": """"b" say""", "path": "z"}'),
    (FILE, '{"content": """say "b"""", "path": "z"}'),
    (FILE, '{"path": "z", "content": "say "}"}'),
    (FILE, '{"path": "z", "content": ""}"}'),
    (FILE, '{"path": "z", "content": "a"}}"}'),
    (CALL, '{"q"："x"，"dir"："y"："z"}'),
    (CALL, '{"q" => "x", "dir" => "y" => "z"}'),
    (CALL, "{“q”：“x”，“dir”：“y”：“z”}"),
    (CALL, "{“q”: “htt” + “ps://x”}"),
    (CALL, '{"q": "htt" . "ps"}'),
    (CALL, '{"q"","n":1}'),
    (CALL, '{"q":","n":1}'),
    (CALL, '{"q": "a" + b}'),
    (CALL, '{"q": "\\x41"}'),
    (IDS, '{"ids": ["chick, "mushrooms"]}'),
]


@pytest.mark.parametrize(("schema", "text"), REFUSED)
def test_two_readings_are_refused(schema, text):
    result = decode(text, shape=Shape(schema), tool="f")
    assert not isinstance(result, Decoded), result
    assert result.reason in {"ambiguous", "several_values"}


@pytest.mark.parametrize(("schema", "text"), REFUSED)
def test_they_are_refused_without_a_schema_or_stay_what_they_are(schema, text):
    result = decode(text)
    if isinstance(result, Decoded):  # only a schema shows the doubt: the value keeps every character of its strings
        assert result.repairs


CUT = [
    ({"properties": {"l": {"type": "array", "items": S}}}, '{"l": "x"'),
    ({"properties": {"a": S, "b": S}}, "{'a': 'x', 'b': 'it'"),
    ({"properties": {"a": S}}, '{"a": "She said "'),
    ({"properties": {"a": S}}, '{"a": "fetch("'),
]


@pytest.mark.parametrize(("schema", "text"), CUT)
def test_a_brace_is_not_added_where_the_text_may_go_on(schema, text):
    assert decode(text, shape=Shape(schema)).reason == "truncated"


READ = [
    (FILE, '{“content”: “rm -rf "/tmp/x\\n/y" --dry-run”}', {"content": 'rm -rf "/tmp/x\n/y" --dry-run'}),
    (FILE, '{"content": """\'a\'""", "path": "z"}', {"content": "'a'", "path": "z"}),
    (FILE, '{"path": "z", "content": "ab"}"}', {"path": "z", "content": "ab"}),
    (IDS, '{"ids": {1, 2}}', {"ids": [1, 2]}),
    (CALL, '{"x": {True, None, 1.5}}', {"x": [True, None, 1.5]}),
    (CALL, '{"x": (1,)}', {"x": [1]}),
    (IDS, '{"ids": [1, 20]}, "flag": true}', {"ids": [1, 20], "flag": True}),
    (CALL, "f(q='上海') Done.", {"q": "上海"}),
]


@pytest.mark.parametrize(("schema", "text", "value"), READ)
def test_what_leaves_no_doubt_is_read(schema, text, value):
    result = decode(text, shape=Shape(schema), tool="f")
    assert isinstance(result, Decoded), result
    assert result.value == value


CARD = {"type": "object", "properties": {"card": {"type": "object"}, "user": S, "tries": I}}
BEGINNING_LOST = [
    'card": {"number": "4111"}, "tries": 0, "user": "U"}',
    'ard": {"user": "V"}',
    'ard": {"user": "V"}}',
    "ard': {'user': 'V'}}",
    ': {"user": "V"}}',
    ', {"user": "V"}',
    '"a", "card": {"user": "V"}}',
    'er": "名", "card": {"user": "V"}, "tries": 0}',
    '5, "card": {"user": "V"}}',
    '{"number": "4111"}, "tries": 0, "user": "U"}',
]


@pytest.mark.parametrize("text", BEGINNING_LOST)
def test_the_inside_of_a_lost_object_is_not_the_arguments(text):
    assert decode(text, shape=Shape(CARD)).reason == "ambiguous"


BESIDE = [
    ('Here is "search": {"user": "V"}', {"user": "V"}),
    ('The 5" pipe: {"user": "V"}', {"user": "V"}),
    ('It\'s done: {"user": "V"}', {"user": "V"}),
    ('{"tries": 0}, "user": "名"}', {"tries": 0, "user": "名"}),
]


@pytest.mark.parametrize(("text", "value"), BESIDE)
def test_a_sentence_before_the_object_is_no_part_of_one(text, value):
    assert decode(text, shape=Shape(CARD)).value == value
