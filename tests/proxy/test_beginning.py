"""What an answer is by its first bytes, and what becomes of it: a stream of any name, a whole reply in its place."""

import asyncio
import json
import threading
from contextlib import closing, contextmanager
from dataclasses import replace

import pytest

from argwright.proxy import beginning
from argwright.proxy.beginning import Kind, Sight, kind_of
from argwright.proxy.serving import running
from argwright.proxy.settings import Mending, UpstreamSettings
from argwright.scripted import FORMS
from tests.proxy import scripts
from tests.proxy.clients.reading import BLOCKING, REFUSED, Failed, anthropic_client, openai_client, raised
from tests.proxy.faults.raw import connection, hear
from tests.proxy.serving import WAIT, Act, Loop, Server, limited, serving
from tests.proxy.test_gateway import SETTINGS, chat
from tests.proxy.test_gateway_streams import END, GOOD, ROLE, TEXT

MODES = {"pass": Mending(), "error": Mending(on_invalid="error"), "retry": Mending(on_invalid="retry", retries=0)}
each_form = pytest.mark.parametrize("form", FORMS)
each_way = pytest.mark.parametrize("way", [one for one in BLOCKING if one.streamed], ids=lambda way: way.ask.__name__)

KINDS = [
    (b"", None),
    (b"\r\n \n", None),
    (b"\xef\xbb", None),
    (b"\xef\xbb\xbf", None),
    (b"dat", None),
    (b"id", None),
    (b"\n\nretry", None),
    (b"data:", Kind.EVENTS),
    (b"data\n", Kind.EVENTS),
    (b"\xef\xbb\xbf\r\n\r\ndata: x", Kind.EVENTS),
    (b"event: x", Kind.EVENTS),
    (b": OPENROUTER", Kind.EVENTS),
    (b"id:1", Kind.EVENTS),
    (b"retry: 9", Kind.EVENTS),
    (b"\n{", Kind.JSON),
    (b"\xef\xbb\xbf[", Kind.JSON),
    (b"<html>", Kind.OTHER),
    (b"database", Kind.OTHER),
    (b"identity", Kind.OTHER),
    ("مرحبا".encode(), Kind.OTHER),
]


@pytest.mark.parametrize(("data", "kind"), KINDS)
def test_what_it_is(data, kind):
    assert kind_of(data) is kind


@pytest.mark.parametrize(("data", "kind"), [case for case in KINDS if case[1] is not None])
def test_a_decision_does_not_change(data, kind):
    """No shorter beginning says something else, and no longer one."""
    shorter = {kind_of(data[:cut]) for cut in range(len(data))}
    assert shorter <= {None, kind}
    assert kind_of(data + b"\n\ndata: {") is kind


@pytest.mark.parametrize(("data", "kind"), KINDS)
def test_it_is_the_same_byte_by_byte(data, kind):
    sight = Sight()
    assert [sight.of(data[place : place + 1]) for place in range(len(data))][-1:] == [kind][: len(data)]


def test_blanks_are_looked_at_once(monkeypatch):
    looked = []
    monkeypatch.setattr(beginning, "kind_of", lambda data: looked.append(len(data)) or kind_of(data))
    sight = Sight()
    for _ in range(1_000):
        sight.of(b"\r\n ")
    assert sight.of(b"data: x") is Kind.EVENTS
    assert sum(looked) == len(b"\r\n ") * 1_000 + len(b"data: x")


# --- a stream of any name

NAMES = ["text/plain; charset=utf-8", "application/json", "Text/Event-Stream;a=b", None]


def script(form, title="a good one and a mended one", *, streamed=True):
    return next(one for one in scripts.several() if (one.title, one.form, one.streamed) == (title, form, streamed))


