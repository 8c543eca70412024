"""The page's files and data, over HTTP."""

from __future__ import annotations

import gzip
import json
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import Request, urlopen

import pytest

from .conftest import SCRIPT, TOOLS


def _get(url, data=None, headers=None):
    try:
        with urlopen(Request(url, data=data, headers=headers or {}), timeout=20) as reply:
            return reply.status, reply.headers, reply.read()
    except HTTPError as error:
        with error:
            return error.code, error.headers, error.read()


def _json(url, data=None):
    status, _, body = _get(url, data)
    return status, json.loads(body)


@pytest.fixture(scope="module")
def full(serve):
    return serve("full") + "/_argwright"


def test_the_page_lets_nothing_in_from_elsewhere(full):
    for path, kind in [
        ("/", "text/html"),
        ("/static/app.js", "text/javascript"),
        ("/static/words.zh.json", "application/json"),
    ]:
        status, headers, _ = _get(full + path)
        assert (status, headers.get_content_type()) == (200, kind)
        policy = headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self';" in policy
        assert "unsafe" not in policy
        assert "*" not in policy
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "no-referrer"
    assert _get(full)[2] == _get(full + "/")[2]  # it leads there


def test_files_are_not_sent_twice(full):
    _, headers, _ = _get(full + "/static/app.css")
    assert _get(full + "/static/app.css", headers={"If-None-Match": headers["ETag"]})[0] == 304


@pytest.mark.parametrize("name", ["none.js", "..%2froutes.py", "%2e%2e%2froutes.py", "app.js%00", ""])
def test_there_are_no_other_files(full, name):
    assert _get(f"{full}/static/{name}")[0] == 404


def test_the_state_says_what_is_kept(full):
    status, state = _json(full + "/api/state")
    assert status == 200
    assert (state["journal"]["mode"], state["journal"]["phase"], state["journal"]["dropped"]) == ("full", "writing", 0)
    assert state["alerts"] == []


def test_rates_and_calls_and_one_call(full):
    _, rates = _json(full + "/api/rates?hours=1")
    assert rates["totals"]["valid"] == 20
    assert sum(point["refused"] for point in rates["points"]) == rates["totals"]["refused"]
    _, page = _json(full + "/api/calls?hours=1&limit=4")
    assert len(page["calls"]) == 4
    _, rest = _json(f"{full}/api/calls?hours=1&limit=100&before={page['next']}")
    assert (len(page["calls"]) + len(rest["calls"]), rest["next"]) == (11, None)
    _, one = _json(f"{full}/api/calls/{rest['calls'][-1]['id']}")
    assert "".join(piece["text"] for piece in one["detail"]["pieces"]) == "{'query': '上海 🍜', 'limit': 3,}"


def test_calls_are_found_by_every_facet(full):
    model = quote(f"model-7{SCRIPT}")
    for query, number in [("tool=log_in", 2), ("reason=truncated", 2), ("kind=unknown_tool", 1), (f"model={model}", 11), ("rule=lone-surrogate", 1)]:  # fmt: skip
        assert len(_json(f"{full}/api/calls?hours=1&{query}")[1]["calls"]) == number, query


def test_a_sensitive_value_is_nowhere(full):
    _, page = _json(full + "/api/calls?hours=1&tool=log_in")
    texts = [json.dumps(_json(f"{full}/api/calls/{call['id']}")[1]) for call in page["calls"]]
    assert len(texts) == 2
    assert not any("geheim" in text for text in texts)


def test_what_is_wrong_is_told(full):
    assert _json(full + "/api/calls?hours=x") == (
        400,
        {"error": {"type": "bad_request", "pointer": "?hours", "message": "?hours: a whole number from 1 to 8784 was expected"}},
    )  # fmt: skip
    assert _json(full + "/api/calls/999999")[0] == 404
    assert _json(full + "/api/calls/x")[0] == 400
    assert _json(full + "/api/repair", b"{")[0] == 400
    assert _json(full + "/api/nothing")[0] == 404


def test_the_playground_keeps_nothing(full):
    before = _json(full + "/api/rates?hours=1")[1]["totals"]
    body = json.dumps({"name": "search", "arguments": "{'query': 1}", "tools": TOOLS}).encode()
    status, got = _json(full + "/api/repair", body)
    assert (status, got["status"], got["reason"]) == (200, "refused", "type")
    assert _json(full + "/api/rates?hours=1")[1]["totals"] == before
    assert _json(full + "/api/rules")[1]["trailing-comma"]["certainty"] == "exact"


