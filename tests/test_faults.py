from __future__ import annotations

import jsonschema_rs
import pytest

from argwright.faults import Fault, layered, whole
from argwright.recursive_unions import RecursiveUnions


def faults(schema, value):
    return list(whole(jsonschema_rs.validator_for(schema).iter_errors(value), value))


def test_a_violation():
    assert faults({"properties": {"a": {"minimum": 3}}}, {"a": 1}) == [
        Fault(keyword="minimum", operand=3, path=("a",), where=("properties", "a", "minimum"))
    ]


def test_undeclared_keys():
    (fault,) = faults({"properties": {"a": {}}, "additionalProperties": False}, {"b": 1, "c": 2})
    assert (fault.keyword, fault.unexpected) == ("additionalProperties", ("b", "c"))


def test_the_fault_of_a_name_stands_at_the_name():
    (fault,) = faults({"propertyNames": {"maxLength": 1}}, {"ab": 1})
    assert (fault.keyword, fault.path) == ("propertyNames", ("ab",))
    assert (fault.operand.keyword, fault.operand.path) == ("maxLength", ())


def test_an_embedded_resource_is_told():
    schema = {"properties": {"a": {"$id": "https://example.com/a", "type": "null"}}}
    (fault,) = faults(schema, {"a": 1})
    assert fault.home == "https://example.com/a"


def test_branches_are_faults():
    (fault,) = faults({"items": {"anyOf": [{"type": "string"}, {"type": "null"}]}}, [1])
    assert fault.is_union
    assert [[(inner.keyword, inner.path) for inner in branch] for branch in fault.branches] == [[("type", (0,))]] * 2


NODE = {"anyOf": [{"type": "object", "properties": {"n": {"$ref": "#/$defs/n"}}}, {"type": "null"}]}
SCHEMA = {"properties": {"a": {"$ref": "#/$defs/n"}}, "$defs": {"n": NODE}}


def test_level_by_level_places_and_keywords_are_those_of_the_declared_schema():
    (outer,) = layered(RecursiveUnions(SCHEMA), {"a": {"n": 5}})
    assert (outer.keyword, outer.path, outer.where) == ("anyOf", ("a",), ("$defs", "n", "anyOf"))
    (inner,), (wrong_type,) = outer.branches
    assert (inner.keyword, inner.path, inner.where) == ("anyOf", ("a", "n"), ("$defs", "n", "anyOf"))
    assert (wrong_type.keyword, wrong_type.path) == ("type", ("a",))
    assert [[fault.path for fault in branch] for branch in inner.branches] == [[("a", "n")]] * 2
    assert wrong_type.where == ("$defs", "n", "anyOf", 1, "type")


NUMBERS = ["5", "13800138000", "007", "00", "+5", "-1", "18446744073709551616", "0" * 5_000 + "7"]


@pytest.mark.parametrize("key", NUMBERS, ids=[*map(str, range(len(NUMBERS)))])
def test_a_key_that_looks_like_a_number_is_one_all_the_same(key):
    (fault,) = faults({"additionalProperties": {"items": {"type": "string"}}}, {key: [1]})
    assert fault.path == (key, 0)
    (fault,) = faults({"items": {"additionalProperties": {"anyOf": [{"type": "string"}]}}}, [{key: 1}])
    assert (fault.path, [inner.path for branch in fault.branches for inner in branch] or [fault.path]) == (
        (0, key),
        [(0, key)],
    )


def test_the_fault_of_a_name_has_no_path_wherever_the_name_stands():
    names = {"propertyNames": {"anyOf": [{"maxLength": 1}, {"pattern": "^x"}]}}
    (fault,) = faults({"properties": {"a": {"items": names}}}, {"a": [{"007": 1}]})
    assert (fault.path, fault.operand.path) == (("a", 0, "007"), ())
    assert [inner.path for branch in fault.operand.branches for inner in branch] == [(), ()]
