from __future__ import annotations

import bz2
import gzip
import lzma
import os
import tempfile
from pathlib import Path

import pytest

from argwright.batch.log.inputs import find


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in (
        "logs/b.jsonl",
        "logs/deep/a.ndjson",
        "logs/读我.json",
        "logs/notes.txt",
        "logs/.hidden/x.jsonl",
        "out/p.jsonl",
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text('{"name": "f", "arguments": "{}"}\n')
    (tmp_path / "logs/c.jsonl.gz").write_bytes(gzip.compress(b"{}"))
    return tmp_path


@pytest.mark.parametrize(("named", "found"), [
    (["logs"], ["logs/b.jsonl", "logs/c.jsonl.gz", "logs/deep/a.ndjson", "logs/读我.json"]),
    (["logs/deep", "logs/b.jsonl", "logs/b.jsonl"], ["logs/b.jsonl", "logs/deep/a.ndjson"]),
    (["logs/*.txt"], ["logs/notes.txt"]),
    (["logs/**/*.*json"], ["logs/deep/a.ndjson", "logs/读我.json"]),
    (["logs/notes.txt"], ["logs/notes.txt"]),
    (["."], ["logs/b.jsonl", "logs/c.jsonl.gz", "logs/deep/a.ndjson", "logs/读我.json"]),
])  # fmt: skip
def test_files_folders_and_patterns(folder, named, found):
    assert [source.path for source in find(named, without=folder / "out")] == found


def test_what_is_not_there_is_said(folder):
    (folder / "empty").mkdir()
    assert [(source.path, source.error) for source in find(["nowhere.jsonl", "empty", "x*y"])] == [
        (name, "there is no such file, or no log in the folder") for name in ("nowhere.jsonl", "empty", "x*y")
    ]


@pytest.mark.parametrize(("data", "form"), [
    (b'{"name": "f"}\n', "lines"),
    (b"", "lines"),
    (b"\x1f\x8b\x08", "gzip"),
    (b"PAR1....", "parquet"),
    (b'{\n  "name": "f"\n}', "document"),
    (b'\xef\xbb\xbf\n[\r\n{"name": "f"}]', "document"),
    (b'{"name": "f",\n"arguments": "{}"}\n', "document"),
    (b'[{"name": "f"},\n{"name": "g"}]', "document"),
    (b'[{"name": "f"}, {"name": "\xe5\x86\x99"}]\n', "document"),
    (gzip.compress(b'[\n{"name": "f"}\n]'), "document"),
    (b'[{"role": "user"}]\n[{"role": "user"}]\n', "lines"),
    (b'{"name": "f",\n{"name": "g"}\n', "lines"),
    (b'{"name": "f"}\n{"name":\n', "lines"),
    (b"[" * 100_000, "lines"),
    (gzip.compress(b'{"name": "f"}\n{"name": "g"}\n'), "gzip"),
    (gzip.compress(b'[\n{"name": "f"}\n]' * 9)[:30], "gzip"),
])  # fmt: skip
def test_the_form_is_known_by_the_first_bytes(tmp_path, data, form):
    path = tmp_path / "any.name"
    path.write_bytes(data)
    assert [(source.form, source.size, source.error) for source in find([str(path)])] == [(form, len(data), None)]


@pytest.mark.parametrize(("data", "why"), [
    ("{}".encode("utf-16"), "UTF-16; logs are read as UTF-8"),
    (b"\x28\xb5\x2f\xfd\x00", "compressed by zstd; of compressed files, those of gzip are read"),
    (bz2.compress(b"{}"), "compressed by bzip2; of compressed files, those of gzip are read"),
    (lzma.compress(b"{}"), "compressed by xz; of compressed files, those of gzip are read"),
    (b"[\n" + b"1,\n" * 6_000_000, "one JSON document of more than 16 MiB; logs of that size are read as one record a line"),
], ids=["utf16", "zstd", "bzip2", "xz", "large"])  # fmt: skip
def test_what_is_not_read_is_named(tmp_path, data, why):
    path = tmp_path / "log.jsonl"
    path.write_bytes(data)
    assert [source.error for source in find([str(path)])] == [why]


def test_a_file_is_read_once_whatever_it_is_called(folder):
    (folder / "logs/aa-latest.jsonl").symlink_to(folder / "logs/b.jsonl")
    (folder / "again").symlink_to(folder / "logs")
    named = ["logs", "./logs/b.jsonl", str(folder / "logs/b.jsonl"), "again/b.jsonl", "logs/aa-latest.jsonl"]
    assert sorted(os.path.basename(source.path) for source in find(named)) == [  # noqa: PTH119
        "a.ndjson", "b.jsonl", "c.jsonl.gz", "读我.json",
    ]  # fmt: skip


def test_a_folder_that_a_pattern_finds_is_searched(folder):
    assert [source.path for source in find(["log*"])] == [source.path for source in find(["logs"])]


def test_the_answers_of_a_scan_are_not_read_by_the_next(folder):
    out = folder / "out"
    assert [source.path for source in find(["*/*.jsonl"], without=out)] == ["logs/b.jsonl"]
    own = "the answers go into this folder: name another for them"
    assert [source.error for source in find(["out"], without=out)] == [own]
    assert [source.error for source in find(["logs"], without=folder)] == [own]


def test_what_leads_nowhere_and_what_is_no_file(folder):
    (folder / "logs/gone.jsonl").symlink_to(folder / "nothing")
    os.mkfifo(folder / "logs/pipe.jsonl")
    assert {source.path: source.error for source in find(["logs"]) if source.error} == {
        "logs/gone.jsonl": "No such file or directory",
        "logs/pipe.jsonl": "no file, but a pipe or a device: write what comes from it to a file",
    }


@pytest.fixture
def nobody():
    """A user who may not read everything, where root runs the tests."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65_534)
    yield
    os.seteuid(0)


@pytest.fixture
def closed():
    """A folder with a file and a folder that nobody may open."""
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        root.chmod(0o755)
        (root / "inner").mkdir()
        for path in ("a.jsonl", "b.jsonl", "inner/c.jsonl"):
            (root / path).write_text("{}")
        (root / "b.jsonl").chmod(0)
        (root / "inner").chmod(0)
        yield root
        (root / "inner").chmod(0o755)


def test_what_may_not_be_read_is_named(closed, nobody):
    named = [str(closed), str(closed / "b.jsonl"), str(closed / "inner" / "c.jsonl")]
    assert {source.path.removeprefix(f"{closed}/"): source.error for source in find(named)} == {
        "a.jsonl": None,
        "b.jsonl": "Permission denied",
        "inner": "Permission denied",
        "inner/c.jsonl": "Permission denied",
    }


@pytest.mark.parametrize(("name", "text", "error"), [
    ("a.csv", "name,arguments\nf,{}\n", True),
    ("a.TSV", "name\targuments\n", True),
    ("a.csv", '{"name": "f", "arguments": "{}"}\n', False),
    ("a.txt", "name,arguments\n", False),
])  # fmt: skip
def test_a_table_of_separated_values_is_told_once(tmp_path, name, text, error):
    (tmp_path / name).write_text(text)
    (source,) = find([str(tmp_path / name)])
    told = "a table of separated values; of tables, those of Parquet are read, with the arguments as text"
    assert source.error == (told if error else None)
