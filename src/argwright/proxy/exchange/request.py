"""What a request asks for: its tools, whether calls may come, and the body that goes upstream.

A request that is not understood is not engaged in, and its bytes go through. Of a tool whose declaration cannot be
used, or that is no function (run by the provider, built into the client), no schema is known: a call of it has to be
one JSON object, and no more is asked. A free text is no such call, and passes as it is.
"""

from __future__ import annotations

import logging
import marshal
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from argwright import history
from argwright.declarations import tools_from
from argwright.errors import ArgwrightError
from argwright.making import quick
from argwright.model import Json
from argwright.policy import Policy
from argwright.proxy.configured import Configured, with_settings
from argwright.proxy.exchange.frames import encoded
from argwright.proxy.exchange.lossless import loads
from argwright.proxy.exchange.protocol import Body, Protocol
from argwright.proxy.settings import Mending, ToolSettings
from argwright.tool import Tool
from argwright.toolbox import Toolbox
from argwright.wire.plain import identifier, mapping, objects, text


@quick
@dataclass(frozen=True, kw_only=True)
class Asked:
    """A request that is understood.

    Args:
        body: what goes upstream, decoded.
        ask: the same in bytes: the client's own, unless its history was mended.
        box: the tools whose calls are resolved.
        bare: the tools of which no schema is known: their calls are only looked at.
        broken: names of functions whose declaration cannot be used; most of them are such tools.
        streamed: whether a stream is asked for.
        several: whether several choices are.
        may_call: whether the model may make calls.
        scans: whether the text is read for calls.
        changes: how many things were mended in the history.
    """

    body: Body
    ask: bytes
    box: Toolbox
    bare: Toolbox
    broken: tuple[str, ...]
    streamed: bool
    several: bool
    may_call: bool
    scans: bool
    changes: int


_ASKING = frozenset({"system", "developer", "user"})
_PLAIN = frozenset({"role", "content", "type"})
_AS_THEY_ARE = 2  # the format of `marshal` in which equal values are equal bytes
_HALF = re.compile("[\ud800-\udfff]")  # of a surrogate pair


_OBJECT: Mapping[str, Json] = {"type": "object"}
_TWICE = "it is declared more than once, and not alike"
_log = logging.getLogger("argwright.gateway")


@dataclass(frozen=True)
class _Tools:
    box: Toolbox
    bare: Toolbox
    broken: tuple[str, ...]


def read(protocol: Protocol, body: bytes, mending: Mending) -> Asked | None:
    """The request; `None` for one that declares no functions, or that is not understood."""
    try:
        data = loads(body, lenient=True)
    except (ValueError, RecursionError):
        return None
    if not isinstance(data, dict):
        return None
    tools = _tools(list(protocol.declared(data)), mending)
    if tools is None or not (tools.box.names or tools.bare.names or tools.broken):
        return None
    sent, changes = _mended(protocol, data) if mending.history else (data, 0)
    may_call = protocol.may_call(data)
    return Asked(
        body=sent,
        ask=encoded(sent) if changes else body,
        box=tools.box,
        bare=tools.bare,
        broken=tools.broken,
        streamed=data.get("stream") is True,
        several=protocol.several(data),
        may_call=may_call,
        scans=may_call and bool(tools.box.names) and protocol.prose(data),
        changes=changes,
    )


def _mended(protocol: Protocol, body: Body) -> tuple[Body, int]:
    """The request with a history that its provider takes, and how much was changed for that."""
    messages = body.get(protocol.history)
    if not isinstance(messages, list) or all(map(_only_asks, messages)):
        return body, 0
    stored = bool(body.get("previous_response_id") or body.get("conversation"))
    known = [own for item in objects(messages) if (own := identifier(item.get("call_id")))] if stored else []
    try:
        made, changes = history.effective(protocol.form, messages, known_ids=known)
    except (ValueError, LookupError, RecursionError):
        return body, 0
    return ({**body, protocol.history: made}, len(changes)) if changes else (body, 0)


