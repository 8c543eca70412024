"""Rows of Parquet: what each type of column and each value in it becomes."""

from __future__ import annotations

import datetime as dt
import itertools
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from argwright.batch.log import records, tables
from argwright.batch.log.chunk import Gathered
from argwright.batch.log.parts import Part
from tests.batch.log.test_records import RECOGNISED, UNKNOWN

NAMES = ["写", "f", "f", "f"]
TEXTS = ['{"q":"🙂"}', '{"q":"a\u2028b"}', None, "{"]
BYTES = [None if text is None else text.encode() for text in TEXTS]
REPLY = {"object": "chat.completion", "choices": [{"index": 0, "message": {"role": "assistant", "tool_calls": [
    {"id": "a", "type": "function", "function": {"name": "f", "arguments": '{"q":1}'}}]}}]}  # fmt: skip


def unchecked(values):
    """A column of text in which nobody looked whether it is."""
    made = pa.array(values, pa.binary())
    return pa.Array.from_buffers(pa.string(), len(values), made.buffers())


def rows_of(path: Path, table):
    pq.write_table(table, path)
    return list(tables.read(Part(path=str(path), form="rows", end=table.num_rows, lines=table.num_rows)))


def listed(*columns):
    """Rows of columns, whatever these are."""
    plain = [[value.as_py() if isinstance(value, pa.Scalar) else value for value in column] for column in columns]
    return list(zip(*plain, strict=True))


def read(path: Path, columns: dict[str, object]):
    made = rows_of(path, pa.table(columns))
    told = [row for one in made for row in listed(one.lines, one.names, one.arguments)]
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


def as_json(texts):
    return pa.ExtensionArray.from_storage(pa.json_(), pa.array(texts, pa.string()))


MAP = pa.map_(pa.string(), pa.string())
UNSURE = "null in a column of structs, where it may be a member that was never there; log the text that the model wrote"


@pytest.mark.parametrize(("column", "rows", "bad"), [
    (pa.array([{"q": [1, 2]}, {"q": []}]), ['{"q":[1,2]}', '{"q":[]}'], []),
    (as_json(["{'q': 1}", None]), ["{'q': 1}", None], []),
    (pa.array([[("q", "1"), ("上", None)], []], MAP), ['{"q":"1","上":null}', "{}"], []),
    (pa.array([[("q", "1"), ("q", "1")], None], MAP), [None], [(1, "the key 'q' stands twice in one object")]),
    (pa.array([{"a": 1}, {"b": 2}], pa.struct([("a", pa.int8()), ("b", pa.int8())])), [],
     [(1, f"arguments at /b: {UNSURE}"), (2, f"arguments at /a: {UNSURE}")]),
    (pa.array([{"q": dt.date(2026, 1, 2)}, None]), [None],
     [(1, "arguments at /q: date is no type of JSON; log the text that the model wrote")]),
], ids=["struct", "JSON", "map", "key twice", "struct with null", "date"])  # fmt: skip
def test_parsed_arguments_are_written_out_or_told(tmp_path, column, rows, bad):
    sound = [line for line in (1, 2) if line not in dict(bad)]
    expected = [(line, "f", text) for line, text in zip(sound, rows, strict=True)]
    assert read(tmp_path / "a.parquet", {"name": ["f", "f"], "arguments": column}) == (expected, bad, 2)


def test_arguments_in_a_reply_are_as_sure_as_those_in_a_column(tmp_path):
    kind = pa.struct([("a", pa.int8()), ("b", pa.int8())])
    block = pa.struct([("type", pa.string()), ("id", pa.string()), ("name", pa.string()), ("input", kind)])
    message = pa.struct(
        [(name, pa.string()) for name in ("type", "role", "stop_reason")] + [("content", pa.list_(block))]
    )
    around = {"type": "message", "role": "assistant", "stop_reason": "tool_use"}
    replies = [
        {**around, "content": [{"type": "tool_use", "name": "f", "input": {"a": 1, "b": 2}}, {"type": "text"}]},
        {**around, "content": [{"type": "tool_use", "name": "f", "input": {"a": 1}}]},
    ]
    columns = {"response": pa.array(replies, message)}
    assert read(tmp_path / "a.parquet", columns) == (
        [(1, "f", '{"a":1,"b":2}')], [(2, f"arguments at /b: {UNSURE}")], 2,
    )  # fmt: skip


