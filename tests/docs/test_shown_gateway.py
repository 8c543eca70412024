"""What pages show of the gateway runs here: real processes, in a home of their own, before a scripted provider."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from argwright.cli.main import main
from argwright.testing import ScriptedServer
from tests.docs.showing import block


@contextmanager
def gateway(command: str, folder: Path) -> Iterator[str]:
    """`argwright serve …` as a page shows it, on a port of its own, at home in a folder; gives its root."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("XDG_", "ARGWRIGHT_"))}
    words = command.split()
    assert words[:2] == ["argwright", "serve"]
    with subprocess.Popen(
        [sys.executable, "-X", "utf8", "-m", "argwright", *words[1:], "--port", "0"],
        env=environment | {"HOME": str(folder), "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE,
        encoding="utf-8",
    ) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().split()[2].removesuffix("/v1")
        finally:
            process.terminate()
            process.wait(timeout=60)


def posix(lines: str, folder: Path) -> str:
    """What the lines print in a shell at home in a folder, with `argwright` as it is under test."""
    bash = shutil.which("bash")
    if bash is None or shutil.which("curl") is None:
        pytest.skip("the lines are for a POSIX shell, with curl")
    done = subprocess.run(
        [bash, "-c", f'argwright() {{ "{sys.executable}" -m argwright "$@"; }}\nset -e\n{lines}'],
        cwd=folder,
        env=os.environ | {"HOME": str(folder), "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_page_about_the_journal(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    with ScriptedServer([]) as provider:
        command = block("docs/dashboard.md", "argwright serve").replace("https://api.openai.com/v1", provider.url)
        with gateway(command, tmp_path) as root:
            asked = block("docs/dashboard.md", "curl").replace("http://127.0.0.1:8790", root)
            answer = json.loads(posix(asked, tmp_path))
    assert (answer["status"], answer["name"], answer["arguments_text"]) == (
        "valid",
        "search",
        '{"query":"上海","limit":9007199254740993}',
    )
    assert "mended" in posix(block("docs/dashboard.md", "argwright journal"), tmp_path)
    (line,) = (tmp_path / "calls.jsonl").read_text(encoding="utf-8").splitlines()
    (row,) = parquet.read_table(tmp_path / "calls.parquet").to_pylist()
    kept = json.loads(line)
    assert (kept["tool"], kept["status"]) == (row["tool"], row["status"]) == ("search", "mended")


def test_the_tables_of_sensitive_fields(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "gateway.toml").write_text(block("docs/dashboard.md", "[tools.log_in]"), encoding="utf-8")
    assert main(["serve", "--config", "gateway.toml", "--check"]) == 0
    assert "1 tool with settings" in capsys.readouterr().out


def test_the_settings_of_the_gateway(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "gateway.toml").write_text(block("docs/gateway.md", "[server]"), encoding="utf-8")
    *_, check = block("docs/gateway.md", "pip install").splitlines()
    assert main(check.split()[1:]) == 0
    assert capsys.readouterr().out == (
        "gateway.toml: ok, 3 upstreams, on_invalid retry, 1 tool with settings, journal full, 127.0.0.1:8790\n"
    )


def test_the_note_of_a_mended_reply(tmp_path):
    tool = {"type": "function", "function": {"name": "search", "parameters": {"type": "object"}}}
    request = {"model": "m-1", "messages": [{"role": "user", "content": "?"}], "tools": [tool]}
    with ScriptedServer([("search", '```json\n{"query": "台灯",}\n```')]) as provider:
        command = f"argwright serve --upstream {provider.url} --journal off"
        with gateway(command, tmp_path) as root:
            body = json.dumps(request).encode()
            asked = Request(f"{root}/v1/chat/completions", body, {"content-type": "application/json"})
            with urlopen(asked, timeout=60) as answer:
                reply = json.load(answer)
    (call,) = reply["choices"][0]["message"]["tool_calls"]
    note = json.loads(block("docs/gateway.md", '{"attempts"'))
    note["calls"][0]["id"] = call["id"]
    assert (reply["argwright"], call["function"]["arguments"]) == (note, '{"query":"台灯"}')
