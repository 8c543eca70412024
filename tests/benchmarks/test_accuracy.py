"""The method of damage and recovery, on calls of our own: the generator is honest, and nothing wrong passes silently."""

from __future__ import annotations

import json

import jsonschema_rs
import pytest

from benchmarks.accuracy import peers, score
from benchmarks.accuracy.cases import OPERATORS, generate, same
from benchmarks.accuracy.pairs import Pair


def schema(required: str, **properties: object) -> dict[str, object]:
    return {"type": "object", "properties": properties, "required": required.split()}


TEXT = {"type": "string"}
INTEGER = {"type": "integer"}

PAIRS = [
    Pair(
        "1",
        "search_products",
        schema(
            "query sort_order",
            query=TEXT,
            max_price=INTEGER,
            sort_order={"type": "string", "enum": ["price_asc", "newest", "Best Match"]},
            in_stock={"type": "boolean"},
            tags={"type": "array", "items": TEXT},
        ),
        {"query": "台灯", "max_price": 2500, "sort_order": "price_asc", "in_stock": True, "tags": ["室内"]},
    ),
    Pair(
        "2",
        "book_table",
        schema("restaurant_name guests", restaurant_name=TEXT, guests=INTEGER, note=TEXT, phone=TEXT),
        {"restaurant_name": "Chez Léon", "guests": 4, "note": "a window seat, please"},
    ),
    Pair(
        "3",
        "plot",
        schema("points", points={"type": "array", "items": {"type": "number"}}, options={"type": "object", "properties": {"color": TEXT}}),
        {"points": [0.5, -1.25, 3], "options": {"color": "dark red"}},
    ),
    Pair("4", "list_orders", schema("", status=TEXT, page=INTEGER), {"page": 2}),
    Pair(
        "5",
        "send_message",
        schema("to subject", to={"type": "array", "items": TEXT}, subject=TEXT, body=TEXT, urgent={"type": "boolean"}),
        {"to": ["ana@example.org", "bo@example.org"], "subject": "مرحبا", "body": "see you at nine", "urgent": False},
    ),
]  # fmt: skip

CASES = generate(PAIRS, seed="test", count=1_000)
READERS = {name: prepare for name, _, prepare in peers.READERS}


def test_every_operator_is_drawn_and_the_seed_decides():
    assert {score.kind(case) for case in CASES} == {operator.name for operator in OPERATORS}
    assert generate(PAIRS, seed="test", count=50) == CASES[:50]
    assert generate(PAIRS, seed="other", count=50) != CASES[:50]


def test_what_is_expected_satisfies_its_schema():
    assert all(jsonschema_rs.is_valid(case.schema, case.expected) for case in CASES)


def test_a_valid_case_is_json_that_says_what_is_expected():
    assert all(same(json.loads(case.raw), case.expected) for case in CASES if case.family == "valid")


@pytest.fixture(scope="module")
def result():
    return score.run(CASES, READERS["argwright"])


def test_nothing_wrong_passes_silently(result):
    wrong = [
        (case.operator, case.raw, case.expected)
        for case, verdict in zip(CASES, result.verdicts, strict=True)
        if verdict == score.WRONG and score.kind(case) != "lost_piece"
    ]
    assert wrong == []


def test_valid_calls_are_left_alone_and_nearly_all_others_come_back(result):
    summary = score.summarize(CASES, result)
    assert summary.identity == 1
    assert summary.exact >= 0.95
    assert summary.macro >= 0.92
