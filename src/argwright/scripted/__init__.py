"""A model, and a provider's server, as scripts: for tests with real sockets and real SDKs, and without a model."""

from argwright.scripted.model import Asked, ScriptedModel, ScriptedRefusal, Step
from argwright.scripted.refusing import deepseek, history_checked
from argwright.scripted.rendering import FORMS, body, events
from argwright.scripted.saying import Cut, said
from argwright.scripted.server import Raw, Request, ScriptedServer, refusal

__all__ = [
    "FORMS", "Asked", "Cut", "Raw", "Request", "ScriptedModel", "ScriptedRefusal", "ScriptedServer", "Step", "body",
    "deepseek", "events", "history_checked", "refusal", "said",
]  # fmt: skip
