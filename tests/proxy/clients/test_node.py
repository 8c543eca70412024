"""The official npm client through the gateway, against an upstream that misbehaves in every way."""

from __future__ import annotations

import json
import subprocess
from typing import Any

import pytest

from tests.proxy.clients.test_python import MODES, SCRIPTS, acting, asked, may_fail
from tests.proxy.node import packages
from tests.proxy.scripts import Script
from tests.proxy.serving import serving

WAYS = {
    "chat": ("openai-chat", False),
    "chatByHand": ("openai-chat", True),
    "chatHelper": ("openai-chat", True),
    "responses": ("openai-responses", False),
    "responsesHelper": ("openai-responses", True),
}
_EXACT = 2**53  # JavaScript's integers


@pytest.fixture(scope="module")
def folder(repository):
    source = repository / "tests" / "proxy" / "node"
    made = packages.installed(source, repository / "build" / "node" / "clients")
    (made / "openai.mjs").write_bytes((source / "openai.mjs").read_bytes())
    return made


def answers(folder: Any, url: str, rows: list[tuple[str, dict[str, Any]]]) -> list[Any]:
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    done = subprocess.run(
        [packages.node(), "openai.mjs", url],
        cwd=folder,
        input=lines,
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return [json.loads(line) for line in done.stdout.split("\n") if line]


@pytest.mark.parametrize(("mode", "step"), [("error", 3), ("retry", 10)])
def test_it_gets_valid_calls_or_a_clear_refusal(folder, mode, step):
    rows = [
        (way, number, script)
        for way, fits in WAYS.items()
        for number, script in [*enumerate(SCRIPTS)][::step]
        if (script.form, script.streamed) == fits
    ]
    with serving(acting, MODES[mode]) as server:
        got = answers(folder, server.url, [(way, asked(number, script)) for way, number, script in rows])
    found = [judged(script, answer) for (_, _, script), answer in zip(rows, got, strict=True)]
    assert [one for one in found if one is not None] == []


def judged(script: Script, answer: list[Any]) -> str | None:
    due = script.right()
    kind, *told = answer
    if kind == "crashed":
        return f"{script}: crashed: {told}"
    if kind == "refused":
        return None if may_fail(script) else f"{script}: refused: {told}"
    shown = [(name, json.loads(json.dumps(given), parse_int=_as_javascript)) for name, given in told[0]]
    valid = json.loads(json.dumps(due.valid), parse_int=_as_javascript)
    wanted = [(name, given) for name, given in valid]
    if any(one not in wanted for one in shown):
        return f"{script}: a call that was never valid: {shown}, valid are {wanted}"
    if due.refused:
        return f"{script}: a refused call, and the client was told nothing: {shown}"
    if not may_fail(script) and shown != wanted:
        return f"{script}: {shown} are not {wanted}"
    return None


def _as_javascript(digits: str) -> int | float:
    return int(digits) if abs(int(digits)) <= _EXACT else float(digits)
