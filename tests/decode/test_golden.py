"""The golden cases of the decoder: title, text, what the schema says, and what comes of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from argwright.decode import Decoded, decode
from argwright.shape import ANY, Shape

FILE = Path(__file__).parents[1] / "cases" / "decode.jsonl"
CASES = [json.loads(line) for line in FILE.read_text(encoding="utf-8").split("\n") if line]


def outcome(case):
    shape = Shape(case["schema"]) if "schema" in case else ANY
    result = decode(case["text"], shape=shape, tool=case.get("tool"), ended=case.get("ended", False))
    if not isinstance(result, Decoded):
        return {"reason": result.reason, "position": result.position}
    repairs = [[r.rule, r.certainty.name, r.pointer, list(r.span or ()), r.count] for r in result.repairs]
    return {"value": result.value, "repairs": repairs}


def line(case):
    return json.dumps(case, ensure_ascii=False).replace("\u2028", "\\u2028").replace("\x00", "\\u0000")


@pytest.mark.parametrize("case", CASES, ids=[case["title"] for case in CASES])
def test_case(case):
    assert outcome(case) == case["becomes"]


def test_update(update_cases):
    if update_cases:
        lines = [line(case | {"becomes": outcome(case)}) for case in CASES]
        FILE.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert len({case["title"] for case in CASES}) == len(CASES)
