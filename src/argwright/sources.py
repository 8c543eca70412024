"""Reading what declares a tool: names, members of dicts and SDK objects, a schema proven to be JSON."""

from __future__ import annotations

import inspect
import json
from collections.abc import Collection, Mapping
from dataclasses import is_dataclass
from functools import partial
from importlib import import_module
from typing import Any

from typing_extensions import is_typeddict

from argwright.errors import DeclarationError
from argwright.model import Json


def checked_name(name: Any) -> str:
    """The name of a tool.

    Raises:
        DeclarationError: it is empty or no text.
    """
    if not isinstance(name, str) or not name:
        raise DeclarationError(f"a tool's name is a non-empty string, not {name!r}")
    return name


def checked_names(entries: Any, name: str, what: str) -> tuple[str, ...]:
    """A collection of names, each once.

    Raises:
        DeclarationError: it is a single text, or an entry is empty or no text.
    """
    if isinstance(entries, str) or not all(isinstance(entry, str) and entry for entry in entries):
        raise DeclarationError(f"tool {name!r}: {what} is a collection of non-empty names, not {entries!r}")
    return tuple(dict.fromkeys(entries))


def json_copy(schema: Any, name: str) -> dict[str, Json]:
    """A schema's copy that nobody else can change, proven to be JSON.

    Raises:
        DeclarationError: it is no JSON object.
    """
    if not isinstance(schema, Mapping):
        raise DeclarationError(f"tool {name!r}: a schema is a JSON object, not {type(schema).__name__}")
    try:
        copied: dict[str, Json] = json.loads(json.dumps(dict(schema), allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        raise DeclarationError(f"tool {name!r}: bad schema: {error}") from error
    return copied


def checked_run(name: str, schema: Mapping[str, Json], injected: Collection[str], timeout: float | None) -> None:
    """What is said of how a tool runs.

    Raises:
        DeclarationError: the model could write an injected parameter, or the timeout is no time.
    """
    properties = schema.get("properties")
    for hidden in injected:
        if isinstance(properties, dict) and hidden in properties:
            raise DeclarationError(f"tool {name!r}: the schema declares {hidden!r}, which is injected")
    if timeout is not None and not timeout > 0:
        raise DeclarationError(f"tool {name!r}: a timeout is a number of seconds above 0, not {timeout!r}")


def is_model(source: Any) -> bool:
    """Whether it is a type whose instances arguments can become: a pydantic model, a dataclass or a TypedDict."""
    if not inspect.isclass(source) or is_dataclass(source) or is_typeddict(source):
        return inspect.isclass(source)
    from pydantic import BaseModel  # noqa: PLC0415  # it takes long to load, and many tools need it not

    return issubclass(source, BaseModel)


def function_name(function: Any) -> str:
    """The name a function goes by.

    Raises:
        DeclarationError: it has none.
    """
    while isinstance(function, partial):
        function = function.func
    name = getattr(function, "__name__", None) or type(function).__name__
    if name == "<lambda>":
        raise DeclarationError("a lambda has no name; say tool(function, name=…)")
    return str(name)


def described(options: Mapping[str, Any], text: str) -> dict[str, Any]:
    """The options that were said, with the description that the source itself gives unless another was said."""
    return {"description": text, **{key: value for key, value in options.items() if value is not None}}


def member(source: Any, key: str) -> Any:
    """A member of a dict, or of an SDK's object; `None` if there is none."""
    return source.get(key) if isinstance(source, Mapping) else getattr(source, key, None)


def mapping(source: Any) -> dict[str, Any]:
    """The members of a dict, or of an SDK's object, that are set."""
    if hasattr(source, "model_dump"):
        source = source.model_dump(exclude_none=True)
    return {key: value for key, value in dict(source or {}).items() if value is not None}


def caller_names() -> dict[str, Any]:
    """The names local to whoever declares the tool, for annotations that use them."""
    frame = inspect.currentframe()
    while frame and frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] == __package__:
        frame = frame.f_back
    return dict(frame.f_locals) if frame else {}


def qualname(target: Any) -> str:
    """The qualified name of a function, or that of the type of an object that is called like one."""
    return str(getattr(target, "__qualname__", type(target).__qualname__))


def imported(place: Any) -> Any:
    """What stands at a place given by module and qualified name; anything else is itself.

    Raises:
        ImportError: there is no such module.
        AttributeError: nothing in it has the name.
    """
    if not isinstance(place, tuple):
        return place
    module, name = place
    found: Any = import_module(module)
    for part in name.split("."):
        found = getattr(found, part)
    return found
