"""One declared tool: the schema that the model sees is the schema that validates.

A tool is made from a JSON Schema, a function, a type, or a declaration that exists
already (MCP, OpenAI). It is a value: frozen, compared by its fields, picklable (the
function by reference, what was compiled is compiled again), and everything that can be
wrong about it is a `DeclarationError` when it is made.

A decorated function becomes a `Tool` that is still called like the function. What makes
tools of Python's types stands on pydantic, and is imported when there is such a tool.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from copy import deepcopy
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Unpack, overload

from argwright import aliases as alias_tables
from argwright import sources
from argwright.errors import DeclarationError
from argwright.mask import Mask
from argwright.model import Issue, Json, Value
from argwright.options import DecoratorOptions, ToolOptions
from argwright.policy import Certainty, Policy
from argwright.schema import CompiledSchema, compile_schema
from argwright.shape import Shape

if TYPE_CHECKING:
    from pydantic import TypeAdapter

    from argwright import python_types


@dataclass(frozen=True, kw_only=True, repr=False)
class Tool(Value):
    """A declared tool.

    Args:
        name: any non-empty name; a provider's limits are met when declaring.
        schema: JSON Schema of the arguments, an object; drafts 4 to 2020-12.
        description: what the model is told of it.
        aliases: old field names → declared ones; the old name may be a JSON Pointer (`/items/*/article`).
        name_aliases: old names of the tool.
        value_aliases: by field (name or JSON Pointer), old values → declared ones.
        sensitive: names (at any depth) or JSON Pointers of fields whose values are never told; a field of
            `format: password` is sensitive by itself.
        budget: how often the model may fail on this tool; goes before the session's.
        annotations: MCP's hints (`readOnlyHint`, `destructiveHint`, `idempotentHint`).
        policy: which repairs this tool accepts; goes before every other policy.
        function: what runs; `None` for a tool that is only declared.
        model: a pydantic model, dataclass or TypedDict whose instance becomes `ValidCall.value`.
        typed: the schema was made from the function's annotations, and the function gets values of those types.
        signature: the function's parameters, read already.
        injected: parameters that the program fills in and the model never sees, besides those annotated `Injected`.
        timeout: seconds after which the function's result is no longer waited for.
        parallel: whether it may run beside other calls of the same turn.
        max_result: characters of a result; what is longer is cut, with a note.

    Raises:
        DeclarationError: the schema is none, or an alias does not fit; the text names the tool and the place.
    """

    name: str
    schema: Mapping[str, Json]
    description: str = ""
    aliases: Mapping[str, str] = field(default_factory=dict)
    name_aliases: Collection[str] = ()
    value_aliases: Mapping[str, Mapping[Any, Json]] = field(default_factory=dict)
    sensitive: Collection[str] = frozenset()
    budget: Any = None
    annotations: Mapping[str, Any] = field(default_factory=dict)
    policy: Policy | None = None
    function: Callable[..., Any] | None = None
    model: Any = None
    typed: bool = False
    signature: python_types.Signature | None = field(default=None, compare=False)
    injected: Collection[str] = ()
    timeout: float | None = None
    parallel: bool = True
    max_result: int = 100_000  # about 25,000 tokens, more than most windows bear twice

    def __post_init__(self) -> None:
        sources.checked_name(self.name)
        keep = partial(object.__setattr__, self)
        keep("schema", sources.json_copy(self.schema, self.name))
        secret = sources.checked_names(self.sensitive, self.name, "sensitive")
        keep("sensitive", frozenset([*secret, *alias_tables.marked_secret(self.schema)]))
        keep("name_aliases", sources.checked_names(self.name_aliases, self.name, "name_aliases"))
        keep("injected", sources.checked_names(self.injected, self.name, "injected"))
        keep("annotations", dict(self.annotations or {}))
        keep("description", self.description or "")
        sources.checked_run(self.name, self.schema, self.injected, self.timeout)
        _ = self.compiled
        if not self.shape.allows("object"):
            raise DeclarationError(f"tool {self.name!r}: bad schema at /type: arguments are an object, nothing else")
        keep("aliases", alias_tables.field_aliases(self.name, self.shape, self.aliases))
        keep("value_aliases", alias_tables.value_aliases(self.name, self.schema, self.value_aliases))

    @classmethod
    def from_schema(
        cls,
        name: str,
        schema: Mapping[str, Json],
        *,
        function: Callable[..., Any] | None = None,
        **options: Unpack[ToolOptions],
    ) -> Tool:
        """A tool from a JSON Schema; `function`, if given, is called with the arguments as keywords."""
        return cls(name=name, schema=schema, function=function, **sources.described(options, ""))

    @classmethod
    def from_function(
        cls,
        function: Callable[..., Any],
        *,
        name: str | None = None,
        additional_properties: bool | Mapping[str, Json] = False,
        namespace: Mapping[str, Any] | None = None,
        **options: Unpack[ToolOptions],
    ) -> Tool:
        """A tool from a function: its signature, annotations, defaults and docstring.

        Args:
            function: sync or async; a bound method, a partial or a callable object will do.
            name: the function's own name if not given.
            additional_properties: whether undeclared fields are allowed; the function never gets them.
            namespace: names that annotations use and that are not global to the function.
            options: as of `Tool`.
        """
        function = getattr(function, "__func__", function) if isinstance(function, staticmethod) else function
        named = name or sources.function_name(function)
        known = sources.caller_names() if namespace is None else namespace
        hidden = options.pop("injected", ())
        closed = additional_properties is False
        from argwright import python_types

        signature = python_types.signature_of(function, named, known, closed=closed, injected=hidden)
        schema = python_types.schema_of(signature.model, named, signature.hints)
        if closed:
            python_types.close_nested(schema)
        else:
            schema["additionalProperties"] = additional_properties
        described = sources.described(options, python_types.documentation(function).text)
        described["injected"] = signature.injected
        return cls(name=named, schema=schema, function=function, typed=True, signature=signature, **described)

    @classmethod
    def from_model(
        cls,
        model: Any,
        *,
        name: str | None = None,
        additional_properties: bool | Mapping[str, Json] | None = None,
        function: Callable[..., Any] | None = None,
        **options: Unpack[ToolOptions],
    ) -> Tool:
        """A tool whose arguments are a pydantic model, a dataclass or a TypedDict.

        Args:
            model: the type; `ValidCall.value` is its instance.
            name: the type's own name if not given.
            additional_properties: whether undeclared fields are allowed; as the type says if not given.
            function: called with the instance.
            options: as of `Tool`.
        """
        named = sources.checked_name(name or getattr(model, "__name__", ""))
        from argwright import python_types

        adapter = python_types.adapter_of(model, named)
        said = python_types.documentation(model)
        schema = python_types.schema_of(adapter, named, {})
        if additional_properties is not None:
            schema["additionalProperties"] = additional_properties
        for field_name, node in schema.get("properties", {}).items():
            if field_name in said.parameters:
                node.setdefault("description", said.parameters[field_name])
        described = sources.described(options, said.text or schema.get("description", ""))
        schema.pop("description", None)
        return cls(name=named, schema=schema, model=model, function=function, **described)

    @classmethod
    def from_mcp(cls, tool: Any, *, name: str | None = None, **options: Unpack[ToolOptions]) -> Tool:
        """A tool as an MCP server lists it: a dict, or the SDK's object; its annotations are kept."""
        schema = sources.member(tool, "inputSchema")
        named = name or sources.member(tool, "name")
        if not isinstance(schema, Mapping):
            raise DeclarationError(f"tool {named!r}: an MCP tool has an 'inputSchema'")
        options.setdefault("annotations", sources.mapping(sources.member(tool, "annotations")))
        described = sources.described(options, sources.member(tool, "description") or "")
        return cls(name=named, schema=schema, **described)

    @classmethod
    def from_openai(cls, declaration: Any, *, name: str | None = None, **options: Unpack[ToolOptions]) -> Tool:
        """A tool from an OpenAI declaration, of chat completions (`{"type", "function"}`) or of the Responses API."""
        inner = sources.member(declaration, "function") or declaration
        named = name or sources.member(inner, "name")
        schema = sources.member(inner, "parameters")
        if schema is None:  # the API's way to say: no arguments
            schema = {"type": "object", "properties": {}, "additionalProperties": False}
        described = sources.described(options, sources.member(inner, "description") or "")
        return cls(name=named, schema=schema, **described)

    def replace(self, **changes: Any) -> Tool:
        """The same tool with other fields, checked again."""
        return replace(self, **changes)

    @cached_property
    def compiled(self) -> CompiledSchema:
        """The schema, compiled."""
        return compile_schema(self.schema, where=self.name, sensitive=self.sensitive)

    @cached_property
    def shape(self) -> Shape:
        """The schema as a hint."""
        return Shape(self.schema)

    @cached_property
    def mask(self) -> Mask:
        """The sensitive places."""
        return Mask(self.sensitive)

    @cached_property
    def _signature(self) -> python_types.Signature | None:
        if not self.typed or self.function is None:
            return None
        from argwright import python_types

        closed = self.schema.get("additionalProperties") is False
        return self.signature or python_types.signature_of(
            self.function, self.name, {}, closed=closed, injected=self.injected
        )

    @cached_property
    def _adapter(self) -> TypeAdapter[Any] | None:
        if self.model is not None:
            from argwright import python_types

            return python_types.adapter_of(self.model, self.name)
        if self._signature is None:
            return None
        from pydantic import TypeAdapter

        return TypeAdapter(self._signature.model)

    @cached_property
    def is_plain(self) -> bool:
        """Whether the schema has said everything: there is no type whose own validators must be asked."""
        if self.model is not None or self._signature is None:
            return self.model is None
        from pydantic.fields import FieldInfo

        from argwright import python_types

        hints, defaults = self._signature.hints.values(), [p.default for p in self._signature.parameters]
        return all(map(python_types.is_plain, hints)) and not any(isinstance(d, FieldInfo) for d in defaults)

    def effective_policy(self, policy: Policy) -> Policy:
        """The policy that holds for this tool, given the toolbox's: its own; else, if it destroys, at most EXACT."""
        if self.policy is not None:
            return self.policy
        if self.annotations.get("destructiveHint") is not True or policy.certainty is None:
            return policy
        return replace(policy, certainty=Certainty.EXACT, split_glued=False, drop_undeclared=False)

    def instance(self, arguments: dict[str, Json]) -> tuple[Any, tuple[Issue, ...]]:
        """The model's instance for valid arguments, and what validators beyond JSON Schema have against them."""
        if self.is_plain or self._adapter is None:
            return None, ()
        from argwright import python_types

        value, issues = python_types.read(self._adapter, arguments, self.mask)
        return (value if self.model is not None else None), issues

    def call(self, arguments: dict[str, Json], value: Any = None, given: Mapping[str, Any] | None = None) -> Any:
        """Run the function with effective arguments; a coroutine if it is async.

        Args:
            arguments: valid arguments.
            value: the model's instance, if it was made already.
            given: what the program fills in: at least the injected parameters; others are passed over.

        Raises:
            DeclarationError: the tool has no function, or an injected parameter has no value.
            pydantic.ValidationError: the annotations refuse what the schema allows.
        """
        if self.function is None:
            raise DeclarationError(f"tool {self.name!r} has no function to run")
        filled = self.filled(given or {})
        own = deepcopy(arguments)  # what a function does to its arguments must not change the call on record
        if self._adapter is None:
            return self.function(**own | filled)
        from argwright import python_types

        made = python_types.made(self._adapter, own) if value is None else value
        if self._signature is None:
            return self.function(made, **filled)
        args, kwargs = self._signature.bind(made)
        return self.function(*args, **kwargs | filled)

    def filled(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The injected parameters with their values.

        Raises:
            DeclarationError: one of them has none.
        """
        for name in self.injected:
            if name not in given:
                raise DeclarationError(f"tool {self.name!r}: no value is given for its injected parameter {name!r}")
        return {name: given[name] for name in self.injected}

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function itself, as if it were not a tool."""
        if self.function is None:
            raise DeclarationError(f"tool {self.name!r} has no function to run")
        return self.function(*args, **kwargs)

    def to_dict(self) -> dict[str, Any]:
        """The declaration as plain JSON data; the function and the model are named."""
        shown = super().to_dict()
        del shown["signature"]
        for key in ("function", "model"):
            target = getattr(self, key)
            shown[key] = None if target is None else f"{getattr(target, '__module__', '')}:{sources.qualname(target)}"
        return {**shown, "sensitive": sorted(self.sensitive)}

    def __hash__(self) -> int:
        return hash((self.name, self.description))

    def __repr__(self) -> str:
        return f"Tool({self.name!r}, fields={list(self.shape.properties)!r})"

    def __getstate__(self) -> dict[str, Any]:
        state = {f.name: getattr(self, f.name) for f in fields(self)}
        return {**state, "function": _reference(self.function), "signature": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, function=_resolved(state["function"]))


def _reference(function: Any) -> Any:
    """Where the function is found by import, since a decorated one is hidden behind its tool; else itself."""
    place = (getattr(function, "__module__", None), getattr(function, "__qualname__", None))
    try:
        return place if _resolved(place) is function and function is not None else function
    except (ImportError, AttributeError, ValueError, TypeError):
        return function


def _resolved(place: Any) -> Any:
    found = sources.imported(place)
    return found.function if isinstance(found, Tool) else found


def made_from(source: Any, **options: Any) -> Tool:
    """A tool from whatever declares one: a tool, a type, a function, an MCP or OpenAI declaration.

    Raises:
        DeclarationError: nothing here declares a tool.
    """
    if isinstance(source, Tool):
        return source.replace(**options) if options else source
    if sources.is_model(source):
        return Tool.from_model(source, **options)
    if sources.member(source, "inputSchema") is not None:
        return Tool.from_mcp(source, **options)
    if isinstance(source, Mapping) and source.get("type") == "function":
        return Tool.from_openai(source, **options)
    if callable(source) or isinstance(source, staticmethod):
        return Tool.from_function(source, **options)
    raise DeclarationError(
        f"{type(source).__name__} declares no tool; known are functions, types, MCP tools and OpenAI declarations"
    )


@overload
def tool(source: Any, /, **options: Unpack[DecoratorOptions]) -> Tool: ...
@overload
def tool(**options: Unpack[DecoratorOptions]) -> Callable[[Any], Tool]: ...
def tool(source: Any = None, /, **options: Unpack[DecoratorOptions]) -> Tool | Callable[[Any], Tool]:
    """Declare a function, or a type, as a tool: `@tool`, `@tool(aliases=…)` or `tool(function, name=…)`.

    The result is a `Tool`; calling it calls the function.

    Args:
        source: a function (sync or async), a pydantic model, a dataclass, a TypedDict, or what an MCP server or an
            OpenAI request declares.
        options: as of `Tool`, and `name` and `additional_properties`.

    Raises:
        DeclarationError: nothing here declares a tool, or an option is wrong; the text names the tool and the place.
    """
    if source is None:
        return lambda decorated: made_from(decorated, **options)
    return made_from(source, **options)
