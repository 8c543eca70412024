"""Calls whose only sign is where they stand: a bare JSON object, a fence, `Action:`.

Anybody's answer may look like that. So the tool must be declared, the arguments must be
there, and the calls must be the whole text, the whole fence at the end of the text, or an
action line. What turns out to be something else is released as text.
"""

from __future__ import annotations

from dataclasses import dataclass

from argwright.dialects.brackets import JSON, Notation, body_end
from argwright.dialects.call_syntax import Style, call_list
from argwright.dialects.context import Context, bare_name, found
from argwright.dialects.envelope import KEYS, Entry, entries
from argwright.dialects.events import CallFound, Event
from argwright.dialects.objects import State, objects
from argwright.dialects.source import Source, Steps, expect, peek, skip_space

END_TOKENS = (
    "<|eom_id|>", "<|eot_id|>", "<|im_end|>", "<|end|>", "<|return|>", "<|call|>", "<|endoftext|>", "<|end_of_text|>",
    "<|END_OF_TURN_TOKEN|>", "</s>", "<eos>", "<end_of_turn>", "<turn|>", "<｜end▁of▁sentence｜>", "<|end_of_turn|>",
)  # fmt: skip
"""Tokens that end a reply."""

_MAX_KEY = 40
_KINDS = ("llama3_json", "bare_json", "bare_json_array", "openai_json", "parallel_wrapper", "json_fence")


def ends_text(src: Source, pos: int) -> Steps[bool]:
    """Whether nothing but white space and end tokens follows."""
    while True:
        pos = yield from skip_space(src, pos)
        if not (yield from peek(src, pos)):
            return True
        token = yield from expect(src, pos, END_TOKENS)
        if token is None:
            return False
        pos += len(token)


def end_of_text(src: Source, pos: int) -> Steps[int]:
    """Past everything that is still to come."""
    while not src.ended:
        yield None
    return max(pos, len(src.text))


def acceptable(ctx: Context, entry: Entry) -> bool:
    """Whether an entry is a call that may stand without a marker: a declared tool and its arguments."""
    name = entry.name or ""
    known = ctx.known(name) if entry.wrapper == "tool_uses" else ctx.declared(name)
    an_object = entry.arguments.lstrip()[:1] in ("{", "") or entry.arguments.strip() == "null"
    return known and entry.given and an_object and not entry.described


@dataclass(frozen=True)
class Body:
    """JSON that stands without a marker: its calls, where it ends, and whether it is whole."""

    entries: tuple[Entry, ...]
    end: int
    complete: bool
    array: bool


def begins_like_calls(src: Source, pos: int) -> Steps[bool]:
    """Whether the object or array at `pos` begins with a key that calls begin with."""
    sign = yield from peek(src, pos)
    if sign == "[":
        pos = yield from skip_space(src, pos + 1)
        sign = yield from peek(src, pos)
    if sign != "{":
        return False
    pos = yield from skip_space(src, pos + 1)
    sign = yield from peek(src, pos)
    if sign not in ('"', "'"):
        return False
    end = pos + 1
    while (yield from peek(src, end)) not in ("", sign) and end - pos < _MAX_KEY:
        end += 1
    return src.text[pos + 1 : end] in KEYS or (end == len(src.text) and src.ended)


def json_body(ctx: Context, src: Source, pos: int, notation: Notation = JSON) -> Steps[Body | None]:
    """The objects or the array at `pos`, if all of it is calls of declared tools."""
    found_entries: list[Entry] = []
    array = False
    while (yield from begins_like_calls(src, pos)):
        array = array or src.text[pos] == "["
        end, complete = yield from body_end(src, pos, notation)
        text = src.text[pos:end]
        texts = objects(text) if array else [text]
        read = [entry for item in texts for entry in entries(ctx, item) or [Entry(None)]]
        if not read or not all(acceptable(ctx, entry) for entry in (read if complete else read[:-1])):
            return None
        begun = len(read) > 1 and read[-1].state is State.CUT
        if not complete and not begun and not acceptable(ctx, read[-1]):
            return None
        found_entries += read
        if not complete:
            return Body(tuple(found_entries), end, complete=False, array=array)
        pos = end
        ahead = yield from skip_space(src, pos)
        if (yield from expect(src, ahead, (";",))):
            ahead = yield from skip_space(src, ahead + 1)
        if (yield from peek(src, ahead)) != "{" or array:
            break
        pos = ahead
    return Body(tuple(found_entries), pos, complete=True, array=array) if found_entries else None


