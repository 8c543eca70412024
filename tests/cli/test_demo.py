from __future__ import annotations

from argwright.cli.demo import TOOLS, calls
from argwright.model import ErrorKind, ValidCall
from argwright.toolbox import Toolbox

EXPECTED_REFUSALS = {
    "cut in a string": "json_error/truncated",
    "cut, and the server closed it": "json_error/truncated",
    "two different calls glued": "json_error/several_values",
    "one key, two values": "json_error/duplicate_key",
    "no JSON at all": "json_error/not_json",
    "nothing, but something is needed": "json_error/empty",
    "a list at the root": "schema_error/not_an_object",
    "required field missing": "schema_error/missing",
    "wrong enum": "schema_error/enum",
    "no faithful number": "schema_error/type",
    "old and new name disagree": "schema_error/alias_conflict",
    "parameter swallowed by a text": "schema_error/absorbed",
    "destructive tool, repair not certain": "schema_error/type",
    "unknown tool": "unknown_tool/unknown",
    "similar name is no name": "unknown_tool/unknown",
}


def test_what_becomes_of_the_calls():
    box = Toolbox(TOOLS)
    outcomes = {title: box.resolve(call) for title, call in calls()}
    refused = {title: f"{o.kind}/{o.reason}" for title, o in outcomes.items() if not isinstance(o, ValidCall)}
    assert refused == EXPECTED_REFUSALS
    assert all(outcome.repairs for title, outcome in outcomes.items() if title not in refused)


def test_every_kind_of_error_is_shown():
    assert {slug.split("/")[0] for slug in EXPECTED_REFUSALS.values()} == {kind.value for kind in ErrorKind}


def test_the_table(run):
    done = run("demo")
    assert (done.code, done.err) == (0, "")
    assert f"{len(calls())} calls: " in done.out
    assert "上海" in done.out
