"""Processes of this machine: how many, how they are started, and what each does first.

Where there is such a thing, they are started from one process that has imported what they need. That takes as long as
importing it takes here, so who knows that there will be work begins with `prepare`, before it imports anything else.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
from importlib.abc import MetaPathFinder
from multiprocessing import connection, get_context, parent_process
from multiprocessing.context import BaseContext

_NEEDED = "argwright.batch.engines.local"
_BLAS = "OPENBLAS_NUM_THREADS"  # numpy's, which pyarrow brings: they would spin while the rest is imported, for nothing
_YOUNG = 50_000  # objects between two collections; what is made for a call is gone with it, and holds no cycle


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def context() -> BaseContext:
    """How processes are started."""
    if sys.platform != "linux":
        return get_context("spawn")
    made = get_context("forkserver")
    made.set_forkserver_preload([_NEEDED])
    return made


def prepare() -> None:
    """Begin to import what the processes need, in one that they are started from, beside what this one does."""
    os.environ.setdefault(_BLAS, "1")
    if sys.platform == "linux":
        context()
        from multiprocessing.forkserver import ensure_running  # noqa: PLC0415  # not everywhere

        ensure_running()


def settle() -> None:
    """Make this process one that judges, and does nothing else: one thread, garbage looked for seldom, no pandas."""
    import pyarrow as pa  # noqa: PLC0415  # processes are prepared before it is imported

    pa.set_cpu_count(1)
    gc.freeze()  # what is imported stays, and need not be looked through
    gc.set_threshold(_YOUNG)
    if "pandas" not in sys.modules:
        finder = _WithoutPandas()
        sys.meta_path.insert(0, finder)
        try:
            pa.array([])
        finally:
            sys.meta_path.remove(finder)


class _WithoutPandas(MetaPathFinder):
    """Finds no pandas.

    pyarrow looks for it once, before it makes the first array of a list, since that might be a series: half a second
    and some tens of megabytes for each process.
    """

    def find_spec(self, fullname: str, path: object, target: object = None) -> None:  # noqa: ARG002  # as a finder has it
        if fullname == "pandas":
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
