from __future__ import annotations

import asyncio
import copy
import dataclasses
import functools
import json
import pickle
import typing
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from types import SimpleNamespace

import pydantic
import pytest
from pydantic import BaseModel, field_validator

from argwright.errors import DeclarationError
from argwright.model import Issue
from argwright.policy import Certainty, Policy
from argwright.tool import Tool, made_from, tool

SCHEMA = {
    "type": "object",
    "properties": {
        "query": {"type": "string"},
        "unit": {"enum": ["celsius", "fahrenheit"]},
        "token": {"type": "string"},
    },
    "required": ["query"],
    "additionalProperties": False,
}


@tool
def bare(query: str, limit: int = 10) -> str:
    """Search.

    Args:
        query: words
    """
    return f"{query}/{limit}"


@tool(name="find", aliases={"q": "query"}, sensitive=["query"], description="Find it.")
def configured(query: str) -> str:
    """Search."""
    return query


@tool
async def later(when: date) -> date:
    """Wait."""
    return when


@dataclasses.dataclass
class Point:
    """A point.

    Attributes:
        x: across
    """

    x: int
    y: int = 0


class Order(BaseModel):
    """An order."""

    sku: str
    count: int = 1

    @field_validator("count")
    @classmethod
    def positive(cls, value: int) -> int:
        if value < 1:
            raise ValueError("at least one")
        return value


class Person(typing.TypedDict):
    name: str


CALL_ARGUMENTS = {"query": "上海", "limit": 3}


def test_a_decorated_function_is_a_tool_that_is_called_like_the_function():
    assert (bare.name, bare.description) == ("bare", "Search.")
    assert bare.schema == {
        "type": "object",
        "properties": {
            "query": {"type": "string", "description": "words"},
            "limit": {"type": "integer", "default": 10},
        },
        "required": ["query"],
        "additionalProperties": False,
    }
    assert bare("a", limit=2) == "a/2"
    assert bare.call(CALL_ARGUMENTS) == "上海/3"
    assert bare.call({"query": "a"}) == "a/10"


def test_the_decorator_takes_options():
    assert (configured.name, configured.description) == ("find", "Find it.")
    assert (configured.aliases, configured.sensitive) == ({"q": "query"}, frozenset({"query"}))


def test_a_function_is_wrapped_under_another_name():
    made = tool(bare.function, name="other", policy=Policy.EXACT)
    assert (made.name, made.policy, made.call({"query": "x"})) == ("other", Policy.EXACT, "x/10")


def test_an_async_function_gives_a_coroutine():
    assert asyncio.run(later.call({"when": "2024-02-29"})) == date(2024, 2, 29)


def test_undeclared_fields_are_refused_unless_asked_otherwise():
    def function(a: int, p: Point | None = None): ...

    closed, opened = tool(function), tool(function, additional_properties=True)
    assert (closed.compiled.is_valid({"a": 1, "b": 2}), opened.compiled.is_valid({"a": 1, "b": 2})) == (False, True)
    assert tool(lambda_like := function, additional_properties={"type": "integer"}).schema["additionalProperties"] == {
        "type": "integer"
    }
    assert opened.call({"a": 1, "b": 2}) is lambda_like(1)


def test_local_types_are_found():
    class Local(BaseModel):
        n: int

    @tool
    def function(local: Local, more: list[Local]) -> int:
        return local.n + len(more)

    assert function.call({"local": {"n": 2}, "more": [{"n": 1}]}) == 3
    assert function.replace(description="changed").call({"local": {"n": 2}, "more": []}) == 2


MODELS = [
    (Order, "An order.", {"sku": "a"}, Order(sku="a")),
    (Point, "A point.", {"x": 1}, Point(1)),
    (Person, "", {"name": "أحمد"}, {"name": "أحمد"}),
]


@pytest.mark.parametrize(("model", "description", "arguments", "value"), MODELS)
def test_a_type_is_a_tool_whose_value_is_its_instance(model, description, arguments, value):
    made = Tool.from_model(model)
    assert (made.name, made.description, made.model) == (model.__name__, description, model)
    assert made.compiled.is_valid(arguments)
    assert made.instance(arguments) == (value, ())
    assert made_from(model) == made


def test_a_types_docstring_describes_its_fields():
    assert Tool.from_model(Point).schema["properties"]["x"] == {"type": "integer", "description": "across"}


def test_a_type_is_as_open_as_it_says_unless_asked_otherwise():
    assert "additionalProperties" not in Tool.from_model(Order).schema
    assert Tool.from_model(Order, additional_properties=False).schema["additionalProperties"] is False


