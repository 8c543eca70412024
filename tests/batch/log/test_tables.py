"""Rows of Parquet: what each type of column and each value in it becomes."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from argwright.batch.log import tables
from argwright.batch.log.parts import Part

NAMES = ["写", "f", "f", "f"]
TEXTS = ['{"q":"🙂"}', '{"q":"a\u2028b"}', None, "{"]
BYTES = [None if text is None else text.encode() for text in TEXTS]
REPLY = {"object": "chat.completion", "choices": [{"index": 0, "message": {"role": "assistant", "tool_calls": [
    {"id": "a", "type": "function", "function": {"name": "f", "arguments": '{"q":1}'}}]}}]}  # fmt: skip


def unchecked(values):
    """A column of text in which nobody looked whether it is."""
    made = pa.array(values, pa.binary())
    return pa.Array.from_buffers(pa.string(), len(values), made.buffers())


def read(path: Path, columns: dict[str, object]):
    table = pa.table(columns)
    pq.write_table(table, path)
    part = Part(path=str(path), form="rows", start=0, end=table.num_rows, lines=table.num_rows)
    made = list(tables.read(part))
    rows = [row for one in made for row in zip(one.lines, list(one.names), list(one.arguments), strict=True)]
    told = [(line, *(value.as_py() if isinstance(value, pa.Scalar) else value for value in row)) for line, *row in rows]
    return told, [(bad.line, bad.why) for one in made for bad in one.bad], sum(one.read for one in made)


@pytest.mark.parametrize("kind", [
    pa.string(), pa.large_string(), pa.string_view(), pa.binary(), pa.large_binary(), pa.binary_view(),
    pa.dictionary(pa.int32(), pa.string()), pa.dictionary(pa.int32(), pa.binary()),
], ids=str)  # fmt: skip
def test_every_type_of_text_is_read_alike(tmp_path, kind):
    inner = kind.value_type if isinstance(kind, pa.DictionaryType) else kind
    plain = BYTES if "binary" in str(inner) else TEXTS
    column = pa.array(plain, inner)
    column = column.dictionary_encode() if isinstance(kind, pa.DictionaryType) else column
    rows = [(number, *row) for number, row in enumerate(zip(NAMES, TEXTS, strict=True), start=1)]
    assert read(tmp_path / "a.parquet", {"name": NAMES, "arguments": column}) == (rows, [], 4)


@pytest.mark.parametrize("column", [
    pa.array([b'{"q":"\xff"}', b"{}", None, b"\xc3"]),
    pa.array([b'{"q":"\xff"}', b"{}", None, b"\xc3"]).dictionary_encode(),
    unchecked([b'{"q":"\xff"}', b"{}", None, b"\xc3"]),
], ids=["bytes", "dictionary", "text"])  # fmt: skip
def test_what_is_no_text_is_told_by_its_row_and_nothing_put_in_its_place(tmp_path, column):
    rows, bad, count = read(tmp_path / "a.parquet", {"name": NAMES, "arguments": column})
    assert rows == [(2, "f", "{}"), (3, "f", None)]
    assert bad == [(1, "arguments: no UTF-8 at byte 6"), (4, "arguments: no UTF-8 at byte 0")]
    assert count == 4


def test_bytes_of_another_column_may_be_anything(tmp_path):
    columns = {"id": pa.array([b"\xff\xfe"]), "name": ["f"], "arguments": ["{}"]}
    assert read(tmp_path / "a.parquet", columns) == ([(1, "f", "{}")], [], 1)
    columns = {"digest": pa.array([b"\xff\xfe"]), "response": pa.array([json.dumps(REPLY).encode()])}
    assert read(tmp_path / "b.parquet", columns) == ([(1, "f", '{"q":1}')], [], 1)


@pytest.mark.parametrize("column", [
    pa.nulls(2), pa.array([None, None], pa.struct([("q", pa.string())])), pa.array([None, None], pa.list_(pa.int8())),
], ids=["null", "struct", "list"])  # fmt: skip
def test_arguments_that_never_came_are_a_call_without_them(tmp_path, column):
    assert read(tmp_path / "a.parquet", {"name": ["f", "g"], "arguments": column}) == (
        [(1, "f", None), (2, "g", None)], [], 2,
    )  # fmt: skip


def test_a_null_beside_a_reply_is_no_call(tmp_path):
    columns = {"arguments": pa.nulls(1), "response": [json.dumps(REPLY)]}
    assert read(tmp_path / "a.parquet", columns) == ([(1, "f", '{"q":1}')], [], 1)


def test_parsed_arguments_are_written_out(tmp_path):
    columns = {"name": ["f", "f"], "arguments": pa.array([{"q": [1, 2]}, {"q": []}])}
    assert read(tmp_path / "a.parquet", columns) == ([(1, "f", '{"q":[1,2]}'), (2, "f", '{"q":[]}')], [], 2)


def test_arguments_as_frameworks_call_them(tmp_path):
    assert read(tmp_path / "a.parquet", {"tool_name": ["f"], "args": ["{'q': 1"]}) == ([(1, "f", "{'q': 1")], [], 1)


def test_rows_that_are_nothing_are_told(tmp_path):
    why = "neither a call (name, arguments) nor a reply or a chat known by its keys: tool_name, said"
    assert read(tmp_path / "a.parquet", {"tool_name": ["f"], "said": ["{}"]}) == ([], [(1, why)], 1)


def test_two_columns_of_one_name_are_not_told_apart(tmp_path):
    table = pa.Table.from_arrays(
        [pa.array(["f"]), pa.array(["{}"]), pa.array(["[]"])], names=["name", "arguments", "arguments"]
    )
    pq.write_table(table, tmp_path / "a.parquet")
    with pytest.raises(pa.ArrowInvalid, match="two columns are called 'arguments'"):
        list(tables.read(Part(path=str(tmp_path / "a.parquet"), form="rows", end=1, lines=1)))
