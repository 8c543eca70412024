"""Each violation at its leaf: what a schema and a value give, whole."""

from __future__ import annotations

import pytest

from argwright.schema import compile_schema

D4 = "http://json-schema.org/draft-04/schema#"
D6 = "http://json-schema.org/draft-06/schema#"
D7 = "http://json-schema.org/draft-07/schema#"
D19 = "https://json-schema.org/draft/2019-09/schema"


def issues(schema, value, sensitive=()):
    found = compile_schema(schema, where="t", sensitive=sensitive).issues(value)
    return [(i.pointer, i.keyword, i.message, i.expected, i.found) for i in found]


SINGLE = [
    # type
    ({"type": "integer"}, "5", ("", "type", "expected integer, found string '5'", "integer", "5")),
    ({"type": ["string", "null"]}, 5, ("", "type", "expected string or null, found integer 5", ["string", "null"], 5)),
    ({"type": ["string"]}, 5, ("", "type", "expected string, found integer 5", "string", 5)),
    ({"type": "integer"}, True, ("", "type", "expected integer, found boolean true", "integer", True)),
    ({"type": "string"}, None, ("", "type", "expected string, found null", "string", None)),
    ({"type": "object"}, [1], ("", "type", "expected object, found array of 1 item", "object", "array of 1 item")),
    ({"$schema": D4, "type": "integer"}, 1.0, ("", "type", "expected integer, found number 1.0", "integer", 1.0)),
    # enum and const
    (
        {"enum": ["celsius", "fahrenheit"]},
        "celcius",
        ("", "enum", "'celcius' is not one of ['celsius', 'fahrenheit'] (did you mean 'celsius'?)", ["celsius", "fahrenheit"], "celcius"),
    ),
    ({"enum": [1, None, "温度"]}, 2, ("", "enum", "2 is not one of [1, null, '温度']", [1, None, "温度"], 2)),
    ({"enum": [2**64 + 1]}, 2**64, ("", "enum", f"{2**64} is not one of [{2**64 + 1}]", [2**64 + 1], 2**64)),
    ({"const": "a"}, "b", ("", "const", "'b' is not 'a'", "a", "b")),
    # required and friends
    ({"required": ["location"]}, {}, ("/location", "required", "missing", None, None)),
    (
        {"required": ["a/b"], "properties": {"a/b": {"type": "array", "items": {"type": "string"}}}},
        {},
        ("/a~1b", "required", "missing, expected array of string", "array", None),
    ),
    (
        {"required": ["unit"], "properties": {"unit": {"enum": ["px", "pt"]}}},
        {},
        ("/unit", "required", "missing, expected one of ['px', 'pt']", ["px", "pt"], None),
    ),
    ({"dependentRequired": {"a": ["b"]}}, {"a": 1}, ("/b", "required", "missing", None, None)),
    ({"$schema": D7, "dependencies": {"a": ["b"]}}, {"a": 1}, ("/b", "required", "missing", None, None)),
    ({"dependentSchemas": {"a": {"required": ["b"]}}}, {"a": 1}, ("/b", "required", "missing", None, None)),
    ({"$schema": D19, "dependentSchemas": {"a": {"properties": {"b": {"type": "null"}}}}}, {"a": 1, "b": 2}, ("/b", "type", "expected null, found integer 2", "null", 2)),
    # undeclared
    (
        {"properties": {"query": {}, "limit": {}}, "additionalProperties": False},
        {"qurey": 1},
        ("/qurey", "additionalProperties", "'qurey' is not a declared field (did you mean 'query'?)", ["query", "limit"], "integer"),
    ),
    (
        {"properties": {"query": {}}, "additionalProperties": False},
        {"query": 1, "query2": 1},
        ("/query2", "additionalProperties", "'query2' is not a declared field", ["query"], "integer"),
    ),
    ({"additionalProperties": False}, {"a": "s"}, ("/a", "additionalProperties", "'a' is not a declared field", [], "string")),
    ({"properties": {"a": False}}, {"a": 1}, ("/a", "additionalProperties", "this field is not allowed here", None, 1)),
    (
        {"allOf": [{"properties": {"a": {}}}], "unevaluatedProperties": False},
        {"a": 1, "b": 1},
        ("/b", "unevaluatedProperties", "'b' is not a declared field", ["a"], "integer"),
    ),
    ({"propertyNames": {"enum": ["alpha"]}}, {"alpa": 1}, ("/alpa", "propertyNames", "field name: 'alpa' is not one of ['alpha'] (did you mean 'alpha'?)", ["alpha"], "alpa")),
    ({"propertyNames": {"pattern": "^x"}}, {"é": 1}, ("/é", "propertyNames", "field name: 'é' does not match '^x'", "^x", "é")),
    ({"$schema": D6, "propertyNames": {"maxLength": 1}}, {"ab": 1}, ("/ab", "propertyNames", "field name: 'ab' has more than 1 characters", 1, "ab")),
    # bounds
    ({"minimum": 1}, 0, ("", "minimum", "0 is less than 1", 1, 0)),
    ({"exclusiveMinimum": 0}, 0, ("", "exclusiveMinimum", "0 is not greater than 0", 0, 0)),
    ({"$schema": D4, "minimum": 0, "exclusiveMinimum": True}, 0, ("", "exclusiveMinimum", "0 is not greater than 0", 0, 0)),
    ({"maximum": 1}, 2**70, ("", "maximum", f"{2**70} is greater than 1", 1, 2**70)),
    ({"multipleOf": 2}, 5, ("", "multipleOf", "5 is not a multiple of 2", 2, 5)),
    ({"minLength": 1}, "", ("", "minLength", "'' has fewer than 1 characters", 1, "")),
    ({"maxLength": 1}, "😀😀", ("", "maxLength", "'😀😀' has more than 1 characters", 1, "😀😀")),
    ({"pattern": "^a"}, "b", ("", "pattern", "'b' does not match '^a'", "^a", "b")),
    ({"$schema": D7, "format": "date"}, "soon", ("", "format", "'soon' is not of the format 'date'", "date", "soon")),
    ({"minItems": 1}, [], ("", "minItems", "array of 0 items, at least 1 expected", 1, "array of 0 items")),
    ({"maxItems": 1}, [1, 2], ("", "maxItems", "array of 2 items, at most 1 expected", 1, "array of 2 items")),
    ({"uniqueItems": True}, [1, 1], ("", "uniqueItems", "array of 2 items with equal items, each must be different", None, "array of 2 items")),
    ({"contains": {"type": "string"}}, [1], ("", "contains", "array of 1 item without the right number of fitting items", {"type": "string"}, "array of 1 item")),
    ({"minProperties": 1}, {}, ("", "minProperties", "object of 0 fields, at least 1 expected", 1, "object of 0 fields")),
    ({"prefixItems": [{}], "items": False}, [1, 2], ("/1", "items", "no item is allowed here", None, 2)),
    ({"$schema": D7, "items": [{}], "additionalItems": False}, [1, 2], ("", "additionalItems", "array of 2 items, at most 1 expected", 1, "array of 2 items")),
    ({"not": {"type": "integer"}}, 1, ("", "not", "1 is a value that the schema excludes", {"type": "integer"}, 1)),
    ({"dependentSchemas": {"a": False}}, {"a": 1}, ("", "a", "no value is allowed here", None, "object of 1 field")),
    # places
    ({"items": {"items": {"type": "string"}}}, [[], ["a", 1]], ("/1/1", "type", "expected string, found integer 1", "string", 1)),
    ({"patternProperties": {"^n": {"type": "integer"}}}, {"n~/": "x"}, ("/n~0~1", "type", "expected integer, found string 'x'", "integer", "x")),
    ({"additionalProperties": {"type": "integer"}}, {"مفتاح": "x"}, ("/مفتاح", "type", "expected integer, found string 'x'", "integer", "x")),
    ({"$ref": "#/$defs/n", "$defs": {"n": {"properties": {"c": {"$ref": "#/$defs/n"}, "v": {"type": "string"}}}}}, {"c": {"c": {"v": 1}}}, ("/c/c/v", "type", "expected string, found integer 1", "string", 1)),
    ({"$schema": D7, "properties": {"a": {"$ref": "#/definitions/q"}}, "definitions": {"q": {"type": "null"}}}, {"a": 1}, ("/a", "type", "expected null, found integer 1", "null", 1)),
    ({"properties": {"a": {"$id": "https://x.example/y", "$defs": {"q": {"type": "null"}}, "$ref": "#/$defs/q"}}}, {"a": 1}, ("/a", "type", "expected null, found integer 1", "null", 1)),
    ({"$id": "https://x.example/y", "properties": {"a": {"$ref": "https://x.example/y#/$defs/q"}}, "$defs": {"q": {"required": ["z"], "properties": {"z": {"type": "null"}}}}}, {"a": {}}, ("/a/z", "required", "missing, expected null", "null", None)),
    ({"allOf": [{"type": "string"}, {"minLength": 2}]}, "a", ("", "minLength", "'a' has fewer than 2 characters", 2, "a")),
]  # fmt: skip


