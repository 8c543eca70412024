"""What may go out of a call that is not whole, and how it is continued."""

from __future__ import annotations

import json

import pytest

import argwright as aw
from argwright.proxy.exchange.optimistic import Optimist, continuation
from argwright.proxy.exchange.stock import StockCall
from tests.proxy.exchange.playing import SCHEMAS

BOX = aw.Toolbox([aw.Tool.from_schema(name, SCHEMAS[name]) for name in SCHEMAS])

CONTINUED = [
    ("", {"m": 1}, '{"m":1}'), ('{"m":1', {"m": 1}, "}"), ('{"m": 1, "na', {"m": 1, "name": "Möwe"}, 'me": "Möwe"}'),
    ('{"m":1,"crew":["a"', {"m": 1, "crew": ["a"]}, "]}"), ('{"m" : 1', {"m": 1}, "}"), ('{"m":1}', {"m": 1}, ""),
    (" \n\t ", {}, "{}"), (" ", {"m": 1}, '{"m":1}'), ('\n{"m":1', {"m": 1}, "}"),
    ('{"name":"a{[b', {"name": "a{[b"}, '"}'), ('{"name" : "a\\"{"', {"name": 'a"{'}, "}"),
]  # fmt: skip
LOST = [
    ('{"m":"1"', {"m": 1}),
    ('{"m":1,"m":2', {"m": 1}),
    ('{"x":1', {"m": 1}),
    ("{m", {"m": 1}),
    ('{"m":1}', {"m": 2}),
    ("[" * 100_000, {"m": 1}),
]


@pytest.mark.parametrize(("said", "arguments", "rest"), CONTINUED)
def test_continued(said, arguments, rest):
    assert continuation(said, arguments) == rest
    assert json.loads(said + rest) == arguments


@pytest.mark.parametrize(("said", "arguments"), LOST)
def test_what_went_out_cannot_become_it(said, arguments):
    assert continuation(said, arguments) is None


PASSING = [
    ("nothing yet", "book_berth", "", True), ("a beginning", "book_berth", '{"m": 1', True), ("whole", "book_berth", '{"m": 1}', False),
    ("no JSON", "book_berth", "{m", False), ("never valid", "book_berth", '{"side": "aft", ', False), ("undeclared", "sink", "", False),
    ("a name to be mended", "functions.book_berth", "", False), ("not ours", "run_sql", "SELECT", True),
]  # fmt: skip


@pytest.mark.parametrize(("name", "text", "passes"), [row[1:] for row in PASSING], ids=[row[0] for row in PASSING])
def test_passes(name, text, passes):
    optimist, call = Optimist(BOX), StockCall("c1", name, 0, None, free=name == "run_sql")
    for char in text:
        optimist.feed(0, call, char)
    assert optimist.passes(0, call, ends=False) is passes
    assert optimist.passes(0, call, ends=True) is (name == "run_sql")