def test_repaired_calls_reach_the_journal(serve):
    url = serve("full", filled=False)
    body = json.dumps({"name": "search", "arguments": "{'query': 'a',}", "tools": TOOLS, "model": "m"}).encode()
    assert _json(url + "/v1/repair", body)[1]["status"] == "valid"
    for _ in range(200):
        calls = _json(url + "/_argwright/api/calls?hours=1")[1]["calls"]
        if calls:
            break
    assert [(call["tool"], call["status"], call["protocol"], call["model"]) for call in calls] == [
        ("search", "mended", "repair", "m")
    ]


@pytest.mark.parametrize("path", ["/v1/repair", "/_argwright/api/repair"])
def test_a_page_of_another_site_may_send_nothing(full, path):
    url = full.removesuffix("/_argwright") + path
    body = json.dumps({"arguments": "{}", "schema": {"type": "object"}}).encode()
    assert [
        _get(url, body, {"Sec-Fetch-Site": site})[0] for site in ("cross-site", "same-site", "same-origin", "none")
    ] == [401, 401, 200, 200]
    assert _get(url, body)[0] == 200


def test_a_compressed_request_is_read(full):
    body = gzip.compress(json.dumps({"arguments": "{}", "schema": {"type": "object"}}).encode())
    url = full.removesuffix("/_argwright") + "/v1/repair"
    assert _get(url, body, {"Content-Encoding": "gzip"})[0] == 200
    assert _get(url, body, {"Content-Encoding": "none-such"})[0] == 415


def test_without_a_journal_the_page_says_so(serve):
    url = serve("off") + "/_argwright/api"
    assert _json(url + "/state")[1]["journal"]["phase"] == "off"
    assert _json(url + "/rates") == (
        503,
        {"error": {"type": "journal_unreadable", "cause": "off", "message": "the journal is off"}},
    )


def test_a_journal_that_cannot_be_read_does_not_break_the_page(serve, tmp_path):
    url = serve("full", filled=False, path=tmp_path) + "/_argwright/api"  # a directory
    assert _json(url + "/state")[0] == 200
    assert _json(url + "/calls")[0] == 503


# --- signing in -------------------------------------------------------------------------------------------------------

TOKEN = "t0ken-ünder"


@pytest.fixture(scope="module")
def closed(serve):
    return serve("off", token=TOKEN) + "/_argwright"


def test_a_browser_without_a_token_gets_a_form(closed):
    status, headers, body = _get(closed + "/", headers={"Accept": "text/html"})
    assert (status, headers.get_content_type()) == (401, "text/html")
    assert b'action="/_argwright/sign-in"' in body
    assert _get(closed + "/static/app.css")[0] == 200
    assert _get(closed + "/", headers={"Accept": "*/*"})[1].get_content_type() == "application/json"
    assert _get(closed + "/api/state", headers={"Accept": "text/html"})[0] == 401
    assert _get(closed + "/static/..%2fapi%2fstate")[0] == 404


def test_the_form_opens_the_page(closed):
    form = f"token={quote(TOKEN)}".encode()
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    request = Request(closed + "/sign-in", data=form, headers=kind)
    from http.client import HTTPConnection

    connection = HTTPConnection(request.host, timeout=20)
    try:
        connection.request("POST", "/_argwright/sign-in", form, kind)
        reply = connection.getresponse()
        assert (reply.status, reply.headers["Location"]) == (303, "/_argwright/")
        cookie = reply.headers["Set-Cookie"]
        reply.read()
    finally:
        connection.close()
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert TOKEN not in cookie
    assert _get(closed + "/api/state", headers={"Cookie": cookie.partition(";")[0]})[0] == 200


@pytest.mark.parametrize("form", [b"token=wrong", b"", b"other=1", b"token=" + b"x" * 10_000])
def test_a_wrong_token_opens_nothing(closed, form):
    status, headers, _ = _get(closed + "/sign-in", form, {"Content-Type": "application/x-www-form-urlencoded"})
    assert (status, headers["Set-Cookie"]) == (401, None)


def test_health_and_metrics_tell_a_journal_that_has_stopped(serve, tmp_path):
    url = serve("full", filled=False, path=tmp_path)  # a directory
    for _ in range(200):
        health = _json(url + "/_argwright/health")[1]
        if health["journal"] != "writing":
            break
    assert (health["status"], health["journal"]) == ("ok", "stopped")
    assert b"argwright_journal_stopped 1\n" in _get(url + "/metrics")[2]
