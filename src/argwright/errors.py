"""Exceptions: mistakes of the programmer, and I/O.

What a model wrote never raises one of these, with two exceptions that the caller
asks for by name: `unwrap()` and `loads()`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from argwright.model import InvalidCall


class ArgwrightError(Exception):
    """Base of every exception that argwright raises."""


class DeclarationError(ArgwrightError, ValueError):
    """A tool, schema, rule, alias or policy was declared wrongly; the text names it and the place."""


class UnknownFormatError(ArgwrightError, LookupError):
    """No wire format or dialect has this name; the text lists those that exist."""


class ToolFeedback(ArgwrightError):  # noqa: N818  # a word to the model, no mistake of anybody
    """Raised by a tool to tell the model something: its text becomes the error in the result, as it stands.

    Every other exception of a tool is told without its text, which may hold what the model must not see.
    """


class NoFinalAnswerError(ArgwrightError):
    """A run ended in plain text, where `FinalTool(on_text="raise")` wants an answer.

    Attributes:
        result: the `RunResult` so far, with the text and the conversation.
    """

    def __init__(self, message: str, result: Any = None) -> None:
        self.result = result
        super().__init__(message)


class InvalidCallError(ArgwrightError):
    """Raised by `unwrap()` and `loads()`, and by nothing else.

    Attributes:
        call: the `InvalidCall` with all it knows.
    """

    def __init__(self, call: InvalidCall) -> None:
        self.call = call
        super().__init__(f"{call.kind}/{call.reason}: {call.summary}")

    def __reduce__(self) -> tuple[type[InvalidCallError], tuple[InvalidCall]]:
        return InvalidCallError, (self.call,)
