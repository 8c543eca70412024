from __future__ import annotations

import json

import pytest

import argwright as aw
from argwright.batch.log.examples import made
from argwright.batch.report.marks import pieces, visible
from argwright.batch.verdict import verdict

SCHEMA = {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "string"}}}


def shown(text):
    outcome = aw.Toolbox([aw.Tool.from_schema("f", SCHEMA)]).resolve(aw.ToolCall(None, "f", text))
    return pieces(made(outcome, verdict(outcome), ("l", 1), (0, "m")))


@pytest.mark.parametrize(
    "text", ["{'a': 1}", '{"a": 1,}', '{"b": "x', '```json\n{"a": 1}\n```', '{a: 1, b: "上海🙂"}', '{"a": 1', ""]
)
def test_the_pieces_are_the_text(text):
    assert "".join(piece.text for piece in shown(text)) == text


def test_marks_stand_where_something_was_done():
    assert [(piece.text, piece.mark, piece.numbers) for piece in shown('{"a": 1,}')] == [
        ('{"a": 1', "", ()), (",", "exact", (1,)), ("}", "", ()),
    ]  # fmt: skip


def test_where_reading_stopped():
    assert [(piece.text, piece.mark) for piece in shown('{"b": "x')] == [('{"b": "x', ""), ("", "stop")]


def test_something_put_in_has_its_place():
    text = '{"a": 1 "b": "x"}'
    found = [piece for piece in shown(text) if piece.numbers]
    assert found
    assert all(piece.mark for piece in found)


@pytest.mark.parametrize(("text", "expected"), [
    ("plain", "plain"), ("a\nb\tc", "a\nb\tc"), ("\x1b[31m", "\\x1b[31m"), ("a\u202eb", "a\\u202eb"), ("\u200b", "\\u200b"),
    ("上海 é 🙂", "上海 é 🙂"), ("\u2028", "\\u2028"), (json.loads('"\\ud83d"'), "\\ud83d"),
])  # fmt: skip
def test_nothing_hidden_reaches_the_page(text, expected):
    assert visible(text) == expected