@pytest.mark.parametrize(("schema", "value", "issue"), SINGLE)
def test_one_violation_is_one_issue(schema, value, issue):
    assert issues(schema, value) == [issue]


CIRCLE = {
    "type": "object",
    "properties": {"kind": {"const": "circle"}, "r": {"type": "number"}},
    "required": ["kind", "r"],
}
SQUARE = {
    "type": "object",
    "properties": {"kind": {"const": "square"}, "a": {"type": "number"}},
    "required": ["kind", "a"],
}
TREE = {
    "$defs": {"node": {"oneOf": [
        {"type": "object", "properties": {"op": {"enum": ["and", "or"]}, "of": {"type": "array", "items": {"$ref": "#/$defs/node"}}}, "required": ["op", "of"]},
        {"type": "object", "properties": {"op": {"const": "not"}, "of": {"$ref": "#/$defs/node"}}, "required": ["op", "of"]},
        {"type": "object", "properties": {"op": {"const": "leaf"}, "field": {"type": "string"}}, "required": ["op", "field"]},
    ]}},
    "$ref": "#/$defs/node",
}  # fmt: skip

UNIONS = [
    # the only branch of the value's type
    ({"anyOf": [{"type": "string", "maxLength": 1}, {"type": "null"}]}, "ab", [("", "maxLength")]),
    ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, "5", [("", "type")]),
    ({"oneOf": [{"type": "array", "items": {"type": "string"}}, {"type": "string"}]}, ["a", 1], [("/1", "type")]),
    ({"anyOf": [CIRCLE, {"type": "null"}]}, {"kind": "circle", "r": "x"}, [("/r", "type")]),
    ({"anyOf": [CIRCLE, {"type": "null"}]}, {}, [("/kind", "required"), ("/r", "required")]),
    ({"anyOf": [{"type": "integer", "minimum": 1}, {"type": "string"}]}, 0, [("", "minimum")]),
    ({"anyOf": [{"type": "number", "minimum": 1}, {"type": "string"}]}, 0, [("", "minimum")]),
    ({"anyOf": [{"enum": ["a", "b"]}, {"type": "null"}]}, "A", [("", "enum")]),
    ({"anyOf": [{"const": "a"}, {"type": "integer"}]}, "b", [("", "const")]),
    ({"anyOf": [{"anyOf": [CIRCLE, {"type": "null"}]}, {"type": "string"}]}, {"kind": "circle"}, [("/r", "required")]),
    # its tag
    ({"anyOf": [CIRCLE, SQUARE]}, {"kind": "circle", "r": "x"}, [("/r", "type")]),
    ({"oneOf": [CIRCLE, SQUARE, {"type": "null"}]}, {"kind": "square"}, [("/a", "required")]),
    ({"anyOf": [{"$ref": "#/$defs/c"}, {"$ref": "#/$defs/s"}], "$defs": {"c": CIRCLE, "s": SQUARE}}, {"kind": "square", "a": "1"}, [("/a", "type")]),
    ({"anyOf": [{"allOf": [CIRCLE]}, {"allOf": [SQUARE]}]}, {"kind": "square", "a": "1"}, [("/a", "type")]),
    ({"anyOf": [{"anyOf": [CIRCLE, SQUARE]}, {"type": "object", "properties": {"kind": {"const": "line"}}, "required": ["kind", "to"]}]}, {"kind": "square"}, [("/a", "required")]),
    ({"anyOf": [{"properties": {"v": {"const": 1}, "x": {"type": "string"}}}, {"properties": {"v": {"const": True}, "x": {"type": "null"}}}]}, {"v": True, "x": 1}, [("/x", "type")]),
    (TREE, {"op": "and", "of": [{"op": "leaf", "field": "a"}, {"op": "not", "of": {"op": "leaf", "field": 1}}]}, [("/of/1/of/field", "type")]),
    (TREE, {"op": "and", "of": [{"op": "not", "of": {"op": "leaf"}}]}, [("/of/0/of/field", "required")]),
    # a tag that no branch knows
    ({"anyOf": [CIRCLE, SQUARE]}, {"kind": "Circle", "r": 1}, [("/kind", "enum")]),
    # all that is wanted is one of a list
    ({"anyOf": [{"const": "a"}, {"const": "b"}]}, "c", [("", "enum")]),
    ({"oneOf": [{"enum": ["a"]}, {"enum": ["b", "c"]}]}, 5, [("", "enum")]),
    # no branch of the type
    ({"anyOf": [CIRCLE, SQUARE]}, "circle", [("", "type")]),
    ({"anyOf": [{"type": "string"}, {"const": None}]}, [], [("", "type")]),
    # nothing tells the branches apart
    ({"anyOf": [CIRCLE, SQUARE]}, {"r": 1}, [("", "anyOf")]),
    ({"anyOf": [{"required": ["a"]}, {"required": ["b"]}]}, {}, [("", "anyOf")]),
    ({"anyOf": [{"type": "string", "pattern": "^a"}, {"type": "string", "pattern": "^b"}]}, "c", [("", "anyOf")]),
    ({"anyOf": [CIRCLE, {"type": "object", "required": ["z"]}]}, {"kind": "square"}, [("", "anyOf")]),
    ({"oneOf": [{"type": "integer"}, {"minimum": 1}]}, 3, [("", "oneOf")]),
]  # fmt: skip


