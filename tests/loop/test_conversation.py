from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

import argwright as aw
from tests.loop.playbook import Held, call, hold, turn

FORMS = ("openai-chat", "openai-responses", "anthropic")
LIMITS = {"openai-chat": "max_completion_tokens", "openai-responses": "max_output_tokens", "anthropic": "max_tokens"}


class Report(BaseModel):
    reply: str
    confidence: float = 1.0


@aw.tool
def look_up(word: str) -> str:
    """Look up."""
    return word[::-1]


@aw.tool(annotations={"readOnlyHint": False, "destructiveHint": False, "idempotentHint": False})
def notify(who: str) -> str:
    """Notify somebody."""
    return f"told {who}"


@aw.tool
def broken(word: str) -> str:
    """Look up, and fail."""
    raise RuntimeError(word)


TOOLS = [look_up, notify, broken]
WORD = '{"word": "möwe"}'
BAD = '{"word": 7}'
GOOD = '{"reply": "ja"}'


def held(turns: Sequence[Any], **options: Any) -> Held:
    return hold(turns, tools=TOOLS, **options)


def submit(number: int | None = 9, arguments: Any = GOOD) -> aw.ToolCall:
    return call(number, arguments, "final_answer")


# --- budgets


FAULTS = {
    "json_error": lambda number: call(number, "no JSON at all"),
    "schema_error": lambda number: call(number, BAD),
    "unknown_tool": lambda number: call(number, "{}", f"name_{number}"),
    "truncated": lambda number: call(number, '{"word": "mö'),
    "final": lambda number: submit(number, "{}"),
}


@pytest.mark.parametrize("cause", FAULTS)
@pytest.mark.parametrize("allowed", [0, 1, 2, 5])
def test_a_model_that_never_learns_makes_two_requests_more_than_its_budget(cause, allowed):
    final = aw.FinalTool(Report) if cause == "final" else None
    turns = [turn(FAULTS[cause](number), reason="tool_calls") for number in range(20)]
    done = held(turns, budget=aw.Budget(**{cause: allowed}), final=final)
    assert (done.result.stop, len(done.asked), done.ran) == ("budget", allowed + 2, [])


def test_a_success_in_between_gives_nothing_back():
    turns = [
        turn(call(1, BAD)),
        turn(call(2, '{"word": "a"}')),
        turn(call(3, BAD)),
        turn(call(4, '{"word": "b"}')),
        turn(call(5, BAD)),
        turn(call(6, BAD)),
    ]
    done = held(turns, budget=aw.Budget(schema_error=2))
    assert (done.result.stop, len(done.asked), len(done.ran)) == ("budget", 6, 2)


def test_after_a_spent_budget_the_model_may_answer_in_another_way():
    turns = [turn(call(number, BAD)) for number in range(3)]
    assert held([*turns, turn(text="ohne")]).result.stop == "text"
    done = held([*turns, turn(call(9, '{"who": "a"}', "notify")), turn(call(10, WORD)), turn(text="doch")])
    assert (done.result.stop, done.ran) == ("text", [("notify", {"who": "a"}), ("look_up", {"word": "möwe"})])


def test_each_tool_has_its_own_count():
    turns = [turn(call(n, BAD, name)) for n, name in enumerate(["look_up", "broken"] * 3)]
    assert held([*turns, turn(text="x")]).result.stop == "text"


def test_several_failures_of_one_turn_are_one():
    turns = [turn(call(1, BAD), call(2, BAD), call(3, BAD)) for _ in range(9)]
    done = held(turns)
    assert (done.result.stop, len(done.asked)) == ("budget", 4)
    assert [message["content"].count('"attempts_left":2') for message in done.asked[1].messages[2:]] == [1, 1, 1]


@pytest.mark.parametrize(
    ("own", "requests"),
    [(0, 2), (1, 3), (aw.Budget(schema_error=3), 5), ({"schema_error": 4}, 6), ({"json_error": 9}, 4)],
)
def test_a_tools_own_budget_goes_before(own, requests):
    tool = look_up.replace(budget=own)
    done = hold([turn(call(number, BAD)) for number in range(9)], tools=[tool])
    assert (done.result.stop, len(done.asked)) == ("budget", requests)


