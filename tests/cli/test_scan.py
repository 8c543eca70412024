from __future__ import annotations

import json

import pytest

from argwright.cli.main import REFUSED
from benchmarks import batch_log


@pytest.fixture
def tools(tmp_path):
    path = tmp_path / "tools.json"
    path.write_text(json.dumps(batch_log.TOOLS))
    return path


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "calls.jsonl"
    batch_log.write(path, 200)
    return path


def test_a_log_is_judged_and_summed_up(run, log, tools, tmp_path):
    ran = run("scan", log, "--tools", tools, "--workers", 1, "--out", tmp_path / "out", "--report", tmp_path / "r.html")
    assert ran.code == 0
    assert "200 calls in 200 lines, " in ran.out
    assert f"1 file in {tmp_path / 'out'}" in ran.out
    assert f"report: {tmp_path / 'r.html'}" in ran.err
    assert (tmp_path / "r.html").read_text().startswith("<!DOCTYPE html>")
    again = run(
        "scan", log, "--tools", tools, "--workers", 1, "--out", tmp_path / "out", "--report", tmp_path / "r2.html"
    )
    assert "1 of 1 parts were done by an earlier run" in again.out
    assert (tmp_path / "r2.html").read_text() == (tmp_path / "r.html").read_text()


def test_what_cannot_be_read_is_named_and_told_by_the_exit_code(run, log, tools):
    with log.open("a") as file:
        file.write("nothing\n")
    ran = run("scan", log, log.parent / "gone.jsonl", "--tools", tools, "--workers", 1)
    assert ran.code == REFUSED
    assert f"{log}:201: no JSON at character 0: expecting value" in ran.out
    assert f"{log.parent / 'gone.jsonl'}: there is no such file, or no log in the folder" in ran.out


def test_without_tools_it_is_said_what_is_missing(run, log):
    ran = run("scan", log, "--workers", 1)
    assert ran.code == 0
    assert "errors are calls whose tools nobody declares, or wrongly: give them with --tools" in ran.out


def test_the_report_in_chinese(run, log, tools, tmp_path):
    run("scan", log, "--tools", tools, "--workers", 1, "--report", tmp_path / "r.html", "--lang", "zh", "--no-texts")
    text = (tmp_path / "r.html").read_text()
    assert '<html lang="zh">' in text
    assert "SKU-" not in text


@pytest.mark.parametrize(("words", "message"), [
    (["--engine", "dask"], "'dask' is not one of"),
    (["--policy", "brave"], "'brave' is not one of"),
    (["--tools", "nowhere.json"], "File 'nowhere.json' does not exist"),
    (["--workers", "0"], "0 is not in the range"),
])  # fmt: skip
def test_misuse(run, log, words, message):
    ran = run("scan", log, *words)
    assert ran.code == 2
    assert message in ran.err


def test_another_scan_s_folder_is_not_mixed(run, log, tools, tmp_path):
    run("scan", log, "--tools", tools, "--workers", 1, "--out", tmp_path / "out")
    ran = run("scan", log, "--tools", tools, "--workers", 1, "--out", tmp_path / "out", "--format", "jsonl")
    assert ran.code == 2
    assert "holds the results of a scan with other form; name another folder, or use --restart" in ran.err
    assert (
        run(
            "scan", log, "--tools", tools, "--workers", 1, "--out", tmp_path / "out", "--format", "jsonl", "--restart"
        ).code
        == 0
    )


def test_a_report_that_cannot_be_written_is_told_before_the_work(run, log, tools, tmp_path):
    ran = run("scan", log, "--tools", tools, "--report", tmp_path / "calls.jsonl" / "r.html")
    assert ran.code == 2
    assert ran.out == ""
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []
