"""argwright makes a language model's tool calls reliable.

Every call becomes a `ValidCall`, whose arguments satisfy the tool's schema with every
change on record, or an `InvalidCall`, with one of three kinds of error, the place, and
a message for the model. The map of the package, from the bottom up:

    policy, errors, pointer, model, shape   values that travel between the layers
    decode      text → value, tolerant, every repair recorded
    wire        a provider's JSON ↔ model; one module a format
    dialects    calls that a model wrote as text; one module a family
    rules       what the arguments mean; one module a rule, one order
    schema      JSON Schema: compile once, issues with pointers
    feedback    an `InvalidCall` → what to tell the model
    tool        one declared tool
    pipeline    the order of the steps, and nothing else
    stream      SSE bytes → events; deltas → calls; the value so far
    toolbox     tools by name, declared, resolved, run
    execution   running valid calls, one or all of a turn
    final       the final answer as a tool
    observing   who watches: the hooks, and what is counted
    session     one conversation: budgets by cause, repeats, counters
    loop        the agent loop, without I/O
    clients     who can be asked: official SDKs, any callable
    monitor     counters, alerts, log lines, OpenTelemetry, Prometheus
    run         the drivers of the loop
    batch       logs by the million: Arrow batches in, Arrow batches out
    history     stored conversations, made acceptable to their provider again
    testing     for users' own tests: a scripted model, a scripted server, the proof of a rule
    cli         one module a command

Names are loaded on first use, so that `import argwright` costs next to nothing.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from argwright import batch as batch
    from argwright import history as history
    from argwright import testing as testing
    from argwright.arguments import loads as loads
    from argwright.arguments import parse_arguments as parse_arguments
    from argwright.decode import Decoded as Decoded
    from argwright.decode import Undecodable as Undecodable
    from argwright.dialects import TextScanner as TextScanner
    from argwright.dialects import read_text as read_text
    from argwright.errors import ArgwrightError as ArgwrightError
    from argwright.errors import DeclarationError as DeclarationError
    from argwright.errors import InvalidCallError as InvalidCallError
    from argwright.errors import NoFinalAnswerError as NoFinalAnswerError
    from argwright.errors import ToolFeedback as ToolFeedback
    from argwright.errors import UnknownFormatError as UnknownFormatError
    from argwright.final import Fallback as Fallback
    from argwright.final import FinalTool as FinalTool
    from argwright.loop import RunResult as RunResult
    from argwright.model import CallDelta as CallDelta
    from argwright.model import ErrorKind as ErrorKind
    from argwright.model import Finish as Finish
    from argwright.model import InvalidCall as InvalidCall
    from argwright.model import Issue as Issue
    from argwright.model import Repair as Repair
    from argwright.model import Suspicion as Suspicion
    from argwright.model import ToolCall as ToolCall
    from argwright.model import ToolResult as ToolResult
    from argwright.model import Turn as Turn
    from argwright.model import ValidCall as ValidCall
    from argwright.monitor import Alert as Alert
    from argwright.monitor import Monitor as Monitor
    from argwright.policy import Certainty as Certainty
    from argwright.policy import Limits as Limits
    from argwright.policy import Policy as Policy
    from argwright.python_types import Injected as Injected
    from argwright.rules import Example as Example
    from argwright.rules import Proposal as Proposal
    from argwright.rules import Rule as Rule
    from argwright.run import arun as arun
    from argwright.run import run as run
    from argwright.session import Budget as Budget
    from argwright.session import Counted as Counted
    from argwright.session import Counter as Counter
    from argwright.session import Observer as Observer
    from argwright.session import Session as Session
    from argwright.session import Verdict as Verdict
    from argwright.stream import Accumulator as Accumulator
    from argwright.stream import CallCompleted as CallCompleted
    from argwright.stream import CallDoomed as CallDoomed
    from argwright.stream import CallProgress as CallProgress
    from argwright.stream import CallStarted as CallStarted
    from argwright.stream import ProtocolViolation as ProtocolViolation
    from argwright.stream import ReasoningDelta as ReasoningDelta
    from argwright.stream import Snapshot as Snapshot
    from argwright.stream import TextDelta as TextDelta
    from argwright.stream import read as read
    from argwright.tool import Tool as Tool
    from argwright.tool import tool as tool
    from argwright.toolbox import Toolbox as Toolbox
    from argwright.wire import detect as detect
    from argwright.wire import write as write

_HOMES = {
    "arguments": ("loads", "parse_arguments"),
    "decode": ("Decoded", "Undecodable"),
    "dialects": ("TextScanner", "read_text"),
    "errors": (
        "ArgwrightError", "DeclarationError", "InvalidCallError", "NoFinalAnswerError", "ToolFeedback",
        "UnknownFormatError",
    ),
    "final": ("Fallback", "FinalTool"),
    "loop": ("RunResult",),
    "model": (
        "CallDelta", "ErrorKind", "Finish", "InvalidCall", "Issue", "Repair", "Suspicion", "ToolCall", "ToolResult",
        "Turn", "ValidCall",
    ),
    "monitor": ("Alert", "Monitor"),
    "policy": ("Certainty", "Limits", "Policy"),
    "python_types": ("Injected",),
    "rules": ("Example", "Proposal", "Rule"),
    "run": ("arun", "run"),
    "session": ("Budget", "Counted", "Counter", "Observer", "Session", "Verdict"),
    "stream": (
        "Accumulator", "CallCompleted", "CallDoomed", "CallProgress", "CallStarted", "ProtocolViolation",
        "ReasoningDelta", "Snapshot", "TextDelta", "read",
    ),
    "tool": ("Tool", "tool"),
    "toolbox": ("Toolbox",),
    "wire": ("detect", "write"),
}  # fmt: skip
_HOME = {name: module for module, names in _HOMES.items() for name in names}
_MODULES = ("batch", "history", "testing")  # public as they are

__all__ = sorted([*_HOME, *_MODULES])  # noqa: PLE0605  # pyright: ignore[reportUnsupportedDunderAll]  # a list, computed from the one table above
__version__ = "0.1.0"


class _Package(ModuleType):
    """A package in which a public name is not hidden by the submodule of the same name, once that is imported."""

    def __setattr__(self, name: str, value: Any) -> None:
        if not (name in _HOME and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package


if not TYPE_CHECKING:  # a type checker that saw it would take every name for public

    def __getattr__(name: str) -> Any:
        if name in _MODULES:
            return import_module(f"argwright.{name}")
        if name not in _HOME:
            raise AttributeError(f"module 'argwright' has no attribute {name!r}")
        value = getattr(import_module(f"argwright.{_HOME[name]}"), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
