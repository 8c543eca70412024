"""Python functions and types → JSON Schema, and JSON arguments → Python values; both by pydantic.

A function's parameters become one pydantic model, so that what is declared to the model
and what the function is called with come from the same annotations. Parameter names are
hidden behind aliases, since pydantic would refuse some that Python allows (`_x`,
`schema`). Descriptions come from the docstring (Google, NumPy or Sphinx style) where
`Field(description=…)` does not say better.

A parameter without annotation takes any JSON value; `**extra` opens the object;
`*args` has no JSON form and is refused.
"""

from __future__ import annotations

import functools
import inspect
import sys
import types
import typing
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from inspect import Parameter
from typing import Annotated, Any

import docstring_parser
import typing_extensions
from pydantic import BaseModel, ConfigDict, Field, PydanticUserError, TypeAdapter, ValidationError, create_model
from pydantic.errors import PydanticInvalidForJsonSchema
from pydantic.fields import FieldInfo
from pydantic.json_schema import GenerateJsonSchema

from argwright import pointer
from argwright.errors import DeclarationError
from argwright.mask import Mask
from argwright.model import MASK, Issue, compact
from argwright.wording import brief, shorten

_UNFIT = (PydanticUserError, PydanticInvalidForJsonSchema, TypeError, NameError, AttributeError)
_KINDS = {Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD}


class Injected:
    """Marks a parameter that the program fills in, not the model: `db: Annotated[Database, Injected]`.

    Neither the schema nor any message to the model shows it.
    """


class _Plain(GenerateJsonSchema):
    """pydantic's generator without the titles it makes up, and silent about defaults that are no JSON."""

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002  # pydantic's interface
        return False

    def emit_warning(self, kind: Any, detail: str) -> None:
        pass


@dataclass(frozen=True, kw_only=True)
class Documentation:
    """What a docstring says: the summary, and each parameter's description."""

    text: str = ""
    parameters: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class Signature:
    """A function's parameters as a model.

    Args:
        model: a pydantic model with a field `arg_0`, `arg_1`, … for each parameter, whose alias is its name.
        parameters: the parameters in order, `**extra` and injected ones left out.
        hints: their annotations, evaluated.
        injected: the parameters that the program fills in.
    """

    model: type[BaseModel]
    parameters: tuple[Parameter, ...]
    hints: Mapping[str, Any]
    injected: tuple[str, ...] = ()

    def bind(self, value: BaseModel) -> tuple[list[Any], dict[str, Any]]:
        """What the function is called with: positional and keyword arguments; absent ones are left to its defaults."""
        args: list[Any] = []
        kwargs: dict[str, Any] = {}
        for index, parameter in enumerate(self.parameters):
            field = _field(index)
            given = field in value.model_fields_set or isinstance(parameter.default, FieldInfo)
            if parameter.kind is Parameter.POSITIONAL_ONLY:
                args.append(getattr(value, field) if given else parameter.default)
            elif given:
                kwargs[parameter.name] = getattr(value, field)
        if self.model.model_config.get("extra") == "allow":
            kwargs |= value.model_extra or {}
        return args, kwargs


def signature_of(
    function: Callable[..., Any],
    tool: str,
    namespace: Mapping[str, Any],
    *,
    closed: bool = True,
    injected: Collection[str] = (),
) -> Signature:
    """Read a function's parameters.

    Args:
        function: a function, bound method, partial or callable object, sync or async.
        tool: the tool's name, for the error's text.
        namespace: names that annotations may use besides the function's globals.
        closed: undeclared fields are refused, in dataclasses and TypedDicts among the parameters too.
        injected: parameters that the program fills in, besides those that are marked so.

    Raises:
        DeclarationError: a parameter has no JSON form.
    """
    given = _parameters(function, tool)
    told = _hints(function, given, tool, namespace)
    hidden = _injected(given, told, tool, injected)
    parameters = tuple(p for p in given if p.name not in hidden)
    hints = {name: hint for name, hint in told.items() if name not in hidden}
    described = documentation(function).parameters
    extra = next((p for p in parameters if p.kind is Parameter.VAR_KEYWORD), None)
    plain = tuple(p for p in parameters if p.kind not in _KINDS)
    fields = {
        _field(index): (_annotated(p.name, hints.get(p.name, Any), described.get(p.name)), _default(p))
        for index, p in enumerate(plain)
    }
    try:
        model = create_model("arguments", __base__=_base(extra, hints, closed=closed), **fields)  # type: ignore[call-overload]  # fields by name
    except _UNFIT as error:
        raise _unfit(error, tool, hints) from error
    return Signature(model=model, parameters=plain, hints=hints, injected=hidden)


