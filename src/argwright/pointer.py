"""JSON Pointer, RFC 6901.

`join` writes one, `split` reads one, `get` follows one. Array indices are digits
without leading zeros, as section 4 of the RFC says: `-1`, `01` and `x` name nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

_INDEX = re.compile(r"0|[1-9][0-9]*")


def escape(token: str) -> str:
    """One reference token, as it stands between two slashes."""
    return token.replace("~", "~0").replace("/", "~1") if "~" in token or "/" in token else token


def join(path: Iterable[str | int]) -> str:
    """The pointer of a path: `("items", 0, "a/b")` → `/items/0/a~1b`; the empty path is `""`."""
    return "".join(["/" + escape(str(token)) for token in path])


def split(pointer: str) -> tuple[str, ...]:
    """The reference tokens of a pointer.

    Raises:
        ValueError: the text is no JSON Pointer.
    """
    if not pointer:
        return ()
    if not pointer.startswith("/"):
        raise ValueError(f"a JSON Pointer is empty or begins with '/': {pointer!r}")
    tokens = pointer[1:].split("/")
    return tuple([token.replace("~1", "/").replace("~0", "~") for token in tokens] if "~" in pointer else tokens)


def get(document: Any, pointer: str) -> Any:
    """The value that the pointer names.

    Raises:
        LookupError: nothing stands there.
        ValueError: the text is no JSON Pointer.
    """
    return follow(document, split(pointer))


def follow(document: Any, path: Iterable[str | int]) -> Any:
    """The value at the end of a path.

    Raises:
        LookupError: nothing stands there.
    """
    value = document
    for step in path:
        token = str(step)
        if isinstance(value, dict) and token in value:
            value = value[token]
        elif isinstance(value, list) and _INDEX.fullmatch(token) and int(token) < len(value):
            value = value[int(token)]
        else:
            raise LookupError(f"no {token!r} here")
    return value
