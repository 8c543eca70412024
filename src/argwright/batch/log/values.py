"""JSON values as a log has them: read from text, made of Arrow's, and written out again.

A key that stands twice in one object, or in one map, is refused: which of the two was
meant, the log does not say. What Arrow keeps of a value that somebody parsed can be less
than was written: every struct of a column has the same members, so that what is null was
null or was never there; a date was a text in one of many forms; a number of 32 bits has
lost digits. All of that may stand around a call. A call whose arguments hold it cannot be
read: any value that was chosen might be another one than the model wrote.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from math import isfinite
from typing import Any, TypeAlias

import pyarrow as pa

from argwright.batch.columns import is_binary
from argwright.model import Json, compact
from argwright.pointer import escape, get

Reader: TypeAlias = Callable[[Any], Any]
"""Makes a JSON value of what Arrow gives, if that is none already."""

_DIGITS = {16: 3, 32: 6}
"""By the bits of a float, the decimal digits that it keeps of any number."""
_LISTS = (pa.ListType, pa.LargeListType, pa.FixedSizeListType, pa.ListViewType, pa.LargeListViewType)
_WRITTEN = "log the text that the model wrote"


class BadRecordError(ValueError):
    """A line holds no call and no reply; the text says why."""


class Parsed(dict[str, Any]):
    """An object out of a column, without what was null there: of a struct, that is also what was never there."""

    __slots__ = ("unsure",)

    def __init__(self, members: Mapping[str, Any], unsure: Sequence[str] = ()) -> None:
        super().__init__(members)
        self.unsure = unsure


@dataclass(frozen=True)
class Lost:
    """A value that is not known any more; the text says why."""

    why: str


def load(text: str) -> Json:
    """The value of a line.

    Raises:
        BadRecordError: it is no JSON, or a key stands twice.
    """
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise BadRecordError(f"no JSON at character {error.pos}: {error.msg.lower()}") from error
    except RecursionError as error:
        raise BadRecordError("no JSON that can be read: nested too deep") from error
    except BadRecordError:
        raise
    except ValueError as error:  # an integer of thousands of digits
        raise BadRecordError("no JSON that can be read: an integer of thousands of digits") from error


def _members(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise BadRecordError(f"the key {twice[:60]!r} stands twice in one object")
    return members


_DECODER = json.JSONDecoder(object_pairs_hook=_members)


def written(arguments: Any) -> str | None:
    """Arguments as text: what was parsed by whoever logged it is written out again.

    Raises:
        BadRecordError: it cannot be told what the model wrote.
    """
    if isinstance(arguments, (str, type(None))):
        return arguments
    if type(arguments) is not dict:  # that is what text gives
        for pointer, why in _doubts(arguments, ""):
            raise BadRecordError(f"arguments{pointer and f' at {pointer}'}: {why}; {_WRITTEN}")
    return compact(arguments)


def declared(tools: Sequence[Any]) -> str:
    """Declarations as text; a member that is null in a column is one that others have.

    Raises:
        BadRecordError: it cannot be told what was declared.
    """
    if any(type(tool) is not dict for tool in tools):
        for pointer, why in _doubts(tools, ""):
            if why is not _UNSURE or _may_be_null(tools, pointer):
                raise BadRecordError(f"tools at {pointer}: {why}")
    return compact(list(tools))


def _may_be_null(tools: Sequence[Any], pointer: str) -> bool:
    """Whether a null at a place in declarations would mean another thing than nothing: only as a constant."""
    around, _, name = pointer.rpartition("/")
    return name == "const" and get(tools, around).get("type", "null") == "null"


_UNSURE = "null in a column of structs, where it may be a member that was never there"


def _doubts(value: Any, pointer: str) -> Iterator[tuple[str, str]]:
    """The places in a value at which it is not known what was written."""
    match value:
        case None | bool() | int() | float() | str():
            return
        case dict():
            if isinstance(value, Parsed):
                yield from ((f"{pointer}/{escape(name)}", _UNSURE) for name in value.unsure)
            for name, item in value.items():
                yield from _doubts(item, f"{pointer}/{escape(name)}")
        case list():
            for place, item in enumerate(value):
                yield from _doubts(item, f"{pointer}/{place}")
        case Lost(why):
            yield pointer, why
        case _:
            yield pointer, f"{type(value).__name__} is no type of JSON"


def listed(column: Any) -> list[Any]:
    """The values of a column as Python's; one that Python has not is lost, and costs no other."""
    if pa.types.is_timestamp(column.type) and column.type.unit == "ns":
        column = column.cast(pa.timestamp("us", column.type.tz), safe=False)
    try:
        made: list[Any] = column.to_pylist()
    except ValueError:  # a struct with two members of one name, a time finer than Python's, a text that is none
        made = [_value(scalar) for scalar in column]
    return made


