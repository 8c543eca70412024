"""A long text is read member by member: the same values and refusals, and what was read before a fault is known."""

from __future__ import annotations

import json

import pytest

from argwright.decode import decode, door, strict
from argwright.decode.strict import Stop
from benchmarks.accuracy import cases
from benchmarks.accuracy.dice import Dice
from benchmarks.accuracy.operators import Subject
from benchmarks.speed import faulty

LONG = "上海 🙂 مرحبا\u2028" * 60
HEAD = f'{{"a": "{LONG}", '
OTHERWISE = {f"k{number}": "x" * 80 for number in range(20)}


@pytest.mark.parametrize(
    "value",
    [
        {"a": LONG, "b": {"c": [1, 2.5, None, {"é": True}]}},
        {"a": LONG},
        OTHERWISE,
        OTHERWISE | {"big": LONG},
        {'"': LONG, "\n": LONG},
        {f"k{number}": number for number in range(300)},
        {"": LONG, " ": 1},
    ],
    ids=["nested", "one", "large ones", "and a larger", "escaped keys", "many", "empty key"],
)
@pytest.mark.parametrize("written", [{}, {"separators": (",", ":")}, {"indent": 2}, {"ensure_ascii": False}])
def test_a_strict_text_has_its_value(value, written):
    text = json.dumps(value, **written)
    for blanks in ("", " ", "\r\n\t"):
        assert strict.load(f"{blanks}{text}{blanks}", 512) == value


STOPS = [
    ('"b": tru}', Stop(5, {"a": LONG})),
    ('"b": 1, }', Stop(8, None)),
    ('"b": [1, {"c": }]}', Stop(15, {"a": LONG})),
    ('"b": "say "x""}', Stop(11, {"a": LONG})),
    ('"b": 1 "c": 2}', Stop(7, {"a": LONG})),
    ('"b": 1, "c" 2}', Stop(12, None)),
    ('"b": 1, c: 2}', Stop(8, None)),
    ('"b": "cut', Stop(5, {"a": LONG})),
    ('"b": 1', Stop(6, {"a": LONG})),
    ('"b": 1} tail', Stop(8, None)),
    ('"\\u0061": }', Stop(10, None)),
    ('"a": 1}', Stop()),
    ('"b": {"c": 1, "c": 2}}', Stop()),
    ('"b": NaN}', Stop()),
]


@pytest.mark.parametrize(("rest", "stop"), STOPS, ids=[rest for rest, _ in STOPS])
def test_where_it_stops_and_what_is_known_by_then(rest, stop):
    with pytest.raises(ValueError) as caught:
        strict.load(HEAD + rest, 512)
    found = strict.stop_of(caught.value)
    assert (found.pos, found.members) == (stop.pos if stop.pos < 0 else len(HEAD) + stop.pos, stop.members)
    assert found.members is None or (HEAD + rest)[found.behind :].lstrip().startswith('"b"')


@pytest.mark.parametrize(
    "operator", [one for one in cases.OPERATORS if one.family != "valid"], ids=lambda one: one.name
)
def test_what_is_known_is_read_as_it_would_be_piece_by_piece(operator, monkeypatch):
    texts = []
    for number in range(6):
        dice = Dice(f"known-{operator.name}-{number}")
        damaged = operator.damage(dice, Subject("f", {"type": "object"}, faulty.record(dice, quotes=number % 2 == 0)))
        if damaged is not None:
            texts.append(damaged.result if isinstance(damaged.result, str) else json.dumps(damaged.result))
    resumed = [decode(text) for text in texts]
    whole = strict.stop_of
    monkeypatch.setattr(door.strict, "stop_of", lambda fault: Stop(whole(fault).pos))
    assert [decode(text) for text in texts] == resumed


def test_what_is_known_is_not_changed_by_reading_on():
    with pytest.raises(ValueError) as caught:
        strict.load(HEAD + "\"b\": 'x', c: 2}", 512)
    stop = strict.stop_of(caught.value)
    for _ in range(2):
        assert decode(HEAD + "\"b\": 'x', c: 2}", stopped=stop).value == {"a": LONG, "b": "x", "c": 2}
