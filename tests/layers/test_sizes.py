"""Small enough to read whole: what ruff does not count."""

from __future__ import annotations

import ast
from pathlib import Path

import argwright

MODULE, FUNCTION = 400, 50

SOURCES = sorted(Path(argwright.__file__).parent.rglob("*.py"))


def test_no_module_is_too_long():
    lengths = {path.as_posix(): path.read_text(encoding="utf-8").count("\n") for path in SOURCES}
    assert {path: lines for path, lines in lengths.items() if lines > MODULE} == {}


def test_no_function_is_too_long():
    long = {
        f"{path.as_posix()}:{node.name}": node.end_lineno - node.lineno + 1
        for path in SOURCES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.end_lineno - node.lineno >= FUNCTION
    }
    assert long == {}
