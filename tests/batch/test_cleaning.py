"""`clean` gives every row the answer of `Toolbox.resolve`."""

from __future__ import annotations

import json
import pickle
import re
from functools import partial

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import argwright as aw
from argwright.batch import Columns, clean, output_schema
from argwright.errors import DeclarationError
from argwright.model import compact
from benchmarks import batch_log
from benchmarks.accuracy import cases
from benchmarks.accuracy.dice import Dice
from benchmarks.accuracy.operators import Subject

STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
BOX = aw.Toolbox([aw.Tool.from_schema(name, schema) for name, schema in batch_log.TOOLS.items()])


def batch(rows, **types):
    names = list(dict.fromkeys(name for row in rows for name in row))
    return pa.record_batch([pa.array([row.get(name) for row in rows], types.get(name)) for name in names], names=names)


def answers(cleaned):
    names = ("status", "kind", "reason", "effective_arguments", "rules", "issues")
    return [tuple(row[name] for name in names) for row in cleaned.to_pylist()]


def resolved(box, name, text, finish=None, policy=None):
    """What one row should say, made from the outcome by hand."""
    outcome = box.resolve(aw.ToolCall(None, name, text, finish), policy)
    rules = list(dict.fromkeys(repair.rule for repair in outcome.repairs))
    if isinstance(outcome, aw.ValidCall):
        return ("mended" if rules else "valid", None, None, outcome.arguments, rules, [])
    issues = [(issue.pointer, issue.keyword, issue.message) for issue in outcome.issues]
    issues = issues or ([("", outcome.reason, outcome.message)] if outcome.message else [])
    return ("refused", outcome.kind.value, outcome.reason, None, rules, issues)


def told(answer):
    status, kind, reason, text, rules, issues = answer
    arguments = None if text is None else json.loads(text)
    return status, kind, reason, arguments, rules, [(i["pointer"], i["keyword"], i["message"]) for i in issues]


def assert_as_resolved(rows, box=BOX, policy=None):
    cleaned = clean(
        batch(rows, name=pa.string(), arguments=pa.string(), finish_reason=pa.string()), tools=box, policy=policy
    )
    assert cleaned.num_rows == len(rows)
    for row, answer in zip(rows, answers(cleaned), strict=True):
        expected = resolved(box, row["name"], row["arguments"], row.get("finish_reason"), policy)
        assert told(answer) == expected, row
        if answer[3] is not None:  # equal in Python is not yet the same: 1 == 1.0 == True
            assert compact(json.loads(answer[3])) == compact(expected[3]), row
            assert " " not in STRING.sub("", answer[3])


PROOFS_OF_DAMAGE = (
    '{"city": "Oslo", "city": "Oslo"}',
    '{"city": "Oslo", "city": "Lima"}',
    '{"city":"Oslo","city":"Oslo"}',
    '{"city":"\\ud83d"}',
    '{"city":"\\ud83d\\ude00"}',
    '{"city":"Oslo","days":1e999}',
    '{"city":"Oslo","days":NaN}',
    '{"city":"Oslo","days":2.0}',
    '{"city":"Oslo","days":2e0}',
    '{"city":"Oslo","days":12345678901234567890123}',
    '{"city":"Oslo","days":18446744073709551616}',
    '{"city":"Oslo","days":-0}',
    '{"city":"Oslo</city><parameter name=\\"days\\">3"}',
    '{"city":"null"}',
    '{"arguments":{"city":"Oslo"}}',
    '{"name":"get_weather","arguments":{"city":"Oslo"}}',
    '{"properties":{"city":"Oslo"},"type":"object"}',
    '{"city":"Oslo"}{"city":"Oslo"}',
    '{"city":"Oslo"}{"city":"Lima"}',
    ' {"city":"Oslo"}\n',
    '\ufeff{"city":"Oslo"}',
    '{"city":"a\u2028b"}',
    '{"city":"القاهرة 🙂"}',
    '{"city":"C:\\\\new\\u0000"}',
    '{"city":"a&amp;b"}',
    '"{\\"city\\":\\"Oslo\\"}"',
    "null", "[]", "3", "", "{}", "{", '{"city":', '{"city":"Os',
    '{"city":' + "[" * 300 + "]" * 300 + "}",
    '{"city":' + "[" * 5_000,
    '{"days":' + "9" * 5_000 + "}",
)  # fmt: skip


