"""Steps two and three: a call that the provider reports as cut, and the arguments as a value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from argwright.decode import Decoded, Undecodable, decode
from argwright.making import quick
from argwright.model import InvalidCall, Json, Repair
from argwright.pipeline import refusal, written_out
from argwright.policy import Certainty, Limits
from argwright.rules import engine
from argwright.rules.engine import Scene
from argwright.rules.given import given
from argwright.rules.places import equal, pointer_of, shown
from argwright.shape import ANY
from argwright.tool import Tool

_CUT = frozenset({
    "length", "max_tokens", "model_length", "model_context_window_exceeded", "incomplete", "error", "missing",
})  # fmt: skip
_ENDED = frozenset({
    "stop", "tool_calls", "tool_call", "tool-calls", "function_call", "tool_use", "end_turn", "eos", "complete",
    "completed", "requires_action",
})  # fmt: skip


@quick
@dataclass(frozen=True, kw_only=True)
class Read:
    """The arguments as a value, and how they were read."""

    value: Json
    repairs: tuple[Repair, ...] = ()


def is_whole(reason: str | None) -> bool:
    """Whether the provider's finish reason leaves open that the call is whole."""
    if reason is None or reason in _ENDED:
        return True
    word = str(reason).lower()
    return word not in _CUT and not word.startswith("incomplete")


def _is_end(reason: str | None) -> bool:
    """Whether the provider's finish reason says that the reply came to its end."""
    return reason is not None and str(reason).lower() in _ENDED


def cut_short(arrived: Any, reason: str, limits: Limits) -> Undecodable:
    """What is known of arguments that the provider itself reports as cut, whether their text parses or not."""
    if not isinstance(arrived, (str, bytes)):
        return Undecodable(reason="truncated", message=f"the reply ended early ({shown(reason)})")
    got = decode(arrived, limits=limits)
    return Undecodable(
        reason="truncated",
        position=len(arrived),
        message=f"the reply ended early ({shown(reason)}), {len(arrived)} characters of the arguments arrived",
        pointer=got.pointer if isinstance(got, Undecodable) else _last_field(got.value),
    )


def _last_field(value: Json) -> str:
    return pointer_of((next(reversed(value)),)) if isinstance(value, dict) and value else ""


def taken(written: Any, scene: Scene) -> Decoded | Undecodable:
    """What came as a value: text is decoded, a parsed object copied; nothing at all is `empty`."""
    if written is None:
        return Undecodable(reason="empty", message="no arguments arrived")
    if not isinstance(written, (str, bytes)):
        return given(written, scene.policy, scene.limits)
    return decode(
        written,
        shape=scene.tool.shape if scene.tool else ANY,
        tool=scene.tool.name if scene.tool else None,
        policy=scene.policy,
        limits=scene.limits,
        ended=_is_end(scene.call.finish_reason),
        stopped=scene.stopped,
    )


def read(tool: Tool, scene: Scene) -> Read | InvalidCall:
    """The arguments as a value, whatever came."""
    call = scene.call
    if call.arguments is None and call.input is not None:
        return Read(value={"input": call.input})
    got = taken(call.arguments, scene)
    if isinstance(got, Decoded):
        return Read(value=got.value, repairs=got.repairs)
    if got.reason == "empty":
        return nothing(tool, scene, got)
    got = written_out.read(tool, scene, got)
    if isinstance(got, Decoded):
        return Read(value=got.value, repairs=got.repairs)
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
