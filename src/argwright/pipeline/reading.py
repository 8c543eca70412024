"""Steps two and three: a call that the provider reports as cut, and the arguments as a value."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from argwright.decode import Decoded, Undecodable, decode
from argwright.model import InvalidCall, Json, Repair
from argwright.pipeline import refusal
from argwright.policy import Certainty
from argwright.rules import engine
from argwright.rules.engine import Scene
from argwright.rules.given import given
from argwright.rules.places import equal, pointer_of, shown
from argwright.tool import Tool

_CUT = frozenset({
    "length", "max_tokens", "model_length", "model_context_window_exceeded", "incomplete", "error", "missing",
})  # fmt: skip
_ENDED = frozenset({
    "stop", "tool_calls", "tool_call", "tool-calls", "function_call", "tool_use", "end_turn", "eos", "complete",
    "completed", "requires_action",
})  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Read:
    """The arguments as a value, and how they were read."""

    value: Json
    repairs: tuple[Repair, ...] = ()


def means_cut(reason: str) -> bool:
    """Whether a provider's finish reason says that the call was cut."""
    word = reason.lower()
    return word in _CUT or word.startswith("incomplete")


def means_end(reason: str | None) -> bool:
    """Whether a provider's finish reason says that the reply came to its end."""
    return reason is not None and reason.lower() in _ENDED


def cut(scene: Scene, reason: str) -> InvalidCall:
    """A call that the provider itself reports as cut, whether its text parses or not."""
    arrived = scene.call.arguments
    size = f"{len(arrived)} characters" if isinstance(arrived, (str, bytes)) else "a part"
    message = f"the reply ended early ({shown(reason)}), {size} of the arguments arrived"
    fault = Undecodable(reason="truncated", message=message)
    if isinstance(arrived, (str, bytes)):
        got = decode(arrived, limits=scene.limits)
        place = got.pointer if isinstance(got, Undecodable) else _last_field(got.value)
        fault = replace(fault, position=len(arrived), pointer=place)
    return refusal.json_error(scene, fault)


def _last_field(value: Json) -> str:
    return pointer_of((next(reversed(value)),)) if isinstance(value, dict) and value else ""


def read(tool: Tool, scene: Scene) -> Read | InvalidCall:
    """The arguments as a value, whatever came."""
    call = scene.call
    written: Any = call.arguments
    if written is None:
        if call.input is not None:
            return Read(value={"input": call.input})
        return nothing(tool, scene, Undecodable(reason="empty", message="no arguments arrived"))
    if isinstance(written, (str, bytes)):
        ended = means_end(call.finish_reason)
        got = decode(written, shape=tool.shape, tool=tool.name, policy=scene.policy, limits=scene.limits, ended=ended)
    else:
        got = given(written, scene.policy, scene.limits)
    if isinstance(got, Decoded):
        return Read(value=got.value, repairs=got.repairs)
    if got.reason == "empty":
        return nothing(tool, scene, got)
    return _proposed(scene, got) or refusal.json_error(scene, got)


def nothing(tool: Tool, scene: Scene, fault: Undecodable) -> Read | InvalidCall:
    """No arguments: `{}` for a tool that needs none."""
    if not allows_nothing(tool, scene):
        return refusal.json_error(scene, fault)
    return Read(value={}, repairs=(emptied(scene.call.arguments),))


def allows_nothing(tool: Tool, scene: Scene) -> bool:
    """Whether the tool runs without arguments, and that may be read into nothing."""
    return scene.policy.allows(Certainty.EXACT) and tool.compiled.is_valid({})


def emptied(before: Any) -> Repair:
    """The record of nothing read as an object without members."""
    shape = before.decode("utf-8", "replace") if isinstance(before, bytes) else before
    return Repair(rule="no-arguments", certainty=Certainty.EXACT, before=shown(shape), after={})


def _proposed(scene: Scene, fault: Undecodable) -> Read | InvalidCall | None:
    """What rules of others read from text that has no reading; two different values are a conflict."""
    found = [
        (rule, proposal)
        for rule, proposal in engine.seen("json_error", scene, fault)
        if isinstance(proposal.value, dict)
    ]
    if not found:
        return None
    rule, proposal = found[0]
    rivals = [other.name for other, one in found if not equal(one.value, proposal.value)]
    if rivals:
        return refusal.schema_error(scene, (engine.conflict("", {rule.name, *rivals}),))
    return Read(value=proposal.value, repairs=engine.records(rule, proposal, "", scene.text))
