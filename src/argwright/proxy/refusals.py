"""What the gateway itself answers when it cannot do what was asked, in the form that the client's SDK understands.

A refusal has a slug, from which its status follows; the text is for people. It names no key, no header and nothing of a
body. In the middle of a stream a refusal becomes the protocol's error event.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from http import HTTPStatus
from typing import Any

from argwright.model import compact
from argwright.proxy.routing import Protocol


class Code(StrEnum):
    """Why the gateway refuses."""

    BODY_UNREADABLE = "body_unreadable"
    SEVERAL = "several_choices"
    UNAUTHORIZED = "unauthorized"
    NOT_FOUND = "not_found"
    NO_UPSTREAM = "no_upstream"
    METHOD = "method_not_allowed"
    TOO_SLOW = "request_too_slow"
    TOO_LARGE = "request_too_large"
    ENCODING_UNKNOWN = "content_encoding_unknown"
    EXPECTATION = "expectation_unknown"
    TOO_MANY = "too_many_streams"
    DRAINING = "draining"
    INTERNAL = "internal_error"
    NOT_SUPPORTED = "not_supported"
    UNREACHABLE = "upstream_unreachable"
    CLOSED = "upstream_closed"
    GARBLED = "upstream_garbled"
    FAILED = "upstream_failed"
    REPLY_TOO_LARGE = "reply_too_large"
    STALLED = "upstream_stalled"
    OUT_OF_TIME = "out_of_time"


_STATUS = {
    Code.BODY_UNREADABLE: HTTPStatus.BAD_REQUEST,
    Code.SEVERAL: HTTPStatus.BAD_REQUEST,
    Code.UNAUTHORIZED: HTTPStatus.UNAUTHORIZED,
    Code.NOT_FOUND: HTTPStatus.NOT_FOUND,
    Code.NO_UPSTREAM: HTTPStatus.NOT_FOUND,
    Code.METHOD: HTTPStatus.METHOD_NOT_ALLOWED,
    Code.TOO_SLOW: HTTPStatus.REQUEST_TIMEOUT,
    Code.TOO_LARGE: HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    Code.ENCODING_UNKNOWN: HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
    Code.EXPECTATION: HTTPStatus.EXPECTATION_FAILED,
    Code.TOO_MANY: HTTPStatus.TOO_MANY_REQUESTS,
    Code.DRAINING: HTTPStatus.SERVICE_UNAVAILABLE,
    Code.INTERNAL: HTTPStatus.INTERNAL_SERVER_ERROR,
    Code.NOT_SUPPORTED: HTTPStatus.NOT_IMPLEMENTED,
    Code.UNREACHABLE: HTTPStatus.BAD_GATEWAY,
    Code.CLOSED: HTTPStatus.BAD_GATEWAY,
    Code.GARBLED: HTTPStatus.BAD_GATEWAY,
    Code.FAILED: HTTPStatus.BAD_GATEWAY,
    Code.REPLY_TOO_LARGE: HTTPStatus.BAD_GATEWAY,
    Code.STALLED: HTTPStatus.GATEWAY_TIMEOUT,
    Code.OUT_OF_TIME: HTTPStatus.GATEWAY_TIMEOUT,
}
_OPENAI_TYPES = {
    HTTPStatus.UNAUTHORIZED: "authentication_error",
    HTTPStatus.NOT_FOUND: "not_found_error",
    HTTPStatus.TOO_MANY_REQUESTS: "rate_limit_error",
    HTTPStatus.GATEWAY_TIMEOUT: "timeout_error",
}
_ANTHROPIC_TYPES = _OPENAI_TYPES | {HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "request_too_large"}
_CLIENTS_FAULT = 500  # statuses below


@dataclass(frozen=True)
class Refusal:
    """One refusal.

    Args:
        code: why.
        message: for people.
        retry_after: seconds after which it may be worth trying again.
    """

    code: Code
    message: str
    retry_after: int | None = None

    @property
    def status(self) -> int:
        """The HTTP status."""
        return _STATUS[self.code].value


class Refused(Exception):  # noqa: N818  # a way out of a handler, with what to answer
    """Raised where the gateway cannot go on with a request."""

    def __init__(self, code: Code, message: str, *, retry_after: int | None = None) -> None:
        self.refusal = Refusal(code, message, retry_after)
        super().__init__(message)


def body(refusal: Refusal, protocol: Protocol | None) -> bytes:
    """The body of a reply; the form is OpenAI's where no protocol is known."""
    return compact(_anthropic(refusal) if protocol == "anthropic" else {"error": _openai(refusal)}).encode()


def event(refusal: Refusal, protocol: Protocol, sequence: int = 0) -> bytes:
    """The last event of a stream that has begun already.

    Args:
        refusal: why it ends.
        protocol: whose stream it is.
        sequence: the number of a Responses event: one more than the last.
    """
    match protocol:
        case "openai-chat":
            return _event(None, {"error": _openai(refusal)})
        case "anthropic":
            return _event("error", _anthropic(refusal))
        case "openai-responses":
            told = {"code": refusal.code.value, "message": f"argwright: {refusal.message}", "param": None}
            error = {"error": _openai(refusal)}  # without it the official clients raise nothing
            return _event("error", {"type": "error", **told, "sequence_number": sequence, **error})


def headers(refusal: Refusal) -> dict[str, str]:
    """The header fields of a refusal."""
    said = {"Content-Type": "application/json"}
    if refusal.retry_after is not None:
        said["Retry-After"] = str(refusal.retry_after)
    if refusal.code is Code.UNAUTHORIZED:
        said["WWW-Authenticate"] = 'Bearer realm="argwright"'
    return said


def _openai(refusal: Refusal) -> dict[str, Any]:
    return {
        "message": f"argwright: {refusal.message}",
        "type": _type(refusal, _OPENAI_TYPES, "server_error"),
        "param": None,
        "code": refusal.code.value,
    }


def _anthropic(refusal: Refusal) -> dict[str, Any]:
    told = {"type": _type(refusal, _ANTHROPIC_TYPES, "api_error"), "message": f"argwright: {refusal.message}"}
    return {"type": "error", "error": told | {"code": refusal.code.value}}


def _type(refusal: Refusal, types: dict[HTTPStatus, str], ours: str) -> str:
    other = "invalid_request_error" if refusal.status < _CLIENTS_FAULT else ours
    return types.get(_STATUS[refusal.code], other)


def _event(name: str | None, data: dict[str, Any]) -> bytes:
    return ((f"event: {name}\n" if name else "") + f"data: {compact(data)}\n\n").encode()
