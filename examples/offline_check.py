"""The three kinds of bad tool call, told apart without a network and without a key.

Run it: `python examples/offline_check.py`
"""

from __future__ import annotations

from typing import Literal

import argwright as aw


def get_temperature(location: str, unit: Literal["celsius", "fahrenheit"] = "celsius") -> str:
    """The temperature at a place.

    Args:
        location: a city
        unit: in which unit to answer
    """
    return f"22 degrees {unit} in {location}"


BOX = aw.Toolbox([get_temperature])

CALLS = (
    ("正常", "get_temperature", '{"location": "上海"}'),
    ("非法 JSON", "get_temperature", "location=上海"),
    ("缺必填", "get_temperature", '{"unit": "c"}'),
    ("未注册", "delete_all", "{}"),
)


def describe(outcome: aw.ValidCall | aw.InvalidCall) -> str:
    """What an operator reads in the log."""
    match outcome:
        case aw.ValidCall(arguments):
            return f"ok {arguments}"
        case aw.InvalidCall(aw.ErrorKind.JSON_ERROR):
            return "json_error 参数不是合法 JSON"
        case aw.InvalidCall(aw.ErrorKind.UNKNOWN_TOOL):
            return f"unknown_tool 未注册工具 {outcome.call.name}"
        case aw.InvalidCall():
            missing = [issue.pointer.removeprefix("/") for issue in outcome.issues if issue.keyword == "required"]
            return f"schema_error 缺少必填 {missing}"


if __name__ == "__main__":
    for title, name, arguments in CALLS:
        call = aw.ToolCall(id="call_1", name=name, arguments=arguments)
        print(f"{title}：{describe(BOX.resolve(call))}")
