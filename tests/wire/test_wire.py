"""The formats by name, and bodies that tell their own."""

from __future__ import annotations

import json

import pytest

from argwright.errors import UnknownFormatError
from argwright.model import Turn
from argwright.wire import FORMATS, detect, find, read, write
from argwright.wire.format import Format

NAMES = {
    "openai-chat", "openai-responses", "openai-realtime", "anthropic", "gemini", "gemini-interactions", "bedrock-converse", "cohere", "ollama",
    "mistral-conversations", "vercel-ui", "vercel-data", "ag-ui", "mcp",
}  # fmt: skip


def test_every_format_is_there_under_its_own_name():
    assert set(FORMATS) == NAMES
    assert all(isinstance(form, Format) and form.name == name for name, form in FORMATS.items())


@pytest.mark.parametrize("name", ["openai", "", None, 7, ["openai-chat"]])
def test_a_wrong_name_is_the_programmers_mistake_and_the_text_lists_the_right_ones(name):
    for ask in (find, lambda form: read(form, {}), lambda form: write(form, Turn())):
        with pytest.raises(UnknownFormatError, match="anthropic"):
            ask(name)


@pytest.mark.parametrize("body", ["", "<html>", b"\xff", None, 7, object(), "[" * 100_000])
def test_a_body_that_holds_no_json_is_an_error_not_an_exception(body):
    for name in FORMATS:
        turn = read(name, body)
        assert (turn.calls, turn.text) == ((), "")
    assert detect(body) is None


def test_json_text_and_bytes_are_read():
    body = {"choices": [{"message": {"content": "上海"}, "finish_reason": "stop"}]}
    for given in (body, json.dumps(body), json.dumps(body).encode(), json.dumps(body, ensure_ascii=False).encode()):
        assert read("openai-chat", given).text == "上海"
        assert detect(given) == "openai-chat"
