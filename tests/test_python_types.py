# ruff: noqa: UP045  # `Optional` is what users write
from __future__ import annotations

import dataclasses
import enum
import functools
import typing
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from typing import Annotated, Any, Literal, NotRequired, Optional, Required
from uuid import UUID

import pytest
from annotated_types import Ge
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, SecretStr, field_validator

from argwright import python_types
from argwright.errors import DeclarationError
from argwright.mask import Mask
from argwright.model import Issue


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


@dataclasses.dataclass
class Point:
    x: int
    y: float = 0.0


class Person(typing.TypedDict):
    name: str
    age: NotRequired[int]


class Partial(typing.TypedDict, total=False):
    id: Required[int]
    at: list[Point]


class Address(BaseModel):
    """Where somebody lives."""

    city: str = Field(description="the city", min_length=1)
    lines: list[str] = []


class Even(BaseModel):
    model_config = ConfigDict(strict=True)
    n: int
    when: date | None = None

    @field_validator("n")
    @classmethod
    def even(cls, value: int) -> int:
        if value % 2:
            raise ValueError("must be even")
        return value


def schema(function, **options):
    signature = python_types.signature_of(function, "t", {}, **options)
    return python_types.schema_of(signature.model, "t", signature.hints)


def parameters(function):
    return schema(function)["properties"]


def takes(annotation):
    def function(a): ...

    function.__annotations__["a"] = annotation
    return function


TYPES = [
    (str, {"type": "string"}),
    (int, {"type": "integer"}),
    (float, {"type": "number"}),
    (bool, {"type": "boolean"}),
    (Any, {}),
    (None, {"type": "null"}),
    (list, {"type": "array", "items": {}}),
    (dict, {"type": "object", "additionalProperties": True}),
    (list[int], {"type": "array", "items": {"type": "integer"}}),
    (dict[str, float], {"type": "object", "additionalProperties": {"type": "number"}}),
    (tuple[int, str], {"type": "array", "minItems": 2, "maxItems": 2, "prefixItems": [{"type": "integer"}, {"type": "string"}]}),
    (set[str], {"type": "array", "items": {"type": "string"}, "uniqueItems": True}),
    (Optional[int], {"anyOf": [{"type": "integer"}, {"type": "null"}]}),
    (int | str, {"anyOf": [{"type": "integer"}, {"type": "string"}]}),
    (Literal["a", "b"], {"type": "string", "enum": ["a", "b"]}),
    (Literal["a"], {"type": "string", "const": "a"}),
    (date, {"type": "string", "format": "date"}),
    (UUID, {"type": "string", "format": "uuid"}),
    (SecretStr, {"type": "string", "format": "password", "writeOnly": True}),
    (Annotated[int, Ge(1)], {"type": "integer", "minimum": 1}),
    (Annotated[str, Field(pattern="^a", description="begins with a")], {"type": "string", "pattern": "^a", "description": "begins with a"}),
    ("int", {"type": "integer"}),
    ("Color", {"$ref": "#/$defs/Color"}),
    (list["Point"], {"type": "array", "items": {"$ref": "#/$defs/Point"}}),
]  # fmt: skip


@pytest.mark.parametrize(("annotation", "node"), TYPES)
def test_annotations(annotation, node):
    assert parameters(takes(annotation)) == {"a": node}


NESTED = [
    (Color, {"title": "Color", "type": "string", "enum": ["red", "blue"]}),
    (
        Person,
        {"title": "Person", "type": "object", "properties": {"name": {"type": "string"}, "age": {"type": "integer"}}, "required": ["name"], "additionalProperties": False},
    ),
    (Address, {"title": "Address", "description": "Where somebody lives.", "type": "object", "properties": {"city": {"type": "string", "minLength": 1, "description": "the city"}, "lines": {"type": "array", "items": {"type": "string"}, "default": []}}, "required": ["city"]}),
]  # fmt: skip


@pytest.mark.parametrize(("annotation", "definition"), NESTED)
@pytest.mark.parametrize(
    "wrap", [lambda t: t, lambda t: list[t], lambda t: Optional[t], lambda t: dict[str, list[t]]], ids=range(4)
)
def test_nested_types_stand_in_the_definitions(annotation, definition, wrap):
    assert schema(takes(wrap(annotation)))["$defs"][annotation.__name__] == definition


