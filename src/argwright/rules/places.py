"""Places in a JSON document: reading, comparing, and making a changed document.

Nothing here changes a value that it was given: `edited` copies the containers on the
way to each change, each of them once, and shares the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from argwright import pointer as json_pointer
from argwright.model import Json, compact
from argwright.rules.rule import REMOVED
from argwright.shape import Shape

_LONG = 120  # characters of a value that a record shows; enough to recognize it, too little to carry a file


def find(root: Json, tokens: Sequence[str]) -> tuple[bool, Json]:
    """Whether something stands at the place, and what."""
    value = root
    for token in tokens:
        if isinstance(value, dict) and token in value:
            value = value[token]
        elif isinstance(value, list) and token.isdecimal() and token.isascii() and int(token) < len(value):
            value = value[int(token)]
        else:
            return False, None
    return True, value


def edited(root: Json, changes: Iterable[tuple[Sequence[str], Json]]) -> Json:
    """The document after the changes, in order; `REMOVED` takes a member away, a place that is gone is passed over."""
    holder: list[Json] = [root]
    owned: set[int] = set()
    last: tuple[Sequence[str], Any] | None = None  # changes come by the hundred in one list
    for tokens, value in changes:
        if not tokens:
            holder[0], last = value, None
            continue
        way = tokens[:-1]
        container = last[1] if last is not None and last[0] == way else _owned(holder, way, owned)
        if container is not None:
            _put(container, tokens[-1], value)
            last = (way, container)
    return holder[0]


def _owned(holder: list[Json], way: Sequence[str], owned: set[int]) -> Any:
    """The container at the end of the way, each one on it copied; `None` if there is none."""
    container: Any = holder
    for step in ("0", *way):
        container = _own(container, step, owned)
        if container is None:
            return None
    return container


def _own(container: Any, step: str, owned: set[int]) -> Any:
    """The child container, copied into its parent unless the copy is ours already."""
    key = _key(container, step)
    if key is None:
        return None
    child = container[key]
    if not isinstance(child, (dict, list)):
        return None
    if id(child) not in owned:
        child = child.copy()
        owned.add(id(child))
        container[key] = child
    return child


def _key(container: Any, step: str) -> Any:
    """The key of an existing child; `None` if there is none."""
    if isinstance(container, dict):
        return step if step in container else None
    return int(step) if step.isdecimal() and int(step) < len(container) else None


def _put(container: Any, step: str, value: Json) -> None:
    if isinstance(container, dict):
        if value is REMOVED:
            container.pop(step, None)
        else:
            container[step] = value
    elif (key := _key(container, step)) is not None and value is not REMOVED:
        container[key] = value


def equal(one: Json, other: Json) -> bool:
    """JSON equality: 1 equals 1.0, but true is no number."""
    pairs = [(one, other)]
    while pairs:
        a, b = pairs.pop()
        if isinstance(a, dict) and isinstance(b, dict) and a.keys() == b.keys():
            pairs += [(a[key], b[key]) for key in a]
        elif isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
            pairs += zip(a, b, strict=True)
        elif isinstance(a, (dict, list)) or isinstance(a, bool) is not isinstance(b, bool) or a != b:
            return False
    return True


def shown(value: Json) -> Json:
    """The value as a record shows it: itself, or its beginning if it is long."""
    if isinstance(value, (dict, list)):
        text = compact(value)
        return value if len(text) <= _LONG else text[: _LONG - 1] + "…"
    if isinstance(value, str) and len(value) > _LONG:
        return value[: _LONG - 1] + "…"
    return value


def shape_at(shape: Shape, tokens: Sequence[str], root: Json) -> Shape:
    """What the schema says of a place in this document."""
    value = root
    for token in tokens:
        shape = shape.item if isinstance(value, list) else shape.member(token)
        value = find(value, (token,))[1]
    return shape


def strings(root: Json, looks: Callable[[str], bool]) -> Iterator[tuple[tuple[str, ...], str]]:
    """The strings that are worth a look, with their paths, in the order of the text.

    A path is only made for a string that is; a megabyte of others costs no more than reading it.
    """
    open_ones: list[tuple[Any, Iterator[tuple[Any, Json]]]] = [(None, iter((("", root),)))]
    while open_ones:
        link, members = open_ones[-1]
        for key, item in members:
            if isinstance(item, str):
                if looks(item):
                    yield _path((link, key))[1:], item
            elif isinstance(item, (dict, list)):
                open_ones.append(((link, key), iter(item.items() if isinstance(item, dict) else enumerate(item))))
                break
        else:
            open_ones.pop()


def _path(link: Any) -> tuple[str, ...]:
    """The path of a chain of (parent, key) pairs."""
    steps: list[str] = []
    while link is not None:
        link, step = link
        steps.append(str(step))
    return tuple(reversed(steps))


def named(root: Json, way: Sequence[str]) -> Iterator[tuple[tuple[str, ...], Json]]:
    """The values at a place, with their paths; `*` on the way stands for every item of a list or value of a map."""
    todo: list[tuple[tuple[str, ...], Json]] = [((), root)]
    while todo:
        path, value = todo.pop()
        if len(path) == len(way):
            yield path, value
        elif way[len(path)] == "*" and isinstance(value, list):
            todo += [((*path, str(index)), item) for index, item in reversed(list(enumerate(value)))]
        elif way[len(path)] == "*" and isinstance(value, dict):
            todo += [((*path, key), item) for key, item in reversed(value.items())]
        else:
            there, item = find(value, way[len(path) : len(path) + 1])
            todo += [((*path, way[len(path)]), item)] if there else []


def pointer_of(path: Iterable[str | int]) -> str:
    """The JSON Pointer of a path."""
    return json_pointer.join(path)
