"""Lines that a document shows without running them, such as one request to a real provider: they run here.

Addresses are the only thing that is changed: a scripted server stands in place of the provider. The last tests look
whether anything is shown that no test runs.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys

import pytest

from argwright.cli.main import main
from argwright.testing import ScriptedServer, history_checked
from tests.docs.showing import block, code, page, run, shown
from tests.docs.test_documents import DOCUMENTS, ROOT, blocks, name

# --- requests to providers

LINE = re.compile(r"^    (result = aw\.run\((?:openai|anthropic)\..*\))$", re.MULTILINE)
TRAINS = [
    ("find_trains", {"origin": "北京", "destination": "上海", "seats": 2}),
    ("advise", {"train": "G7", "price": "662", "reason": "two seats"}),
]
PRODUCTS = [
    ("find_product", "{'query': '台灯',}"),
    ("send_reply", {"reply": "有台灯。", "confidence": 0.9}),
]
REQUESTS = [
    ("docs/tutorial.md", TRAINS, ["Advice(train='G7', price=662, reason='two seats')"] * 3),
    ("docs/zh/tutorial.md", TRAINS, ["Advice(train='G7', price=662, reason='two seats')"] * 3),
    ("docs/agents.md", PRODUCTS, ["Reply(reply='有台灯。', confidence=0.9)", "None", "None"]),
]


@pytest.mark.parametrize(("path", "script", "outputs"), REQUESTS, ids=[path for path, *_ in REQUESTS])
def test_requests_to_real_providers(path, script, outputs, tmp_path):
    lines = LINE.findall(page(path))
    assert len(lines) == len(outputs)
    for line, output in zip(lines, outputs, strict=True):
        replies = script if "final=" in line else [script[0], "好的。"]
        with ScriptedServer(replies, refuses=(history_checked,)) as server:
            asked = line.replace("http://localhost:8000/v1", server.url).replace("[…]", "[find_product]")
            told = f"import {line.split('(')[1].split('.')[0]}\nmessages = [{{'role': 'user', 'content': '…'}}]\n"
            keys = {"OPENAI_API_KEY": "-", "ANTHROPIC_API_KEY": "-"}
            bases = {"OPENAI_BASE_URL": server.url, "ANTHROPIC_BASE_URL": server.root}
            program = f"{code(path)}\n{told}{asked}\nprint()\nprint(repr(result.output))"
            assert run(program, tmp_path, **keys, **bases) == output, line


# --- how-to pages

WEBSOCKET = """
import asyncio, json, sys
import httpx
from aiohttp import ClientSession, web

url, request = sys.argv[1] if len(sys.argv) > 1 else URL, REQUEST

async def forward(asked):
    websocket = web.WebSocketResponse()
    await websocket.prepare(asked)
    acc = aw.Accumulator("openai-chat", tools=box)
    async with httpx.AsyncClient() as client:
LINES
    outcome, = box.resolve_turn(turn)
    await websocket.send_json(outcome.arguments)
    await websocket.close()
    return websocket

async def listen():
    app = web.Application()
    app.router.add_get("/", forward)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    told = []
    async with ClientSession() as session:
        async with session.ws_connect("http://{}:{}/".format(*runner.addresses[0])) as heard:
            async for message in heard:
                told.append(json.loads(message.data))
    await runner.cleanup()
    return told