@pytest.mark.parametrize("text", PROOFS_OF_DAMAGE)
@pytest.mark.parametrize("finish", [None, "tool_calls", "length", "LENGTH", "missing", "odd"])
def test_what_parses_and_is_damaged_is_seen(text, finish):
    assert_as_resolved([{"name": "get_weather", "arguments": text, "finish_reason": finish}])


OPEN = aw.Toolbox([
    aw.Tool.from_schema(
        "note",
        {"type": "object", "properties": {"text": {"type": "string"}, "size": {"type": "number"}, "more": {"type": "object"}}},
        aliases={"body": "text"},
        name_aliases=["memo"],
    ),
    aw.Tool.from_schema("free", {"type": "object"}),
    aw.Tool.from_schema("none", {"type": "object", "properties": {}, "additionalProperties": False}),
])  # fmt: skip


@pytest.mark.parametrize("name", ["note", "memo", "functions.note", "free", "none", "Note", "", None])
@pytest.mark.parametrize("text", [
    '{"body":"x"}', '{"text":"x","body":"y"}', '{"text":"x","extra":1}', '{"size":1e22}', '{"size":0.00001}', '{"size":1E5}',
    '{"size":1.10}', '{"more":{"a":{"b":[1,2.50,-0.0]}}}', '{"note":{"text":"x"}}', "{}", None, '{"a":{"text":"x"}}',
])  # fmt: skip
def test_open_schemas_and_aliases(name, text):
    assert_as_resolved([{"name": name, "arguments": text}], OPEN)


def test_a_log_of_all_kinds_of_faults():
    assert_as_resolved(list(batch_log.rows(3_000, "faults")))


@pytest.mark.parametrize("operator", cases.OPERATORS, ids=lambda operator: operator.name)
def test_each_kind_of_fault(operator):
    dice = Dice(operator.name)
    rows = []
    for name, make in batch_log.MAKERS.items():
        damaged = operator.damage(dice, Subject(name, batch_log.TOOLS[name], make(dice)))
        if damaged is not None:
            text = damaged.result if isinstance(damaged.result, str) else json.dumps(damaged.result, ensure_ascii=False)
            rows += [{"name": name, "arguments": text}] * 2  # the second comes out of the memory
    if rows:
        assert_as_resolved(rows)


@pytest.mark.parametrize("policy", [aw.Policy.STRICT, aw.Policy.EXACT, aw.Policy.LENIENT])
def test_a_policy_holds(policy):
    assert_as_resolved(list(batch_log.rows(400, "policy")), policy=policy)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
ARGUMENTS = st.dictionaries(st.sampled_from(["text", "size", "more", "body", "x", "arguments"]), JSON, max_size=4)


@settings(max_examples=300, deadline=None)
@given(
    value=ARGUMENTS,
    blanks=st.sampled_from([None, (",", ":"), (" , ", " : ")]),
    ascii_only=st.booleans(),
    name=st.sampled_from(["note", "free", "none", "memo"]),
)
def test_any_json(value, blanks, ascii_only, name):
    text = json.dumps(value, separators=blanks, ensure_ascii=ascii_only)
    assert_as_resolved([{"name": name, "arguments": text}], OPEN)


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet='{}[]":, \\ntue1.-ax\u2028é\U0001f642<>&', max_size=30))
def test_any_text(text):
    assert_as_resolved([{"name": "free", "arguments": text}], OPEN)


def test_input_columns_are_kept_and_rows_stay_in_order():
    rows = [
        {"id": number, "name": "get_time", "arguments": text, "tag": "é"}
        for number, text in enumerate(["{}", "{", "{}"])
    ]
    given_batch = batch(rows)
    cleaned = clean(given_batch, tools=BOX)
    assert cleaned.schema == output_schema(given_batch.schema)
    assert cleaned.select(given_batch.schema.names).equals(given_batch)
    assert cleaned.column("status").to_pylist() == ["valid", "refused", "valid"]


