"""The scanner's events: what comes when, what is held back, what is taken back."""

from __future__ import annotations

import pytest

import argwright as aw
from argwright.dialects import (
    CallFound,
    Reading,
    ReasoningText,
    TextSafe,
    TextScanner,
    TextWasReasoning,
    add_up,
    read_text,
    without_echo,
)
from argwright.dialects.reasoning import BLOCKS, CLOSERS
from argwright.errors import UnknownFormatError
from argwright.model import Finish, ToolCall
from tests.dialects.reading import BOX, scan, told

CALL = '<tool_call>{"name": "list_ships", "arguments": {}}</tool_call>'
FOUND = ToolCall(None, "list_ships", "{}", origin="text:hermes")


def test_a_call_comes_as_soon_as_it_is_closed():
    scanner = TextScanner(BOX)
    assert scanner.feed("Sure.\n<tool_") == [TextSafe("Sure.")]
    assert scanner.feed('call>{"name": "list_ships", "argu') == []
    assert scanner.feed('ments": {}}</tool_call') == [CallFound(FOUND)]
    assert scanner.feed(">\nDone.") == [TextSafe("\nDone.")]
    assert scanner.close() == []


def test_each_call_of_an_array_comes_by_itself():
    scanner = TextScanner(BOX)
    (first,) = scanner.feed('[TOOL_CALLS] [{"name": "list_ships", "arguments": {}}, ')
    assert first == CallFound(ToolCall(None, "list_ships", "{}", origin="text:mistral_v3"))
    assert [event.call.name for event in scanner.feed('{"name": "book_table", "arguments": {}}]')] == ["book_table"]


def test_an_answer_in_channels_streams():
    scanner = TextScanner(BOX)
    assert scanner.feed("<|channel|>analysis<|message|>Eas") == []
    assert (
        add_up(scanner.feed("y enough, I think.<|end|><|start|>assistant<|channel|>fi")).reasoning
        == "Easy enough, I think."
    )
    scanner.feed("nal<|message|>It is")
    assert add_up(scanner.feed(" noon, all clocks say so")).text.startswith("It is noon")


@pytest.mark.parametrize(
    "text",
    [
        "plain words, one after the other, " * 20,
        "a < b, <b>bold</b>, <div class='x'>, [link](u), `code`, ~~~, >>> x, ]<] and so on. " * 10,
        "half markers <tool_cal <|tool_calls_sec [TOOL_CAL functoo <｜DSML <thin assistantcomm " * 10,
        "Lines\nof *text*, **Act** and # heads\nand Action plans\n" * 10,
        "汉字、emoji 🛥️, שלום\u2028and more; " * 20,
    ],
)
def test_plain_text_is_held_back_for_no_more_than_a_marker(text):
    scanner = TextScanner(BOX)
    shown = 0
    for fed, character in enumerate(text, start=1):
        shown += sum(len(event.text) for event in scanner.feed(character))
        assert fed - shown <= 80, text[shown:fed]
    assert add_up([TextSafe("x" * shown), *scanner.close()]).text == "x" * shown + text[shown:]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("今天天气非常好", "今天天气非常好"),
        ("Sure", "Sure"),
        ("مرحبا", "مرحبا"),
        ("bo", ""),
        ("box", "box"),
        ("book_table", ""),
        ("book_tables", ""),
        ("functions.bo", ""),
        ("functions.zo", "functions.zo"),
        ("functions.book_table:1", ""),
        ("old_note", ""),
        ("analysisWe", ""),
        ("call", ""),
        ("called", "called"),
        ("t", ""),
        ("together", "together"),
    ],
)
def test_a_first_word_is_held_only_while_it_may_become_one_that_begins_a_call(text, shown):
    note = aw.Tool.from_schema("save_note", {"type": "object"}, name_aliases=["old_note"])
    scanner = TextScanner(aw.Toolbox([BOX["book_table"], note]))
    assert add_up([event for character in text for event in scanner.feed(character)]).text == shown


def test_the_first_word_is_held_by_tools_that_do_not_tell_all_their_names():
    class Names:
        names = BOX.names
        get = BOX.get

    scanner = TextScanner(Names())
    assert not scanner.feed("Sure")
    assert add_up(scanner.feed(", yes")).text == "Sure, yes"