def _injected(
    parameters: Sequence[Parameter], hints: Mapping[str, Any], tool: str, named: Collection[str]
) -> tuple[str, ...]:
    """The parameters that the program fills in: those that are marked, and those that are named."""
    marks = {name: getattr(hint, "__metadata__", ()) for name, hint in hints.items()}
    marked = {
        name for name, found in marks.items() if any(mark is Injected or isinstance(mark, Injected) for mark in found)
    }
    known = {p.name: p for p in parameters}
    for name in sorted({*named, *marked}):
        if name not in known or known[name].kind in (*_KINDS, Parameter.POSITIONAL_ONLY):
            raise DeclarationError(f"tool {tool!r}: {name!r} is no parameter that can be injected by its name")
    return tuple(p.name for p in parameters if p.name in marked or p.name in named)


def _field(index: int) -> str:
    return f"arg_{index}"


def _default(parameter: Parameter) -> Any:
    return ... if parameter.default is Parameter.empty else parameter.default


def _base(extra: Parameter | None, hints: Mapping[str, Any], *, closed: bool) -> type[BaseModel]:
    """The base of the arguments' model: closed, or open, with `**extra` for what is not declared."""
    if extra is None:
        config, annotations = ConfigDict(extra="forbid" if closed else "ignore"), {}
    else:
        config = ConfigDict(extra="allow")
        annotations = {"__pydantic_extra__": dict[str, hints.get(extra.name, Any)]}  # type: ignore[misc]  # a type at run time
    body = {"__module__": __name__, "__annotations__": annotations, "model_config": config}
    return type("arguments", (BaseModel,), body)


def _annotated(name: str, hint: Any, description: str | None) -> Any:
    """The annotation with its name as alias; what the user says in `Field` comes later and wins."""
    metadata: tuple[Any, ...] = ()
    if typing.get_origin(hint) is Annotated:
        hint, metadata = hint.__origin__, hint.__metadata__
    return Annotated[(hint, Field(alias=name, description=description), *metadata)]


def _parameters(function: Callable[..., Any], tool: str) -> tuple[Parameter, ...]:
    try:
        parameters = tuple(inspect.signature(function).parameters.values())
    except (ValueError, TypeError, NameError) as error:
        raise DeclarationError(f"tool {tool!r}: its signature cannot be read: {error}") from error
    for parameter in parameters:
        if parameter.kind is Parameter.VAR_POSITIONAL:
            raise DeclarationError(
                f"tool {tool!r}: parameter '*{parameter.name}' has no JSON form; take a list under a name of its own"
            )
    if parameters and parameters[0].name in ("self", "cls") and _in_class(function):
        raise DeclarationError(
            f"tool {tool!r}: parameter {parameters[0].name!r} shows a method; declare the bound one, instance.method"
        )
    return parameters


def _in_class(function: Callable[..., Any]) -> bool:
    owner = getattr(function, "__qualname__", "").rpartition(".")[0]
    return bool(owner) and not owner.endswith("<locals>") and not inspect.ismethod(function)


