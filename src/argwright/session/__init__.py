"""One conversation: what is answered, what runs, how often the model may fail."""

from argwright.observing import Counted, Counter, Observer
from argwright.session.budget import Budget, Cause, allowed
from argwright.session.session import Session
from argwright.session.verdict import Stop, Verdict

__all__ = ["Budget", "Cause", "Counted", "Counter", "Observer", "Session", "Stop", "Verdict", "allowed"]