@contextmanager
def named(kind, pieces, mending=None, status=200):
    """A gateway before a server whose reply has this content type, or none, and comes in these pieces."""

    async def answer(reader, writer):
        head = await reader.readuntil(b"\r\n\r\n")
        await reader.readexactly(int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0]))
        told = b"" if kind is None else b"Content-Type: %b\r\n" % kind.encode()
        writer.write(b"HTTP/1.1 %d X\r\n%bTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n" % (status, told))
        async for piece in pieces() if callable(pieces) else _each(pieces):
            writer.write(b"%x\r\n%b\r\n" % (len(piece), piece))
            await writer.drain()
        writer.write(b"0\r\n\r\n")
        await writer.drain()
        writer.close()

    with Loop() as loop:
        server = loop.run(asyncio.start_server(answer, "127.0.0.1", 0))
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
        settings = replace(SETTINGS, upstreams=(UpstreamSettings(url=url),), mending=mending or Mending())
        yield Server(loop.enter(running(settings)).url)
        server.close()


async def _each(pieces):
    for piece in pieces:
        yield piece
        await asyncio.sleep(0)


def asking(way, server, request):
    """What the program gets by one way to ask."""
    request = {name: value for name, value in request.items() if name != "stream"}
    with anthropic_client(server.root) if way.form == "anthropic" else openai_client(server.url) as client:
        try:
            return way.ask(client, request)
        except (*REFUSED, Failed) as error:
            return raised(error)


@pytest.mark.parametrize("kind", NAMES)
@pytest.mark.parametrize("mode", ["pass", "retry"])
@each_way
def test_a_stream_of_any_name_is_one(way, mode, kind):
    given = script(way.form)
    with named(kind, [given.sent], MODES[mode]) as server:
        heard = hear(server.root, way.form, given.request())
        answer = asking(way, server, given.request())
    assert (heard.status, heard.cut, heard.seen.faults) == (200, False, ())
    assert heard.headers["content-type"].lower().startswith("text/event-stream")
    assert [(one.name, one.value()) for one in heard.seen.calls] == given.right().valid
    assert (answer.error, [*answer.calls]) == (None, given.right().valid)


@pytest.mark.parametrize("kind", NAMES)
@each_form
def test_a_bad_call_in_a_stream_of_any_name_reaches_nobody(form, kind):
    given = script(form, "a good one and a bad one")
    with named(kind, [given.sent], MODES["error"]) as server:
        heard = hear(server.root, form, given.request())
    assert (heard.status, heard.cut, heard.seen.faults, heard.seen.end) == (200, False, (), "error")


@pytest.mark.parametrize("cut", range(1, 12))
@pytest.mark.parametrize(
    "before", [b"", b"\n\r\n", b"\xef\xbb\xbf", ": 你好\n\n".encode()], ids=["nothing", "blank", "bom", "comment"]
)
def test_however_the_network_cuts_the_beginning(before, cut):
    given = script("openai-chat", "two good ones")
    sent = before + given.sent
    with named(None, [sent[:cut], sent[cut:]]) as server:
        heard = hear(server.root, "openai-chat", given.request())
    assert (heard.status, heard.body) == (200, sent)


def test_it_goes_on_at_once():
    go_on = threading.Event()

    async def pieces():
        yield ROLE + TEXT
        assert await asyncio.to_thread(go_on.wait, WAIT)
        yield GOOD + END

    with named("application/json", pieces) as server, closing(connection(server.root)) as asking:
        asking.request(
            "POST", "/v1/chat/completions", json.dumps(chat(stream=True)), {"Content-Type": "application/json"}
        )
        reply = asking.getresponse()
        heard = b""
        while heard != ROLE + TEXT:
            heard += reply.read1()
        go_on.set()
        assert heard + reply.read() == ROLE + TEXT + GOOD + END


@pytest.mark.parametrize("kind", ["text/html", "application/json", None])
@pytest.mark.parametrize(
    "sent", [b"<html>\n\n<body>\n\n", b"", b"dat", b"\n\n", b'{"id": "x', b"[1]", b'{"choices": 7}']
)
@each_form
def test_what_is_neither_is_refused(form, sent, kind):
    with named(kind, [sent] if sent else []) as server:
        heard = hear(server.root, form, script(form).request())
    assert (heard.status, heard.headers["content-type"], heard.error["code"]) == (
        502,
        "application/json",
        "upstream_garbled",
    )


