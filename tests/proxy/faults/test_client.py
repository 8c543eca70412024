"""A client that goes away, asks too much, or too often."""

from __future__ import annotations

import json
import threading

import pytest

from argwright.proxy.settings import Mending
from argwright.scripted import FORMS
from tests.proxy.faults.raw import connection, hear
from tests.proxy.faults.test_upstream import script, within_a_call
from tests.proxy.scripts import PATHS
from tests.proxy.serving import WAIT, Act, limited, serving

ERROR = Mending(on_invalid="error")
each_form = pytest.mark.parametrize("form", FORMS)


def begun(root: str, form: str, request: object):
    asking = connection(root)
    asking.request("POST", f"/v1/{PATHS[form]}", json.dumps(request).encode(), {"Content-Type": "application/json"})
    return asking


@each_form
@pytest.mark.parametrize("mode", ["error", "retry", "pass"])
def test_a_client_that_goes_away_in_the_middle_of_a_stream(form, mode):
    """Also while a call is held and nothing is sent."""
    good = script(form)
    act = Act(pieces=[good.sent[: within_a_call(good)]], end="stall")
    with serving([act], Mending(on_invalid=mode)) as server:
        asking = begun(server.root, form, good.request())
        answer = asking.getresponse()
        assert answer.read(1)
        assert server.upstream.begun.wait(WAIT)
        answer.close()
        asking.close()
        assert server.upstream.gone.wait(WAIT)
        assert len(server.upstream.asked) == 1


@each_form
@pytest.mark.parametrize("streamed", [True, False], ids=["stream", "whole"])
def test_a_client_that_goes_away_before_the_first_byte(form, streamed):
    good = script(form, streamed=streamed)
    kind = "text/event-stream" if streamed else "application/json"
    with serving([Act(end="stall", kind=kind)], ERROR) as server:
        asking = begun(server.root, form, good.request())
        assert server.upstream.begun.wait(WAIT)
        asking.close()
        assert server.upstream.gone.wait(WAIT)


@each_form
def test_too_large_a_request(form):
    with serving([], ERROR, settings=limited(max_body=1000)) as server:
        request = {**script(form).request(), "metadata": {"x": "y" * 2000}}
        heard = hear(server.root, form, request)
        assert (heard.status, bool(heard.error)) == (413, True)
        assert server.upstream.asked == []


@each_form
def test_too_many_at_once(form):
    good = script(form)
    go = threading.Event()
    acts = [Act(pieces=[good.sent], waits=go), Act(pieces=[good.sent])]
    with serving(acts, ERROR, settings=limited(max_streams=1)) as server:
        first = begun(server.root, form, good.request())
        answer: list[bytes] = []
        reading = threading.Thread(target=lambda: answer.append(first.getresponse().read()))
        reading.start()
        try:
            for _ in range(200):  # until the first has arrived
                if server.upstream.asked:
                    break
                threading.Event().wait(0.02)
            heard = hear(server.root, form, good.request())
            assert (heard.status, bool(heard.error)) == (429, True)
            assert int(heard.headers["retry-after"]) >= 1
        finally:
            go.set()
            reading.join(WAIT)
        assert answer == [good.sent]
        assert hear(server.root, form, good.request()).body == good.sent
        first.close()


@each_form
@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b"null", b'{"tools": 7}', b'{"tools": [7]}', b"\xff\xfe", b'{"tools": [{"type": "x"}]}']
)
def test_a_request_that_cannot_be_read_is_the_providers_to_refuse(form, body):
    refusal = Act(status=400, pieces=[b'{"error": {"message": "what?"}}'], kind="application/json")
    with serving([refusal], ERROR) as server:
        heard = hear(server.root, form, body)
        [asked] = server.upstream.asked
    assert (heard.status, heard.body, asked.body) == (400, b'{"error": {"message": "what?"}}', body)
