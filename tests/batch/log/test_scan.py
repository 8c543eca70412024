"""A scan from files to files: every line once, whatever is wrong with some, and the same after a kill."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
import time
from functools import partial

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import argwright as aw
from argwright.batch.engines import local
from argwright.batch.log import parts, reading, tables
from argwright.batch.log.inputs import find
from argwright.batch.log.manifest import OtherScanError
from argwright.batch.log.scan import Plan, scan
from argwright.batch.log.work import SCHEMA, Job
from argwright.cli.source import read_tools
from benchmarks import batch_log
from tests.batch.log.test_records import UNKNOWN

BOX = aw.Toolbox([aw.Tool.from_schema(name, schema) for name, schema in batch_log.TOOLS.items()])
ALONE = partial(local.run, workers=1)


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setattr(parts, "BLOCK", 20_000)
    monkeypatch.setattr(parts, "MAX_LINE", 60_000)
    monkeypatch.setattr(parts, "ROWS", 30)
    monkeypatch.setattr(reading, "CHUNK", 37)
    monkeypatch.setattr(tables, "CHUNK", 37)


def scanned(named, out=None, *, engine=ALONE, anew=False, **job):
    sources = find([str(name) for name in named], without=out)
    made = Job(tools=job.pop("tools", BOX), out=None if out is None else str(out), **job)
    return scan(Plan(sources=tuple(sources), job=made, engine=engine, anew=anew))


def rows(out):
    tables = [pq.read_table(path) for path in sorted(out.glob("*.parquet"))]
    return pa.concat_tables(tables).to_pylist() if tables else []


def test_every_line_has_its_row_with_the_answer_of_resolve(tmp_path, small):
    log = tmp_path / "calls.jsonl"
    batch_log.write(log, 600, "rows")
    outcome = scanned([log], tmp_path / "out")
    assert outcome.parts > 5
    found = sorted(rows(tmp_path / "out"), key=lambda row: row["line"])
    assert [(row["line"], row["id"]) for row in found] == [(number + 1, str(number)) for number in range(600)]
    for row, given in zip(found, batch_log.rows(600, "rows"), strict=True):
        outcome_of = BOX.resolve(aw.ToolCall(None, given["name"], given["arguments"], given["finish_reason"]))
        expected = outcome_of.arguments if isinstance(outcome_of, aw.ValidCall) else None
        text = row["effective_arguments"]
        assert (None if text is None else json.loads(text)) == expected
        assert (row["name"], row["arguments"], row["model"]) == (given["name"], given["arguments"], given["model"])
        assert row["at"].timestamp() == given["at"]


def test_the_folder_is_one_table_in_the_order_of_the_log(tmp_path, small):
    log = tmp_path / "calls.jsonl"
    batch_log.write(log, 300)
    scanned([log], tmp_path / "out")
    table = pq.read_table(tmp_path / "out")
    assert table.schema.equals(SCHEMA)
    assert table.column("line").to_pylist() == list(range(1, 301))


@pytest.mark.parametrize("suffix", [".jsonl", ".jsonl.gz", ".parquet"])
def test_each_form_of_file_gives_the_same(tmp_path, small, suffix):
    log = tmp_path / f"calls{suffix}"
    batch_log.write(log, 200, "forms")
    scanned([log], tmp_path / "out")
    told = [
        (row["line"], row["id"], row["status"], row["reason"], row["effective_arguments"])
        for row in rows(tmp_path / "out")
    ]
    cleaned = []
    for number, given in enumerate(batch_log.rows(200, "forms"), start=1):
        outcome = BOX.resolve(aw.ToolCall(None, given["name"], given["arguments"], given["finish_reason"]))
        cleaned.append((number, str(given["id"]), isinstance(outcome, aw.ValidCall)))
    assert [(line, own, text is not None) for line, own, _, _, text in sorted(told)] == cleaned


MIXED = [
    b'{"name": "get_time", "arguments": "{}"}',
    b"not json",
    b"",
    b"   \t",
    b'{"name": "get_time", "arguments": "{\\"zone\\": 5}", "id": 7}',
    b'{"nothing": "known"}',
    b'{"name": "get_time", "arguments": "\xff"}',
    b'{"name": "get_time", "arguments": "{}", "arguments": "[]"}',
    b'{"name": "get_time", "arguments": "{\\"zone\\": \\"\\ud83d\\"}"}',
    b'{"n\\u0061me": "get_time", "name": "get_weather", "arguments": "{}"}',
    b'{"name": "nobody", "arguments": "{}"}',
    b'{"name": "get_time", "arguments": "' + b"x" * 70_000 + b'"}',
    b'{"name": "get_time", "arguments": "{}", "model": "m\xe2\x80\xa8"}',
]  # fmt: skip


@pytest.mark.parametrize("zipped", [False, True])
@pytest.mark.parametrize("ending", [b"\n", b"\r\n"])
def test_bad_lines_are_named_and_passed_over(tmp_path, small, zipped, ending):
    log = tmp_path / "mixed.log"
    data = ending.join(MIXED)
    log.write_bytes(gzip.compress(data) if zipped else data)
    outcome = scanned([log], tmp_path / "out")
    assert [(bad.line, bad.why) for bad in outcome.figures.named] == [
        (2, "no JSON at character 0: expecting value"),
        (6, UNKNOWN + "nothing"),
        (7, "no UTF-8 at byte 35"),
        (8, "the key 'arguments' stands twice in one object"),
        (10, "the key 'name' stands twice in one object"),
        (12, "longer than 0 MiB"),
    ]
    assert (outcome.figures.bad, outcome.figures.lines, outcome.failed) == (6, 11, 0)
    found = sorted((row["line"], row["status"], row["reason"]) for row in rows(tmp_path / "out"))
    assert found == [
        (1, "valid", None), (5, "refused", "type"), (9, "mended", None), (11, "refused", "unknown"), (13, "valid", None),
    ]  # fmt: skip


def test_bad_files_are_named_and_tried_again(tmp_path, small):
    good, gone, torn = tmp_path / "good.jsonl", tmp_path / "gone.jsonl", tmp_path / "torn.jsonl.gz"
    batch_log.write(good, 20)
    torn.write_bytes(gzip.compress(b'{"name": "get_time", "arguments": "{}"}\n' * 5)[:-9])
    outcome = scanned([good, gone, torn], tmp_path / "out")
    assert (outcome.failed, outcome.figures.bad) == (2, 2)
    assert [(bad.file, bad.line) for bad in outcome.figures.named] == [(str(gone), 0), (str(torn), 6)]
    assert outcome.figures.calls == 25
    torn.write_bytes(gzip.compress(b'{"name": "get_time", "arguments": "{}"}\n' * 5))
    again = scanned([good, torn], tmp_path / "out")
    assert (again.failed, again.before, again.parts, again.figures.calls) == (0, 1, 1, 25)


def test_a_damaged_row_group_costs_itself_only(tmp_path):
    log = tmp_path / "calls.parquet"
    table = pa.table(
        {"name": ["get_time"] * 3_000, "arguments": [json.dumps({"zone": str(n) * 9}) for n in range(3_000)]}
    )
    pq.write_table(table, log, row_group_size=1_000, compression="snappy", use_dictionary=False)
    data = bytearray(log.read_bytes())
    middle = len(data) // 2
    data[middle : middle + 200] = b"\xff" * 200
    log.write_bytes(bytes(data))
    outcome = scanned([log], tmp_path / "out")
    assert (outcome.failed, outcome.figures.bad) == (1, 1)
    assert len(rows(tmp_path / "out")) == 2_000


def test_tools_come_from_the_line_before_those_given(tmp_path):
    log = tmp_path / "pairs.jsonl"
    tools = [{"name": "get_time", "input_schema": {"type": "object", "properties": {"when": {"type": "integer"}}}}]
    body = {"type": "message", "role": "assistant", "model": "m", "stop_reason": "tool_use", "usage": {},
            "content": [{"type": "tool_use", "id": "t", "name": "get_time", "input": {"when": "3"}}]}  # fmt: skip
    lines = [
        {"request": {"tools": tools}, "response": body},
        {"response": body},
        {"request": {"tools": [3]}, "response": body},
    ]
    log.write_text("\n".join(map(json.dumps, lines)))
    scanned([log], tmp_path / "out")
    assert [(row["status"], row["reason"], row["effective_arguments"]) for row in rows(tmp_path / "out")] == [
        ("mended", None, '{"when":3}'), ("refused", "unexpected", None), ("error", "no_schema", None),
    ]  # fmt: skip


def test_an_id_keeps_its_digits(tmp_path):
    log = tmp_path / "calls.jsonl"
    ids = [18446744073709551616, 7, "a\u0000", None, 2**70]
    log.write_text("\n".join(json.dumps({"id": own, "name": "get_time", "arguments": "{}"}) for own in ids))
    scanned([log], tmp_path / "out")
    assert [row["id"] for row in rows(tmp_path / "out")] == [None if own is None else str(own) for own in ids]


def test_without_any_tools_nothing_is_judged(tmp_path):
    log = tmp_path / "calls.jsonl"
    batch_log.write(log, 5)
    scanned([log], tmp_path / "out", tools=None)
    assert {(row["status"], row["reason"]) for row in rows(tmp_path / "out")} == {("error", "no_schema")}


def test_a_document_laid_out_over_lines(tmp_path):
    log = tmp_path / "calls.json"
    log.write_text(
        json.dumps([{"name": "get_time", "arguments": "{}"}, {"name": "get_time", "arguments": "{"}], indent=2)
    )
    scanned([log], tmp_path / "out")
    assert [(row["line"], row["status"]) for row in rows(tmp_path / "out")] == [(1, "valid"), (2, "refused")]


def test_a_record_of_a_document_costs_no_other(tmp_path):
    log = tmp_path / "calls.json"
    found = [{"name": "get_time", "arguments": "{}"}, {"type": "SPAN"}, 3, {"name": "get_time", "arguments": "{}"}]
    log.write_text(json.dumps(found, indent=2))
    outcome = scanned([log], tmp_path / "out")
    assert [(row["line"], row["status"]) for row in rows(tmp_path / "out")] == [(1, "valid"), (4, "valid")]
    assert [(bad.line, bad.why) for bad in outcome.figures.named] == [
        (2, UNKNOWN + "type"), (3, "neither a call (name, arguments) nor a reply or a chat: int"),
    ]  # fmt: skip
    assert outcome.figures.lines == 4


def test_a_document_of_a_streams_events(tmp_path):
    pieces = [{"id": "a", "function": {"name": "get_time", "arguments": ""}}, {"function": {"arguments": "{}"}}]
    events = [
        {
            "id": "c",
            "object": "chat.completion.chunk",
            "choices": [{"index": 0, "delta": {"tool_calls": [{"index": 0, **piece}]}}],
        }
        for piece in pieces
    ]
    events[-1]["choices"][0]["finish_reason"] = "tool_calls"
    log = tmp_path / "stream.json"
    log.write_text(json.dumps(events, indent=2))
    scanned([log], tmp_path / "out")
    assert [(row["line"], row["arguments"], row["status"]) for row in rows(tmp_path / "out")] == [(1, "{}", "valid")]


def test_parquet_of_whole_bodies(tmp_path, small):
    call = {"id": "a", "type": "function", "function": {"name": "get_time", "arguments": "{"}}
    message = {"role": "assistant", "tool_calls": [call, call]}
    reply = {
        "object": "chat.completion",
        "model": "m",
        "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
    }
    log = tmp_path / "bodies.parquet"
    pq.write_table(pa.table({"response": [json.dumps(reply)] * 50 + ["?"], "user": ["u"] * 51}), log)
    outcome = scanned([log], tmp_path / "out")
    found = [(row["line"], row["call"], row["model"], row["status"]) for row in rows(tmp_path / "out")]
    assert found == [(line, call, "m", "refused") for line in range(1, 51) for call in (0, 1)]
    assert [(bad.line, bad.why) for bad in outcome.figures.named] == [(51, UNKNOWN + "response, user")]


def test_jsonl_out_holds_the_same(tmp_path, small):
    log = tmp_path / "calls.jsonl"
    batch_log.write(log, 100)
    scanned([log], tmp_path / "a")
    scanned([log], tmp_path / "b", form="jsonl")
    lines = [
        json.loads(line)
        for path in sorted((tmp_path / "b").glob("*-*.jsonl"))
        for line in path.read_bytes().splitlines()
    ]
    expected = [row | {"at": row["at"].isoformat()} for row in rows(tmp_path / "a")]
    assert sorted(lines, key=lambda row: row["line"]) == sorted(expected, key=lambda row: row["line"])
    assert set(lines[0]) == set(SCHEMA.names)


def folder(out):
    """What stands in a folder, the list of parts apart from its order."""
    files = {path.name: path.read_bytes() for path in out.iterdir()}
    return files | {"_manifest": sorted(files["_manifest"].split(b"\n"))}


class BrokenOffError(Exception):
    pass


def broken_off(after):
    def engine(given, job):
        for number, result in enumerate(ALONE(given, job)):
            if number == after:
                raise BrokenOffError
            yield result

    return engine


@pytest.mark.parametrize("suffix", [".jsonl", ".jsonl.gz", ".parquet"])
@pytest.mark.parametrize("after", [0, 1, 3])
def test_a_run_that_was_broken_off_goes_on_and_ends_the_same(tmp_path, small, suffix, after):
    log = tmp_path / f"calls{suffix}"
    batch_log.write(log, 400)
    if suffix == ".parquet":
        pq.write_table(pq.read_table(log), log, row_group_size=90)
    whole = scanned([log, tmp_path / "none"], tmp_path / "whole")
    with pytest.raises(BrokenOffError):
        scanned([log], tmp_path / "torn", engine=broken_off(after))
    with (tmp_path / "torn" / "_manifest").open("ab") as file:
        file.write(b'{"path": "half a li')
    (tmp_path / "torn" / ".calls-1.parquet.12345").write_bytes(b"half a file")
    again = scanned([log, tmp_path / "none"], tmp_path / "torn")
    assert (again.before + again.parts, again.parts) == (whole.parts, whole.parts - after)
    assert folder(tmp_path / "torn") == folder(tmp_path / "whole")
    assert again.figures.to_dict() == whole.figures.to_dict()
    once_more = scanned([log], tmp_path / "torn")
    assert (once_more.parts, once_more.before) == (0, whole.parts)


def test_a_file_that_changed_is_done_anew(tmp_path, small):
    log, other = tmp_path / "calls.jsonl", tmp_path / "other.jsonl"
    batch_log.write(log, 300)
    batch_log.write(other, 50)
    scanned([log, other], tmp_path / "out")
    batch_log.write(log, 100, "changed")
    again = scanned([log, other], tmp_path / "out")
    assert (again.before, again.figures.calls) == (1, 150)
    assert len(rows(tmp_path / "out")) == 150


def test_results_that_are_gone_are_made_again(tmp_path, small):
    log = tmp_path / "calls.jsonl"
    batch_log.write(log, 300)
    scanned([log], tmp_path / "out")
    before = folder(tmp_path / "out").keys()
    next((tmp_path / "out").glob("*.parquet")).unlink()
    assert scanned([log], tmp_path / "out").parts == 1
    assert folder(tmp_path / "out").keys() == before


def test_answers_that_a_kill_left_untold_do_not_stay(tmp_path, small):
    log, out = tmp_path / "calls.jsonl", tmp_path / "out"
    batch_log.write(log, 300)
    scanned([log], out)
    lines = (out / "_manifest").read_bytes().splitlines(keepends=True)
    (out / "_manifest").write_bytes(b"".join(lines[:-1]))  # killed between the last file and its line
    batch_log.write(log, 60, "changed")
    assert scanned([log], out).figures.calls == 60
    assert sorted(row["line"] for row in rows(out)) == list(range(1, 61))


@pytest.mark.parametrize(("left", "why"), [
    ({"other.parquet": b"PAR1"}, "holds other.parquet, which is not of a scan; name another folder"),
    ({"notes.jsonl": b"{}\n"}, "holds notes.jsonl, which is not of a scan; name another folder"),
    ({"_manifest": b'{"name": "app"}'}, "its _manifest is not that of a scan; name another folder"),
    ({"_manifest": b'{"settings":\n'}, "its _manifest is damaged; name another folder, or use --restart"),
    ({"log-01234567-000000000000.parquet": b"PAR1"},
     "holds answers, but no _manifest; name another folder, or use --restart"),
])  # fmt: skip
def test_a_folder_of_something_else_is_left_alone(tmp_path, left, why):
    log, out = tmp_path / "calls.jsonl", tmp_path / "out"
    batch_log.write(log, 30)
    out.mkdir()
    for name, data in left.items():
        (out / name).write_bytes(data)
    with pytest.raises(OtherScanError) as caught:
        scanned([log], out)
    assert str(caught.value) == f"{out}: {why}"
    assert {path.name: path.read_bytes() for path in out.iterdir() if path.name in left} == left


def test_files_of_another_kind_may_stand_beside_the_answers(tmp_path):
    log, out = tmp_path / "calls.jsonl", tmp_path / "out"
    batch_log.write(log, 30)
    out.mkdir()
    (out / "report.html").write_text("kept")
    assert scanned([log], out, anew=True).parts == 1
    assert (out / "report.html").read_text() == "kept"


def test_damage_of_a_file_is_told_before_its_lines(tmp_path):
    log = tmp_path / "calls.jsonl.gz"
    data = bytearray(gzip.compress(b"".join(json.dumps(row).encode() + b"\n" for row in batch_log.rows(2_000))))
    data[len(data) // 2] ^= 0xFF
    log.write_bytes(data)
    outcome = scanned([log])
    assert outcome.failed == 1
    assert outcome.figures.named[0].why.startswith("damaged gzip data: ")
    assert outcome.figures.named[0].why.endswith("; lines before it may not be as they were written")


def test_results_of_another_scan_are_not_mixed(tmp_path, small):
    log, out = tmp_path / "calls.jsonl", tmp_path / "out"
    batch_log.write(log, 30)
    scanned([log], out)
    with pytest.raises(
        OtherScanError, match="holds the results of a scan with other tools; name another folder, or use --restart"
    ):
        scanned([log], out, tools=aw.Toolbox(BOX.tools[:2]))
    assert scanned([log], out, tools=aw.Toolbox(BOX.tools[:2]), anew=True).parts == 1
    assert {row["reason"] for row in rows(out)} > {"unknown"}


def test_two_scans_do_not_write_into_one_folder(tmp_path):
    pytest.importorskip("fcntl")
    from argwright.batch.log.manifest import Manifest

    first = Manifest(tmp_path, {"a": 1})
    with pytest.raises(OtherScanError, match="another scan writes into this folder"):
        Manifest(tmp_path, {"a": 1})
    first.close()
    Manifest(tmp_path, {"a": 1}).close()


SCAN = "import sys; from argwright.cli.main import main; sys.exit(main(sys.argv[1:]))"


def command(tmp_path, *more):
    """The words of a scan of long lines, so that few of them make several parts, and its folder."""
    log, tools, out = tmp_path / "calls.jsonl", tmp_path / "tools.json", tmp_path / "out"
    with log.open("wb") as file:
        for row in batch_log.rows(4_000):
            file.write(json.dumps(row | {"prompt": "p" * 8_000}).encode() + b"\n")
    tools.write_text(json.dumps(batch_log.TOOLS))
    words = [sys.executable, "-c", SCAN, "scan", str(log), "--tools", str(tools), "--out", str(out), *more]
    return words, log, out


def wait_for_answers(out, process):
    limit = time.monotonic() + 60
    while not list(out.glob("*.parquet")) and process.poll() is None and time.monotonic() < limit:
        time.sleep(0.005)


def test_killed_and_taken_up_again(tmp_path):
    """A real process with its workers, killed without warning while they work."""
    words, log, out = command(tmp_path, "--workers", "2")
    killed = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    wait_for_answers(out, killed)
    killed.kill()
    assert killed.wait(30) == -signal.SIGKILL
    assert_gone(killed.pid)
    done = len(list(out.glob("*.parquet")))
    tools = read_tools(str(tmp_path / "tools.json"))
    again = scanned([log], out, tools=tools)
    whole = scanned([log], tmp_path / "whole", tools=tools)
    assert 0 < done < whole.parts
    assert again.before + again.parts == whole.parts
    assert folder(out) == folder(tmp_path / "whole")
    assert again.figures == whole.figures
    assert sorted(row["line"] for row in rows(out)) == list(range(1, 4_001))


@pytest.mark.parametrize("workers", ["1", "2"])
def test_broken_off_by_hand_it_says_how_to_go_on(tmp_path, workers):
    words, log, out = command(tmp_path, "--workers", workers)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # what runs in the background ignores it
    process = subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True, text=True, encoding="utf-8"
    )
    signal.signal(signal.SIGINT, before)
    wait_for_answers(out, process)
    os.killpg(process.pid, signal.SIGINT)
    told = process.communicate(timeout=60)
    assert (process.returncode, *told) == (130, "", "broken off: the same command goes on where it stopped\n")
    assert scanned([log], out, tools=read_tools(str(tmp_path / "tools.json"))).figures.calls == 4_000


@pytest.mark.parametrize("workers", ["1", "2"])
def test_where_nothing_more_can_be_written_it_stops(tmp_path, workers):
    words, log, out = command(tmp_path, "--workers", workers)
    limited = ["sh", "-c", 'ulimit -f 16 && exec "$@"', "sh", *words]  # 8 KiB a file
    ran = subprocess.run(limited, capture_output=True, text=True, encoding="utf-8", timeout=60, check=False)
    left = "file too large; once it can be written to, the same command goes on where it stopped"
    assert (ran.returncode, ran.stdout, ran.stderr) == (2, "", f"argwright: {out}: {left}\n")
    assert [path.name for path in out.iterdir()] == ["_manifest"]
    assert scanned([log], out, tools=read_tools(str(tmp_path / "tools.json"))).figures.calls == 4_000


def assert_gone(group):
    """No process of the session is left: the workers end with their parent."""
    limit = time.monotonic() + 20
    while time.monotonic() < limit:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        time.sleep(0.02)
    pytest.fail("a worker outlived its parent")