def test_the_attempts_left_are_told():
    done = held([turn(call(number, BAD)) for number in range(9)])
    told = [asked.messages[-1]["content"] for asked in done.asked[1:]]
    assert [f'"attempts_left":{left}' in text for left, text in zip([2, 1, 0], told, strict=True)] == [True] * 3
    assert ["do not call look_up again" in text for text in told] == [False, False, True]


def test_tokens_end_a_run():
    usage = {"prompt_tokens": 40, "completion_tokens": 10, "prompt_tokens_details": {"cached_tokens": 5}}
    turns = [turn(call(n, f'{{"word": "{n}"}}'), usage=usage) for n in range(9)]
    done = held(turns, budget=aw.Budget(tokens=100))
    assert (done.result.stop, len(done.asked)) == ("budget", 2)
    assert done.result.usage == {
        "prompt_tokens": 80,
        "completion_tokens": 20,
        "prompt_tokens_details": {"cached_tokens": 10},
        "input_tokens": 80,
        "output_tokens": 20,
        "total_tokens": 100,
    }


# --- what is cut


@pytest.mark.parametrize("form", FORMS)
def test_a_cut_call_is_asked_for_differently(form):
    turns = [turn(call(1, WORD), reason="length"), turn(text="ja")]
    done = held(turns, form=form, request={LIMITS[form]: 100}, budget=aw.Budget(grow_output=1.5))
    assert [asked.request[LIMITS[form]] for asked in done.asked] == [100, 150]
    assert done.asked[0].messages != done.asked[1].messages
    assert "cut off" in done.told()
    assert done.ran == []


def test_a_limit_that_is_passed_on_as_it_is_grows_too():
    request = {"extra_body": {"max_tokens": 5, "top_k": 2}}
    turns = [turn(call(1, WORD), reason="length"), turn(text="ja")]
    assert held(turns, request=request).asked[1].request == {"extra_body": {"max_tokens": 10, "top_k": 2}}


def test_without_a_limit_none_is_made():
    assert held([turn(call(1, WORD), reason="length"), turn(text="ja")]).asked[1].request == {}


def test_a_text_that_was_cut_is_no_answer():
    cut = turn(text='{"reply": "ja"}', reason="length")
    done = held([cut, turn(submit())], final=aw.FinalTool(Report), request={"max_tokens": 8})
    assert (done.result.stop, done.result.output, done.asked[1].request) == (
        "final",
        Report(reply="ja"),
        {"max_tokens": 16},
    )
    assert "cut off" in done.told()
    done = held([cut, cut], final=aw.FinalTool(Report))
    assert (done.result.stop, done.result.output) == ("budget", None)
    assert held([cut, cut]).result.stop == "budget"


def test_the_provider_may_pause():
    done = held([turn(text="Moment", reason="pause"), turn(text="ja")])
    assert (done.result.stop, done.result.text, len(done.asked)) == ("text", "ja", 2)


# --- repeats


def test_a_repeated_call_is_answered_then_ends_the_run():
    done = held([turn(call(number, WORD)) for number in range(9)])
    assert (done.result.stop, len(done.asked), done.ran) == ("repeat", 3, [("look_up", {"word": "möwe"})])
    assert "called before with the same arguments" in done.told()


def test_what_counts_is_what_a_call_effectively_says():
    turns = [turn(call(1, '{"word": "a"}')), turn(call(2, "{'word': 'a',}")), turn(text="ja")]
    assert len(held(turns).ran) == 1


def test_the_same_call_after_another_is_none_repeated():
    turns = [turn(call(1, WORD)), turn(call(2, '{"word": "b"}')), turn(call(3, WORD)), turn(text="ja")]
    assert len(held(turns).ran) == 3


def test_twice_in_one_turn_is_once():
    done = held([turn(call(1, WORD), call(2, WORD)), turn(text="ja")])
    assert (len(done.ran), done.result.stop) == (1, "text")


def test_what_cannot_be_undone_runs_once_in_a_run():
    told = call(None, '{"who": "a"}', "notify")
    turns = [turn(told), turn(call(1, WORD)), turn(told), turn(call(2, '{"word": "b"}')), turn(told), turn(text="ja")]
    done = held(turns)
    assert [name for name, _ in done.ran] == ["notify", "look_up", "look_up"]


def test_a_call_that_failed_may_be_tried_again_a_few_times():
    done = held([turn(call(number, WORD, "broken")) for number in range(9)])
    assert (len(done.ran), done.result.stop) == (3, "repeat")
    reads = look_up.replace(annotations={"readOnlyHint": True})
    assert len(hold([turn(call(number, WORD)) for number in range(9)], tools=[reads]).ran) == 3


# --- the final tool


def test_two_answers_in_one_turn():
    turns = [turn(submit(1, '{"reply": "a"}'), submit(2, '{"reply": "b"}'))]
    for beside, output in (("early", "a"), ("graceful", "a"), ("exhaustive", "b")):
        done = held(turns, final=aw.FinalTool(Report, beside=beside))
        assert (done.result.output, done.result.stop) == (Report(reply=output), "final")


@pytest.mark.parametrize(("beside", "ran"), [("early", 0), ("graceful", 1), ("exhaustive", 1)])
@pytest.mark.parametrize("first", [True, False])
def test_an_answer_beside_a_real_call_is_never_lost(beside, ran, first):
    both = (submit(1), call(2, '{"who": "a"}', "notify"))
    done = held([turn(*(both if first else both[::-1]))], final=aw.FinalTool(Report, beside=beside))
    assert (done.result.output, len(done.ran), len(done.asked)) == (Report(reply="ja"), ran, 1)


def test_a_bad_answer_beside_a_real_call_loses_neither():
    notified = call(1, '{"who": "a"}', "notify")
    turns = [turn(notified, submit(2, "{}")), turn(notified, submit(3))]
    done = held(turns, final=aw.FinalTool(Report))
    assert (done.result.output, len(done.ran), len(done.asked)) == (Report(reply="ja"), 1, 2)


def test_what_is_required_must_have_run_before_and_without_error():
    final = aw.FinalTool(Report, requires=("look_up",))
    together = turn(call(1, WORD), submit(2))
    assert len(held([together, turn(submit(3))], final=final).asked) == 2
    failed = aw.FinalTool(Report, requires=("broken",))
    done = held(
        [turn(call(1, WORD, "broken")), turn(submit(2)), turn(submit(3)), turn(submit(4)), turn(submit(5))],
        final=failed,
    )
    assert (done.result.stop, done.result.output) == ("budget", None)


def test_json_in_the_text_that_fits_is_taken():
    text = 'Hier:\n```json\n{"reply": "ja", "confidence": "0.5",}\n```'
    done = held([turn(text=text)], final=aw.FinalTool(Report))
    assert (done.result.output, done.result.stop) == (Report(reply="ja", confidence=0.5), "final")
    done = held([turn(text="nichts als {} hier"), turn(text="ja")], final=aw.FinalTool({"type": "object"}))
    assert (done.result.output, done.result.stop) == (None, "text")


def test_json_in_the_text_that_does_not_fit_is_told_and_not_taken():
    done = held([turn(text='{"confidence": 1}'), turn(submit())], final=aw.FinalTool(Report))
    assert "/reply" in done.told()
    assert [(one.pointer, one.what) for one in done.result.deviations] == [("/reply", "required")]


def test_json_in_the_text_before_its_time_is_premature():
    final = aw.FinalTool(Report, requires=("look_up",))
    done = held([turn(text=GOOD), turn(call(1, WORD)), turn(text=GOOD)], final=final)
    assert (done.result.stop, done.result.output, len(done.asked)) == ("final", Report(reply="ja"), 3)
    assert "call look_up first" in done.told(1)


FALLBACK = aw.Fallback(field="reply", fixed={"confidence": 0.3}, text="entschuldigt")


@pytest.mark.parametrize(
    ("on_text", "texts", "output"),
    [
        (FALLBACK, ["a", "b"], Report(reply="b", confidence=0.3)),
        (aw.Fallback(field="reply", reminders=0), ["a"], Report(reply="a")),
        (aw.Fallback(field="reply", reminders=2), ["a", "b", "c"], Report(reply="c")),
        (FALLBACK, ["a", " "], Report(reply="entschuldigt", confidence=0.3)),
        (aw.Fallback(fixed={"reply": "fest"}), ["a", "b"], Report(reply="fest")),
        (aw.Fallback(), ["a", "b"], None),
        (aw.Fallback(field="reply"), ["a", ""], None),
    ],
    ids=range(7),
)
def test_what_becomes_of_plain_text(on_text, texts, output):
    done = held([turn(text=text) for text in texts], final=aw.FinalTool(Report, on_text=on_text))
    assert (done.result.output, done.result.stop, len(done.asked)) == (output, "text", len(texts))


