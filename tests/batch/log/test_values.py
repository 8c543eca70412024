"""What a log holds as JSON: read once and for all, made of what Arrow keeps, and told where that is less."""

from __future__ import annotations

import datetime as dt
import json
from decimal import Decimal

import pyarrow as pa
import pytest

from argwright.batch.log import values
from argwright.batch.log.values import BadRecordError, Lost

TEXT, BYTES, MAP = pa.string(), pa.binary(), pa.map_(pa.string(), pa.string())
SINGLE = pa.float32()


def read(column):
    reader = values.reader(column.type)
    found = values.listed(column)
    return [value if reader is None or value is None else reader(value) for value in found]


def of(kind, value):
    return pa.array([value], pa.struct([("q", kind)]))


def as_json(texts, kind=TEXT):
    return pa.ExtensionArray.from_storage(pa.json_(kind), pa.array(texts, kind))


@pytest.mark.parametrize(("column", "text"), [
    (of(pa.int64(), {"q": 2**53 + 1}), '{"q":9007199254740993}'),
    (of(TEXT, {"q": "上\u2028\u200f🙂"}), '{"q":"上\u2028\u200f🙂"}'),
    (of(pa.large_string(), {"q": "a"}), '{"q":"a"}'),
    (of(pa.string_view(), {"q": "longer than a view holds"}), '{"q":"longer than a view holds"}'),
    (of(BYTES, {"q": "上".encode()}), '{"q":"上"}'),
    (of(pa.dictionary(pa.int8(), TEXT), {"q": "a"}), '{"q":"a"}'),
    (of(pa.bool_(), {"q": True}), '{"q":true}'),
    (of(pa.list_(pa.int8()), {"q": [1, None]}), '{"q":[1,null]}'),
    (of(pa.list_(BYTES), {"q": [b"a", None]}), '{"q":["a",null]}'),
    (of(pa.large_list(MAP), {"q": [[("a", "b")], None]}), '{"q":[{"a":"b"},null]}'),
    (of(pa.float64(), {"q": 0.1}), '{"q":0.1}'),
    (of(SINGLE, {"q": -0.5}), '{"q":-0.5}'),
    (of(pa.decimal128(20, 0), {"q": Decimal(12345678901234567890)}), '{"q":12345678901234567890}'),
    (of(pa.decimal128(10, 2), {"q": Decimal("1.10")}), '{"q":1.1}'),
    (of(pa.decimal128(10, 2), {"q": Decimal("3.00")}), '{"q":3}'),
    (pa.array([[("q", "1"), ("r/~", None)]], MAP), '{"q":"1","r/~":null}'),
    (pa.array([[]], MAP), "{}"),
    (pa.array([[(b"q", [("a", 1)])]], pa.map_(BYTES, pa.map_(TEXT, pa.int8()))), '{"q":{"a":1}}'),
    (pa.array([[("a", 1)]], pa.map_(pa.dictionary(pa.int8(), TEXT), pa.int8())), '{"a":1}'),
    (pa.StructArray.from_arrays([as_json(['{"b":[1,null]}'])], names=["q"]), '{"q":{"b":[1,null]}}'),
    (pa.StructArray.from_arrays([as_json(['"[1]"'])], names=["q"]), '{"q":"[1]"}'),
    (pa.StructArray.from_arrays([as_json(["null"])], names=["q"]), '{"q":null}'),
    (pa.array([3]), "3"),
    (pa.array([[1, 2]]), "[1,2]"),
    (pa.array(["{'q'"]), "{'q'"),
    (pa.nulls(1), None),
], ids=str)  # fmt: skip
def test_what_was_parsed_is_written_out(column, text):
    assert [values.written(value) for value in read(column)] == [text]


UNSURE = "null in a column of structs, where it may be a member that was never there"
LOG = "log the text that the model wrote"


