from __future__ import annotations

import json
import pickle
from concurrent.futures import ThreadPoolExecutor

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from argwright.errors import DeclarationError
from argwright.model import Issue
from argwright.schema import MAX_ISSUES, compile_schema, reason_of

DRAFTS = [
    "http://json-schema.org/draft-04/schema#",
    "http://json-schema.org/draft-06/schema#",
    "http://json-schema.org/draft-07/schema#",
    "https://json-schema.org/draft/2019-09/schema",
    "https://json-schema.org/draft/2020-12/schema",
]


@pytest.mark.parametrize("draft", DRAFTS)
def test_every_draft_validates(draft):
    compiled = compile_schema({"$schema": draft, "type": "object", "required": ["a"]}, where="t")
    assert compiled.is_valid({"a": 1})
    assert [(i.pointer, i.keyword) for i in compiled.issues({})] == [("/a", "required")]


DRAFT_SPECIFIC = [
    ({"type": "integer"}, 1.0, [False, True, True, True, True]),
    ({"const": 1}, 2, [True, False, False, False, False]),
    ({"items": [{"type": "string"}]}, [1], [False, False, False, False, None]),
    ({"prefixItems": [{"type": "string"}]}, [1], [True, True, True, True, False]),
    ({"if": {"type": "integer"}, "then": {"minimum": 5}}, 1, [True, True, False, False, False]),
    ({"dependentRequired": {"a": ["b"]}}, {"a": 1}, [True, True, True, False, False]),
    ({"format": "date"}, "never", [False, False, False, True, True]),
    ({"minimum": 1, "exclusiveMinimum": True}, 1, [False, None, None, None, None]),
]


@pytest.mark.parametrize(("schema", "value", "verdicts"), DRAFT_SPECIFIC)
def test_the_draft_is_the_one_that_is_named(schema, value, verdicts):
    for draft, verdict in zip(DRAFTS, verdicts, strict=True):
        if verdict is None:
            with pytest.raises(DeclarationError):
                compile_schema({"$schema": draft, **schema})
        else:
            assert compile_schema({"$schema": draft, **schema}).is_valid(value) is verdict


def test_without_a_draft_it_is_the_newest():
    assert not compile_schema({"prefixItems": [{"type": "string"}]}).is_valid([1])


BAD = [
    ({"type": "objekt"}, "at /type: 'objekt' is not one of ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'] (did you mean 'object'?)"),
    ({"properties": {"a": {"minLength": -1}}}, "at /properties/a/minLength: -1 is less than 0"),
    ({"properties": {"a/b": {"pattern": "("}}}, "at /properties/a~1b/pattern: '(' is not of the format 'regex'"),
    ({"required": "a"}, "at /required: expected array, found string 'a'"),
    ({"properties": {"a": {"required": True}}}, "at /properties/a/required: expected array, found boolean true"),
    ({"properties": []}, "at /properties: expected object, found array of 0 items"),
    ({"items": [{}]}, "at /items: expected boolean or object, found array of 1 item"),
    ({"$schema": "https://example.com/mine"}, "at /$schema: 'https://example.com/mine' is not a known draft of JSON Schema"),
    ({"$schema": 4}, "at /$schema: expected string, found integer 4"),
    ({"properties": {"a": {"$ref": "#/$defs/no"}}}, "at /properties/a/$ref: the reference '#/$defs/no' leads nowhere"),
    ({"allOf": [{"$ref": "#anchor"}]}, "at /allOf/0/$ref: the reference '#anchor' leads nowhere"),
    (
        {"properties": {"a": {"$ref": "#/$defs/a"}, "b": {"$ref": "https://example.com/s.json"}}, "$defs": {"a": {}}},
        "at /properties/b/$ref: the reference 'https://example.com/s.json' leads nowhere (references are never fetched; put the target into $defs)",
    ),
    ({"$ref": "file:///etc/passwd"}, "at /$ref: the reference 'file:///etc/passwd' leads nowhere (references are never fetched; put the target into $defs)"),
    ([], ": expected boolean or object, found array of 0 items"),
    ({"x": {1}}, ": Unsupported type: 'set'"),
]  # fmt: skip


@pytest.mark.parametrize(("schema", "text"), BAD)
def test_a_bad_schema_names_tool_and_place(schema, text):
    with pytest.raises(DeclarationError) as error:
        compile_schema(schema, where="search")
    assert str(error.value) == f"tool 'search': bad schema {text}".replace("schema :", "schema:")


