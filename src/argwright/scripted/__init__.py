"""A provider's server as a script: for tests with real sockets and real SDKs, and without a model."""

from argwright.scripted.rendering import FORMS, body, events
from argwright.scripted.server import Raw, Request, ScriptedServer

__all__ = ["FORMS", "Raw", "Request", "ScriptedServer", "body", "events"]