print(json.dumps(asyncio.run(asyncio.wait_for(listen(), 60)), ensure_ascii=False))
"""


def test_a_streaming_user_interface_over_a_websocket(tmp_path):
    pytest.importorskip("httpx", reason="httpx is not installed")
    path = "docs/howto/streaming-ui.md"
    lines = "".join(f"        {line}\n" for line in block(path, "async with").splitlines())
    poem = {"title": "静夜思", "lines": ["床前明月光", "疑是地上霜"]}
    request = {"model": "m-1", "stream": True, "messages": [{"role": "user", "content": "?"}], "tools": [
        {"type": "function", "function": {"name": "write_poem", "parameters": {"type": "object"}}}]}  # fmt: skip
    with ScriptedServer([("write_poem", poem)]) as server:
        program = WEBSOCKET.replace("LINES", lines).replace("REQUEST", repr(request))
        program = program.replace("URL", repr(f"{server.url}/chat/completions"))
        *events, arguments = json.loads(run(f"{code(path)}\n{program}", tmp_path))
    assert arguments == poem
    said = {"CallStarted", "CallProgress", "CallCompleted"}
    assert {event["event"] for event in events} >= said
    grown = "".join(event["text"] for event in events if event.get("pointer") == "/lines/1")
    assert grown == "疑是地上霜"


def test_a_final_tool_without_a_loop(tmp_path):
    path = "docs/howto/final-answer.md"
    program = f"""
{code(path)}
{block(path, "box = ")}
written = aw.ToolCall("c1", final.name, '{{"decision": "Decline", "reason": "旧了"}}')
names = [one["function"]["name"] for one in box.declare("openai-chat")]
print(names, repr(box.resolve(written).value), final.name in final.system)
"""
    told = "['find_order', 'decide'] Verdict(decision='decline', amount=0, reason='旧了') True"
    assert run(program, tmp_path) == told


ASK = """
import argwright as aw
box = aw.Toolbox([aw.Tool.from_schema("discount", {"type": "object", "properties": {"percent": {"type": "number"}}})])
bare = aw.Toolbox(box.tools, without={"percent-sign"})
call = aw.ToolCall("c1", "discount", '{"percent": "12%"}')
print(box.resolve(call).arguments, bare.resolve(call).reason)
"""


def test_a_rule_as_a_plugin(tmp_path, capfd):
    path = "docs/howto/own-rule.md"
    first, *_ = [text for _, text, _ in blocks(ROOT / path, "python")]
    source, built = tmp_path / "source", tmp_path / "built"
    source.mkdir()
    (source / "our_rules.py").write_text(first.partition("\nbox = ")[0], encoding="utf-8")
    (source / "pyproject.toml").write_text(
        '[build-system]\nrequires = ["hatchling"]\nbuild-backend = "hatchling.build"\n'
        '[project]\nname = "our-rules"\nversion = "1.0"\n'
        f'{block(path, "[project.entry-points")}[tool.hatch.build.targets.wheel]\nonly-include = ["our_rules.py"]\n',
        encoding="utf-8",
    )
    pip = [sys.executable, "-m", "pip", "install", "-qq", "--disable-pip-version-check", "--no-deps"]
    where = ["--no-build-isolation", "--target", str(built), str(source)]
    subprocess.run([*pip, *where], check=True, timeout=180)
    capfd.readouterr()
    plugged = {"PYTHONPATH": os.pathsep.join([str(built), *sys.path])}
    assert run(ASK, tmp_path, **plugged) == "{'percent': 12} type"
    listed = "from argwright.cli.main import main\nmain(['rules'])\n"
    assert "percent-sign" in run(listed, tmp_path, **plugged)
    proved = "from argwright.cli.main import main\nprint(main(['rules', 'check', 'our_rules']))\n"
    assert run(proved, tmp_path, **plugged) == "0"


# --- engines

FRAMES = {
    "local": "import pyarrow.parquet as pq\n"
    "pq.write_table(pa.Table.from_batches([batch]), 'log.parquet')\n"
    "parquet_file = pq.ParquetFile('log.parquet')",
    "daft": "import daft as engine\nframe = engine.from_arrow(pa.Table.from_batches([batch]))",
    "ray": "import ray as engine\n"
    "engine.init(num_cpus=1, object_store_memory=100_000_000, include_dashboard=False, log_to_driver=False)\n"
    "data = engine.data.from_arrow(pa.Table.from_batches([batch]))",
    "spark": "from pyspark.sql import SparkSession\n"
    "session = SparkSession.builder.master('local[1]').config('spark.ui.enabled', 'false').getOrCreate()\n"
    "frame = session.createDataFrame([tuple(row.values()) for row in batch.to_pylist()], batch.schema.names)",
}
ROWS = {
    "local": "cleaned.to_pylist()",
    "daft": "cleaned.to_pylist()",
    "ray": "cleaned.take_all()",
    "spark": "[row.asDict() for row in cleaned.collect()]",
}
QUIET = {
    "DO_NOT_TRACK": "true",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "SPARK_LOCAL_IP": "127.0.0.1",
    "PYSPARK_PYTHON": sys.executable,
}


@pytest.mark.parametrize("engine", FRAMES)
def test_every_engine(engine, tmp_path):
    package = {"local": "pyarrow", "spark": "pyspark"}.get(engine, engine)
    pytest.importorskip(package, reason=f"{package} is not installed")
    if engine == "spark" and not (os.environ.get("JAVA_HOME") or shutil.which("java")):
        pytest.skip("no java for spark")
    parts = block("docs/batch.md", "from argwright.batch.engines import local").split("\n\n")
    (lines,) = [part for part in parts if f"import {engine} " in part]
    told = f"print(json.dumps([[row['status'], row['effective_arguments']] for row in {ROWS[engine]}]))"
    guarded = "".join(f"    {line}\n" for line in [*FRAMES[engine].splitlines(), *lines.splitlines(), told])
    program = f"{code('docs/batch.md')}\nimport json\nif __name__ == '__main__':\n{guarded}"
    assert json.loads(run(program, tmp_path, **QUIET)) == [
        ["valid", '{"script_name":"a.py"}'],
        ["mended", '{"script_name":"a.py","days":2}'],
        ["refused", None],
    ]


# --- what is left

HELD = {
    ("docs/agents.md", "result = aw.run(openai.OpenAI(), messages"),
    ("docs/batch.md", "from argwright.batch.engines import local"),
    ("docs/dashboard.md", "argwright journal stats"),
    ("docs/dashboard.md", "[tools.log_in]"),
    ("docs/dashboard.md", "curl -s"),
    ("docs/gateway.md", "[server]"),
    ("docs/gateway.md", '{"attempts": 1'),
    ("docs/howto/final-answer.md", "box = "),
    ("docs/howto/own-rule.md", "[project.entry-points"),
    ("docs/howto/streaming-ui.md", "async with"),
    ("docs/tutorial.md", "result = aw.run("),
    ("docs/zh/tutorial.md", "result = aw.run("),
}
"""What the tests of shown lines run, here and for the gateway."""
DRAWN = {
    ("docs/architecture.md", "a provider's JSON, SDK object, SSE bytes, or text"),  # the flow of a call
    ("docs/why-a-string.md", '{"name": "get_weather"'),  # a call on the wire
    ("docs/zh/why-a-string.md", '{"name": "get_weather"'),
}
"""What cannot be run: pictures."""
SHOWING = [path for path in DOCUMENTS if shown(path) and path.name != "options.md"]
"""`options.md` is made of the commands themselves."""
COMMAND = re.compile(r"(?P<pip>pip install .+)|(?P<make>make \w+)|(?P<serve>argwright serve .+)")


def commands(text: str) -> list[re.Match[str] | None]:
    return [COMMAND.fullmatch(line.partition("    #")[0].strip()) for line in text.splitlines() if line.strip()]


@pytest.mark.parametrize("path", SHOWING, ids=name)
def test_nothing_is_shown_that_no_test_runs(path):
    left = [text for text in shown(path) if not all(commands(text))]
    known = [begins for page, begins in HELD | DRAWN if page == name(path)]
    assert [text for text in left if not text.strip().startswith(tuple(known))] == []
    assert [begins for begins in known if not any(text.strip().startswith(begins) for text in left)] == []


def test_commands_that_are_shown(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    targets = set(re.findall(r"^([a-z]+):", page("Makefile"), re.MULTILINE))
    found = [one for path in SHOWING for text in shown(path) if all(commands(text)) for one in commands(text)]
    assert len(found) > 10
    for one in found:
        if one["make"]:
            assert one["make"].split()[1] in targets
        if one["serve"] and "--config" not in one["serve"]:
            assert main([*one["serve"].split()[1:], "--check"]) == 0
    assert {line.partition(":")[0] for line in capsys.readouterr().out.splitlines()} == {"flags"}