def test_the_standard_typeddict_with_its_requirements():
    found = schema(takes(list[Partial] | None))["$defs"]["Partial"]
    assert (found["required"], list(found["properties"])) == (["id"], ["id", "at"])


def many(
    a: int, b: str = "x", *, c: bool = False, _d: int = 1, schema: dict[str, int] | None = None, e: int = Field(5, ge=1)
): ...


def test_defaults_keyword_only_and_names_that_pydantic_would_refuse():
    assert schema(many) == {
        "type": "object",
        "properties": {
            "a": {"type": "integer"},
            "b": {"type": "string", "default": "x"},
            "c": {"type": "boolean", "default": False},
            "_d": {"type": "integer", "default": 1},
            "schema": {"anyOf": [{"type": "object", "additionalProperties": {"type": "integer"}}, {"type": "null"}], "default": None},
            "e": {"type": "integer", "default": 5, "minimum": 1},
        },
        "required": ["a"],
        "additionalProperties": False,
    }  # fmt: skip


def test_without_annotation_any_value_is_taken():
    def search(query, limit=10): ...

    assert parameters(search) == {"query": {}, "limit": {"default": 10}}


def test_a_default_that_is_no_json_is_not_told():
    marker = object()

    def function(a: Any = marker): ...

    assert parameters(function) == {"a": {}}
    signature = python_types.signature_of(function, "t", {})
    assert signature.bind(signature.model()) == ([], {})


def test_an_alias_of_the_user_is_the_name():
    def function(a: Annotated[int, Field(alias="from")]): ...

    assert list(parameters(function)) == ["from"]
    signature = python_types.signature_of(function, "t", {})
    assert signature.bind(signature.model.model_validate({"from": 1})) == ([], {"a": 1})


def test_extra_keywords_open_the_object():
    def function(a: int, **rest: float): ...

    assert schema(function)["additionalProperties"] == {"type": "number"}
    signature = python_types.signature_of(function, "t", {})
    assert signature.bind(signature.model.model_validate({"a": 1, "b": 2})) == ([], {"a": 1, "b": 2.0})


def test_positional_only_parameters_are_given_by_position():
    def function(a: int, b: int = 2, /, c: int = 3): ...

    signature = python_types.signature_of(function, "t", {})
    assert signature.bind(signature.model.model_validate({"a": 1, "c": 5})) == ([1, 2], {"c": 5})


class Methods:
    def bound(self, a: int): ...

    @classmethod
    def of_class(cls, a: int): ...

    @staticmethod
    def static(a: int): ...

    def __call__(self, a: int): ...


def wrapped():
    def inner(a: int): ...

    @functools.wraps(inner)
    def outer(*args: object, **kwargs: object): ...

    return outer


async def coroutine(a: int): ...


def two(b, a): ...


CALLABLES = [
    Methods().bound, Methods.of_class, Methods.static, Methods(), wrapped(), coroutine, functools.partial(two, 1),
]  # fmt: skip


@pytest.mark.parametrize("function", CALLABLES, ids=range(len(CALLABLES)))
def test_every_kind_of_callable(function):
    assert list(parameters(function)) == ["a"]


class Opaque: ...


def variadic(*args: int): ...


def unknown(a: Nowhere): ...  # noqa: F821


def opaque(a: int, b: Opaque): ...


def callback(b: Callable[[int], int]): ...


def broken(b: "1 +"): ...  # noqa: F722


REFUSED = [
    (variadic, "parameter '*args' has no JSON form; take a list under a name of its own"),
    (unknown, "an annotation cannot be evaluated: name 'Nowhere' is not defined"),
    (Methods.bound, "parameter 'self' shows a method; declare the bound one, instance.method"),
]


@pytest.mark.parametrize(("function", "text"), REFUSED)
def test_a_parameter_without_json_form(function, text):
    with pytest.raises(DeclarationError) as error:
        schema(function)
    assert str(error.value) == f"tool 't': {text}"


@pytest.mark.parametrize(("function", "name"), [(opaque, "b"), (callback, "b")])
def test_the_parameter_is_named(function, name):
    with pytest.raises(DeclarationError, match=f"tool 't': parameter {name!r} has no JSON form: "):
        schema(function)


