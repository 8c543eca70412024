"""A control character in a path: most likely a backslash that nobody escaped and that was read as an escape.

Valid JSON and legal text, so it stays, with a warning.
"""

from __future__ import annotations

import re

from argwright.model import Suspicion
from argwright.policy import Certainty
from argwright.rules.places import pointer_of, strings
from argwright.rules.rule import Context, Example, Proposal, Rule

_CONTROL = re.compile(r"[\x07\x08\t\n\x0b\x0c\r]")
_DRIVE = re.compile(r"[A-Za-z]:[\\/\x07\x08\t\n\x0b\x0c\r]")
_FIELD = re.compile(r"path|file|dir|folder", re.IGNORECASE)
_LONGEST = 260  # characters of a path on the system that writes backslashes


def propose(context: Context) -> Proposal | None:
    """A warning for each path with a control character inside."""
    found = tuple(
        Suspicion(rule=RULE.name, pointer=pointer_of(path), message="a control character inside a path")
        for path, text in strings(context.value, _has_control)
        if _is_path(path, text)
    )
    return Proposal(warnings=found) if found else None


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
    examples=(Example(schema=_SCHEMA, arguments={"path": "C:\bin\app"}),),
    untouched=(Example(schema=_SCHEMA, arguments={"text": "a\tb\n"}),),
)
