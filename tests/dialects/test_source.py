"""The small readers: they wait for what would change their answer, and for nothing else."""

from __future__ import annotations

import re

import pytest

from argwright.dialects.source import Source, expect, find, peek, skip_blanks, skip_space, word

LETTERS = re.compile(r"[a-z]*+")


def answers(make, text, *, ends=True):
    """How many characters had come when the reader answered, and its answer."""
    src = Source()
    steps = make(src)
    for count, character in enumerate([*text, None]):
        try:
            next(steps)
        except StopIteration as stop:
            return count, stop.value
        if character is None:
            break
        src.append(character)
    src.ended = ends
    try:
        next(steps)
    except StopIteration as stop:
        return len(text), stop.value
    return None


@pytest.mark.parametrize(
    ("make", "text", "when", "answer"),
    [
        (lambda src: skip_space(src, 0), " \n\tx", 4, 3),
        (lambda src: skip_space(src, 0), "  ", 2, 2),
        (lambda src: skip_blanks(src, 0), " \nx", 2, 1),
        (lambda src: peek(src, 1), "ab", 2, "b"),
        (lambda src: peek(src, 1), "a", 1, ""),
        (lambda src: expect(src, 0, ("ab", "abcd")), "abx", 3, "ab"),
        (lambda src: expect(src, 0, ("ab", "abcd")), "abcd", 4, "abcd"),
        (lambda src: expect(src, 0, ("ab", "abcd")), "abc", 3, "ab"),
        (lambda src: expect(src, 0, ("ab", "b")), "x", 1, None),
        (lambda src: word(src, 0, LETTERS, 3), "ab.", 3, 2),
        (lambda src: word(src, 0, LETTERS, 3), "abcd", 4, None),
        (lambda src: word(src, 0, LETTERS, 3), "ab", 2, 2),
        (lambda src: find(src, 0, re.compile("ab"), 2), "aaab", 4, (2, 4)),
        (lambda src: find(src, 0, re.compile("ab"), 2), "aa", 2, None),
        (lambda src: find(src, 0, re.compile("ab"), 2, within=3), "aaaab", 3, None),
    ],
)
def test_readers(make, text, when, answer):
    assert answers(make, text) == (when, answer)


def test_they_wait_while_the_text_goes_on():
    for make in (
        lambda src: skip_space(src, 0),
        lambda src: expect(src, 0, ("  !",)),
        lambda src: find(src, 0, LETTERS, 1) if False else peek(src, 9),
    ):
        assert answers(make, "  ", ends=False) is None