@pytest.mark.parametrize(
    ("beginning", "rest"),
    [
        ('{"age": 3, ', '"name": "x"}'),
        ("[1, ", "2]"),
        ("[link](", "u)"),
        ('```json\n{"age": 3', "}\n```\n"),
        ("Action: walk", "\nthe dog"),
        ("Write <tool_call> ", "and then JSON"),
        ("book_table is ", "a tool"),
    ],
)
def test_what_cannot_be_a_call_any_more_is_released(beginning, rest):
    scanner = TextScanner(BOX)
    early = add_up(scanner.feed(beginning)).text
    assert len(beginning) - len(early) <= 20
    assert early + add_up([*scanner.feed(rest), *scanner.close()]).text == beginning + rest


def test_reasoning_whose_opener_stood_in_the_prompt_takes_back_what_was_reported():
    scanner = TextScanner(BOX)
    events = [*scanner.feed(f"I could write\n{CALL}\nbut "), *scanner.feed("no.\n</think>\n\nIt is noon.")]
    assert CallFound(FOUND) in events
    assert TextWasReasoning(f"I could write\n{CALL}\nbut no.") in events
    assert add_up([*events, *scanner.close()]) == Reading((), "It is noon.", f"I could write\n{CALL}\nbut no.")


def test_reasoning_in_several_blocks():
    reading = scan(["<think>one</think>A.\n<think>two</think>", CALL])
    assert reading == Reading((FOUND,), "A.", "one\ntwo")


def test_calls_in_reasoning_are_taken_only_if_asked_for():
    xml = "<tool_call>\n<function=list_ships>\n</function>\n</tool_call>"
    for text in (f"<think>So:\n{xml}\n</think>", f"<think>So:\n{xml}"):
        assert told(scan([text])) == []
        assert told(scan([text], reasoning=True)) == [{"name": "list_ships", "arguments": {}}]
    assert told(scan([f"<think>So:\n{xml}\nor not</think>"], reasoning=True)) == []
    assert told(scan([f"<think>So:\n{xml}\n</think>\nNo."], reasoning=True)) == []


@pytest.mark.parametrize("reasoning", [False, True])
@pytest.mark.parametrize("opener", BLOCKS)
def test_a_block_ends_at_its_closer_however_it_arrives(opener, reasoning):
    block = f"{opener}Both < 汉字, or <b>?{BLOCKS[opener]}"
    for behind, text, calls in ((f"\n{CALL}", "", (FOUND,)), ("It is noon.", "It is noon.", ()), ("", "", ())):
        for pieces in ([block + behind], block + behind):
            reading = scan(pieces, reasoning=reasoning)
            assert reading == Reading(calls, text, "Both < 汉字, or <b>?"), pieces


@pytest.mark.parametrize("closer", [*sorted(CLOSERS - {"<|close|>"}), "<|close|>think<|sep|>"])
def test_calls_may_end_reasoning_that_the_prompt_opened(closer):
    for text, calls, thought in [
        (f"So:\n{CALL}\n{closer}", 1, "So:"),
        (f"Both. {CALL}\n{CALL}\n{closer}\n<|im_end|>", 2, "Both."),
        (f"{CALL}\n{closer}", 1, ""),
        (f"First {CALL}\nor this\n{CALL}\n{closer}", 1, f"First {CALL}\nor this"),
        (f"Hm.\n{CALL}\nor not.\n{closer}", 0, f"Hm.\n{CALL}\nor not."),
        (f"Hm.\n{CALL}\n{closer}\nNo.", 0, f"Hm.\n{CALL}"),
    ]:
        whole = scan([text], reasoning=True)
        assert whole == Reading((FOUND,) * calls, "No." if text.endswith("No.") else "", thought), text
        assert scan(text, reasoning=True) == whole
        assert scan([text]).calls == ()


KIMI = '<|open|>tools<|sep|><|open|>call tool="list_ships" index="1"<|sep|><|close|>call<|sep|><|close|>tools<|sep|>'
MARKED = [
    "[TOOL_CALLS]list_ships[ARGS]{}",
    '[TOOL_CALLS] [{"name": "list_ships", "arguments": {}}]',
    '[TOOL_REQUEST]{"name": "list_ships", "arguments": {}}[END_TOOL_REQUEST]',
    'functools[{"name": "list_ships", "arguments": {}}]',
    "<|tool_call>call:list_ships{}<tool_call|>",
    CALL,
    KIMI,
]


