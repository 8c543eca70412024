from __future__ import annotations

import gzip
import os

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
    (b'[{"role": "user"}]\n', "lines"),
])  # fmt: skip
def test_the_form_is_known_by_the_first_bytes(tmp_path, data, form):
    path = tmp_path / "any.name"
    path.write_bytes(data)
    assert [(source.form, source.size, source.error) for source in find([str(path)])] == [(form, len(data), None)]


def test_utf16_is_named(tmp_path):
    path = tmp_path / "log.jsonl"
    path.write_text("{}", encoding="utf-16")
    assert [source.error for source in find([str(path)])] == ["UTF-16; logs are read as UTF-8"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read(tmp_path):
    path = tmp_path / "log.jsonl"
    path.write_text("{}")
    path.chmod(0)
    assert [source.error for source in find([str(path)])] == ["Permission denied"]
