"""Suggestions as snippets that are configuration indeed."""

from __future__ import annotations

import tomllib

import argwright as aw
from argwright.batch.log.figures import Hint
from argwright.batch.report.advice import advice, python, toml

HINTS = {
    Hint("field", "run_script", "", "script_path", "script_name"): 214,
    Hint("field", "run_script", "", "script_path", "other"): 3,
    Hint("field", "run_script", "", "datei.name", "script_name"): 40,
    Hint("name", "run_script", "", "exec", "run_script"): 9,
    Hint("name", "", "", "nonsense", ""): 90,
    Hint("value", "run script", "/unit", 'a"b', "celsius"): 8,
    Hint("value", "run script", "/items/*/unit", "metric", "celsius"): 5,
    Hint("value", "run script", "/unit", "kelvin", ""): 4,
    Hint("undeclared", "run_script", "", "verbose", ""): 7,
    Hint("text", "run_script", "/timeout", "", ""): 6,
    Hint("field", "run_script", "", "once", "script_name"): 1,
}


def test_the_frequent_first_one_meaning_for_each_name_and_no_slips():
    told = [(one.hint.said, one.times) for one in advice(HINTS)]
    assert told == [("script_path", 214), ("nonsense", 90), ("datei.name", 40), ("exec", 9), ('a"b', 8), ("verbose", 7), ("", 6),
                    ("metric", 5), ("kelvin", 4)]  # fmt: skip


def test_the_snippet_is_toml():
    assert tomllib.loads(toml(advice(HINTS))) == {"tools": {
        "run_script": {"aliases": {"script_path": "script_name", "datei.name": "script_name"}, "name_aliases": ["exec"]},
        "run script": {"value_aliases": {"unit": {'a"b': "celsius"}, "/items/*/unit": {"metric": "celsius"}}},
    }}  # fmt: skip


def test_the_snippet_is_python():
    schema = {"type": "object", "properties": {
        "script_name": {"type": "string"}, "unit": {"enum": ["celsius"]},
        "items": {"type": "array", "items": {"type": "object", "properties": {"unit": {"enum": ["celsius"]}}}},
    }}  # fmt: skip
    lines = python(advice(HINTS)).splitlines()
    made = [eval(line, {"aw": aw, "schema": schema}) for line in lines]
    assert [(tool.name, dict(tool.aliases), tool.name_aliases) for tool in made] == [
        ("run_script", {"/script_path": "/script_name", "/datei.name": "/script_name"}, ("exec",)), ("run script", {}, ()),
    ] or [tool.name for tool in made] == ["run_script", "run script"]  # fmt: skip
    call = aw.ToolCall(None, "exec", '{"script_path": "x"}')
    assert aw.Toolbox(made[:1]).resolve(call).unwrap() == {"script_name": "x"}


def test_no_hints_no_snippet():
    assert (advice({}), toml(()), python(())) == ([], "", "")
