"""A control character in a path: most likely a backslash that nobody escaped and that was read as an escape.

Valid JSON and legal text, so it stays, with a warning.
"""

from __future__ import annotations

import re
from functools import lru_cache

from argwright.model import Suspicion
from argwright.policy import Certainty
from argwright.possessive import compiled
from argwright.rules.keys import every_name
from argwright.rules.places import pointer_of, strings
from argwright.rules.rule import Context, Example, Proposal, Rule, RuleTool
from argwright.shape import Shape

_CONTROL = compiled(r"[\x07\x08\t\n\x0b\x0c\r]")
_DRIVE = compiled(r"[A-Za-z]:[\\/\x07\x08\t\n\x0b\x0c\r]")
_FIELD = compiled(r"path|file|dir|folder", re.IGNORECASE)
_PLAIN = compiled(r"[A-Za-z0-9_.-]+")
_RUN = r'[^"\\]*+(?:\\(?:["\\/]|u(?!00[01]))[^"\\]*+)*+\\[bfnrtu]'
_DRIVE_WITH_ESCAPE = compiled(r'"[A-Za-z]:' + _RUN)
_VALUE_WITH_ESCAPE = compiled(r'"[ \t\n\r]*+:[ \t\n\r]*+"' + _RUN.replace("[^", "[^ "))
_ESCAPED = r'"[A-Za-z]:[^"\\]*(?:\\["\\/u][^"\\]*)*\\[bfnrtu]'
_CLUE = rf'{_ESCAPED}|"[ \t\n\r]*:[ \t\n\r]*' + _ESCAPED.replace("[A-Za-z]:", "").replace("[^", "[^ ")
_LONGEST = 260  # characters of a path on the system that writes backslashes


def propose(context: Context) -> Proposal | None:
    """A warning for each path with a control character inside."""
    found = tuple(
        Suspicion(rule=RULE.name, pointer=pointer_of(path), message="a control character inside a path")
        for path, text in strings(context.value, _has_control)
        if _is_path(path, text)
    )
    return Proposal(warnings=found) if found else None


def doubts(text: str, tool: RuleTool) -> bool:
    """Whether the JSON text holds an escaped control character in what may be a path, by its beginning or its key."""
    if (":\\" in text or ":/" in text) and _DRIVE_WITH_ESCAPE.search(text):
        return True
    keys = _keys_of_paths(tool.shape)
    if keys is None:
        return any(_names_path(text, value.start()) for value in _VALUE_WITH_ESCAPE.finditer(text))
    return any(_has_escape(text, key) for key in keys)


@lru_cache(maxsize=1024)  # of a shape, which never changes and is known by identity
def _keys_of_paths(shape: Shape) -> tuple[str, ...] | None:
    """The keys of members that are called like a path, in their quotes; `None` if they may be written in many ways."""
    names = every_name(shape)
    found = None if names is None else [name for name in names if _FIELD.search(name)]
    return None if found is None or not all(map(_PLAIN.fullmatch, found)) else tuple(f'"{name}"' for name in found)


def _has_escape(text: str, key: str) -> bool:
    """Whether an escape stands in a value of the member."""
    start = text.find(key)
    while start >= 0:
        if _VALUE_WITH_ESCAPE.match(text, start + len(key) - 1):
            return True
        start = text.find(key, start + 1)
    return False


def _names_path(text: str, end: int) -> bool:
    """Whether the key that ends here may name a path; one with escapes may."""
    start = text.rfind('"', 0, end)
    return text.find("\\", start - 1, end) >= 0 or _FIELD.search(text, start, end) is not None


def _has_control(text: str) -> bool:
    return len(text) <= _LONGEST and _CONTROL.search(text.strip()) is not None


def _is_path(path: tuple[str, ...], text: str) -> bool:
    """Whether this is a path, by its beginning, or by its field's name and a control character that no text has."""
    if _DRIVE.match(text):
        return "\n" not in text.strip() or " " not in text
    return bool(path) and _FIELD.search(path[-1]) is not None and " " not in text


_SCHEMA = {"type": "object", "properties": {"path": {"type": "string"}, "text": {"type": "string"}}}

RULE = Rule(
    name="control-in-path",
    layer="inspect",
    certainty=Certainty.EXACT,
    propose=propose,
    marks=("\\",),
    doubts=doubts,
    clue=_CLUE,
    examples=(Example(schema=_SCHEMA, arguments={"path": "C:\bin\app"}),),
    untouched=(Example(schema=_SCHEMA, arguments={"text": "a\tb\n"}),),
)