@pytest.mark.parametrize(("schema", "value", "places"), UNIONS)
def test_unions_name_the_leaf(schema, value, places):
    assert [(pointer, keyword) for pointer, keyword, *_ in issues(schema, value)] == places


def test_the_issue_of_a_union_lists_the_branches():
    (found,) = issues({"anyOf": [CIRCLE, SQUARE, {"type": "null"}]}, {"r": 1})
    branches = ["object with kind 'circle', r", "object with kind 'square', a", "null"]
    assert found == (
        "",
        "anyOf",
        "fits none of the 3 alternatives: " + "; ".join(branches),
        branches,
        "object of 1 field",
    )


def test_the_types_of_a_union_are_listed():
    schema = {"properties": {"a": {"anyOf": [{"type": "integer"}, {"anyOf": [{"type": "boolean"}, {"const": None}]}]}}}
    assert issues(schema, {"a": "x"}) == [
        ("/a", "type", "expected integer or boolean or null, found string 'x'", ["integer", "boolean", "null"], "x")
    ]


def test_an_unknown_tag_is_answered_with_the_tags():
    assert issues({"anyOf": [CIRCLE, SQUARE]}, {"kind": "Circle", "r": 1}) == [
        (
            "/kind",
            "enum",
            "'Circle' is not one of ['circle', 'square'] (did you mean 'circle'?)",
            ["circle", "square"],
            "Circle",
        )
    ]


