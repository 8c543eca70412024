"""Possessive groups mean the same on every Python, and no other way compiles one."""

from __future__ import annotations

import ast
import re

import pytest

from argwright.possessive import atomic, compiled


@pytest.mark.parametrize(
    ("pattern", "verbose", "made"),
    [
        (r"(?:ab?c)*+d", False, r"(?>(?:ab?c)*)d"),
        (r"(?:a|b)++", False, r"(?>(?:a|b)+)"),
        (r"(a)?+(?P<b>b){0,3}+", False, r"(?>(a)?)(?>(?P<b>b){0,3})"),
        (r"(?:(?:a|b)*+c)++", False, r"(?>(?:(?>(?:a|b)*)c)+)"),
        (r"[a(]*+\)*+[])]++[^])]?+", False, r"[a(]*+\)*+[])]++[^])]?+"),
        (r"(?P<a>x)?(?(a)b|c)(?:x)*", False, r"(?P<a>x)?(?(a)b|c)(?:x)*"),
        ("a  # (b)*+ (\n(?:上)*+", True, "a  # (b)*+ (\n(?>(?:上)*)"),
        ("#(?:a)*+", False, "#(?>(?:a)*)"),
    ],
)
def test_every_possessive_group_becomes_an_atomic_one(pattern, verbose, made):
    assert atomic(pattern, verbose=verbose) == made
    re.compile(made, re.VERBOSE if verbose else 0)


@pytest.mark.parametrize(
    ("pattern", "text", "span"),
    [
        (r"(?:ab?c)*+", "aca", (0, 2)),
        (r"/\*(?:[^*]|\*(?!/))*+\*/", "/* 上海 🚚 */ x", (0, 10)),
        (r"\"[^\"\\]*+(?:\\.[^\"\\]*+)*+\"", '"a\\"\u2028b" c', (0, 7)),
        (rb"(?:ab?c)*+", b"aca", (0, 2)),
        (r"(?:\w++ )*+", "عربي abc", (0, 5)),
    ],
)
def test_what_is_matched_in_part_is_not_matched(pattern, text, span):
    assert compiled(pattern).match(text).span() == span
    if isinstance(pattern, str):
        assert re.match(atomic(pattern), text).span() == span


GROUP = re.compile(r"\)([*+?]|\{[0-9,]+\})\+")


def test_nothing_else_compiles_a_possessive_group(repository):
    home = repository / "src" / "argwright" / "possessive.py"
    for path in sorted((repository / "src").rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        if path == home or not holds_group(tree):
            continue
        called = {ast.unparse(node.func): node for node in ast.walk(tree) if isinstance(node, ast.Call)}
        assert "re.compile" not in called, path
        assert not [name for name, node in called.items() if name.startswith("re.") and holds_group(node)], path


def holds_group(tree):
    texts = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant))
    return any(GROUP.search(text.decode("latin-1") if isinstance(text, bytes) else text)
               for text in texts if isinstance(text, (str, bytes)))  # fmt: skip
