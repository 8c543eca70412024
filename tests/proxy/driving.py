"""The exchange driven without a socket, and the judge of what it hands to the client."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from argwright.model import InvalidCall, ValidCall, compact
from argwright.proxy.exchange import Again, Exchange
from argwright.proxy.settings import Mending
from tests.proxy.forms import whole
from tests.proxy.forms.checking import check
from tests.proxy.forms.seen import Seen
from tests.proxy.scripts import Right, Script, right
from tests.wire import test_openai_chat

PASS = Mending(on_invalid="pass")
RETRY = Mending(on_invalid="retry", retries=1)
ERROR = Mending(on_invalid="error")
MODES = {
    "pass": PASS,
    "retry": RETRY,
    "error": ERROR,
    "optimistic": replace(ERROR, optimistic=True),
    "optimistic retry": replace(RETRY, optimistic=True),
    "optimistic pass": replace(PASS, optimistic=True),
}
ENVELOPE = {
    # chat
    "a reason in every chunk": "the first chunk went out with its call before another one gave a reason again",
    "an empty reason is none": "clients take it for none, too",
    "an error with a reason": "the provider's own error, at which every client raises, though it has no message",
    "an error alone": "the same",
    "content in parts": "the provider's own clients read it, and no other form holds reasoning and text",
    "another choice is not read": "nobody asked for it; clients keep choices apart by their index",
    "nulls everywhere": "nothing is said, and a reason that was never given is not invented",
    "no chunk": "what it says is the provider's own, and is kept; it gets the list of choices without which clients break",
    # anthropic
    "an error": "the provider's own error, at which every client raises, though it has no message",
    "the server's own tool streams like ours": "blocks of tools that the provider runs, newer than the clients' types",
    "the server's own tools are no calls": "the same",
    "text with sources": "a source of a kind that the clients' types do not know",
    "text with sources keeps them": "the same",
    "events of tomorrow": "what a protocol will say one day is not ours to leave out",
    # responses
    "text": "deltas of an item that no event opened: they passed before that could be known, and no id would be true",
    "text in the item only": "all that clients look at in the end is there: the item, and the response",
    "text in the response only": "the same",
    "after the end": "the same; what comes behind the end is left out",
    "reasoning": "pieces without the number of their item: which one is meant only the provider knows",
    "no event of ours": "what it says is the provider's own; clients pass over events of no type",
    "a refusal is text": "a message without id and status, which clients do not look at",
}
"""What is odd in these is no call, and why it cannot be mended: it passes as it came, so that its form is not judged."""
UNREAD = frozenset({
    "a refusal is text", "after the end", "content in parts", "no event of ours", "nulls everywhere", "reasoning", "text",
    "text in the item only", "text in the response only", "text with sources keeps them",
    "the server's own tools are no calls",
})  # fmt: skip
"""Those of them of which the judge reads nothing, since it reads what has the documented form."""
FRAGMENTS = frozenset(row[0] for row in test_openai_chat.FRAGMENTS)
"""Arguments in pieces that do not just add up."""
GARBAGE = frozenset({"a message of the history", "nothing", "no choices", "one item"})
"""Whole bodies that are no reply at all."""
BAD_GATEWAY = 502
LIMIT = 10  # attempts: more is a loop


@dataclass(frozen=True, kw_only=True)
class Got:
    """What came of an exchange: what the client was sent, and what the upstream was asked."""

    data: bytes
    asks: tuple[bytes, ...]
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    records: tuple[Any, ...] = ()
    stalled: bool = False


def exchange(script: Script, mending: Mending, request: dict[str, Any] | None = None) -> Exchange:
    asked = script.request() if request is None else request
    return Exchange(
        script.form, compact(asked).encode(), mending, request_id="r-1", upstream="default", now=lambda: 1_700_000_000.0
    )


def drive(
    script: Script,
    mending: Mending,
    *later: bytes,
    cut: Callable[[bytes], Iterable[bytes]] = lambda data: (data,),
    broken: bool = False,
    request: dict[str, Any] | None = None,
) -> Got:
    """Let the upstream say the script, and what comes later when it is asked again.

    Args:
        script: the first reply.
        mending: what the gateway does.
        later: the replies to each further request; the last is said over and over.
        cut: how a reply's bytes arrive.
        broken: the first reply ends without its end.
        request: the client's request; by default the script's own.
    """
    under = exchange(script, mending, request)
    asks, replies = [under.ask], [script.sent, *later]
    if not script.streamed:
        return _whole(under, asks, replies)
    told = b""
    for number in range(LIMIT):
        for piece in cut(replies[min(number, len(replies) - 1)]):
            told += under.feed(piece)
        tail = under.end(broken=broken and number == 0)
        if not isinstance(tail, Again):
            return Got(data=told + tail.data, asks=tuple(asks), records=under.take_records(), stalled=under.stalled)
        asks.append(tail.body)
    raise AssertionError(f"{LIMIT} attempts")


def _whole(under: Exchange, asks: list[bytes], replies: Sequence[bytes]) -> Got:
    for number in range(LIMIT):
        reply = under.whole(replies[min(number, len(replies) - 1)])
        if not isinstance(reply, Again):
            return Got(
                data=reply.body,
                asks=tuple(asks),
                status=reply.status,
                headers=dict(reply.headers),
                records=under.take_records(),
                stalled=under.stalled,
            )
        asks.append(reply.body)
    raise AssertionError(f"{LIMIT} attempts")


def seen(script: Script, got: Got, *, calls_parse: bool = True) -> Seen:
    """What the client makes of it."""
    if script.streamed:
        return check(script.form, got.data, calls_parse=calls_parse, usage=None)
    if got.status != 200:
        return Seen(faults=(), end="error", error=json.loads(got.data))
    return whole.check(script.form, got.data, calls_parse=calls_parse)


def values(found: Seen) -> list[tuple[str, Any]]:
    """The calls as a program runs them; arguments that are no JSON stay text."""
    return [(one.name, one.value() if one.is_object() else one.arguments) for one in found.calls]


def complaints(script: Script, mending: Mending, got: Got, sent: bytes | None = None) -> list[str]:
    """What is wrong with what the client got, when the upstream said the same at every attempt.

    Args:
        script: what the upstream said.
        mending: what the gateway does.
        got: what the client got.
        sent: the bytes that arrived, if not all of them did.
    """
    if script.title in GARBAGE and not script.streamed:
        return [] if got.status == BAD_GATEWAY else [f"garbage, and the status is {got.status}"]
    due = script.right() if sent is None else right(script, sent)
    lenient = mending.on_invalid == "pass" and due.refused
    found = seen(script, got, calls_parse=not lenient)
    own = seen(script, Got(data=script.sent, asks=()), calls_parse=False).slugs() if lenient else []
    judged = script.title not in ENVELOPE
    said = [f"form: {one}" for one in found.faults if judged and one.slug not in own]
    if lenient:
        return said + _passed(due, found)
    return said + _strict(script, mending, due, found)


def _strict(script: Script, mending: Mending, due: Right, found: Seen) -> list[str]:
    """Calls are exactly the valid ones, or the reply is an error that says so."""
    shown = values(found)
    wrong = [one for one in shown if one not in due.valid]
    said = [f"a call that was never valid reached the client: {one}" for one in wrong]
    if due.refused:
        if found.end == "done":
            said.append(f"refused calls, and the reply ends as if nothing were wrong: {shown}")
        elif found.end == "cut":
            said.append("refused calls, and the stream just stops")
        return said
    if due.turn.finish.reason in ("error", "missing") or script.title in UNREAD:
        return said
    if mending.optimistic and found.end == "error" and (due.mended or out_of_form(script)):
        return said  # what has gone out cannot be mended
    if found.end != "done":
        return [*said, f"nothing was refused, and the reply ends with {found.end}: {found.error}"]
    if shown != due.valid:
        said.append(f"calls {shown} are not {due.valid}")
    if not due.turn.reasoning and found.text.strip() != due.turn.text.strip():  # thoughts in the text may stay there
        said.append(f"text {found.text!r} is not {due.turn.text!r}")
    return said


def out_of_form(script: Script) -> bool:
    """Whether the upstream's own stream has not the documented form."""
    if script.title in FRAGMENTS:
        return True
    return bool(seen(script, Got(data=script.sent, asks=()), calls_parse=False).faults)


def _passed(due: Right, found: Seen) -> list[str]:
    """What the model wrote, valid calls mended, with a note."""
    said = [] if found.note else ["refused calls were passed without a note"]
    shown = values(found)
    written = [_as_passed(one) for one in due.outcomes if isinstance(one, ValidCall) or one.call.origin == "structured"]
    if found.end == "done" and found.finish is not None and shown != written:
        said.append(f"passed calls {shown} are not {written}")
    return said


def _as_passed(one: ValidCall | InvalidCall) -> tuple[str, Any]:
    if isinstance(one, ValidCall):
        return one.tool.name, one.arguments
    text = one.call.arguments
    if isinstance(text, dict):
        return one.call.name or "", text
    try:
        value = json.loads(text or "", parse_constant=_refuse)
    except ValueError:
        return one.call.name or "", text or ""
    return one.call.name or "", value if isinstance(value, dict) else text


def _refuse(word: str) -> Any:
    raise ValueError(f"{word} is not JSON")
