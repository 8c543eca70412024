from pathlib import Path

import pytest

from argwright.policy import Certainty, Limits, Policy
from argwright.proxy.config import ConfigError, Source, load
from argwright.proxy.settings import (
    GatewaySettings,
    JournalSettings,
    Mending,
    MonitorSettings,
    ServerLimits,
    ServerSettings,
    ToolSettings,
    UpstreamSettings,
)

HOME = {"HOME": "/home/someone"}
JOURNAL = JournalSettings(path=Path("/home/someone/.local/state/argwright/journal.sqlite3"))

WHOLE = """
[server]
host = "0.0.0.0"
port = 9000
workers = 4
token = "s3cret"
public_metrics = false

[limits]
max_body = 1000
max_reply = 2000
max_streams = 30
connect = 1
first_byte = 2.5
idle = 0
total = 4
client_idle = 5
grace = 6

[[upstreams]]
url = "https://api.openai.com/v1"
name = "openai"
models = ["gpt-*", "o[0-9]*"]

[[upstreams]]
url = "https://api.anthropic.com"
prefix = "/claude/"

[mending]
on_invalid = "retry"
retries = 1
on_stall = "reask"
optimistic = true
policy = "exact"
without = ["enum-spelling"]
history = false
limits = { max_chars = 10, max_depth = 20, max_repairs = 0 }

[tools.search]
aliases = { q = "query", "/items/*/article" = "sku" }
value_aliases.unit = { c = "celsius", 1 = 2 }
name_aliases = ["find"]
sensitive = ["password", "/user/token"]
policy = { certainty = "guess", spelling = false, split_glued = true, drop_undeclared = true }

[tools."名字 a.b"]
policy = { certainty = "none" }

[journal]
mode = "full"
path = "data/journal.sqlite3"
max_days = 7
max_mb = 0.5

[monitor]
alert_after = 5
alert_webhook = "https://hooks.example/secret"
telemetry = true
"""

SETTINGS = GatewaySettings(
    upstreams=(
        UpstreamSettings(url="https://api.openai.com/v1", name="openai", models=("gpt-*", "o[0-9]*")),
        UpstreamSettings(url="https://api.anthropic.com", name="upstream-2", prefix="/claude"),
    ),
    mending=Mending(
        on_invalid="retry", retries=1, on_stall="reask", optimistic=True, policy=Policy.EXACT,
        limits=Limits(10, 20, 0), without=frozenset({"enum-spelling"}), history=False,
        tools={
            "search": ToolSettings(
                aliases={"q": "query", "/items/*/article": "sku"},
                value_aliases={"unit": {"c": "celsius", "1": 2}},
                name_aliases=("find",),
                sensitive=("password", "/user/token"),
                policy=Policy(Certainty.GUESS, spelling=False, split_glued=True, drop_undeclared=True),
            ),
            "名字 a.b": ToolSettings(policy=Policy(None)),
        },
    ),
    journal=JournalSettings(mode="full", path=Path("/etc/gw/data/journal.sqlite3"), max_days=7.0, max_mb=0.5),
    monitor=MonitorSettings(alert_after=5, alert_webhook="https://hooks.example/secret", telemetry=True),
    server=ServerSettings(
        host="0.0.0.0", port=9000, workers=4, token="s3cret", public_metrics=False,
        limits=ServerLimits(
            max_body=1000, max_reply=2000, max_streams=30, connect=1.0, first_byte=2.5, idle=0.0, total=4.0,
            client_idle=5.0, grace=6.0,
        ),
    ),
)  # fmt: skip


def faults(text, **more):
    with pytest.raises(ConfigError) as caught:
        load(Source(text=text, environ=HOME, **more))
    return str(caught.value).split("\n")


def test_everything():
    assert load(Source(text=WHOLE, folder=Path("/etc/gw"), environ=HOME)) == SETTINGS


def test_nothing():
    assert load(Source(environ=HOME)) == GatewaySettings(journal=JOURNAL)


