"""One conversation: what is answered, what runs, how often the model may fail."""

from argwright.session.budget import Budget
from argwright.session.observing import Counted, Counter, Observer

__all__ = ["Budget", "Counted", "Counter", "Observer"]
