"""Logs by the million: Arrow batches in, Arrow batches out.

`clean` judges a record batch of logged calls; `engines` runs it over all cores, or on
Daft, Ray Data or Spark. `argwright scan` does the whole of it for files, and writes a
report for a person.
"""

from argwright.batch.cleaning import clean
from argwright.batch.columns import Columns, output_schema

__all__ = ["Columns", "clean", "output_schema"]
