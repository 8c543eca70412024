"""The values that travel between the layers: frozen, picklable, comparable.

A `ToolCall` is what a model wrote; a `ValidCall` or an `InvalidCall` is what became of it; a `Turn` is one reply, a
`ToolResult` the answer to one call. No value is ever changed: `dataclasses.replace` makes the next one. `to_dict` gives
plain JSON data, `repr` never shows what a model put into the arguments, since it ends in logs.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from typing import Any, Literal, NoReturn, TypeAlias

from argwright.errors import InvalidCallError
from argwright.making import Later, quick
from argwright.policy import Certainty

Json: TypeAlias = Any
"""A JSON value as Python holds it: dict, list, str, int, float, bool or None."""

MASK = "***"
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode  # made once: `dumps` makes one a call
_NAME = re.compile(r"[\w.:/-]{1,64}")
_SCALARS = frozenset({str, int, float, bool, type(None)})


def compact(value: Json) -> str:
    """JSON as argwright writes it everywhere: compact, non-ASCII text as it is."""
    return _encode(value)


class Value:
    """Base of the values: `to_dict`."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain JSON data, nested values included."""
        return {f.name: _plain(getattr(self, f.name)) for f in dataclasses.fields(self)}  # type: ignore[arg-type]  # subclasses are dataclasses


def _plain(value: Any) -> Any:
    if type(value) in _SCALARS:
        return value
    if isinstance(value, Value):
        return value.to_dict()
    if isinstance(value, Enum):
        return value.name.lower() if isinstance(value, Certainty) else value.value
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):  # a policy, limits
        return {f.name: _plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_plain(item) for item in value]
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return value if isinstance(value, (str, int, float, bool, type(None))) else str(value)


def _sized(value: Any) -> str:
    """A value in a repr, which ends in logs: what it is and how large, and nothing of what it says."""
    match value:
        case str() | bytes() | dict() | list() | tuple():
            return f"<{type(value).__name__} of {len(value)}>"
        case None | bool():
            return repr(value)
        case _:
            return f"<{type(value).__name__}>"


def sayable(name: str | None) -> str | None:
    """A tool's name as a model wrote it, if it looks like one; a model writes arguments there, too."""
    return name if name is not None and _NAME.fullmatch(name) else None


def _named(name: str | None) -> str:
    return repr(name) if sayable(name) == name else _sized(name)


class ErrorKind(StrEnum):
    """The three ways a call can be wrong; counted, reported and answered apart."""

    UNKNOWN_TOOL = "unknown_tool"
    JSON_ERROR = "json_error"
    SCHEMA_ERROR = "schema_error"


@dataclass(frozen=True, repr=False)
class ToolCall(Value):
    """One call exactly as the model wrote it.

    Args:
        id: the provider's id; `None` if the wire had none.
        name: the tool's name as written.
        arguments: text, bytes, an already parsed object, or `None` for nothing at all.
        finish_reason: set by readers on the last call of a turn only.
        input: the text of a custom (free-text) tool; such a call has no JSON arguments.
        blocked: the provider itself marked the call as not to be run.
        extra: opaque provider data to send back unchanged (thought signatures, namespaces).
        origin: `structured`, or `text:<dialect>` for a call found in the text.
    """

    id: str | None
    name: str | None
    arguments: str | bytes | dict[str, Json] | None = None
    finish_reason: str | None = None
    input: str | None = None
    blocked: bool = False
    extra: Mapping[str, Any] = field(default_factory=dict)
    origin: str = "structured"

    def __repr__(self) -> str:
        written = _sized(self.arguments if self.input is None else self.input)
        return f"ToolCall(id={self.id!r}, name={_named(self.name)}, arguments={written}, origin={self.origin!r})"


@dataclass(frozen=True)
class Finish(Value):
    """Why a reply ended.

    Args:
        raw: the provider's word as it came; `None` if there was none.
        reason: its normalized form: `stop`, `tool_calls`, `length`, `content_filter`, `malformed`, `pause`, `error`,
            `missing` (a stream that ended without any word), or `unknown`.
        truncated: whether the reply was cut.
    """

    raw: str | None = None
    reason: str = "unknown"
    truncated: bool = False


