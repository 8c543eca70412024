"""A call whose own text names another declared tool: `g: {"q": "a"}` among the arguments of `f`.

Which tool the model meant is then open, however well the object fits. What is looked at
is what stands around the object where the decoder passed something over, and the name of
a wrapper. The text of a tool's result in front of the object is no call either.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from argwright.decode import Undecodable
from argwright.model import InvalidCall, Issue, Json, Outcome, Repair, ValidCall
from argwright.pipeline import refusal
from argwright.pipeline.named import Tools
from argwright.rules import inner, names
from argwright.rules.engine import Scene
from argwright.rules.places import shown
from argwright.rules.rule import RuleTool
from argwright.tool import Tool

_PASSED_OVER = frozenset({"prose", "special-token", "fence"})
DOUBTFUL = _PASSED_OVER | {"wrapper"}
"""Rules by which another tool's name may have been passed over."""

_RESULT = re.compile(r"<\|?\s*(?:tool|function)_?(?:response|result|output)s?\b", re.IGNORECASE)
_FIRST_KEY = re.compile(r'"?\s*\{\s*\\*"((?:[^"\\]|\\[^"])*)\\*"\s*:\s*')
_MOST = 8  # wrappers in one another


def doubted(outcome: ValidCall, tools: Tools, scene: Scene) -> Outcome:
    """The outcome, or why the call must not run for this tool; the scene is the call's own."""
    rules = {repair.rule for repair in outcome.repairs}
    if not rules.isdisjoint(_PASSED_OVER) and (found := _around(outcome, tools)) is not None:
        return refusal.json_error(scene, Undecodable(reason="not_json", message=found))
    wrapper = next((repair for repair in outcome.repairs if repair.rule == "wrapper"), None)
    stranger = _wrapped(wrapper, scene, tools) if wrapper else None
    return outcome if stranger is None else _strange(stranger, scene, outcome)


def _around(outcome: ValidCall, tools: Tools) -> str | None:
    """What the text around the object says against this tool."""
    written, tool = outcome.call.arguments, outcome.tool
    text = written.decode("utf-8", "replace") if isinstance(written, bytes) else written
    if not isinstance(text, str):
        return None
    head, tail = _outside(text, outcome.repairs)
    if _RESULT.search(head):
        return "the text is a tool's result and no call"
    said = " ".join([head, tail, *(str(one.before) for one in outcome.repairs if one.rule in _PASSED_OVER)])
    if _says(said, tool):
        return None
    if not any(name in said for name in tools.all_names):
        return None
    for other in tools:
        if other.name != tool.name and _says(said, other):
            return f"the text calls {other.name!r} and not this tool"
    return None


def _outside(text: str, repairs: tuple[Repair, ...]) -> tuple[str, str]:
    """What stands before the first brace and behind the last one, without the model's reasoning."""
    for repair in repairs:
        if repair.rule == "reasoning" and repair.span is not None and repair.count == 1:
            start, end = repair.span
            text = text[:start] + " " * (end - start) + text[end:]
    return text.partition("{")[0], text.rpartition("}")[2]


def _says(text: str, tool: Tool) -> bool:
    """Whether one of the tool's names stands in the text as a word of its own."""
    if tool.name not in text and not tool.name_aliases:
        return False
    return any(_has_word(text, name) for name in (tool.name, *tool.name_aliases))


def _has_word(text: str, name: str) -> bool:
    return name in text and re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text) is not None


def _wrapped(repair: Repair, scene: Scene, tools: Tools) -> str | None:
    """The wrapper that has another tool's name."""
    own = {scene.tool.name, *scene.tool.name_aliases}
    for key in _keys(repair.before, scene.tool):
        said = {key, *names.readings(key)}
        if said.isdisjoint(own) and any(_is_name(name, tools) for name in said):
            return key
    return None


def _is_name(name: str, tools: Tools) -> bool:
    """Whether a tool has this name or had it; the one under which a provider knows it is no word of the model's."""
    tool = tools.get(name)
    return tool is not None and name in (tool.name, *tool.name_aliases)


def _keys(value: Json, tool: RuleTool) -> Iterator[str]:
    """The names of the wrappers, from the outside to the arguments; of a long one as far as its record shows it."""
    for _ in range(_MOST):
        if isinstance(value, dict):
            members = value
        elif isinstance(value, str) and (match := _FIRST_KEY.match(value)):
            members = {match[1]: value[match.end() :]}
        else:
            return
        if any(inner.knows(tool, key, spelling=True) for key in members):
            return
        yield from members
        value = next((item for item in members.values() if isinstance(item, dict)), None) or next(
            (item for item in members.values() if isinstance(item, str) and "{" in item), None
        )


def _strange(said: str, scene: Scene, outcome: ValidCall) -> InvalidCall:
    issue = Issue(
        pointer="",
        keyword="unexpected",
        message="the arguments hold a call that names another tool",
        expected=outcome.tool.name,
        found=shown(said),
    )
    return refusal.schema_error(scene, (issue,))
