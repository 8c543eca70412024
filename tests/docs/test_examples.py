"""Every example as its user runs it: from the command line, with the official SDKs, on a real socket."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from typing import Any

import anthropic
import openai
import pytest

from argwright.testing import Cut, Request, ScriptedServer, deepseek, history_checked

APIS = ("openai", "responses", "anthropic")
SDKS = {"openai": openai, "responses": openai, "anthropic": anthropic}


def test_offline_check(repository):
    done = subprocess.run(
        [sys.executable, "-X", "utf8", repository / "examples" / "offline_check.py"],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        "正常：ok {'location': '上海'}",
        "非法 JSON：json_error 参数不是合法 JSON",
        "缺必填：schema_error 缺少必填 ['location']",
        "未注册：unknown_tool 未注册工具 delete_all",
    ]


@pytest.mark.parametrize(
    ("api", "package"), [("openai", "openai"), ("responses", "openai"), ("anthropic", "anthropic")]
)
def test_an_example_without_its_sdk_says_what_to_install(repository, api, package):
    main = f"import sys; sys.modules[{package!r}] = None; import own_loop; own_loop.main(['--api', {api!r}, '--model', 'm'])"
    done = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", main],
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(repository / "examples"), *sys.path])},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.returncode, done.stderr) == (1, f"--api {api} needs the SDK: pip install '.[{package}]'\n")


@pytest.fixture
def play(monkeypatch, repository, capsys):
    """Run an example against a script; what it prints, what it tells on standard error, and what it asked."""
    monkeypatch.syspath_prepend(repository / "examples")
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.setenv(name, "-")
    clients: list[Any] = []

    def run(example: str, api: str, script: list[Any], *more: str, refuses: Any = ()) -> tuple[str, str, list[Request]]:
        module = importlib.reload(importlib.import_module(example))  # what it counted before is forgotten
        monkeypatch.setattr(importlib.import_module("connecting"), "_client", client)
        with ScriptedServer(script, refuses=(history_checked, *refuses)) as server:
            base = server.root if api == "anthropic" else server.url
            module.main(["--api", api, "--base-url", base, "--model", "m-1", *more])
            for made in clients:
                made.close()
        printed = capsys.readouterr()
        return printed.out, printed.err, server.requests

    def client(api: str, base_url: str) -> Any:
        """As the example's own, but it reads no certificates and asks once."""
        http = SDKS[api].DefaultHttpxClient(verify=False)
        maker = anthropic.Anthropic if api == "anthropic" else openai.OpenAI
        clients.append(maker(base_url=base_url, http_client=http, max_retries=0))
        return clients[-1]

    return run


def messages(request: Request) -> str:
    return str(request.body.get("messages") or request.body.get("input"))


GOOD = {"reply": "有货，199 元。", "tags": ["库存", "价格"], "transfer": False, "confidence": 0.9}


@pytest.mark.parametrize("api", APIS)
def test_customer_service(play, api):
    notice = ("notify_staff", {"topic": "补货", "message": "客户想要 20 盏"})
    script = [
        ("format_response", GOOD),  # too early
        ("query_product", "```json\n{'q': '台灯',}\n```"),
        notice,
        ("query_product", {"keyword": "落地灯"}),
        notice,  # once is enough
        ("format_response", {**GOOD, "confidence": 7}),
        ("format_response", GOOD),
    ]
    out, err, asked = play("customer_service", api, script)
    assert out.splitlines() == [
        "有货，199 元。",
        "标签：库存、价格；转人工：否；把握：0.9",
        "已通知人工（补货）：客户想要 20 盏",
    ]
    assert (err, len(asked)) == ("", 7)
    assert "请先调用 query_product" in messages(asked[1])
    assert "护眼台灯" in messages(asked[2])
    assert "was called before with the same arguments" in messages(asked[5])
    assert "/confidence" in messages(asked[6])


@pytest.mark.parametrize("api", APIS)
def test_customer_service_takes_a_text_when_reminding_does_not_help(play, api):
    out, _, asked = play("customer_service", api, [("query_product", {"keyword": "椅"}), "有椅子。", "有，899 元。"])
    assert out.splitlines() == ["有，899 元。", "标签：无；转人工：是；把握：0.3"]
    assert "format_response" in messages(asked[2])


def test_customer_service_tells_who_is_on_duty(play):
    out, err, _ = play("customer_service", "openai", [("query_product", {"word": "灯"})] * 4)
    assert out == "没有答复（budget）\n"
    assert err.startswith("3 × schema_error (query_product): check the tool's definition")


def report(value: Any) -> dict[str, Any]:
    return {"title": "Gulls", "summary": "Most in 上海.", "figures": [{"label": "上海", "value": value}]}


