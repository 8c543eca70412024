"""`Action:` lines: ReAct in its plain and its structured form, Command R's list, smolagents.

The tool must be declared. What a model writes after `Observation` it made up, and it is
dropped. A plain text input means the tool's only or first required parameter; it has no
closing mark but the end of its line, so that one which ends with the text is whole only
if the provider said that the reply was.
"""

from __future__ import annotations

import re

from argwright.dialects.brackets import JSON, Notation, body_end
from argwright.dialects.context import Context, Mark, found
from argwright.dialects.objects import plain
from argwright.dialects.prose import end_of_text, ends_text, events, json_body
from argwright.dialects.source import Source, Steps, expect, find, peek, skip_blanks, skip_space
from argwright.dialects.typing import object_text, text_parameter, typed

_DECORATION = "*_`# \t"
_INPUTS = tuple(
    decoration + label
    for label in ("Action Input", "Action input", "action input", "ACTION INPUT", "Action_Input", "action_input")
    for decoration in ("", "**", "*", "__")
)
_LINE_END = re.compile(r"[\r\n]")
_STEP = re.compile(r"\n[ \t]{0,8}[*_]{0,2}(?:Observation|Thought|Action|Final Answer)[*_]{0,2}:", re.IGNORECASE)
_MAX_STEP = 64
_OBSERVATIONS = tuple(
    f"{before}{word}{after}:"
    for word in ("Observation", "observation", "OBSERVATION")
    for before, after in (("", ""), ("**", ""), ("**", "**"))
)
_FENCES = ("```json", "```")
_MAX_LINE = 200
_BODY = Notation(
    stops=(
        "```",
        *(f"\n{lead}{word}" for lead in ("", "**", "*", "__", "#") for word in ("Action", "Observation", "action")),
    )
)
_NOTHING = frozenset({"", "none", "null", "n/a", "{}"})
_PLAIN = "react"
_STRUCTURED = ("command_r", "react_structured", "smolagents")


def action(ctx: Context, src: Source, mark: Mark) -> Steps[int | None]:
    """The call of an `Action:` line."""
    pos = mark.end
    while (sign := (yield from peek(src, pos))) and sign in _DECORATION:
        pos += 1
    if sign != ":":
        return None
    pos += 1
    while (sign := (yield from peek(src, pos))) and sign in _DECORATION and not (yield from expect(src, pos, ("```",))):
        pos += 1
    if sign in ("\n", "\r") or (yield from expect(src, pos, ("```", "{", "["))):
        end = yield from _structured(ctx, src, pos)
    else:
        end = yield from _plain_action(ctx, src, pos)
    return None if end is None else (yield from _past_observation(src, end))


def _past_observation(src: Source, pos: int) -> Steps[int]:
    """Past an invented observation and all that was built on it."""
    ahead = yield from skip_space(src, pos)
    if (yield from expect(src, ahead, _OBSERVATIONS)):
        return (yield from end_of_text(src, ahead))
    return pos


def _structured(ctx: Context, src: Source, pos: int) -> Steps[int | None]:
    """JSON below the action line, fenced or not."""
    pos = yield from skip_space(src, pos)
    fence = yield from expect(src, pos, _FENCES)
    start = yield from skip_space(src, pos + len(fence or ""))
    body = yield from json_body(ctx, src, start, _BODY)
    if body is None:
        return None
    end = yield from skip_space(src, body.end)
    if fence and (yield from expect(src, end, ("```",))):
        end += 3
    ahead = yield from skip_space(src, end)
    if not (yield from ends_text(src, end)) and not (yield from expect(src, ahead, _OBSERVATIONS)):
        return None
    likeliest = "command_r" if body.array else "react_structured" if fence else "smolagents"
    dialect = ctx.pick(likeliest, *_STRUCTURED)
    reported = None if dialect is None else events(ctx, body, dialect)
    if reported is None:
        return None
    yield from reported
    return end


