from __future__ import annotations

from collections import Counter

import pyarrow as pa

from argwright.batch.log.counting import Called, Odd, count
from argwright.batch.log.figures import Figures, Group
from argwright.batch.verdict import VALID, Verdict

HOUR = 3_600_000
MENDED = Verdict("mended", rules=("trailing-comma",))
REFUSED = Verdict("refused", "json_error", "truncated")
LONG = "工具🙂" * 40


def called(*rows):
    names, models, times = ([row[column] for row in rows] for column in range(3))
    return Called(
        pa.array(names, pa.string()), pa.array(models, pa.string()), pa.array(times, pa.timestamp("ms", tz="UTC"))
    )


def counted(rows, odd=None):
    figures = Figures()
    count(figures, called(*rows), odd or {})
    return figures.groups, figures.hours


def test_valid_calls_are_counted_by_tool_model_and_hour():
    rows = [("f", "m", 0), ("f", "m", HOUR - 1), ("g", "m", HOUR), ("f", "上海", 3 * HOUR + 7)]
    assert counted(rows) == (
        Counter({Group("f", "m", VALID, "", ""): 2, Group("g", "m", VALID, "", ""): 1,
                 Group("f", "上海", VALID, "", ""): 1}),
        Counter({(0, VALID): 2, (1, VALID): 1, (3, VALID): 1}),
    )  # fmt: skip


def test_what_is_not_there_is_counted_as_such_and_has_no_hour():
    rows = [(None, None, None), ("", "", None), (LONG, None, 5)]
    assert counted(rows) == (
        Counter({Group("(none)", "", VALID, "", ""): 2, Group(LONG[:79] + "…", "", VALID, "", ""): 1}),
        Counter({(0, VALID): 1}),
    )


def test_odd_calls_are_counted_as_what_they_are_under_the_name_of_their_tool():
    rows = [("f", "m", 0), ("F", "m", 0), ("f", None, None), ("f", "m", HOUR)]
    odd = {1: Odd("f", MENDED), 2: Odd(None, REFUSED), 3: Odd("f", Verdict(VALID))}
    assert counted(rows, odd) == (
        Counter({Group("f", "m", VALID, "", ""): 2, Group("f", "m", "mended", "", ""): 1,
                 Group("f", "", "refused", "json_error", "truncated"): 1}),
        Counter({(0, VALID): 1, (0, "mended"): 1, (1, VALID): 1}),
    )  # fmt: skip


def test_no_calls():
    assert counted([]) == (Counter(), Counter())