# --- any success


@pytest.mark.parametrize("status", [200, 201, 202, 206])
@pytest.mark.parametrize("mode", ["error", "retry"])
@pytest.mark.parametrize("streamed", [True, False], ids=["stream", "whole"])
@each_form
def test_a_success_of_any_number_is_read(form, streamed, mode, status):
    good, bad = (script(form, f"a good one and a {one} one", streamed=streamed) for one in ("mended", "bad"))
    kind = "text/event-stream" if streamed else "application/json"
    acts = [Act(pieces=[one.sent], kind=kind, status=status) for one in (good, bad)]
    with serving(acts, MODES[mode]) as server:
        heard, refused = (hear(server.root, form, one.request()) for one in (good, bad))
    seen = heard.seen if streamed else heard.whole
    assert (heard.status, seen.faults) == (status, ())
    assert [(one.name, one.value()) for one in seen.calls] == good.right().valid
    assert refused.status == (status if streamed else 502)
    assert (refused.seen.end == "error") if streamed else refused.error


@pytest.mark.parametrize("status", [201, 202, 204, 205])
@pytest.mark.parametrize("known", [True, False], ids=["length", "chunks"])
@pytest.mark.parametrize("streamed", [True, False], ids=["stream", "whole"])
def test_a_success_that_says_nothing_passes(streamed, known, status):
    with serving([Act(status=status, length=known, kind="application/json")], MODES["error"]) as server:
        heard = hear(server.root, "openai-chat", script("openai-chat", streamed=streamed).request())
    assert (heard.status, heard.body, heard.cut) == (status, b"", False)


# --- a whole reply to a request for a stream


@pytest.mark.parametrize("kind", ["application/json", "text/event-stream"])
@pytest.mark.parametrize("mode", MODES)
@each_way
def test_a_whole_reply_where_a_stream_was_asked_for_is_told_as_one(way, mode, kind):
    given = script(way.form, streamed=False)
    request = script(way.form).request()
    act = Act(pieces=[given.sent], kind=kind, length=True)
    with serving(lambda _asked: act, MODES[mode]) as server:
        heard = hear(server.root, way.form, request)
        answer = asking(way, server, request)
    assert (heard.status, heard.headers["content-type"], heard.seen.faults) == (200, "text/event-stream", ())
    assert [(one.name, one.value()) for one in heard.seen.calls] == given.right().valid
    assert (answer.error, [*answer.calls]) == (None, given.right().valid)


@pytest.mark.parametrize("mode", ["error", "retry"])
@each_way
def test_a_bad_call_in_such_a_reply_is_refused(way, mode):
    given = script(way.form, "a good one and a bad one", streamed=False)
    act = Act(pieces=[given.sent], kind="application/json", length=True)
    with serving(lambda _asked: act, MODES[mode]) as server:
        heard = hear(server.root, way.form, script(way.form).request())
        answer = asking(way, server, script(way.form).request())
    assert (heard.status, heard.seen.faults, heard.seen.end) == (200, (), "error")
    assert answer.error is not None


@pytest.mark.parametrize("first", ["stream", "whole"])
@pytest.mark.parametrize("second", ["stream", "whole"])
@each_form
def test_asked_again_either_may_follow(form, first, second):
    bad = script(form, "a good one and a bad one", streamed=first == "stream")
    good = script(form, "two good ones", streamed=second == "stream")
    acts = [
        Act(pieces=[one.sent], kind="text/event-stream" if one.streamed else "application/json") for one in (bad, good)
    ]
    with serving(acts, Mending(on_invalid="retry", retries=1)) as server:
        heard = hear(server.root, form, script(form).request())
        assert len(server.upstream.asked) == 2
    assert (heard.status, heard.seen.faults) == (200, ())
    assert [(one.name, one.value()) for one in heard.seen.calls][-2:] == good.right().valid


