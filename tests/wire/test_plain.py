"""A provider's data as plain JSON, whatever holds it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any, Literal

import pytest
from pydantic import BaseModel

from argwright.wire.plain import (
    UnreadableError,
    arguments,
    identifier,
    mapping,
    number,
    objects,
    plain,
    rest,
    text,
    word,
)


class Kind(Enum):
    STOP = "STOP"


class Inner(BaseModel):
    type: Literal["inner"] = "inner"
    id: str = "null"
    note: str | None = None


class Outer(BaseModel):
    role: Literal["assistant"] = "assistant"
    inner: list[Inner] = []
    kind: Kind | None = None
    index: int = 0


@dataclass
class Data:
    text: str


class Mapped(dict[str, Any]):
    pass


READ = [
    ({"a": 1}, {"a": 1}),
    ('{"a": "漢\u2028"}', {"a": "漢\u2028"}),
    (b'{"a": 1}', {"a": 1}),
    ([{"a": 1}, 2, None, [3]], [{"a": 1}, 2, None, [3]]),
    ([Data("x")], [{"text": "x"}]),
    (Data("🍀"), {"text": "🍀"}),
    (Mapped(a=1), {"a": 1}),
    (Outer(inner=[Inner(id="i"), Inner()], kind=Kind.STOP), {"role": "assistant", "inner": [{"type": "inner", "id": "i"}, {"type": "inner"}], "kind": "STOP"}),
    (Outer(inner=[Inner(note=None)]), {"role": "assistant", "inner": [{"type": "inner", "note": None}]}),
]  # fmt: skip


@pytest.mark.parametrize(("given", "expected"), READ)
def test_plain(given, expected):
    assert plain(given) == expected


@pytest.mark.parametrize("given", ["{", b"\xff{", 3, object(), "[" * 100_000])
def test_what_holds_no_json(given):
    with pytest.raises(UnreadableError):
        plain(given)


NUMBERS = [(3, 3), ("3", 3), (True, None), ("x", None), (None, None), ("٣", None), ("9" * 20, None), ([], None)]


@pytest.mark.parametrize(("given", "expected"), NUMBERS, ids=repr)
def test_numbers(given, expected):
    assert number(given) == expected


IDS = [
    ("a", "a"),
    (3, "3"),
    ("", None),
    (" ", None),
    ("NULL", None),
    ("undefined", None),
    (None, None),
    (True, None),
    ({}, None),
]


@pytest.mark.parametrize(("given", "expected"), IDS, ids=repr)
def test_identifiers(given, expected):
    assert identifier(given) == expected


def test_looks_of_one_type():
    assert [mapping(one) for one in ({"a": 1}, [], None)] == [{"a": 1}, {}, {}]
    assert [objects(one) for one in ({"a": 1}, [{"a": 1}, 3], "x")] == [[{"a": 1}], [{"a": 1}], []]
    assert [text(one) for one in ("a", 3, None)] == ["a", "", ""]
    assert [word(one) for one in (" a ", " ", 3)] == [" a ", None, None]
    assert [arguments(one) for one in (None, "", {"a": 1}, [1], 3)] == [None, "", {"a": 1}, "[1]", "3"]
    assert rest({"a": 1, "b": 2, "c": None}, frozenset({"a"})) == {"b": 2}
