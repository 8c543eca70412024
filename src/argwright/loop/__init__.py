"""The agent loop, without I/O: requests out, replies in."""

from argwright.loop.commands import CallModel, Cancelled, Command, Ran, Refused, RunTools
from argwright.loop.conversation import Setup, converse
from argwright.loop.result import Deviation, RunResult

__all__ = [
    "CallModel", "Cancelled", "Command", "Deviation", "Ran", "Refused", "RunResult", "RunTools", "Setup", "converse",
]  # fmt: skip