def test_a_broken_annotation_is_the_programmers_error():
    with pytest.raises(DeclarationError, match="tool 't': an annotation cannot be evaluated"):
        schema(broken)


def test_local_types_come_from_the_namespace():
    class Local(BaseModel):
        a: int

    def function(x: Local, y: list[Local]): ...

    signature = python_types.signature_of(function, "t", {"Local": Local})
    assert list(signature.hints.values()) == [Local, list[Local]]


READ = [
    (Point, {"x": 1}, Point(1)),
    (Person, {"name": "a", "age": 3}, {"name": "a", "age": 3}),
    (Address, {"city": "上海"}, Address(city="上海")),
    (Even, {"n": 2, "when": "2024-05-01"}, Even(n=2, when=date(2024, 5, 1))),
    (list[Decimal], ["1.10"], [Decimal("1.10")]),
    (Color, "red", Color.RED),
]


@pytest.mark.parametrize(("hint", "value", "made"), READ)
def test_values_are_of_the_annotated_types(hint, value, made):
    assert python_types.read(python_types.adapter_of(hint, "t"), value, Mask()) == (made, ())


def test_what_validators_refuse_is_an_issue_at_its_place():
    adapter = python_types.adapter_of(list[Even | None], "t")
    issue = Issue(pointer="/0/n", keyword="constraint", message="value error, must be even", found=3)
    assert issue in python_types.read(adapter, [{"n": 3}], Mask())[1]


def test_a_sensitive_value_is_not_told():
    adapter = python_types.adapter_of(Even, "t")
    assert python_types.read(adapter, {"n": 3}, Mask(["n"])) == (
        None, (Issue(pointer="/n", keyword="constraint", message="not accepted", found="***"),),
    )  # fmt: skip


PLAIN = [
    int,
    str,
    Any,
    None,
    list[int],
    dict[str, list[float]],
    Optional[int],
    int | None,
    Literal["a", 1],
    Annotated[int, Ge(1)],
    Annotated[int, Field(ge=1, description="x")],
]
NOT_PLAIN = [
    date,
    Color,
    Point,
    Address,
    set[int],
    tuple[int, ...],
    Annotated[int, AfterValidator(abs)],
    Annotated[int, Field(strict=True)],
    list[date],
    SecretStr,
]


@pytest.mark.parametrize("hint", PLAIN, ids=range(len(PLAIN)))
def test_plain_types_say_no_more_than_their_schema(hint):
    assert python_types.is_plain(hint)


@pytest.mark.parametrize("hint", NOT_PLAIN, ids=range(len(NOT_PLAIN)))
def test_other_types_are_asked(hint):
    assert not python_types.is_plain(hint)


def google(query, limit): ...


google.__doc__ = """Search the catalogue.

    Only what is in stock.

    Args:
        query (str): words to
            look for
        limit: how many

    Returns:
        What was found.
    """


def numpy(query, limit): ...


numpy.__doc__ = """Search the catalogue.

    Only what is in stock.

    Parameters
    ----------
    query : str
        words to look for
    limit : int, optional
        how many
    """


def sphinx(query, limit): ...


sphinx.__doc__ = """Search the catalogue.

    Only what is in stock.

    :param query: words to look for
    :type query: str
    :param limit: how many
    :returns: what was found
    """


@pytest.mark.parametrize("function", [google, numpy, sphinx])
def test_docstrings(function):
    found = python_types.documentation(function)
    assert found.text == "Search the catalogue.\n\nOnly what is in stock."
    assert {name: text.replace("\n", " ") for name, text in found.parameters.items()} == {
        "query": "words to look for",
        "limit": "how many",
    }


def test_what_a_dataclass_writes_is_no_description():
    assert python_types.documentation(Point).text == ""


def test_no_docstring_is_no_description():
    assert python_types.documentation(many) == python_types.Documentation(text="", parameters={})


def test_a_description_in_the_annotation_goes_before_the_docstring():
    def function(a: Annotated[int, Field(description="annotated")], b: int = 1):
        """Do.

        Args:
            a: documented
            b: documented
        """

    found = parameters(function)
    assert (found["a"]["description"], found["b"]["description"]) == ("annotated", "documented")
