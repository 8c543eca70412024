"""This tool's call, written out in a text dialect where its arguments belong.

`<function=f><parameter=a>…` in place of `{"a": …}`. The dialects read it, with the
types that the tool's schema gives; it is taken if it is one whole call of this very
tool and nothing else stands in the text.
"""

from __future__ import annotations

from argwright.decode import Decoded, Undecodable, decode
from argwright.dialects import read_text
from argwright.model import Repair, ToolCall
from argwright.policy import Certainty
from argwright.rules.engine import Scene
from argwright.rules.places import shown
from argwright.tool import Tool

_READABLE = frozenset({"not_json", "truncated"})

_ESCAPES = ("\\", "&")
"""Where one of them stands, the tool's name may be written in another way than it is read."""


class _Only:
    """One tool, as the dialects want the declared ones."""

    def __init__(self, tool: Tool) -> None:
        self._tool = tool

    @property
    def names(self) -> tuple[str, ...]:
        return (self._tool.name,)

    def get(self, name: str) -> Tool | None:
        return self._tool if name == self._tool.name else None


def read(tool: Tool, scene: Scene, fault: Undecodable) -> Decoded | Undecodable:
    """The arguments of the call that stands in the text; the decoder's `fault` if none does."""
    text = scene.text
    if text is None or fault.reason not in _READABLE or not scene.policy.allows(Certainty.LIKELY):
        return fault
    if tool.name not in text and not any(sign in text for sign in _ESCAPES):
        return fault
    turn = read_text(text, tools=_Only(tool))
    if len(turn.calls) != 1 or turn.text.strip() or turn.calls[0].name != tool.name:
        return fault
    return _taken(turn.calls[0], scene, fault)


def _taken(call: ToolCall, scene: Scene, fault: Undecodable) -> Decoded | Undecodable:
    if call.finish_reason is not None:
        return Undecodable(reason="truncated", position=len(scene.text or ""), message="the call is not closed")
    repair = Repair(
        rule="text-dialect",
        certainty=Certainty.LIKELY,
        span=(0, len(scene.text or "")),
        before=shown(scene.text or ""),
        after=call.origin,
    )
    if isinstance(call.arguments, dict):
        return Decoded(value=call.arguments, repairs=(repair,))
    got = (
        decode(call.arguments or "{}", shape=scene.tool.shape, policy=scene.policy, limits=scene.limits)
        if scene.tool
        else fault
    )
    return Decoded(value=got.value, repairs=(repair, *got.repairs)) if isinstance(got, Decoded) else got
