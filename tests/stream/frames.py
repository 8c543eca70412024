"""How the tests of the framings cut their bytes."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from argwright.stream.framing import Decoder
from argwright.wire.deltas import ViolationDelta


def decoded(make: Callable[[], Decoder], *reads: bytes) -> list[Any]:
    """The frames of these reads; a violation is its slug."""
    decoder = make()
    frames = [frame for data in reads for frame in decoder.feed(data)]
    return [frame.reason if isinstance(frame, ViolationDelta) else frame for frame in [*frames, *decoder.close()]]


def cuts(data: bytes) -> list[list[bytes]]:
    """The bytes at once, one by one, and in pieces of several sizes."""
    ways = [[data], [data[place : place + 1] for place in range(len(data))]]
    for seed in range(4):
        chance, way, place = random.Random(seed), [], 0
        while place < len(data):
            size = chance.randint(1, 3 + 9 * seed)
            way.append(data[place : place + size])
            place += size
        ways.append(way)
    return ways
