"""Lines that a document shows without running them, such as one request to a real provider: they run here.

The client's address is the only thing that is changed: a scripted server stands in place of the provider.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

from argwright.cli.main import main
from argwright.proxy.config import Source, load
from argwright.testing import ScriptedServer, history_checked
from tests.docs.test_documents import ROOT, blocks

LINE = re.compile(r"^    (result = aw\.run\((?:openai|anthropic)\..*\))$", re.MULTILINE)
TRAINS = [
    ("find_trains", {"origin": "北京", "destination": "上海", "seats": 2}),
    ("advise", {"train": "G7", "price": "662", "reason": "two seats"}),
]
PRODUCTS = [
    ("find_product", "{'query': '台灯',}"),
    ("send_reply", {"reply": "有台灯。", "confidence": 0.9}),
]
SHOWN = [
    ("tutorial.md", TRAINS, ["Advice(train='G7', price=662, reason='two seats')"] * 3),
    ("zh/tutorial.md", TRAINS, ["Advice(train='G7', price=662, reason='two seats')"] * 3),
    ("agents.md", PRODUCTS, ["Reply(reply='有台灯。', confidence=0.9)", "None", "None"]),
]


@pytest.mark.parametrize(("page", "script", "outputs"), SHOWN, ids=[page for page, *_ in SHOWN])
def test_requests_to_real_providers(page, script, outputs):
    path = ROOT / "docs" / page
    lines = LINE.findall(path.read_text(encoding="utf-8"))
    before = "\n".join(code for _, code, _ in blocks(path, "python"))
    assert len(lines) == len(outputs)
    for line, output in zip(lines, outputs, strict=True):
        replies = script if "final=" in line else [script[0], "好的。"]
        with ScriptedServer(replies, refuses=(history_checked,)) as server:
            asked = line.replace("http://localhost:8000/v1", server.url).replace("[…]", "[find_product]")
            told = "import anthropic, openai\nmessages = [{'role': 'user', 'content': '…'}]\n"
            done = subprocess.run(
                [sys.executable, "-X", "utf8", "-c", f"{before}\n{told}{asked}\nprint()\nprint(repr(result.output))"],
                env=os.environ
                | {
                    "OPENAI_API_KEY": "-",
                    "OPENAI_BASE_URL": server.url,
                    "ANTHROPIC_API_KEY": "-",
                    "ANTHROPIC_BASE_URL": server.root,
                },
                capture_output=True,
                encoding="utf-8",
                check=False,
                timeout=120,
            )
        assert (done.stderr, done.stdout.splitlines()[-1:]) == ("", [output]), line


def test_the_gateway_takes_the_flags_of_the_page_about_the_journal(capsys):
    (_, text, _), *_ = blocks(ROOT / "docs" / "dashboard.md", "sh")
    assert main([*text.split()[1:], "--check"]) == 0
    assert capsys.readouterr().out.startswith("flags: ok")


def test_the_gateway_takes_its_table_of_sensitive_fields():
    ((_, text, _),) = blocks(ROOT / "docs" / "dashboard.md", "toml")
    assert set(load(Source(text=text, environ={"HOME": "/"})).mending.tools) == {"log_in"}
