"""A text cut at the edges of its marks: nothing is lost, and every piece says what lies on it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from argwright.proxy.dashboard.marking import MAX_MARKS, Mark, marks, pieces

TEXT = "{'a': '上海 👩‍👩‍👧',}"


def _short(made):
    return [(one["text"], one["on"], one["begins"]) for one in made]


def test_a_text_without_marks_is_one_piece():
    assert _short(pieces("abc", [])) == [("abc", [], [])]
    assert pieces("", []) == []


def test_spans_follow_one_another():
    assert _short(pieces("abcdef", [Mark(1, 1, 2), Mark(2, 4, 6)])) == [
        ("a", [], []),
        ("b", [1], [1]),
        ("cd", [], []),
        ("ef", [2], [2]),
    ]


def test_spans_in_one_another_and_overlapping_ones_are_told_the_narrowest_first():
    made = pieces("abcdef", [Mark(1, 0, 6, wide=True), Mark(2, 2, 3), Mark(3, 2, 5)])
    assert _short(made) == [
        ("ab", [1], [1]),
        ("c", [2, 3, 1], [2, 3]),
        ("de", [3, 1], []),
        ("f", [1], []),
    ]
    assert [one["wide"] for one in made] == [True, False, False, True]


def test_an_empty_span_is_a_point():
    assert pieces("ab", [Mark(1, 0, 0), Mark(2, 1, 1), Mark(0, 2, 2)]) == [
        {"text": "", "on": [1], "begins": [1], "point": True, "wide": False},
        {"text": "a", "on": [], "begins": [], "point": False, "wide": False},
        {"text": "", "on": [2], "begins": [2], "point": True, "wide": False},
        {"text": "b", "on": [], "begins": [], "point": False, "wide": False},
        {"text": "", "on": [0], "begins": [0], "point": True, "wide": False},
    ]
    assert _short(pieces("", [Mark(0, 0, 0)])) == [("", [0], [0])]


def test_repairs_without_a_place_in_the_text_are_not_marked():
    repairs = [{"span": None}, {"span": [3, 2]}, {"span": [5, 99], "count": 3}, {}]
    assert marks("0123456789", repairs) == [Mark(3, 5, 10, wide=True)]
    assert marks("0123456789", [], [], 99) == [Mark(0, 10, 10)]
    assert len(marks("0123456789", [{"span": [0, 1]}] * (MAX_MARKS + 5))) == MAX_MARKS


def test_repairs_of_meaning_and_violations_are_marked_where_they_are_found():
    text = '{"n": "5", "m": 1}'
    assert marks(text, [{"rule": "r", "pointer": "/n", "before": "5"}], [{"pointer": "/m", "keyword": "type"}]) == [
        Mark(1, 6, 9),
        Mark(-1, 16, 17),
    ]


@given(
    st.text(max_size=30),
    st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=6),
)
def test_the_pieces_are_the_text(text, spans):
    repairs = [{"span": sorted(span)} for span in spans]
    found = marks(text, repairs)
    made = pieces(text, found)
    assert "".join(one["text"] for one in made) == text
    for mark in found:
        covered = "".join(one["text"] for one in made if mark.number in one["on"])
        assert covered == text[mark.start : mark.end]
        assert sum(mark.number in one["begins"] for one in made) == 1