def test_a_function_of_a_type_gets_the_instance():
    made = Tool.from_model(Order, name="order", function=lambda order: order.sku)
    assert made.call({"sku": "x"}) == "x"
    assert made.call({"sku": "x"}, Order(sku="y")) == "y"


def test_what_only_the_types_validators_know_is_an_issue():
    issue = Issue(pointer="/count", keyword="constraint", message="value error, at least one", found=0)
    assert Tool.from_model(Order).instance({"sku": "a", "count": 0}) == (None, (issue,))
    assert later.instance({"when": "soon"})[1][0].pointer == "/when"
    assert later.instance({"when": "2024-01-01"}) == (None, ())
    assert bare.instance({"query": "a"}) == (None, ())
    assert Tool.from_schema("t", SCHEMA).instance({"query": "a"}) == (None, ())


def test_a_schema_with_a_function_is_called_with_keywords():
    made = Tool.from_schema("t", SCHEMA, function=lambda **arguments: arguments)
    assert made.call({"query": "a"}) == {"query": "a"}


def test_a_declared_tool_without_function_does_not_run():
    made = Tool.from_schema("t", SCHEMA)
    for run in (lambda: made.call({"query": "a"}), lambda: made("a")):
        with pytest.raises(DeclarationError, match="tool 't' has no function to run"):
            run()


def test_what_a_function_does_to_its_arguments_stays_with_it():
    arguments = {"query": {"a": [1]}}
    made = Tool.from_schema("t", {}, function=lambda query: query["a"].clear())
    made.call(arguments)
    tool(lambda query: query["a"].clear(), name="t").call(arguments)
    assert arguments == {"query": {"a": [1]}}


class Strict(BaseModel, strict=True):
    when: date


def test_a_strict_type_takes_what_json_can_say():
    made = Tool.from_model(Strict, function=lambda strict: strict.when)
    assert made.instance({"when": "2024-01-02"}) == (Strict(when=date(2024, 1, 2)), ())
    assert made.call({"when": "2024-01-02"}) == date(2024, 1, 2)


def test_an_mcp_tool():
    listed = {
        "name": "m",
        "description": "d",
        "inputSchema": SCHEMA,
        "annotations": {"readOnlyHint": True, "title": None},
    }
    made = Tool.from_mcp(listed, aliases={"q": "query"})
    assert (made.name, made.description, made.schema, made.annotations) == ("m", "d", SCHEMA, {"readOnlyHint": True})
    assert Tool.from_mcp(SimpleNamespace(**listed), aliases={"q": "query"}) == made
    assert made_from(listed, aliases={"q": "query"}) == made
    with pytest.raises(DeclarationError, match="tool 'm': an MCP tool has an 'inputSchema'"):
        Tool.from_mcp({"name": "m"})


def test_an_openai_declaration():
    function = {"name": "o", "description": "d", "parameters": SCHEMA, "strict": True}
    made = Tool.from_openai({"type": "function", "function": function})
    assert (made.name, made.description, made.schema) == ("o", "d", SCHEMA)
    assert Tool.from_openai({"type": "function", **function}) == made
    assert made_from({"type": "function", **function}) == made
    bare_one = Tool.from_openai({"type": "function", "function": {"name": "o"}})
    assert (bare_one.compiled.is_valid({}), bare_one.compiled.is_valid({"a": 1})) == (True, False)


WRONG = [
    (lambda: Tool.from_schema("", SCHEMA), "a tool's name is a non-empty string, not ''"),
    (lambda: Tool.from_schema("t", {"type": "string"}), "tool 't': bad schema at /type: arguments are an object, nothing else"),
    (lambda: Tool.from_schema("t", {"type": "objekt"}), "tool 't': bad schema at /type: 'objekt' is not one of ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'] (did you mean 'object'?)"),
    (lambda: Tool.from_schema("t", SCHEMA, aliases={"query": "unit"}), "tool 't': alias 'query': 'query' is itself a declared field"),
    (lambda: Tool.from_schema("t", SCHEMA, value_aliases={"unit": {"C": "K"}}), "tool 't': value alias of 'unit': 'K' is not one of ['celsius', 'fahrenheit']"),
    (lambda: Tool.from_schema("t", SCHEMA, sensitive="token"), "tool 't': sensitive is a collection of non-empty names, not 'token'"),
    (lambda: Tool.from_schema("t", SCHEMA, name_aliases="old"), "tool 't': name_aliases is a collection of non-empty names, not 'old'"),
    (lambda: tool(lambda a: a), "a lambda has no name; say tool(function, name=…)"),
    (lambda: tool(3), "int declares no tool; known are functions, types, MCP tools and OpenAI declarations"),
]  # fmt: skip


