from __future__ import annotations

from collections import Counter

import pytest

import argwright as aw
from argwright.batch.lane import Lane
from argwright.batch.log import examples
from argwright.batch.log.chunk import Rows
from argwright.batch.log.figures import Figures
from argwright.batch.log.hints import hints
from argwright.batch.log.lessons import Lessons, short
from benchmarks import batch_log

BOX = aw.Toolbox([aw.Tool.from_schema(name, schema) for name, schema in batch_log.TOOLS.items()])


@pytest.fixture(scope="module")
def judged():
    lane, chunks = Lane(BOX), []
    given = list(batch_log.rows(1_200, "lessons"))
    for first in range(0, 1_200, 100):
        rows = given[first : first + 100]
        made = Rows(
            lines=[row["id"] + 1 for row in rows],
            places=[0] * 100,
            names=[row["name"] for row in rows],
            models=[row["model"] for row in rows],
            arguments=[row["arguments"] for row in rows],
            finishes=[row["finish_reason"] for row in rows],
        )
        chunks.append((made, lane.judge(made.names, made.arguments, made.finishes).odd))
    return chunks


def learned(chunks):
    lessons, figures = Lessons("log", texts=True), Figures()
    for made, odd in chunks:
        lessons.take(made, odd)
    lessons.tell(figures)
    return figures


def test_the_examples_are_the_worst_of_all(judged):
    every = [
        examples.made(found.outcome, found.verdict, ("log", made.lines[row]), (0, made.models[row]))
        for made, odd in judged
        for row, found in odd.items()
        if found.verdict.status != "valid"
    ]
    assert learned(judged).examples == examples.worst(every)


def test_rules_and_hints_are_those_of_all(judged):
    rules, all_hints = Counter(), Counter()
    for _, odd in judged:
        for outcome, verdict in odd.values():
            rules.update((outcome.tool.name, rule) for rule in verdict.rules)
            all_hints.update(hints(outcome))
    found = learned(judged)
    assert found.rules == rules
    assert found.hints.total() == pytest.approx(all_hints.total(), rel=0.05)  # of calls that are alike, one is asked


@pytest.mark.parametrize(
    ("name", "expected"), [(None, "(none)"), ("", "(none)"), ("f", "f"), ("x" * 81, "x" * 79 + "…")]
)
def test_names_to_count_by(name, expected):
    assert short(name) == expected
