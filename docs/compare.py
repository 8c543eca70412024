"""The table of `comparison.md`: the same calls through each library as its users call it, on a real socket.

    pip install --editable '.[cli,openai]' --group hooks
    python docs/compare.py

A library that is not installed has no column. instructor does not install beside pydantic-ai, so it goes into an
environment of its own, with `--group instructor` in place of `--group hooks`.

A call counts as *right* if the tool runs with what a careful reader sees, as *wrong* if it runs with anything else, and
as *refused* if it does not run. What is shown is each library as it comes, without hooks.
"""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from pydantic import BaseModel

import argwright as aw
from argwright.testing import Raw, ScriptedServer

os.environ.setdefault("BAML_LOG", "off")

SCHEMA = {
    "type": "object",
    "properties": {"query": {"type": "string"}, "limit": {"type": "integer"}},
    "required": ["query"],
    "additionalProperties": False,
}
LAMP = {"query": "desk lamp", "limit": 3}
CASES: tuple[tuple[str, str, str, dict[str, Any] | None], ...] = (
    ("valid", '{"query": "desk lamp", "limit": 3}', "tool_calls", LAMP),
    ("in a Markdown fence", '```json\n{"query": "desk lamp", "limit": 3}\n```', "tool_calls", LAMP),
    ("a comma too many", '{"query": "desk lamp", "limit": 3,}', "tool_calls", LAMP),
    ("as Python writes it", "{'query': 'desk lamp', 'limit': 3}", "tool_calls", LAMP),
    ("a number as text", '{"query": "desk lamp", "limit": "3"}', "tool_calls", LAMP),
    ("in a wrapper", '{"arguments": {"query": "desk lamp", "limit": 3}}', "tool_calls", LAMP),
    ("encoded twice", '"{\\"query\\": \\"desk lamp\\", \\"limit\\": 3}"', "tool_calls", LAMP),
    ("unescaped quotes", '{"query": "a "desk" lamp", "limit": 3}', "tool_calls", {**LAMP, "query": 'a "desk" lamp'}),
    ("a raw line break", '{"query": "desk\nlamp", "limit": 3}', "tool_calls", {**LAMP, "query": "desk\nlamp"}),
    ("an unescaped path", '{"query": "C:\\Users\\temp"}', "tool_calls", {"query": "C:\\Users\\temp"}),
    ("cut in a text", '{"limit": 3, "query": "desk la', "length", None),
    ("cut, closed by the server", '{"limit": 3, "query": "desk la"}', "length", None),
    ("two calls in one text", '{"query": "desk lamp"}{"query": "chair"}', "tool_calls", None),
    ("one key, two values", '{"query": "desk lamp", "query": "chair"}', "tool_calls", None),
    ("null", "null", "tool_calls", None),
    ("prose", "I would look for a desk lamp.", "tool_calls", None),
)  # fmt: skip


def reply(arguments: str, reason: str) -> dict[str, Any]:
    """A chat completion with one call."""
    function = {"name": "search", "arguments": arguments}
    message = {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "c1", "type": "function", "function": function}],
    }
    choice = {"index": 0, "message": message, "finish_reason": reason}
    return {"id": "x", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}


def served(arguments: str, reason: str, ask: Callable[[str], None]) -> None:
    """Let a library ask a server that makes this call and is content with whatever follows."""
    script = [Raw(reply(arguments, reason)), *["done"] * 8]
    with ScriptedServer(script) as server, suppress(Exception):  # it raised in place of running the tool: refused
        ask(server.url)


def argwright(arguments: str, reason: str) -> Iterator[dict[str, Any]]:
    """This library."""
    match aw.parse_arguments(arguments, SCHEMA, finish_reason=reason):
        case aw.ValidCall(made):
            yield made


def json_repair(arguments: str, _reason: str) -> Iterator[dict[str, Any]]:
    """json-repair, and then the schema."""
    yield from repaired(arguments)


def json_repair_strict(arguments: str, _reason: str) -> Iterator[dict[str, Any]]:
    """json-repair that raises where the structure is in doubt, and then the schema."""
    yield from repaired(arguments, strict=True)


def repaired(arguments: str, **options: bool) -> Iterator[dict[str, Any]]:
    """What json-repair makes, if it fits the schema."""
    import jsonschema
    from json_repair import repair_json

    try:
        made = repair_json(arguments, return_objects=True, **options)
    except ValueError:
        return
    if jsonschema.Draft202012Validator(SCHEMA).is_valid(made):
        yield made


def json_repair_schema(arguments: str, _reason: str) -> Iterator[dict[str, Any]]:
    """json-repair that knows the schema."""
    from json_repair import repair_json

    try:
        yield repair_json(arguments, return_objects=True, schema=SCHEMA)
    except ValueError:
        return


