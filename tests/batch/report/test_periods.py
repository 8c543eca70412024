from __future__ import annotations

import pytest

from argwright.batch.report.periods import bars

NOON = 486_000  # hours: 2025-06-11 00:00


@pytest.mark.parametrize(("hours", "unit", "labels"), [
    ([NOON, NOON + 2], "hour", ["2025-06-11 00:00", "2025-06-11 01:00", "2025-06-11 02:00"]),
    ([NOON, NOON + 24 * 4], "day", ["2025-06-11", "2025-06-12", "2025-06-13", "2025-06-14", "2025-06-15"]),
])  # fmt: skip
def test_hours_and_days(hours, unit, labels):
    found_unit, found = bars({(hour, "valid"): 1 for hour in hours})
    assert (found_unit, [bar.label for bar in found]) == (unit, labels)
    assert [bar.total for bar in found] == [1, *[0] * (len(labels) - 2), 1]


def test_weeks_begin_on_monday():
    unit, found = bars({(NOON, "valid"): 2, (NOON + 24 * 400, "refused"): 3})
    assert (unit, found[0].label, sum(bar.total for bar in found)) == ("week", "2025-06-09", 5)
    assert len(found) == 58


@pytest.mark.parametrize(("years", "unit", "first", "last", "count"), [
    (4, "week", "2025-06-09", "2029-06-04", 209),
    (10, "month", "2025-06", "2035-06", 121),
    (40, "year", "2025", "2065", 41),
])  # fmt: skip
def test_years_are_told_whole(years, unit, first, last, count):
    days = range(0, round(365.25 * years), 3)
    found_unit, found = bars({(NOON + 24 * day, "refused"): 2 for day in days})
    assert (found_unit, found[0].label, found[-1].label, len(found)) == (unit, first, last, count)
    assert sum(bar.total for bar in found) == 2 * len(days)


@pytest.mark.parametrize(("stray", "labels"), [
    (1, ["1970", "2025"]), (30_000_000, ["2025", "5392"]), (-10**9, ["0001", "2025"]), (10**9, ["2025", "9999"]),
])  # fmt: skip
def test_a_stray_date_does_not_make_a_thousand_bars(stray, labels):
    unit, found = bars({(stray, "valid"): 1, (NOON, "refused"): 3})
    totals = [1, *[0] * (len(found) - 2), 3] if stray < NOON else [3, *[0] * (len(found) - 2), 1]
    assert (unit, found[0].label, found[-1].label) == ("year", *labels)
    assert [bar.total for bar in found] == totals
    assert len(found) < 60


def test_nothing():
    assert bars({}) == ("day", [])
