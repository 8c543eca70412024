"""Where work is done."""

from __future__ import annotations

import asyncio
import threading

import pytest

from argwright.proxy.aside import aside


@pytest.mark.parametrize(("size", "here"), [(0, True), (256 * 1024, True), (256 * 1024 + 1, False)])
def test_much_work_goes_to_a_thread(size, here):
    own = threading.get_ident()
    assert (asyncio.run(aside(size, threading.get_ident)) == own) is here
