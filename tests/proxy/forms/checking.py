"""The checkers by the name of the format."""

from __future__ import annotations

from tests.proxy.forms import anthropic, chat, responses
from tests.proxy.forms.seen import Seen


def check(form: str, data: bytes, *, calls_parse: bool = True, usage: bool | None = False) -> Seen:
    """What is wrong with a stream; see the checkers for the arguments."""
    match form:
        case "openai-chat":
            return chat.check(data, calls_parse=calls_parse, usage=usage)
        case "openai-responses":
            return responses.check(data, calls_parse=calls_parse)
        case _:
            return anthropic.check(data, calls_parse=calls_parse)
