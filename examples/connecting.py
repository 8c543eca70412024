"""What the examples share: which model is asked, from the command line.

    --api        openai (default: chat completions, of any server), responses, anthropic
    --base-url   the server's address; without it, the provider's own
    --model      the model's name

The SDK comes with the extra of its name (`pip install '.[openai]'` or `'.[anthropic]'`), the key from the environment,
where the SDKs look for it: `OPENAI_API_KEY` or `ANTHROPIC_API_KEY`. A server on this machine mostly takes any key.
"""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Connection:
    """A client, the model to ask, and what the user wants to know."""

    client: Any
    model: str
    format: str | None
    question: str


def connect(description: str | None, question: str, argv: Sequence[str] | None = None) -> Connection:
    """Read the command line and make the client."""
    parser = argparse.ArgumentParser(description=(description or "").partition("\n")[0])
    parser.add_argument("question", nargs="?", default=question)
    parser.add_argument("--api", choices=("openai", "responses", "anthropic"), default="openai")
    parser.add_argument("--base-url")
    parser.add_argument("--model", required=True)
    given = parser.parse_args(argv)
    wire_format = "openai-responses" if given.api == "responses" else None
    return Connection(_client(given.api, given.base_url), given.model, wire_format, given.question)


def _client(api: str, base_url: str | None) -> Any:
    name, maker = ("anthropic", "Anthropic") if api == "anthropic" else ("openai", "OpenAI")
    try:
        sdk = importlib.import_module(name)  # only the SDK that is used has to be installed
    except ModuleNotFoundError:
        raise SystemExit(f"--api {api} needs the SDK: pip install '.[{name}]'") from None
    return getattr(sdk, maker)(base_url=base_url)
