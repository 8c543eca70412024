"""An arguments object that stands one level too deep, as itself or as its text."""

from __future__ import annotations

from dataclasses import dataclass, replace

from argwright.decode import Decoded, Undecodable, decode
from argwright.model import Json, Repair
from argwright.rules.keys import admits, same_word
from argwright.rules.rule import Context, RuleTool

_LAYERS = 3  # the text of a text of an object was seen
_OPENERS = ("{", '"', "```")  # how the text of an object begins; text that only contains one is a value of its own


@dataclass(frozen=True, kw_only=True)
class Inner:
    """What a wrapper holds: the object, and what was mended to read it; `broken` if it is text without a reading."""

    object: dict[str, Json] | None = None
    repairs: tuple[Repair, ...] = ()
    broken: Undecodable | None = None


def read(value: Json, context: Context) -> Inner | None:
    """The object that the value is or spells; `None` if it is no such thing.

    What is mended in its text has no span, since that counts in a text that nobody sees.
    """
    repairs: tuple[Repair, ...] = ()
    for _ in range(_LAYERS):
        if isinstance(value, dict):
            return Inner(object=value, repairs=repairs)
        if not isinstance(value, str) or not value.lstrip().startswith(_OPENERS):
            return None
        tool = context.tool
        got = decode(
            value,
            shape=tool.shape if tool else context.shape,
            tool=tool.name if tool else None,
            policy=context.policy,
            limits=context.limits,
        )
        if not isinstance(got, Decoded):
            return Inner(broken=got) if value.lstrip().startswith("{") else None
        value, repairs = got.value, (*repairs, *(replace(repair, span=None) for repair in got.repairs))
    return None


def knows(tool: RuleTool, name: str, *, spelling: bool) -> bool:
    """Whether the arguments have a place for this name, under this spelling or, if that may be mended, another one."""
    return admits(tool, name) or (spelling and same_word(name, tool.shape.properties) is not None)


def fits(arguments: dict[str, Json], context: Context) -> bool:
    """Whether the object has members, and declared ones only."""
    tool = context.tool
    spelling = context.policy.spelling
    return tool is not None and bool(arguments) and all(knows(tool, name, spelling=spelling) for name in arguments)
