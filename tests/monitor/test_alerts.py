from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from argwright.model import ErrorKind
from argwright.monitor.alerts import _BY_REASON, Alert, Streaks, action_of
from tests.monitor.samples import CUT, MENDED, MISSING, NO_JSON, OTHER, TYPE, UNKNOWN, VALID, resolved

BEGIN = datetime(2026, 3, 1, tzinfo=UTC)
SCHEMA, JSON, NAME = ErrorKind.SCHEMA_ERROR, ErrorKind.JSON_ERROR, ErrorKind.UNKNOWN_TOOL
ELSEWHERE = resolved("[]", "tides")


def told(outcomes, after=3):
    """Every alert, as kind, tool, count, and the numbers of its first and last call."""
    streaks = Streaks(after)
    found = [(number, streaks.see(one, BEGIN + timedelta(hours=number))) for number, one in enumerate(outcomes)]
    return [
        (alert.kind, alert.tool, alert.count, (alert.first - BEGIN).seconds // 3600, number)
        for number, alert in found
        if alert is not None
    ]


STREAKS = [
    ("two are none", [TYPE, MISSING], []),
    ("three of one kind, whatever the reason", [TYPE, MISSING, TYPE], [(SCHEMA, "forecast", 3, 0, 2)]),
    ("told once", [TYPE] * 9, [(SCHEMA, "forecast", 3, 0, 2)]),
    ("a valid call of the tool ends it", [TYPE, TYPE, VALID, TYPE, TYPE], []),
    ("under an old name, and mended, too", [TYPE, TYPE, MENDED, TYPE, TYPE], []),
    ("another tool's does not", [TYPE, TYPE, OTHER, TYPE], [(SCHEMA, "forecast", 3, 0, 3)]),
    ("nor does another failure", [TYPE, NO_JSON, TYPE, UNKNOWN, TYPE], [(SCHEMA, "forecast", 3, 0, 4)]),
    ("nor are tools counted together", [TYPE, TYPE, ELSEWHERE], []),
    ("what began anew is told anew", [*[TYPE] * 4, VALID, *[TYPE] * 3], [(SCHEMA, "forecast", 3, 0, 2), (SCHEMA, "forecast", 3, 5, 7)]),
    ("a cut is a json_error", [NO_JSON, CUT, NO_JSON], [(JSON, "forecast", 3, 0, 2)]),
    ("unknown names count together", [UNKNOWN, resolved("{}", "天气"), resolved("{}", None)], [(NAME, None, 3, 0, 2)]),
    ("a valid call of any tool ends that", [UNKNOWN, UNKNOWN, OTHER, UNKNOWN, UNKNOWN], []),
    ("a failing one does not", [UNKNOWN, UNKNOWN, TYPE, UNKNOWN], [(NAME, None, 3, 0, 3)]),
]  # fmt: skip


@pytest.mark.parametrize(("outcomes", "alerts"), [row[1:] for row in STREAKS], ids=[row[0] for row in STREAKS])
def test_streaks(outcomes, alerts):
    assert told(outcomes) == alerts


def test_how_many_is_the_callers_choice():
    assert told([TYPE, VALID, TYPE], after=1) == [(SCHEMA, "forecast", 1, 0, 0), (SCHEMA, "forecast", 1, 2, 2)]
    assert told([TYPE] * 4, after=5) == []


def test_what_runs_is_seen():
    streaks = Streaks(3)
    for one in (TYPE, TYPE, UNKNOWN, CUT):
        streaks.see(one, BEGIN)
    assert streaks.running() == {("forecast", SCHEMA): 2, ("", NAME): 1, ("forecast", JSON): 1}
    streaks.see(VALID, BEGIN)
    assert streaks.running() == {}


def test_each_class_says_what_to_look_at():
    assert "the tool's definition" in action_of(TYPE)
    assert "the model and the server" in action_of(NO_JSON)
    assert "the configuration" in action_of(UNKNOWN)
    assert "output limit" in action_of(CUT)
    assert len({action_of(one) for one in (TYPE, NO_JSON, UNKNOWN, CUT)} | set(_BY_REASON.values())) == 3 + len(
        _BY_REASON
    )


def test_an_alert_is_plain_data():
    alert = Alert(kind=SCHEMA, tool="forecast", count=3, first=BEGIN, action="look")
    assert alert.to_dict() == {
        "kind": "schema_error", "tool": "forecast", "count": 3, "first": "2026-03-01 00:00:00+00:00", "action": "look",
    }  # fmt: skip
