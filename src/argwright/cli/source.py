"""Files and standard input → text, lines, schemas, tools.

Gzip is known by its first bytes, UTF-16 (as PowerShell redirects) by its byte order
mark. A line longer than `MAX_LINE` is passed over piece by piece, so that no input
decides how much memory is used.
"""

from __future__ import annotations

import codecs
import gzip
import io
import json
import sys
import zlib
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from argwright.toolbox import Toolbox

STDIN = "-"
MAX_LINE = 64 * 1024 * 1024
"""Sixteen times the longest arguments that are read, for a response that holds several calls."""

_GZIP = b"\x1f\x8b"


@dataclass(frozen=True)
class Line:
    """One line of a log.

    Args:
        number: counted from 1.
        data: its bytes.
        position: how many bytes of the file were read so far.
        error: why there is nothing to read in it, if so.
    """

    number: int
    data: bytes
    position: int
    error: str | None = None


def read_bytes(path: str) -> bytes:
    """A whole file, or standard input for `-`."""
    data = sys.stdin.buffer.read() if path == STDIN else Path(path).read_bytes()
    return gzip.decompress(data) if data.startswith(_GZIP) else data


def read_text(path: str) -> str | bytes:
    """A whole file as text; bytes that are no UTF-8 are left to the decoder."""
    data = read_bytes(path)
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data


def read_json(path: str, what: str) -> Any:
    """A JSON file written by the user.

    Raises:
        click.UsageError: it is no JSON; the text says where.
    """
    text = read_text(path)
    try:
        return json.loads(text.removeprefix("\ufeff") if isinstance(text, str) else text)
    except (ValueError, RecursionError) as error:
        raise click.UsageError(f"{what} {path}: {error}") from error


def size(path: str) -> int | None:
    """How many bytes the file has, `None` for a pipe."""
    return None if path == STDIN or not Path(path).is_file() else Path(path).stat().st_size


def lines(path: str) -> Iterator[Line]:
    """The lines of a log that are not blank; damaged compression ends it with a line that says so."""
    with ExitStack() as closing:
        raw = sys.stdin.buffer if path == STDIN else closing.enter_context(Path(path).open("rb"))
        zipped = isinstance(raw, io.BufferedReader) and raw.peek(2).startswith(_GZIP)
        stream = gzip.GzipFile(fileobj=raw) if zipped else raw
        number = 0
        try:
            for number, (data, error) in enumerate(_pieces(stream), start=1):
                if error or data.strip():
                    yield Line(number, data, _position(raw), error)
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            yield Line(number + 1, b"", _position(raw), f"damaged gzip data: {error}")


def _position(raw: IO[bytes]) -> int:
    return raw.tell() if raw.seekable() else 0


def _pieces(stream: IO[bytes] | gzip.GzipFile) -> Iterator[tuple[bytes, str | None]]:
    """Each line, or why it was not kept."""
    while data := stream.readline(MAX_LINE):
        if len(data) < MAX_LINE or data.endswith(b"\n"):
            yield data, None
            continue
        while data and not data.endswith(b"\n"):
            data = stream.readline(MAX_LINE)
        yield b"", f"longer than {MAX_LINE >> 20} MiB"


def read_schema(path: str) -> dict[str, Any]:
    """A JSON Schema of one tool's arguments."""
    schema = read_json(path, "schema")
    if not isinstance(schema, dict):
        raise click.UsageError(f"schema {path}: an object was expected, found {type(schema).__name__}")
    return schema


def read_tools(path: str) -> Toolbox:
    """Tools as providers declare them, as MCP lists them, or `{name: schema}`."""
    from argwright.declarations import tools_from
    from argwright.tool import Tool
    from argwright.toolbox import Toolbox

    declared = read_json(path, "tools")
    if isinstance(declared, dict) and "jsonrpc" in declared and isinstance(declared.get("result"), dict):
        declared = declared["result"]
    if isinstance(declared, dict) and not any(isinstance(value, list) for value in declared.values()):
        tools = [Tool.from_schema(name, schema) for name, schema in declared.items()]
    elif isinstance(declared, (dict, list)):
        tools = list(tools_from(declared))
    else:
        raise click.UsageError(f"tools {path}: a list of declarations or an object of schemas was expected")
    if not tools:
        raise click.UsageError(f"tools {path}: nothing in it declares a function with its parameters")
    return Toolbox(tools)
