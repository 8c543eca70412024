"""Watching calls: counters, alerts, log lines, OpenTelemetry, Prometheus.

What is kept and told are tools' declared names, kinds, reasons, rules and models. What
a model put into arguments goes nowhere, unless it is asked for.
"""

from argwright.monitor.alerts import Alert
from argwright.monitor.monitor import Monitor

__all__ = ["Alert", "Monitor"]