@pytest.mark.parametrize("api", APIS)
def test_data_report(play, api):
    script = [
        ("query_database", {"sql": "select harbor, sum(n) from sightings group by 1"}),
        ("query_database", '{"query": "select harbour, sum(n) as n from sightings where bird = \'gull\' group by 1"}'),
        ("query_database", {"sql": "delete from sightings"}),
        ("submit_report", report("59")),
    ]
    out, _, asked = play("data_report", api, script)
    assert out.splitlines() == [
        "Gulls",
        "",
        "Most in 上海.",
        "",
        f"{'上海':<12}      59 birds",
        "",
        "3 queries, 4 requests",
    ]
    assert "no such column: harbor" in messages(asked[1])
    assert "59" in messages(asked[2])
    assert "readonly database" in messages(asked[3])


CHART = {"kind": "chart", "label": "月度销售", "style": {"height": "320px"}}
TABLE = {
    "kind": "table",
    "label": "明细",
    "visible_when": {"field": "region", "operator": "not_equals", "value": ""},
    "options": ["华东", "华北"],
}


def page(*components: dict[str, Any], **named: Any) -> dict[str, Any]:
    named = named or {"title": "销售概览"}
    return {**named, "route": "/sales", "sections": [{"heading": "概览", "components": list(components)}]}


@pytest.mark.parametrize("api", APIS)
def test_page_config(play, api):
    right = {**CHART, "data_source": "/api/sales"}
    odd = {**TABLE, "visible_when": {"field": "region", "operator": "is not", "value": ""}}
    script = [("submit_page", page(CHART, odd)), ("submit_page", page(right, TABLE, name="销售概览"))]
    out, _, asked = play("page_config", api, script)
    assert len(asked) == 2
    for place in ("/sections/0/components/0/data_source", "/sections/0/components/1/visible_when/operator"):
        assert place in messages(asked[1])
        assert f"第 1 次提交 {place}" in out
    assert "第 2 次提交 /title：alias（自动修正）" in out
    assert '"data_source": "/api/sales"' in out
    assert "没有生成" not in out


@pytest.mark.parametrize("api", APIS)
def test_renamed_tool(play, api):
    script = [
        ("find_items", {"q": "lamp", "max": 2, "sort_by": "cheap"}),
        ("search_products", {"q": "lamp", "query": "shade"}),
        ("find_item", {"q": "lamp"}),
        "A lamp shade and a desk lamp.",
    ]
    out, _, asked = play("renamed_tool", api, script)
    lines = out.splitlines()
    assert lines[0].startswith("find_items → search_products {'query': 'lamp', 'limit': 2, 'order': 'price'}; ")
    assert lines[1].startswith("search_products: schema_error/alias_conflict")
    assert lines[2].startswith("find_item: unknown_tool/unknown")
    assert lines[3:] == ["A lamp shade and a desk lamp."]
    assert "desk lamp" in messages(asked[1])
    assert "find_items" not in str(asked[0].body["tools"])
    assert [name for name in ("'query'", '"query"') if name in messages(asked[1])]


@pytest.mark.parametrize("api", ["openai", "anthropic"])
def test_own_loop(play, api):
    script = [
        [("get_weather", "{'place': '上海', days: 2}"), ("get_wether", {})],
        Cut(("get_weather", {"city": "上海"})),
        ("get_weather", {"city": 3}),
        "晴。",
    ]
    out, _, asked = play("own_loop", api, script)
    lines = out.splitlines()
    assert (lines[0], len(asked)) == ("晴。", 4)
    assert "上海: 晴, 21 °C" in messages(asked[1])
    assert "Unknown function: get_wether" in messages(asked[1])
    assert "cut off" in messages(asked[2])
    assert "/city" in messages(asked[3])
    for counted in ("1 × calls: get_weather valid ", "1 × calls: (unknown) unknown_tool unknown",
                    "1 × calls: get_weather json_error truncated", "1 × calls: get_weather schema_error type"):  # fmt: skip
        assert counted in lines


def test_a_service_that_thinks_takes_the_examples(play):
    out, _, _ = play("customer_service", "openai", [("query_product", {"keyword": "灯"}), ("format_response", GOOD)],
                     refuses=(deepseek,))  # fmt: skip
    assert out.startswith("有货，199 元。")


def test_as_a_user_starts_it(repository):
    with ScriptedServer([("get_weather", {"city": "上海"}), "晴。"]) as server:
        done = subprocess.run(
            [
                sys.executable,
                "-X",
                "utf8",
                repository / "examples" / "own_loop.py",
                "--base-url",
                server.url,
                "--model",
                "m",
            ],
            capture_output=True,
            encoding="utf-8",
            check=False,
            env={"OPENAI_API_KEY": "-", "PATH": "", **_environment()},
        )
    assert (done.stderr, done.stdout.splitlines()[0]) == ("", "晴。")


def _environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name in ("PYTHONPATH", "SYSTEMROOT", "VIRTUAL_ENV")}
