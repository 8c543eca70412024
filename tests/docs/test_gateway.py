"""The reference of the gateway says what the code says: every key, default, status, code, metric and label."""

import re
from pathlib import Path

import pytest

from argwright.policy import Limits
from argwright.proxy import config
from argwright.proxy.config import Source, load
from argwright.proxy.metrics import METRICS
from argwright.proxy.refusals import Code, Refusal
from argwright.proxy.settings import GatewaySettings, UpstreamSettings

TEXT = (Path(__file__).parents[2] / "docs" / "gateway.md").read_text("utf-8")
SETTINGS = GatewaySettings()


def rows(title):
    """The rows of the table below a heading: cells without their backticks."""
    part = re.split(r"^#+ ", TEXT.partition(f" {title}\n")[2], flags=re.MULTILINE)[0]
    lines = [line for line in part.split("\n") if line.startswith("| `") or re.match(r"\| \d", line)]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def plain(cell):
    return re.findall(r"`([^`]*)`", cell)


def as_toml(value):
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{value}"'
    return "[]" if value in {(), frozenset()} else str(value)


SECTIONS = [
    ("`[server]`", "server", SETTINGS.server),
    ("`[limits]`", "limits", SETTINGS.server.limits),
    ("`[mending]`", "mending", SETTINGS.mending),
    ("`[journal]`", "journal", SETTINGS.journal),
    ("`[monitor]`", "monitor", SETTINGS.monitor),
]
SAID_OTHERWISE = {"token", "alert_webhook", "policy", "path", "limits"}  # no default in the settings, or no plain value


@pytest.mark.parametrize(("title", "section", "values"), SECTIONS)
def test_every_key_with_its_default(title, section, values):
    told = {plain(key)[0]: plain(default) for key, default, _ in rows(title)}
    known = set(config._SECTIONS[section]) | ({"limits"} if section == "mending" else set())
    assert set(told) == known
    for key in known - SAID_OTHERWISE:
        assert told[key] == [as_toml(getattr(values, key))], key


def test_upstreams_and_tools():
    assert {plain(key)[0] for key, *_ in rows("`[[upstreams]]`")} == set(config._UPSTREAM)
    defaults = {plain(key)[0]: plain(default) for key, default, _ in rows("`[[upstreams]]`") if plain(default)}
    one = UpstreamSettings(url="")
    assert defaults == {key: [as_toml(getattr(one, key))] for key in ("name", "prefix", "models")}
    assert {plain(key)[0] for key, *_ in rows("`[tools.NAME]`")} == set(config._TOOL)


def test_the_limits_of_a_call():
    (row,) = [row for row in rows("`[mending]`") if plain(row[0]) == ["limits"]]
    limits = Limits()
    assert re.findall(r"`(\w+)` \((\d+)\)", row[2]) == [
        (name, str(getattr(limits, name))) for name in ("max_chars", "max_depth", "max_repairs")
    ]


def test_every_code_with_its_status():
    told = {code: int(status) for status, codes, _ in rows("Errors of the gateway itself") for code in plain(codes)}
    assert told == {code.value: Refusal(code, "").status for code in Code}


def test_every_metric_with_its_labels():
    told = {plain(name)[0]: tuple(plain(labels)) for name, labels, _ in rows("Counters")}
    assert told == {name: metric.labels for name, metric in METRICS.items()}


def test_the_example_is_right():
    (example,) = re.findall(r"```toml\n(.*?)```", TEXT, flags=re.DOTALL)
    settings = load(Source(text=example, environ={"HOME": "/"}))
    assert [one.name for one in settings.upstreams] == ["openai", "local", "azure"]
    assert set(settings.mending.tools) == {"search_products"}
