from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from argwright.cli.terminal import clip, visible

VISIBLE = {
    "": "",
    "plain, café, 上海, مرحبا, 🚀": "plain, café, 上海, مرحبا, 🚀",
    "a\nb\tc": "a⏎b⇥c",
    "\x1b[2J\x07\x00\x7f\x85": "\\x1b[2J\\x07\\x00\\x7f\\x85",
    "\u200b\ufeff\u202e\u2066\u2028\u2029": "\\u200b\\ufeff\\u202e\\u2066\\u2028\\u2029",
    "\ud83d": "\\ud83d",
    "\U000e0041": "\\U000e0041",
}


@pytest.mark.parametrize(("text", "shown"), VISIBLE.items(), ids=map(ascii, VISIBLE))
def test_visible(text, shown):
    assert visible(text) == shown


@given(st.text())
def test_nothing_that_acts_on_a_terminal_is_left(text):
    assert all(unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Zl", "Zp") for c in visible(text))


CLIPPED = [
    ("abc", 3, "abc"),
    ("abcd", 3, "ab…"),
    ("上海北京", 8, "上海北京"),
    ("上海北京", 7, "上海北…"),
    ("上海北京", 6, "上海…"),
    ("a\nb", 3, "a⏎b"),
    ("x" * 10**6, 5, "xxxx…"),
]


@pytest.mark.parametrize(("text", "cells", "shown"), CLIPPED, ids=range(len(CLIPPED)))
def test_clip(text, cells, shown):
    assert clip(text, cells) == shown


@given(st.text(), st.integers(2, 60))
def test_clipped_text_fits(text, cells):
    assert cell_len(clip(text, cells)) <= cells