def test_plain_text_may_raise():
    with pytest.raises(aw.NoFinalAnswerError, match="'final_answer' was not called") as raised:
        held([turn(text="a"), turn(text="b")], final=aw.FinalTool(Report, on_text="raise"))
    assert (raised.value.result.stop, raised.value.result.text) == ("text", "b")


@pytest.mark.parametrize(("budget", "stop"), [(aw.Budget(steps=2), "steps"), (aw.Budget(schema_error=0), "budget")])
def test_a_fixed_text_answers_when_the_run_ends_without_one(budget, stop):
    turns = [turn(call(number, BAD)) for number in range(9)]
    done = held(turns, final=aw.FinalTool(Report, on_text=FALLBACK), budget=budget)
    assert (done.result.stop, done.result.output) == (stop, Report(reply="entschuldigt", confidence=0.3))
    assert (
        held(turns, final=aw.FinalTool(Report, on_text=aw.Fallback(field="reply")), budget=budget).result.output is None
    )


def test_an_answer_without_a_type_is_a_dict():
    schema = {"type": "object", "properties": {"reply": {"type": "string"}}, "required": ["reply"]}
    done = held([turn(submit())], final=aw.FinalTool(schema))
    assert done.result.output == {"reply": "ja"}


def test_premature_reminded_and_fallback_are_counted_per_model():
    final = aw.FinalTool(Report, requires=("look_up",), on_text=FALLBACK)
    done = held([turn(submit()), turn(text="a"), turn(text="b")], final=final)
    counted = {counter.name: count for counter, count in done.result.counters.items() if counter.model == "m-1"}
    assert counted == {"calls": 1, "premature": 1, "reminded": 1, "fallback": 1}


# --- the request


PROMPTS = [
    ("openai-chat", [], {}, "messages"),
    ("openai-chat", [{"role": "system", "content": "Höflich!"}], {}, "messages"),
    ("openai-chat", [{"role": "developer", "content": [{"type": "text", "text": "Höflich!"}]}], {}, "messages"),
    ("openai-responses", [], {}, "instructions"),
    ("openai-responses", [], {"instructions": "Höflich!"}, "instructions"),
    ("openai-responses", [{"role": "system", "content": "Höflich!"}], {}, "messages"),
    ("anthropic", [], {}, "system"),
    ("anthropic", [], {"system": "Höflich!"}, "system"),
    ("anthropic", [], {"system": [{"type": "text", "text": "Höflich!"}]}, "system"),
]


@pytest.mark.parametrize(("form", "first", "request_", "where"), PROMPTS, ids=range(len(PROMPTS)))
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_where_the_sentence_goes(form, first, request_, where, lang):
    final = aw.FinalTool(Report, lang=lang)
    messages = [*first, {"role": "user", "content": "?"}]
    asked = held([turn(submit())], final=final, form=form, messages=messages, request=request_).asked[0]
    place = asked.messages[0]["content"] if where == "messages" else asked.request[where]
    shown = place if isinstance(place, str) else "\n\n".join(part["text"] for part in place)
    before = "Höflich!\n\n" if first or request_ else ""
    assert shown == before + final.system


def test_a_prompt_that_names_the_tool_stays_as_it_is():
    messages = ({"role": "system", "content": "Rufe final_answer."}, {"role": "user", "content": "?"})
    assert held([turn(submit())], final=aw.FinalTool(Report), messages=messages).asked[0].messages == messages
    silent = aw.FinalTool(Report, instructions="")
    assert held([turn(submit())], final=silent).asked[0].messages == ({"role": "user", "content": "?"},)


def test_the_final_tool_is_forced_on_the_last_step_only_and_only_when_it_may_be_called():
    final = aw.FinalTool(Report, requires=("look_up",))
    budget = aw.Budget(steps=2)
    done = held([turn(call(1, WORD)), turn(submit())], final=final, budget=budget)
    assert [asked.choice is not None for asked in done.asked] == [False, True]
    done = held([turn(call(1, BAD)), turn(submit())], final=final, budget=budget)
    assert [asked.choice for asked in done.asked] == [None, None]


