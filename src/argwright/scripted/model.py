"""`ScriptedModel`: a model that says what a script says, and looks at what it is sent.

    model = ScriptedModel([
        ("search", "{query: 'lamp'}"),
        Step("There is one.", told="desk lamp"),
    ])
    with model:
        result = aw.run(model, "Do you have lamps?", tools=[search])

It stands for a client, without a network: each request takes the next reply. A request
that the provider would refuse for what the conversation looks like is an error of the
test, and so is a reply that nobody asked for. What was sent is kept in `model.requests`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

from argwright import history
from argwright.model import Value, compact
from argwright.scripted.rendering import body, events
from argwright.scripted.saying import said
from argwright.scripted.server import Raw
from argwright.wording import shorten

_PROMPTS = ("system", "developer")
_SHOWN = 400  # characters of what was sent, in an error


class ScriptedRefusal(Exception):  # noqa: N818  # what the model does, no fault of this library
    """A request that the script refuses, as a client raises it.

    Args:
        content: what the provider says.
        status: the HTTP status.
    """

    def __init__(self, content: Any, status: int) -> None:
        super().__init__(content if isinstance(content, str) else compact(content))
        self.status_code = status


@dataclass(frozen=True, kw_only=True, repr=False)
class Asked(Value):
    """One request.

    Args:
        messages: the whole conversation, in the format's form.
        new: the messages that the request before did not have.
        tools: the declared tools, in the format's form.
        request: everything else: the model's name, `tool_choice`, temperature.
    """

    messages: tuple[dict[str, Any], ...]
    new: tuple[dict[str, Any], ...]
    tools: Any
    request: Mapping[str, Any]

    def told(self, text: str, *, ever: bool = False) -> bool:
        """Whether the text stands in what is new, or in anything of the conversation."""
        return any(text in part for part in _texts(self.messages if ever else self.new))

    def __repr__(self) -> str:
        return f"Asked({len(self.messages)} messages, {len(self.new)} new)"


@dataclass(frozen=True)
class Step:
    """A reply, and what the model must have been sent before it gives it.

    Args:
        say: what the model says, as data, or `Raw`.
        told: a text, or several, that must stand in what is new in the request.
        untold: a text, or several, that must not stand anywhere in the conversation.
        check: looks at the request, and raises `AssertionError`.
    """

    say: Any
    told: str | Collection[str] = field(default=(), kw_only=True)
    untold: str | Collection[str] = field(default=(), kw_only=True)
    check: Callable[[Asked], Any] | None = field(default=None, kw_only=True)

    def prove(self, asked: Asked, number: int) -> None:
        """Look at the request.

        Raises:
            AssertionError: it is not what the script says.
        """
        for text in _several(self.told):
            if not asked.told(text):
                raise AssertionError(f"request {number}: {text!r} is not in what is new: {_shown(asked.new)}")
        for text in _several(self.untold):
            if asked.told(text, ever=True):
                raise AssertionError(f"request {number}: {text!r} was sent")
        if self.check is not None:
            self.check(asked)


class ScriptedModel:
    """A client that says what a script says; as a context manager, it wants the whole script to be used.

    Args:
        script: the replies in order: what the model says as data (see `saying`), a `Step`, a `Raw` body, list of
            events or refusal, or a function of `Asked` that gives one of these.
        form: the format that is spoken; it must be that of the run.
        piece: characters of text or arguments in one event of a stream.

    Attributes:
        requests: what was asked, in order.
    """

    def __init__(self, script: Iterable[Any], *, form: str = "openai-chat", piece: int = 4) -> None:
        self.requests: list[Asked] = []
        self._script = list(script)
        self._form, self._piece = form, piece

    def __call__(self, messages: list[dict[str, Any]], tools: Any, **request: Any) -> Any:
        """The next reply.

        Raises:
            AssertionError: the request is not what the script says, or one too many.
            ScriptedRefusal: the script refuses it.
        """
        number = len(self.requests) + 1
        before = self.requests[-1].messages if self.requests else ()
        same = next((at for at, one in enumerate(messages) if at >= len(before) or one != before[at]), len(messages))
        asked = Asked(messages=tuple(messages), new=tuple(messages[same:]), tools=tools, request=request)
        self.requests.append(asked)
        self._replayable(asked, number)
        if number > len(self._script):
            raise AssertionError(f"request {number}: the script has {len(self._script)} replies")
        return self._reply(self._script[number - 1], asked, number)

    def done(self) -> None:
        """Say that the run is over.

        Raises:
            AssertionError: the script is not.
        """
        if len(self.requests) < len(self._script):
            raise AssertionError(f"{len(self.requests)} requests, and the script has {len(self._script)} replies")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            self.done()

    def _replayable(self, asked: Asked, number: int) -> None:
        talk = [one for one in asked.messages if one.get("role") not in _PROMPTS]
        problems = history.check(self._form, talk)
        if problems:
            told = "; ".join(f"{one.pointer}: {one.message}" for one in problems[:3])
            raise AssertionError(f"request {number} would be refused: {told}")

    def _reply(self, reply: Any, asked: Asked, number: int) -> Any:
        if isinstance(reply, Step):
            reply.prove(asked, number)
            reply = reply.say
        if callable(reply):
            reply = reply(asked)
        stream = asked.request.get("stream") is True
        match reply:
            case Raw(content, status) if status >= 400:  # noqa: PLR2004  # HTTP's own border
                raise ScriptedRefusal(content, status)
            case Raw(content):
                return iter([one[1] if isinstance(one, tuple) else one for one in content]) if stream else content
            case _ if stream:
                return iter([data for _, data in events(self._form, said(reply, number), piece=self._piece)])
            case _:
                return body(self._form, said(reply, number))


def _several(texts: str | Collection[str]) -> Collection[str]:
    return (texts,) if isinstance(texts, str) else texts


def _texts(value: Any) -> Iterator[str]:
    """Every text in a JSON value."""
    todo = [value]
    while todo:
        one = todo.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, Mapping):
            todo += one.values()
        elif isinstance(one, (list, tuple)):
            todo += one


def _shown(messages: Collection[dict[str, Any]]) -> str:
    return shorten(compact([*messages]), _SHOWN)