@pytest.mark.parametrize(("make", "text"), WRONG, ids=range(len(WRONG)))
def test_a_wrong_declaration_names_tool_and_place(make, text):
    with pytest.raises(DeclarationError) as error:
        make()
    assert str(error.value) == text


DESTROYS = {"destructiveHint": True}
POLICIES = [
    ({}, None, Policy.STANDARD, Policy.STANDARD),
    ({}, Policy.STRICT, Policy.LENIENT, Policy.STRICT),
    (DESTROYS, None, Policy.STANDARD, Policy(certainty=Certainty.EXACT)),
    (
        DESTROYS,
        None,
        Policy(certainty=Certainty.GUESS, split_glued=True, drop_undeclared=True),
        Policy(certainty=Certainty.EXACT),
    ),
    (DESTROYS, None, Policy.STRICT, Policy.STRICT),
    (DESTROYS, Policy.STANDARD, Policy.LENIENT, Policy.STANDARD),
    ({"destructiveHint": False}, None, Policy.STANDARD, Policy.STANDARD),
    ({"destructiveHint": "true"}, None, Policy.STANDARD, Policy.STANDARD),
    ({"readOnlyHint": True}, None, Policy.STANDARD, Policy.STANDARD),
]


@pytest.mark.parametrize(("annotations", "own", "given", "holds"), POLICIES)
def test_policies(annotations, own, given, holds):
    assert Tool.from_schema("t", SCHEMA, annotations=annotations, policy=own).effective_policy(given) == holds


def test_the_declared_schema_is_a_copy():
    schema = copy.deepcopy(SCHEMA)
    made = Tool.from_schema("t", schema)
    schema["properties"]["query"]["type"] = "integer"
    assert made.schema == SCHEMA
    assert made.compiled.schema is made.schema


def test_it_is_frozen():
    with pytest.raises(dataclasses.FrozenInstanceError):
        bare.name = "x"  # type: ignore[misc]


TOOLS = [
    bare,
    configured,
    later,
    Tool.from_schema("t", SCHEMA, value_aliases={"unit": {"C": "celsius"}}),
    Tool.from_model(Order),
]


@pytest.mark.parametrize("made", TOOLS, ids=lambda made: made.name)
def test_pickled_it_is_the_same(made):
    again = pickle.loads(pickle.dumps(made))
    assert again == made
    assert hash(again) == hash(made)
    assert again.function is made.function
    assert again.compiled.is_valid({"query": "a"}) == made.compiled.is_valid({"query": "a"})
    if made is bare:
        assert again.call({"query": "a"}) == "a/10"


def test_equality_is_by_value():
    assert Tool.from_schema("t", SCHEMA) == Tool.from_schema("t", dict(SCHEMA))
    assert Tool.from_schema("t", SCHEMA) != Tool.from_schema("t", SCHEMA, description="other")


def test_to_dict_is_json_and_names_the_function():
    shown = configured.to_dict()
    json.dumps(shown)
    assert (shown["name"], shown["sensitive"], shown["function"]) == ("find", ["query"], f"{__name__}:configured")


def test_repr_shows_names_only():
    assert repr(configured) == "Tool('find', fields=['query'])"


def test_a_password_field_is_sensitive_by_itself():
    made = Tool.from_schema("t", {"properties": {"pin": {"type": "integer", "format": "password"}}})
    assert made.sensitive == frozenset({"pin"})
    assert made.compiled.issues({"pin": "1234"})[0].found == "***"


def test_threads_share_a_tool():
    fresh = functools.partial(Tool.from_schema, "t", SCHEMA)
    made = fresh()
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda n: (made.compiled.is_valid({"query": n}), made.shape.required), [1, "a"] * 50))
    assert found == [(False, frozenset({"query"})), (True, frozenset({"query"}))] * 50


def test_nested_objects_of_a_function_are_closed_as_the_function_is():
    class Options(pydantic.BaseModel):
        dry_run: bool = False

    class Free(pydantic.BaseModel):
        model_config = pydantic.ConfigDict(extra="allow")
        x: int = 0

    def apply(options: Options, free: Free) -> None: ...

    closed = Tool.from_function(apply).schema["$defs"]
    assert closed["Options"]["additionalProperties"] is False
    assert closed["Free"]["additionalProperties"] is True
    asked = Tool.from_function(apply, additional_properties=True).schema["$defs"]
    assert "additionalProperties" not in asked["Options"]
