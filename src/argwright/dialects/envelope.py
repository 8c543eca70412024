"""A call's JSON wrapper: which member is the name, which the arguments.

The wrappers seen are few: name and arguments side by side under one of several keys, the
same inside `function`, a list of them under `tool_calls` or `tool_uses`, an object whose
only key is the tool. The arguments' text goes on as written. What would lose something
(a second set of arguments, a declared parameter beside the arguments instead of inside)
makes the entry broken, and a broken entry is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from argwright.decode import Decoded, decode
from argwright.dialects.context import Context, is_name
from argwright.dialects.objects import Member, Object, State, members, objects, plain
from argwright.dialects.typing import object_text, text_parameter, typed
from argwright.model import Json, compact
from argwright.policy import Policy

_NAMES = ("name", "tool_name", "function_name", "tool", "function", "recipient_name", "action")
_ARGUMENTS = ("arguments", "parameters", "args", "input", "action_input", "tool_input", "params")
_TEXT_INPUTS = frozenset({"input", "action_input", "tool_input"})
_NESTS = ("function", "function_call", "functionCall", "tool_call", "toolUse", "tool")
_LISTS = ("tool_calls", "tool_uses")
_IDS = ("id", "tool_call_id", "call_id", "toolUseId")
KEYS = frozenset({*_NAMES, *_ARGUMENTS, *_NESTS, *_LISTS, *_IDS, "type", "role", "content", "index"})
"""The keys that such an object may begin with."""

_OF_CALLS = KEYS - {"content"}  # what stands beside the arguments and is no parameter, declared or not
_EMPTY = frozenset({"null", "None", '""'})
_AROUND = frozenset({"prose", "fence", "reasoning", "special-token"})  # repairs that leave something of the text out


@dataclass(frozen=True)
class Entry:
    """One call of a wrapper, its arguments as written.

    Args:
        given: the arguments were there.
        key: the key they stood under.
        wrapper: the key of the list it stood in, if any.
        doubtful: the wrapper is whole, and which of its members are the arguments is not certain.
        described: a description stands beside them, as in a tool's declaration.
    """

    name: str | None
    arguments: str = ""
    id: str | None = None
    state: State = State.CLOSED
    given: bool = False
    key: str = ""
    wrapper: str | None = None
    doubtful: bool = False
    described: bool = False


def entries(ctx: Context, body: str, tail: str = "", depth: int = 0) -> list[Entry]:
    """The calls that an object's text wraps; none if it is no such wrapper.

    Args:
        ctx: the declared tools.
        body: the text from `{` on.
        tail: the closing marker behind a body that is not whole: nothing more would have come.
        depth: how many wrappers are around.
    """
    wrapper = members(body)
    by_key: dict[str, Member] = {}
    for member in wrapper.members:
        by_key.setdefault(member.key, member)
    if inner := _inner(by_key, body):
        if depth > 1:
            return []
        texts = objects(body[inner.start : inner.end]) if body[inner.start] == "[" else [body[inner.start : inner.end]]
        found = [entry for text in texts for entry in entries(ctx, text, tail, depth + 1)]
        outer = _text(body, by_key, _IDS)
        key = inner.key if body[inner.start] == "[" else None
        return [replace(entry, id=entry.id or outer, wrapper=entry.wrapper or key) for entry in found]
    entry = _flat(ctx, body, wrapper, tail)
    return [] if entry is None else [entry]


def _inner(by_key: Mapping[str, Member], body: str) -> Member | None:
    """The member that holds the call or the calls."""
    for keys, opener in ((_LISTS, "["), (_NESTS, "{")):
        for key in keys:
            if key in by_key and body.startswith(opener, by_key[key].start):
                return by_key[key]
    return None


def _flat(ctx: Context, body: str, wrapper: Object, tail: str) -> Entry | None:
    by_key: dict[str, Member] = {member.key: member for member in reversed(wrapper.members)}
    name = _text(body, by_key, _NAMES)
    given = next((by_key[key] for key in _ARGUMENTS if key in by_key), None)
    if name is not None and not is_name(name) and not ctx.declared(name):
        return None
    if name is None and given is None:
        return _decoded(body) if wrapper.state is State.BROKEN else _begun(body, wrapper)
    state = _state(wrapper, given, tail)
    if state is State.BROKEN and wrapper.state is State.BROKEN and (entry := _decoded(body)):
        return entry
    if name is None or _loses(ctx, body, wrapper, name):
        state = State.BROKEN if state is State.CLOSED else state
    text = _arguments(ctx, body, given, name) if given else ("{}" if state is State.CLOSED else "")
    if given and not given.whole:
        text += tail
    text = text or body if state is State.BROKEN else text
    doubtful = name is not None and state is State.BROKEN and wrapper.state is State.CLOSED
    return Entry(
        name,
        _both(body, wrapper) if doubtful else text,
        _text(body, by_key, _IDS),
        state,
        given is not None,
        given.key if given else "",
        doubtful=doubtful,
        described="description" in by_key,
    )


def _both(body: str, wrapper: Object) -> str:
    """A doubtful wrapper in both readings, without the name's members and as it is, so that neither is taken."""
    others = [member for member in wrapper.members if member.key not in _NAMES]
    written = ",".join(f"{compact(member.key)}:{body[member.start : member.end]}" for member in others)
    return f"{{{written}}}\n{body}"


