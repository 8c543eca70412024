"""Literals and calls in call syntax: what is read, and what is left to others."""

from __future__ import annotations

import pytest

from argwright.dialects.literals import MAX_DEPTH, Call, LiteralError, Rules, arguments, call, unquote, value

GEMMA = Rules(assign=":=", tokens=('<|"|>', "<escape>"), bare_keys=True)


def reads(text):
    try:
        return value(text, 0)[0] == len(text)
    except LiteralError:
        return False


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("'it\\'s'", "it's"),
        ('"a, (b]"', "a, (b]"),
        ("'''a 'b'\nc'''", "a 'b'\nc"),
        ('"""say "x" """', 'say "x" '),
        ("'\\n\\t\\x41\\u4e2d\\U0001F6E5\\0'", "\n\tA中🛥\0"),
        ("'\\ud83d\\udea2'", "🚢"),
        ("'שלום\u2028好'", "שלום\u2028好"),
        ("7", 7),
        ("-0.5e-3", -0.0005),
        ("123456789012345678901234567890", 123456789012345678901234567890),
        ("True", True),
        ("null", None),
        ("[1, 'a', [None],]", [1, "a", [None]]),
        ("{'a': 1, 'b': {'c': []}}", {"a": 1, "b": {"c": []}}),
    ],
)
def test_value(text, meant):
    assert value(text, 0) == (len(text), meant)
    assert value(f"  {text} ", 2) == (len(text) + 2, meant)


@pytest.mark.parametrize(
    "text",
    [
        "", "name", "007", "+1", "1_000", "0x1f", "1.", ".5", "1e999", "nan", "9" * 5000, "'\\d'", "'C:\\Users\\x'", "'open", "'a\nb'",
        "'\\ud83d'", "'\\U00110000'", "(1, 2)", "{1, 2}", "{'a': 1, 'a': 2}", "{a: 1}", "{1: 2}", "[1 2]", "f'x'", "b'x'", "x()", "1 + 1",
        "[" * (MAX_DEPTH + 2) + "]" * (MAX_DEPTH + 2),
    ],
)  # fmt: skip
def test_no_literal(text):
    assert not reads(text)


@pytest.mark.parametrize(
    ("text", "rules", "meant"),
    [
        ("f()", None, Call("f", ())),
        ("cal.add(title='x', n = 2 ,)", None, Call("cal.add", (("title", "x"), ("n", 2)))),
        ("f(a=1, a=2)", None, Call("f", (("a", 1), ("a", 2)))),
        ('f{a:<|"|>{x}: "y", z<|"|>,b:[1,<escape>c<escape>],d:{e:true}}', GEMMA, Call("f", (("a", '{x}: "y", z'), ("b", [1, "c"]), ("d", {"e": True})))),
        ('f(a="x", b:2)', GEMMA, Call("f", (("a", "x"), ("b", 2)))),
        ('f{"a b":1}', GEMMA, Call("f", (("a b", 1),))),
    ],
)  # fmt: skip
def test_call(text, rules, meant):
    assert call(text, 0, rules or Rules(assign="=")) == (len(text), meant)


@pytest.mark.parametrize(
    "text", ["", "f", "f[1]", "f('x')", "f(a)", "f(a:1)", "f('a'=1)", "f(a=1", "f(a=b)", "f(*x)", "f{a:1}", "1f()"]
)
def test_no_call(text):
    with pytest.raises(LiteralError):
        call(text, 0)


@pytest.mark.parametrize("text", ["{a b:1}", "{a:}", '{a:<|"|>x}', "{a=1;b=2}", "[a:1]"])
def test_no_arguments(text):
    with pytest.raises(LiteralError):
        arguments(text, 0, GEMMA)


def test_unquote():
    assert unquote("'a\"b'") == 'a"b'
    for faulty in ("a", "'a' ", "'a'b"):
        with pytest.raises(LiteralError):
            unquote(faulty)
