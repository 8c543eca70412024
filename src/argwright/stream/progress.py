"""The value so far of arguments that are still arriving.

A push parser for one JSON object (RFC 8259), fed with the pieces of its text in order.
Each character is looked at once, whatever came before it, and nothing is parsed twice.
It tells what each piece adds: text to the string that is open, or a member that is now
complete. What is complete never changes: a key that comes twice, or anything that is no
JSON, ends the reading there, and whether the text can be mended is not decided here.
Numbers and words appear when they are complete, strings while they grow, half an escape
or half a surrogate pair not at all. Nothing of a growing value may ever be executed.

A `Watch` is told of every key and every complete scalar, to see early what can no longer
become valid (`argwright.stream.doom`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, KeysView
from typing import Any, ClassVar, Protocol, TypeAlias

from argwright.pointer import escape
from argwright.stream.growing import Container, Frame, Rope

Change: TypeAlias = tuple[str, str]
"""The pointer of a member, and what it gained: text of a string, or the whole JSON text of another scalar."""

START, FIRST_KEY, KEY, COLON, VALUE, FIRST_ITEM, AFTER, STRING, ESCAPE, SCALAR, END, BROKEN = range(12)

_PLAIN = re.compile(r'[^"\\]*')
_SCALAR = re.compile(r"[-+.0-9A-Za-z]*")
_NUMBER_OR_WORD = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|true|false|null")
_SIMPLE = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_OPEN_TO_OBJECTS = frozenset({START, VALUE, FIRST_ITEM, STRING, ESCAPE})
_HEX = 4
_MAX_MEMBERS = 100_000  # what is shown of a value; beyond it nobody looks, and each member costs some microseconds
_LONGEST_NUMBER = 4300  # digits; Python reads no longer integer
_REPLACEMENT = "\ufffd"


class Watch(Protocol):
    """Who is told of what the arguments turn out to hold."""

    def opened(self, key: str | None, container: Container, pointer: str) -> None:
        """A container begins: the root, a member (by key) or an item (no key)."""

    def closed(self) -> None:
        """The container opened last is at its end."""

    def named(self, key: str, pointer: str) -> None:
        """A key of the container opened last is complete."""

    def scalar(self, key: str | None, value: Any, pointer: str) -> None:
        """A scalar of the container opened last is complete."""


class Progress:
    """Reads one call's arguments as they arrive.

    Args:
        max_depth: nesting beyond which reading ends.

    Attributes:
        complete: the pointers of the complete members: a live, read-only set.
    """

    __slots__ = (
        "_changes", "_complete", "_containers", "_escape", "_frames", "_high", "_is_key", "_key", "_keys", "_max_depth",
        "_news", "_pointer", "_prefixes", "_rope", "_scalar", "_state", "_watch", "complete",
    )  # fmt: skip

    def __init__(self, *, max_depth: int = 512) -> None:
        self._max_depth = max_depth
        self._watch: Watch | None = None
        self._complete: dict[str, None] = {}
        self.complete: KeysView[str] = self._complete.keys()
        self._reset()

    def _reset(self) -> None:
        self._state = START
        self._containers: list[Container] = []
        self._prefixes: list[str] = []
        self._keys: list[str | None] = []
        self._frames: tuple[Frame, ...] | None = ()
        self._rope: Rope | None = None
        self._changes: list[Change] = []
        self._news: list[str] = []
        self._is_key = False
        self._key: str | None = None
        self._pointer = ""
        self._escape = ""
        self._high = ""
        self._scalar = ""

    def watch(self, watch: Watch) -> None:
        """Tell `watch` of what comes; only before anything has come, since it must see everything."""
        if self._state == START:
            self._watch = watch

    @property
    def whole(self) -> bool:
        """Whether the text so far is one JSON object, at its end, with members."""
        return self._state == END and bool(self._containers[0])

    @property
    def ended(self) -> bool:
        """Whether the text so far is one JSON object, at its end."""
        return self._state == END

    @property
    def broken(self) -> bool:
        """Whether the text so far is the beginning of no JSON object that is read."""
        return self._state == BROKEN

    @property
    def takes_object(self) -> bool:
        """Whether a `{` can come next: as a value, inside a string, or after the placeholder `{}`."""
        return self._state in _OPEN_TO_OBJECTS or (self._state == END and not self._containers[0])

    def frames(self) -> tuple[Frame, ...]:
        """The containers that are open now (`growing.value_of`)."""
        frames = self._frames
        if frames is None:
            below = [*self._keys[1:], self._key]
            frames = tuple((one, len(one), key) for one, key in zip(self._containers, below, strict=True))
            self._frames = frames
        return frames

    @property
    def text(self) -> Rope | None:
        """The string value that is open now, if any."""
        return None if self._is_key else self._rope

    def feed(self, piece: str) -> list[Change]:
        """Take the next piece of the text; what it changed, in order."""
        if self._state == STRING and not self._is_key and not self._high and '"' not in piece and "\\" not in piece:
            self._rope.append(piece)  # type: ignore[union-attr]  # a string value is open
            return [(self._pointer, piece)]
        changes: list[Change] = []
        self._changes = changes
        readers = self._READERS
        pos, end = 0, len(piece)
        while pos < end:
            pos = readers[self._state](self, piece, pos)
        if self._news:
            self._grow()
        return changes

    # each reader takes the text and a position in it, and returns the position where it stopped

    def _structure(self, piece: str, pos: int) -> int:
        char = piece[pos]
        action = self._TABLE.get((self._state, char))
        if action is not None:
            action(self)
            return pos + 1
        if char in " \t\n\r":
            return pos + 1
        if self._state in {VALUE, FIRST_ITEM} and char in "-0123456789tfn":
            self._scalar, self._state = "", SCALAR
            return pos
        return self._break(piece)

    def _break(self, piece: str) -> int:
        self._state = BROKEN
        return len(piece)

    def _string(self, piece: str, pos: int) -> int:
        found = _PLAIN.match(piece, pos)
        end = found.end() if found else pos
        if end > pos:
            self._say(piece[pos:end])
        if end == len(piece):
            return end
        if piece[end] == '"':
            self._end_string()
        else:
            self._escape, self._state = "", ESCAPE
        return end + 1

    def _escaped(self, piece: str, pos: int) -> int:
        self._escape += piece[pos]
        escaped = self._escape
        if escaped[0] != "u":
            if escaped not in _SIMPLE:
                return self._break(piece)
            self._say(_SIMPLE[escaped])
        elif len(escaped) <= _HEX:
            return pos + 1
        elif not re.fullmatch("[0-9a-fA-F]{4}", escaped[1:]):
            return self._break(piece)
        else:
            self._unit(int(escaped[1:], 16))
        self._state = STRING
        return pos + 1

    def _unit(self, code: int) -> None:
        """One UTF-16 unit of an escape: halves of a pair meet, a lone half becomes U+FFFD."""
        if self._high and 0xDC00 <= code <= 0xDFFF:  # noqa: PLR2004  # the range of low surrogates
            high, self._high = ord(self._high), ""
            self._say(chr(0x10000 + ((high - 0xD800) << 10) + (code - 0xDC00)))
        elif 0xD800 <= code <= 0xDBFF:  # noqa: PLR2004  # the range of high surrogates
            if self._high:
                self._news.append(_REPLACEMENT)
            self._high = chr(code)
        else:
            self._say(_REPLACEMENT if 0xDC00 <= code <= 0xDFFF else chr(code))  # noqa: PLR2004

    def _say(self, text: str) -> None:
        if self._high:
            self._high = ""
            self._news.append(_REPLACEMENT)
        self._news.append(text)

    def _grow(self) -> None:
        """The news of the open string become part of it, and a change if it is a value."""
        text = "".join(self._news)
        self._news.clear()
        if self._rope is not None:
            self._rope.append(text)
            if not self._is_key:
                self._changes.append((self._pointer, text))

    def _end_string(self) -> None:
        if self._high:
            self._say("")
        if self._news:
            self._grow()
        text = self._rope.text() if self._rope else ""
        self._rope = None
        if not self._is_key:
            self._put(text)
            return
        self._is_key = False
        holder = self._containers[-1]
        if text in holder:
            self._state = BROKEN
            return
        self._key, self._state = text, COLON
        self._pointer = f"{self._prefixes[-1]}/{escape(text)}"
        self._frames = None
        if self._watch:
            self._watch.named(text, self._pointer)

    def _word(self, piece: str, pos: int) -> int:
        found = _SCALAR.match(piece, pos)
        end = found.end() if found else pos
        self._scalar += piece[pos:end]
        if end == len(piece) and len(self._scalar) <= _LONGEST_NUMBER:
            return end
        if not _NUMBER_OR_WORD.fullmatch(self._scalar):
            return self._break(piece)
        try:
            value = json.loads(self._scalar)
        except ValueError:
            return self._break(piece)
        self._changes.append((self._pointer, self._scalar))
        self._put(value)
        return end

    # the actions of the table

    def _open(self, container: Container) -> None:
        if len(self._containers) >= self._max_depth:
            self._state = BROKEN
            return
        if self._watch:
            self._watch.opened(self._key, container, self._pointer)
        self._keys.append(self._key)
        self._containers.append(container)
        self._prefixes.append(self._pointer)
        self._key, self._frames = None, None
        if isinstance(container, list):
            self._state = FIRST_ITEM
            self._pointer += "/0"
        else:
            self._state = FIRST_KEY

    def _open_object(self) -> None:
        self._open({})

    def _open_list(self) -> None:
        self._open([])

    def _close(self) -> None:
        if self._watch:
            self._watch.closed()
        if len(self._containers) == 1:
            self._state, self._key, self._frames = END, None, None
            return
        value = self._containers.pop()
        self._key = self._keys.pop()
        self._pointer = self._prefixes.pop()
        self._insert(value)

    def _put(self, value: Any) -> None:
        if self._watch:
            self._watch.scalar(self._key, value, self._pointer)
        self._insert(value)

    def _insert(self, value: Any) -> None:
        """A complete value becomes a member of the container that is open."""
        holder = self._containers[-1]
        if isinstance(holder, list):
            holder.append(value)
        elif self._key is not None:
            holder[self._key] = value
        self._complete[self._pointer] = None
        self._key, self._frames = None, None
        self._state = AFTER if len(self._complete) < _MAX_MEMBERS else BROKEN

    def _close_object(self) -> None:
        self._close() if isinstance(self._containers[-1], dict) else self._fail()

    def _close_list(self) -> None:
        self._close() if isinstance(self._containers[-1], list) else self._fail()

    def _comma(self) -> None:
        holder = self._containers[-1]
        if isinstance(holder, list):
            self._pointer = f"{self._prefixes[-1]}/{len(holder)}"
            self._state = VALUE
        else:
            self._state = KEY

    def _fail(self) -> None:
        self._state = BROKEN

    def _begin_key(self) -> None:
        self._rope, self._is_key, self._state = Rope(), True, STRING

    def _begin_string(self) -> None:
        self._rope, self._is_key, self._state = Rope(), False, STRING

    def _colon(self) -> None:
        self._state = VALUE

    def _again(self) -> None:
        """A second object after `{}`: the first was a placeholder."""
        if self._containers[0]:
            self._fail()
        else:
            self._containers.clear()
            self._prefixes.clear()
            self._keys.clear()
            self._pointer = ""
            self._open({})

    _TABLE: ClassVar[dict[tuple[int, str], Callable[[Progress], None]]] = {
        (START, "{"): _open_object,
        (FIRST_KEY, '"'): _begin_key,
        (FIRST_KEY, "}"): _close_object,
        (KEY, '"'): _begin_key,
        (COLON, ":"): _colon,
        (VALUE, "{"): _open_object,
        (VALUE, "["): _open_list,
        (VALUE, '"'): _begin_string,
        (FIRST_ITEM, "{"): _open_object,
        (FIRST_ITEM, "["): _open_list,
        (FIRST_ITEM, '"'): _begin_string,
        (FIRST_ITEM, "]"): _close_list,
        (AFTER, ","): _comma,
        (AFTER, "}"): _close_object,
        (AFTER, "]"): _close_list,
        (END, "{"): _again,
    }
    """What a character does in a state; any other but white space ends the reading."""

    _READERS: ClassVar[dict[int, Callable[[Progress, str, int], int]]] = {
        **dict.fromkeys((START, FIRST_KEY, KEY, COLON, VALUE, FIRST_ITEM, AFTER, END), _structure),
        STRING: _string,
        ESCAPE: _escaped,
        SCALAR: _word,
        BROKEN: lambda _, piece, __: len(piece),
    }
