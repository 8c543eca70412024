"""Corrupt → recover: true calls are damaged in known ways, and every reader is asked for the call before the damage."""
