from __future__ import annotations

import inspect
import pickle
from dataclasses import MISSING, FrozenInstanceError, dataclass, field, fields, replace
from functools import cached_property
from typing import Any

import pytest

from argwright import model
from argwright.making import changed, quick
from argwright.rules import engine, mending, rule


@dataclass(frozen=True)
class Slow:
    """What a dataclass is by itself."""

    name: str
    rest: Any = field(default=(), kw_only=True)
    more: dict[str, int] = field(default_factory=dict)

    @cached_property
    def size(self) -> int:
        return len(self.name)


@quick
@dataclass(frozen=True)
class Quick(Slow):
    pass


@pytest.mark.parametrize(
    ("args", "kwargs"),
    [
        (("上海",), {}),
        (("a", {"b": 1}), {}),
        ((), {"name": "\u2028", "rest": None, "more": {}}),
        (("a",), {"rest": [1], "more": None}),
    ],
)
def test_the_same_value_as_without(args, kwargs):
    slow, made = Slow(*args, **kwargs), Quick(*args, **kwargs)
    assert vars(slow) == vars(made)
    assert made == Quick(*args, **kwargs)
    assert pickle.loads(pickle.dumps(made)) == made


@pytest.mark.parametrize(
    ("args", "kwargs"), [((), {}), (("a", {}, ()), {}), (("a",), {"name": "b"}), (("a",), {"other": 1})]
)
def test_wrong_arguments_are_refused_as_without(args, kwargs):
    for made in (Slow, Quick):
        with pytest.raises(TypeError):
            made(*args, **kwargs)


def test_each_gets_a_default_of_its_own():
    assert Quick("a").more is not Quick("a").more


def test_it_stays_frozen():
    with pytest.raises(FrozenInstanceError):
        Quick("a").name = "b"


def test_a_changed_value_is_a_replaced_one():
    one = Quick("a", rest=3)
    assert one.size == 1
    other = changed(one, name="abc")
    assert other == replace(one, name="abc")
    assert (one.name, other.size) == ("a", 3)


@pytest.mark.parametrize(
    "cls", [model.Repair, model.Issue, model.InvalidCall, engine.Scene, mending.Mended, rule.Context]
)
def test_every_field_is_a_parameter(cls):
    assert list(inspect.signature(cls).parameters) == [one.name for one in fields(cls)]
    assert {one.name for one in fields(cls) if one.default is MISSING and one.default_factory is MISSING} == {
        name for name, one in inspect.signature(cls).parameters.items() if one.default is inspect.Parameter.empty
    }
