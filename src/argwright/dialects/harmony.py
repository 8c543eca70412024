"""gpt-oss: `<|start|>ROLE <|channel|>CHANNEL to=functions.NAME <|constrain|>json<|message|>…<|call|>`, and kin.

A message with a recipient is a call, on whatever channel; `analysis` without one is
reasoning, the others are the answer, in which nothing is a call. Beam and Muse have the
same header and other bodies. Servers that drop special tokens leave the words of the
headers behind; then only declared names count.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from argwright.dialects.context import MAX_NAME, Context, Mark, bare_name, found, undoubled
from argwright.dialects.events import Event, ReasoningText, TextSafe
from argwright.dialects.invoke import Call, report, wrapped
from argwright.dialects.marks import mark_at
from argwright.dialects.named_json import Ends, Head, json_arguments
from argwright.dialects.prose import collect
from argwright.dialects.source import Source, Steps, expect, find, peek, skip_blanks, skip_space, word
from argwright.dialects.streams import until
from argwright.dialects.tag_values import Opener, TagForm, attributes, opening_tag, parameters, trimmed

_CLOSERS = ("<|call|>", "<|end|>", "<|return|>", "<|eom|>", "<|eot|>")
_NEXTS = ("<|start|>", "<|channel|>")
_ENDS = Ends(_CLOSERS, _NEXTS)
_MESSAGE = "<|message|>"
_HEADER_STOP = re.compile(r"<\|message\|>|<\|(?:end|call|return|eom|eot)\|>|\n")
_MAX_HEADER = 400
_HEADER = re.compile(r"(?:<\|start\|>\s*(?P<role>[\w.-]+))?[^\n]*", re.DOTALL)
_RECIPIENT = re.compile(r"to=(?P<name>[^\s<|]+)")
_CHANNEL = re.compile(r"<\|channel\|>\s*(?P<channel>\w+)")
_PERSONS = frozenset({"self", "user", "assistant"})  # recipients that are no tools
_CHANNELS = frozenset({"analysis", "commentary", "final"})


@dataclass(frozen=True)
class Header:
    """A message's header: its channel and whom it is for."""

    channel: str
    recipient: str
    end: int
    complete: bool


def message(ctx: Context, src: Source, mark: Mark) -> Steps[int | None]:
    """One message from its header on."""
    return (yield from message_at(ctx, src, mark.start))


def message_at(ctx: Context, src: Source, pos: int) -> Steps[int | None]:
    """The message whose header begins at `pos`."""
    dialect = ctx.pick("harmony", "beam", "muse_atem")
    if dialect is None:
        return None
    if ended := (yield from expect(src, pos, ("<|end|>", "<|eom|>"))):
        pos = yield from skip_space(src, pos + len(ended))
        if not (yield from expect(src, pos, _NEXTS)):
            return None
    header = yield from _header(src, pos)
    if header is None:
        return None
    if not header.complete:
        if header.recipient:
            yield found(dialect, bare_name(header.recipient), "", cut=True)
        return header.end
    if header.recipient and header.recipient not in _PERSONS:
        return (yield from _call(ctx, src, header, dialect))
    end, closer = yield from until(src, header.end, (*_CLOSERS, *_NEXTS), _channel_event(header))
    return end + len(closer) if closer in _CLOSERS else end


def _channel_event(header: Header) -> type[ReasoningText | TextSafe]:
    to_itself = header.recipient in ("self", "assistant")
    return ReasoningText if header.channel == "analysis" or to_itself else TextSafe


def _header(src: Source, pos: int) -> Steps[Header | None]:
    stop = yield from find(src, pos, _HEADER_STOP, len(_MESSAGE), within=_MAX_HEADER)
    end = stop[1] if stop else len(src.text)
    if end - pos > _MAX_HEADER or not (src.ended or stop) or (stop and src.text[slice(*stop)] != _MESSAGE):
        return None
    text = src.text[pos:end]
    channel = _CHANNEL.search(text)
    recipient = _RECIPIENT.search(text)
    known = channel is not None and channel.group("channel") in _CHANNELS
    plain_message = text in ("<|start|>assistant<|message|>", _MESSAGE)
    cut = stop is None and text.startswith(_NEXTS)
    if not (known or recipient or plain_message or cut) or (stop is None and "<|" not in text):
        return None
    return Header(
        channel.group("channel") if channel else "final",
        recipient.group("name") if recipient else "",
        end,
        stop is not None,
    )


