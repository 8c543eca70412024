from __future__ import annotations

import codecs
import gzip
import io
import sys

import click
import pytest

from argwright.cli import source
from argwright.cli.source import lines, read_json, read_schema, read_text, read_tools, size


def numbered(path):
    return [(line.number, line.data, line.error) for line in lines(str(path))]


TEXTS = [
    (b'{"a": 1}', '{"a": 1}'),
    ('{"城市": "上海"}'.encode(), '{"城市": "上海"}'),
    (b"\xef\xbb\xbf{}", "\ufeff{}"),
    (codecs.BOM_UTF16_LE + '{"城市": 1}'.encode("utf-16-le"), '{"城市": 1}'),
    (codecs.BOM_UTF16_BE + "{}".encode("utf-16-be"), "{}"),
    (gzip.compress(b"{}"), "{}"),
    (b'{"a": "\xe9"}', b'{"a": "\xe9"}'),
    (b"", ""),
]


@pytest.mark.parametrize(("data", "text"), TEXTS, ids=range(len(TEXTS)))
def test_read_text(tmp_path, data, text):
    path = tmp_path / "参数.txt"
    path.write_bytes(data)
    assert read_text(str(path)) == text


def test_lines_are_numbered_as_an_editor_does_and_blank_ones_are_passed_over(tmp_path):
    path = tmp_path / "log"
    path.write_bytes(b'{"a"}\n\n  \r\n"\xe2\x80\xa8"\r\nlast')
    assert numbered(path) == [(1, b'{"a"}\n', None), (4, b'"\xe2\x80\xa8"\r\n', None), (5, b"last", None)]


def test_gzip_is_known_by_its_first_bytes(tmp_path):
    path = tmp_path / "log"
    path.write_bytes(gzip.compress(b"one\ntwo\n"))
    assert numbered(path) == [(1, b"one\n", None), (2, b"two\n", None)]


def test_damaged_gzip_data_end_the_log_with_a_line_that_says_so(tmp_path):
    path = tmp_path / "log.gz"
    whole = gzip.compress("\n".join(str(number) for number in range(50_000)).encode())
    path.write_bytes(whole[: len(whole) // 2])
    *before, last = numbered(path)
    assert all(error is None for _, _, error in before)
    assert last[2].startswith("damaged gzip data")


def test_a_line_that_is_too_long_is_passed_over(tmp_path, monkeypatch):
    monkeypatch.setattr(source, "MAX_LINE", 1 << 20)
    path = tmp_path / "log"
    path.write_bytes(b"first\n" + b"x" * (3 << 20) + b"\nlast\n")
    assert numbered(path) == [(1, b"first\n", None), (2, b"", "longer than 1 MiB"), (3, b"last\n", None)]


def test_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(b"a\nb"))))
    assert numbered("-") == [(1, b"a\n", None), (2, b"b", None)]
    assert size("-") is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "schema {path}: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"),
        ("[]", "schema {path}: an object was expected, found list"),
    ],
    ids=["no JSON", "no object"],
)
def test_a_bad_schema_is_misuse(tmp_path, text, message):
    path = tmp_path / "schema.json"
    path.write_text(text)
    with pytest.raises(click.UsageError) as caught:
        read_schema(str(path))
    assert caught.value.message == message.format(path=path)


def test_deep_nesting_is_misuse_too(tmp_path):
    path = tmp_path / "deep.json"
    path.write_text("[" * 200_000)
    with pytest.raises(click.UsageError):
        read_json(str(path), "tools")


@pytest.mark.parametrize("data", [
    b'{"\xe5\x86\x99": {"type": "object"}}',
    b'\xef\xbb\xbf{"\xe5\x86\x99": {"type": "object"}}',
    b'[{"name": "\xe5\x86\x99", "input_schema": {"type": "object"}}]',
    b'{"tools": [{"name": "\xe5\x86\x99", "inputSchema": {"type": "object"}}]}',
    b'{"jsonrpc": "2.0", "id": 1, "result": {"tools": [{"name": "\xe5\x86\x99", "inputSchema": {"type": "object"}}]}}',
])  # fmt: skip
def test_tools_as_they_are_declared_and_listed(tmp_path, data):
    path = tmp_path / "tools.json"
    path.write_bytes(data)
    assert list(read_tools(str(path)).names) == ["写"]
