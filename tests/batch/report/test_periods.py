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


def test_a_stray_date_does_not_make_a_thousand_bars():
    _, found = bars({(1, "valid"): 1, (NOON, "refused"): 3})
    assert [bar.total for bar in found] == [1, 3]


def test_nothing():
    assert bars({}) == ("day", [])