def _call(ctx: Context, src: Source, header: Header, dialect: str) -> Steps[int]:
    name = undoubled(ctx, bare_name(header.recipient))
    pos = yield from skip_space(src, header.end)
    if (yield from peek(src, pos)) == "<":
        if (yield from expect(src, pos, ("<rfl:parameter",))):
            return (yield from _beam(ctx, src, pos, name))
        inner = yield from mark_at(src, pos)
        end = None if inner is None else (yield from wrapped(ctx, src, inner))
        if end is not None:
            return end
    return (yield from json_arguments(src, pos, Head(dialect, name), _ENDS))


def _rfl(src: Source, pos: int) -> Steps[Opener | None]:
    tag = yield from opening_tag(src, pos, ("<rfl:parameter",))
    name = attributes(tag[0]).get("name", "").strip() if tag else ""
    return Opener(name, tag[1]) if tag and name else None


_RFL = TagForm(
    opener=_rfl,
    heads=("<rfl:parameter",),
    closers=("</rfl:parameter>",),
    ends=_CLOSERS,
    nexts=_NEXTS,
    lenient=True,
    pieces=("<|constrain|>", _MESSAGE),
)


def _beam(ctx: Context, src: Source, pos: int, name: str) -> Steps[int]:
    read = yield from parameters(ctx, src, pos, tool=name, form=_RFL)
    given = tuple(type(item)(item.name, trimmed(item.text), item.kind) for item in read.given)
    dialect = ctx.pick("beam", "harmony") or "beam"
    return (yield from report(ctx, src, pos, call=Call(dialect, name), read=replace(read, given=given)))


_WORDS = ("assistantanalysis", "assistantcommentary", "assistantfinal", "analysis", "commentary", "final")
_NEXT_WORDS = re.compile(r"assistant(?:analysis|commentary|final)|commentary to=functions\.")
_LONGEST = len("commentary to=functions.")
_AFTER_ANSWER = ("assistantcommentary to=", "assistantanalysis")
_AFTER_CALL = ("\n", "\r", "<", *_WORDS)
_TO = re.compile(r"[\w.:-]*+")
_TYPES = ("json", "code", "<|constrain|>json")


def stripped(ctx: Context, src: Source, pos: int) -> Steps[int | None]:
    """Messages whose special tokens are gone, from a header's first word on."""
    dialect = ctx.pick("harmony")
    if dialect is None:
        return None
    thoughts: list[Event] = []
    end: int | None = None
    while head := (yield from expect(src, pos, _WORDS)):
        start = pos + len(head)
        body: int | None = None
        if (yield from expect(src, start, (" to=",))):
            body = yield from _stripped_call(ctx, src, start + len(" to="), _Pending(dialect, thoughts))
        elif head.endswith("analysis"):
            body = yield from _thought(src, start, thoughts)
        elif end is not None or thoughts or head.startswith("assistant"):
            yield from thoughts
            thoughts = []
            body, _ = yield from until(src, start, _AFTER_ANSWER, TextSafe)
        if body is None:
            break
        pos = yield from skip_space(src, body)
        end = end if thoughts else pos
    return end


@dataclass(frozen=True)
class _Pending:
    """The dialect, and the thoughts to report as soon as a header shows that they are some."""

    dialect: str
    thoughts: list[Event]


def _thought(src: Source, pos: int, thoughts: list[Event]) -> Steps[int | None]:
    next_word = yield from find(src, pos, _NEXT_WORDS, _LONGEST)
    if next_word is None:
        return None
    thoughts.append(ReasoningText(src.text[pos : next_word[0]]))
    return next_word[0]


def _stripped_call(ctx: Context, src: Source, pos: int, pending: _Pending) -> Steps[int | None]:
    end = yield from word(src, pos, _TO, MAX_NAME)
    name = "" if end is None else bare_name(src.text[pos:end])
    if not ctx.declared(name):  # the content type, run together with the name
        name = next((name.removesuffix(kind) for kind in ("json", "code") if name.endswith(kind)), name)
    if end is None or not ctx.declared(name):
        return None
    start = yield from skip_space(src, end)
    if kind := (yield from expect(src, start, _TYPES)):
        start = yield from skip_space(src, start + len(kind))
    if (yield from peek(src, start)) not in ("{", ""):
        return None
    reported: list[Event] = []
    end = yield from collect(json_arguments(src, start, Head(pending.dialect, name), _ENDS), reported)
    ahead = yield from skip_blanks(src, end or start)
    after = yield from expect(src, ahead, _AFTER_CALL)
    if not after and (yield from peek(src, ahead)):
        return None
    yield from pending.thoughts
    pending.thoughts.clear()
    yield from reported
    return end