@pytest.mark.parametrize(
    ("service", "request_", "forced"),
    [
        (None, {}, True),
        ("openai", {}, True),
        ("deepseek", {}, False),
        ("deepseek", {"extra_body": {"thinking": {"type": "disabled"}}}, True),
        (None, {"thinking": {"type": "enabled", "budget_tokens": 1024}}, False),
        (None, {"tool_choice": "auto"}, False),
    ],
)
def test_where_a_choice_can_be_forced(service, request_, forced):
    turns = [turn(submit(), extra={"reasoning_content": ""})]
    done = held(turns, final=aw.FinalTool(Report), budget=aw.Budget(steps=1), service=service, request=request_)
    assert (done.asked[0].choice is not None) is forced


def test_a_refused_choice_is_asked_without_it():
    done = held([ValueError("no such choice"), turn(submit())], final=aw.FinalTool(Report), budget=aw.Budget(steps=1))
    assert [asked.choice is not None for asked in done.asked] == [True, False]
    assert (done.result.stop, done.result.steps) == ("final", 1)


def test_an_answer_that_cannot_be_read_deviates_as_a_whole():
    done = held([turn(submit(1, "nothing")), turn(submit(2))], final=aw.FinalTool(Report))
    assert [(one.submission, one.pointer, one.what, one.mended) for one in done.result.deviations] == [
        (0, "", "not_json", False)
    ]


def test_a_reminder_names_what_has_to_come_first():
    final = aw.FinalTool(Report, requires=("look_up",))
    done = held([turn(text="ja"), turn(call(1, WORD)), turn(submit())], final=final)
    assert "call look_up first" in done.told(1)


def test_what_came_too_early_too_often_may_still_be_forced_in_time():
    final = aw.FinalTool(Report, requires=("look_up",))
    turns = [turn(submit(1)), turn(submit(2)), turn(submit(3)), turn(call(4, WORD)), turn(submit(5))]
    done = held(turns, final=final, budget=aw.Budget(steps=5))
    assert (done.result.stop, done.asked[-1].choice is not None) == ("final", True)


def test_a_repr_says_nothing_of_what_was_said():
    turns = [turn(call(1, '{"word": "canary"}'), text="canary"), turn(submit(2, '{"reply": "canary"}'))]
    done = held(turns, final=aw.FinalTool(Report))
    assert done.result.output == Report(reply="canary")
    assert "canary" not in repr(done.result)
    assert "canary" not in repr(done.asked)


def test_a_driver_that_gives_no_turn_is_wrong():
    with pytest.raises(TypeError, match="answered by a Turn, not by str"):
        held(["text"])


def test_cancelled_between_steps():
    done = held([turn(call(1, WORD))])
    assert (done.result.stop, len(done.ran)) == ("cancelled", 1)


# --- what is sent can always be replayed

ARGUMENTS = st.sampled_from(
    [WORD, BAD, "", "{", "null", '{"word": "a"} {"word": "b"}', "{word: '海',}", GOOD, '{"who": "\\ud800"}']
)
NAMES = st.sampled_from(["look_up", "notify", "broken", "final_answer", "nobody", "ä ö", "", None])
IDS = st.sampled_from([None, "", "call_1", "call_1", "x" * 80, "日本", "a b"])
CALLS = st.builds(aw.ToolCall, IDS, NAMES, ARGUMENTS)
REASONS = st.sampled_from(["stop", "tool_calls", "length", "missing", "content_filter"])
TURNS = st.builds(
    lambda calls, text, reason: turn(*calls, text=text, reason=reason),
    st.lists(CALLS, max_size=3),
    st.sampled_from(["", "ja", GOOD, "שלום\u2028🐦"]),
    REASONS,
)


@given(turns=st.lists(TURNS, max_size=6), form=st.sampled_from(FORMS), with_final=st.booleans())
def test_whatever_a_model_says_the_history_can_be_replayed(turns, form, with_final):
    final = aw.FinalTool(Report, requires=("look_up",), on_text=FALLBACK) if with_final else None
    done = held(turns, form=form, final=final)
    assert done.result.stop in {"final", "text", "budget", "steps", "repeat", "cancelled"}
    assert (done.result.output is not None) <= with_final
    assert len({(name, str(arguments)) for name, arguments in done.ran if name == "notify"}) == len(
        [name for name, _ in done.ran if name == "notify"]
    )
