"""What may stand between tokens and means nothing: blanks, comments, written-out line breaks.

`skip` passes over all of it and notes what is not JSON's own white space; `peek` does
the same without a note, for looking ahead. `END` finds what can only follow an object:
a closing fence, a closing tag, a special token.
"""

from __future__ import annotations

from argwright.decode.scan import Frame, Log, Unreadable
from argwright.possessive import compiled

WHITE = compiled(r"[ \t\n\r]*+")

INVISIBLE = (
    "\x00\x0b\x0c\x1c-\x1f\x85\xa0\xad\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u2064\u2066-\u2069\u3000\ufeff"
)
_ODD = compiled(
    rf"(?P<invisible>[{INVISIBLE}]++)"
    r"|(?P<escape>(?:\\[nrt])++)"
    r"|(?P<comment>//[^\n\r]*+|/\*(?:[^*]|\*(?!/))*+(?:\*/|\Z)|\#[^\n\r]*+)"
)
_RULES = {"invisible": "invisible", "escape": "literal-escape", "comment": "comment"}

END = compiled(
    r"`{3,}|~{3,}"  # a closing fence
    r"|</[A-Za-z][\w:.-]{0,40}>"  # a closing tag
    r"|<[|｜](?![\"|｜])[^<>\n\"]{1,60}?[|｜]>"  # a special token
    r"|<(?:eos|eot|bos|end_of_turn|end_of_text|end_function_call|start_function_response|tool_call\|)>"
    r"|\[/?[A-Z][A-Z_]{2,20}\]"  # [/TOOL_CALLS], [INST]
)
"""What can only stand behind the arguments: a closing fence or tag, a special token."""


def skip(text: str, pos: int, log: Log, at: Frame | None = None) -> int:
    """Past blanks and comments, each kind noted once for its container."""
    pos = WHITE.match(text, pos).end()  # type: ignore[union-attr]  # matches the empty string too
    while match := _ODD.match(text, pos):
        if match["comment"] and _is_text(text, *match.span()):
            raise Unreadable("ambiguous", match.start(), "a comment, or the rest of a text whose quotes nobody escaped")
        log.note(_RULES[match.lastgroup or ""], match.span(), "", at=at)
        pos = WHITE.match(text, match.end()).end()  # type: ignore[union-attr]
    return pos


def _is_text(text: str, start: int, end: int) -> bool:
    """Whether the quotes of a comment that runs to the end of its line do not pair up: one of them ends a text."""
    if text.startswith("/*", start):
        return False
    quote = text[start - 1] if text[start - 1 : start] in ('"', "'") else '"'
    return text.count(quote, start, end) % 2 == 1


def peek(text: str, pos: int) -> int:
    """Past blanks and comments, without a note."""
    pos = WHITE.match(text, pos).end()  # type: ignore[union-attr]
    while match := _ODD.match(text, pos):
        pos = WHITE.match(text, match.end()).end()  # type: ignore[union-attr]
    return pos
