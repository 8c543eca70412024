"""The page: well-formed, nothing loaded, everything escaped, the same in both languages."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from string import Formatter

import pytest

import argwright as aw
from argwright.batch.log.examples import made
from argwright.batch.log.figures import Bad, Figures, Group, Hint
from argwright.batch.report import page
from argwright.batch.report.words import LANGUAGES, meaning
from argwright.batch.verdict import verdict

EVIL = "</pre><script>alert(1)</script><img src=x onerror=alert(2)>\" onload='x' {{ 7*7 }} \u202e & &amp;"
_EMPTY = {"meta", "img", "br", "link"}


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.seen, self.links, self.wrong = [], [], [], []

    def handle_starttag(self, tag, attrs):
        self.seen.append(tag)
        self.links += [value for name, value in attrs if name in ("src", "href", "action", "data")]
        self.wrong += [name for name, _ in attrs if name.startswith("on")]
        if tag not in _EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in _EMPTY:
            self.open.pop()

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)


def parsed(text):
    tags = Tags()
    tags.feed(text)
    tags.close()
    assert (tags.open, tags.wrong, tags.links) == ([], [], [])
    return tags


def figures(name="f"):
    box = aw.Toolbox(
        [aw.Tool.from_schema(name, {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]})]
    )
    total = Figures(lines=9)
    found = []
    for line, text in enumerate(
        [f'{{"a": "{EVIL}', "{'a': '1'}", '{"a": 1 "b": 2}', "", f"{EVIL}", f'{{"a": "{EVIL!r}"}}']
    ):
        outcome = box.resolve(aw.ToolCall(None, name, text))
        found.append(made(outcome, verdict(outcome), (name, line), (0, name)))
        told = verdict(outcome)
        total.count({Group(name, name, told.status, told.kind or "", told.reason or ""): 3})
        total.rules.update((name, rule) for rule in told.rules)
    total.count({Group("g", "other", "valid", "", ""): 100, Group(name, "other", "error", "", "no_schema"): 2})
    total.count({Group("nobody", "other", "refused", "unknown_tool", "unknown"): 2})
    total.count_hours({(480_000, "refused"): 4, (480_001, "valid"): 3, (480_003, "mended"): 1, (480_003, "error"): 1})
    for what in ("field", "undeclared", "value", "name", "text"):
        total.hint({Hint(what, name, "/a", name, name): 3})
    total.hint({Hint("value", name, "/a", "x", ""): 3, Hint("name", "", "", "nobody", ""): 3})
    total.examples = found
    total.broken(Bad(name, 3, name))
    total.broken(Bad(name, 0, name))
    return total


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", ["f", EVIL, "上海", "a{0}{b}<0>"])
def test_whatever_is_in_the_log_the_page_is_whole_and_nothing_of_it_acts(name, lang):
    text = page(figures(name), lang=lang)
    tags = parsed(text)
    assert set(tags.seen) & {"script", "img", "iframe", "object", "link", "form", "a"} == set()
    assert "\u202e" not in text
    assert "http" not in text.replace("http-equiv", "")
    assert not re.search(r"49", text) or "7*7" in text


def test_nothing_at_all_is_a_page_too():
    parsed(page(Figures()))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_figures_are_told(lang):
    text = page(figures(), lang=lang)
    words = LANGUAGES[lang]
    for name in (
        "valid",
        "mended",
        "refused",
        "error",
        "time",
        "tools",
        "models",
        "heat",
        "reasons",
        "rules",
        "advice",
        "examples",
        "unread",
    ):
        assert words[name] in text, name
    assert 'mark class="exact"' in text
    assert "aliases = { f = &#34;f&#34; }" in text


def test_the_languages_say_the_same():
    english, chinese = LANGUAGES["en"], LANGUAGES["zh"]
    assert english.keys() == chinese.keys()
    for key, text in english.items():
        fields = {name for _, name, _, _ in Formatter().parse(text) if name}
        assert fields == {name for _, name, _, _ in Formatter().parse(chinese[key]) if name}, key
        assert sorted(re.findall(r"<\d>", text)) == sorted(re.findall(r"<\d>", chinese[key])), key


def test_every_reason_has_a_meaning():
    from argwright.reasons import SCHEMA_REASONS, JsonReason

    causes = [f"json_error/{reason}" for reason in JsonReason.__args__] + [
        f"schema_error/{reason}" for reason in SCHEMA_REASONS
    ]
    for cause in (*causes, "unknown_tool/unknown", "error/no_schema"):
        assert meaning(cause, "en"), cause
        assert meaning(cause, "zh"), cause