def test_parsed_declarations_are_text_and_what_other_tools_have_is_left_out(tmp_path):
    tools = [
        [{"name": "f", "parameters": {"type": "object", "properties": {"a": {"type": "string"}}}}],
        [{"name": "g", "parameters": {"type": "object", "properties": {"b": {"type": "string"}}}}],
        None,
    ]
    (made,) = rows_of(tmp_path / "a.parquet", pa.table({"name": ["f"] * 3, "arguments": ["{}"] * 3, "tools": tools}))
    assert [declared and json.loads(declared) for declared in made.tools] == tools


def test_a_column_that_is_null_leaves_the_word_to_the_next(tmp_path):
    columns = {
        "name": ["f", None], "tool_name": ["other", "g"],
        "finish_reason": [None, None], "stop_reason": ["max_tokens", None],
        "id": [None, "b"], "call_id": [7, 8],
        "arguments": ["{}", None], "raw_arguments": ["[]", "{"],
        "at": [None, 5], "timestamp": [6, 7],
    }  # fmt: skip
    (made,) = rows_of(tmp_path / "a.parquet", pa.table(columns))
    times = [None if at is None else at.timestamp() for (at,) in listed(made.times)]
    assert listed(made.ids, made.names, made.finishes, made.arguments) == [
        ("7", "f", "max_tokens", "{}"),
        ("b", "g", None, "{"),
    ]
    assert times == [6, 5]


@pytest.mark.parametrize("name", ["name", "stop_reason"])
def test_what_must_be_text_and_is_not_is_told(tmp_path, name):
    columns = {"tool": ["f", "f"], "arguments": ["{}", "{}"], name: pa.array([[1], None], pa.list_(pa.int8()))}
    why = f"a call's {name} is text, not list<element: int8>"
    assert read(tmp_path / "a.parquet", columns) == ([(2, "f", "{}")], [(1, why)], 2)


def test_times_finer_than_those_of_python(tmp_path):
    column = pa.array([1_700_000_000_123_456_789], pa.timestamp("ns", "UTC"))
    (made,) = rows_of(tmp_path / "a.parquet", pa.table({"name": ["f"], "arguments": ["{}"], "at": column}))
    assert listed(made.times) == [(dt.datetime(2023, 11, 14, 22, 13, 20, 123_000, dt.UTC),)]


RECORDS = {name: record for name, (record, *_) in RECOGNISED.items() if isinstance(record, dict)}
PAIRS = [[name] for name in RECORDS] + [list(pair) for pair in itertools.permutations(list(RECORDS)[::3], 2)]


def table_of(found):
    """The narrowest table that holds records of different forms; `None` if Parquet has no type for both."""
    try:
        kinds = [pa.Table.from_pylist([record]).schema for record in found]
        table = pa.Table.from_pylist(found, schema=pa.unify_schemas(kinds, promote_options="permissive"))
        pq.write_table(table, pa.BufferOutputStream())
    except (pa.ArrowException, OverflowError):
        return None
    return table


def told(made):
    columns = (made.lines, made.places, made.ids, made.names, made.models, made.times, made.finishes, made.arguments)
    return listed(*columns, made.tools or [None] * len(made))


def test_a_row_gives_the_calls_that_the_line_gives(tmp_path):
    seen = 0
    for names in PAIRS:
        found = [RECORDS[name] for name in names]
        table, lines = table_of(found), Gathered()
        if table is None:
            continue
        for number, record in enumerate(found, start=1):
            for place, one in enumerate(records.calls(record)):
                lines.add(number, place, one)
        made = rows_of(tmp_path / "a.parquet", table)
        assert ([row for one in made for row in told(one)], [one.bad for one in made]) == (told(lines.rows()), [[]]), (
            names
        )
        seen += 1
    assert seen > len(PAIRS) / 2


def test_arguments_as_frameworks_call_them(tmp_path):
    assert read(tmp_path / "a.parquet", {"tool_name": ["f"], "args": ["{'q': 1"]}) == ([(1, "f", "{'q': 1")], [], 1)


def test_rows_that_are_nothing_are_told(tmp_path):
    why = UNKNOWN + "tool_name, said"
    assert read(tmp_path / "a.parquet", {"tool_name": ["f"], "said": ["{}"]}) == ([], [(1, why)], 1)


def test_two_columns_of_one_name_are_not_told_apart(tmp_path):
    table = pa.Table.from_arrays(
        [pa.array(["f"]), pa.array(["{}"]), pa.array(["[]"])], names=["name", "arguments", "arguments"]
    )
    pq.write_table(table, tmp_path / "a.parquet")
    with pytest.raises(pa.ArrowInvalid, match="two columns are called 'arguments'"):
        list(tables.read(Part(path=str(tmp_path / "a.parquet"), form="rows", end=1, lines=1)))
