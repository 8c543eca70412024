"""What the gateway saw, in one SQLite file: written without ever holding up the traffic, read by the page.

`Journal.put` hands a record to one writer thread, which commits many at once. A queue that is full drops, and counts
what it dropped; a disk that is full, a file that is locked, damaged or not ours stops the journal and nothing else, and
it tries again. WAL and one transaction a batch: a process killed at any moment leaves a sound file in which everything
stands that was committed. Several processes share a file. What is older than the ring goes.

    secret_places, redaction    what of a call's text may be kept
    rows                        records → rows
    database                    the file: made, proven to be ours, opened to write or to read
    ring                        what goes when the file is full or the days are over
    writer                      the thread
    state                       how the journal is
    reading                     what the page asks
    export                      everything, as JSON lines or Parquet
"""

from argwright.proxy.journal.journal import Journal
from argwright.proxy.journal.reading import Filter
from argwright.proxy.journal.state import JournalState

__all__ = ["Filter", "Journal", "JournalState"]
