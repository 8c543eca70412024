"""Arguments that arrive parsed, from an SDK or a wire that carries objects.

They are copied, so that no later change of the caller's object changes a call, and held
to what JSON allows: names are strings, numbers are finite, nesting is bounded. What is
no JSON has no reading. Iterative, so that no nesting reaches Python's own limit.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from typing import Any

from argwright.decode import Decoded, Undecodable
from argwright.model import Json, Repair
from argwright.policy import Certainty, Limits, Policy
from argwright.rules.places import pointer_of, shown

_SURROGATE = re.compile("[\ud800-\udfff]")
_BITS = 14_284  # of the largest integer of 4,300 digits, the most that Python writes out

_Step = tuple[Any, Any, Any, tuple[str, ...]]


def given(value: Any, policy: Policy, limits: Limits) -> Decoded | Undecodable:
    """The value as JSON data of our own, or why it is none."""
    holder: list[Json] = [None]
    repairs: list[Repair] = []
    todo: list[_Step] = [(holder, 0, value, ())]
    seen = 0
    while todo:
        target, key, item, path = todo.pop()
        seen += 1
        if seen > limits.max_chars or len(path) > limits.max_depth:
            deep = len(path) > limits.max_depth
            return _fault("too_deep" if deep else "too_long", path, f"more than {_most(limits, deep=deep)}")
        if isinstance(item, str):
            target[key] = _text(item, path, repairs)
        elif isinstance(item, Mapping):
            if not all(isinstance(name, str) for name in item):
                return _fault("not_json", path, "a field name that is no string")
            target[key] = {_text(name, path, repairs): None for name in item}
            todo += _members(target[key], item, path)
        elif isinstance(item, (list, tuple)):
            target[key] = [None] * len(item)
            todo += [(target[key], index, child, (*path, str(index))) for index, child in enumerate(item)]
        elif (wrong := _scalar(item)) is not None:
            return _fault(*wrong[:1], path, wrong[1])
        else:
            target[key] = item
    if repairs and not policy.allows(Certainty.LIKELY):
        return _fault("not_json", (), "half a surrogate pair")
    return Decoded(value=holder[0], repairs=tuple(repairs))


def _members(target: Any, item: Mapping[str, Any], path: tuple[str, ...]) -> Iterable[_Step]:
    return [(target, name, child, (*path, name)) for name, child in zip(target, item.values(), strict=False)]


def _scalar(item: Any) -> tuple[str, str] | None:
    """What is wrong with a value that is no text and no container; `None` for JSON's other scalars."""
    if item is None or isinstance(item, bool):
        return None
    if isinstance(item, int):
        return ("too_long", "an integer of more than 4300 digits") if item.bit_length() > _BITS else None
    if isinstance(item, float):
        return None if math.isfinite(item) else ("not_json", "a number that is not finite")
    return "not_json", f"a Python {type(item).__name__}, which is no JSON"


def _text(text: str, path: tuple[str, ...], repairs: list[Repair]) -> str:
    if text.isascii() or not _SURROGATE.search(text):
        return text
    whole = _SURROGATE.sub(
        "\N{REPLACEMENT CHARACTER}", text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    )
    repairs.append(
        Repair(
            rule="lone-surrogate",
            certainty=Certainty.LIKELY,
            pointer=pointer_of(path),
            before=shown(text.encode("ascii", "backslashreplace").decode("ascii")),
            after=shown(whole),
        )
    )
    return whole


def _most(limits: Limits, *, deep: bool) -> str:
    return f"{limits.max_depth} levels" if deep else f"{limits.max_chars} values"


def _fault(reason: str, path: tuple[str, ...], message: str) -> Undecodable:
    return Undecodable(reason=reason, pointer=pointer_of(path[:8]), message=message)
