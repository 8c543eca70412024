"""The drivers of the loop: bytes move here, and tools run.

`run` and `arun` differ in how they wait and in nothing else. There is one loop that asks
again, the one in `loop`: a client's own retries are for its transport. What goes wrong on
the way to a provider is raised as the client raises it; only a stream that breaks off
after it began is taken for what it is, a reply that was cut.
"""

from argwright.run.preparing import RunOptions
from argwright.run.tasks import arun
from argwright.run.waiting import run

__all__ = ["RunOptions", "arun", "run"]
