"""`POST /v1/repair`: one call in, the valid call or the reason out, for programs in any language.

    {"name", "arguments", "schema" or "tools", "aliases"?, "finish_reason"?, "policy"?, "model"?}
    → {"status": "valid", "name", "arguments", "arguments_text", "repairs"}
    → {"status": "invalid", "kind", "reason", "issues", "message"}

`repair` is the whole of it and does no I/O; the handler moves bytes. What a model wrote is answered with status 200,
whatever it is; a 400 is for the program that asks: an unknown member, a schema that is none, a body with one key twice
(one of the two values would be lost without a word). `arguments_text` is what SDKs want that take a string, and the
only place where JavaScript reads integers beyond 2^53 exactly; it is the model's own text where nothing was mended.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn, TypeVar

from aiohttp import web

from argwright.errors import DeclarationError
from argwright.model import InvalidCall, Json, Outcome, ToolCall, ValidCall, compact
from argwright.policy import Policy
from argwright.proxy import incoming
from argwright.proxy.declared import BadAliasError, toolbox
from argwright.proxy.refusals import Refused
from argwright.proxy.settings import Mending, ServerLimits
from argwright.shape import json_type
from argwright.toolbox import Toolbox
from argwright.wording import hint, likely, shorten

MAX_BODY = 16 * 1024 * 1024  # the longest arguments that are read, escaped, with the tools beside them
IN_PLACE = 64 * 1024  # bytes that are read in well under a millisecond; more goes to a thread

_POLICIES = {"strict": Policy.STRICT, "exact": Policy.EXACT, "standard": Policy.STANDARD, "lenient": Policy.LENIENT}
_MEMBERS = ("name", "arguments", "schema", "tools", "aliases", "finish_reason", "policy", "model")
_NAMELESS = "arguments"
_STANDARD = Mending()
Made = TypeVar("Made")


class BadRequestError(ValueError):
    """The request itself is wrong: where, what was found, what was expected."""

    def __init__(self, pointer: str, message: str) -> None:
        self.pointer = pointer
        self.message = message
        super().__init__(f"{pointer or '(body)'}: {message}")

    def to_dict(self) -> dict[str, Json]:
        """What the client is answered."""
        return {"error": {"type": "bad_request", "pointer": self.pointer, "message": str(self)}}


@dataclass(frozen=True)
class Question:
    """One request, read.

    Args:
        call: what the model wrote.
        toolbox: what is declared.
        policy: the request's own, if it names one.
        model: who wrote the call, if it says so.
    """

    call: ToolCall
    toolbox: Toolbox
    policy: Policy | None
    model: str

    def resolve(self) -> Outcome:
        """What becomes of the call."""
        return self.toolbox.resolve(self.call, self.policy)


def as_text(question: Question) -> str:
    """What the model wrote, as text."""
    written = question.call.arguments
    return written if isinstance(written, str) else "" if written is None else compact(written)


def repair(body: Any, mending: Mending = _STANDARD) -> dict[str, Json]:
    """The answer to one request.

    Args:
        body: the request as JSON data.
        mending: what the gateway's configuration says of tools and policy.

    Raises:
        BadRequestError: the request is wrong, not the call.
    """
    return answer(asked(body, mending).resolve())


def answer(outcome: Outcome) -> dict[str, Json]:
    """What became of a call, as the endpoint says it."""
    if isinstance(outcome, InvalidCall):
        return {
            "status": "invalid",
            "kind": outcome.kind.value,
            "reason": outcome.reason,
            "issues": [issue.to_dict() for issue in outcome.issues],
            "message": compact(outcome.feedback),
        }
    return {
        "status": "valid",
        "name": outcome.tool.name,
        "arguments": outcome.arguments,
        "arguments_text": arguments_text(outcome),
        "repairs": [one.to_dict() for one in outcome.repairs],
    }


def arguments_text(outcome: ValidCall) -> str:
    """The effective arguments as text: the model's own where nothing was mended."""
    written = outcome.call.arguments
    return written if isinstance(written, str) and not outcome.repairs else compact(outcome.arguments)


# --- reading the request ----------------------------------------------------------------------------------------------


def read_body(data: bytes) -> Json:
    """The JSON data of a body; nothing in it is lost or changed by reading.

    Raises:
        BadRequestError: it is no JSON, or one key stands twice in an object.
    """
    try:
        return json.loads(data.decode("utf-8"), object_pairs_hook=_members, parse_constant=_constant)
    except UnicodeDecodeError as error:
        raise BadRequestError("", f"JSON in UTF-8 was expected, byte {error.start} is none") from None
    except json.JSONDecodeError as error:
        raise BadRequestError("", f"JSON was expected: {error}") from None
    except RecursionError:
        raise BadRequestError("", "the JSON is nested too deeply") from None
    except BadRequestError:
        raise
    except ValueError:  # an integer longer than Python reads
        raise BadRequestError("", "a number has too many digits; send the arguments as the text they were") from None


def _members(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    members = dict(pairs)
    if len(members) != len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]  # add gives None
        raise BadRequestError("", f"the key {shorten(twice)!r} stands twice in one object")
    return members


