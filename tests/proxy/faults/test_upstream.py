"""An upstream that closes, sends garbage, stalls, fails or floods: nothing hangs, and the client is told what happened."""

from __future__ import annotations

import json
import socket
from dataclasses import replace

import pytest

from argwright.proxy.settings import GatewaySettings, Mending, UpstreamSettings
from argwright.scripted import FORMS
from tests.proxy import scripts
from tests.proxy.faults.raw import Heard, hear
from tests.proxy.scripts import Script
from tests.proxy.serving import Act, Loop, limited, running, serving

ERROR = Mending(on_invalid="error")
RETRY = Mending(on_invalid="retry")
MODES = {"pass": Mending(), "retry": RETRY, "error": ERROR, "optimistic": replace(ERROR, optimistic=True)}
each_form = pytest.mark.parametrize("form", FORMS)
each_mode = pytest.mark.parametrize("mode", MODES)


def script(form: str, title: str = "two good ones", *, streamed: bool = True) -> Script:
    return next(one for one in scripts.several() if (one.title, one.form, one.streamed) == (title, form, streamed))


def within_a_call(given: Script) -> int:
    """A place in the middle of the second call's arguments."""
    return given.sent.rindex("北京".encode()) + 1


def told(heard: Heard) -> str | None:
    """The error that ended a stream, as its code or its message."""
    error = heard.seen.error
    return None if error is None else str(error.get("code") or error)


# Closing


@each_mode
@each_form
def test_closed_in_the_middle_of_a_call(form, mode):
    good = script(form)
    place = within_a_call(good)
    with serving([Act(pieces=[good.sent[:place]], end="abort")], replace(MODES[mode], retries=0)) as server:
        heard = hear(server.root, form, good.request())
    assert (heard.status, heard.cut) == (200, False)
    assert heard.seen.faults == ()
    assert heard.seen.end == "error"
    assert [one for one in heard.seen.calls if not one.is_object()] == []


@each_form
def test_closed_in_the_middle_of_a_call_and_asked_again(form):
    good = script(form)
    place = good.sent.index("北京".encode())
    acts = [Act(pieces=[good.sent[:place]], end="abort"), Act(pieces=[good.sent])]
    with serving(acts, RETRY) as server:
        heard = hear(server.root, form, good.request())
        assert len(server.upstream.asked) in (1, 2)
    assert (heard.status, heard.cut, heard.seen.faults) == (200, False, ())
    assert heard.seen.end in ("done", "error")
    if heard.seen.end == "done":
        assert [(one.name, one.value()) for one in heard.seen.calls][-2:] == good.right().valid


@each_form
@pytest.mark.parametrize("streamed", [True, False], ids=["stream", "whole"])
def test_closed_before_the_first_byte_of_the_body(form, streamed):
    good = script(form, streamed=streamed)
    kind = "text/event-stream" if streamed else "application/json"
    with serving([Act(end="abort", kind=kind)], ERROR) as server:
        heard = hear(server.root, form, good.request())
    assert heard.status == 502
    assert heard.error


@each_form
def test_closed_in_the_middle_of_a_whole_body(form):
    good = script(form, streamed=False)
    with serving([Act(pieces=[good.sent[:-9]], end="abort", kind="application/json")], ERROR) as server:
        heard = hear(server.root, form, good.request())
    assert (heard.status, heard.cut) == (502, False)
    assert heard.error


@each_form
def test_nobody_there(form):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))  # bound, and not listening
        settings = GatewaySettings(
            upstreams=(UpstreamSettings(url=f"http://127.0.0.1:{free.getsockname()[1]}/v1"),), mending=ERROR
        )
        settings = replace(settings, server=replace(settings.server, port=0))
        with Loop() as loop:
            served = loop.enter(running(settings))
            heard = hear(served.url, form, script(form).request())
    assert heard.status == 502
    assert heard.error


# Garbage

GARBAGE = {
    "a page": b"<html><body>Bad gateway \xff\xfe</body></html>",
    "nothing": b"",
    "half JSON": b'{"id": "x", "choices": [{"ind',
    "another JSON": b'["hello"]',
    "bytes": bytes(range(256)) * 50,
}


@each_mode
@each_form
@pytest.mark.parametrize("what", GARBAGE)
def test_garbage_as_a_whole_body(form, mode, what):
    good = script(form, streamed=False)
    with serving([Act(pieces=[GARBAGE[what]], kind="application/json", length=True)], MODES[mode]) as server:
        heard = hear(server.root, form, good.request())
    assert not heard.cut
    assert heard.status == 502
    assert heard.error


