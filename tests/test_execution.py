from __future__ import annotations

import asyncio
import dataclasses
import math
import threading
from datetime import date
from decimal import Decimal
from enum import Enum

import pytest
from pydantic import BaseModel

from argwright import execution
from argwright.errors import ArgwrightError, DeclarationError
from argwright.model import ToolCall, ToolResult, ValidCall
from argwright.tool import Tool, tool


class Row(BaseModel):
    id: int
    day: date


@dataclasses.dataclass
class Pair:
    a: int
    b: str


class Color(Enum):
    RED = "red"


def valid(made, **arguments):
    return ValidCall(call=ToolCall(id="c1", name="written", arguments="…"), tool=made, arguments=arguments)


def returning(value):
    def function(): ...

    return tool(lambda: value, name="give")


CONTENTS = [
    ("text", "text"),
    ("", ""),
    (None, None),
    (5, 5),
    ([1, {"a": "上海"}], [1, {"a": "上海"}]),
    ((1, 2), [1, 2]),
    (Row(id=1, day=date(2024, 1, 2)), {"id": 1, "day": "2024-01-02"}),
    ([Pair(1, "b")], [{"a": 1, "b": "b"}]),
    ({Color.RED: Decimal("1.10")}, {"red": "1.10"}),
    (math.nan, "NaN"),
    ([math.inf], ["Infinity"]),
    (2**70, 2**70),
    (b"bytes", "bytes"),
    (b"\xff", "b'\\xff'"),
    ("half \ud800", "half \ufffd"),
]


@pytest.mark.parametrize(("value", "content"), CONTENTS, ids=range(len(CONTENTS)))
def test_what_a_function_returns(value, content):
    assert execution.run(valid(returning(value))) == ToolResult("c1", "give", content)


def test_what_has_no_json_form_becomes_text():
    assert isinstance(execution.run(valid(returning(object()))).content, str)


@tool
def typed(day: date, row: Row, pairs: list[Pair]) -> str:
    return f"{day.year} {row.id} {pairs[0].b}"


def test_arguments_are_of_the_annotated_types():
    arguments = {"day": "2024-01-02", "row": {"id": 7, "day": "2024-01-02"}, "pairs": [{"a": 1, "b": "x"}]}
    assert execution.run(valid(typed, **arguments)).content == "2024 7 x"


@tool
async def coroutine(a: int) -> int:
    await asyncio.sleep(0)
    return a + 1


@tool
def thread() -> str:
    return threading.current_thread().name


def test_an_async_function_runs_either_way():
    assert execution.run(valid(coroutine, a=1)).content == 2
    assert asyncio.run(execution.arun(valid(coroutine, a=1))).content == 2


def test_a_sync_function_stops_no_event_loop():
    assert execution.run(valid(thread)).content == threading.current_thread().name
    assert asyncio.run(execution.arun(valid(thread))).content != threading.current_thread().name


def test_a_sync_run_inside_an_event_loop_is_the_programmers_error():
    async def inside():
        return execution.run(valid(coroutine, a=1))

    with pytest.raises(ArgwrightError, match=r"await box\.arun"):
        asyncio.run(inside())


@tool
def failing(token: str) -> str:
    raise RuntimeError(f"bad {token}")


@tool
async def failing_later(token: str) -> str:
    raise KeyError(token)


@pytest.mark.parametrize("made", [failing, failing_later], ids=["sync", "async"])
def test_an_exception_is_an_error_result_without_its_text(made, caplog):
    told = {"error": f"The function {made.name} failed", "kind": "tool_error"}
    expected = ToolResult("c1", made.name, told, is_error=True)
    assert execution.run(valid(made, token="hunter2")) == expected
    assert asyncio.run(execution.arun(valid(made, token="hunter2"))) == expected
    assert "hunter2" not in caplog.text


def test_arguments_that_only_the_annotations_refuse_are_an_error_result():
    assert execution.run(valid(typed, day="never", row={}, pairs=[])).is_error


def test_cancelling_is_not_swallowed():
    async def forever():
        await asyncio.Event().wait()

    async def cancelled():
        task = asyncio.create_task(execution.arun(valid(tool(forever))))
        await asyncio.sleep(0)
        task.cancel()
        await task

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(cancelled())


def test_a_tool_without_function_is_the_programmers_error():
    declared = Tool.from_schema("t", {})
    with pytest.raises(DeclarationError, match="tool 't' has no function to run"):
        execution.run(valid(declared))
    with pytest.raises(DeclarationError, match="tool 't' has no function to run"):
        asyncio.run(execution.arun(valid(declared)))