BLOCK = {
    "type": "object",
    "properties": {"kind": {"enum": ["chart", "text"]}},
    "required": ["kind"],
    "if": {"properties": {"kind": {"const": "chart"}}, "required": ["kind"]},
    "then": {
        "properties": {
            "axis": {"type": "object", "properties": {"unit": {"enum": ["px", "pt"]}}, "required": ["unit"]}
        },
        "required": ["axis"],
    },
    "else": {"properties": {"text": {"type": "string"}}, "required": ["text"]},
}
PAGE = {"properties": {"page": {"type": "object", "properties": {"blocks": {"type": "array", "items": BLOCK}}}}}
CONDITIONS = [
    ({"kind": "chart", "axis": {"unit": "Px"}}, ("/page/blocks/0/axis/unit", "enum", "'Px' is not one of ['px', 'pt'] (did you mean 'px'?)")),
    ({"kind": "chart", "axis": {}}, ("/page/blocks/0/axis/unit", "required", "missing, expected one of ['px', 'pt']")),
    ({"kind": "chart"}, ("/page/blocks/0/axis", "required", "missing, expected object with unit")),
    ({"kind": "text"}, ("/page/blocks/0/text", "required", "missing, expected string")),
    ({"kind": "text", "text": 1}, ("/page/blocks/0/text", "type", "expected string, found integer 1")),
]  # fmt: skip