def _plain_action(ctx: Context, src: Source, pos: int) -> Steps[int | None]:
    """A name on the action line, the input below."""
    dialect = ctx.pick(_PLAIN)
    line = yield from find(src, pos, _LINE_END, 1, within=_MAX_LINE)
    end = line[0] if line else len(src.text)
    whole_line = line is not None or (src.ended and end - pos <= _MAX_LINE)
    name = src.text[pos:end].strip(_DECORATION + "\"'") if whole_line else ""
    if dialect is None or not ctx.declared(name):
        return None
    below = yield from skip_space(src, end)
    label = yield from expect(src, below, _INPUTS)
    if label is None:
        if (yield from peek(src, below)):
            return None
        yield found(dialect, name, "", cut=True)
        return below
    start = yield from _past_label(src, below, label)
    return (yield from _input(ctx, src, start, (dialect, name)))


def _past_label(src: Source, pos: int, label: str) -> Steps[int]:
    """Behind the label's colon and what closes its own emphasis: all that follows is the input, a `#` or `*` too."""
    opened = label[: len(label) - len(label.lstrip("*_"))]
    pos += len(label)
    closed = bool(opened) and (yield from expect(src, pos, (opened,))) is not None
    pos = yield from skip_blanks(src, pos + len(opened) * closed)
    if (yield from peek(src, pos)) == ":":
        pos += 1
    if opened and not closed and (yield from expect(src, pos, (opened,))):
        pos += len(opened)
    return pos


def _input(ctx: Context, src: Source, pos: int, call: tuple[str, str]) -> Steps[int]:
    start = yield from skip_space(src, pos)
    opener = ((yield from expect(src, start, (*_FENCES, "`{"))) or "").removesuffix("{")
    start = yield from skip_space(src, start + len(opener))
    if (yield from peek(src, start)) != "{":
        return (yield from _text_input(ctx, src, pos, call))
    end, complete = yield from body_end(src, start, JSON)
    ahead = yield from skip_blanks(src, end)
    runs_on = (yield from peek(src, ahead)) not in ("", "\n", "\r", "`")
    if complete and runs_on:  # the object did not end where its braces do
        line = yield from find(src, ahead, _STEP, _MAX_STEP)
        end = line[0] if line else len(src.text)
    yield found(*call, src.text[start:end], cut=not complete or runs_on)
    ahead = yield from skip_space(src, end)
    closer = opener.removesuffix("json")
    return ahead + len(closer) if closer and (yield from expect(src, ahead, (closer,))) else end


def _text_input(ctx: Context, src: Source, pos: int, call: tuple[str, str]) -> Steps[int]:
    dialect, name = call
    step = yield from find(src, pos, _STEP, _MAX_STEP)
    end = step[0] if step else len(src.text)
    written = src.text[pos:end]
    text = written.strip()
    text = plain(text) if text[:1] == '"' else text
    closed = step is not None or written.endswith(("\n", "\r")) or src.finished
    closed = closed and not (text.startswith("```") and text.count("```") == 1)
    parameter = text_parameter(ctx.schema(name))
    if parameter is None or (not text and not ctx.shape(name).required):
        yield found(dialect, name, "" if text.lower() in _NOTHING else text, cut=not closed)
    else:
        value = typed(text, ctx.shape(name).member(parameter))
        yield found(dialect, name, object_text([(parameter, value)]) if closed else text, cut=not closed)
    return end


def xml_agent(ctx: Context, src: Source, mark: Mark) -> Steps[int | None]:
    """`<tool>name</tool><tool_input>text</tool_input>` of a declared tool."""
    dialect = ctx.pick("xml_agent")
    close = yield from find(src, mark.end, re.compile("[<\n]"), 1)
    if dialect is None or close is None or not (yield from expect(src, close[0], ("</tool>",))):
        return None
    name = src.text[mark.end : close[0]].strip()
    start = yield from skip_space(src, close[0] + len("</tool>"))
    if not ctx.declared(name) or not (yield from expect(src, start, ("<tool_input>",))):
        return None
    start += len("<tool_input>")
    closer = "</tool_input>"
    end = yield from find(src, start, re.compile(closer), len(closer))
    text = src.text[start : end[0] if end else len(src.text)]
    parameter = text_parameter(ctx.schema(name))
    if end is None:
        yield found(dialect, name, text, cut=True)
        return len(src.text)
    if text.lstrip().startswith("{") or parameter is None:
        yield found(dialect, name, "" if text.strip().lower() in _NOTHING else text)
    else:
        yield found(dialect, name, object_text([(parameter, typed(text, ctx.shape(name).member(parameter)))]))
    return end[1]
