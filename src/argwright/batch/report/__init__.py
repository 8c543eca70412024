"""The figures of a scan as one HTML page for a person: nothing is loaded, nothing runs in it, everything is escaped."""

from argwright.batch.report.page import page

__all__ = ["page"]