@each_mode
@each_form
@pytest.mark.parametrize("what", GARBAGE)
def test_garbage_as_a_stream(form, mode, what):
    good = script(form)
    with serving(lambda _asked: Act(pieces=[GARBAGE[what]]), replace(MODES[mode], retries=0)) as server:
        heard = hear(server.root, form, good.request())
    assert not heard.cut
    if heard.status == 200:
        assert heard.seen.faults == ()
        assert heard.seen.end == "error"
    else:
        assert heard.status == 502
        assert heard.error


@each_mode
@each_form
def test_garbage_in_the_middle_of_a_stream(form, mode):
    good = script(form)
    frames = good.sent.split(b"\n\n")
    bad = b"\n\n".join([*frames[:3], b'data: {"id": ', b"data: \xff\xfe", b"what: 7", *frames[3:]])
    with serving(lambda _asked: Act(pieces=[bad]), replace(MODES[mode], retries=0)) as server:
        heard = hear(server.root, form, good.request())
    assert (heard.status, heard.cut) == (200, False)
    if mode == "pass":
        return
    # What the event said is lost, perhaps a piece of arguments: no call can be trusted, and no client can read on.
    assert heard.seen.faults == ()
    assert heard.seen.end == "error"


@each_form
def test_a_whole_body_where_a_stream_was_asked_for(form):
    whole, stream = script(form, streamed=False), script(form)
    with serving([Act(pieces=[whole.sent], kind="application/json", length=True)], ERROR) as server:
        heard = hear(server.root, form, stream.request())
    assert (heard.status, heard.headers["content-type"], heard.seen.faults) == (200, "text/event-stream", ())
    assert [(one.name, one.value()) for one in heard.seen.calls] == whole.right().valid


@each_form
def test_a_stream_where_a_whole_body_was_asked_for(form):
    whole, stream = script(form, streamed=False), script(form)
    with serving([Act(pieces=[stream.sent])], ERROR) as server:
        heard = hear(server.root, form, whole.request())
    if heard.status == 200:
        assert heard.headers["content-type"].startswith("text/event-stream")
        assert heard.seen.faults == ()
    else:
        assert (heard.status, bool(heard.error)) == (502, True)


# Stalling


@each_mode
@each_form
def test_stalls_in_the_middle_of_a_call(form, mode):
    good = script(form)
    act = Act(pieces=[good.sent[: within_a_call(good)]], end="stall")
    with serving([act], replace(MODES[mode], retries=0), settings=limited(idle=0.3)) as server:
        heard = hear(server.root, form, good.request())
        assert server.upstream.gone.wait(20)
    assert (heard.status, heard.cut) == (200, False)
    assert heard.seen.faults == ()
    assert heard.seen.end == "error"


@each_form
@pytest.mark.parametrize("streamed", [True, False], ids=["stream", "whole"])
def test_stalls_before_the_first_byte(form, streamed):
    good = script(form, streamed=streamed)
    kind = "text/event-stream" if streamed else "application/json"
    act = Act(end="stall", kind=kind)
    with serving([act], ERROR, settings=limited(idle=0.3, first_byte=0.3)) as server:
        heard = hear(server.root, form, good.request())
        assert server.upstream.gone.wait(20)
    assert heard.status == 504
    assert heard.error


@each_form
def test_never_ends(form):
    """Text for ever: the limit of one exchange ends it."""
    good = script(form, "no call")
    frames = [one + b"\n\n" for one in good.sent.split(b"\n\n")]
    some = [*frames[:4], *([b": ping\n\n"] * 10)]
    with serving([Act(pieces=some, end="stall")], ERROR, settings=limited(total=0.5)) as server:
        heard = hear(server.root, form, good.request())
        assert server.upstream.gone.wait(20)
    assert (heard.status, heard.cut, heard.seen.end) == (200, False, "error")
    assert heard.seen.faults == ()


# Failing


@pytest.mark.parametrize("status", [400, 401, 404, 413, 429, 500, 503, 529])
@each_form
def test_its_errors_pass_unchanged(form, status):
    said = b'{"error": {"message": "\xe4\xb8\x8a", "type": "odd", "code": 7}, "request_id": "r"}'
    act = Act(
        status=status, pieces=[said], kind="application/json; charset=x", headers={"Retry-After": "3", "X-Odd": "1"}
    )
    with serving([act], RETRY) as server:
        heard = hear(server.root, form, script(form).request())
        assert len(server.upstream.asked) == 1
    assert (heard.status, heard.body) == (status, said)
    assert [heard.headers[name] for name in ("content-type", "retry-after", "x-odd")] == [
        "application/json; charset=x",
        "3",
        "1",
    ]


