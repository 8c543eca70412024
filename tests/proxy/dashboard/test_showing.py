"""What the page shows of a call."""

from __future__ import annotations

import json

from argwright.proxy.dashboard.rule_list import rule_list
from argwright.proxy.dashboard.showing import kept_call, played, shown
from argwright.proxy.repair import asked

SCHEMA = {
    "type": "object",
    "properties": {"query": {"type": "string"}, "limit": {"type": "integer"}},
    "required": ["query"],
    "additionalProperties": False,
}


def _played(text, **more):
    question = asked({"name": "search", "arguments": text, "schema": SCHEMA, **more})
    return played(question, question.resolve())


def test_a_mended_call_has_its_text_its_repairs_and_its_fields():
    got = _played("{'query': '上海', 'limit': '9007199254740993',}")
    assert (got["status"], got["rules"]) == ("mended", ["single-quotes", "trailing-comma", "stringified-scalar"])
    detail = got["detail"]
    assert "".join(piece["text"] for piece in detail["pieces"]) == "{'query': '上海', 'limit': '9007199254740993',}"
    assert [(one["number"], one["rule"], one["marked"]) for one in detail["repairs"]] == [
        (1, "single-quotes", True),
        (2, "trailing-comma", True),
        (3, "stringified-scalar", True),
    ]
    assert [(row["pointer"], row["before"], row["after"]) for row in detail["fields"]] == [
        ("/query", '"上海"', '"上海"'),
        ("/limit", '"9007199254740993"', "9007199254740993"),
    ]
    assert json.loads(got["answer"])["status"] == "valid"


def test_a_refused_call_has_what_was_written_what_is_wrong_and_what_the_model_is_told():
    got = _played('{"query": 5, "size": {"a": 1}}')
    detail = got["detail"]
    assert (got["kind"], got["reason"]) == ("schema_error", "unexpected")
    assert [(row["pointer"], row["before"], row["after"]) for row in detail["fields"]] == [
        ("/query", "5", None),
        ("/size/a", "1", None),
    ]
    assert [(one["pointer"], one["expected"], one["found"]) for one in detail["issues"]] == [
        ("/query", "string", "5"),
        ("/size", '["query","limit"]', "object"),
    ]
    assert json.loads(detail["message"])["error"] == "Invalid call of search"


def test_a_text_that_cannot_be_read_is_marked_where_reading_stopped():
    detail = _played('{"query": "a')["detail"]
    assert (detail["readable"], detail["fields"]) == (False, [])
    assert detail["pieces"][-1] == {"text": "", "on": [0], "begins": [0], "point": True, "wide": False}


def test_arguments_that_came_as_an_object_are_shown_as_text():
    assert _played({"query": "a"})["detail"]["pieces"][0]["text"] == '{"query":"a"}'
    assert _played(None)["detail"]["characters"] == 0


def test_a_call_without_a_text_shows_what_ran():
    detail = shown({"text": None, "omitted": "sensitive", "characters": 7, "arguments": {"a": "***"}, "repairs": []})
    assert (detail["pieces"], detail["omitted"], detail["characters"]) == (None, "sensitive", 7)
    assert detail["fields"] == [{"pointer": "/a", "before": None, "after": '"***"', "change": "same"}]


def test_a_call_without_a_detail_stays_without():
    assert kept_call({"id": 1, "detail": None}) == {"id": 1, "detail": None}


def test_every_rule_is_told_with_an_example():
    rules = rule_list()
    assert rules["trailing-comma"] == {"certainty": "exact", "before": '{"a": 1,}', "after": '{"a": 1}'}
    assert rules["alias"]["before"]
    assert {one["certainty"] for one in rules.values()} <= {"exact", "likely", "guess"}
