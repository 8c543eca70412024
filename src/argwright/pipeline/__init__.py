"""One call, one turn → outcomes; the order of the steps, and nothing else, stands in `order`."""

from argwright.pipeline.named import Tools
from argwright.pipeline.order import resolve, resolve_turn, resolve_with, scene_of

__all__ = ["Tools", "resolve", "resolve_turn", "resolve_with", "scene_of"]
