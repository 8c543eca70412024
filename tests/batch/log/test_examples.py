from __future__ import annotations

import itertools

import argwright as aw
from argwright.batch.log import examples
from argwright.batch.log.examples import Example, made, worst
from argwright.batch.verdict import verdict

TOOL = aw.Tool.from_schema("f", {"type": "object", "properties": {"a": {"type": "integer"}, "key": {"type": "string"}}})


def example(text, box=None, **options):
    outcome = (box or aw.Toolbox([TOOL])).resolve(aw.ToolCall(None, "f", text))
    return made(outcome, verdict(outcome), ("log.jsonl", 3), (1, "m"), **options)


def test_a_mended_call():
    found = example("{'a': '1'}")
    assert (found.status, found.cause, found.text, found.effective, found.where) == (
        "mended", "single-quotes", "{'a': '1'}", '{"a":1}', ("log.jsonl", 3),
    )  # fmt: skip
    assert [repair["rule"] for repair in found.repairs] == ["single-quotes", "stringified-scalar"]


def test_a_refused_call():
    found = example('{"a": "x')
    assert (found.status, found.cause, found.effective, found.position) == ("refused", "json_error/truncated", None, 8)


def test_a_long_text_is_cut():
    found = example('{"a": ' + " " * 5_000 + "1,}")
    assert (len(found.text or ""), found.cut) == (examples.LONGEST, 5_009 - examples.LONGEST)


def test_what_is_sensitive_is_not_told():
    secret = aw.Tool.from_schema("f", {"type": "object", "properties": {"a": {"type": "integer"}}}, sensitive=["a"])
    for found in (example("{'a': '7'}", aw.Toolbox([secret])), example("{'a': '7'}", texts=False)):
        assert (found.text, found.effective) == (None, None)
        assert "7" not in repr([repair["before"] for repair in found.repairs])
        assert [repair["rule"] for repair in found.repairs] == ["single-quotes", "stringified-scalar"]


def of(cause, weight, text, status="mended", line=1):
    return Example(tool="f", model="", status=status, cause=cause, weight=weight, where=("l", line), text=text)


def test_the_worst_two_of_each_kind_and_refused_ones_first():
    given = [
        of("a", 1, "x"),
        of("a", 5, "y"),
        of("a", 5, "yy"),
        of("b", 9, "z"),
        of("json_error/empty", 1, "", "refused"),
    ]
    kept = [of("json_error/empty", 1, "", "refused"), of("b", 9, "z"), of("a", 5, "yy"), of("a", 5, "y")]
    for order in itertools.permutations(given):
        assert worst(order) == kept


def test_what_was_sent_again_is_shown_once():
    assert worst([of("a", 1, "x", line=2), of("a", 1, "x"), of("a", 1, "x", line=3)]) == [of("a", 1, "x")]


def test_of_many_kinds_some_are_kept():
    given = [of(f"rule-{number}", number, "x") for number in range(100)]
    assert [one.weight for one in worst(given, kinds=6)] == [99, 98, 97]
