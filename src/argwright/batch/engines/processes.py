"""Processes of this machine: how many, how they are started, and what each does first.

A process in which nothing else runs is forked as it is, so that what it has imported is imported once. Any other may
hold locks that nobody would ever open again in a fork, so there processes come from one that has imported what they
need and done nothing else. A program that is there to judge begins with `prepare`, before it imports anything else.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from importlib import import_module
from importlib.abc import MetaPathFinder
from multiprocessing import connection, get_context, parent_process
from multiprocessing.context import BaseContext
from pathlib import Path

_NEEDED = "argwright.batch.engines.local"
_THREADS = Path("/proc/self/task")
_ALONE = {"JE_ARROW_MALLOC_CONF": "background_thread:false", "OPENBLAS_NUM_THREADS": "1"}
"""What keeps pyarrow's allocator, and numpy where it is imported after all, from starting threads."""
_YOUNG = 50_000  # objects between two collections; what is made for a call is gone with it, and holds no cycle


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def context() -> BaseContext:
    """How processes are started."""
    if sys.platform != "linux":
        return get_context("spawn")
    if _is_alone():
        return get_context("fork")
    made = get_context("forkserver")
    made.set_forkserver_preload([_NEEDED])
    return made


def _is_alone() -> bool:
    """Whether no thread but this one runs here, be it Python's or not."""
    try:
        return len(list(_THREADS.iterdir())) == 1
    except OSError:  # nobody tells
        return False


def prepare() -> None:
    """Import what judging needs, without what it does not, and start no thread; garbage is looked for seldom now."""
    for name, value in _ALONE.items():
        os.environ.setdefault(name, value)
    gc.set_threshold(_YOUNG)
    with _without("numpy", "pandas"):
        import_module(_NEEDED)


def settle() -> None:
    """Make this process one that judges, and does nothing else: one thread, garbage looked for seldom, no pandas."""
    import pyarrow as pa  # noqa: PLC0415  # processes are prepared before it is imported

    pa.set_cpu_count(1)
    gc.freeze()  # what is imported stays, and need not be looked through
    gc.set_threshold(_YOUNG)
    with _without("pandas"):
        pa.array([])


@contextmanager
def _without(*modules: str) -> Generator[None]:
    """Some modules cannot be imported here, but for those that are already.

    pyarrow does without them. It looks for numpy when it is imported, and once for pandas, before it makes the first
    array of a list, since that might be a series: half a second and some tens of megabytes for each process.
    """
    finder = _Without(modules)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


class _Without(MetaPathFinder):
    def __init__(self, modules: tuple[str, ...]) -> None:
        self._modules = modules

    def find_spec(self, fullname: str, path: object, target: object = None) -> None:  # noqa: ARG002  # as a finder has it
        if fullname in self._modules:
            raise ModuleNotFoundError(fullname)


def end_with_parent() -> None:
    """End when the parent does, even if it was killed, since nobody else would tell; and not before it.

    A key that breaks off is sent to all processes of a terminal, and the parent knows better what to do with it.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_wait_for_parent, daemon=True).start()


def _wait_for_parent() -> None:
    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)
