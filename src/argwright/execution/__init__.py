"""Running valid calls: one, or all of a turn; in the model's order, with its limits."""

from argwright.execution.batch import Batch
from argwright.execution.many import arun_all, run_all
from argwright.execution.one import arun, run
from argwright.execution.settings import Settings

__all__ = ["Batch", "Settings", "arun", "arun_all", "run", "run_all"]
