from __future__ import annotations

import pytest

from argwright.history.layouts import LAYOUTS
from argwright.history.pairing import pair


def asked(*calls):
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {"id": own, "type": "function", "function": {"name": name, "arguments": "{}"}} for own, name in calls
        ],
    }


def told(own, name=None):
    return {"role": "tool", "tool_call_id": own, "name": name, "content": "x"}


USER = {"role": "user", "content": "hi"}

PAIRED = [
    ("by id", [asked(("a", "f"), ("b", "g")), told("b"), told("a")], {(0, 0): (2, 0), (0, 1): (1, 0)}, {}),
    ("the nearest turn with the id", [asked(("c", "f")), told("c"), asked(("c", "f")), told("c")], {(0, 0): (1, 0), (2, 0): (3, 0)}, {}),
    ("an unanswered call keeps waiting", [asked(("c", "f")), asked(("c", "f")), told("c")], {(1, 0): (2, 0)}, {}),
    ("two calls of one id in order", [asked(("c", "f"), ("c", "g")), told("c"), told("c")], {(0, 0): (1, 0), (0, 1): (2, 0)}, {}),
    ("two calls of one id by name", [asked(("c", "f"), ("c", "g")), told("c", "g"), told("c", "f")], {(0, 0): (2, 0), (0, 1): (1, 0)}, {}),
    ("late", [asked(("a", "f")), USER, USER, told("a")], {(0, 0): (3, 0)}, {}),
    ("early", [told("a"), asked(("a", "f"))], {(1, 0): (0, 0)}, {}),
    ("twice", [asked(("a", "f")), told("a"), told("a")], {(0, 0): (1, 0)}, {(2, 0): "duplicate_result"}),
    ("of nothing", [told("z"), asked(("a", "f")), told("a")], {(1, 0): (2, 0)}, {(0, 0): "orphan_result"}),
    ("another's id is no answer", [asked(("a", "f")), told("z")], {}, {(1, 0): "orphan_result"}),
    ("no id, one call", [asked(("a", "f")), told(None)], {(0, 0): (1, 0)}, {}),
    ("no ids, in order", [asked((None, "f"), (None, "g")), told(None), told("")], {(0, 0): (1, 0), (0, 1): (2, 0)}, {}),
    ("no ids, by name", [asked((None, "f"), (None, "g")), told(None, "g"), told(None, "f")], {(0, 0): (2, 0), (0, 1): (1, 0)}, {}),
    ("no id, which of two?", [asked(("a", "f"), ("b", "g")), told(None)], {}, {(1, 0): "orphan_result"}),
    ("no id, another's name", [asked(("a", "f")), told(None, "g")], {}, {(1, 0): "orphan_result"}),
    ("a turn later", [asked((None, "f")), USER, asked((None, "f")), told(None)], {(2, 0): (3, 0)}, {}),
]  # fmt: skip


@pytest.mark.parametrize(("messages", "answers", "loose"), [pytest.param(*row[1:], id=row[0]) for row in PAIRED])
def test_pairing(messages, answers, loose):
    found = pair(LAYOUTS["openai-chat"].parse(messages))
    assert (found.answers, found.loose) == (answers, loose)


def test_calls_that_the_provider_holds_itself():
    messages = [told("held"), told("other")]
    steps = LAYOUTS["openai-chat"].parse(messages)
    assert pair(steps, known_ids={"held"}).loose == {(0, 0): "outside", (1, 0): "orphan_result"}
    assert pair(steps, outside=True).loose == {(0, 0): "outside", (1, 0): "outside"}


def test_work_grows_with_the_conversation_only():
    turn = asked(*(("call_0", "f") for _ in range(2000)))
    steps = LAYOUTS["openai-chat"].parse([turn, *(told("call_0") for _ in range(2000))])
    assert len(pair(steps).answers) == 2000
