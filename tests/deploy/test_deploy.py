"""No engine runs here: what is deployed is checked for its form, and for the names that it shares with the code."""

import json
import re
import shlex
from pathlib import Path

import pytest
import yaml

from argwright.cli.serve import serve
from argwright.proxy.access import HEALTH, METRICS
from argwright.proxy.config import Source, load
from argwright.proxy.metrics import METRICS as DECLARED
from argwright.proxy.metrics import metric_of
from argwright.proxy.settings import ServerLimits

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
DASHBOARD = json.loads((DEPLOY / "grafana/dashboards/argwright.json").read_text("utf-8"))
PORT = 8790


def instructions(name="Dockerfile"):
    """Stages, each a list of instruction and argument; comments and line ends undone."""
    text = re.sub(r"^#.*\n", "", (DEPLOY / name).read_text("utf-8"), flags=re.MULTILINE)
    lines = [line.strip() for line in re.sub(r"\\\n\s*", " ", text).split("\n") if line.strip()]
    stages = []
    for line in lines:
        word, _, rest = line.partition(" ")
        if word == "FROM":
            stages.append([])
        stages[-1].append((word, rest.strip()))
    return stages


def options():
    return {name for option in serve.params for name in (*option.opts, *option.secondary_opts)}


def expressions():
    """Everything that is asked of Prometheus."""
    panels = [panel for panel in DASHBOARD["panels"] if panel["type"] != "row"]
    asked = [target["expr"] for panel in panels for target in panel["targets"]]
    asked += [variable["query"]["query"] for variable in DASHBOARD["templating"]["list"]]
    rules = yaml.safe_load((DEPLOY / "prometheus/rules.yml").read_text("utf-8"))
    return asked + [rule["expr"] for group in rules["groups"] for rule in group["rules"]]


@pytest.mark.parametrize(
    "path",
    sorted([*DEPLOY.rglob("*.y*ml"), *DEPLOY.rglob("*.json")]),
    ids=lambda path: path.relative_to(DEPLOY).as_posix(),
)
def test_every_file_can_be_read(path):
    assert yaml.safe_load(path.read_text("utf-8"))


# --- the image


def test_the_image():
    build, final = instructions()
    known = {
        "FROM", "ENV", "WORKDIR", "RUN", "COPY", "LABEL", "USER", "VOLUME", "EXPOSE", "STOPSIGNAL", "HEALTHCHECK",
        "ENTRYPOINT", "CMD",
    }  # fmt: skip
    assert {word for stage in (build, final) for word, _ in stage} <= known
    assert [rest.split()[0] for stage in (build, final) for word, rest in stage if word == "FROM"] == [
        "python:3.13-slim"
    ] * 2
    said = dict(final)
    assert said["USER"] == "10001:10001"
    assert said["EXPOSE"] == str(PORT)
    assert said["STOPSIGNAL"] == "SIGTERM"
    words = [word for word, _ in final]
    assert words.index("USER") > words.index("RUN")


def test_what_is_copied_exists_and_is_not_ignored():
    ignored = (DEPLOY / "Dockerfile.dockerignore").read_text("utf-8").split()
    copied = [
        source
        for word, rest in instructions()[0]
        if word == "COPY"
        for source in shlex.split(rest)[:-1]
        if not source.startswith("--")
    ]
    assert copied
    for source in copied:
        assert (ROOT / source).exists()
        assert f"!{source}" in ignored


def test_what_runs_in_the_image_is_there():
    _, final = instructions()
    entry = json.loads(dict(final)["ENTRYPOINT"])
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    assert entry[:2] == ["argwright", "serve"]
    assert 'argwright = "argwright.cli.main:main"' in project
    assert {word for word in entry if word.startswith("--")} <= options()
    assert json.loads(dict(final)["CMD"]) == []


def test_the_health_check_asks_what_the_gateway_answers():
    check = dict(instructions()[1])["HEALTHCHECK"]
    command = json.loads(check[check.index("[") :])
    compile(command[-1], "check", "exec")
    assert f"http://127.0.0.1:{PORT}{HEALTH}" in command[-1]


# --- the composition


def test_the_services():
    assert set(COMPOSE["services"]) == {"gateway", "balancer", "prometheus", "grafana"}
    gateway = COMPOSE["services"]["gateway"]
    assert gateway["deploy"]["replicas"] > 1
    assert gateway["read_only"] is True
    assert gateway["cap_drop"] == ["ALL"]
    assert (DEPLOY / gateway["build"]["context"] / gateway["build"]["dockerfile"]).exists()
    assert {word for word in gateway["command"] if word.startswith("--")} <= options()
    assert "ARGWRIGHT_TOKEN" in gateway["environment"]


