"""The small doors: one call's arguments without a toolbox.

`parse_arguments` answers with a value and never raises because of what came; with a
schema it is the whole pipeline for a tool without a name. `loads` is for scripts: the
value, or an exception.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, TypeAlias, assert_never, overload

from argwright.decode import Decoded, Undecodable
from argwright.errors import InvalidCallError
from argwright.model import InvalidCall, Json, Outcome, ToolCall, ValidCall
from argwright.pipeline import reading, refusal, resolve_with, scene_of
from argwright.policy import Limits, Policy
from argwright.rules import STANDARD, RuleSet, engine
from argwright.rules.engine import Scene
from argwright.tool import Tool

Raw: TypeAlias = str | bytes | Mapping[str, Any] | None
"""One call's arguments as they come: text, UTF-8 bytes, a parsed object, or nothing."""

_LIMITS = Limits()
_NAMELESS = "arguments"  # what the tool is called where nobody names it


@overload
def parse_arguments(
    raw: Raw,
    schema: None = None,
    *,
    policy: Policy = ...,
    limits: Limits = ...,
    finish_reason: str | None = ...,
) -> Decoded | Undecodable: ...
@overload
def parse_arguments(  # keyword-only
    raw: Raw,
    schema: Mapping[str, Json],
    *,
    name: str | None = ...,
    policy: Policy = ...,
    limits: Limits = ...,
    rules: RuleSet = ...,
    finish_reason: str | None = ...,
) -> Outcome: ...
def parse_arguments(  # keyword-only
    raw: Raw,
    schema: Mapping[str, Json] | None = None,
    *,
    name: str | None = None,
    policy: Policy = Policy.STANDARD,
    limits: Limits = _LIMITS,
    rules: RuleSet = STANDARD,
    finish_reason: str | None = None,
) -> Outcome | Decoded | Undecodable:
    """Read one call's arguments.

    Args:
        raw: the arguments as they came.
        schema: JSON Schema of the arguments; without one only the notation is read.
        name: the called tool's name, if it is known; it is what a call written out inside the arguments must name.
        policy: which repairs are applied.
        limits: what one call may cost.
        rules: the rules in force, with a schema.
        finish_reason: the provider's word for the end of the reply; one that means cut refuses the arguments.

    Returns:
        With a schema a `ValidCall` or an `InvalidCall`, whose `call.name` is the given name or `None`; without one a
        `Decoded` or an `Undecodable`.

    Raises:
        DeclarationError: the schema is none.
    """
    call = _call(raw, name, finish_reason)
    if schema is None:
        return _read(scene_of(None, call, policy, (limits, rules)))
    return resolve_with(_tool(schema, name or _NAMELESS), call, policy=policy, limits=limits, rules=rules)


def loads(
    raw: Raw,
    schema: Mapping[str, Json] | None = None,
    *,
    policy: Policy = Policy.STANDARD,
    limits: Limits = _LIMITS,
    finish_reason: str | None = None,
) -> Json:
    """The value of one call's arguments; any JSON value without a schema, the valid arguments with one.

    Args:
        raw: the arguments as they came.
        schema: JSON Schema of the arguments.
        policy: which repairs are applied.
        limits: what one call may cost.
        finish_reason: the provider's word for the end of the reply.

    Raises:
        InvalidCallError: there is no one reading, or it does not fit; `error.call` says why.
        DeclarationError: the schema is none.
    """
    got = parse_arguments(raw, schema, policy=policy, limits=limits, finish_reason=finish_reason)
    match got:
        case Decoded(value):
            return value
        case ValidCall():
            return got.arguments
        case Undecodable():
            scene = scene_of(None, _call(raw, None, finish_reason), policy, (limits, STANDARD))
            raise InvalidCallError(refusal.json_error(scene, got))
        case InvalidCall():
            raise InvalidCallError(got)
        case _:
            assert_never(got)


def _call(raw: Any, name: str | None, finish_reason: str | None) -> ToolCall:
    return ToolCall(id=None, name=name, arguments=raw, finish_reason=finish_reason)


def _read(scene: Scene) -> Decoded | Undecodable:
    """The arguments by their notation alone; a string whose text is an object is that object, encoded twice."""
    call = scene.call
    if not reading.is_whole(call.finish_reason):
        return reading.cut_short(call.arguments, call.finish_reason or "", scene.limits)
    got = reading.taken(call.arguments, scene)
    if not isinstance(got, Decoded) or not isinstance(got.value, str):
        return got
    unwrapped = engine.run("unwrap", scene, got.value)
    if not isinstance(unwrapped.value, dict):
        return got
    return Decoded(value=unwrapped.value, repairs=got.repairs + unwrapped.repairs)


def _tool(schema: Mapping[str, Json], name: str) -> Tool:
    """The nameless tool; the same schema is compiled once, whoever's dict it is."""
    try:
        text = json.dumps(schema)
    except (TypeError, ValueError, RecursionError):
        return Tool.from_schema(name, schema)  # which says what is wrong with it
    return _compiled(text, name)


@lru_cache(maxsize=64)  # a script has a handful
def _compiled(text: str, name: str) -> Tool:
    return Tool.from_schema(name, json.loads(text))
