from __future__ import annotations

from argwright.wire.declaring.words import LONGEST, describe, says_nothing, worth_saying


def test_what_is_said_stands_behind_the_description():
    assert describe("城市", [("minLength", 1), ("pattern", "^[A-Z]")]) == '城市 (minLength: 1, pattern: "^[A-Z]")'
    assert describe(None, [("enum", ["é", None])]) == '(enum: ["é",null])'
    assert describe("as it is", []) == "as it is"
    assert describe("", []) is None
    assert describe(7, []) is None


def test_what_holds_anyway_says_nothing():
    assert says_nothing("additionalProperties", True)
    assert says_nothing("required", [])
    assert not says_nothing("additionalProperties", False)
    assert not says_nothing("uniqueItems", True)
    assert not says_nothing("minLength", False)


def test_annotations_extensions_and_long_values_are_not_worth_saying():
    assert worth_saying("not", {"const": 1})
    assert not worth_saying("title", "X")
    assert not worth_saying("x-order", 1)
    assert not worth_saying("pattern", "a" * LONGEST)
