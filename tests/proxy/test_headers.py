import pytest
from multidict import CIMultiDict

from argwright.proxy.headers import for_client, for_mended, for_upstream

REQUEST = CIMultiDict([
    ("Host", "gateway"), ("Connection", "keep-alive, X-Hop"), ("Connection", "x-other"), ("X-Hop", "1"),
    ("X-Other", "2"), ("Keep-Alive", "timeout=5"), ("TE", "trailers"), ("Transfer-Encoding", "chunked"),
    ("Upgrade", "h2c"), ("Expect", "100-continue"), ("Proxy-Authorization", "Basic x"), ("Proxy-Connection", "close"),
    ("Trailer", "x"), ("Authorization", "Bearer sk-1"), ("x-api-key", "k"), ("Accept-Encoding", "gzip"),
    ("Content-Encoding", "gzip"), ("Content-Length", "3"), ("X-Many", "a"), ("X-Many", "b"), ("Via", "1.1 lb"),
    ("X-Title", "Caf\udce9"), ("X-Name", "工具"),
])  # fmt: skip
REPLY = CIMultiDict([
    ("Connection", "close"), ("Transfer-Encoding", "chunked"), ("Proxy-Authenticate", "Basic"), ("Content-Length", "9"),
    ("Content-Encoding", "gzip"), ("ETag", '"1"'), ("Content-Type", "application/json"), ("x-request-id", "req_1"),
    ("Retry-After", "7"), ("Set-Cookie", "a=1"), ("Set-Cookie", "b=2"),
])  # fmt: skip


def test_what_is_for_one_connection_does_not_go_upstream():
    assert [*for_upstream(REQUEST).items()] == [
        ("Authorization", "Bearer sk-1"), ("x-api-key", "k"), ("Accept-Encoding", "gzip"),
        ("Content-Encoding", "gzip"), ("Content-Length", "3"), ("X-Many", "a"), ("X-Many", "b"), ("Via", "1.1 lb"),
        ("X-Title", "Café"), ("X-Name", "工具"), ("Via", "1.1 argwright"),
    ]  # fmt: skip


SAID = [
    ((), ["X-Hop", "x-other"]),
    (("keep-alive",), ["X-Hop", "x-other"]),
    (("close",), ["X-Hop", "x-other"]),
    (("keep-alive", "X-Other"), ["X-Hop"]),
    (("close, x-hop , X-OTHER",), []),
]


@pytest.mark.parametrize(("said", "kept"), SAID)
def test_what_the_sender_names_beside_its_connection_stays_here(said, kept):
    fields = CIMultiDict([("X-Hop", "1"), *(("Connection", one) for one in said), ("x-other", "2")])
    assert [*for_client(fields)] == kept


def test_a_reply_that_will_be_read_is_asked_for_in_plain_bytes():
    assert [*for_mended(REQUEST).items()] == [
        ("Authorization", "Bearer sk-1"), ("x-api-key", "k"), ("X-Many", "a"), ("X-Many", "b"), ("Via", "1.1 lb"),
        ("X-Title", "Café"), ("X-Name", "工具"), ("Via", "1.1 argwright"), ("Accept-Encoding", "identity"),
    ]  # fmt: skip


NAMED = CIMultiDict([("Idempotency-Key", "k"), ("X-Idempotency-Key", "k"), ("Content-Digest", "sha-256=:x:"), ("Content-MD5", "x"), ("X-A", "1")])  # fmt: skip


@pytest.mark.parametrize(
    ("more", "kept"),
    [
        ({}, [*NAMED]),
        ({"own": False}, ["Idempotency-Key", "X-Idempotency-Key", "X-A"]),
        ({"own": False, "again": True}, ["X-A"]),
    ],
)
def test_another_body_goes_without_what_names_the_first(more, kept):
    assert [*for_mended(NAMED, **more)][: -len(["Via", "Accept-Encoding"])] == kept


def test_a_reply_that_passes_keeps_what_its_bytes_are():
    assert [*for_client(REPLY).items()] == [
        ("Content-Length", "9"), ("Content-Encoding", "gzip"), ("ETag", '"1"'), ("Content-Type", "application/json"),
        ("x-request-id", "req_1"), ("Retry-After", "7"), ("Set-Cookie", "a=1"), ("Set-Cookie", "b=2"),
    ]  # fmt: skip


def test_a_rewritten_reply_does_not_say_what_is_no_longer_true():
    assert [*for_client(REPLY, rewritten=True).items()] == [
        ("Content-Type", "application/json"), ("x-request-id", "req_1"), ("Retry-After", "7"), ("Set-Cookie", "a=1"),
        ("Set-Cookie", "b=2"),
    ]  # fmt: skip