@pytest.mark.parametrize("call", MARKED, ids=[call[:16] for call in MARKED])
@pytest.mark.parametrize(
    ("opener", "closer"), [*BLOCKS.items(), ("<|open|>think<|sep|>", "<|close|>think<|sep|>")], ids=lambda sign: sign
)
def test_calls_of_any_dialect_that_marks_them_may_end_any_block(opener, closer, call):
    for text, calls in [
        (f"{opener}So:\n{call}\n{closer}", 1),
        (f"{opener}So:\n{call}{call}{closer}\n", 2),
        (f"{opener}So:\n{call}", 1),
        (f"{opener}So:\n{call} or not{closer}", 0),
        (f"{opener}So:\n{call}{closer}No.", 0),
    ]:
        whole = scan([text], reasoning=True)
        assert told(whole) == [{"name": "list_ships", "arguments": {}}] * calls, text
        assert whole.text == ("No." if text.endswith("No.") else "")
        assert whole.reasoning == ("So:" if calls else text.removesuffix("No.")[len(opener) : -len(closer)])
        assert scan(text, reasoning=True) == whole
        assert call is CALL or scan([text]).calls == ()  # in Hermes' notation they are Trinity's


def test_white_space_around_calls_goes_with_them():
    assert scan([f"A.\n\n{CALL}\n\n\n{CALL}\n"]).text == "A."
    assert scan([f"A.\n{CALL}\n\nB."]).text == "A.\n\nB."
    assert scan([f"\n {CALL} B. \n"]).text == "B. \n"
    assert scan(["  A.\n\n", "  B.\n "]).text == "  A.\n\n  B.\n "


def test_no_tools_no_dialects_no_reading():
    for scanner in (TextScanner(None), TextScanner(BOX, dialects=())):
        assert scanner.feed(CALL) == [TextSafe(CALL)]
        assert scanner.feed("") == []
        assert scanner.close() == []


def test_only_the_dialects_asked_for():
    both = f"{CALL}[TOOL_CALLS]list_ships[ARGS]{{}}"
    assert len(scan([both]).calls) == 2
    assert scan([both], dialects=("hermes",)).text == "[TOOL_CALLS]list_ships[ARGS]{}"
    assert [call.origin for call in scan([both], dialects=("mistral_v11", "react")).calls] == ["text:mistral_v11"]


def test_a_dialect_that_does_not_exist():
    with pytest.raises(UnknownFormatError, match=r"no dialect is named 'hermos'; there are apertus, .*, xml_agent"):
        TextScanner(BOX, dialects=("hermes", "hermos"))
    with pytest.raises(UnknownFormatError):
        read_text("", BOX, dialect="klingon")


def test_the_end_of_the_reply_may_close_what_nothing_else_closes():
    text = "Action: search_archive\nAction Input: ferry to Åland"
    assert told(scan([text])) == [{"name": "search_archive", "refused": "json_error/truncated"}]
    assert told(scan([text], finished=True)) == [{"name": "search_archive", "arguments": {"query": "ferry to Åland"}}]


def test_read_text_carries_the_finish_to_the_last_whole_call():
    stop, cut = Finish("stop", "stop"), Finish("length", "length", truncated=True)
    two = CALL * 2
    assert [call.finish_reason for call in read_text(two, BOX).calls] == [None, None]
    assert [call.finish_reason for call in read_text(two, BOX, finish=stop).calls] == [None, "stop"]
    assert read_text(two, BOX, finish=cut).finish == cut
    assert [call.finish_reason for call in read_text(CALL[:40], BOX, finish=stop).calls] == ["incomplete"]


def test_a_reading_is_data():
    reading = scan([CALL])
    assert reading.to_dict()["calls"][0]["origin"] == "text:hermes"
    assert add_up([]) == Reading()
    assert add_up([ReasoningText("a"), TextSafe("b"), TextSafe("c")]) == Reading((), "bc", "a")


def test_without_echo():
    text = f"Sure.\n{CALL}\n[TOOL_CALLS]book_table[ARGS]{{'people': 5}}"
    ships = ToolCall("c1", "list_ships", {})
    table = ToolCall("c2", "functions.book_table", '{"people":5}')
    assert without_echo(text, BOX, (table, ships)) == "Sure."
    assert without_echo(text, BOX, (ships,)) == text
    assert without_echo(f"<think>a</think>{CALL}", BOX, (ships,)) == f"<think>a</think>{CALL}"
    assert without_echo("nothing", BOX, (ships,)) == "nothing"


