"""A missing sign is put in only where the text leaves the gap that it leaves elsewhere."""

from __future__ import annotations

import pytest

from argwright.decode import Decoded, Undecodable, decode
from argwright.shape import Shape

SHAPE = Shape({
    "type": "object",
    "properties": {"城市": {"type": "string"}, "n": {"type": "integer"}, "x": {"type": "number"}, "note": {"type": "string"}},
})  # fmt: skip

TORN = [
    ('{"城市": "上海", "n"929}', 16, "more than a colon"),
    ('{"城市": "上海 🚚", "note":st floor"}', 22, "more than a quote"),
    ('{"城市": "上海", "x":.55}', 17, "more than a zero"),
    ('{"n": 1, "o": {}"城市": "上海"}', 16, "more than a comma"),
    ('{\n  "tags": [\n    10,\n    5 30\n  ]\n}', 28, "more than a comma"),
    ('{"n": 1, "tags": ["a","城市": "上海"}', 22, "more than a closing bracket"),
    ('{\n  "n": 10000 "城市": "上海"\n}', 15, "more than a comma"),
    ('{\n  "城市": "上海",\n  "n": 1  "x": 2\n}', 26, "more than a comma"),
    ('{\r\n  "n": 10000 "城市": "القاهرة"\r\n}', 16, "more than a comma"),
]


@pytest.mark.parametrize(("text", "position", "message"), TORN)
def test_a_gap_that_is_too_narrow_is_a_lost_piece(text, position, message):
    read = decode(text, shape=SHAPE)
    assert isinstance(read, Undecodable)
    assert (read.reason, read.position) == ("ambiguous", position)
    assert read.message.startswith(message)


@pytest.mark.parametrize(
    ("text", "rules", "value"),
    [
        ('{"城市": "上海", "n" 929}', ["missing-colon"], {"城市": "上海", "n": 929}),
        ('{"城市":"上海","n"929}', ["missing-colon"], {"城市": "上海", "n": 929}),
        ('{"n"929}', ["missing-colon"], {"n": 929}),
        ('{"n": 1, "note": first floor"}', ["missing-quote"], {"n": 1, "note": "first floor"}),
        ('{"n":1,"note":first floor"}', ["missing-quote"], {"n": 1, "note": "first floor"}),
        ('{"城市": "上海", "x": .55}', ["number-form"], {"城市": "上海", "x": 0.55}),
        ('{"x":.55,"n":1}', ["number-form"], {"x": 0.55, "n": 1}),
        ('{"n": 1, "x": 2 "城市": "上海"}', ["missing-comma"], {"n": 1, "x": 2, "城市": "上海"}),
        ('{"n":1,"o":{}"城市":"上海"}', ["missing-comma"], {"n": 1, "o": {}, "城市": "上海"}),
        ('{\n  "n": 1\n  "城市": "上海"\n}', ["missing-comma"], {"n": 1, "城市": "上海"}),
        ('{\n  "n": 1,\n  "o": {"a": 1 "b": 2}\n}', ["missing-comma"], {"n": 1, "o": {"a": 1, "b": 2}}),
        ('{"n": 1\n "x": 2, "城市": "上海"}', ["missing-comma"], {"n": 1, "x": 2, "城市": "上海"}),
        ('{"n": 1, "tags": ["a", "城市": "上海"}', ["missing-closer"], {"n": 1, "tags": ["a"], "城市": "上海"}),
        ('{"n":1,"tags":["a","城市":"上海"}', ["missing-closer"], {"n": 1, "tags": ["a"], "城市": "上海"}),
        ('{"tags": [10, 5 30]}', ["missing-comma"], {"tags": [10, 5, 30]}),
        ('{\n  "tags": [10, 5 30]\n}', ["missing-comma"], {"tags": [10, 5, 30]}),
        ('{\n  "tags": [\n    10\n    30\n  ]\n}', ["missing-comma"], {"tags": [10, 30]}),
        ('{"n": 1 /* one */ "x": 2}', ["comment", "missing-comma"], {"n": 1, "x": 2}),
    ],
)  # fmt: skip
def test_a_gap_as_wide_as_elsewhere_is_a_sign_forgotten(text, rules, value):
    read = decode(text, shape=SHAPE)
    assert isinstance(read, Decoded), read
    assert (sorted(repair.rule for repair in read.repairs), read.value) == (sorted(rules), value)
