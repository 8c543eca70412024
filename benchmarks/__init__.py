"""Accuracy and speed beside other libraries; `make bench` writes RESULTS.md."""
