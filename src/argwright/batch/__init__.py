"""Logs by the million: Arrow batches in, Arrow batches out.

`clean` judges a record batch of logged calls; `engines` runs it over all cores, or on
Daft, Ray Data or Spark. `argwright scan` does the whole of it for files, and writes a
report for a person. Names are loaded on first use, so that a scan can start its
processes before it imports what they need.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from argwright.batch.cleaning import clean
    from argwright.batch.columns import Columns, output_schema

__all__ = ["Columns", "clean", "output_schema"]

_HOME = {"Columns": "columns", "clean": "cleaning", "output_schema": "columns"}


if not TYPE_CHECKING:  # a type checker that saw it would take every name for public

    def __getattr__(name: str) -> Any:
        if name not in _HOME:
            raise AttributeError(f"module 'argwright.batch' has no attribute {name!r}")
        return getattr(import_module(f"argwright.batch.{_HOME[name]}"), name)
