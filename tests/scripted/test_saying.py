from __future__ import annotations

import pytest

from argwright.model import Finish, ToolCall, Turn
from argwright.scripted import FORMS, Cut, body, events, said

CALLED, STOPPED, LENGTH = Finish(None, "tool_calls"), Finish(None, "stop"), Finish(None, "length", truncated=True)
CALL = ToolCall("call_7_1", "look_up", {"word": "möwe"})
SAID = [
    ("文字\u2028🐦", Turn((), "文字\u2028🐦", finish=STOPPED)),
    ("", Turn(finish=STOPPED)),
    (("look_up", {"word": "möwe"}), Turn((CALL,), finish=CALLED)),
    (("look_up", "{word: "), Turn((ToolCall("call_7_1", "look_up", "{word: "),), finish=CALLED)),
    (
        ["gleich", ("look_up", {"word": "möwe"}), ("stock", "")],
        Turn((CALL, ToolCall("call_7_2", "stock", "")), "gleich", finish=CALLED),
    ),
    ([], Turn(finish=STOPPED)),
    (Cut(("look_up", {"word": "möwe"})), Turn((CALL,), finish=LENGTH)),
    (Cut("und dann"), Turn((), "und dann", finish=LENGTH)),
    (Turn((CALL,), reasoning="hm"), Turn((CALL,), reasoning="hm")),
]


@pytest.mark.parametrize(("data", "turn"), SAID, ids=[*map(str, range(len(SAID)))])
def test_data_as_a_turn(data, turn):
    assert said(data, 7) == turn


@pytest.mark.parametrize(
    "data", [None, 3, {"a": 1}, ("look_up",), ("look_up", 3), [3], [("a", "b", "c")], b"x"], ids=repr
)
def test_what_says_nothing(data):
    with pytest.raises(TypeError):
        said(data)


def test_each_format_says_in_its_own_word_that_a_reply_was_cut():
    turn = said(Cut("und"))
    assert body("openai-chat", turn)["choices"][0]["finish_reason"] == "length"
    assert body("anthropic", turn)["stop_reason"] == "max_tokens"
    response = body("openai-responses", turn)
    assert (response["status"], response["incomplete_details"]) == ("incomplete", {"reason": "max_output_tokens"})
    assert [list(events(form, turn))[-1][0] for form in FORMS] == [None, "response.incomplete", "message_stop"]