def langchain(arguments: str, reason: str) -> Iterator[dict[str, Any]]:
    """LangChain's `create_agent`."""
    from langchain.agents import create_agent
    from langchain_core.tools import tool
    from langchain_openai import ChatOpenAI

    ran: list[dict[str, Any]] = []

    @tool
    def search(query: str, limit: int = 10) -> str:
        """Search."""
        ran.append({"query": query, "limit": limit})
        return "found"

    def ask(url: str) -> None:
        model = ChatOpenAI(base_url=url, api_key="-", model="m", max_retries=0)
        create_agent(model, [search]).invoke({"messages": [("user", "?")]})

    served(arguments, reason, ask)
    yield from ran


def pydantic_ai(arguments: str, reason: str) -> Iterator[dict[str, Any]]:
    """pydantic-ai's `Agent`."""
    import openai
    from pydantic_ai import Agent
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    ran: list[dict[str, Any]] = []

    def search(query: str, limit: int = 10) -> str:
        """Search."""
        ran.append({"query": query, "limit": limit})
        return "found"

    def ask(url: str) -> None:
        client = openai.AsyncOpenAI(base_url=url, api_key="-", max_retries=0)
        model = OpenAIChatModel("m", provider=OpenAIProvider(openai_client=client))
        Agent(model, tools=[search]).run_sync("?")

    served(arguments, reason, ask)
    yield from ran


class Search(BaseModel):
    """Search."""

    query: str
    limit: int = 10


def instructor_(arguments: str, reason: str) -> Iterator[dict[str, Any]]:
    """With tools; it gives the data instead of running a function."""
    import instructor
    import openai

    made: list[dict[str, Any]] = []

    def ask(url: str) -> None:
        client = instructor.from_openai(openai.OpenAI(base_url=url, api_key="-", max_retries=0))
        found = client.chat.completions.create(
            model="m", response_model=Search, messages=[{"role": "user", "content": "?"}], max_retries=0
        )
        made.append(found.model_dump())

    served(arguments, reason, ask)
    yield from made


BAML = """
generator made {
  output_type "python/pydantic"
  output_dir "../"
  version "VERSION"
}

client<llm> Nobody {
  provider openai
  options {
    model "m"
    api_key "-"
  }
}

class Search {
  query string
  limit int?
}

function Find(question: string) -> Search {
  client Nobody
  prompt #"{{ question }} {{ ctx.output_format }}"#
}
"""


@cache
def baml_parse() -> Callable[[str], BaseModel]:
    """BAML's parser for the class, generated into a folder for this run."""
    folder = Path(tempfile.mkdtemp())
    (folder / "baml_src").mkdir()
    (folder / "baml_src" / "main.baml").write_text(BAML.replace("VERSION", version("baml-py")), encoding="utf-8")
    command = [sys.executable, "-c", "import baml_py; baml_py.invoke_runtime_cli()", "generate"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    sys.path.insert(0, str(folder))
    found: Callable[[str], BaseModel] = importlib.import_module("baml_client.sync_client").b.parse.Find
    return found


def baml(arguments: str, _reason: str) -> Iterator[dict[str, Any]]:
    """BAML's schema-aligned parser, which reads the text of a reply."""
    try:
        yield baml_parse()(arguments).model_dump(exclude_none=True)
    except Exception:  # noqa: BLE001  # it raised in place of giving a value: refused
        return


LIBRARIES = {
    "argwright": (argwright, ("argwright",)),
    "json-repair": (json_repair, ("json-repair", "jsonschema")),
    "json-repair, strict": (json_repair_strict, ("json-repair", "jsonschema")),
    "json-repair, schema": (json_repair_schema, ("json-repair",)),
    "LangChain": (langchain, ("langchain", "langchain-openai")),
    "pydantic-ai": (pydantic_ai, ("pydantic-ai-slim", "openai")),
    "instructor": (instructor_, ("instructor", "openai")),
    "BAML": (baml, ("baml-py",)),
}
"""What makes each column, and the distributions that it needs."""


def versions(*names: str) -> dict[str, str]:
    """Those that are installed."""
    found = {}
    for name in names:
        with suppress(PackageNotFoundError):
            found[name] = version(name)
    return found


def judged(ran: list[Any], right: dict[str, Any] | None) -> str:
    """What became of a call."""
    if not ran:
        return "refused" if right is not None else "refused ✓"
    wanted = right and {"limit": 10, **right}
    made = [{"limit": 10, **one} if isinstance(one, dict) else one for one in ran]
    return "right ✓" if wanted and made == [wanted] else "**wrong**"


def main() -> None:
    """Print the versions and the table."""
    installed = versions(*dict.fromkeys(name for _, needs in LIBRARIES.values() for name in needs))
    made = {title: calls for title, (calls, needs) in LIBRARIES.items() if installed.keys() >= {*needs}}
    print(", ".join(f"{name} {number}" for name, number in installed.items()), end="\n\n")
    print(f"| arguments | {' | '.join(made)} |")
    print(f"|---|{'---|' * len(made)}")
    for what, text, reason, right in CASES:
        cells = [judged(list(calls(text, reason)), right) for calls in made.values()]
        print(f"| {what} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
