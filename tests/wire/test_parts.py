"""Parts that go back in their order: kept only where they say more than the turn's own fields."""

from __future__ import annotations

from typing import Any

import pytest

from argwright.model import ToolCall, Turn
from argwright.wire.names import ANY
from argwright.wire.parts import CALL, UNUSUAL, Part, Parts
from argwright.wire.writing import reply

MARK: Part = {"call": True}


def continues(last: Part, part: Part) -> bool:
    return set(last) == set(part) == {"text"}


def rank(part: Part) -> int:
    return CALL if part == MARK else {"thought": 0, "text": 1}.get(next(iter(part)), UNUSUAL)


PARTS = Parts(key="list", mark=MARK, tidy=lambda part: part or None, rank=rank, continues=continues)


def text(said: str) -> Part:
    return {"text": said}


SETTLED = [
    ("nothing", [], None),
    ("the usual order", [{"thought": "a"}, text("b"), MARK, MARK], None),
    ("texts that become one", [text("漢"), text("字 🀄"), MARK], None),
    ("parts that say nothing", [{}, text("a"), {}, text("b"), {}], None),
    ("a text after a call", [text("a"), MARK, text("b"), text("c")], [text("a"), MARK, text("bc")]),
    ("two thoughts", [{"thought": "a"}, {"thought": "b"}], [{"thought": "a"}, {"thought": "b"}]),
    ("a thought after the text", [text("a"), {"thought": "b"}], [text("a"), {"thought": "b"}]),
    ("an unknown part", [text("a"), {"image": 1}], [text("a"), {"image": 1}]),
]


@pytest.mark.parametrize(("given", "kept"), [row[1:] for row in SETTLED], ids=[row[0] for row in SETTLED])
def test_settled(given, kept):
    turn = PARTS.settle(Turn(extra={"list": given, "other": 1}))
    assert turn.extra == {"other": 1} | ({} if kept is None else {"list": kept})
    assert PARTS.settle(turn) == turn


def written(extra: dict[str, Any], *names: str) -> list[Part]:
    turn = Turn(tuple(ToolCall(name, name, {}) for name in names), extra=extra)
    ready = reply(turn, None, (), names=ANY, ids=ANY)
    return PARTS.written(turn, [text("usual")], ready.answers, lambda answer: {"name": answer.name})


def test_calls_stand_where_they_stood_and_others_at_the_end():
    kept = {"list": [MARK, text("a"), MARK]}
    assert written(kept, "x", "y") == [{"name": "x"}, text("a"), {"name": "y"}]
    assert written(kept, "x", "y", "z") == [{"name": "x"}, text("a"), {"name": "y"}, {"name": "z"}]
    assert written(kept, "x") == [{"name": "x"}, text("a")]
    assert written(kept) == [text("a")]


def test_without_a_list_of_ours_the_usual_parts_are_made():
    assert written({}, "x") == [text("usual"), {"name": "x"}]
    assert written({"list": "of somebody else"}, "x") == [text("usual"), {"name": "x"}]
