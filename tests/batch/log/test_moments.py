"""Times as logs have them."""

from __future__ import annotations

import datetime as dt

import pytest

from argwright.batch.log import moments


@pytest.mark.parametrize(("value", "seconds"), [
    (1_700_000_000, 1_700_000_000.0),
    (1_700_000_000.25, 1_700_000_000.25),
    (1_700_000_000_000, 1_700_000_000.0),
    (1_700_000_000_000_000, 1_700_000_000.0),
    (1_700_000_000_000_000_000, 1_700_000_000.0),
    ("2023-11-14T22:13:20Z", 1_700_000_000.0),
    ("2023-11-14 22:13:20", 1_700_000_000.0),
    ("2023-11-14T23:13:20+01:00", 1_700_000_000.0),
    (dt.datetime(2023, 11, 14, 22, 13, 20, tzinfo=dt.UTC), 1_700_000_000.0),
    (dt.date(2023, 11, 14), 1_699_920_000.0),
    ("yesterday", None), ("99999999", None), (True, None), (None, None), (-5, None), (0, None), (10**400, None), ([], None),
])  # fmt: skip
def test_times(value, seconds):
    assert moments.seconds(value) == seconds


@pytest.mark.parametrize(("record", "seconds"), [
    ({"at": 5, "timestamp": 6}, 5.0),
    ({"at": None, "timestamp": 6}, 6.0),
    ({"at": "yesterday", "created": 7}, 7.0),
    ({"startTime": "2023-11-14T22:13:20Z"}, 1_700_000_000.0),
    ({"when": 5}, None),
])  # fmt: skip
def test_the_first_member_that_is_a_time(record, seconds):
    assert moments.time_of(record) == seconds
