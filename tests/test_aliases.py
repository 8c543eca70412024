from __future__ import annotations

import pytest

from argwright.aliases import field_aliases, marked_secret, value_aliases
from argwright.errors import DeclarationError
from argwright.shape import Shape

SCHEMA = {
    "type": "object",
    "properties": {
        "query": {"type": "string"},
        "unit": {"$ref": "#/$defs/unit"},
        "items": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"sku": {"type": "string"}, "unit": {"enum": ["kg", "g"]}, "a/b": {}},
            },
        },
        "tags": {"type": "array", "items": {"enum": ["new", "old"]}},
        "map": {"type": "object", "additionalProperties": {"type": "object", "properties": {"v": {}}}},
        "n": {"type": ["integer", "null"]},
        "商品": {"type": "string"},
    },
    "$defs": {"unit": {"enum": ["celsius", "fahrenheit"]}},
}

KEPT = [
    ({"q": "query"}, {"q": "query"}),
    ({"/q": "query"}, {"q": "query"}),
    ({"q": "/query"}, {"q": "query"}),
    ({"q": "query", "text": "query"}, {"q": "query", "text": "query"}),
    ({"产品": "商品"}, {"产品": "商品"}),
    ({"/items/*/article": "sku"}, {"/items/*/article": "sku"}),
    ({"/items/article": "sku"}, {"/items/*/article": "sku"}),
    ({"/items/0/article": "sku"}, {"/items/0/article": "sku"}),
    ({"/items/article": "/items/*/sku"}, {"/items/*/article": "sku"}),
    ({"/items/c~1d": "a/b"}, {"/items/*/c~1d": "a/b"}),
    ({"/map/*/value": "v"}, {"/map/*/value": "v"}),
    ({}, {}),
]


@pytest.mark.parametrize(("written", "kept"), KEPT)
def test_the_form_that_is_kept(written, kept):
    assert field_aliases("t", Shape(SCHEMA), written) == kept


@pytest.mark.parametrize("place", ["/lines/*/no", "/lines/no"])
def test_a_list_that_may_be_null_is_a_list(place):
    line = {"type": "object", "properties": {"number": {"type": "string"}, "kind": {"enum": ["a", "b"]}}}
    lines = {"anyOf": [{"type": "array", "items": line}, {"type": "null"}], "default": None}
    schema = {"type": "object", "properties": {"lines": lines}}
    assert field_aliases("t", Shape(schema), {place: "number"}) == {"/lines/*/no": "number"}
    assert value_aliases("t", schema, {"/lines/kind": {"甲": "a"}}) == {"/lines/*/kind": {"甲": "a"}}


NAMES = "declared are ['query', 'unit', 'items', 'tags', 'map', 'n', '商品']"
REFUSED = [
    ({"query": "unit"}, "alias 'query': 'query' is itself a declared field"),
    ({"/items/sku": "unit"}, "alias '/items/sku': 'sku' is itself a declared field"),
    ({"q": "qery"}, f"alias 'q': its target 'qery' is not declared; {NAMES}, did you mean 'query'?"),
    ({"q": "r", "r": "query"}, "alias 'q' leads to 'r', which is an alias itself"),
    ({"q": "r", "r": "q"}, "alias 'q' leads to 'r', which is an alias itself"),
    ({"q": "q"}, "alias 'q' leads to 'q', which is an alias itself"),
    ({"q": "query", "/q": "unit"}, "alias '/q' leads to two fields: 'query' and 'unit'"),
    ({"/orders/*/x": "sku"}, f"alias '/orders/*/x': 'orders' is not declared; {NAMES}"),
    (
        {"/items/*/x": "/query"},
        "alias '/items/*/x': the target '/query' stands in another object, and nothing is moved",
    ),
    ({"": "query"}, "alias '': the name is empty"),
    ({"q": ""}, "alias 'q': its target is no field name: ''"),
    ({"q": 5}, "alias 'q': its target is no field name: 5"),
]


@pytest.mark.parametrize(("written", "text"), REFUSED)
def test_a_wrong_alias_is_the_programmers_error(written, text):
    with pytest.raises(DeclarationError) as error:
        field_aliases("t", Shape(SCHEMA), written)
    assert str(error.value) == f"tool 't': {text}"


VALUES_KEPT = [
    ({"unit": {"C": "celsius"}}, {"unit": {"C": "celsius"}}),
    ({"/unit": {"C": "celsius"}}, {"unit": {"C": "celsius"}}),
    ({"tags": {"brand-new": "new"}}, {"/tags/*": {"brand-new": "new"}}),
    ({"/items/unit": {"kilo": "kg"}}, {"/items/*/unit": {"kilo": "kg"}}),
    ({"query": {"": "all"}}, {"query": {"": "all"}}),
    ({"n": {"none": None, "one": 1}}, {"n": {"none": None, "one": 1}}),
]


@pytest.mark.parametrize(("written", "kept"), VALUES_KEPT)
def test_value_aliases_are_kept_by_place(written, kept):
    assert value_aliases("t", SCHEMA, written) == kept


VALUES_REFUSED = [
    ({"unit": {"celsius": "fahrenheit"}}, "value alias of 'unit': 'celsius' is itself a declared value"),
    ({"unit": {"C": "kelvin"}}, "value alias of 'unit': 'kelvin' is not one of ['celsius', 'fahrenheit']"),
    ({"query": {"none": None}}, "value alias of 'query': null is of type null, expected string"),
    ({"no": {"a": "b"}}, f"value alias of 'no': 'no' is not declared; {NAMES}"),
]


@pytest.mark.parametrize(("written", "text"), VALUES_REFUSED)
def test_a_wrong_value_alias_is_the_programmers_error(written, text):
    with pytest.raises(DeclarationError) as error:
        value_aliases("t", SCHEMA, written)
    assert str(error.value) == f"tool 't': {text}"


def test_members_that_the_schema_marks_as_secret():
    schema = {
        "properties": {
            "token": {"type": "string", "format": "password"},
            "maybe": {"anyOf": [{"type": "string", "format": "password"}, {"type": "null"}]},
            "open": {"type": "string"},
            "deep": {"items": {"properties": {"pin": {"format": "password"}}}},
        }
    }
    assert set(marked_secret(schema)) == {"token", "maybe", "pin"}
