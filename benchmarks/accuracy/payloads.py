"""Texts that are hard to carry: what coding and operations agents really send."""

from __future__ import annotations

PAYLOADS = (
    'import sys\n\n\ndef main() -> int:\n    print("ready", file=sys.stderr)\n    return 0\n',
    'for f in *.log; do\n\tgzip -9 "$f" && echo "packed $f"\ndone\n',
    "SELECT name, price FROM items WHERE name LIKE '%o''clock%';",
    "E:\\Exports\\Weekly\\Summary.docx",
    "\\\\server\\share\\Documents\\Plan.md",
    "^(?P<year>\\d{4})-\\w+\\.(?:csv|parquet)$",
    "\\mathbb{R}^n \\setminus \\{0\\}",
    '<p class="note">Say "hello" &amp; wave</p>',
    '<img alt="it\'s here" src="/a.png?x=1&y=2">',
    'He called it "the best", nobody laughed.',
    'the 3" pipe and the 5" one',
    '{"depth": {"a": [1, 2, {"b": null}]}, "note": "a } and a ] inside"}',
    '[{"id": 1}, {"id": 2}] is what it printed',
    "# Title\n\n- one\n- two, with `code`\n\n```python\nx = {'a': 1}\n```\n",
    "--- a/app.py\n+++ b/app.py\n@@ -1,2 +1,2 @@\n-x = 1\n+x = 2  // not a comment\n",
    "id;name;note\n1;Öl;a, b\n2;Tee;'c'\n",
    "don't stop: it's the users' choice, isn't it",
    "Text mentions </tool_call> and <|im_end|> on purpose",
    "季度报告：营收增长 12%，“超出预期”（见附件）。",
    "مرحبا بالعالم، كيف الحال؟",
    "🚀 launch at 09:00 – café, naïve, Zürich",
    "true",
    "null",
    "007",
    "1e3",
    "[]",
    "https://example.com/a?b=1&c=%7Bd%7D#e",
    "key: value, other: {x}",
)


def with_one_of(characters: str) -> tuple[str, ...]:
    """The texts that hold one of these characters; all of them for none."""
    return tuple(text for text in PAYLOADS if not characters or any(character in text for character in characters))