@pytest.mark.parametrize(("block", "issue"), CONDITIONS)
def test_conditions_three_levels_deep_name_the_leaf(block, issue):
    assert [found[:3] for found in issues(PAGE, {"page": {"blocks": [block]}})] == [issue]


def test_all_violations_are_named():
    schema = {
        "type": "object",
        "properties": {"a": {"type": "integer"}, "b": {"type": "array", "items": {"enum": ["x", "y"]}}},
        "required": ["c", "d"],
        "additionalProperties": False,
    }
    found = issues(schema, {"a": "1", "b": ["x", "z", "Y"], "e": 1, "f": 2})
    assert {(pointer, keyword) for pointer, keyword, *_ in found} == {
        ("/a", "type"), ("/b/1", "enum"), ("/b/2", "enum"), ("/c", "required"), ("/d", "required"),
        ("/e", "additionalProperties"), ("/f", "additionalProperties"),
    }  # fmt: skip
    assert len(found) == 7


def test_two_keywords_with_one_violation_are_one_issue():
    assert issues({"required": ["a"], "allOf": [{"required": ["a"]}]}, {}) == [
        ("/a", "required", "missing", None, None)
    ]


def test_declared_fields_are_not_called_undeclared_because_something_else_is_wrong():
    schema = {"anyOf": [{"properties": {"a": {"type": "string"}}}, {"required": ["b"]}], "unevaluatedProperties": False}
    assert [(p, k) for p, k, *_ in issues(schema, {"a": 1, "q": 1})] == [("", "anyOf"), ("/q", "unevaluatedProperties")]


SECRETS = {
    "type": "object",
    "properties": {
        "password": {"type": "string", "maxLength": 3, "pattern": "^x"},
        "login": {"anyOf": [{"type": "object", "properties": {"password": {"enum": ["hunter1"]}}}, {"type": "null"}]},
        "headers": {"type": "object", "additionalProperties": {"type": "string", "maxLength": 1}},
        "n": {"type": "integer"},
    },
    "required": ["key"],
    "additionalProperties": False,
}


def test_sensitive_values_are_never_told():
    value = {
        "password": "hunter2", "login": {"password": "hunter2"}, "headers": {"A": "hunter2"}, "n": "plain", "passwrd": "hunter2",
    }  # fmt: skip
    found = issues(SECRETS, value, sensitive=["password", "/headers"])
    assert "hunter2" not in repr(found)
    assert "hunter1" not in repr([f[2:3] for f in found if "did you mean" in f[2]])
    assert {(f[0], f[4]) for f in found} == {
        ("/password", "***"), ("/login/password", "***"), ("/headers/A", "***"), ("/n", "plain"),
        ("/passwrd", "string"), ("/key", None),
    }  # fmt: skip
    assert issues(SECRETS, {"key": 1, "password": 5}, sensitive=["password"])[0][2] == "expected string, found integer"


def test_sensitive_names_may_be_given_with_the_question():
    compiled = compile_schema(SECRETS)
    assert compiled.issues({"key": 1, "password": "xhunter2"}, sensitive=["password"])[0].found == "***"


def test_keys_of_maps_are_told_only_in_short():
    key = "Bearer " + "x" * 500
    ((_, _, message, *_),) = issues({"propertyNames": {"maxLength": 3}}, {key: 1})
    assert len(message) < 120
    ((_, _, message, *_),) = issues({"additionalProperties": False}, {key: 1})
    assert len(message) < 120
