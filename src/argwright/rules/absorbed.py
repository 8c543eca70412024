"""Leaked call markup inside a string: a parameter that swallowed the next one, or its own end.

A wrong closing tag makes a reader of tag-valued dialects put what follows into the
value before it; the result validates and runs with a parameter missing. Two things are
proof: markup that opens a declared parameter which is absent (or stands in a field's
name), and a tag that closes this very parameter at the end of its text without having
opened there. Both are refused and never taken apart. A text about markup stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from argwright.model import Issue, Json
from argwright.policy import Certainty
from argwright.rules.keys import every_name, top_level
from argwright.rules.places import pointer_of, strings
from argwright.rules.rule import Context, Example, Proposal, Rule, RuleTool

_NAMESPACE = r"(?:[\w.]{1,32}:|[|｜][\w ]{1,32}[|｜])?"
_PARAMETER = r"(?:parameter|param|argument|arg)"
_BLANKS = r"\s{0,9}"  # bounded, so that a megabyte of blanks costs a look and not a search
_OPENING = re.compile(
    rf"""(?<![`"'“‘])(?:
        <{_NAMESPACE}{_PARAMETER}(?:{_BLANKS}={_BLANKS}|\s{{1,9}}name{_BLANKS}={_BLANKS})
            (?:\\?["'](?P<quoted>[^"'<>\\]{{1,128}})\\?["']|(?P<plain>[^\s"'<>\\/]{{1,128}}))[^<>]{{0,128}}>
      | <{_NAMESPACE}arg_key>(?P<key>[^<>]{{1,128}})</{_NAMESPACE}arg_key>
    )""",
    re.VERBOSE,
)
_IN_NAME = re.compile(rf"</?{_NAMESPACE}(?:parameter|arg_key|arg_value)\b")
_BARE = re.compile(rf"{_BLANKS}(?:\]<\]minimax\[>\[{_BLANKS})?<([^<>/\s]{{1,128}})>")
_CALL = "invoke|function|function_calls?|tool_calls?|tool_use"
_CLOSERS = rf"(?:</{_NAMESPACE}(?:{_PARAMETER}|arg_value|{_CALL})>\s*)"
_TAIL = re.compile(rf"{_CLOSERS}*\Z")
_PARAMETER_END = re.compile(rf"</{_NAMESPACE}(?:parameter|arg_value)>\s*{_CLOSERS}*\Z")
_PARAMETER_START = re.compile(rf"<{_NAMESPACE}(?:parameter|arg_value)[\s=>]")
_TAG = re.compile(rf"<(?:\\?/([^<>]*+)>|(?={_NAMESPACE}(?:param|arg)))")  # a closing one's name; "" of a parameter's
_REACH = 400  # characters at the end in which the closing tags of a call stand


def propose(context: Context) -> Proposal | None:
    """A refusal for each string that holds a swallowed parameter or its own closing tag."""
    members, tool = context.value, context.tool
    if not isinstance(members, dict) or tool is None:
        return None
    absent = frozenset(name for name in (*tool.shape.properties, *top_level(tool)) if name not in members)
    found = [item for path, text in strings(members, _has_markup) for item in _issues(path, text, absent)]
    found += [_in_name(name) for name in members if name not in tool.shape.properties and _IN_NAME.search(name)]
    if not found:
        return None
    return Proposal(
        refuse=tuple(issue for issue, _ in found),
        explains=frozenset(pointer_of((name,)) for _, name in found if name),
    )


def _in_name(name: str) -> tuple[Issue, str | None]:
    message = "the field's name holds markup of a call; send each parameter as a field of its own"
    return Issue(pointer=pointer_of((name,)), keyword="absorbed", message=message), name


def _has_markup(text: str) -> bool:
    return "<" in text


def doubts(text: str, tool: RuleTool) -> bool:
    """Whether the JSON text holds a parameter's tag, or a closing tag with a field's name."""
    closed = _TAG.findall(text)
    if not closed:
        return False
    said, names = " ".join(closed), every_name(tool.shape)
    if "" in closed or "param" in said or "arg" in said or "\\" in said:
        return True
    return any(f'"{name}"' in text for name in set(closed)) if names is None else not names.isdisjoint(closed)


def _issues(path: tuple[str, ...], text: str, absent: frozenset[str]) -> Iterator[tuple[Issue, str | None]]:
    """Each issue with the name of the parameter that was swallowed."""
    pointer = pointer_of(path)
    field = next((token for token in reversed(path) if not token.isdecimal()), "")
    for name in _opened(text, field):
        if name in absent:
            message = f"the text holds the parameter {name!r} as markup; send it as a field of its own"
            yield Issue(pointer=pointer, keyword="absorbed", message=message, expected=name), name
            return
    if _closes(text, field):
        message = "the text ends with the closing tag of its own parameter; leave the markup out"
        yield Issue(pointer=pointer, keyword="absorbed", message=message), None


def _opened(text: str, field: str) -> Iterator[str]:
    """The parameters that markup in the text opens."""
    for match in _OPENING.finditer(text):
        yield (match["quoted"] or match["plain"] or match["key"]).strip()
    own_end = f"</{field}>"
    start = text.find(own_end) if field else -1
    if start >= 0 and (bare := _BARE.match(text, start + len(own_end))):
        yield bare[1]


def _closes(text: str, field: str) -> bool:
    """Whether the text ends by closing its parameter, which it did not open."""
    end = text[-_REACH:].rstrip()
    if not end.endswith(">"):
        return False
    own = f"</{field}>"
    if field and _TAIL.sub("", end).rstrip().endswith(own):
        return text.count(own) > len(re.findall(rf"<{re.escape(field)}[\s/>]", text))
    return _PARAMETER_END.search(end) is not None and not _PARAMETER_START.search(text)


def _example(arguments: Mapping[str, Json]) -> Example:
    schema = {
        "type": "object",
        "properties": {"title": {"type": "string"}, "owner": {"type": "string"}},
        "required": ["title"],
    }
    return Example(schema=schema, arguments=dict(arguments))


RULE = Rule(
    name="absorbed",
    layer="inspect",
    certainty=Certainty.EXACT,
    propose=propose,
    marks=("<", "\\u"),
    doubts=doubts,
    examples=(
        _example({"title": 'Q3 audit</title>\n<parameter name="owner">blue team'}),
        _example({"title": "Q3 audit</title>\n</invoke>"}),
    ),
    untouched=(
        _example({"title": "Close with </parameter> and </invoke>, then stop."}),
        _example({"title": 'a <parameter name="colour"> of another tool'}),
        _example({"title": "<title>Q3</title>"}),
        _example({"title": 'x</title><parameter name="owner">y', "owner": "z"}),
    ),
)
