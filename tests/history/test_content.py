from __future__ import annotations

import pytest

from argwright.history.content import (
    clean,
    is_json,
    is_nothing,
    strict_object,
    tells_error,
    tolerant_object,
    with_error,
    without_lone_surrogates,
)

OBJECTS = [
    ('{"a": 1}', {"a": 1}),
    (' {"城市": "奥斯陆\u2028"} ', {"城市": "奥斯陆\u2028"}),
    ('{"n": 12345678901234567890}', {"n": 12345678901234567890}),
    ({"a": [None, True]}, {"a": [None, True]}),
]
NONE = ["", "{", "[1]", '"{}"', "null", '{"a": NaN}', '{"a": Infinity}', "{'a': 1}", '{"a": "\n"}', None, 3, [], b"{}",
        {1: 2}, {"a": float("nan")}, {"a": {1, 2}}, {"a": b""}, "[" * 100_000]  # fmt: skip


@pytest.mark.parametrize(("raw", "value"), OBJECTS)
def test_strict_objects(raw, value):
    assert strict_object(raw) == value


@pytest.mark.parametrize("raw", NONE)
def test_what_is_no_object(raw):
    assert strict_object(raw) is None


def test_json_data_has_a_depth():
    deep = {}
    for _ in range(5000):
        deep = {"a": deep}
    assert not is_json(deep)


MEANT = [
    ('```json\n{"a": 1}\n```', {"a": 1}),
    ("{'a': True,}", {"a": True}),
    ('"{\\"a\\": 1}"', {"a": 1}),
    (b'{"a": 1}', {"a": 1}),
    ('{"a": "x', None),
    ('{"a": 1}{"a": 2}', None),
    ("", None),
    (7, None),
]


@pytest.mark.parametrize(("raw", "value"), MEANT)
def test_arguments_with_one_reading(raw, value):
    assert tolerant_object(raw) == value


def test_nothing():
    assert [is_nothing(raw) for raw in (None, "", " ", "null", "None", "{}", 0, [])] == [True] * 5 + [False] * 3


def test_an_error_stands_in_front_of_a_result_once():
    assert with_error("sunny", "bad") == '{"error":"bad","result":"sunny"}'
    assert with_error("", "bad") == '{"error":"bad"}'
    assert with_error("ok", {"error": "x", "kind": "json_error"}) == '{"error":"x","kind":"json_error","result":"ok"}'
    for told in ('{"error": "no"}', "Error: no", "error"):
        assert tells_error(told)
        assert with_error(told, "bad") == told
    assert not tells_error("no error")


def test_lone_surrogates_everywhere_and_pairs_kept():
    first, second = "\ud800", "\udc00"
    value = {"a/b": ["x\ud83d", "\ud83d\ude00", "ok"], first: 1, second: 2, "n": 3}
    made, places = without_lone_surrogates(value, "/0")
    assert made == {"a/b": ["x\ufffd", "\U0001f600", "ok"], "\ufffd": 1, "\ufffd2": 2, "n": 3}
    assert places == ("/0/a~1b/0", "/0/a~1b/1", "/0", "/0")
    assert clean("\ud83d\ude00") == "😀"