@dataclass(frozen=True, repr=False)
class Turn(Value):
    """One reply of a model.

    Args:
        calls: the calls in the model's order.
        text: the text beside them; `""` if there is none.
        reasoning: what the model thought aloud; `""` if there is nothing.
        finish: why the reply ended.
        model: the model's name as the provider gives it.
        usage: the provider's own counts of tokens, under its own names.
        extra: what the provider sent beside and wants back unchanged, by the provider's own keys; what went wrong
            stands under `error`.
    """

    calls: tuple[ToolCall, ...] = ()
    text: str = ""
    reasoning: str = ""
    finish: Finish = field(default_factory=Finish)
    model: str | None = None
    usage: Mapping[str, Any] | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        said = f"text={_sized(self.text)}, reasoning={_sized(self.reasoning)}"
        return f"Turn(calls={self.calls!r}, {said}, finish={self.finish!r}, model={self.model!r})"


@quick
@dataclass(frozen=True, kw_only=True, repr=False)
class Repair(Value):
    """One rule at work in one string or one container.

    Args:
        rule: the rule's name, stable over versions.
        pointer: JSON Pointer of the value or container that was mended.
        span: start and end in the text as the model wrote it; `None` if the rule worked on the value.
        before: what stood there (of several places, at the first), shortened when long.
        after: what it became.
        count: how many places of the container were mended alike.
    """

    rule: str
    certainty: Certainty
    pointer: str = ""
    span: tuple[int, int] | None = None
    before: Json = None
    after: Json = None
    count: int = 1

    def __repr__(self) -> str:
        times = f", count={self.count}" if self.count > 1 else ""
        return f"Repair({self.rule!r}, {self.certainty.name}, pointer={self.pointer!r}, span={self.span}{times})"


@quick
@dataclass(frozen=True, kw_only=True, repr=False)
class Issue(Value):
    """One violation of the schema.

    Args:
        pointer: where, as a JSON Pointer into the arguments; for a missing field, the field's own pointer.
        keyword: the JSON Schema keyword (`required`, `type`, …), or the reason's slug where no keyword is violated.
        message: what was found and expected, one line, lower case, without the value of a sensitive field.
        expected: the keyword's operand, or a list of branches.
        found: the value, shortened; the mask for a sensitive field.
    """

    pointer: str
    keyword: str
    message: str
    expected: Json = None
    found: Json = None

    def __repr__(self) -> str:
        return f"Issue({self.pointer!r}, {self.keyword!r}, expected={self.expected!r})"


@quick
@dataclass(frozen=True, kw_only=True)
class Suspicion(Value):
    """Something valid but odd, left as it is: a control character in a path, `"null"` as text.

    Args:
        rule: the name of the rule that found it.
        pointer: where, as a JSON Pointer into the arguments.
        message: what is odd, one line, without the value of a sensitive field.
    """

    rule: str
    pointer: str
    message: str


@quick
@dataclass(frozen=True, kw_only=True, repr=False)
class ValidCall(Value):
    """A call that satisfies its tool's schema.

    Args:
        call: the raw call; `call.name` stays as written.
        tool: the declared tool it resolved to.
        arguments: what runs: the effective arguments.
        repairs: every change made, in order.
        warnings: what looked odd and was left alone.
        value: the pydantic instance, if the tool has a model.
    """

    call: ToolCall
    tool: Any
    arguments: dict[str, Json]
    repairs: tuple[Repair, ...] = ()
    warnings: tuple[Suspicion, ...] = ()
    value: Any = None

    __match_args__ = ("arguments",)

    def unwrap(self) -> dict[str, Json]:
        """The effective arguments."""
        return self.arguments

    def to_dict(self) -> dict[str, Any]:
        """As `Value.to_dict`, with `status` and the tool's name; without the model instance."""
        fields = Value.to_dict(self)
        del fields["value"]
        return {"status": "valid"} | fields | {"tool": getattr(self.tool, "name", None)}

    def __repr__(self) -> str:
        rules = [repair.rule for repair in self.repairs]
        return f"ValidCall({getattr(self.tool, 'name', None)!r}, {_sized(self.arguments)}, repairs={rules!r})"