def test_a_schema_that_is_too_deep_is_the_programmers_error():
    schema: dict[str, object] = {}
    for _ in range(100_000):
        schema = {"items": schema}
    with pytest.raises(DeclarationError):
        compile_schema(schema)


REFERENCES = [
    {"$ref": "#/$defs/a~1b", "$defs": {"a/b": {"type": "string"}}},
    {"$ref": "#/$defs/a%25b", "$defs": {"a%b": {"type": "string"}}},
    {"$ref": "#here", "$defs": {"x": {"$anchor": "here", "type": "string"}}},
    {"$id": "https://example.com/s", "$ref": "part", "$defs": {"x": {"$id": "part", "type": "string"}}},
    {"$schema": DRAFTS[2], "allOf": [{"$ref": "#/definitions/s"}], "definitions": {"s": {"type": "string"}}},
]


@pytest.mark.parametrize("schema", REFERENCES)
def test_references_within_the_document_are_followed(schema):
    compiled = compile_schema(schema)
    assert not compiled.is_valid(5)
    assert compiled.issues(5)[0].keyword == "type"


STRANGE = [
    ({"type": "integer"}, 2**64 + 1, True),
    ({"type": "integer"}, 10**4000, True),
    ({"maximum": 2**64}, 2**64 + 1, False),
    ({"const": 2**53 + 1}, 2**53, False),
    ({"type": "integer"}, 1.0, True),
    ({"enum": [1]}, 1.0, True),
    ({"enum": [1]}, True, False),
    ({"enum": ["a"]}, "\ud800", False),
    ({"maxLength": 0}, "\udc00", False),
    ({"type": "number"}, float("nan"), False),
    ({"type": "number"}, float("inf"), False),
    ({"additionalProperties": {"type": "string"}}, {1: "x"}, False),
    ({"additionalProperties": {"type": "string"}}, {"a": object()}, False),
    ({"additionalProperties": {"type": "string"}}, {"a\ud800": 1}, False),
    ({"pattern": "^(a+)+\\1$"}, "a" * 60 + "b", False),
    (True, {"a": 1}, True),
    (False, {"a": 1}, False),
]


@pytest.mark.parametrize(("schema", "value", "verdict"), STRANGE, ids=range(len(STRANGE)))
def test_no_value_raises_and_an_invalid_one_has_issues(schema, value, verdict):
    compiled = compile_schema(schema)
    assert compiled.is_valid(value) is verdict
    issues = compiled.issues(value)
    assert bool(issues) is not verdict
    for issue in issues:
        json.dumps(issue.to_dict(), ensure_ascii=False).encode()


def test_what_is_no_json_is_said():
    compiled = compile_schema({"additionalProperties": {"type": "string"}})
    assert compiled.issues({"a": "x\ud800", "b": {1}, "c": 5}) == (
        Issue(pointer="/c", keyword="type", message="expected string, found integer 5", expected="string", found=5),
        Issue(pointer="/a", keyword="constraint", message="half a surrogate pair, which no text can hold"),
        Issue(pointer="/b", keyword="constraint", message="not JSON: a Python set"),
    )


def nested(depth, leaf=1):
    value = leaf
    for _ in range(depth):
        value = [value]
    return value


LISTS = {
    "$defs": {"n": {"anyOf": [{"type": "array", "items": {"$ref": "#/$defs/n"}}, {"type": "string"}]}},
    "$ref": "#/$defs/n",
}


@pytest.mark.parametrize("depth", [100, 199, 250, 300, 512])
def test_deep_values(depth):
    compiled = compile_schema(LISTS)
    assert compiled.issues(nested(depth, "leaf")) == ()
    (issue,) = compiled.issues(nested(depth))
    assert issue.pointer == ("/0" * depth if depth < 200 else "")


def test_a_shallow_fault_beside_a_deep_value_is_named():
    schema = {"required": ["b"], "properties": {"c": {"$ref": "#/$defs/n"}}, "$defs": LISTS["$defs"]}
    assert [i.pointer for i in compile_schema(schema).issues({"c": nested(512, "x")})] == ["/b"]


