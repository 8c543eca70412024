"""The page's words: both tables have the same keys, and every word that a script asks for."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import get_args

from argwright.model import ErrorKind
from argwright.proxy import dashboard
from argwright.proxy.journal.state import Cause
from argwright.reasons import JsonReason, SchemaReason

STATIC = Path(dashboard.__file__).parent / "static"
TABLES = {name: json.loads((STATIC / f"words.{name}.json").read_text("utf-8")) for name in ("en", "zh")}
SCRIPTS = {path.name: path.read_text("utf-8") for path in STATIC.glob("*.js")}
KEY = re.compile(r"""\bt\(\s*"([^"]+)\"""")
COUNTED = re.compile(r"""\bcount\(\s*"([^"]+)\"""")
FAMILY = re.compile(r"\bt\(\s*`([a-z]+)\.\$\{")
PLACE = re.compile(r"\{(\w+)\}")


def test_both_languages_have_the_same_words():
    assert list(TABLES["en"]) == list(TABLES["zh"])
    for key, english in TABLES["en"].items():
        assert english.strip()
        assert TABLES["zh"][key].strip()
        here, there = set(PLACE.findall(english)), set(PLACE.findall(TABLES["zh"][key]))
        assert here == there or (key.endswith(".one") and here | {"n"} == there), key


def test_the_chinese_table_is_chinese():
    plain = {key for key, text in TABLES["zh"].items() if not re.search(r"[\u4e00-\u9fff]", text)}
    assert plain == {"row.of"}


def test_every_word_that_a_script_asks_for_is_there():
    words = set(TABLES["en"])
    for name, script in SCRIPTS.items():
        assert set(KEY.findall(script)) <= words, name
        assert {f"{key}.{form}" for key in COUNTED.findall(script) for form in ("one", "other")} <= words, name
        for family in FAMILY.findall(script):
            assert any(word.startswith(f"{family}.") for word in words), (name, family)


def test_no_word_is_left_over():
    asked = {key for script in SCRIPTS.values() for key in KEY.findall(script)}
    asked |= {
        f"{key}.{form}" for script in SCRIPTS.values() for key in COUNTED.findall(script) for form in ("one", "other")
    }
    asked |= set(re.findall(r'data-word="([^"]+)"', (STATIC / "sign-in.html").read_text("utf-8")))
    families = {family for script in SCRIPTS.values() for family in FAMILY.findall(script)}
    families |= {"reason", "kind", "status", "certainty", "finish", "policy", "cause"}
    left = {word for word in TABLES["en"] if word not in asked and word.partition(".")[0] not in families}
    assert left == set()


def test_every_kind_and_reason_is_explained():
    for name in (*get_args(JsonReason), *get_args(SchemaReason), "unknown"):
        assert f"reason.{name}" in TABLES["en"], name
        assert f"reason.{name}.means" in TABLES["en"], name
        assert f'"{name}"' in SCRIPTS["app.js"], name
    for cause in get_args(Cause):
        assert f"cause.{cause}" in TABLES["en"], cause
    for kind in ErrorKind:
        assert f"kind.{kind}.means" in TABLES["en"]


def test_nothing_in_the_scripts_writes_markup_or_runs_text():
    forbidden = re.compile(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|javascript:|setHTML"
    )
    for name, script in SCRIPTS.items():
        assert forbidden.findall(script) == [], name


def test_nothing_comes_from_elsewhere():
    for path in STATIC.iterdir():
        found = set(re.findall(r"""https?://[^\s"'`)>]+""", path.read_text("utf-8")))
        assert found <= {"http://www.w3.org/2000/svg"}, path.name
    for page in STATIC.glob("*.html"):
        text = page.read_text("utf-8")
        assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)", text), page.name