@dataclass(frozen=True, repr=False)
class ToolResult(Value):
    """The answer to one call.

    Args:
        tool_call_id: the id of the call; `None` if the wire had none.
        name: the tool's name.
        content: text, or JSON data.
        is_error: whether the call was refused or the tool failed; `content` then says what there is to do.
    """

    tool_call_id: str | None
    name: str | None
    content: Any
    is_error: bool = False

    @property
    def text(self) -> str:
        """The content as text: itself, or as compact JSON."""
        return self.content if isinstance(self.content, str) else compact(self.content)

    def __repr__(self) -> str:
        return (
            f"ToolResult({self.tool_call_id!r}, {_named(self.name)}, {_sized(self.content)}, is_error={self.is_error})"
        )


@quick
@dataclass(frozen=True, kw_only=True, repr=False)
class InvalidCall(Later, Value):
    """A call that must not run.

    Args:
        kind: which of the three errors.
        reason: the slug within the kind.
        issues: every violation, with its place.
        repairs: what was mended before the call proved invalid (notation only; changes of meaning are rolled back).
        readings: the readings of an ambiguous text, where they can be named.
        suggestion: at most one suggestion for the model.
        message: what is wrong, one line for a person, where no issue says it.
        position: where in the text reading stopped (json_error).
        tool: the tool's declaration, if its name is known.
        known: names of the declared tools (unknown_tool).
        feedback: what to tell the model, as bounded JSON data (made by `argwright.feedback`).
        warnings: what rules reported beside the refusal, such as a rule that raised and was skipped.
    """

    call: ToolCall
    kind: ErrorKind
    reason: str
    issues: tuple[Issue, ...] = ()
    repairs: tuple[Repair, ...] = ()
    readings: tuple[Json, ...] = ()
    suggestion: str | None = None
    message: str = ""
    position: int | None = None
    tool: Any = None
    known: tuple[str, ...] = ()
    feedback: Mapping[str, Json] = field(default_factory=dict)
    warnings: tuple[Suspicion, ...] = ()

    __match_args__ = ("kind", "reason")

    @property
    def summary(self) -> str:
        """One line for a person: the message, and the first issues."""
        lines = [self.message] if self.message else []
        lines += [f"{issue.pointer or '(root)'}: {issue.message}" for issue in self.issues[:3]]
        return "; ".join(lines) or self.reason

    def unwrap(self) -> NoReturn:
        """Never returns; a valid call gives its arguments here.

        Raises:
            InvalidCallError: always.
        """
        raise InvalidCallError(self)

    def result(self, *, attempts_left: int | None = None) -> ToolResult:
        """The answer for the model: an error result with `feedback`, and how many attempts are left if known."""
        left = {} if attempts_left is None else {"attempts_left": attempts_left}
        return ToolResult(self.call.id, self.call.name, {**self.feedback, **left}, is_error=True)

    def to_dict(self) -> dict[str, Any]:
        """As `Value.to_dict`, with `status` and the tool's name."""
        return {"status": "invalid"} | Value.to_dict(self) | {"tool": getattr(self.tool, "name", None)}

    def __repr__(self) -> str:
        return f"InvalidCall({_named(self.call.name)}, {self.kind}/{self.reason}, {len(self.issues)} issues)"


Outcome: TypeAlias = ValidCall | InvalidCall


@dataclass(frozen=True, slots=True, repr=False)
class CallDelta(Value):
    """A fragment of a call as it came over the wire; `None` where the fragment says nothing.

    Args:
        index: the call's number on the wire.
        id: the id that pairs the call with its result.
        name: the tool's name, or a piece of it.
        arguments: a piece of the arguments' text, or a parsed object.
        stage: `piece`, one of several to be joined; `initial`, what holds unless pieces come;
            `final`, which replaces what the pieces gave, if it is not empty.
        item: another key of the call on this wire, where it has one beside index and id.
        input: a piece of the text of a custom (free-text) tool.
        blocked: the provider marked the call as not to be run.
        extra: opaque provider data to send back unchanged.
    """

    index: int | None = None
    id: str | None = None
    name: str | None = None
    arguments: str | dict[str, Json] | None = None
    stage: Literal["piece", "initial", "final"] = "piece"
    item: str | None = None
    input: str | None = None
    blocked: bool = False
    extra: Mapping[str, Any] | None = None

    def __repr__(self) -> str:
        written = _sized(self.arguments if self.input is None else self.input)
        head = f"index={self.index!r}, id={self.id!r}, name={_named(self.name)}"
        return f"CallDelta({head}, arguments={written}, stage={self.stage!r})"
