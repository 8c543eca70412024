"""Several processes on one port: started, watched, started again, and ended together.

Where the system has `SO_REUSEPORT` each worker binds a socket of its own, so that the kernel deals connections out; the
parent holds the port, without listening, as long as any worker may come back. Elsewhere all accept from one socket that
the parent made. A worker that dies is started again, at once the first time, then after growing pauses; if none ever
got so far as to serve, that is given up. TERM and INT go on to all workers; who is not done in time is killed. Workers
whose parent is gone end by themselves.

Settings go to a worker through a pipe, never on its command line.
"""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import shutil
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any

from argwright.proxy.settings import GatewaySettings
from argwright.proxy.sockets import listening, url_of

_log = logging.getLogger("argwright.gateway")

_MARGIN = 5.0  # seconds beyond the grace before a worker is killed
_SHORT_LIFE = 2.0  # seconds: a worker that dies sooner is not started again at once
_PAUSE, _MOST = 0.5, 10.0  # seconds before it is, doubled each time up to the second
_ATTEMPTS = 3  # starts of a worker without any of them having served
_TURN = 0.5  # seconds between two looks at the clock
_FILES = 1 << 16  # sockets that a worker may hold open: two for each stream, far above any limit of streams

_SHARES_PORT = hasattr(socket, "SO_REUSEPORT") and sys.platform != "win32"


def run(settings: GatewaySettings, started: Callable[[str], None] | None = None) -> int:
    """Serve with as many processes as the settings say, until a signal ends it.

    Args:
        settings: all of them.
        started: is called with the URL when the port is open.

    Returns:
        The exit code: 0, or 1 if no worker could serve.

    Raises:
        OSError: the port is taken, or the address none of this machine's.
    """
    if settings.server.workers > 1:
        return _Pool(settings, started).run()
    _serve(settings, started)
    return 0


@dataclass
class _Slot:
    """The place of one worker; who holds it changes."""

    number: int
    process: SpawnProcess | None = None
    ready: Connection | None = None
    since: float = 0.0
    not_before: float = 0.0
    deaths: int = field(default=0)  # in a row, of short lives


@dataclass(frozen=True, kw_only=True)
class _Share:
    """What a worker is handed by its parent.

    Args:
        folder: known to all workers.
        ready: here it says that it serves.
        port: that it binds to.
        sock: the one that all accept from, where a port cannot be shared.
    """

    folder: Path
    ready: Connection
    port: int
    sock: socket.socket | None


