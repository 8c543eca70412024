"""A journal on a real file, and the calls that a gateway would put in."""

from __future__ import annotations

import pytest

from argwright import Tool, Toolbox, ToolCall, ValidCall
from argwright.model import compact
from argwright.proxy.journal import Journal
from argwright.proxy.journal.writer import Bounds
from argwright.proxy.record import CallDetail, CallRecord
from argwright.proxy.settings import JournalSettings

SEARCH = Tool.from_schema(
    "search",
    {
        "type": "object",
        "properties": {"query": {"type": "string"}, "limit": {"type": "integer"}},
        "required": ["query"],
        "additionalProperties": False,
    },
)


def record(text='{"query": "a"}', *, name="search", at=1_700_000_000.0, model="gpt-x", sensitive=(), **fields):
    """One call, resolved as the gateway resolves it."""
    outcome = Toolbox([SEARCH]).resolve(ToolCall("1", name, text))
    valid = isinstance(outcome, ValidCall)
    detail = CallDetail(
        arguments_text=text,
        arguments=outcome.arguments if valid else None,
        repairs=tuple(one.to_dict() for one in outcome.repairs),
        issues=() if valid else tuple(one.to_dict() for one in outcome.issues),
        message="" if valid else compact(outcome.feedback),
        position=None if valid else outcome.position,
        sensitive=sensitive,
    )
    return CallRecord(
        request_id="r1",
        at=at,
        protocol="openai-chat",
        upstream="default",
        model=model,
        tool=getattr(outcome.tool, "name", None) or name,
        status=("mended" if outcome.repairs else "valid") if valid else "refused",
        kind=None if valid else outcome.kind.value,
        reason=None if valid else outcome.reason,
        rules=tuple(dict.fromkeys(one.rule for one in outcome.repairs)),
        detail=detail,
        **fields,
    )


@pytest.fixture
def make(tmp_path):
    """Journals on one file, closed at the end."""
    made = []

    def _make(mode="full", *, path=tmp_path / "journal.db", bounds=None, **settings):
        bounds = bounds or Bounds(retry=0.02, patience=0.05)
        made.append(Journal(JournalSettings(mode=mode, path=path, **settings), bounds=bounds))
        return made[-1]

    yield _make
    for journal in made:
        journal.close()