def _plain_function(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function behind partials, wrappers, methods and callable objects: where annotations and docstring stand."""
    while isinstance(function, functools.partial):
        function = function.func
    function = inspect.unwrap(function)
    if not inspect.isroutine(function) and not inspect.isclass(function):
        function = type(function).__call__
    return getattr(function, "__func__", function)


def _hints(
    function: Callable[..., Any], parameters: Sequence[Parameter], tool: str, namespace: Mapping[str, Any]
) -> dict[str, Any]:
    """The parameters' annotations, evaluated; the returned type is nobody's business here."""
    written = {p.name: p.annotation for p in parameters if p.annotation is not Parameter.empty}
    holder = types.SimpleNamespace(__annotations__=written)
    known = getattr(_plain_function(function), "__globals__", {})
    try:
        hints = _evaluated(holder, known, namespace)
    except (NameError, TypeError, AttributeError, SyntaxError) as error:
        raise DeclarationError(f"tool {tool!r}: an annotation cannot be evaluated: {error}") from error
    return {name: portable(hint) for name, hint in hints.items()}


def _evaluated(holder: Any, known: dict[str, Any], namespace: Mapping[str, Any]) -> dict[str, Any]:
    try:
        return typing.get_type_hints(holder, globalns=known, include_extras=True)
    except NameError:  # a type that is local to the caller
        return typing.get_type_hints(holder, globalns=known, localns=dict(namespace), include_extras=True)


def _unfit(error: Exception, tool: str, hints: Mapping[str, Any]) -> DeclarationError:
    """Name the parameter whose type pydantic cannot take."""
    for name, hint in hints.items():
        try:
            create_model("probe", **{_field(0): (hint, ...)}).model_json_schema(schema_generator=_Plain)  # type: ignore[call-overload]  # fields by name
        except _UNFIT as cause:
            return DeclarationError(f"tool {tool!r}: parameter {name!r} has no JSON form: {_first_line(cause)}")
    return DeclarationError(f"tool {tool!r}: {_first_line(error)}")


def _first_line(error: Exception) -> str:
    return shorten(str(error).split("\n", 1)[0], 300)


def is_plain(hint: Any) -> bool:
    """Whether JSON Schema says all that the annotation says, so that a valid value needs no second look."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is Annotated:
        return is_plain(arguments[0]) and all(_says_no_more(item) for item in hint.__metadata__)
    if origin is typing.Literal:
        return all(isinstance(item, (str, int, type(None))) for item in arguments)
    if origin in (list, dict, typing.Union, types.UnionType):
        return all(is_plain(item) for item in arguments)
    return hint in (str, int, float, bool, None, type(None), Any, list, dict)


def _says_no_more(metadata: Any) -> bool:
    """Bounds and descriptions stand in the schema; validators do not."""
    parts = metadata.metadata if isinstance(metadata, FieldInfo) else [metadata]
    return all(type(part).__module__ == "annotated_types" for part in parts)


def portable(hint: Any) -> Any:
    """The type as pydantic takes it: before Python 3.12 it refuses the standard library's `TypedDict`."""
    if sys.version_info >= (3, 12):
        return hint
    if typing.is_typeddict(hint) and type(hint).__module__ == "typing":
        return _typed_dict(hint)
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if not arguments or origin in (typing.Literal, Annotated):
        return Annotated[(portable(hint.__origin__), *hint.__metadata__)] if origin is Annotated else hint
    parts: tuple[Any, ...] = tuple(portable(item) for item in arguments)
    if parts == arguments:
        return hint
    if origin is types.UnionType:
        return functools.reduce(lambda one, other: one | other, parts)
    return hint.copy_with(parts) if hasattr(hint, "copy_with") else origin[parts]


def _typed_dict(hint: Any) -> Any:
    fields = {}
    for name, part in typing.get_type_hints(hint, include_extras=True).items():
        if typing.get_origin(part) in (typing.Required, typing.NotRequired):
            fields[name] = typing.get_origin(part)[portable(typing.get_args(part)[0])]
        else:
            wrapper = typing.Required if name in hint.__required_keys__ else typing.NotRequired
            fields[name] = wrapper[portable(part)]
    copied = typing_extensions.TypedDict(hint.__name__, fields)  # type: ignore[misc]  # a type made at run time
    copied.__doc__, copied.__module__ = hint.__doc__, hint.__module__
    return copied


def adapter_of(model: Any, tool: str) -> TypeAdapter[Any]:
    """The reader of a pydantic model, dataclass or TypedDict.

    Raises:
        DeclarationError: pydantic cannot read this type.
    """
    try:
        return TypeAdapter(portable(model))
    except _UNFIT as error:
        raise DeclarationError(f"tool {tool!r}: {model!r} has no JSON form: {_first_line(error)}") from error


def close_nested(schema: dict[str, Any]) -> None:
    """Refuse undeclared fields in the nested objects of a schema just made, unless their types say that they take any.

    A field that no nested type knows would be dropped on the way to the function, and nobody would know.
    """
    for node in schema.get("$defs", {}).values():
        if isinstance(node.get("properties"), dict):
            node.setdefault("additionalProperties", False)


def schema_of(source: TypeAdapter[Any] | type[BaseModel], tool: str, hints: Mapping[str, Any]) -> dict[str, Any]:
    """The JSON Schema by which input is read.

    Args:
        source: a type's adapter, or the model of a function's parameters.
        tool: the tool's name, for the error's text.
        hints: annotations by parameter, to name the one without a JSON form.

    Raises:
        DeclarationError: the type has no JSON Schema.
    """
    try:
        if isinstance(source, TypeAdapter):
            schema = source.json_schema(schema_generator=_Plain)
        else:
            schema = source.model_json_schema(schema_generator=_Plain)
    except _UNFIT as error:
        raise _unfit(error, tool, hints) from error
    schema.pop("title", None)
    return schema


def made(adapter: TypeAdapter[Any], arguments: dict[str, Any]) -> Any:
    """The Python value of JSON arguments.

    Raises:
        pydantic.ValidationError: the type's own validators have something against them.
    """
    try:
        return adapter.validate_python(arguments)
    except ValidationError:  # a strict type takes a date's text only as JSON
        return adapter.validate_json(compact(arguments).encode("utf-8", "replace"))


def read(adapter: TypeAdapter[Any], arguments: dict[str, Any], mask: Mask) -> tuple[Any, tuple[Issue, ...]]:
    """The Python value of JSON arguments, or what the type's own validators have against them."""
    try:
        return made(adapter, arguments), ()
    except ValidationError as error:
        faults = error.errors(include_url=False, include_context=False)
        return None, tuple(_issue(fault, arguments, mask) for fault in faults)


def _issue(fault: Mapping[str, Any], arguments: Any, mask: Mask) -> Issue:
    path, value = _place(fault["loc"], arguments)
    hidden = mask.covers(path)
    message = "not accepted" if hidden else shorten(fault["msg"][:1].lower() + fault["msg"][1:], 200)
    return Issue(
        pointer=pointer.join(path), keyword="constraint", message=message, found=MASK if hidden else brief(value)
    )


def _place(loc: Sequence[str | int], arguments: Any) -> tuple[tuple[str | int, ...], Any]:
    """The path within the arguments; pydantic's own steps (the branch of a union, a validator) are left out."""
    path: list[str | int] = []
    value: Any = arguments
    for token in loc:
        if token in _keys(value):
            path.append(token)
            value = value[token]
    return tuple(path), value


def _keys(value: Any) -> Collection[str | int]:
    return range(len(value)) if isinstance(value, list) else value if isinstance(value, dict) else ()


def documentation(source: Any) -> Documentation:
    """What the docstring of a function or class says."""
    if not inspect.isclass(source) and callable(source):
        source = _plain_function(source)
    text = inspect.cleandoc(getattr(source, "__doc__", None) or "")
    if inspect.isclass(source) and text.startswith(f"{source.__name__}("):  # what `dataclass` writes
        text = ""
    try:
        parsed = docstring_parser.parse(text)
    except docstring_parser.ParseError:
        return Documentation(text=text, parameters={})
    described = {p.arg_name.lstrip("*"): p.description.strip() for p in parsed.params if p.description}
    parts = [part.strip() for part in (parsed.short_description, parsed.long_description) if part]
    return Documentation(text="\n\n".join(parts), parameters=described)
