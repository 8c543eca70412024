from __future__ import annotations

import asyncio
import dataclasses
import math
import pickle
import threading
from datetime import date
from decimal import Decimal
from enum import Enum
from typing import Annotated

import pytest
from pydantic import BaseModel

from argwright import execution
from argwright.errors import ArgwrightError, DeclarationError, ToolFeedback
from argwright.model import ToolCall, ToolResult
from argwright.python_types import Injected
from argwright.tool import Tool, tool
from argwright.toolbox import Toolbox
from tests.execution.calls import valid


class Row(BaseModel):
    id: int
    day: date


@dataclasses.dataclass
class Pair:
    a: int
    b: str


class Color(Enum):
    RED = "red"


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


# --- what a tool may tell


@tool
def telling(day: str) -> str:
    raise ToolFeedback(f"no trains on {day} \ud800")


@tool
async def telling_later(day: str) -> str:
    raise ToolFeedback(f"no trains on {day} \ud800")


@pytest.mark.parametrize("made", [telling, telling_later], ids=["sync", "async"])
def test_feedback_is_told_as_it_stands(made):
    told = {"error": "no trains on Sunday \ufffd", "kind": "tool_error"}
    expected = ToolResult("c1", made.name, told, is_error=True)
    assert execution.run(valid(made, day="Sunday")) == expected
    assert asyncio.run(execution.arun(valid(made, day="Sunday"))) == expected


def test_the_end_of_an_iterator_is_a_failure_like_any_other():
    @tool
    def ends() -> None:
        next(iter(()))

    assert execution.run(valid(ends)).is_error
    assert asyncio.run(execution.arun(valid(ends))).is_error


def test_an_exception_of_ours_inside_a_tool_is_its_failure():
    def reads() -> None:
        raise DeclarationError("secret")

    result = execution.run(valid(tool(reads)))
    assert (result.is_error, "secret" in result.text) == (True, False)


# --- injected parameters


class Database:
    def __init__(self) -> None:
        self.asked: list[str] = []


@tool
def query(sql: str, db: Annotated[Database, Injected], limit: int = 3) -> int:
    """Query."""
    db.asked.append(sql)
    return limit


def test_an_injected_parameter_is_in_no_schema_and_no_message():
    assert query.schema == {
        "type": "object",
        "properties": {"sql": {"type": "string"}, "limit": {"type": "integer", "default": 3}},
        "required": ["sql"],
        "additionalProperties": False,
    }
    refused = Toolbox([query]).resolve(ToolCall("1", "query", '{"sql": "a", "db": "mine"}'))
    assert refused.reason == "unexpected"
    assert "db" not in str(Toolbox([query]).resolve(ToolCall("1", "query", "{}")).feedback)


def test_an_injected_parameter_is_filled_in():
    db = Database()
    box = Toolbox([query])
    outcome = box.resolve(ToolCall("1", "query", '{"sql": "a"}'))
    assert box.run(outcome, inject={"db": db, "other": 1}).content == 3
    assert asyncio.run(box.arun(outcome, inject={"db": db})).content == 3
    assert db.asked == ["a", "a"]
    with pytest.raises(DeclarationError, match="no value is given for its injected parameter 'db'"):
        box.run(outcome)


def test_what_is_named_is_injected_too():
    def plain(sql: str, user) -> str:
        return f"{user}: {sql}"

    made = tool(plain, injected=("user",))
    assert list(made.schema["properties"]) == ["sql"]
    assert execution.run(valid(made, sql="a"), execution.Settings(inject={"user": "me"})).content == "me: a"
    opened = Tool.from_schema("t", {"type": "object"}, function=lambda **given: given, injected=["user"])
    given = execution.run(valid(opened, sql="a", user="model"), execution.Settings(inject={"user": "me"})).content
    assert given == {"sql": "a", "user": "me"}


def test_what_cannot_be_injected():
    def positional(sql: str, user: str, /) -> str:
        return sql + user

    with pytest.raises(DeclarationError, match="'user' is no parameter that can be injected"):
        tool(positional, injected=["user"])
    with pytest.raises(DeclarationError, match="'nobody' is no parameter"):
        tool(positional, injected=["nobody"])
    with pytest.raises(DeclarationError, match="the schema declares 'user', which is injected"):
        Tool.from_schema("t", {"type": "object", "properties": {"user": {}}}, injected=["user"])


def test_a_tool_with_injected_parameters_survives_pickling():
    again = pickle.loads(pickle.dumps(query))
    assert again == query
    assert execution.run(valid(again, sql="a"), execution.Settings(inject={"db": Database()})).content == 3


# --- time and size


@tool(timeout=0.05)
async def never() -> None:
    await asyncio.Event().wait()


def stuck_tool():
    release = threading.Event()

    @tool(timeout=0.05)
    def stuck() -> str:
        release.wait(10)
        return "late"

    return stuck, release


def is_timeout(result, name):
    told = result.content
    assert told["error"] == f"The function {name} did not answer within 0.05 s"
    return (told["kind"], told["outcome"], result.is_error) == ("timeout", "unknown", True)


def test_what_does_not_answer_in_time_is_not_waited_for():
    assert is_timeout(execution.run(valid(never)), "never")
    assert is_timeout(asyncio.run(execution.arun(valid(never))), "never")
    stuck, release = stuck_tool()
    assert is_timeout(execution.run(valid(stuck)), "stuck")
    assert is_timeout(asyncio.run(execution.arun(valid(stuck))), "stuck")
    release.set()


def test_a_timeout_of_the_functions_own_is_its_failure():
    @tool
    async def own() -> None:
        raise TimeoutError

    assert asyncio.run(execution.arun(valid(own))).content["kind"] == "tool_error"


def test_a_function_that_cancels_itself_is_a_failure():
    @tool
    async def cancels() -> None:
        raise asyncio.CancelledError

    assert execution.run(valid(cancels)).is_error
    assert asyncio.run(execution.arun(valid(cancels))).is_error


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("x" * 10, "x" * 10),
        ("x" * 11, "x" * 10 + "\n[cut: the first 10 of 11 characters; ask for less]"),
        ([1, 2, 3, 4], [1, 2, 3, 4]),
        ([1, 2, 3, 4, 5], "[1,2,3,4,5\n[cut: the first 10 of 11 characters; ask for less]"),
    ],
)
def test_what_is_too_long_is_cut_and_says_so(value, told):
    assert execution.run(valid(tool(lambda: value, name="give", max_result=10))).content == told


@pytest.mark.parametrize("timeout", [0, -1])
def test_a_timeout_is_a_time(timeout):
    with pytest.raises(DeclarationError, match="a timeout is a number of seconds above 0"):
        tool(lambda: 1, name="give", timeout=timeout)