def _state(wrapper: Object, given: Member | None, tail: str) -> State:
    """A wrapper that a closing marker ends lacks nothing but its own braces, if its arguments have begun."""
    if wrapper.state is State.CUT and tail:
        return State.CLOSED if given is not None and given is wrapper.members[-1] else State.BROKEN
    return wrapper.state


def _begun(body: str, wrapper: Object) -> Entry | None:
    """The entry of a wrapper that was cut before it said anything."""
    keys = [member.key for member in wrapper.members]
    if wrapper.state is not State.CUT or any(key not in KEYS for key in keys):
        return None
    last = body.rsplit(",", 1)[-1].lstrip("{ \t\r\n\"'")
    word = last.rstrip("\"' \t\r\n:")
    begun = keys or not last or (word[:1].isalpha() and any(key.startswith(word) for key in KEYS))
    return Entry(None, body, state=State.CUT) if begun else None


def _text(body: str, by_key: Mapping[str, Member], keys: tuple[str, ...]) -> str | None:
    """The text under the first of these keys that has one."""
    for key in keys:
        if key in by_key and by_key[key].whole and body[by_key[key].start] not in "{[":
            text = plain(body[by_key[key].start : by_key[key].end])
            return None if text in ("null", "None") else text
    return None


def _arguments(ctx: Context, body: str, given: Member, name: str | None) -> str:
    """The arguments' text; one that came inside a string, without the string around it."""
    written = body[given.start : given.end]
    if written[:1] not in ('"', "'") or not given.whole:
        return written
    text = plain(written)
    if not text.strip() or text.lstrip()[0] == "{":
        return text
    parameter = text_parameter(ctx.schema(name)) if given.key in _TEXT_INPUTS else None
    if parameter is None:
        return written
    return object_text([(parameter, typed(text, ctx.shape(name).member(parameter)))])


def _loses(ctx: Context, body: str, wrapper: Object, name: str) -> bool:
    """Whether reading the wrapper as this call would leave something out that the model said."""
    seen: dict[str, str] = {}
    sets: set[str] = set()
    declared = ctx.shape(name).properties
    for member in wrapper.members:
        written = body[member.start : member.end]
        if seen.setdefault(member.key, written) != written:
            return True
        if member.key in _ARGUMENTS:
            sets.add(written)
    others = [
        member.key
        for member in wrapper.members
        if member.key not in _ARGUMENTS
        and member.key not in _NAMES
        and (member.key != "content" or body[member.start : member.end] not in _EMPTY)
    ]
    if sets:
        return len(sets) > 1 or any(key in declared and key not in _OF_CALLS for key in others)
    return any(key in declared or key not in KEYS for key in others)


def _decoded(body: str) -> Entry | None:
    """A wrapper in a notation that only the decoder reads, if it is certain and leaves nothing out."""
    if not body.endswith("}"):
        return None
    read = decode(body, policy=Policy.EXACT)
    if not isinstance(read, Decoded) or not isinstance(read.value, dict):
        return None
    if any(repair.rule in _AROUND for repair in read.repairs):
        return None
    return _from_value(read.value)


def _from_value(value: dict[str, Json]) -> Entry | None:
    names = [value[key] for key in _NAMES if key in value]
    sets = [value[key] for key in _ARGUMENTS if key in value]
    if len(names) != 1 or len(sets) != 1 or not isinstance(names[0], str) or not isinstance(sets[0], dict):
        return None
    if not value.keys() <= KEYS or not is_name(names[0]):
        return None
    return Entry(names[0], compact(sets[0]), given=True)


def keyed(ctx: Context, body: str) -> list[Entry]:
    """The call of an object whose only key is the tool's name."""
    wrapper = members(body)
    if len(wrapper.members) != 1 or wrapper.state is State.BROKEN:
        return []
    member = wrapper.members[0]
    text = body[member.start : member.end]
    if not text.startswith("{") or not (is_name(member.key) or ctx.declared(member.key)):
        return []
    return [Entry(member.key, text, state=wrapper.state, given=True)]
