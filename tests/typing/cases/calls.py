"""What users write around calls; checked, never run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, assert_never, assert_type

import argwright as aw


def one_call(box: aw.Toolbox, raw: str) -> str:
    outcome = box.resolve(aw.ToolCall(id="1", name="search", arguments=raw))
    match outcome:
        case aw.ValidCall(arguments):
            assert_type(arguments, dict[str, Any])
            return str(arguments)
        case aw.InvalidCall(kind, reason):
            assert_type(kind, aw.ErrorKind)
            assert_type(reason, str)
            return outcome.summary
        case _:
            assert_never(outcome)


def one_turn(box: aw.Toolbox, response: object) -> list[aw.ToolResult]:
    turn = aw.read("openai-chat", response)
    assert_type(turn, aw.Turn)
    outcomes = box.resolve_turn(turn)
    assert_type(outcomes, tuple[aw.ValidCall | aw.InvalidCall, ...])
    results = [box.run(o) if isinstance(o, aw.ValidCall) else o.result() for o in outcomes]
    assert_type(results, list[aw.ToolResult])
    messages = aw.write("openai-chat", turn, outcomes, results)
    assert_type(messages, list[dict[str, Any]])
    return results


async def asynchronously(box: aw.Toolbox, calls: Sequence[aw.ValidCall]) -> list[aw.ToolResult]:
    return [await box.arun(call) for call in calls]


def one_text(raw: str | bytes, schema: dict[str, Any]) -> Any:
    read = aw.parse_arguments(raw)
    if isinstance(read, aw.Undecodable):
        assert_type(read.position, int)
        return None
    assert_type(read, aw.Decoded)
    assert_type(read.repairs, tuple[aw.Repair, ...])
    checked = aw.parse_arguments(raw, schema=schema)
    assert_type(checked, aw.ValidCall | aw.InvalidCall)
    return aw.loads(raw, schema=schema)


def policies() -> None:
    assert_type(aw.Policy.STANDARD, aw.Policy)
    aw.Policy(certainty=aw.Certainty.EXACT, spelling=False)
    aw.Limits(max_chars=1_000)
