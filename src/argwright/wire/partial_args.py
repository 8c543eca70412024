"""Arguments that arrive as values at JSON paths.

Gemini can stream a call as entries `{"jsonPath": "$.tags[0]", "stringValue": "a", "willContinue": true}`;
a string grows by further entries for its path, an entry without a value opens an empty container.
Paths follow RFC 9535 as far as they name one place: `$`, `.name`, `[0]`, `['odd key']`, and a last `[]`.

`PartialArgs` keeps the values as a tree and tells, entry by entry, which JSON text they add.
As long as the entries come in document order, as a model writes them, the pieces joined are
the text of the tree. Whatever names no single place, leaves a hole in an array or gives one
place two values is a `fault`: such arguments must not run.

A call that the provider ended has the arguments `text(complete=True)`. One that it never ended
has `text(complete=False)`, and must be taken as cut even if that text could be closed: its last
string may have been going to grow.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Path: TypeAlias = "tuple[str | int, ...]"

_MAX_SIZE: Final = 4_000_000  # characters of paths and texts: as many as the decoder takes by default
_MAX_DEPTH: Final = 128  # far beyond any schema in use, and far below the recursion limit of `json.dumps`
_SEGMENT: Final = re.compile(
    r"""\.(?P<name>[^.\[\]*'"]+)
    |\[(?P<index>[0-9]{1,9})\]
    |\[(?:'(?P<single>(?:[^'\\]|\\.)*)'|"(?P<double>(?:[^"\\]|\\.)*)")\]""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPE: Final = re.compile(r"""\\.|\"""", re.DOTALL)
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_VALUE_KEYS: Final = {
    "stringValue": "string", "string_value": "string", "numberValue": "number", "number_value": "number",
    "boolValue": "bool", "bool_value": "bool", "nullValue": "null", "null_value": "null",
}  # fmt: skip
_MAX_BITS: Final = 14_000  # Python writes no integer of more than 4,300 digits
_EXACT: Final = 2**53  # beyond it neighbouring integers share one double


def parse_path(text: str) -> tuple[Path, bool] | None:
    """The tokens of a path, and whether it ends in `[]`; `None` if it does not name exactly one place."""
    listed = text.endswith("[]")
    body = text[: -len("[]")] if listed else text
    if not body.startswith("$"):
        return None
    tokens: list[str | int] = []
    pos = 1
    while pos < len(body):
        found = _SEGMENT.match(body, pos)
        token = None if found is None or len(tokens) >= _MAX_DEPTH else _token(found)
        if found is None or token is None:
            return None
        tokens.append(token)
        pos = found.end()
    return tuple(tokens), listed


def _token(found: re.Match[str]) -> str | int | None:
    if found["name"] is not None:
        return found["name"]
    if found["index"] is not None:
        return int(found["index"])
    quoted = found["single"] if found["single"] is not None else found["double"]
    body = _ESCAPE.sub(lambda escape: {"\\'": "'", '"': '\\"'}.get(escape[0], escape[0]), quoted)
    try:
        return str(json.loads(f'"{body}"', strict=False))
    except ValueError:
        return None


class _Text:
    """A string that may still grow."""

    def __init__(self, piece: str) -> None:
        self.pieces = [piece]


class _Empty:
    """A place that is known to exist; what stands there is not known yet, unless it is a list."""

    def __init__(self, *, listed: bool) -> None:
        self.listed = listed


_MISSING: Final = object()


class PartialArgs:
    """The arguments of one call, built from entries.

    Attributes:
        fault: why the entries cannot be read as one object; `None` as long as they can.
        ordered: whether the pieces that `add` gave, joined, are a prefix of `text()`.
    """

    def __init__(self) -> None:
        self.fault: str | None = None
        self.ordered = True
        self._root: dict[str, Any] = {}
        self._size = 0
        self._last: Path | None = None
        self._pending = ""  # what the last place still owes to the text: a closing quote, or an empty container

    def add(self, entry: Mapping[str, Any]) -> str:
        """Take one entry; the JSON text that it adds, `""` if none or no longer in order."""
        if self.fault:
            return ""
        path = entry.get("jsonPath", entry.get("json_path"))
        parsed = parse_path(path) if isinstance(path, str) else None
        kind, value = _value(entry)
        self._size += len(str(path)) + (len(value) if isinstance(value, str) else 0)
        if parsed is None or kind == "unknown" or self._size > _MAX_SIZE:
            return self._fail(_unreadable(path, parsed, kind))
        tokens, listed = parsed
        if not tokens:
            return "" if kind == "none" and not listed else self._fail("the arguments are no object")
        if listed and kind != "none":
            return self._fail("a value for a place without an index")
        return self._place(tokens, kind, _Empty(listed=listed) if kind == "none" else value)

    def _fail(self, why: str) -> str:
        self.fault = self.fault or why
        return ""

    def _place(self, path: Path, kind: str, value: Any) -> str:
        holder, born = self._holder(path)
        if holder is None:
            return self._fail(f"two kinds of container, or a hole, at {path!r}")
        present = _get(holder, path[-1])
        if kind == "none" and present is not _MISSING:
            return ""  # a container or string is closed, which the next entry shows anyway
        if isinstance(present, _Text) and kind == "string":
            present.pieces.append(value)
            return self._grow(path, quoted(value)[1:-1], '"')
        if present is not _MISSING and not isinstance(present, _Empty):
            same = present == value and type(present) is type(value)
            return "" if same else self._fail(f"two values at {path!r}")
        _put(holder, path[-1], _Text(value) if kind == "string" else value)
        if present is _MISSING:
            return self._write(path, *_opening(kind, value), born=born)
        return self._grow(path, *_opening(kind, value))

    def _holder(self, path: Path) -> tuple[dict[str, Any] | list[Any] | None, int]:
        """The container in which the last token of a path stands, and the first token that was new to its container."""
        node: Any = self._root
        born = len(path) - 1
        for depth, token in enumerate(path[:-1]):
            if not _fits(node, token):
                return None, born
            below = _get(node, token)
            if below is _MISSING or isinstance(below, _Empty):
                born = min(born, depth if below is _MISSING else depth + 1)
                below = [] if isinstance(path[depth + 1], int) else {}
                _put(node, token, below)
            node = below
        return (node if _fits(node, path[-1]) else None), born

    def _grow(self, path: Path, piece: str, pending: str) -> str:
        """More of the value at the last place."""
        self.ordered = self.ordered and path == self._last
        self._pending = pending
        return piece if self.ordered else ""

    def _write(self, path: Path, piece: str, pending: str, *, born: int) -> str:
        """The text that leads from the last place to this new one, and then `piece`."""
        last = self._last
        common = _common(last, path)
        self.ordered = self.ordered and common == born
        if not self.ordered:
            return ""
        if last is None:
            lead = "{"
        elif common == len(last):
            lead = "[" if isinstance(path[common], int) else "{"  # the last place was an empty container
        else:
            lead = self._pending + _closers(last[common + 1 :]) + ", "
        self._last, self._pending = path, pending
        return lead + _openers(path[common:]) + piece

    def text(self, *, complete: bool) -> str:
        """The arguments as JSON text; without its last brace unless they are complete."""
        whole = quoted(_plain(self._root))
        return whole if complete else whole[:-1]

    def agrees(self, given: Any) -> bool:
        """Whether whole arguments, as an object or as text, say the same; nothing agrees with everything."""
        if not given or not self._root:
            return True
        try:
            whole = json.loads(given) if isinstance(given, str) else given
        except (ValueError, RecursionError):
            return False
        return bool(whole == json.loads(self.text(complete=True)))

    def rest(self) -> str:
        """What completes the text that `add` gave, if it came in order."""
        if self._last is None:
            return "{}"
        return self._pending + _closers(self._last)


def _value(entry: Mapping[str, Any]) -> tuple[str, Any]:
    """The kind of an entry's value, and the value."""
    given = [
        (_VALUE_KEYS.get(key, "unknown"), value)
        for key, value in entry.items()
        if key.lower().endswith("value") and value is not None
    ]
    if not given:
        return "none", None
    kind, value = given[0]
    if len(given) > 1 or not _KINDS.get(kind, _never)(value):
        return "unknown", None
    if kind == "number" and isinstance(value, float) and value.is_integer() and abs(value) <= _EXACT:
        value = int(value)  # the wire has only doubles; an SDK shows 5 as 5.0
    return kind, None if kind == "null" else value


def _unreadable(path: Any, parsed: Any, kind: str) -> str:
    if parsed is None:
        return f"no path to one place: {str(path)[:80]!r}"
    return "a value of an unknown kind" if kind == "unknown" else f"more than {_MAX_SIZE} characters"


def _never(_value: Any) -> bool:
    return False


def _is_number(value: Any) -> bool:
    return isinstance(value, float) or (type(value) is int and value.bit_length() < _MAX_BITS)


_KINDS: Final[dict[str, Callable[[Any], bool]]] = {
    "string": lambda value: isinstance(value, str),
    "number": _is_number,
    "bool": lambda value: isinstance(value, bool),
    "null": lambda _value: True,
}


def _opening(kind: str, value: Any) -> tuple[str, str]:
    """How a new value is written, and what it owes afterwards."""
    match kind:
        case "none":
            return "", "[]" if value.listed else "{}"
        case "string":
            return quoted(value)[:-1], '"'
        case _:
            return quoted(value), ""


def _fits(node: Any, token: str | int) -> bool:
    if isinstance(token, str):
        return isinstance(node, dict)
    return isinstance(node, list) and token <= len(node)


def _get(node: Any, token: str | int) -> Any:
    if isinstance(node, list):
        return node[token] if isinstance(token, int) and token < len(node) else _MISSING
    return node.get(token, _MISSING)


def _put(node: Any, token: str | int, value: Any) -> None:
    if isinstance(node, dict):
        node[token] = value
    elif isinstance(token, int):
        node[token : token + 1] = [value]


def _common(one: Path | None, other: Path) -> int:
    if one is None:
        return 0
    for depth, (a, b) in enumerate(zip(one, other, strict=False)):
        if a != b or type(a) is not type(b):
            return depth
    return min(len(one), len(other))


def _closers(path: Path) -> str:
    """The brackets that close the containers of these tokens, innermost first."""
    return "".join("]" if isinstance(token, int) else "}" for token in reversed(path))


def _openers(path: Path) -> str:
    """Keys, and the brackets of the containers between them, down to the last token."""
    text = ""
    for depth, token in enumerate(path):
        if depth:
            text += "[" if isinstance(token, int) else "{"
        text += f"{quoted(token)}: " if isinstance(token, str) else ""
    return text


def _plain(node: Any) -> Any:
    match node:
        case dict():
            return {key: _plain(value) for key, value in node.items()}
        case list():
            return [_plain(value) for value in node]
        case _Text():
            return "".join(node.pieces)
        case _Empty():
            return [] if node.listed else {}
        case _:
            return node


def quoted(value: Any) -> str:
    """JSON text with spaces after `,` and `:`; half a surrogate pair stays an escape, so that two halves can meet."""
    text = json.dumps(value, ensure_ascii=False)
    return _SURROGATE.sub(lambda half: f"\\u{ord(half[0]):04x}", text)
