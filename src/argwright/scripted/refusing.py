"""What providers answer with status 400, for `ScriptedServer(refuses=…)`."""

from __future__ import annotations

from argwright import history
from argwright.scripted.server import Raw, Request, refusal

_MESSAGES = {"openai-responses": "input"}
_PROMPTS = ("system", "developer")


def deepseek(request: Request) -> Raw | None:
    """For `refuses`: DeepSeek while it thinks, which answers 400 to two kinds of request.

    No call can be forced, and each assistant message with calls keeps its reasoning.
    """
    thinking = request.body.get("thinking")
    if isinstance(thinking, dict) and thinking.get("type") == "disabled":
        return None
    if request.body.get("tool_choice") not in (None, "auto", "none"):
        return refusal(f"{request.body.get('model')} does not support this tool_choice")
    for number, message in enumerate(request.body.get("messages") or ()):
        if message.get("tool_calls") and "reasoning_content" not in message:
            return refusal(f"Missing `reasoning_content` field in the assistant message at message index {number}")
    return None


def history_checked(request: Request) -> Raw | None:
    """For `refuses`: 400 to a conversation that its provider would not take, by the rules of `argwright.history`.

    Calls without results, results without calls, arguments that are no JSON, ids twice.
    """
    messages = request.body.get(_MESSAGES.get(request.form or "", "messages"))
    if not isinstance(messages, list) or request.body.get("previous_response_id"):  # it holds the rest itself
        return None
    said = [one for one in messages if not (isinstance(one, dict) and one.get("role") in _PROMPTS)]
    problems = history.check(request.form or "", said)
    return refusal(f"{problems[0].pointer}: {problems[0].rule}: {problems[0].message}") if problems else None
