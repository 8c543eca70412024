"""Step one: which declared tool the call means.

Its name, a declared old name, or one of these under a closed list of noise. Rules of
others that ask to see unknown tools may name a declared one; nothing is matched by
likeness, which only makes a suggestion for the model.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Protocol

from argwright.decode import Undecodable, decode
from argwright.model import ErrorKind, InvalidCall, Issue, Repair
from argwright.pipeline import refusal
from argwright.policy import Certainty, Policy
from argwright.rules import engine, names
from argwright.rules.engine import Scene
from argwright.rules.places import shown
from argwright.tool import Tool
from argwright.wording import likely


class Tools(Protocol):
    """The declared tools, by name."""

    @property
    def names(self) -> Collection[str]:
        """The declared names."""
        ...

    @property
    def all_names(self) -> Collection[str]:
        """Every name that leads to one of them."""
        ...

    def get(self, name: str, /) -> Tool | None:
        """The tool of this name."""
        ...

    def __iter__(self) -> Iterator[Tool]: ...


@dataclass(frozen=True, kw_only=True)
class Named:
    """The tool that a call means, and how its name was read."""

    tool: Tool
    repairs: tuple[Repair, ...] = ()


def meant(scene: Scene, tools: Tools, policy: Policy | None) -> Named | InvalidCall:
    """The tool of a call whose name is not declared as it stands; the policy is the call's own, if it has one."""
    written = scene.call.name
    if not isinstance(written, str):
        return _unreadable(scene) or unknown(scene, tools)
    tool = _declared(written, tools)
    if tool is not None:
        return _renamed(tool, "name-alias", policy, scene) or unknown(scene, tools)
    for step in names.steps(written):
        found = {tool.name: tool for reading in step if (tool := _declared(reading, tools)) is not None}
        if len(found) > 1:
            return unknown(scene, tools)
        for tool in found.values():
            return (
                _absorbed(tool, scene)
                if names.holds_parameters(written)
                else _renamed(tool, "name-noise", policy, scene) or unknown(scene, tools)
            )
    return _proposed(scene, tools) or unknown(scene, tools)


def unknown(scene: Scene, tools: Tools) -> InvalidCall:
    """No declared tool is meant."""
    known = tuple(tools.names)
    guess = likely(scene.call.name, known)
    return refusal.refused(scene, ErrorKind.UNKNOWN_TOOL, "unknown", known=known, suggestion=guess)


def _unreadable(scene: Scene) -> InvalidCall | None:
    """A call in the text of which not even the name could be read: its markup is the fault, and no tool's name."""
    if not scene.call.origin.startswith("text:") or not isinstance(scene.call.arguments, str):
        return None
    got = decode(scene.call.arguments, limits=scene.limits)
    return refusal.json_error(scene, got) if isinstance(got, Undecodable) and got.reason != "empty" else None


def _declared(name: str, tools: Tools) -> Tool | None:
    if not name:
        return None
    return tools.get(name) or next((tool for tool in tools if name in tool.name_aliases), None)


def _renamed(tool: Tool, rule: str, policy: Policy | None, scene: Scene) -> Named | None:
    """The tool under another name, if that much is repaired for it."""
    holds = tool.effective_policy(scene.policy) if policy is None else policy
    if not holds.allows(Certainty.EXACT):
        return None
    before = shown(scene.call.name)
    record = Repair(rule=rule, certainty=Certainty.EXACT, before=before, after=tool.name)
    return Named(tool=tool, repairs=(record,))


def _absorbed(tool: Tool, scene: Scene) -> InvalidCall:
    message = "the tool's name holds parameters as markup; send them as fields of the arguments"
    issue = Issue(pointer="", keyword="absorbed", message=message)
    return refusal.schema_error(scene.of(tool), (issue,))


def _proposed(scene: Scene, tools: Tools) -> Named | InvalidCall | None:
    """The tool that rules of others name; two different ones are a conflict."""
    found = [
        (rule, tool, proposal)
        for rule, proposal in engine.seen("unknown_tool", scene)
        if proposal.tool is not None and (tool := tools.get(proposal.tool)) is not None
    ]
    if not found:
        return None
    rule, tool, proposal = found[0]
    rivals = [other.name for other, another, _ in found if another.name != tool.name]
    if rivals:
        return refusal.schema_error(scene, (engine.conflict("", {rule.name, *rivals}),))
    record = Repair(
        rule=rule.name,
        certainty=proposal.certainty or rule.certainty,
        before=shown(scene.call.name),
        after=tool.name,
    )
    return Named(tool=tool, repairs=(record,))
