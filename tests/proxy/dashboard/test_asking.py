"""Query strings: what is asked of the journal, or what is wrong with it."""

from __future__ import annotations

import pytest

from argwright.proxy.dashboard.asking import step, wanted, whole
from argwright.proxy.journal import Filter
from argwright.proxy.repair import BadRequestError


def test_a_query_names_calls():
    assert wanted({}, 100_000.0) == Filter(since=13_600.0)
    asked = {"hours": "1", "tool": "search", "rule": "x", "status": "refused", "unknown": "y", "model": ""}
    assert wanted(asked, 3_600.0) == Filter(since=0.0, tool="search", rule="x", status="refused")


@pytest.mark.parametrize("text", ["0", "-1", "1.5", "", "x", "１", "99999999999999999999", "1 "])
def test_what_is_no_number_is_told(text):
    with pytest.raises(BadRequestError, match="a whole number from 1 to 8784 was expected"):
        wanted({"hours": text}, 0.0)
    assert whole({}, "limit", 25, 100) == 25


def test_a_picture_has_about_a_hundred_bars():
    for hours in (1, 24, 168, 720, 8784):
        assert 60 <= hours * 3600 / step(hours) <= 366
