"""A whole reply told as a stream says what it said, in the form that its protocol documents."""

import json

import pytest

import argwright as aw
from argwright.model import compact
from argwright.proxy.exchange import retold
from argwright.scripted import FORMS
from tests.proxy import scripts
from tests.proxy.forms.checking import check
from tests.wire import test_anthropic, test_openai_chat, test_openai_responses

ASKED = b'{"stream_options": {"include_usage": true}}'
WHOLES = [one for one in (*scripts.arguments(), *scripts.several(), *scripts.leaked()[::3]) if not one.streamed]
TABLES = {"openai-chat": test_openai_chat, "anthropic": test_anthropic, "openai-responses": test_openai_responses}
ODD = [
    pytest.param(form, title, scripts.whole_envelope(form, given), id=f"{form}: {title}")
    for form, module in TABLES.items()
    for title, given, _ in module.WHOLE
    if isinstance(given, dict)
]
LONG = "工具 🐦 \u2028" * 30_000


def read(form, stream):
    acc = aw.Accumulator(form)
    acc.feed_bytes(stream)
    return acc.close()


def said(turn):
    """What a turn says, whichever way it came; a call without a name and anything else is none."""
    return (
        turn.text,
        turn.reasoning,
        turn.finish.reason,
        [(one.name, value(one)) for one in turn.calls if one.name or value(one)],
        dict(turn.usage or {}),
    )


def value(call):
    """What a call is given, whatever its layout."""
    given = call.input if call.input is not None else call.arguments
    try:
        return json.loads(given) if isinstance(given, str) else given or {}
    except ValueError:
        return given


@pytest.mark.parametrize("form", FORMS)
def test_every_reply(form):
    for script in (one for one in WHOLES if one.form == form):
        stream = retold(form, script.sent, ASKED)
        assert said(read(form, stream)) == said(aw.read(form, json.loads(script.sent))), script
        assert check(form, stream, calls_parse=False, usage=True).faults == (), script


@pytest.mark.parametrize(("form", "title", "body"), ODD)
def test_odd_ones(form, title, body):
    stream = retold(form, json.dumps(body).encode(), ASKED)
    if stream is None:
        return
    assert said(read(form, stream))[3] == said(aw.read(form, body))[3], title


@pytest.mark.parametrize("form", FORMS)
def test_a_long_one_has_short_events(form):
    call = aw.ToolCall("c1", "write", compact({"path": "a", "content": LONG}))
    script = next(one for one in scripts.said("long", form, {}, aw.Turn((call,), LONG)) if not one.streamed)
    stream = retold(form, script.sent, b"{}")
    assert said(read(form, stream))[:4] == said(aw.read(form, json.loads(script.sent)))[:4]
    assert form == "openai-responses" or max(map(len, stream.split(b"\n\n"))) < 512 * 1024
