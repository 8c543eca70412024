from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prometheus_client.parser import text_string_to_metric_families

import argwright as aw
from argwright.monitor.exposition import exposition
from argwright.observing import Counted, Counter

COUNTERS = {
    Counter("calls", tool="forecast", kind="valid", model="m-1"): 2,
    Counter("calls", kind="unknown_tool", reason="unknown"): 1,
    Counter("repairs", tool="forecast", kind="valid", rule="fence"): 3,
    Counter("calls", tool='a"b\\c\nd', kind="valid", model="上海\ud800"): 1,
}
TEXT = """\
# HELP argwright_calls_total Tool calls resolved, by outcome.
# TYPE argwright_calls_total counter
argwright_calls_total{kind="unknown_tool",reason="unknown"} 1
argwright_calls_total{tool="a\\"b\\\\c\\nd",kind="valid",model="上海\N{REPLACEMENT CHARACTER}"} 1
argwright_calls_total{tool="forecast",kind="valid",model="m-1"} 2
# HELP argwright_repairs_total Repairs made in tool calls, by rule.
# TYPE argwright_repairs_total counter
argwright_repairs_total{tool="forecast",kind="valid",rule="fence"} 3
# HELP argwright_retries_total Failing tool calls that the model was asked to make again.
# TYPE argwright_retries_total counter
"""


def samples(text: str) -> dict[tuple[str, frozenset[tuple[str, str]]], float]:
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_the_text():
    assert exposition(COUNTERS).startswith(TEXT)


def test_prometheus_reads_it():
    found = samples(exposition(COUNTERS))
    assert (
        found["argwright_calls_total", frozenset({"tool": 'a"b\\c\nd', "kind": "valid", "model": "上海�"}.items())] == 1
    )
    assert found["argwright_calls_total", frozenset({"kind": "unknown_tool", "reason": "unknown"}.items())] == 1
    assert len(found) == 4


def test_every_metric_is_declared_once_and_named_after_us():
    text = exposition({})
    names = [text.split()[2] for text in text.splitlines() if text.startswith("# TYPE")]
    assert names == [f"argwright_{what.value}_total" for what in Counted]
    assert aw.Monitor().prometheus() == text


@given(st.text(max_size=20), st.text(max_size=20), st.integers(min_value=1))
@pytest.mark.filterwarnings("error")
def test_any_name_is_read_back(tool, model, count):
    text = exposition({Counter("calls", tool=tool, kind="valid", model=model): count})
    [(_, labels)] = samples(text)
    given_labels = {"tool": tool, "kind": "valid", "model": model}
    assert dict(labels) == {name: value for name, value in given_labels.items() if value}
    text.encode()
