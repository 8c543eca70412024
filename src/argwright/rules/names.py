"""A tool's name among its noise.

The list is closed: outer blanks and quotes; a prefix `functions`, `default_api` or
`tools` with `.` or `:`; a suffix of `:` and digits; everything from the first `<` on;
the whole name repeated. Nothing is matched by likeness, and a name that is declared as
it stands is never stripped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_QUOTES = "\"'`“”‘’«»"
_PREFIX = re.compile(r"(?:functions|default_api|tools)[.:](?=.)")
_SUFFIX = re.compile(r"(?<=.):[0-9]+\Z")
_LONGEST = 1024  # no provider takes names of more than 128 characters; a name repeated often is longer
_NAMES = r"(?:\w+:)?(?:parameter|param|argument|arg|arg_key|arg_value)s?\b"
_OPENED = re.compile(rf"<\s*{_NAMES}|[{{}}]", re.IGNORECASE)
_CLOSED = re.compile(rf"<\s*/\s*{_NAMES}", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]*>")


def readings(written: str) -> Iterator[str]:
    """The name with one more kind of noise taken off each time, as long as something comes off."""
    return (name for step in steps(written) for name in step)


def steps(written: str) -> Iterator[tuple[str, ...]]:
    """The readings, those together that take off the same noise: a repetition may repeat more than one name."""
    name = written[:_LONGEST]
    while (shorter := _stripped(name)) and shorter != name:
        yield (*_longer(name, shorter), shorter)
        name = shorter


def _longer(name: str, part: str) -> Iterator[str]:
    """What else the name repeats, if it is the part several times."""
    times = len(name) // len(part)
    if part * times == name:
        yield from (part * count for count in range(times // 2, 1, -1) if times % count == 0)


def _stripped(name: str) -> str:
    bare = name.strip().strip(_QUOTES).strip()
    if bare != name:
        return bare
    if "<" in name:
        return name[: name.index("<")]
    if prefix := _PREFIX.match(name):
        return name[prefix.end() :]
    if suffix := _SUFFIX.search(name):
        return name[: suffix.start()]
    return name[: (name + name).find(name, 1)] if name else name


def holds_parameters(written: str) -> bool:
    """Whether what follows the first `<` of a name holds parameters: one is opened, or closed behind a text."""
    markup = written[written.index("<") :] if "<" in written else ""
    return _OPENED.search(markup) is not None or (
        _CLOSED.search(markup) is not None and _TAG.sub("", markup).strip() != ""
    )
