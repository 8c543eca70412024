"""Opaque parts, put together from a stream."""

from __future__ import annotations

from argwright.stream.parts import Parts
from argwright.wire.deltas import PartDelta


def together(*deltas: PartDelta, arguments: tuple[tuple[int, str], ...] = ()):
    parts = Parts()
    for delta in deltas:
        parts.take(delta)
    taken = [parts.take_arguments(index, piece) for index, piece in arguments]
    return parts.value(), taken


def test_members_are_set_or_lengthened_as_they_are_told():
    value, _ = together(
        PartDelta("c", 0, put={"type": "thinking", "thinking": "a", "signature": ""}),
        PartDelta("c", 0, append={"thinking": "b"}),
        PartDelta("c", 1, put={"type": "text", "citations": [1]}),
        PartDelta("c", 0, append={"thinking": "c", "signature": "c2ln"}),
        PartDelta("c", 1, append={"citations": [2, 3]}),
        PartDelta("c", 1, put={"type": "words"}),
    )
    assert value == {
        "c": [{"type": "thinking", "thinking": "abc", "signature": "c2ln"}, {"type": "words", "citations": [1, 2, 3]}]
    }


def test_a_part_without_an_index_is_a_new_one():
    value, _ = together(PartDelta("c", put={"a": 1}), PartDelta("c", put={"a": 1}), PartDelta("d", put={"b": 2}))
    assert value == {"c": [{"a": 1}, {"a": 1}], "d": [{"b": 2}]}


def test_the_arguments_of_a_providers_own_call():
    value, taken = together(
        PartDelta("c", 0, put={"input": {}}, arguments="input"),
        PartDelta("c", 1, put={"input": {}}, arguments="input"),
        PartDelta("c", 2, put={"type": "text"}),
        arguments=((0, '{"a"'), (0, ": 1}"), (1, '{"a": '), (2, "{"), (7, "{")),
    )
    assert value == {"c": [{"input": {"a": 1}}, {"input": {}}, {"type": "text"}]}
    assert taken == [True, True, True, False, False]


def test_the_size_is_known():
    parts = Parts()
    parts.take(PartDelta("c", 0, append={"a": "xyz"}))
    parts.take(PartDelta("c", 0, arguments="b"))
    parts.take_arguments(0, "12")
    assert parts.size == 5
