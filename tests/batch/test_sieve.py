"""What the sieve keeps has the answer of `Toolbox.resolve`: valid, untouched, and without a warning."""

from __future__ import annotations

import json

import pyarrow as pa
import pytest

import argwright as aw
from argwright import rules
from argwright.batch.lane import Lane
from argwright.batch.sieve import Sieve
from argwright.model import compact
from benchmarks import batch_log

OFTEN = 40  # more than the fewest calls for which a pattern is made
BOX = aw.Toolbox([aw.Tool.from_schema(name, schema) for name, schema in batch_log.TOOLS.items()])
NOTE = {
    "type": "object",
    "properties": {"path": {"type": "string"}, "text": {"type": "string"}, "n": {"type": "integer"}},
}


def sieve(*tools, **limits):
    box = aw.Toolbox(tools)
    return Sieve({tool.name: tool for tool in box.tools}, rules.load(), aw.Limits(**limits))


def kept(made, calls):
    """The effective arguments of calls (name, text, finish reason), each among others of its kind."""
    columns = [pa.array(list(column) * OFTEN, pa.string()) for column in zip(*calls, strict=True)]
    found = made.plain(*columns).to_pylist()
    assert found == found[: len(calls)] * OFTEN
    return found[: len(calls)]


def note(text, finish=None, name="note"):
    return name, text, finish


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"text":"上海 🙂 مرحبا\u2028"}', '{"text":"上海 🙂 مرحبا\u2028"}'),
        ('{"text": "a: b, c", "n": 3}', '{"text":"a: b, c","n":3}'),
        ('{"text": "a,b:c", "n": 3}', '{"text":"a,b:c","n":3}'),
        ('{"text": ": ", "n": 3}', '{"text":": ","n":3}'),
        ('{"path": ",", "text": ", "}', '{"path":",","text":", "}'),
        (r'{"path": "\"", "text": ":\\", "n": 3}', r'{"path":"\"","text":":\\","n":3}'),
        (r'{"path": "b, \" ", "text": "\", \"a\": "}', r'{"path":"b, \" ","text":"\", \"a\": "}'),
        (r'{"text":"a\nb \"c\" \\"}', r'{"text":"a\nb \"c\" \\"}'),
        ('{"text":"a < b & c"}', '{"text":"a < b & c"}'),
        ('{"text":"a &amp; b"}', None),
        ('{"text":"a</text>"}', None),
        ('{"text":"null"}', None),
        (r'{"path":"C:\new"}', None),
        (r'{"text":"C:\new"}', None),
        ('{"text":"a","text":"b"}', None),
        ('{"text":"a","other":"b"}', None),
        ('{"n":"3"}', None),
        ('{"n":3.0}', None),
        ('{"text":"a"} ', None),
        ("{}", "{}"),
        ("", None),
        (None, None),
    ],
)
def test_what_is_kept(text, expected):
    tool = aw.Tool.from_schema("note", NOTE)
    assert kept(sieve(tool), [note(text)]) == [expected]
    outcome = aw.Toolbox([tool]).resolve(aw.ToolCall(None, "note", text))
    if expected is not None:
        assert (outcome.repairs, outcome.warnings, compact(outcome.arguments)) == ((), (), expected)


@pytest.mark.parametrize(("finish", "is_kept"), [(None, True), ("tool_calls", True), ("length", False), ("odd", True)])
def test_a_call_that_is_reported_as_cut_is_left(finish, is_kept):
    assert (kept(sieve(aw.Tool.from_schema("note", NOTE)), [note("{}", finish)]) == ["{}"]) is is_kept


@pytest.mark.parametrize(
    "tool",
    [
        aw.Tool.from_schema("note", NOTE, aliases={"file": "path"}),
        aw.Tool.from_schema("note", NOTE, value_aliases={"text": {"old": "new"}}),
        aw.Tool.from_schema("note", {"type": "object", "properties": {"n": {"type": ["string", "array"]}}}),
        aw.Tool.from_schema("note", {"type": "object", "patternProperties": {"n": {"type": "integer"}}}),
    ],
    ids=["aliases", "value aliases", "text or list", "no pattern"],
)
def test_tools_whose_calls_need_a_closer_look(tool):
    assert kept(sieve(tool), [note('{"n":3}')]) == [None]


def test_another_order_of_keys_is_learned():
    made = sieve(aw.Tool.from_schema("note", NOTE))
    text = '{"n":1,"text":"a"}'
    assert kept(made, [note(text)]) == [None]
    made.learn("note", json.loads(text))
    assert kept(made, [note(text)]) == [text]


def test_lessons_of_strangers_and_without_end_cost_nothing():
    made = sieve(aw.Tool.from_schema("note", NOTE))
    made.learn(None, {"a": 1})
    made.learn("nobody", {"a": 1})
    for number in range(2_000):
        made.learn("note", {f"k{number}": 1})
    assert kept(made, [note('{"path":"a","n":1}')]) == ['{"path":"a","n":1}']


def test_the_longest_text_is_counted_in_characters():
    text = '{"text":"上海"}'
    assert kept(sieve(aw.Tool.from_schema("note", NOTE), max_chars=len(text)), [note(text)]) == [text]
    assert kept(sieve(aw.Tool.from_schema("note", NOTE), max_chars=len(text) - 1), [note(text)]) == [None]


def test_a_rule_of_others_that_looks_at_valid_calls_sees_all_of_them():
    rule = aw.Rule(name="look", layer="inspect", certainty=aw.Certainty.EXACT, propose=lambda _context: None)
    made = Sieve({"note": aw.Tool.from_schema("note", NOTE)}, rules.load([rule]), aw.Limits())
    assert kept(made, [note("{}")]) == [None]


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string()], ids=str)
def test_a_log_is_answered_as_call_by_call(kind):
    rows = list(batch_log.rows(3_000, "sieve"))
    columns = [pa.array([row.get(name) for row in rows], kind) for name in ("name", "arguments", "finish_reason")]
    lane, by_row = Lane(BOX), Lane(BOX)
    for _ in range(2):  # the second time with what was learned
        plain = lane._sieve.plain(*columns)
        answers = lane.judge(*columns)
        arguments, odd = by_row.by_row(*(column.to_pylist() for column in columns))
        assert {row: judged.verdict for row, judged in answers.odd.items()} == {
            row: judged.verdict for row, judged in odd.items()
        }
        assert answers.arguments.to_pylist() == [
            text.decode() if isinstance(text, bytes) else text for text in arguments
        ]
        assert len(rows) - plain.null_count > 0.8 * len(rows)