def _constant(word: str) -> NoReturn:
    raise BadRequestError("", f"{word} is not JSON")


def asked(body: Any, mending: Mending = _STANDARD) -> Question:
    """What a request asks.

    Raises:
        BadRequestError: a member is missing, unknown or no such thing, or declares no tool.
    """
    body = _typed("", body, dict, "an object")
    for key in body:
        if key not in _MEMBERS:
            raise BadRequestError(f"/{shorten(str(key))}", f"no such member{hint(likely(key, _MEMBERS))}")
    if "arguments" not in body:
        raise BadRequestError(
            "/arguments", "what the model wrote was expected (text, an object or null), found nothing"
        )
    call = ToolCall(
        id=None,
        name=_text(body, "name"),
        arguments=_arguments(body["arguments"]),
        finish_reason=_text(body, "finish_reason"),
    )
    toolbox = _toolbox(body, mending)
    if "tools" not in body:
        call = ToolCall(None, toolbox.names[0], call.arguments, call.finish_reason)
    return Question(call, toolbox, _policy(body), _text(body, "model") or "")


def _typed(pointer: str, value: Any, kind: type | tuple[type, ...], expected: str) -> Any:
    if not isinstance(value, kind):
        raise BadRequestError(pointer, f"{expected} was expected, found {json_type(value)}")
    return value


def _text(body: Mapping[str, Any], key: str) -> str | None:
    value = body.get(key)
    return None if value is None else str(_typed(f"/{key}", value, str, "a string"))


def _arguments(value: Any) -> Any:
    """A list or a number is what a model wrote as well: its text says so to the pipeline."""
    return value if value is None or isinstance(value, (str, dict)) else compact(value)


def _policy(body: Mapping[str, Any]) -> Policy | None:
    name = _text(body, "policy")
    if name is not None and name not in _POLICIES:
        raise BadRequestError("/policy", f"one of {sorted(_POLICIES)} was expected, found {shorten(name)!r}")
    return None if name is None else _POLICIES[name]


def _toolbox(body: Mapping[str, Any], mending: Mending) -> Toolbox:
    if ("schema" in body) == ("tools" in body):
        found = "both" if "schema" in body else "neither"
        raise BadRequestError("", f"either 'schema' or 'tools' was expected, found {found}")
    if "schema" in body:
        schema = _typed("/schema", body["schema"], dict, "a JSON Schema object")
        declared: Json = {_text(body, "name") or _NAMELESS: schema}
    else:
        declared = _typed("/tools", body["tools"], (list, dict), "a list of declarations or an object of schemas")
        if "name" not in body:
            raise BadRequestError("/name", "the called tool's name was expected, found nothing")
    aliases = _typed("/aliases", body.get("aliases") or {}, dict, "an object of old names")
    try:
        return toolbox(declared, aliases, mending)
    except BadAliasError as error:
        raise BadRequestError("/aliases", str(error)) from None
    except DeclarationError as error:
        raise BadRequestError("/schema" if "schema" in body else "/tools", str(error)) from None


# --- HTTP -------------------------------------------------------------------------------------------------------------

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
Watcher = Callable[[Question, Outcome], None]


def handler(mending: Mending = _STANDARD, *, max_body: int = MAX_BODY, watch: Watcher | None = None) -> Handler:
    """The endpoint as an aiohttp handler.

    Args:
        mending: what the configuration says of tools and policy.
        max_body: bytes of a request; more is a 413.
        watch: is told of every call that was resolved.
    """

    async def handle(request: web.Request) -> web.Response:
        try:
            data = await received(request, max_body)
            question, outcome = await aside(len(data), lambda: resolved(data, mending))
        except BadRequestError as error:
            return as_json(error.to_dict(), status=400)
        except Refused as error:
            return refused(error)
        if watch is not None:
            watch(question, outcome)
        return as_json(answer(outcome))

    return handle


async def received(request: web.Request, max_body: int) -> bytes:
    """The body, without its content coding.

    Raises:
        Refused: it is too long, comes too slowly, or in an unknown content coding.
    """
    return (await incoming.read(request, ServerLimits(max_body=max_body))).plain


def refused(error: Refused) -> web.Response:
    """The answer to a body that was not taken."""
    told = {"type": error.refusal.code.value, "message": error.refusal.message}
    return as_json({"error": told}, status=error.refusal.status)


def as_json(value: Json, *, status: int = 200) -> web.Response:
    """A response with JSON as this gateway writes it; half a surrogate pair stands as its escape."""
    try:
        data = compact(value).encode()
    except UnicodeEncodeError:
        data = json.dumps(value, separators=(",", ":")).encode()
    return web.Response(body=data, status=status, content_type="application/json", charset="utf-8")


def resolved(data: bytes, mending: Mending) -> tuple[Question, Outcome]:
    """What a body asks, and what becomes of the call.

    Raises:
        BadRequestError: the request is wrong, not the call.
    """
    question = asked(read_body(data), mending)
    return question, question.resolve()


async def aside(size: int, work: Callable[[], Made]) -> Made:
    """The work, in a thread if it is large enough to hold up the streams of this process."""
    return work() if size <= IN_PLACE else await asyncio.to_thread(work)