@each_form
def test_a_whole_reply_that_is_called_a_stream_stays_whole_where_none_was_asked_for(form):
    given = script(form, streamed=False)
    with serving([Act(pieces=[given.sent])], MODES["error"]) as server:
        heard = hear(server.root, form, given.request())
    assert (heard.status, heard.headers["content-type"], heard.whole.faults) == (200, "application/json", ())
    assert [(one.name, one.value()) for one in heard.whole.calls] == given.right().valid


def test_a_whole_reply_that_is_too_long():
    given = script("openai-chat", streamed=False)
    settings = limited(max_reply=len(given.sent) - 1)
    with serving([Act(pieces=[given.sent], kind="application/json")], settings=settings) as server:
        heard = hear(server.root, "openai-chat", script("openai-chat").request())
    assert (heard.status, heard.error["code"]) == (502, "reply_too_large")


@each_form
def test_an_error_with_a_status_of_success_has_one_of_its_own(form):
    act = Act(pieces=[b'{"type": "error", "error": {"message": "down"}}'], kind="application/json")
    with serving([act]) as server:
        heard = hear(server.root, form, script(form).request())
    assert (heard.status, heard.error) == (502, {"message": "down"})


THOUGHT = {"type": "thinking", "thinking": "嗯", "signature": "S1"}
HIDDEN = {"type": "redacted_thinking", "data": "x"}
CITED = {"type": "text", "text": "as said", "citations": [{"type": "char_location", "cited_text": "said", "document_index": 0, "document_title": None, "start_char_index": 0, "end_char_index": 4, "file_id": None}]}  # fmt: skip
SEARCH = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "灯"}, "caller": {"type": "direct"}}  # fmt: skip
REASONED = {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "嗯"}], "encrypted_content": "x"}  # fmt: skip
DECLINED = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [{"type": "refusal", "refusal": "no"}]}  # fmt: skip


def test_what_only_one_provider_has_is_told_as_well():
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "stop_reason": "tool_use", "stop_sequence": None}  # fmt: skip
    use = {"type": "tool_use", "id": "toolu_1", "name": "get_temperature", "input": {"location": "北京"}, "caller": {"type": "direct"}}  # fmt: skip
    body = {
        **message,
        "content": [THOUGHT, HIDDEN, CITED, SEARCH, use],
        "usage": {"input_tokens": 3, "output_tokens": 5},
    }
    act = Act(pieces=[json.dumps(body).encode()], kind="application/json")
    asked = {key: value for key, value in script("anthropic").request().items() if key != "stream"}
    with (
        serving([act], MODES["error"]) as server,
        anthropic_client(server.root) as client,
        client.messages.stream(**asked) as stream,
    ):
        made = stream.get_final_message()
    assert [one.to_dict() for one in made.content] == body["content"]
    assert (made.stop_reason, made.usage.input_tokens, made.usage.output_tokens) == ("tool_use", 3, 5)


def test_items_of_responses_are_told_as_well():
    given = script("openai-responses", "two good ones", streamed=False)
    body = json.loads(given.sent)
    body["output"] = [REASONED, *body["output"], DECLINED]
    act = Act(pieces=[json.dumps(body).encode()], kind="application/json")
    asked = {key: value for key, value in given.request().items() if key != "stream"}
    with (
        serving([act], MODES["error"]) as server,
        openai_client(server.url) as client,
        client.responses.stream(**asked) as stream,
    ):
        heard = [event.type for event in stream]
        made = stream.get_final_response()
    assert [one.to_dict()["type"] for one in made.output] == [one["type"] for one in body["output"]]
    assert {"response.reasoning_summary_text.delta", "response.refusal.delta", "response.completed"} <= {*heard}
