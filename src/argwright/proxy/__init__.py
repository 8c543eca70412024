"""The mending gateway: an HTTP server between a program and its model that makes tool calls come out valid.

`exchange` decides and does no I/O; `app` and `upstream` move bytes; `journal` keeps what was seen; `dashboard` shows
it. The rest of the package meets only in the values of `record` and `settings`.
"""
