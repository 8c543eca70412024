import pytest

from argwright.cli.main import main

FILE = """
[[upstreams]]
url = "http://host/v1"

[tools.search]
aliases = { q = "query" }
"""


@pytest.fixture
def config(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ARGWRIGHT_TOKEN", raising=False)

    def write(text):
        (tmp_path / "gateway.toml").write_text(text, "utf-8")
        return "gateway.toml"

    return write


def test_a_good_file(config, capsys):
    assert main(["serve", "--config", config(FILE), "--check"]) == 0
    out, err = capsys.readouterr()
    assert (out, err) == (
        "gateway.toml: ok, 1 upstream, on_invalid pass, 1 tool with settings, journal metadata, 127.0.0.1:8790\n",
        "",
    )


def test_flags_go_first(config, capsys):
    words = ["--port", "9", "--on-invalid", "retry", "--journal", "off", "--upstream", "http://x", "--workers", "3"]
    assert main(["serve", "--config", config(FILE), "--check", *words]) == 0
    assert capsys.readouterr().out == (
        "gateway.toml: ok, 1 upstream, on_invalid retry, 1 tool with settings, journal off, 127.0.0.1:9\n"
    )


def test_flags_alone(config, capsys):
    assert main(["serve", "--check"]) == 0
    assert capsys.readouterr().out == (
        "flags: ok, 0 upstreams, on_invalid pass, 0 tools with settings, journal metadata, 127.0.0.1:8790\n"
    )


def test_every_fault_of_a_file(config, capsys):
    text = FILE + "\n[server]\nprot = 1\n[mending]\nretries = 'many'\n"
    assert main(["serve", "--config", config(text), "--check"]) == 2
    out, err = capsys.readouterr()
    assert (out, err) == (
        "",
        (
            "argwright: gateway.toml:9: server.prot: no such key (did you mean 'port'?)\n"
            "gateway.toml:11: mending.retries: a whole number from 0 to 10 was expected, found 'many'\n"
        ),
    )


@pytest.mark.parametrize("check", [["--check"], []])
def test_without_check_a_fault_is_told_as_well(config, capsys, check):
    assert main(["serve", "--config", config("[server"), *check]) == 2
    assert capsys.readouterr().err.startswith("argwright: gateway.toml:1: ")


def test_a_file_that_is_not_there(config, capsys):
    assert main(["serve", "--config", "no.toml"]) == 2
    assert "no.toml: No such file or directory" in capsys.readouterr().err


def test_a_file_that_is_no_utf8(config, capsys, tmp_path):
    (tmp_path / "gateway.toml").write_bytes(b"# \xff")
    assert main(["serve", "--config", "gateway.toml"]) == 2
    assert "gateway.toml: UTF-8 was expected, byte 2 is none" in capsys.readouterr().err


def test_a_byte_order_mark_is_passed_over(config, tmp_path):
    (tmp_path / "gateway.toml").write_bytes(b"\xef\xbb\xbf[server]\nport = 1\n")
    assert main(["serve", "--config", "gateway.toml", "--check"]) == 0


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--upstream", "host"], "--upstream: an address such as https://host/v1 was expected, found 'host'"),
        (["--port", "70000"], "--port: a whole number from 0 to 65535 was expected, found 70000"),
        (["--host", "0.0.0.0"], "flags: server.token: a token was expected for the host '0.0.0.0'"),
        (["--on-invalid", "maybe"], "'maybe' is not one of 'pass', 'retry', 'error'"),
        (["--token", "a b"], "--token: a token of printable ASCII characters without blanks was expected"),
    ],
)
def test_a_wrong_flag(config, capsys, words, told):
    assert main(["serve", *words]) == 2
    assert told in capsys.readouterr().err


def test_a_token_from_the_environment(config, monkeypatch):
    monkeypatch.setenv("ARGWRIGHT_TOKEN", "t")
    assert main(["serve", "--host", "0.0.0.0", "--check"]) == 0


def test_without_the_extra(config, monkeypatch, capsys):
    monkeypatch.setattr("argwright.cli.serve.find_spec", lambda _name: None)
    assert main(["serve"]) == 2
    assert capsys.readouterr().err == (
        "argwright: the gateway needs aiohttp; install it with: pip install 'argwright[proxy]'\n"
    )