@each_form
@pytest.mark.parametrize("streamed", [True, False], ids=["stream", "whole"])
def test_an_error_when_asked_again(form, streamed):
    bad = script(form, "all bad", streamed=streamed)
    acts = [
        Act(pieces=[bad.sent], kind="text/event-stream" if streamed else "application/json"),
        Act(status=500, pieces=[b'{"type": "error", "error": {"message": "down"}}'], kind="application/json"),
    ]
    with serving(acts, RETRY) as server:
        heard = hear(server.root, form, bad.request())
        assert len(server.upstream.asked) == 2
    if streamed:
        assert (heard.status, heard.cut, heard.seen.faults, heard.seen.end) == (200, False, (), "error")
        assert heard.seen.calls == ()
    else:
        assert heard.status in (500, 502)
        assert heard.error


@each_form
def test_an_error_in_the_middle_of_a_stream(form):
    good = script(form)
    frames = good.sent.split(b"\n\n")[:6]
    error = {
        "openai-chat": {"error": {"message": "overloaded", "code": 529}},
        "anthropic": {"type": "error", "error": {"type": "overloaded_error", "message": "overloaded"}},
        "openai-responses": {
            "type": "error",
            "code": "529",
            "message": "overloaded",
            "param": None,
            "sequence_number": 99,
        },
    }[form]
    name = b"" if form == "openai-chat" else b"event: error\n"
    sent = b"\n\n".join([*frames, name + b"data: " + json.dumps(error).encode(), b""])
    with serving([Act(pieces=[sent])], RETRY) as server:
        heard = hear(server.root, form, good.request())
        assert len(server.upstream.asked) == 1
    assert (heard.seen.faults, heard.seen.end) == ((), "error")
    assert "overloaded" in str(heard.seen.error)


# Flooding

MB = 1_000_000


def flooded(form: str, text: str) -> bytes:
    """The whole reply with a long text."""
    good = script(form, streamed=False)
    return good.sent.replace("Moment 🐦".encode(), text.encode())


@each_form
def test_fifty_megabytes_as_a_whole_body(form):
    body = flooded(form, "x" * 50 * MB)
    pieces = [body[at : at + MB] for at in range(0, len(body), MB)]
    with serving([Act(pieces=pieces, kind="application/json")] * 2, ERROR) as server:
        heard = hear(server.root, form, script(form, streamed=False).request())
    assert (heard.status, heard.body == body) == (200, True)


@each_form
def test_more_than_is_taken(form):
    body = flooded(form, "x" * 2 * MB)
    with serving([Act(pieces=[body], kind="application/json")], ERROR, settings=limited(max_reply=MB)) as server:
        heard = hear(server.root, form, script(form, streamed=False).request())
    assert heard.status == 502
    assert heard.error


@pytest.mark.parametrize(("form", "megabytes"), [("openai-chat", 50), ("anthropic", 10)])
def test_many_megabytes_of_text_in_a_stream(form, megabytes):
    good = script(form, "no call")
    frames = good.sent.split(b"\n\n")
    at = next(number for number, frame in enumerate(frames) if b"Mome" in frame)
    long = frames[at].replace(b"Mome", b"x" * MB)
    pieces = [frame + b"\n\n" for frame in [*frames[:at], *([long] * megabytes), *frames[at + 1 : -1]]]
    with serving([Act(pieces=pieces)], ERROR) as server:
        heard = hear(server.root, form, good.request())
    assert heard.body == b"".join(pieces)


@each_form
def test_fifty_megabytes_of_arguments(form):
    good = script(form)
    frames = good.sent.split(b"\n\n")
    at = next(number for number, frame in enumerate(frames) if "北京".encode() in frame or b"\\u5317" in frame)
    long = frames[at].replace("北京".encode(), b"x" * MB)
    pieces = [frame + b"\n\n" for frame in [*frames[:at], *([long] * 50), *frames[at + 1 : -1]]]
    with serving([Act(pieces=pieces)], ERROR) as server:
        heard = hear(server.root, form, good.request())
    assert (heard.status, heard.cut, heard.seen.faults) == (200, False, ())
    if form == "openai-responses":  # its last events hold the arguments again, and they are the shorter ones
        assert [(one.name, one.value()) for one in heard.seen.calls] == good.right().valid
    else:
        assert heard.seen.end == "error"
