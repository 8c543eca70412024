from __future__ import annotations

import pytest

from argwright.branching import meant, summary, tags, unknown_tag
from argwright.shape import Shape


def objects(*members):
    return [Shape({"type": "object", "properties": member}) for member in members]


A, B = {"kind": {"const": "a"}, "mode": {"enum": [1, 2]}}, {"kind": {"const": "b"}, "mode": {"enum": [3, 4]}}


def test_constants_go_before_lists():
    shapes = objects(A, B)
    value = {"kind": "a", "mode": 3}
    assert tags(shapes, value) == {"kind": [("a",), ("b",)]}
    assert meant(tags(shapes, value), value) == [True, False]


def test_lists_are_tags_where_there_is_no_constant():
    value = {"mode": 3}
    assert meant(tags(objects(A, B), value), value) == [False, True]


def test_what_all_branches_say_alike_is_no_tag():
    same = {"lang": {"enum": ["en"]}}
    assert tags(objects(same, same), {"lang": "en"}) == {}


def test_a_branch_that_says_nothing_is_not_meant_for_that():
    value = {"kind": "a"}
    found = tags(objects({"kind": {"const": "a"}}, {"other": {}}), value)
    assert meant(found, value) == [True, False]
    other = {"kind": "z"}
    assert meant(tags(objects({"kind": {"const": "a"}}, {"other": {}}), other), other) == [False, False]


def test_true_is_not_one():
    value = {"v": True}
    assert meant(tags(objects({"v": {"const": 1}}, {"v": {"const": True}}), value), value) == [False, True]


def test_unknown_tag_needs_every_branch_to_declare_it():
    value = {"kind": "z"}
    assert unknown_tag(tags(objects(A, B), value), value) == ("kind", ["a", "b"])
    assert unknown_tag(tags(objects(A, {}), value), value) is None


SUMMARIES = [
    ({"type": "string"}, "string"),
    ({"type": ["null", "integer"]}, "integer or null"),
    ({"const": "a"}, "'a'"),
    ({"enum": ["a", "b"]}, "one of ['a', 'b']"),
    ({"type": "array"}, "array"),
    ({"type": "array", "items": {"type": "number"}}, "array of number"),
    ({"type": "object"}, "object"),
    ({"required": ["b", "a"], "properties": {"a": {}, "b": {"const": 1}}}, "object with a, b 1"),
    ({}, "any value"),
]


@pytest.mark.parametrize(("schema", "text"), SUMMARIES)
def test_summary(schema, text):
    assert summary(Shape(schema)) == text