def test_secrets_are_not_shown():
    shown = repr(load(Source(text=WHOLE, environ=HOME)))
    assert "s3cret" not in shown
    assert "secret" not in shown


FAULTS = [
    ("# x\nport = 1", ["gateway.toml:2: port: no such key here; it belongs below [server]"]),
    ("[sever]\nport = 1", ["gateway.toml:1: sever: no such key (did you mean 'server'?)"]),
    ("[server]\n\nprot = 1", ["gateway.toml:3: server.prot: no such key (did you mean 'port'?)"]),
    (
        "[server]\nport = '1'\nworkers = 0\nhost = ''",
        [
            "gateway.toml:2: server.port: a whole number from 0 to 65535 was expected, found '1'",
            "gateway.toml:3: server.workers: a whole number from 1 to 256 was expected, found 0",
            "gateway.toml:4: server.host: a string that is not empty was expected, found ''",
        ],
    ),
    ("[server]\nport = true", ["gateway.toml:2: server.port: a whole number from 0 to 65535 was expected, found true"]),
    ("[server]\npublic_metrics = 1", ["gateway.toml:2: server.public_metrics: true or false was expected, found 1"]),
    (
        "[server]\ntoken = 'a b'",
        ["gateway.toml:2: server.token: a token of printable ASCII characters without blanks was expected"],
    ),
    ("server = 5", ["gateway.toml:1: server: a table was expected, found 5"]),
    ("[limits]\nidle = -1", ["gateway.toml:2: limits.idle: a number of at least 0 was expected, found -1"]),
    ("[limits]\nidle = nan", ["gateway.toml:2: limits.idle: a number of at least 0 was expected, found nan"]),
    ("[journal]\nmax_mb = 0", ["gateway.toml:2: journal.max_mb: a number above 0 was expected, found 0"]),
    (
        "[mending]\non_invalid = 'retri'",
        [
            ("gateway.toml:2: mending.on_invalid: one of pass, retry, error was expected, found 'retri' (did you mean "
            "'retry'?)")
        ],
    ),
    ("[mending]\nlimits.max_char = 1", ["gateway.toml:2: mending.limits.max_char: no such key (did you mean 'max_chars'?)"]),
    ("[mending]\npolicy = 3", ["gateway.toml:2: mending.policy: one of strict, exact, standard, lenient, or a table, was expected, found 3"]),
    (
        "[mending.policy]\ncertainty = 'sure'",
        ["gateway.toml:2: mending.policy.certainty: one of exact, likely, guess, none was expected, found 'sure'"],
    ),
    ("[mending]\nwithout = ['a', 'b', 'a']", ["gateway.toml:2: mending.without[2]: 'a' stands twice in the list"]),
    ("[mending]\nwithout = 'a'", ["gateway.toml:2: mending.without: a list of strings was expected, found 'a'"]),
    ("upstreams = 'http://x'", ["gateway.toml:1: upstreams: one table [[upstreams]] for each upstream was expected"]),
    ("[[upstreams]]\nname = 'a'", ["gateway.toml:1: upstreams[0]: an upstream needs its 'url'"]),
    (
        "[[upstreams]]\nurl = 'api.openai.com'",
        ["gateway.toml:2: upstreams[0].url: an address such as https://host/v1 was expected, found 'api.openai.com'"],
    ),
    (
        "[[upstreams]]\nurl = 'http://host:99999/v1'",
        [
            ("gateway.toml:2: upstreams[0].url: an address such as https://host/v1 was expected: Port out of range "
            "0-65535")
        ],
    ),
    (
        "[[upstreams]]\nurl = 'https://me:sk-1@host/v1'",
        [
            ("gateway.toml:2: upstreams[0].url: an address without user and password was expected: clients send their "
            "own key")
        ],
    ),
    (
        "[[upstreams]]\nurl = 'http://a'\nprefix = 'x'",
        ["gateway.toml:3: upstreams[0].prefix: a path such as '/name' was expected, found 'x'"],
    ),
    (
        "[[upstreams]]\nurl = 'http://a'\nprefix = '/_argwright/x'",
        ["gateway.toml:3: upstreams[0].prefix: /_argwright holds the gateway's own pages"],
    ),
    (
        "[[upstreams]]\nurl='http://a'\nname='a'\n[[upstreams]]\nurl='http://b'\nname='a'\nprefix='/b'",
        ["gateway.toml:6: upstreams[1].name: another upstream has the name 'a'"],
    ),
    (
        "[[upstreams]]\nurl='http://a'\nprefix='/a'\n[[upstreams]]\nurl='http://b'\n\nprefix='/a'",
        [
            ("gateway.toml:7: upstreams[1].prefix: requests for any model under '/a' go to upstream 'upstream-1', this "
            "one would never be asked")
        ],
    ),
    (
        "[[upstreams]]\nurl='http://a'\nmodels=['x']\n[[upstreams]]\nurl='http://b'\nmodels=[\n'y', 'x']",
        [
            ("gateway.toml:6: upstreams[1].models: requests for the model 'x' go to upstream 'upstream-1', this one "
            "would never be asked")
        ],
    ),
    ("[tools]\nsearch = 1", ["gateway.toml:2: tools.search: a table was expected, found 1"]),
    ("[tools.search]\nalias = {}", ["gateway.toml:2: tools.search.alias: no such key (did you mean 'aliases'?)"]),
    ("[tools.search.aliases]\nq = 'q'", ["gateway.toml:2: tools.search.aliases.q: the alias leads to itself"]),
    ("[tools.search.aliases]\nq = '/q'", ["gateway.toml:2: tools.search.aliases.q: the alias leads to itself"]),
    (
        "[tools.'a b'.aliases]\nx = 'y'\ny = 'z'",
        ["gateway.toml:2: tools.'a b'.aliases.x: the alias leads to 'y', which is an alias itself"],
    ),
    ("[tools.s]\naliases.a = 1", ["gateway.toml:2: tools.s.aliases.a: the new name of a field was expected, found 1"]),
    (
        "[tools.s.value_aliases.unit]\nc = 'c'",
        ["gateway.toml:2: tools.s.value_aliases.unit.c: the value leads to itself"],
    ),
    (
        "[tools.s.value_aliases.unit]\na = 'b'\nb = 'c'",
        ["gateway.toml:2: tools.s.value_aliases.unit.a: the value leads to 'b', which is an alias itself"],
    ),
    (
        "[tools.s]\nvalue_aliases.unit = 1",
        ["gateway.toml:2: tools.s.value_aliases.unit: a table of old values and new ones was expected, found 1"],
    ),
    ("[tools.s]\nname_aliases = ['s']", ["gateway.toml:2: tools.s.name_aliases: 's' is the tool's own name"]),
    (
        "[tools.a]\nname_aliases = ['c']\n[tools.b]\nname_aliases = ['c', 'a']",
        [
            "gateway.toml:4: tools.b.name_aliases: 'c' is a name of the tool 'a'",
            "gateway.toml:4: tools.b.name_aliases: 'a' is a name of the tool 'a'",
        ],
    ),
    ("[monitor]\nalert_webhook = 'secret'", ["gateway.toml:2: monitor.alert_webhook: an address such as https://host/path was expected"]),
    ("[server]\nport = ", ["gateway.toml:2: port: invalid value"]),
    ('[server]\nhost = "a\nport = 1\n', ["gateway.toml:2: host: illegal character '\\n'"]),
    ("[server]\n[limits]\n[server]\n", ["gateway.toml:3: cannot declare ('server',) twice"]),
    ("[server]\nport = 1\nport = 2", ["gateway.toml:3: port: cannot overwrite a value"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "told"), FAULTS)
def test_every_fault_is_told_with_line_and_key(text, told):
    assert faults(text) == told


def test_a_rule_that_is_none():
    (told,) = faults("[mending]\nwithout = ['enum-spellin']")
    assert told.startswith("gateway.toml:2: mending.without: ")
    assert "'enum-spellin'" in told


def test_all_faults_of_a_file_in_the_order_of_its_lines():
    told = faults("[tools.s.aliases]\nq='q'\n[server]\nprt=1\n[[upstreams]]\nurl='x'\n[journal]\nmode='on'")
    assert [line.split(": ")[0] for line in told] == [f"gateway.toml:{n}" for n in (2, 4, 6, 8)]


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "127.8.8.8"])
def test_loopback_needs_no_token(host):
    assert load(Source(text=f"[server]\nhost = '{host}'", environ=HOME)).server.token is None


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "10.0.0.7", "gateway.example"])
def test_any_other_host_needs_one(host):
    (told,) = faults(f"[server]\nhost = '{host}'")
    assert told.startswith(f"gateway.toml: server.token: a token was expected for the host '{host}'")
    assert load(Source(text=f"[server]\nhost = '{host}'", environ={**HOME, "ARGWRIGHT_TOKEN": "t"})).server.token == "t"