@pytest.mark.parametrize(("column", "why"), [
    (of(TEXT, {"q": None}), f"arguments at /q: {UNSURE}"),
    (of(pa.struct([("a/b", TEXT), ("c", TEXT)]), {"q": {"c": "x"}}), f"arguments at /q/a~1b: {UNSURE}"),
    (of(pa.list_(pa.struct([("a", TEXT)])), {"q": [{"a": "x"}, {}]}), f"arguments at /q/1/a: {UNSURE}"),
    (pa.array([[("q", {"a": None})]], pa.map_(TEXT, pa.struct([("a", TEXT)]))), f"arguments at /q/a: {UNSURE}"),
    (pa.array([[{"a": None}]], pa.list_(pa.struct([("a", TEXT)]))), f"arguments at /0/a: {UNSURE}"),
    (of(pa.date32(), {"q": dt.date(2026, 1, 2)}), "arguments at /q: date is no type of JSON"),
    (of(pa.timestamp("s", "UTC"), {"q": dt.datetime(2026, 1, 2, tzinfo=dt.UTC)}), "arguments at /q: datetime is no type of JSON"),
    (pa.array([dt.time(1, 2)]), "arguments: time is no type of JSON"),
    (of(BYTES, {"q": b"a\xff"}), "arguments at /q: no UTF-8 at byte 1"),
    (of(SINGLE, {"q": 0.1}), "arguments at /q: 0.10000000149011612 is a number of 32 bits, which has lost digits"),
    (of(SINGLE, {"q": 16_777_216.0}), "arguments at /q: 16777216.0 is a number of 32 bits, which has lost digits"),
    (of(pa.decimal128(30, 20), {"q": Decimal("0.12345678901234567890")}),
     "arguments at /q: 0.12345678901234567890 has more digits than a float"),
    (pa.array([[(1, "a")]], pa.map_(pa.int8(), TEXT)), "arguments: a map whose keys are int8, not text, is no object"),
    (pa.StructArray.from_arrays([as_json(["{'a'"])], names=["q"]),
     "arguments at /q: no JSON at character 1: expecting property name enclosed in double quotes"),
    (pa.StructArray.from_arrays([as_json(['{"a":1,"a":2}'])], names=["q"]),
     "arguments at /q: the key 'a' stands twice in one object"),
    (pa.StructArray.from_arrays([pa.array([1]), pa.array([2])], names=["q", "q"]),
     "arguments: converting to Python dictionary is not supported when duplicate field names are present"),
], ids=str)  # fmt: skip
def test_what_is_not_known_any_more_is_told_with_its_place(column, why):
    with pytest.raises(BadRecordError) as caught:
        values.written(read(column)[0])
    assert str(caught.value) == f"{why}; {LOG}"


@pytest.mark.parametrize("kind", [MAP, pa.map_(BYTES, TEXT), pa.map_(pa.large_string(), MAP)], ids=str)
def test_a_key_twice_in_a_map_is_told(kind):
    item = [("a", "b")] if kind.item_type == MAP else "b"
    with pytest.raises(BadRecordError) as caught:
        read(pa.array([[("键", item), ("b", item), ("键", item)]], kind))
    assert str(caught.value) == "the key '键' stands twice in one object"


SCHEMA = pa.struct([("type", TEXT), ("const", TEXT), ("enum", pa.list_(TEXT))])
TOOLS = pa.list_(pa.struct([("name", TEXT), ("parameters", pa.struct([("properties", pa.map_(TEXT, SCHEMA))]))]))


def test_of_declarations_what_others_have_is_left_out():
    tools = [
        {
            "name": "f",
            "parameters": {"properties": [("a", {"const": "x"}), ("b", {"type": "string", "enum": ["z", None]})]},
        }
    ]
    assert json.loads(values.declared(read(pa.array([tools], TOOLS))[0])) == [
        {"name": "f", "parameters": {"properties": {"a": {"const": "x"}, "b": {"type": "string", "enum": ["z", None]}}}}
    ]


def test_a_constant_that_may_be_null_or_none_is_told():
    tools = [{"name": "f", "parameters": {"properties": [("a", {"type": None})]}}]
    with pytest.raises(BadRecordError) as caught:
        values.declared(read(pa.array([tools], TOOLS))[0])
    assert str(caught.value) == f"tools at /0/parameters/properties/a/const: {UNSURE}"


def test_a_value_that_python_has_not_costs_no_other():
    broken = pa.Array.from_buffers(pa.string(), 2, pa.array([b"\xff", b"a"]).buffers())
    column = pa.StructArray.from_arrays([broken], names=["q"])
    first, second = values.listed(column)
    assert isinstance(first, Lost)
    assert second == {"q": "a"}


def test_times_finer_than_those_of_python_are_cut():
    column = pa.array([1_700_000_000_123_456_789, None], pa.timestamp("ns", "UTC"))
    assert values.listed(column) == [dt.datetime(2023, 11, 14, 22, 13, 20, 123_456, dt.UTC), None]
