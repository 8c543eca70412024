import json

import pytest

from argwright.proxy.refusals import Code, Refusal, Refused, body, event, headers

STATUS = {
    Code.BODY_UNREADABLE: 400, Code.SEVERAL: 400, Code.UNAUTHORIZED: 401, Code.NOT_FOUND: 404, Code.NO_UPSTREAM: 404,
    Code.METHOD: 405, Code.TOO_SLOW: 408, Code.TOO_LARGE: 413, Code.ENCODING_UNKNOWN: 415, Code.EXPECTATION: 417, Code.TOO_MANY: 429, Code.INTERNAL: 500, Code.NOT_SUPPORTED: 501,
    Code.UNREACHABLE: 502, Code.CLOSED: 502, Code.GARBLED: 502, Code.FAILED: 502, Code.REPLY_TOO_LARGE: 502,
    Code.DRAINING: 503, Code.STALLED: 504, Code.OUT_OF_TIME: 504,
}  # fmt: skip


def test_every_code_has_its_status():
    assert {code: Refusal(code, "").status for code in Code} == STATUS


@pytest.mark.parametrize(
    ("code", "openai", "anthropic"),
    [
        (Code.TOO_LARGE, "invalid_request_error", "request_too_large"),
        (Code.TOO_MANY, "rate_limit_error", "rate_limit_error"),
        (Code.STALLED, "timeout_error", "timeout_error"),
        (Code.CLOSED, "server_error", "api_error"),
        (Code.NO_UPSTREAM, "not_found_error", "not_found_error"),
        (Code.UNAUTHORIZED, "authentication_error", "authentication_error"),
        (Code.BODY_UNREADABLE, "invalid_request_error", "invalid_request_error"),
    ],
)
def test_the_protocols_forms(code, openai, anthropic):
    refusal = Refusal(code, "x 工具")
    told = {"message": "argwright: x 工具", "type": openai, "param": None, "code": code.value}
    assert json.loads(body(refusal, None)) == {"error": told}
    assert json.loads(body(refusal, "openai-chat")) == {"error": told}
    assert json.loads(body(refusal, "openai-responses")) == {"error": told}
    assert json.loads(body(refusal, "anthropic")) == {
        "type": "error",
        "error": {"type": anthropic, "message": "argwright: x 工具", "code": code.value},
    }


def read_event(data):
    lines = data.decode().split("\n")
    assert lines[-2:] == ["", ""]
    fields = dict(line.split(": ", 1) for line in lines[:-2])
    return fields.get("event"), json.loads(fields["data"])


def test_the_last_event_of_a_stream():
    refusal = Refusal(Code.STALLED, "nothing comes")
    chat = {"message": "argwright: nothing comes", "type": "timeout_error", "param": None, "code": "upstream_stalled"}
    assert read_event(event(refusal, "openai-chat")) == (None, {"error": chat})
    assert read_event(event(refusal, "anthropic")) == (
        "error",
        {
            "type": "error",
            "error": {
                "type": "timeout_error", "message": "argwright: nothing comes", "code": "upstream_stalled",
            },
        },
    )  # fmt: skip
    assert read_event(event(refusal, "openai-responses", 7)) == (
        "error",
        {
            "type": "error", "code": "upstream_stalled", "message": "argwright: nothing comes", "param": None,
            "sequence_number": 7,
            "error": {
                "message": "argwright: nothing comes", "type": "timeout_error", "param": None,
                "code": "upstream_stalled",
            },
        },
    )  # fmt: skip


def test_headers():
    assert headers(Refusal(Code.CLOSED, "")) == {"Content-Type": "application/json"}
    assert headers(Refusal(Code.TOO_MANY, "", 3)) == {"Content-Type": "application/json", "Retry-After": "3"}
    assert headers(Refusal(Code.UNAUTHORIZED, "")) == {
        "Content-Type": "application/json",
        "WWW-Authenticate": 'Bearer realm="argwright"',
    }


def test_what_is_raised_is_the_refusal():
    assert Refused(Code.TOO_MANY, "x", retry_after=1).refusal == Refusal(Code.TOO_MANY, "x", 1)
