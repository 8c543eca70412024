"""Which texts announce an action: the longer table is of those that do not."""

from __future__ import annotations

import pytest

from argwright.proxy.exchange.stall import announces

QUIET = [
    "", "   \n", "The berth is booked.", "Der Liegeplatz ist frei.", "泊位已预订。", "Shall I book it?", "要我预订吗？",
    "Let me know if you need more.", "I'll be happy to help.", "I'll wait for your answer.", "I won't do that.",
    "Once you confirm, I will book it.", "If you like, I'll book it.", "如果您同意，我来预订。", "请告诉我船名：您的船叫什么？",
    "I looked: it is free.", "He said: let me in.", "Let me in, she said. Then she left.", "11:30",
    "I will not book it.", "Would you like me to go on:?", "任务完成。", "هل أحجز؟", "Let us know.", "Unless you object, I'll book it.",
]  # fmt: skip
ANNOUNCED = [
    "Let me check the harbour:", "I'll look it up.", "Sure! Let me book that berth for you.", "Okay, I will count the gulls now.",
    "I found it.\n\nNow I'm going to book it", "First, I need to read the log.", "我来查一下天气。", "好的，让我查询一下：", "接下来我将预订泊位。",
    "我先看一下日志", "Here is what I will do:", "Je vais vérifier.", "Ich werde das prüfen.", "Voy a revisar el puerto.",
    "**Let me check:**", "Understood. Let me see…", "Next, let's count them.", "調べます。", "現在の状況：",
]  # fmt: skip


@pytest.mark.parametrize("text", QUIET)
def test_announces_nothing(text):
    assert not announces(text)


@pytest.mark.parametrize("text", ANNOUNCED)
def test_announces_an_action(text):
    assert announces(text)