def _only_asks(message: Json) -> bool:
    """Whether a message is a plain text of the program or its user, in which no provider finds a fault."""
    if not isinstance(message, dict) or message.get("role") not in _ASKING or not message.keys() <= _PLAIN:
        return False
    text = message.get("content")
    return isinstance(text, str) and not text.isspace() and text != "" and not _HALF.search(text)


def _tools(declared: list[Json], mending: Mending) -> _Tools | None:
    if not declared:
        return None
    try:
        key = marshal.dumps(declared, _AS_THEY_ARE)
    except ValueError:  # nested too deep
        return _made(declared, mending)
    return _built(key, Configured(mending))


@lru_cache(maxsize=256)  # the same declarations come with every request of a program
def _built(declared: bytes, configured: Configured) -> _Tools:
    return _made(marshal.loads(declared), configured.mending)  # noqa: S302  # what was written just before


def _made(declared: list[Json], mending: Mending) -> _Tools:
    """What is declared: each tool once, however often it stands there alike."""
    found: dict[str, list[Tool]] = {}
    broken: dict[str, str] = {}
    others: list[str] = []
    for entry in _flat(declared):
        try:
            made = [with_settings(tool, mending.tools.get(tool.name)) for tool in tools_from([entry])]
        except (ArgwrightError, ValueError, RecursionError) as error:
            broken.setdefault(_name(entry), str(error))
            continue
        others += [] if made else [_name(entry)]
        for tool in made:
            found.setdefault(tool.name, []).append(tool)
    broken |= {name: _TWICE for name, tools in found.items() if not all(_alike(tools[0], one) for one in tools)}
    for name, why in broken.items():
        _warn(name, why)
    sound = [tools[0] for name, tools in found.items() if name not in broken]
    bare = [name for name in dict.fromkeys([*broken, *others]) if name in broken or name not in found]
    box = Toolbox([*_told_apart(sound, bare)], policy=mending.policy, limits=mending.limits, without=mending.without)
    return _Tools(box, _bare(bare, mending), tuple(sorted(broken)))


def _alike(one: Tool, other: Tool) -> bool:
    """Whether two declarations say the same of a call."""
    return (one.schema, one.annotations) == (other.schema, other.annotations)


@lru_cache(maxsize=1024)  # once for each
def _warn(name: str, why: str) -> None:
    told = "the declaration of tool %r cannot be used (%s): its calls have to be JSON objects, nothing else is checked"
    _log.warning(told, name, why)


def _told_apart(tools: Iterable[Tool], others: Collection[str]) -> Iterator[Tool]:
    """The tools without aliases that mean another one too."""
    tools = [*tools]
    names = Counter(others) + Counter(name for tool in tools for name in (tool.name, *tool.name_aliases))
    for tool in tools:
        own = tuple(name for name in tool.name_aliases if names[name] == 1)
        yield tool if own == tuple(tool.name_aliases) else replace(tool, name_aliases=own)


def _bare(names: Iterable[str], mending: Mending) -> Toolbox:
    """Tools of which nothing is known but the name."""
    tools: list[Tool] = []
    for name in names:
        known = mending.tools.get(name, ToolSettings())
        settings = ToolSettings(sensitive=known.sensitive, policy=known.policy and _exact(known.policy))
        try:
            tools.append(with_settings(Tool.from_schema(name, _OBJECT), settings))
        except ArgwrightError:  # a name that no call can have
            continue
    return Toolbox(tools, policy=_exact(mending.policy), limits=mending.limits, without=mending.without)


def _exact(policy: Policy) -> Policy:
    """As much of a policy as needs no schema."""
    return policy if policy.certainty is None else Policy.EXACT


def _flat(entries: list[Json]) -> Iterator[Json]:
    """The single declarations, those of namespaces among them."""
    for entry in entries:
        inner = mapping(entry).get("tools")
        if isinstance(inner, list):
            yield from _flat(inner)
        else:
            yield entry


def _name(entry: Json) -> str:
    top = mapping(entry)
    inner = mapping(top.get("function")) or mapping(top.get("custom")) or top
    return text(inner.get("name"))


def usage_of(body: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """What a whole reply says that it cost."""
    return mapping(body.get("usage")) or None
