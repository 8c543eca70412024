"""The repairs of notation: their names, how certain each is, and which of them count as choices.

The one table of everything the tolerant reader does to a text. A *choice* is a place
where a reading was picked; `Limits.max_repairs` bounds them. Uniform notation (single
quotes throughout, raw newlines) is one decision however often it stands there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from argwright.policy import Certainty


@dataclass(frozen=True)
class Notation:
    """One kind of repair: its certainty, what it does, a text before and after, and whether each place is a choice."""

    certainty: Certainty
    summary: str
    before: str
    after: str
    choice: bool = False


def _exact(summary: str, before: str, after: str) -> Notation:
    return Notation(Certainty.EXACT, summary, before, after)


def _likely(summary: str, before: str, after: str, *, choice: bool = True) -> Notation:
    return Notation(Certainty.LIKELY, summary, before, after, choice)


NOTATION: Mapping[str, Notation] = {
    "fence": _exact("a Markdown fence around the object", '```json\n{"a": 1}\n```', '{"a": 1}'),
    "prose": _exact("text around the one object", 'Arguments: {"a": 1} Done.', '{"a": 1}'),
    "reasoning": _exact("reasoning before the object", '<think>hm</think>{"a": 1}', '{"a": 1}'),
    "special-token": _exact("a chat template's token around the object", '{"a": 1}<|im_end|>', '{"a": 1}'),
    "invisible": _exact("byte order mark, zero-width and other foreign blanks", '\ufeff{"a": 1}', '{"a": 1}'),
    "trailing-comma": _exact("a comma before a closer", '{"a": 1,}', '{"a": 1}'),
    "extra-comma": _exact("a repeated or leading comma in an object", '{"a": 1,, "b": 2}', '{"a": 1, "b": 2}'),
    "comment": _exact("a comment between tokens", '{"a": 1 /* one */}', '{"a": 1}'),
    "single-quotes": _exact("single quotes as delimiters", "{'a': 'b'}", '{"a": "b"}'),
    "smart-quotes": _exact("curly or full-width quotes as delimiters", "{“a”: “b”}", '{"a": "b"}'),
    "backtick-quotes": _exact("backticks as delimiters", '{"a": `b`}', '{"a": "b"}'),
    "triple-quotes": _exact("three quotes as delimiters", '{"a": """b"""}', '{"a": "b"}'),
    "quote-token": _exact("a template's quote token as delimiter", '{"a": <|"|>b<|"|>}', '{"a": "b"}'),
    "bare-key": _exact("a key without quotes", "{a: 1}", '{"a": 1}'),
    "python-literal": _exact("True, False, None", '{"a": True}', '{"a": true}'),
    "python-container": _exact("a tuple or a set", '{"a": (1, 2)}', '{"a": [1, 2]}'),
    "number-form": _exact("+1, .5, 1., 1_000", '{"a": +1}', '{"a": 1}'),
    "raw-control": _exact("control characters inside a string", '{"a": "b\nc"}', '{"a": "b\\nc"}'),
    "escaped-apostrophe": _exact("a backslash before an apostrophe", '{"a": "it\\\'s"}', '{"a": "it\'s"}'),
    "literal-escape": _exact("a written-out \\n between tokens", '{\\n"a": 1}', '{"a": 1}'),
    "punctuation": _exact("; => = and full-width signs as delimiters", '{"a"：1；"b" => 2}', '{"a": 1, "b": 2}'),
    "doubled-braces": _exact("braces written twice", '{{"a": 1}}', '{"a": 1}'),
    "parentheses": _exact("parentheses around the object", '({"a": 1})', '{"a": 1}'),
    "escaped-quotes": _exact("the whole text escaped once more", '{\\"a\\": 1}', '{"a": 1}'),
    "html-escaped": _exact("the whole text HTML-escaped", "{&quot;a&quot;: 1}", '{"a": 1}'),
    "call-notation": _exact("one call name(…) of this tool", 'f({"a": 1})', '{"a": 1}'),
    "glued-prefix": _exact("an empty object or null glued before the object", '{}{"a": 1}', '{"a": 1}'),
    "repeated-object": _exact("the same object again", '{"a": 1}{"a": 1}', '{"a": 1}'),
    "repeated-key": _exact("the same member again", '{"a": 1, "a": 1}', '{"a": 1}'),
    "concatenation": Notation(
        Certainty.EXACT, "strings added up", '{"a": "b" + "c"}', '{"a": "bc"}', choice=True
    ),
    "undefined": _exact("undefined: the member is absent", '{"a": undefined, "b": 1}', '{"b": 1}'),
    "text-dialect": _likely("this tool's call in a text dialect", "<function=f><parameter=a>b</parameter></function>",
                            '{"a": "b"}', choice=False),
    "inner-quote": _likely("a quote inside a string that nobody escaped", '{"a": "b "c" d"}', '{"a": "b \\"c\\" d"}'),
    "missing-comma": _likely("a comma left out", '{"a": 1 "b": 2}', '{"a": 1, "b": 2}'),
    "missing-colon": _likely("a colon left out", '{"a" 1}', '{"a": 1}'),
    "missing-opener": _likely("an opening brace or bracket left out", '"a": 1}', '{"a": 1}'),
    "missing-closer": _likely("a closing brace or bracket left out", '{"a": [1, 2}', '{"a": [1, 2]}'),
    "extra-closer": _likely("closers that close nothing", '{"a": 1}}', '{"a": 1}'),
    "early-close": _likely("the object closed before its last members", '{"a": 1}, "b": 2}', '{"a": 1, "b": 2}'),
    "wrong-bracket": _likely("a bracket in place of a brace", '["a": 1]', '{"a": 1}'),
    "missing-quote": _likely("one quote of a key or string left out", '{"a: 1}', '{"a": 1}'),
    "literal-backslash": _likely("backslashes that nobody escaped", '{"a": "C:\\Dir"}', '{"a": "C:\\\\Dir"}'),
    "bare-value": _likely("a string without quotes", '{"a": b c}', '{"a": "b c"}'),
    "lone-surrogate": _likely("half a surrogate pair", '{"a": "\\ud83d"}', '{"a": "\ufffd"}'),
    "invalid-utf8": Notation(Certainty.GUESS, "bytes that are no UTF-8", '{"a": "\\xff"}', '{"a": "\ufffd"}'),
    "thousands": _likely("a number with thousands separators", '{"a": 1,000}', '{"a": 1000}'),
    "cut-closed": Notation(Certainty.GUESS, "a cut text closed where it broke", '{"a": "b', '{"a": "b"}'),
}  # fmt: skip
