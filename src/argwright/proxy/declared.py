"""What a request to the gateway's own endpoints declares → a toolbox.

Declarations come in any provider's form, as MCP lists them, as an object of schemas by name, or as plain JSON Schemas
with a title. The configuration and the request's own aliases are laid over them. The same declarations come again and
again, and compiling costs more than resolving, so the last toolboxes are kept.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache

from argwright.declarations import tools_from
from argwright.errors import DeclarationError
from argwright.model import Json
from argwright.proxy.configured import Configured, with_settings
from argwright.proxy.settings import Mending
from argwright.shape import json_type
from argwright.tool import Tool
from argwright.toolbox import Toolbox
from argwright.wording import hint, likely

_SCHEMAS = ("parameters", "input_schema", "inputSchema", "parametersJsonSchema", "parameters_json_schema", "schema")


class BadAliasError(DeclarationError):
    """The request's aliases fit nothing that it declares."""


def toolbox(declared: Json, aliases: Mapping[str, Json], mending: Mending) -> Toolbox:
    """The declared tools, with what the configuration and the request say of them.

    Raises:
        BadAliasError: an alias does not fit.
        DeclarationError: a declaration is wrong, or nothing declares a function.
    """
    return _built(json.dumps(declared), json.dumps(aliases), Configured(mending))


@lru_cache(maxsize=128)
def _built(declared: str, aliases: str, configured: Configured) -> Toolbox:
    mending = configured.mending
    tools = [with_settings(tool, mending.tools.get(tool.name)) for tool in _tools(json.loads(declared))]
    tools = _aliased(tools, json.loads(aliases))
    return Toolbox(tools, policy=mending.policy, limits=mending.limits, without=mending.without)


def _tools(declared: Json) -> list[Tool]:
    tools = list(_declared(declared))
    if declared and not tools:
        raise DeclarationError("nothing in it declares a function with its parameters")
    return tools


def _declared(declared: Json) -> Iterator[Tool]:
    """The tools of a list in any provider's form, or of an object by name."""
    if isinstance(declared, list):
        yield from tools_from([_spelled(entry) for entry in declared])
    elif any(isinstance(value, list) for value in declared.values()):  # {"tools": […]}, as MCP lists them
        yield from tools_from(declared)
    else:
        for name, entry in declared.items():
            yield _named(name, entry)


def _spelled(entry: Json) -> Json:
    """A plain declaration, `{"name", "schema"}` or a JSON Schema with a title, as providers spell it."""
    if not isinstance(entry, dict):
        raise DeclarationError(f"a declaration is an object, not {json_type(entry)}")
    if "name" in entry and isinstance(entry.get("schema"), dict):
        return {"name": entry["name"], "parameters": entry["schema"]}
    if "name" not in entry and isinstance(entry.get("title"), str) and "properties" in entry:
        return {"name": entry["title"], "parameters": entry}
    return entry


def _named(name: str, entry: Json) -> Tool:
    """One member of an object of tools: a schema, or a declaration without its name."""
    if isinstance(entry, dict) and not {"properties", "$ref", "allOf"} & entry.keys():
        inner = next((entry[key] for key in _SCHEMAS if isinstance(entry.get(key), dict)), None)
        entry = entry if inner is None else inner
    return Tool.from_schema(name, entry)


def _aliased(tools: list[Tool], aliases: Mapping[str, Json]) -> list[Tool]:
    """The tools with the request's aliases: by the tool's name, or one table for whichever tool an alias fits."""
    if any(isinstance(value, dict) for value in aliases.values()):
        return _aliased_by_name(tools, aliases)
    for old, new in aliases.items():
        tools = _aliased_where_fitting(tools, old, new)
    return tools


def _aliased_by_name(tools: list[Tool], aliases: Mapping[str, Json]) -> list[Tool]:
    names = [tool.name for tool in tools]
    for name, table in aliases.items():
        if name not in names:
            raise BadAliasError(f"no tool {name!r}{hint(likely(name, names))}")
        if not isinstance(table, dict):
            raise BadAliasError(f"{name!r}: an object of old names was expected, found {json_type(table)}")
    try:
        return [replace(tool, aliases={**tool.aliases, **aliases.get(tool.name, {})}) for tool in tools]
    except DeclarationError as error:
        raise BadAliasError(str(error)) from None


def _aliased_where_fitting(tools: list[Tool], old: str, new: Json) -> list[Tool]:
    told: list[Tool] = []
    errors: list[DeclarationError] = []
    for tool in tools:
        try:
            told.append(replace(tool, aliases={**tool.aliases, old: new}))
        except DeclarationError as error:
            told.append(tool)
            errors.append(error)
    if errors and len(errors) == len(tools):
        raise BadAliasError(str(errors[0]))
    return told
