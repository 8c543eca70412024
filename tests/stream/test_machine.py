"""The tables: every pair of state and delta, for both kinds of protocol."""

from __future__ import annotations

from typing import get_args

import pytest

from argwright.model import CallDelta
from argwright.stream.machine import REFUSED, TABLES, Action, State
from argwright.wire import deltas
from argwright.wire.deltas import Delta
from argwright.wire.format import Identity

# One row a delta: what it does, and the state after it, in LIVE, FINISHED and ENDED.
COMMON = {
    deltas.CallEnd: ("end_call live", "end_call finished", "refuse ended"),
    deltas.TextDelta: ("text live", "text finished", "refuse ended"),
    deltas.ReasoningDelta: ("reasoning live", "reasoning finished", "refuse ended"),
    deltas.PartDelta: ("part live", "part finished", "refuse ended"),
    deltas.MetaDelta: ("meta live", "meta finished", "meta ended"),
    deltas.FinishDelta: ("finish finished", "finish finished", "refuse ended"),
    deltas.ErrorDelta: ("error finished", "error finished", "refuse ended"),
    deltas.EndDelta: ("end ended", "end ended", "end ended"),
    deltas.ViolationDelta: ("report live", "report finished", "refuse ended"),
}
EXPECTED = {
    Identity.RULES: COMMON | {
        CallDelta: ("call live", "call finished", "refuse ended"),
        deltas.ArgumentsDelta: ("piece live", "piece finished", "refuse ended"),
        deltas.MemberDelta: ("member live", "member finished", "refuse ended"),
    },
    Identity.KEY: COMMON | {
        CallDelta: ("call live", "late finished", "refuse ended"),
        deltas.ArgumentsDelta: ("piece live", "late finished", "refuse ended"),
        deltas.MemberDelta: ("member live", "late finished", "refuse ended"),
    },
}  # fmt: skip
PAIRS = [(identity, state, kind) for identity in Identity for state in State for kind in get_args(Delta)]


def test_the_rows_are_all_the_deltas_there_are():
    assert all(set(rows) == set(get_args(Delta)) for rows in EXPECTED.values())


@pytest.mark.parametrize(("identity", "state", "kind"), PAIRS)
def test_every_pair(identity, state, kind):
    action, then = EXPECTED[identity][kind][[*State].index(state)].split()
    assert TABLES[identity].get((state, kind), REFUSED) == (Action(action), State[then.upper()])