def _value(scalar: Any) -> Any:
    try:
        return scalar.as_py()
    except ValueError as error:
        return Lost(str(error)[:1].lower() + str(error)[1:])


def reader(kind: pa.DataType) -> Reader | None:
    """What makes JSON of the values of a type; `None` if they are taken as they come.

    The reader raises `BadRecordError` if a key stands twice in a map.
    """
    if isinstance(kind, pa.BaseExtensionType):
        return _document if kind.extension_name == "arrow.json" else reader(kind.storage_type)
    if isinstance(kind, pa.DictionaryType):
        return reader(kind.value_type)
    if isinstance(kind, pa.MapType):
        return _of_map(kind)
    if isinstance(kind, pa.StructType):
        return _of_struct(kind)
    return _of_list(kind) if isinstance(kind, _LISTS) else _of_scalar(kind)


def _of_scalar(kind: Any) -> Reader | None:
    if pa.types.is_float16(kind) or pa.types.is_float32(kind):
        return partial(_short, bits=kind.bit_width)
    if pa.types.is_decimal(kind):
        return _number
    return _text if is_binary(kind) or pa.types.is_fixed_size_binary(kind) else None


def _of_map(kind: pa.MapType[Any, Any, Any]) -> Reader:
    key, item = (reader(inner) or _same for inner in (kind.key_type, kind.item_type))

    def read(pairs: Any) -> Any:
        if not isinstance(pairs, list):
            return pairs
        made = [(key(name), None if value is None else item(value)) for name, value in pairs]
        if not all(isinstance(name, str) for name, _ in made):
            return Lost(f"a map whose keys are {kind.key_type}, not text, is no object")
        return Parsed(_members(made))

    return read


def _of_struct(kind: pa.StructType) -> Reader:
    readers = {field.name: reader(field.type) or _same for field in kind}

    def read(members: Any) -> Any:
        if not isinstance(members, dict):
            return members
        made = {name: readers[name](value) for name, value in members.items() if value is not None}
        return Parsed(made, [name for name, value in members.items() if value is None])

    return read


def _of_list(kind: Any) -> Reader | None:
    item = reader(kind.value_type)
    if item is None:
        return None

    def read(values: Any) -> Any:
        return [None if value is None else item(value) for value in values] if isinstance(values, list) else values

    return read


def _same(value: Any) -> Any:
    return value


def _document(text: Any) -> Any:
    """The value of a text that its column calls JSON."""
    try:
        return load(text) if isinstance(text, str) else text
    except BadRecordError as error:
        return Lost(str(error))


def _text(data: Any) -> Any:
    """Bytes as the text that they are, if they are one."""
    try:
        return data.decode("utf-8") if isinstance(data, bytes) else data
    except UnicodeDecodeError as error:
        return Lost(f"no UTF-8 at byte {error.start}")


def _number(value: Any) -> Any:
    """A decimal number as one that JSON's writer takes, if there is one of the same value."""
    if not isinstance(value, Decimal):
        return value
    if value == value.to_integral_value():
        return int(value)
    made = float(value)
    return made if Decimal(repr(made)) == value else Lost(f"{value} has more digits than a float")


def _short(value: Any, *, bits: int) -> Any:
    """A float of few bits, if it is the number that its sure digits say."""
    if isinstance(value, float) and isfinite(value) and float(f"{value:.{_DIGITS[bits]}g}") != value:
        return Lost(f"{value!r} is a number of {bits} bits, which has lost digits")
    return value
