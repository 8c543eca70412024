"""`argwright serve` as its user starts it: a process of its own."""

from __future__ import annotations

import ctypes
import os
import re
import selectors
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.proxy.serving import WAIT

_SERVING = re.compile(r"serving (http://[^/]+)/v1")


_LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None
_PR_SET_PDEATHSIG = 1


def _begin(before: Callable[[], None] | None) -> None:
    """In the new process: it ends with the tests, also where those are killed."""
    if _LIBC is not None:
        _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if before is not None:
        before()


def _environ() -> dict[str, str]:
    """What the process knows of its surroundings; what it has compiled is kept, since compiling takes it seconds."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith("ARGWRIGHT_TOKEN")}
    if environ.pop("PYTHONDONTWRITEBYTECODE", None):
        environ.setdefault("PYTHONPYCACHEPREFIX", str(Path(tempfile.gettempdir()) / f"argwright-pycache-{os.getuid()}"))
    return environ


class Process:
    """A gateway; `root` is its address, `url` that for OpenAI's client."""

    def __init__(self, words: tuple[str, ...], before: Callable[[], None] | None) -> None:
        command = [sys.executable, "-X", "utf8", "-m", "argwright", "serve", "--port", "0", *words]
        self.running = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            env=_environ(),
            preexec_fn=lambda: _begin(before),  # noqa: PLW1509  # limits of a process can be set nowhere else
        )
        self.root = self._address()

    @property
    def url(self) -> str:
        return f"{self.root}/v1"

    def _address(self) -> str:
        assert self.running.stdout is not None
        with selectors.DefaultSelector() as selector:
            selector.register(self.running.stdout, selectors.EVENT_READ)
            assert selector.select(WAIT), "the gateway does not start"
        line = self.running.stdout.readline()
        found = _SERVING.search(line)
        if found is None:
            self.running.kill()
            raise AssertionError(f"{line}{self.running.communicate()[1]}")
        return found[1]

    def kill(self) -> None:
        """As a machine that loses its power would."""
        self.running.send_signal(signal.SIGKILL)
        self.running.communicate(timeout=WAIT)

    def ask_to_end(self) -> None:
        self.running.send_signal(signal.SIGTERM)

    def ended(self) -> tuple[int, str]:
        """Its exit code and what it said on standard error."""
        _, said = self.running.communicate(timeout=WAIT)
        return self.running.returncode, said


@contextmanager
def started(*words: str | Path, before: Callable[[], None] | None = None) -> Iterator[Process]:
    """The gateway with these flags; it is ended at the end of the block, if nobody did before.

    Args:
        words: flags.
        before: is called in the new process before it becomes the gateway.
    """
    process = Process(tuple(map(str, words)), before)
    try:
        yield process
    finally:
        if process.running.poll() is None:
            process.running.terminate()
            try:
                process.running.communicate(timeout=WAIT)
            except subprocess.TimeoutExpired:
                process.kill()
        for pipe in (process.running.stdout, process.running.stderr):
            assert pipe is not None
            pipe.close()


def until(holds: Callable[[], bool]) -> None:
    """Wait until something holds that another process brings about; give up after a while."""
    last = time.monotonic() + WAIT
    while not holds():
        assert time.monotonic() < last, "it never came about"
        time.sleep(0.02)