class Prompt(pa.ExtensionType):
    """A type of somebody's own, stored as whatever."""

    def __init__(self, storage):
        super().__init__(storage, "argwright.tests.prompt")

    def __arrow_ext_serialize__(self):
        return b""

    @classmethod
    def __arrow_ext_deserialize__(cls, storage, _serialized):
        return cls(storage)


def own(column):
    return pa.ExtensionArray.from_storage(Prompt(column.type), column)


def coded(column):
    return pa.DictionaryArray.from_arrays(pa.array([0, None, 2], pa.int8()), column)


STORED = {
    "plainly": lambda column: column,
    "as a dictionary": coded,
    "as an extension": own,
    "as an extension of a dictionary": lambda column: own(coded(column)),
    "as a dictionary of an extension": lambda column: coded(own(column)),
}
TEXT = (pa.string(), pa.large_string(), pa.string_view(), pa.binary(), pa.large_binary(), pa.binary_view())


@pytest.mark.parametrize("kind", TEXT, ids=str)
@pytest.mark.parametrize("stored", STORED)
def test_text_of_any_type(kind, stored):
    texts = ['{"zone":"UTC"}', None, '{"zone":"上海\u2028 longer than a view holds",}']
    column = STORED[stored](
        pa.array(texts if "string" in str(kind) else [text and text.encode() for text in texts], kind)
    )
    given_batch = pa.record_batch({"name": ["get_time"] * 3, "arguments": column})
    cleaned = clean(given_batch, tools=BOX)
    made = ['{"zone":"UTC"}', "{}", '{"zone":"上海\u2028 longer than a view holds"}']
    assert cleaned.column("effective_arguments").to_pylist() == made
    assert cleaned.select(given_batch.schema.names).equals(given_batch)


@pytest.mark.parametrize("storage", [pa.string(), pa.large_string(), pa.string_view()], ids=str)
def test_text_that_is_called_json(storage):
    texts = pa.array(['{"zone":"UTC"}', None, '{"zone":"上海 longer than a view holds",}'], storage)
    column = pa.ExtensionArray.from_storage(pa.json_(storage), texts)
    cleaned = clean(pa.record_batch({"name": ["get_time"] * 3, "arguments": column}), tools=BOX)
    made = ['{"zone":"UTC"}', "{}", '{"zone":"上海 longer than a view holds"}']
    assert cleaned.column("effective_arguments").to_pylist() == made


NO_UTF8 = b'{"zone":"\xff"}'


def unchecked(values):
    """A column of text in which nobody looked whether it is."""
    return pa.Array.from_buffers(pa.string(), len(values), pa.array(values, pa.binary()).buffers())


@pytest.mark.parametrize("make", [pa.array, unchecked], ids=["bytes", "text"])
def test_what_is_no_utf8_is_refused_and_costs_no_other_row(make):
    column = make([NO_UTF8, b'{"zone":"UTC"}'])
    cleaned = clean(pa.record_batch({"name": ["get_time"] * 2, "arguments": column}), tools=BOX)
    outcome = BOX.resolve(aw.ToolCall(None, "get_time", NO_UTF8))
    assert cleaned.column("kind").to_pylist() == [outcome.kind.value, None]
    assert cleaned.column("reason").to_pylist() == [outcome.reason, None]
    assert cleaned.column("effective_arguments").to_pylist() == [None, '{"zone":"UTC"}']


SCHEMA = json.dumps({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]})
DECLARED = json.dumps([{"type": "function", "function": {"name": "count", "parameters": json.loads(SCHEMA)}}])