def test_images_have_a_version():
    images = [service["image"] for service in COMPOSE["services"].values() if "build" not in service]
    assert len(images) == 3
    assert all(re.search(r":v?\d+\.\d+", image) for image in images)


def test_what_is_mounted_exists():
    for service in COMPOSE["services"].values():
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            assert (DEPLOY / source).exists() if source.startswith(".") else source in COMPOSE["volumes"]


def test_only_the_balancer_is_for_others_and_on_this_machine():
    for service in COMPOSE["services"].values():
        assert all(port.startswith("127.0.0.1:") for port in service.get("ports", []))
    assert "ports" not in COMPOSE["services"]["gateway"]


def test_streams_have_time_to_finish():
    given = COMPOSE["services"]["gateway"]["stop_grace_period"]
    assert int(given.removesuffix("s")) > ServerLimits().grace


def test_the_gateways_settings_are_right():
    text = (DEPLOY / "gateway.toml").read_text("utf-8")
    settings = load(Source(text=text, environ={"ARGWRIGHT_TOKEN": "t"}, flags={("server", "host"): "0.0.0.0"}))
    volumes = [volume.split(":") for volume in COMPOSE["services"]["gateway"]["volumes"]]
    mounted = [Path(target) for source, target, *_ in volumes if source == "journal"]
    assert [settings.journal.path.parent] == mounted


def test_the_balancer_lets_streams_pass():
    text = (DEPLOY / "nginx.conf").read_text("utf-8")
    assert text.count("{") == text.count("}")
    lines = [line.split("#")[0].strip() for line in text.split("\n")]
    assert all(not line or line.endswith((";", "{", "}")) for line in lines)
    for wanted in ("proxy_buffering off;", "proxy_request_buffering off;", f"server gateway:{PORT} "):
        assert any(line.startswith(wanted) for line in lines)


# --- Prometheus and Grafana


def test_prometheus_finds_every_replica():
    config = yaml.safe_load((DEPLOY / "prometheus/prometheus.yml").read_text("utf-8"))
    (job,) = config["scrape_configs"]
    assert job["metrics_path"] == METRICS
    (found,) = job["dns_sd_configs"]
    assert (found["names"], found["port"]) == (["gateway"], PORT)
    assert all((DEPLOY / "prometheus" / name).exists() for name in config["rule_files"])


@pytest.mark.parametrize("expression", expressions())
def test_every_metric_and_label_exists(expression):
    names = set(re.findall(r"argwright_\w+", expression))
    assert names
    labels = {label for name in names for label in DECLARED[metric_of(name)].labels}
    for name in names:
        metric = DECLARED[metric_of(name)]
        assert (metric.kind == "histogram") == name.endswith(("_bucket", "_sum", "_count"))
    used = set(re.findall(r"[{,]\s*(\w+)\s*(?:=~|!~|!=|=)", expression))
    for group in re.findall(r"by \(([^)]*)\)", expression):
        used |= {label.strip() for label in group.split(",")}
    assert used <= labels | {"le", "instance"}
    assert expression.count("(") == expression.count(")")


def test_the_dashboard():
    panels = DASHBOARD["panels"]
    ids = [panel["id"] for panel in panels]
    assert len(set(ids)) == len(ids)
    assert all(panel["title"] for panel in panels)
    source = yaml.safe_load((DEPLOY / "grafana/provisioning/datasources/prometheus.yml").read_text("utf-8"))
    known = {one["uid"] for one in source["datasources"]}
    assert {panel["datasource"]["uid"] for panel in panels if "datasource" in panel} == known


def test_the_panels_do_not_overlap():
    places = [panel["gridPos"] for panel in DASHBOARD["panels"]]
    cells = [(x, y) for at in places for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])]  # fmt: skip
    assert len(set(cells)) == len(cells)
    assert all(x < 24 for x, _ in cells)


def test_the_dashboard_shows_every_metric():
    shown = {metric_of(name) for expression in expressions() for name in re.findall(r"argwright_\w+", expression)}
    assert set(DECLARED) == shown


def test_grafana_is_told_where_it_lies():
    provider = yaml.safe_load((DEPLOY / "grafana/provisioning/dashboards/argwright.yml").read_text("utf-8"))
    folder = provider["providers"][0]["options"]["path"]
    grafana = COMPOSE["services"]["grafana"]
    assert f"./grafana/dashboards:{folder}:ro" in grafana["volumes"]
    home = grafana["environment"]["GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH"]
    assert home == f"{folder}/argwright.json"
