"""Logs in files: found, cut into parts, judged part by part, counted, and written so that a kill costs one part.

`inputs` finds the files, `parts` cuts them, `records` finds the calls in a line, `work` does one part from reading to
writing, `figures` counts, `manifest` remembers what is done, `scan` drives.
"""
