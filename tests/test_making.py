from __future__ import annotations

import copy
import inspect
import pickle
from dataclasses import MISSING, FrozenInstanceError, dataclass, field, fields, replace
from functools import cached_property
from typing import Any

import pytest

import argwright as aw
from argwright import model
from argwright.making import Later, changed, later, quick
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


@quick
@dataclass(frozen=True, kw_only=True)
class Told(Later):
    name: str
    told: dict[str, str] = field(default_factory=dict)


def a_told(made: list[str]) -> Told:
    def make() -> dict[str, str]:
        made.append("上海")
        return {"a": "上海"}

    return later(Told(name="a"), "told", make)


@pytest.mark.parametrize(
    "read",
    [
        lambda value: value.told,
        lambda value: replace(value).told,
        lambda value: changed(value, name="a").told,
        lambda value: copy.copy(value).told,
        lambda value: value == Told(name="a", told={"a": "上海"}) and value.told,
        repr,
    ],
    ids=["read", "replaced", "changed", "copied", "compared", "shown"],
)
def test_a_field_is_made_when_it_is_first_read(read):
    made: list[str] = []
    value = a_told(made)
    assert (value.name, made) == ("a", [])
    read(value), read(value)
    assert (value.told, made) == ({"a": "上海"}, ["上海"])


def test_a_pickled_value_has_all_its_fields():
    outcome = aw.Toolbox([aw.Tool.from_schema("f", {"type": "object"})]).resolve(aw.ToolCall(None, "f", "[]"))
    again = pickle.loads(pickle.dumps(outcome))
    assert vars(again)["feedback"] == outcome.feedback != {}
    assert again == outcome


def test_what_is_no_field_is_no_attribute():
    with pytest.raises(AttributeError, match="'Told' object has no attribute 'other'"):
        _ = a_told([]).other
