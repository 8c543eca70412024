"""What a call shows that someone may want to declare."""

from __future__ import annotations

import json

import pytest

import argwright as aw
from argwright.batch.log.figures import Hint
from argwright.batch.log.hints import hints


def tool(*, closed=True, required=("script_name",), **properties):
    declared = properties or {
        "script_name": {"type": "string"},
        "timeout": {"type": "integer"},
        "unit": {"enum": ["celsius", "fahrenheit"]},
        "token": {"enum": ["abc", "def"]},
        "rows": {"type": "array", "items": {"type": "object", "properties": {"n": {"type": "integer"}}}},
    }
    schema = {"type": "object", "properties": declared, "required": list(required), "additionalProperties": not closed}
    return aw.Tool.from_schema("run", schema, sensitive=["token"])


CLOSED, OPEN = tool(), tool(closed=False)
TWO = tool(required=("a", "b"), a={"type": "string"}, b={"type": "string"})
ORDER = tool(required=("order_id",), order_id={"type": "string"})
STATE = tool(required=("state",), state={"enum": ["active", "paused"]})

FOUND = [
    ("an old name", CLOSED, {"script_path": "x.py"}, [Hint("field", "run", "", "script_path", "script_name")]),
    ("an old name without a word in common, the only one missing", CLOSED, {"file": "x.py"},
     [Hint("field", "run", "", "file", "script_name")]),
    ("an old name in an open schema", OPEN, {"script_path": "x.py"}, [Hint("field", "run", "", "script_path", "script_name")]),
    ("an optional one by a word in common", CLOSED, {"script_name": "x", "time_out": 3},
     []),  # another spelling: mended, nothing to declare
    ("an optional one in an open schema", OPEN, {"script_name": "x", "timeout_seconds": 3},
     [Hint("field", "run", "", "timeout_seconds", "timeout")]),
    ("of a type that does not fit", CLOSED, {"script_path": 5}, [Hint("undeclared", "run", "", "script_path", "")]),
    ("nothing is meant", CLOSED, {"script_name": "x", "verbose": True}, [Hint("undeclared", "run", "", "verbose", "")]),
    ("nothing is meant, in an open schema", OPEN, {"script_name": "x", "verbose": True},
     [Hint("undeclared", "run", "", "verbose", "")]),
    ("two are missing, so either may be meant", TWO, {"x": "1"}, [Hint("undeclared", "run", "", "x", "")]),
    ("a name that says another thing", ORDER, {"user_id": "7"}, [Hint("undeclared", "run", "", "user_id", "")]),
    ("two fields that may be the same one", CLOSED, {"file": "x", "source": "y"},
     [Hint("undeclared", "run", "", "file", ""), Hint("undeclared", "run", "", "source", "")]),
    ("the opposite of a word", STATE, {"state": "inactive"}, [Hint("value", "run", "/state", "inactive", "")]),
    ("a word beside an enum", CLOSED, {"script_name": "x", "unit": "degrees_celsius"},
     [Hint("value", "run", "/unit", "degrees_celsius", "celsius")]),
    ("a word like none of an enum", CLOSED, {"script_name": "x", "unit": "kelvin"}, [Hint("value", "run", "/unit", "kelvin", "")]),
    ("a secret word", CLOSED, {"script_name": "x", "token": "ghi"}, []),
    ("a number as text", CLOSED, {"script_name": "x", "rows": [{"n": "1"}, {"n": "2"}]}, [Hint("text", "run", "/rows/*/n", "", "")]),
    ("a key that is no name", CLOSED, {"script_name": "x", "Hello, World! ": 1}, []),
    ("nothing wrong", CLOSED, {"script_name": "x"}, []),
]  # fmt: skip


@pytest.mark.parametrize(("given", "arguments", "expected"), [row[1:] for row in FOUND], ids=[row[0] for row in FOUND])
def test_hints(given, arguments, expected):
    outcome = aw.Toolbox([given]).resolve(aw.ToolCall(None, "run", json.dumps(arguments)))
    assert list(dict.fromkeys(hints(outcome))) == expected


@pytest.mark.parametrize(("name", "expected"), [
    ("runs", [Hint("name", "run", "", "runs", "run")]),
    ("run_v2", [Hint("name", "run", "", "run_v2", "run")]),
    ("completely_else", [Hint("name", "", "", "completely_else", "")]),
    ("not a name {", []),
    (None, []),
])  # fmt: skip
def test_unknown_tools(name, expected):
    assert hints(aw.Toolbox([CLOSED]).resolve(aw.ToolCall(None, name, "{}"))) == expected
