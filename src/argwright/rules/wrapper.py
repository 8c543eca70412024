"""The arguments inside an extra object: `{"arguments": {…}}`, `{"name": "this_tool", "input": "{…}"}`.

Only where no name at the top is declared and one member holds an object, or the text of
one, of declared names only; beside it nothing but the name of this very tool and what
marks a call. The name of another tool is a contradiction, and refused. A declared name
is never unwrapped, nor is a wrapper that holds no object.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from argwright.model import Issue, Json, Repair
from argwright.policy import Certainty
from argwright.rules import inner, names
from argwright.rules.places import pointer_of, shown
from argwright.rules.rule import Context, Example, Proposal, Rule, RuleTool

USUAL = frozenset({
    "arguments", "args", "parameters", "params", "input", "inputs", "kwargs", "tool_input", "tool_args", "action_input",
    "function_args", "function_arguments", "raw_arguments",
})  # fmt: skip
"""What wrappers are called; any other name will do if its object has members and could stand nowhere else."""

_NAMING = frozenset({
    "name", "tool", "function", "tool_name", "toolName", "function_name", "functionName", "recipient_name", "action",
})  # fmt: skip
_KINDS = frozenset({"function", "function_call", "tool_use", "tool_call", "tool", "call"})
_IDS = frozenset({"id", "call_id", "tool_call_id", "toolCallId"})
_DEPTH = 3  # {"tool_call": {"function": {"name": …, "arguments": …}}}
_SCHEMA_WORD = "properties"  # an echo of the schema, which has a rule of its own


@dataclass(frozen=True, kw_only=True)
class _Found:
    arguments: dict[str, Json]
    repairs: tuple[Repair, ...]
    key: str
    named: bool


def propose(context: Context) -> Proposal | None:
    """The object inside the wrapper, or a refusal of a wrapper that cannot be this call's."""
    outer, tool = context.value, context.tool
    if tool is None or not isinstance(outer, dict) or not outer or not tool.shape.properties.keys().isdisjoint(outer):
        return None
    if _any_known(outer, context):
        return None
    found = _peel(outer, context, _DEPTH)
    if found is None:
        return None
    if isinstance(found, Issue):
        return Proposal(refuse=(found,))
    return Proposal(
        value=found.arguments,
        before=shown(outer),
        repairs=found.repairs,
        otherwise=Issue(
            pointer=pointer_of((found.key,)),
            keyword="unexpected",
            message=f"the arguments stand inside {found.key!r}; they belong at the top level",
        ),
    )


def _any_known(outer: Mapping[str, Json], context: Context) -> bool:
    tool = context.tool
    return tool is None or any(inner.knows(tool, name, spelling=context.policy.spelling) for name in outer)


def _peel(outer: Mapping[str, Json], context: Context, depth: int) -> _Found | Issue | None:
    """The innermost arguments object; an issue if the wrapper names another tool or holds broken text."""
    said = [value for key, value in outer.items() if key in _NAMING and isinstance(value, str)]
    rest = {key: value for key, value in outer.items() if not (key in _NAMING and isinstance(value, str))}
    marks = {key for key, value in rest.items() if key in _IDS or (key == "type" and value in _KINDS)}
    holders = [key for key in rest if key not in marks]
    if len(holders) != 1 or holders[0] == _SCHEMA_WORD:
        return None
    key = holders[0]
    content = inner.read(rest[key], context)
    if content is None:
        return None
    stranger = next((name for name in said if not _is_this(name, context)), None)
    if stranger is not None:
        return _strange(stranger, key, content, context)
    if content.object is None:
        return _broken(key, content)
    found = _arguments(key, content, context) or (
        _peel(content.object, context, depth - 1) if depth and not _any_known(content.object, context) else None
    )
    if not isinstance(found, _Found):
        return found
    named = bool(said) or found.named
    if marks - {"type"} and not named:
        return None
    return _Found(arguments=found.arguments, repairs=(*content.repairs, *found.repairs), key=key, named=named)


def _arguments(key: str, content: inner.Inner, context: Context) -> _Found | None:
    """The content, if it is an arguments object that could stand nowhere else."""
    members = content.object
    if members is None or not (inner.fits(members, context) or (not members and key in USUAL)):
        return None
    if key not in USUAL and _has_another_place(members, context.tool):
        return None
    return _Found(arguments=members, repairs=(), key=key, named=False)


def _has_another_place(members: Mapping[str, Json], tool: RuleTool | None) -> bool:
    """Whether a declared member could hold the same object, so that the unknown name may mean that one."""
    if tool is None:
        return True
    shapes = (tool.shape.member(name) for name in tool.shape.properties)
    return any(shape.properties and members.keys() <= shape.properties.keys() for shape in shapes)


def _is_this(said: str, context: Context) -> bool:
    tool = context.tool
    if tool is None:
        return False
    known = {tool.name, context.call.name, *tool.name_aliases}
    return said in known or any(reading in known for reading in names.readings(said))


def _strange(said: str, key: str, content: inner.Inner, context: Context) -> Issue | None:
    fitting = content.object is not None and inner.fits(content.object, context)
    if not fitting and key not in USUAL:
        return None
    return Issue(
        pointer="",
        keyword="unexpected",
        message="the arguments hold a call that names another tool",
        expected=context.tool.name if context.tool else None,
        found=shown(said),
    )


def _broken(key: str, content: inner.Inner) -> Issue | None:
    if key not in USUAL or content.broken is None:
        return None
    return Issue(
        pointer=pointer_of((key,)),
        keyword="unexpected",
        message=f"{key!r} holds the text of an object that cannot be read ({content.broken.reason})",
    )


_OPEN = {"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"}}}
_CLOSED = {**_OPEN, "required": ["city"], "additionalProperties": False}
_META = {"type": "object", "properties": {"method": {"type": "string"}, "arguments": {"type": "object"}}}

RULE = Rule(
    name="wrapper",
    layer="unwrap",
    certainty=Certainty.LIKELY,
    propose=propose,
    examples=(
        Example(schema=_CLOSED, arguments={"arguments": {"city": "Łódź"}}, becomes={"city": "Łódź"}),
        Example(schema=_OPEN, arguments={"input": '{"city": "Łódź"}'}, becomes={"city": "Łódź"}),
    ),
    untouched=(
        Example(schema=_META, arguments={"method": "sum", "arguments": {"city": "Łódź"}}),
        Example(schema=_META, arguments={"arguments": {"method": "sum"}}),
        Example(schema=_OPEN, arguments={"city": "Łódź", "arguments": {"days": 2}}),
        Example(schema=_OPEN, arguments={"trace": {"id": 7}}),
    ),
)