@pytest.mark.parametrize("unit", ['[TOOL_CALLS][{"a ', '<tool_call>{"a":" ', "<function=nobody> "])
def test_openers_beyond_counting_are_text(unit):
    """Thousands of openers that open nothing are no reply with a call: reading on would cost without end."""
    text = unit * 9_000 + f"</tool_call>\n\n{CALL}"
    scanner = TextScanner(BOX)
    read = add_up([*scanner.feed(text), *scanner.close()])
    assert not read.calls or read.calls[-1].finish_reason is not None
    assert read.text.endswith(CALL)


PASSING = [
    ("words", "Möwen 🐦 am Kai.\n\n", True),
    ("signs that open nothing", "f(x) = [1, 2] {a: b}", True),
    ("right to left", "שלום\u2028", True),
    ("a tag", "a <b>", False),
    ("the beginning of a marker", "so [TOOL_C", False),
    ("a word that may be one", "the act", False),
    ("code", "`", False),
    ("nothing", "", True),
]


@pytest.mark.parametrize(("text", "passes"), [row[1:] for row in PASSING], ids=[row[0] for row in PASSING])
def test_what_passes_is_text_whatever_follows(text, passes):
    scanner = TextScanner(BOX)
    assert not scanner.passes("Well")  # the beginning of a reply is always looked at
    scanner.feed("Well, ")
    assert scanner.passes(text) is passes
    assert scanner.written(0, 100) == "Well, " + (text if passes else "")
    assert scanner.reached == len("Well, " + (text if passes else ""))


@pytest.mark.parametrize(
    "beginning", ["", "Then: ", "```\ncode\n", "<think>\nhm ", "a <tool_", "Action", f"{CALL} so "]
)
@pytest.mark.parametrize(
    "rest", [CALL, "```\n" + CALL, "</think>\n" + CALL, "Action: list_ships\nAction Input: {}", "."]
)
def test_pieces_that_pass_change_nothing_of_what_follows(beginning, rest):
    scanner, events, shown = TextScanner(BOX), [], ""
    pieces = [beginning, "one ", "two\n", "three", "\n\n", rest]
    for piece in filter(None, pieces):
        if scanner.passes(piece):
            shown += piece
        else:
            events += scanner.feed(piece)
    events += scanner.close(finished=True)
    reading, plain = add_up(events), scan(pieces, finished=True)
    shown = "" if any(isinstance(event, TextWasReasoning) for event in events) else shown
    assert reading.calls == plain.calls
    assert sum(map(len, (reading.text + shown).split())) == sum(map(len, plain.text.split()))


def test_text_in_code_and_reasoning_does_not_pass():
    for beginning in ("```\ncode", "<think>\nhm"):
        scanner = TextScanner(BOX)
        scanner.feed(beginning)
        assert not scanner.passes(" and so on")


REACHED = [
    ("text", ["Well, ", "Möwen 🐦", " \n"], [6, 13, 15]),
    ("a call", ["a <", "tool_call>", '{"name": "list_ships", ', '"arguments": {}}', "</tool_call>", " Done"], [2, 2, 2, 2, 2, 69]),
    ("reasoning", ["<think>hm", "</think>", " Ja", ", so"], [7, 17, 19, 24]),
    ("an object that is no call", ["{", '"name"', ": 1}"], [0, 0, 11]),
    ("the name of no tool", ["Action: ", "none\n"], [0, 13]),
]  # fmt: skip


@pytest.mark.parametrize(("pieces", "reached"), [row[1:] for row in REACHED], ids=[row[0] for row in REACHED])
def test_up_to_where_a_text_is_decided(pieces, reached):
    scanner, text, found = TextScanner(BOX), "", []
    for piece in pieces:
        scanner.feed(piece)
        text += piece
        found.append(scanner.reached)
        assert scanner.written(0, len(text)) == text
        assert scanner.written(2, scanner.reached) == text[2 : scanner.reached]
    assert found == reached


def test_without_tools_all_that_came_is_decided():
    scanner = TextScanner(None)
    assert scanner.feed("<tool_call>") == [TextSafe("<tool_call>")]
    assert (scanner.reached, scanner.written(1, 5)) == (11, "tool")
