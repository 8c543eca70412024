"""What a request asks for: its tools, whether calls may come, and the body that goes upstream.

A request that is not understood is not engaged in, and its bytes go through. A tool whose declaration is wrong, or that
is none of functions (free text, run by the provider, built into the client), is left alone: its calls pass as they are.
"""

from __future__ import annotations

import json
import marshal
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from argwright import history
from argwright.declarations import tools_from
from argwright.errors import ArgwrightError, DeclarationError
from argwright.making import quick
from argwright.model import Json
from argwright.proxy.configured import Configured, with_settings
from argwright.proxy.exchange.frames import encoded
from argwright.proxy.exchange.protocol import Body, Protocol
from argwright.proxy.settings import Mending
from argwright.tool import Tool
from argwright.toolbox import Toolbox
from argwright.wire.plain import identifier, mapping, objects, text, word


@quick
@dataclass(frozen=True, kw_only=True)
class Asked:
    """A request that is understood.

    Args:
        body: what goes upstream, decoded.
        ask: the same in bytes: the client's own, unless its history was mended.
        box: the tools whose calls are resolved.
        unmended: names of declared tools whose calls pass as they are.
        broken: those of them whose declaration is wrong.
        streamed: whether a stream is asked for.
        may_call: whether the model may make calls.
        scans: whether the text is read for calls.
        changes: how many things were mended in the history.
    """

    body: Body
    ask: bytes
    box: Toolbox
    unmended: frozenset[str]
    broken: tuple[str, ...]
    streamed: bool
    may_call: bool
    scans: bool
    changes: int


_ASKING = frozenset({"system", "developer", "user"})
_PLAIN = frozenset({"role", "content", "type"})
_AS_THEY_ARE = 2  # the format of `marshal` in which equal values are equal bytes
_HALF = re.compile("[\ud800-\udfff]")  # of a surrogate pair


@dataclass(frozen=True)
class _Tools:
    box: Toolbox
    unmended: frozenset[str]
    broken: tuple[str, ...]


def read(protocol: Protocol, body: bytes, mending: Mending) -> Asked | None:
    """The request; `None` for one that declares no functions, or that is not understood."""
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        return None
    if not isinstance(data, dict) or not protocol.plain(data):
        return None
    tools = _tools(list(protocol.declared(data)), mending)
    if tools is None or not len(tools.box):
        return None
    sent, changes = _mended(protocol, data) if mending.history else (data, 0)
    may_call = protocol.may_call(data)
    return Asked(
        body=sent,
        ask=encoded(sent) if changes else body,
        box=tools.box,
        unmended=tools.unmended,
        broken=tools.broken,
        streamed=data.get("stream") is True,
        may_call=may_call,
        scans=may_call and protocol.prose(data),
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
        return _built(marshal.dumps(declared, _AS_THEY_ARE), Configured(mending))
    except (DeclarationError, ValueError, RecursionError):
        return None


@lru_cache(maxsize=256)  # the same declarations come with every request of a program
def _built(declared: bytes, configured: Configured) -> _Tools:
    mending = configured.mending
    tools: list[Tool] = []
    unmended: set[str] = set()
    broken: set[str] = set()
    for entry in _flat(marshal.loads(declared)):  # noqa: S302  # what was written just before
        name = _name(entry)
        try:
            made = [with_settings(tool, mending.tools.get(tool.name)) for tool in tools_from([entry])]
        except ArgwrightError:
            made = []
            broken.add(name)
        tools += made
        if not made:
            unmended.add(name)
    doubled = _doubled(tools)
    box = Toolbox(
        [tool for tool in tools if tool.name not in doubled],
        policy=mending.policy,
        limits=mending.limits,
        without=mending.without,
    )
    return _Tools(box, frozenset(unmended | doubled), tuple(sorted(broken | doubled)))


def _doubled(tools: list[Tool]) -> set[str]:
    """Tools that share a name or an alias: which of them is meant cannot be told."""
    names = Counter(name for tool in tools for name in {tool.name, *tool.name_aliases})
    return {tool.name for tool in tools if any(names[name] > 1 for name in (tool.name, *tool.name_aliases))}


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
    return word(inner.get("name")) or text(top.get("type"))


def usage_of(body: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """What a whole reply says that it cost."""
    return mapping(body.get("usage")) or None