def events(ctx: Context, body: Body, *preferred: str) -> list[Event] | None:
    """The calls of a body, under the name of the likeliest dialect that is read."""
    reported: list[Event] = []
    for entry in body.entries:
        dialect = ctx.pick(*preferred, _kind(entry, body), *_KINDS)
        if dialect is None:
            return None
        cut = not body.complete and entry is body.entries[-1]
        name = bare_name(entry.name or "") if entry.wrapper == "tool_uses" else entry.name
        broken = entry.state is not State.CLOSED and not entry.doubtful
        reported.append(found(dialect, name, entry.arguments, id=entry.id, cut=cut or broken))
    return reported


def _kind(entry: Entry, body: Body) -> str:
    if entry.wrapper:
        return "parallel_wrapper" if entry.wrapper == "tool_uses" else "openai_json"
    if body.array:
        return "bare_json_array"
    return "llama3_json" if entry.key == "parameters" else "bare_json"


def bare_json(ctx: Context, src: Source, pos: int) -> Steps[int | None]:
    """Calls as JSON that are the whole text."""
    if ctx.pick(*_KINDS) is None:
        return None
    body = yield from json_body(ctx, src, pos)
    if body is None or not (yield from ends_text(src, body.end)):
        return None
    reported = events(ctx, body)
    if reported is None:
        return None
    yield from reported
    return (yield from end_of_text(src, body.end))


def pythonic(ctx: Context, src: Source, pos: int) -> Steps[int | None]:
    """A list of calls of declared tools that is the whole text."""
    dialect = ctx.pick("pythonic")
    if dialect is None:
        return None
    reported: list[Event] = []
    end = yield from collect(call_list(ctx, src, pos, Style(dialect)), reported)
    if end is None or not (yield from ends_text(src, end)):
        return None
    calls = [event.call for event in reported if isinstance(event, CallFound)]
    if not all(ctx.declared(call.name) for call in calls):
        return None
    yield from reported
    return (yield from end_of_text(src, end))


def collect(steps: Steps[int | None], reported: list[Event]) -> Steps[int | None]:
    """Run a reader and keep what it reports to itself."""
    while True:
        try:
            event = next(steps)
        except StopIteration as stop:
            end: int | None = stop.value
            return end
        if event is None:
            yield None
        else:
            reported.append(event)


_FENCED = Notation(stops=("```",))
CALL_FENCES = frozenset({"json", "tool_code", "tool_call"})


def fence(ctx: Context, src: Source, pos: int, language: str) -> Steps[int | None]:
    """Fences that end the text and hold nothing but calls; `pos` is where the first one's content begins."""
    reported: list[Event] = []
    while True:
        start = yield from skip_space(src, pos)
        end = yield from _fenced(ctx, src, start, language, reported=reported)
        if end is None:
            return None
        end = yield from skip_space(src, end)
        closer = yield from expect(src, end, ("```",))
        if closer is None and (yield from peek(src, end)):
            return None
        end = yield from skip_space(src, end + len(closer or ""))
        following = yield from expect(src, end, tuple(f"```{name}" for name in sorted(CALL_FENCES)))
        if following is None:
            break
        language, pos = following[3:], end + len(following)
    if not (yield from ends_text(src, end)):
        return None
    yield from reported
    return (yield from end_of_text(src, end))


def _fenced(ctx: Context, src: Source, pos: int, language: str, *, reported: list[Event]) -> Steps[int | None]:
    """The content of one fence: the end of its calls."""
    if (yield from peek(src, pos)) == "{" or (yield from begins_like_calls(src, pos)):
        body = yield from json_body(ctx, src, pos, _FENCED)
        found_events = None if body is None else events(ctx, body, *(() if body.array else ("json_fence",)))
        if body is None or found_events is None:
            return None
        reported += found_events
        return body.end
    dialect = ctx.pick("tool_code")
    if language == "json" or dialect is None:
        return None
    mine: list[Event] = []
    end = yield from collect(call_list(ctx, src, pos, Style(dialect, ("```",))), mine)
    calls = [event.call for event in mine if isinstance(event, CallFound)]
    if end is None or not all(ctx.declared(call.name) for call in calls):
        return None
    reported += mine
    return end - 3 if src.text[end - 3 : end] == "```" else end
