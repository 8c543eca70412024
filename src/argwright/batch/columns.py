"""Which columns of a batch are read, which are written, and of what type they are.

Columns in are text (or UTF-8 bytes), also as a dictionary or as an extension type such as
Arrow's own for JSON. All of them are kept as they came; the columns out are put behind
them and never take the place of one.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from argwright.batch.verdict import VALID, Verdict
from argwright.errors import DeclarationError

ISSUE = pa.struct([("pointer", pa.string()), ("keyword", pa.string()), ("message", pa.string()),
                   ("expected", pa.string()), ("found", pa.string())])  # fmt: skip
"""One violation; `expected` and `found` are JSON text."""

_OUT: tuple[tuple[str, pa.DataType], ...] = (
    ("status", pa.string()),
    ("kind", pa.string()),
    ("reason", pa.string()),
    ("effective_arguments", pa.string()),
    ("rules", pa.list_(pa.string())),
    ("issues", pa.list_(ISSUE)),
)


@dataclass(frozen=True, kw_only=True)
class Columns:
    """The names of columns.

    Args:
        tool: the tool's name; may be missing where every row brings its schema.
        arguments: the arguments' text as the model wrote it.
        finish_reason: the provider's word for the end of the reply; may be missing.
        schema: a JSON Schema as text, a list of declarations as text, or a reference; may be missing.
        prefix: stands before the names of the columns out (`status`, `kind`, `reason`, `effective_arguments`,
            `rules`, `issues`).
    """

    tool: str = "name"
    arguments: str = "arguments"
    finish_reason: str = "finish_reason"
    schema: str = "schema"
    prefix: str = ""

    @property
    def read(self) -> tuple[str, str, str, str]:
        """The columns that are read, where they are there."""
        return self.tool, self.arguments, self.finish_reason, self.schema


def output_schema(schema: pa.Schema, columns: Columns | None = None) -> pa.Schema:
    """The schema of a cleaned batch.

    Args:
        schema: the schema of the batch that comes in.
        columns: the names of its columns.

    Raises:
        DeclarationError: there is no column of arguments, one of the columns is no text, or one that is to be written
            exists already.
    """
    names = columns or Columns()
    if names.arguments not in schema.names:
        raise DeclarationError(f"no column {names.arguments!r} for the arguments; there are {_listed(schema.names)}")
    for name in names.read:
        _check(schema, name)
    large = _is_large(schema.field(names.arguments).type)
    for field in fields(names, large=large):
        if field.name in schema.names:
            raise DeclarationError(f"the batch has a column {field.name!r} already; choose a prefix for the new ones")
        schema = schema.append(field)
    return schema


def fields(columns: Columns, *, large: bool = False) -> list[pa.Field[Any]]:
    """The columns out; with large text where the arguments came as such."""
    text = pa.large_string() if large else pa.string()
    kinds = ((name, text if name == "effective_arguments" else kind) for name, kind in _OUT)
    return [pa.field(columns.prefix + name, kind) for name, kind in kinds]


def answered(odd: Mapping[int, Verdict], rows: int) -> Iterator[pa.Array[Any]]:
    """Status, kind, reason, rules and issues of so many rows, most of them valid.

    Args:
        odd: by row, every verdict that says more.
        rows: how many there are.
    """
    verdicts = [Verdict(VALID)]
    places: dict[int, int] = {}
    chosen = array("i", bytes(4 * rows))
    for row, verdict in odd.items():
        place = places.setdefault(id(verdict), len(verdicts))
        if place == len(verdicts):
            verdicts.append(verdict)
        chosen[row] = place
    indices = pa.Array.from_buffers(pa.int32(), rows, [None, pa.py_buffer(chosen)])
    for name, kind in _OUT:
        if name != "effective_arguments":
            yield pa.array([getattr(verdict, name) for verdict in verdicts], kind).take(indices)


def texts(batch: pa.RecordBatch, name: str) -> pa.Array[Any] | Sequence[Any]:
    """The values of a column as text, null where there is none; as a list if there are bytes that are no UTF-8."""
    if name not in batch.schema.names:
        return pa.nulls(batch.num_rows, pa.string())
    column = bare(batch.column(name))
    try:
        column.validate(full=True)  # nobody who reads Parquet asks whether a text is one
    except pa.ArrowInvalid:
        column = column.cast(pa.large_binary())
    return texts_of(column)


def listed(column: pa.Array[Any] | Sequence[Any]) -> Sequence[Any]:
    """The values of a column as Python's."""
    return column.to_pylist() if isinstance(column, pa.Array) else column


def texts_of(values: pa.Array[Any] | Sequence[Any]) -> pa.Array[Any] | Sequence[Any]:
    """Values as Arrow's text, or as a list if they are not all Unicode."""
    try:
        if not isinstance(values, pa.Array):
            return pa.array(values, pa.string())
        column = bare(values)
        made: pa.Array[Any] = column.cast(pa.string()) if is_binary(column.type) or not is_text(column.type) else column
    except (UnicodeEncodeError, pa.ArrowInvalid):  # half a surrogate pair; bytes that are no UTF-8
        return [_text(value) for value in listed(values)]
    return made


def is_text(kind: pa.DataType) -> bool:
    """Whether values are texts, or bytes that may be, however they are stored."""
    inner = _inner(kind)
    texts = pa.types.is_string(inner) or pa.types.is_large_string(inner) or pa.types.is_string_view(inner)
    return bool(texts) or is_binary(inner)


def is_binary(kind: pa.DataType) -> bool:
    """Whether values are bytes, however they are stored."""
    inner = _inner(kind)
    return bool(pa.types.is_binary(inner) or pa.types.is_large_binary(inner) or pa.types.is_binary_view(inner))


def bare(column: Any) -> Any:
    """Texts or bytes as an array of nothing else: not an extension of it, not a dictionary, and no views.

    An extension is never cast as it is: of one that is stored as views, Arrow makes other bytes.
    """
    if isinstance(column.type, pa.BaseExtensionType):
        return bare(column.storage)
    if isinstance(column, pa.DictionaryArray):
        return bare(column.dictionary).take(column.indices)
    if pa.types.is_string_view(column.type):
        return column.cast(pa.string())
    return column.cast(pa.binary()) if pa.types.is_binary_view(column.type) else column


def _text(value: str | bytes | None) -> str | bytes | None:
    if not isinstance(value, bytes):
        return value
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return value


def _check(schema: pa.Schema, name: str) -> None:
    if schema.names.count(name) > 1:
        raise DeclarationError(f"two columns are called {name!r}")
    kind = schema.field(name).type if name in schema.names else pa.null()
    if not (is_text(kind) or pa.types.is_null(kind)):
        raise DeclarationError(f"column {name!r} is {kind}, text was expected (as the model wrote it, not parsed)")


def _inner(kind: pa.DataType) -> pa.DataType:
    """The type in which values are stored."""
    while isinstance(kind, (pa.DictionaryType, pa.BaseExtensionType)):
        kind = kind.value_type if isinstance(kind, pa.DictionaryType) else kind.storage_type
    return kind


def _is_large(kind: pa.DataType) -> bool:
    inner = _inner(kind)
    return bool(pa.types.is_large_string(inner) or pa.types.is_large_binary(inner))


def _listed(names: Sequence[str]) -> str:
    return ", ".join(map(repr, names)) or "none"
