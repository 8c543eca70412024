from __future__ import annotations

import json
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from argwright.batch.log import figures
from argwright.batch.log.examples import Example
from argwright.batch.log.figures import OTHER, Bad, Figures, Group, Hint, Named

EXAMPLE = Example(
    tool="f", model="m", status="mended", cause="fence", weight=2, where=("上海.jsonl", 3), text="{'a': 1}", effective='{"a":1}',
    repairs=({"rule": "fence", "certainty": "EXACT", "pointer": "", "span": [0, 3], "before": "'", "after": '"', "count": 1},),
    issues=(("/a", "missing"),), position=4,
)  # fmt: skip


def made():
    total = Figures(lines=3, examples=[EXAMPLE])
    total.count({Group("f", "m", "valid", "", ""): 5, Group("f", "m", "refused", "json_error", "empty"): 1})
    total.rules["f", "fence"] = 2
    total.count_hours({(480_000, "valid"): 6})
    total.hint({Hint("field", "f", "", "q", "query"): 3})
    total.broken(Bad("a\u2028b", 7, "no JSON"))
    return total


def test_figures_survive_as_json():
    total = made()
    told = json.loads(json.dumps(total.to_dict()))
    assert Figures.from_dict(told).to_dict() == total.to_dict()
    assert Figures.from_dict(told) == total


def test_counts():
    total = made()
    assert (total.calls, total.bad, dict(total.by("status"))) == (6, 1, {("valid",): 5, ("refused",): 1})


def test_merging_adds():
    total = made()
    total.merge(made())
    assert (total.calls, total.lines, total.bad, len(total.named), len(total.examples)) == (12, 6, 2, 2, 1)
    assert total.hints[Hint("field", "f", "", "q", "query")] == 6


NAMES = st.sampled_from(["a", "b", "c", "d", "e"])
COUNTS = st.dictionaries(st.builds(Group, NAMES, NAMES, st.just("valid"), st.just(""), st.just("")), st.integers(1, 5))


@given(st.lists(COUNTS, max_size=4))
def test_past_the_limit_no_call_is_lost(parts):
    total = Figures()
    limit, figures.MAX_PAIRS = figures.MAX_PAIRS, 6
    try:
        for part in parts:
            total.count(part)
    finally:
        figures.MAX_PAIRS = limit
    assert total.calls == sum(sum(part.values()) for part in parts)
    assert len([group for group in total.groups if group.tool != OTHER]) <= 6
    for place, counter in enumerate((total.tools, total.models)):
        assert {key.name: number for key, number in counter.items()} == dict(
            sum((Counter({group[place]: number}) for part in parts for group, number in part.items()), Counter())
        )


def test_names_that_nobody_declared_crowd_out_no_tool(monkeypatch):
    monkeypatch.setattr(figures, "MAX_GROUPS", 3)
    total = Figures()
    total.count({Group(f"n{number}", "m", "refused", "unknown_tool", "unknown"): 9 for number in range(50)})
    total.count({Group("写", "m", "valid", "", ""): 2})
    assert total.tools == {Named(OTHER, "refused", "unknown_tool"): 450, Named("写", "valid", ""): 2}


def test_only_the_first_bad_lines_are_named():
    total = Figures()
    for number in range(250):
        total.broken(Bad("f", number, "x"))
    assert (total.bad, len(total.named)) == (250, figures.MAX_BAD)


def test_no_time_is_lost_of_a_log_of_years():
    """Ten years by the hour, in any order: days are counted, and every call."""
    whole, turned, parts = Figures(), Figures(), []
    for start in range(0, 24 * 3_652, 5_000):
        part = Figures()
        part.count_hours({(hour, status): 2 for hour in range(start, start + 5_000) for status in ("valid", "refused")})
        parts.append(part)
    for part in parts:
        whole.merge(part)
    for part in reversed(parts):
        turned.merge(Figures.from_dict(part.to_dict()))
    assert whole.hours == turned.hours
    assert whole.grain == turned.grain == 24
    assert whole.hours.total() == 4 * 5_000 * len(parts)
    assert {hour % 24 for hour, _ in whole.hours} == {0}
    assert Figures.from_dict(whole.to_dict()) == whole


def test_times_of_all_ages_stay_few():
    figures = Figures()
    figures.count_hours({(hour, "valid"): 1 for hour in range(0, 26_000_000, 650)})
    assert figures.hours.total() == 40_000
    assert len(figures.hours) < 20_000
