from __future__ import annotations

from types import SimpleNamespace

import pytest

from argwright.declarations import tools_from
from argwright.errors import DeclarationError

SCHEMA = {"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"]}
GOOGLE = {"type": "OBJECT", "properties": {"q": {"type": "STRING", "enum": ["STRING"]}, "type": {"type": "INTEGER"}}}
FUNCTION = {"name": "a", "description": "d", "parameters": SCHEMA}

DECLARED = {
    "openai-chat": [{"type": "function", "function": FUNCTION}],
    "openai-responses": [{"type": "function", "strict": True, **FUNCTION}],
    "anthropic": [{"name": "a", "description": "d", "input_schema": SCHEMA}],
    "mcp": {"tools": [{"name": "a", "description": "d", "inputSchema": SCHEMA}]},
    "gemini": [{"functionDeclarations": [FUNCTION]}],
    "gemini in JSON Schema": [
        {"function_declarations": [{"name": "a", "description": "d", "parametersJsonSchema": SCHEMA}]}
    ],
    "bedrock-converse": {"tools": [{"toolSpec": {"name": "a", "description": "d", "inputSchema": {"json": SCHEMA}}}]},
    "ag-ui": [{"name": "a", "description": "d", "parameters": SCHEMA}],
    "objects": [
        SimpleNamespace(type="function", function=SimpleNamespace(name="a", description="d", parameters=SCHEMA))
    ],
    "beside what the provider runs": [
        {"type": "web_search"},
        {"type": "function", "function": FUNCTION},
        {"googleSearch": {}},
    ],
    "beside a free-text tool": [
        {"type": "custom", "custom": {"name": "sql"}},
        {"type": "function", "function": FUNCTION},
    ],
}


@pytest.mark.parametrize("form", DECLARED)
def test_every_form(form):
    assert [(t.name, t.description, t.schema) for t in tools_from(DECLARED[form])] == [("a", "d", SCHEMA)]


def test_googles_type_names_are_read_as_json_schemas():
    (made,) = tools_from([{"functionDeclarations": [{"name": "a", "parameters": GOOGLE}]}])
    assert made.schema == {
        "type": "object",
        "properties": {"q": {"type": "string", "enum": ["STRING"]}, "type": {"type": "integer"}},
    }


NOTHING = [
    [{"type": "function", "function": {"name": "a"}}],
    [{"type": "function", "name": "a", "parameters": None}],
    [{"functionDeclarations": [{"name": "a"}]}],
]


@pytest.mark.parametrize("declared", NOTHING, ids=range(3))
def test_without_a_schema_a_function_takes_nothing(declared):
    (made,) = tools_from(declared)
    assert (made.compiled.is_valid({}), made.compiled.is_valid({"x": 1})) == (True, False)


def test_annotations_of_an_mcp_tool_are_kept():
    (made,) = tools_from([{"name": "a", "inputSchema": SCHEMA, "annotations": {"destructiveHint": True}}])
    assert made.annotations == {"destructiveHint": True}


@pytest.mark.parametrize("declared", ["tools", None, [None], ["x"]])
def test_what_is_no_list_is_the_programmers_error(declared):
    with pytest.raises(DeclarationError, match="a list of declarations was expected"):
        list(tools_from(declared))


def test_a_wrong_declaration_is_named():
    with pytest.raises(DeclarationError, match="tool 'a': bad schema at /type"):
        list(tools_from([{"type": "function", "function": {"name": "a", "parameters": {"type": "objekt"}}}]))
    with pytest.raises(DeclarationError, match="non-empty string"):
        list(tools_from([{"type": "function", "function": {"parameters": {}}}]))
