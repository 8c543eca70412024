from __future__ import annotations

from functools import partial
from types import MappingProxyType

import pytest
from pydantic import BaseModel

from argwright import sources
from argwright.errors import DeclarationError


class Hints(BaseModel):
    readOnlyHint: bool | None = None  # noqa: N815  # the protocol's spelling
    title: str | None = None


def named(a):
    return a


@pytest.mark.parametrize("name", ["a", "a b", "搜索", "a.b/c", "\u202eevil"])
def test_any_text_is_a_name(name):
    assert sources.checked_name(name) == name


@pytest.mark.parametrize("name", ["", None, 3])
def test_nothing_is_no_name(name):
    with pytest.raises(DeclarationError, match="non-empty string"):
        sources.checked_name(name)


def test_names():
    assert sources.checked_names(["b", "a", "b"], "t", "sensitive") == ("b", "a")
    for wrong in ("password", [""], [3]):
        with pytest.raises(DeclarationError, match="tool 't': sensitive is a collection of non-empty names"):
            sources.checked_names(wrong, "t", "sensitive")


def test_a_schema_is_copied_as_json():
    schema = {"enum": ("a", "b"), "minimum": 2**64}
    copied = sources.json_copy(MappingProxyType(schema), "t")
    schema["enum"] = ()
    assert copied == {"enum": ["a", "b"], "minimum": 2**64}


@pytest.mark.parametrize("schema", [[], None, {"a": {1}}, {"a": float("nan")}])
def test_what_is_no_json_object_is_no_schema(schema):
    with pytest.raises(DeclarationError, match="tool 't': "):
        sources.json_copy(schema, "t")


def test_function_names():
    assert sources.function_name(partial(partial(named, 1))) == "named"
    with pytest.raises(DeclarationError, match="lambda"):
        sources.function_name(lambda: 1)


def test_members_and_mappings():
    assert (sources.member({"a": 1}, "a"), sources.member({"a": 1}, "b")) == (1, None)
    assert sources.member(Hints(title="x"), "title") == "x"
    assert sources.mapping(Hints(readOnlyHint=True)) == {"readOnlyHint": True}
    assert sources.mapping({"a": None, "b": 1}) == {"b": 1}
    assert sources.mapping(None) == {}


def test_described():
    assert sources.described({"description": None, "policy": None}, "own") == {"description": "own"}
    assert sources.described({"description": "said"}, "own") == {"description": "said"}


def test_caller_names_are_those_of_the_declaring_frame():
    local_type = int
    assert sources.caller_names()["local_type"] is local_type
