"""What a run needs, made of what its caller says: checked before anything is asked or run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypedDict

from argwright import history
from argwright.clients import Client, client_of
from argwright.dialects import read_text
from argwright.errors import DeclarationError
from argwright.execution import Settings
from argwright.final import FinalTool
from argwright.loop import Setup
from argwright.model import Turn
from argwright.policy import Policy
from argwright.session import Budget, Cause, Session, allowed
from argwright.stream import read
from argwright.toolbox import Toolbox
from argwright.wire.plain import thoroughly
from argwright.wire.services import Service, service_named, service_of


class IsSet(Protocol):
    """What says that a run is to end: `threading.Event`, `asyncio.Event`, or anything like them."""

    def is_set(self) -> bool:
        """Whether the run is to end."""
        ...


class RunOptions(TypedDict, total=False):
    """What `run` and `arun` take besides; see `run`."""

    final: FinalTool | None
    format: str | None
    request: Mapping[str, Any] | None
    budget: Budget | None
    policy: Policy | None
    monitor: Any
    stream: bool
    on_event: Callable[[Any], Any] | None
    service: str | Service | None
    inject: Mapping[str, Any] | None
    parallel: int
    cancel: IsSet | None


@dataclass(frozen=True, kw_only=True)
class Prepared:
    """Everything that a run needs."""

    setup: Setup
    client: Client
    settings: Settings
    stream: bool
    on_event: Callable[[Any], Any] | None
    cancel: IsSet | None

    @property
    def is_cancelled(self) -> bool:
        """Whether the run is to end."""
        return self.cancel is not None and self.cancel.is_set()

    @property
    def cancelled(self) -> Callable[[], bool] | None:
        """The same as a question, if it can ever be answered with yes."""
        return None if self.cancel is None else self.cancel.is_set

    def turn(self, reply: Any) -> Turn:
        """A whole reply, read."""
        match reply:
            case Turn():
                return reply
            case str():
                return read_text(reply, tools=self.setup.box)
            case _:
                return read(self.setup.form, reply, tools=self.setup.box)


def prepare(client: Any, messages: Any, asked: tuple[str | None, Any], options: RunOptions) -> Prepared:
    """Everything that a run needs.

    Args:
        client: who is asked.
        messages: the conversation, or a user's text.
        asked: the model's name, and the tools.
        options: what else `run` takes.

    Raises:
        DeclarationError: the client, a tool or an option is wrong.
        TypeError: there is no such option.
    """
    unknown = options.keys() - RunOptions.__annotations__.keys()
    if unknown:
        raise TypeError(f"run takes no {', '.join(sorted(unknown))}; it takes {', '.join(RunOptions.__annotations__)}")
    model, tools = asked
    made = client_of(client, options.get("format"))
    final, budget = options.get("final"), options.get("budget") or Budget()
    box = _box(tools, final, options.get("policy"))
    monitor = options.get("monitor") or getattr(tools, "monitor", None)
    session = Session(budget, final=final, monitor=monitor, model=model)
    service = service_named(options.get("service")) or service_of(made.base_url, model)
    request = {**({"model": model} if model else {}), **(options.get("request") or {})}
    if budget.tokens is not None and options.get("stream") and made.form == "openai-chat":
        request.setdefault("stream_options", {"include_usage": True})  # else a stream says nothing of its tokens
    settings = Settings(
        inject=options.get("inject") or {}, parallel=options.get("parallel", 8), executing=session.hooks.executing
    )
    _check(box, final, settings)
    setup = Setup(
        form=made.form,
        messages=_replayable(made.form, messages, service, request),
        box=box,
        session=session,
        request=request,
        final=final,
        service=service,
    )
    return Prepared(
        setup=setup,
        client=made,
        settings=settings,
        stream=options.get("stream", False),
        on_event=options.get("on_event"),
        cancel=options.get("cancel"),
    )


def _box(tools: Any, final: FinalTool | None, policy: Policy | None) -> Toolbox:
    box = tools if isinstance(tools, Toolbox) else Toolbox(tools)
    made = box.extended(*(() if final is None else (final.tool,)), policy=policy)
    return replace(made, monitor=None)  # the session tells its monitor of each call, once


def _check(box: Toolbox, final: FinalTool | None, settings: Settings) -> None:
    """That every tool can run and has a budget that is one, and that what the final tool requires is one.

    Raises:
        DeclarationError: one cannot.
    """
    for tool in box:
        allowed(Cause.SCHEMA_ERROR, Budget(), tool.budget)
        if final is not None and tool.name == final.name:
            continue
        if tool.function is None:
            raise DeclarationError(f"tool {tool.name!r} has no function to run")
        tool.filled(settings.inject)
    for name in () if final is None else final.requires:
        if name not in box.names or name == (final and final.name):
            raise DeclarationError(f"final tool {final and final.name!r}: it requires {name!r}, which is no tool here")


def _replayable(
    form: str, messages: Any, service: Service | None, request: Mapping[str, Any]
) -> tuple[dict[str, Any], ...]:
    """The conversation given, mended where its provider would refuse it."""
    if isinstance(messages, str):
        return ({"role": "user", "content": messages},)
    listed = [thoroughly(message) for message in messages]
    if request.keys() & {"previous_response_id", "conversation"}:  # the provider holds a part that is not seen here
        return tuple(listed)
    return tuple(history.effective(form, listed, service=service).messages)
