"""What a model puts into arguments stands in no log line, span, metric, alert or repr, through a whole run."""

from __future__ import annotations

import logging
from typing import Any

import anthropic
import openai
import pytest
from pydantic import BaseModel, Field

import argwright as aw
from argwright.testing import ScriptedServer
from tests.monitor.samples import SECRET
from tests.monitor.test_telemetry import Watched


class Answer(BaseModel):
    reply: str
    confidence: float = Field(le=1)


@aw.tool(aliases={"old": "note"})
def keep(note: str, count: int = 1, labels: dict[str, int] | None = None) -> str:
    """Keep."""
    raise ValueError(note)


@aw.tool
def refuse(note: str) -> str:
    """Refuse."""
    raise aw.ToolFeedback(f"{note} is no note")


def raising(context: Any) -> None:
    raise ValueError(str(context.value))


BROKEN = aw.Rule(name="broken", layer="mend", certainty=aw.Certainty.LIKELY, propose=raising)
FINAL = aw.FinalTool(Answer, requires=("keep",), on_text=aw.Fallback(field="reply", fixed={"confidence": 0.3}))
BAD: list[tuple[str, Any]] = [
    ("keep", {"note": SECRET}),
    ("keep", f"```json\n{{'old': '{SECRET}', count: '3',}}\n```"),
    ("keep", {"note": [SECRET], "count": SECRET, "labels": {SECRET: SECRET}}),
    ("keep", {"note": SECRET, SECRET: SECRET}),
    ("keep", {"note": SECRET, "old": f"not {SECRET}"}),
    ("keep", f'{{"note": "{SECRET}'),
    ("keep", f'{{"note": "{SECRET}"}}{{"note": "{SECRET} too"}}'),
    ("keep", f'{{"note": "{SECRET}", "note": "{SECRET}2"}}'),
    ("keep", f"note = {SECRET}"),
    ("keep", f'"{SECRET}"'),
    ("refuse", {"note": SECRET}),
    ("forget", {"note": SECRET}),
    (f"keep<arg>{SECRET}", "{}"),
    (f"forget {SECRET}", "{}"),
    ("final_answer", {"reply": SECRET, "confidence": SECRET}),
]
LAST = [SECRET, f'{{"reply": "{SECRET}", "confidence": "{SECRET}"}}', SECRET]
PLENTY = aw.Budget(json_error=99, schema_error=99, unknown_tool=99, truncated=99, final=99, steps=99)


def client(form: str, server: ScriptedServer) -> Any:
    if form == "anthropic":
        http = anthropic.DefaultHttpxClient(verify=False)
        return anthropic.Anthropic(base_url=server.root, api_key="-", max_retries=0, http_client=http)
    return openai.OpenAI(
        base_url=server.url, api_key="-", max_retries=0, http_client=openai.DefaultHttpxClient(verify=False)
    )


def placed(outcome: Any) -> list[Any]:
    """What names a place: a pointer, whose keys somebody wants to know who looks at one violation."""
    return [*getattr(outcome, "issues", ()), *outcome.warnings]


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("form", ["openai-chat", "anthropic"])
def test_no_secret_gets_out(form, stream, caplog):
    caplog.set_level(logging.DEBUG, "argwright")
    alerts: list[aw.Alert] = []
    watched = Watched(on_alert=alerts.append, after=2)
    box = aw.Toolbox([keep, refuse], rules=[BROKEN])
    script = [*BAD, [*BAD], ("keep", {"note": "n"}), *LAST]
    with ScriptedServer(script) as server, client(form, server) as asked:
        result = aw.run(
            asked, "?", model="m-1", tools=box, final=FINAL, monitor=watched.monitor, budget=PLENTY, stream=stream
        )
    kinds = {outcome.kind for outcome in result.outcomes if isinstance(outcome, aw.InvalidCall)}
    assert (kinds, SECRET in str(result.messages)) == (set(aw.ErrorKind), True)
    assert {alert.kind for alert in alerts} == set(aw.ErrorKind)
    logged = [record for record in caplog.records if record.name.startswith("argwright")]
    assert {record.name for record in logged} > {"argwright"}
    said = {
        "log lines": [logging.Formatter().format(record) for record in logged],
        "records": [str(vars(record)) for record in logged],
        "spans": [span.to_json() for span in watched.spans],
        "metrics": [str(watched.metrics), watched.monitor.prometheus(), str(watched.monitor.counters)],
        "alerts": [repr(alert) + str(alert.to_dict()) for alert in alerts],
        "repr": [
            repr([watched.monitor, box, result, result.deviations, result.counters]),
            *(repr((one, one.call, one.repairs)) for one in result.outcomes),
            *(repr(place).replace(place.pointer, "") for one in result.outcomes for place in placed(one)),
        ],
    }
    fragments = ("hunter2", "秘密", "🔑", SECRET.encode("unicode_escape").decode())
    assert [(kind, line) for kind, lines in said.items() for line in lines for one in fragments if one in line] == []


def test_a_session_and_what_it_asks_show_nothing():
    final = aw.FinalTool(Answer)
    session = aw.Session(final=final)
    box = aw.Toolbox([keep, final.tool])
    outcomes = [box.resolve(aw.ToolCall("1", name, arguments)) for name, arguments in BAD]
    verdict = session.judge(outcomes)
    shown = [session, verdict.answers, verdict.run, aw.Turn(tuple(one.call for one in outcomes), SECRET)]
    assert "hunter2" not in repr(shown)