@pytest.mark.parametrize(("row", "expected"), [
    ({"name": "count", "schema": SCHEMA}, ("mended", None)),
    ({"name": None, "schema": SCHEMA}, ("mended", None)),
    ({"name": "count", "schema": DECLARED}, ("mended", None)),
    ({"name": "cont", "schema": DECLARED}, ("refused", "unknown")),
    ({"name": "count", "schema": "v2"}, ("mended", None)),
    ({"name": "count", "schema": "list"}, ("mended", None)),
    ({"name": "get_time", "schema": "box"}, ("refused", "unexpected")),
    ({"name": "count", "schema": "v3"}, ("error", "no_schema")),
    ({"name": "count", "schema": '{"type": 3}'}, ("error", "no_schema")),
    ({"name": "count", "schema": "{nothing"}, ("error", "no_schema")),
    ({"name": "count", "schema": "[1]"}, ("error", "no_schema")),
    ({"name": "get_time", "schema": None}, ("refused", "unexpected")),
    ({"name": "get_time", "schema": ""}, ("refused", "unexpected")),
])  # fmt: skip
def test_a_schema_for_each_row(row, expected):
    schemas = {"v2": json.loads(SCHEMA), "list": json.loads(DECLARED), "box": BOX}
    rows = [{"arguments": '{"n": "3"}', **row}, {"name": "get_time", "arguments": "{}", "schema": None}]
    cleaned = clean(batch(rows, name=pa.string(), schema=pa.string()), tools=BOX, schemas=schemas)
    first, second = cleaned.to_pylist()
    assert (first["status"], first["reason"]) == expected
    assert (second["status"], second["effective_arguments"]) == ("valid", "{}")
    if first["status"] == "mended":
        assert first["effective_arguments"] == '{"n":3}'


def test_no_tools_and_no_schema_is_an_error():
    cleaned = clean(batch([{"name": "f", "arguments": "{}"}]))
    assert (cleaned.column("status")[0].as_py(), cleaned.column("reason")[0].as_py()) == ("error", "no_schema")


def test_columns_may_have_other_names():
    columns = Columns(tool="fn", arguments="raw", finish_reason="why", prefix="aw_")
    cleaned = clean(
        batch([{"fn": "get_time", "raw": "{}", "why": "length", "status": "x"}]), tools=BOX, columns=columns
    )
    assert cleaned.to_pylist()[0] | {"aw_issues": None} == {
        "fn": "get_time", "raw": "{}", "why": "length", "status": "x", "aw_status": "refused", "aw_kind": "json_error",
        "aw_reason": "truncated", "aw_effective_arguments": None, "aw_rules": [], "aw_issues": None,
    }  # fmt: skip


@pytest.mark.parametrize(("given_batch", "message"), [
    (batch([{"name": "f"}]), "no column 'arguments' for the arguments; there are 'name'"),
    (batch([{"name": "f", "arguments": {"a": 1}}]),
     "column 'arguments' is struct<a: int64>, text was expected (as the model wrote it, not parsed)"),
    (batch([{"name": "f", "arguments": "{}", "status": 200}]),
     "the batch has a column 'status' already; choose a prefix for the new ones"),
    (pa.record_batch([pa.array(["a"]), pa.array(["b"])], names=["arguments", "arguments"]), "two columns are called 'arguments'"),
])  # fmt: skip
def test_what_is_wrong_with_a_batch_is_said(given_batch, message):
    with pytest.raises(DeclarationError) as caught:
        clean(given_batch, tools=BOX)
    assert str(caught.value) == message


def test_an_empty_batch():
    empty = pa.record_batch({"name": pa.array([], pa.string()), "arguments": pa.array([], pa.string())})
    cleaned = clean(empty, tools=BOX)
    assert (cleaned.num_rows, cleaned.schema) == (0, output_schema(empty.schema))


def test_it_is_picklable():
    again = pickle.loads(pickle.dumps(partial(clean, tools=BOX)))
    given_batch = batch(list(batch_log.rows(50)))
    assert again(given_batch).equals(clean(given_batch, tools=BOX))


class Watching:
    def __init__(self):
        self.seen = []

    def observe(self, outcome):
        self.seen.append(outcome)


def test_who_watches_the_toolbox_is_not_told():
    watching = Watching()
    clean(batch([{"name": "get_time", "arguments": "{"}] * 3), tools=aw.Toolbox(BOX.tools, monitor=watching))
    assert watching.seen == []


def test_a_model_refuses_what_its_schema_allows():
    from pydantic import BaseModel, field_validator

    class Booking(BaseModel):
        nights: int

        @field_validator("nights")
        @classmethod
        def _few(cls, nights):
            if nights > 30:
                raise ValueError("too many")
            return nights

    box = aw.Toolbox([Booking])
    assert_as_resolved([{"name": "Booking", "arguments": f'{{"nights":{nights}}}'} for nights in (3, 31)], box)
