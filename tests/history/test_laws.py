from __future__ import annotations

import copy
import importlib.util
import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from argwright.history import check, effective

_spec = importlib.util.spec_from_file_location("history_conversations", Path(__file__).with_name("conversations.py"))
assert _spec is not None
assert _spec.loader is not None
conversations = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(conversations)

SERVICES = [
    ("openai-chat", "mistral"), ("openai-chat", "deepseek"), ("openai-chat", "kimi"), ("openai-chat", "openai"),
    ("gemini", "gemini-3"),
]  # fmt: skip
KINDS = [(form, None) for form in conversations.FORMATS] + SERVICES
slow = settings(
    max_examples=settings.default.max_examples // 3,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


@pytest.mark.parametrize("form", conversations.FORMATS)
@slow
@given(data=st.data())
def test_what_argwright_writes_is_in_order(form, data):
    messages = data.draw(conversations.written(form))
    assert check(form, messages) == ()
    assert effective(form, messages) == (messages, ())


@pytest.mark.parametrize(("form", "service"), KINDS)
@slow
@given(data=st.data())
def test_whatever_was_stored_becomes_acceptable_and_stays_so(form, service, data):
    messages = data.draw(conversations.damaged(form))
    before = copy.deepcopy(messages)
    mended, changes = effective(form, messages, service=service)
    assert repr(messages) == repr(before)
    assert check(form, mended, service=service) == ()
    assert effective(form, mended, service=service) == (mended, ())
    assert bool(changes) == (repr(mended) != repr(messages))
    assert bool(check(form, messages, service=service)) == bool(changes)
    json.dumps(mended, ensure_ascii=False).encode()