def test_proxies_of_the_environment_are_looked_at_where_they_are_wanted():
    environ = {**HOME, "HTTPS_PROXY": "socks5://me:secret@proxy:1080"}
    assert not load(Source(environ=environ)).server.proxy_from_env
    with pytest.raises(ConfigError) as error:
        load(Source(environ=environ, text="[server]\nproxy_from_env = true"))
    assert str(error.value) == "HTTPS_PROXY: the address of a proxy such as http://host:3128 was expected"
    wanted = {("server", "proxy_from_env"): True}
    assert load(Source(environ={**HOME, "https_proxy": "proxy:1080"}, flags=wanted)).server.proxy_from_env


def test_flags_go_before_environment_before_file():
    text = "[server]\ntoken = 'file'\nport = 1\n[limits]\ngrace = 1\nidle = 9\n[[upstreams]]\nurl = 'http://file'"
    environ = {**HOME, "ARGWRIGHT_TOKEN": "environment", "ARGWRIGHT_ALERT_WEBHOOK": "https://h/x"}
    flags = {("server", "port"): 2, ("limits", "grace"): 3.0, ("upstreams", "url"): "http://flag/v1"}
    settings = load(Source(text=text, environ=environ, flags=flags))
    assert settings == GatewaySettings(
        upstreams=(UpstreamSettings(url="http://flag/v1"),),
        journal=JOURNAL,
        monitor=MonitorSettings(alert_webhook="https://h/x"),
        server=ServerSettings(token="environment", port=2, limits=ServerLimits(grace=3.0, idle=9.0)),
    )
    assert load(Source(environ=environ, flags={("server", "token"): "flag"})).server.token == "flag"


def test_a_fault_in_a_flag_is_told_with_the_flag():
    flags = {("upstreams", "url"): "localhost:8000", ("journal", "path"): "", ("server", "port"): -1}
    assert faults("[server]\nport = 'x'", flags=flags) == [
        "gateway.toml:2: server.port: a whole number from 0 to 65535 was expected, found 'x'",
        "--upstream: an address such as https://host/v1 was expected, found 'localhost:8000'",
        "--journal-path: a string that is not empty was expected, found ''",
        "--port: a whole number from 0 to 65535 was expected, found -1",
    ]


@pytest.mark.parametrize(
    ("environ", "path"),
    [
        (HOME, "/home/someone/.local/state/argwright/journal.sqlite3"),
        ({**HOME, "XDG_STATE_HOME": "/var/state"}, "/var/state/argwright/journal.sqlite3"),
    ],
)
def test_a_journal_that_nobody_placed(environ, path):
    assert load(Source(environ=environ)).journal.path == Path(path)
    assert load(Source(text="[journal]\nmode = 'off'", environ=environ)).journal.path is None