class _Pool:
    def __init__(self, settings: GatewaySettings, started: Callable[[str], None] | None) -> None:
        self._settings, self._started = settings, started
        self._slots = [_Slot(number) for number in range(settings.server.workers)]
        self._context = multiprocessing.get_context("spawn")
        self._stopping = 0
        self._deadline = 0.0
        self._serving: set[int] = set()

    def run(self) -> int:
        server = self._settings.server
        with ExitStack() as stack:
            listening(server.host, server.port).close()  # another program's port is not shared, even if it would let us
            held = stack.enter_context(listening(server.host, server.port, shared=_SHARES_PORT))
            folder = Path(tempfile.mkdtemp(prefix="argwright-"))
            stack.callback(shutil.rmtree, folder, ignore_errors=True)
            for number in (signal.SIGTERM, signal.SIGINT):
                stack.callback(signal.signal, number, signal.signal(number, self._signalled))
            return self._watch(held, folder)

    def _watch(self, held: socket.socket, folder: Path) -> int:
        """Keep the workers running; the exit code."""
        while True:
            now = time.monotonic()
            for slot in self._slots:
                if slot.process is None and not self._stopping and now >= slot.not_before:
                    self._start(slot, held, folder)
            running = [slot for slot in self._slots if slot.process is not None]
            if self._stopping and not running:
                return 0
            if self._stopping and now > self._deadline:
                self._each(SpawnProcess.kill)
            self._look(running, url_of(held))
            if not self._serving and any(slot.deaths >= _ATTEMPTS for slot in self._slots):
                self._each(SpawnProcess.kill)
                _log.error("no worker could serve")
                return 1

    def _start(self, slot: _Slot, held: socket.socket, folder: Path) -> None:
        ours, theirs = self._context.Pipe(duplex=False)
        sock = None if _SHARES_PORT else held
        share = _Share(folder=folder, ready=theirs, port=held.getsockname()[1], sock=sock)
        name = f"argwright-{slot.number}"
        slot.process = self._context.Process(target=_work, args=(self._settings, slot.number, share), name=name)
        slot.process.start()
        theirs.close()
        slot.ready, slot.since = ours, time.monotonic()
        if self._stopping:  # the signal came while it was being started
            slot.process.terminate()

    def _look(self, running: list[_Slot], url: str) -> None:
        """Wait for news of the workers, and take it."""
        news: list[Any] = [slot.process.sentinel for slot in running if slot.process is not None]
        news += [slot.ready for slot in running if slot.ready is not None]
        if not news:
            time.sleep(_TURN)
            return
        came = wait(news, _TURN)
        for slot in running:
            if slot.ready in came:
                self._took_off(slot, url)
            if slot.process is not None and slot.process.sentinel in came:
                self._died(slot)

    def _took_off(self, slot: _Slot, url: str) -> None:
        ready, slot.ready = slot.ready, None
        if ready is None:
            return
        with ready, suppress(EOFError):
            ready.recv()
            self._serving.add(slot.number)
            if len(self._serving) == len(self._slots) and self._started is not None:
                self._started(url)
                self._started = None

    def _died(self, slot: _Slot) -> None:
        process, slot.process = slot.process, None
        if process is None:
            return
        process.join()
        if slot.ready is not None:
            slot.ready.close()
            slot.ready = None
        if not self._stopping:
            lived = time.monotonic() - slot.since
            slot.deaths = slot.deaths + 1 if lived < _SHORT_LIFE else 0
            pause = min(_PAUSE * 2**slot.deaths, _MOST) if slot.deaths else 0.0
            slot.not_before = time.monotonic() + pause
            _log.error("worker %d ended with code %s; it is started again", slot.number, process.exitcode)
        process.close()

    def _signalled(self, _number: int, _frame: Any) -> None:
        self._stopping += 1
        self._deadline = time.monotonic() + self._settings.server.limits.grace + _MARGIN
        self._each(SpawnProcess.terminate)

    def _each(self, do: Callable[[SpawnProcess], None]) -> None:
        for slot in self._slots:
            if slot.process is not None:
                with suppress(ValueError, OSError):  # it is gone already
                    do(slot.process)


def _work(settings: GatewaySettings, slot: int, share: _Share) -> None:
    """One worker."""
    logging.basicConfig(format="%(levelname)s %(name)s: %(message)s")
    parent = multiprocessing.parent_process()
    sentinel = None if parent is None else parent.sentinel
    _serve(settings, lambda url: _tell(share.ready, url), slot=slot, share=share, parent=sentinel)


def _serve(
    settings: GatewaySettings,
    started: Callable[[str], None] | None,
    *,
    slot: int = 0,
    share: _Share | None = None,
    parent: int | None = None,
) -> None:
    """Serve in this process; what it takes is loaded here, since a parent of workers needs none of it."""
    from argwright.proxy.app import Parts  # noqa: PLC0415  # as said
    from argwright.proxy.journal import Journal  # noqa: PLC0415  # as said
    from argwright.proxy.serving import serve  # noqa: PLC0415  # as said
    from argwright.proxy.shared import SharedBoard, SharedStore  # noqa: PLC0415  # as said

    _allow_files()
    with ExitStack() as stack:
        journal = Journal(settings.journal)
        stack.callback(journal.close)
        parts, sock = Parts(journal=journal), None
        if share is not None:
            store = SharedStore(share.folder, slot)
            stack.callback(store.close)
            parts = Parts(journal=journal, store=store, board=SharedBoard(share.folder, slot))
            sock = share.sock or listening(settings.server.host, share.port, shared=True)
        asyncio.run(serve(settings, parts=parts, sock=sock, started=started, parent=parent))


def _tell(ready: Connection, url: str) -> None:
    with ready, suppress(OSError):
        ready.send(url)


def _allow_files() -> None:
    """Let the process open as many sockets as it may."""
    try:
        import resource  # noqa: PLC0415  # not on Windows
    except ImportError:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _FILES if hard == resource.RLIM_INFINITY else min(_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