@pytest.mark.parametrize(
    "tags",
    [
        {"type": "array", "items": {"type": "string"}},
        {"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}]},
    ],
)
def test_a_large_value_has_bounded_issues_and_no_invented_ones(tags):
    schema = {
        "type": "object",
        "properties": {"tags": tags, "z": {"type": "integer"}},
        "required": ["z"],
        "minProperties": 2,
    }
    found = compile_schema(schema).issues({"tags": [1] * 300_000, "z": 1})
    assert 5_000 < len(found) <= MAX_ISSUES
    assert {i.keyword for i in found} == {"type"}


def test_reason_is_the_first_in_the_order():
    def issue(keyword, pointer="/a"):
        return Issue(pointer=pointer, keyword=keyword, message="")

    order = [
        "required",
        "additionalProperties",
        "type",
        "enum",
        "minLength",
        "alias_conflict",
        "absorbed",
        "rule_conflict",
    ]
    slugs = ["missing", "unexpected", "type", "enum", "constraint", "alias_conflict", "absorbed", "rule_conflict"]
    for index, slug in enumerate(slugs):
        assert reason_of([issue(keyword) for keyword in reversed(order[index:])]) == slug
    assert reason_of([issue("required"), issue("type", "")]) == "not_an_object"
    assert [reason_of([issue(k)]) for k in ("unevaluatedProperties", "const", "anyOf", "propertyNames", "not")] == [
        "unexpected", "enum", "constraint", "constraint", "constraint",
    ]  # fmt: skip
    assert reason_of([]) == "constraint"


def test_a_compiled_schema_is_pickled():
    compiled = compile_schema({"properties": {"p": {"maxLength": 1}}}, where="t", sensitive=["p"])
    again = pickle.loads(pickle.dumps(compiled))
    assert again.issues({"p": "hunter2"}) == compiled.issues({"p": "hunter2"})
    assert again.issues({"p": "hunter2"})[0].found == "***"
    assert repr(again) == "CompiledSchema('t')"


def test_threads_share_it():
    compiled = compile_schema({"properties": {"n": {"type": "integer", "maximum": 10}}})
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda n: len(compiled.issues({"n": n})), range(200)))
    assert found == [0 if n <= 10 else 1 for n in range(200)]


SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.sampled_from([0.5, 1.0, -2.5])
    | st.sampled_from(["", "a", "b", "ab", "上海"])
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "b", "c", "x/y", "~"]), inner, max_size=3)
    ),
    max_leaves=8,
)
TYPES = st.sampled_from(["string", "integer", "number", "boolean", "null", "array", "object"])


def _objects(inner):
    return st.fixed_dictionaries(
        {},
        optional={
            "type": TYPES | st.lists(TYPES, min_size=1, max_size=3, unique=True),
            "properties": st.dictionaries(st.sampled_from(["a", "b", "x/y"]), inner, max_size=2),
            "required": st.lists(st.sampled_from(["a", "b", "c"]), max_size=2, unique=True),
            "additionalProperties": inner | st.booleans(),
            "propertyNames": st.sampled_from([{"maxLength": 1}, {"enum": ["a", "b"]}, {"pattern": "^a"}]),
            "items": inner,
            "prefixItems": st.lists(inner, min_size=1, max_size=2),
            "anyOf": st.lists(inner, min_size=1, max_size=3),
            "oneOf": st.lists(inner, min_size=1, max_size=3),
            "allOf": st.lists(inner, min_size=1, max_size=2),
            "not": inner,
            "if": inner,
            "then": inner,
            "else": inner,
            "enum": st.lists(SCALARS, min_size=1, max_size=3, unique_by=repr),
            "const": SCALARS,
            "minLength": st.integers(0, 2),
            "maximum": st.integers(-2, 2),
            "minItems": st.integers(0, 2),
            "uniqueItems": st.booleans(),
            "contains": inner,
            "dependentRequired": st.just({"a": ["b"]}),
            "dependentSchemas": st.fixed_dictionaries({"a": inner}),
            "unevaluatedProperties": st.booleans(),
        },
    )


SCHEMAS = st.recursive(st.just({}) | st.just(False) | _objects(st.just({})), _objects, max_leaves=6)


@given(SCHEMAS, VALUES)
def test_issues_exactly_where_an_independent_validator_says_invalid(schema, value):
    compiled = compile_schema(schema)
    valid = jsonschema.Draft202012Validator(schema).is_valid(value)
    issues = compiled.issues(value)
    assert (compiled.is_valid(value), not issues) == (valid, valid)
    for issue in issues:
        assert issue.message == issue.message.strip()
        assert "\n" not in issue.message
        assert len(issue.message) < 1000
        assert issue.message[:1] == issue.message[:1].lower()
        json.dumps(issue.to_dict(), ensure_ascii=False).encode()
