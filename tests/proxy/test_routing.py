import pytest

from argwright.proxy.routing import address, by_model, candidates, choose, protocol_of
from argwright.proxy.settings import UpstreamSettings

PROTOCOLS = [
    ("POST", "/v1/chat/completions", "openai-chat"),
    ("POST", "/chat/completions", "openai-chat"),
    ("POST", "/v1/chat/completions/", "openai-chat"),
    ("POST", "/v1//chat/completions", "openai-chat"),
    ("POST", "/openai/deployments/gpt/chat/completions", "openai-chat"),
    ("POST", "/azure/v1/chat/completions", "openai-chat"),
    ("POST", "/v1/responses", "openai-responses"),
    ("POST", "/responses", "openai-responses"),
    ("POST", "/openai/responses", "openai-responses"),
    ("POST", "/x/openai/v1/responses", "openai-responses"),
    ("POST", "/v1/messages", "anthropic"),
    ("POST", "/messages", "anthropic"),
    ("POST", "/anthropic/v1/messages", "anthropic"),
    ("POST", "/anthropic/messages", "anthropic"),
    ("GET", "/v1/chat/completions", None),
    ("DELETE", "/v1/responses/resp_1", None),
    ("POST", "/v1/responses/resp_1/cancel", None),
    ("POST", "/v1/chat/completions/cmpl_1", None),
    ("POST", "/v1/messages/count_tokens", None),
    ("POST", "/v1/messages/batches", None),
    ("POST", "/v1/threads/thread_1/messages", None),
    ("POST", "/v1/completions", None),
    ("POST", "/v1/embeddings", None),
    ("POST", "/v1/evals/responses", None),
    ("GET", "/v1/models", None),
]


@pytest.mark.parametrize(("method", "path", "protocol"), PROTOCOLS)
def test_protocol(method, path, protocol):
    assert protocol_of(method, path) == protocol


ADDRESSES = [
    ("http://host/v1", "/v1/chat/completions", "http://host/v1/chat/completions"),
    ("http://host/v1/", "/v1/chat/completions", "http://host/v1/chat/completions"),
    ("http://host", "/v1/chat/completions", "http://host/v1/chat/completions"),
    ("http://host/", "/v1/messages", "http://host/v1/messages"),
    ("http://host/v1", "/chat/completions", "http://host/v1/chat/completions"),
    ("http://host/v1", "/v1/messages", "http://host/v1/messages"),
    ("https://h/anthropic", "/v1/messages", "https://h/anthropic/v1/messages"),
    ("https://h/openai/v1", "/v1/responses", "https://h/openai/v1/responses"),
    ("https://h/api/paas/v4", "/v1/chat/completions", "https://h/api/paas/v4/chat/completions"),
    ("https://h/v1beta/openai/", "/v1/models", "https://h/v1beta/openai/models"),
    ("https://h/v1", "/v1", "https://h/v1"),
    ("https://h/v1", "/v1/", "https://h/v1/"),
    ("https://h/v1", "/v10/x", "https://h/v1/v10/x"),
    ("https://v1.example/api", "/v1/x", "https://v1.example/api/v1/x"),
    ("https://h/v1", "/v1/files/a%2Fb%20c", "https://h/v1/files/a%2Fb%20c"),
    ("https://h/v1", "/v1/v1/x", "https://h/v1/v1/x"),
]


@pytest.mark.parametrize(("url", "path", "made"), ADDRESSES)
def test_address(url, path, made):
    assert address(UpstreamSettings(url=url), path) == made


def test_address_below_a_prefix():
    one = UpstreamSettings(url="https://h/v1", prefix="/azure")
    assert address(one, "/azure/v1/models", "a=%2F&b") == "https://h/v1/models?a=%2F&b"
    assert address(one, "/azure") == "https://h/v1"
    assert address(one, "/az%75re/v1/models/a%2Fb") == "https://h/v1/models/a%2Fb"
    assert address(one, "/azure/%761/models") == "https://h/v1/models"
    assert address(one, "/azures/v1") == "https://h/v1/azures/v1"
    assert address(one, "/azure/v10/v1/x") == "https://h/v1/v10/v1/x"
    deep = UpstreamSettings(url="https://h", prefix="/工/具")
    assert address(deep, "/%E5%B7%A5%2F%E5%85%B7/v1/x//y") == "https://h/v1/x//y"


def test_a_query_of_the_base_comes_first():
    one = UpstreamSettings(url="https://h/openai/deployments/gpt?api-version=2024-06-01")
    assert address(one, "/chat/completions", "x=1") == (
        "https://h/openai/deployments/gpt/chat/completions?api-version=2024-06-01&x=1"
    )
    assert (
        address(one, "/chat/completions") == "https://h/openai/deployments/gpt/chat/completions?api-version=2024-06-01"
    )


A = UpstreamSettings(url="http://a", name="a")
B = UpstreamSettings(url="http://b", name="b", models=("gpt-*", "o[13]"))
C = UpstreamSettings(url="http://c", name="c", models=("claude-*",))
X = UpstreamSettings(url="http://x", name="x", prefix="/x")
XY = UpstreamSettings(url="http://xy", name="xy", prefix="/x/y")


@pytest.mark.parametrize(
    ("path", "fitting"),
    [("/v1/a", (A,)), ("/x", (X,)), ("/x/v1", (X,)), ("/x/y/v1", (XY,)), ("/xy/v1", (A,)), ("/", (A,))],
)
def test_the_longest_prefix(path, fitting):
    assert candidates((A, X, XY), path) == fitting


def test_no_prefix_fits():
    assert candidates((X, XY), "/v1/models") == ()


@pytest.mark.parametrize(
    ("upstreams", "model", "chosen"),
    [
        ((A,), "any", A),
        ((A,), None, A),
        ((A, B, C), "gpt-5", B),
        ((A, B, C), "o3", B),
        ((A, B, C), "claude-x", C),
        ((A, B, C), "llama", A),
        ((B, A), None, A),
        ((B, C), None, B),
        ((B, C), "llama", None),
        ((B, C), "GPT-5", None),
        ((), "gpt-5", None),
    ],
)
def test_the_upstream_of_a_model(upstreams, model, chosen):
    assert choose(upstreams, model) == chosen


def test_only_models_need_the_body():
    assert [by_model(some) for some in [(), (A,), (A, B)]] == [False, False, True]
