from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from argwright.wire.names import (
    ANY,
    COHERE_NAME,
    GEMINI_NAME,
    MCP_NAME,
    NAME_64,
    NAME_128,
    TOOL_NAMES,
    Rule,
    back,
    originals,
)

MISTRAL = Rule("a-zA-Z0-9", exact=9)
RULES = [*TOOL_NAMES, MISTRAL, ANY, Rule(longest=40), Rule(longest=64, cut=40)]

FITS = [
    (NAME_64, "get_weather"),
    (NAME_64, "a" * 64),
    (NAME_128, "a" * 128),
    (GEMINI_NAME, "fs.read:v2-x"),
    (GEMINI_NAME, "_x"),
    (COHERE_NAME, "get_weather"),
    (MCP_NAME, "fs/read.v2"),
    (MISTRAL, "D1x9Qk2aZ"),
    (ANY, "查询 天气\n"),
    (Rule(longest=64, cut=40), "c" * 64),
]


@pytest.mark.parametrize(("rule", "name"), FITS)
def test_what_fits_stays(rule, name):
    assert rule.fits(name)
    assert rule.apply(name) == name


MAPPED = [
    (NAME_64, "fs.read", "fs_read_4074bc02"),
    (NAME_64, "查询天气", "tool_22cf3c76"),
    (GEMINI_NAME, "2fast", "t_2fast_00000000"),
    (COHERE_NAME, "get-weather", "get_weather_00000000"),
]


@pytest.mark.parametrize(("rule", "name", "mapped"), MAPPED)
def test_what_does_not_fit_is_mapped_readably(rule, name, mapped):
    stem = mapped.rsplit("_", 1)[0]
    assert rule.apply(name).rsplit("_", 1)[0] == stem
    assert rule.fits(rule.apply(name))


def test_the_mapping_is_the_same_in_every_process():
    assert NAME_64.apply("fs.read") == "fs_read_4074bc02"
    assert NAME_64.apply("查询天气") == "tool_22cf3c76"
    assert MISTRAL.apply("call_0") == MISTRAL.apply("call_0") != MISTRAL.apply("call_1")


def test_a_cut_is_shorter_where_routes_differ():
    assert len(Rule(longest=64, cut=40).apply("c" * 65)) == 40


def test_long_names_with_a_common_beginning_stay_apart():
    one, other = "x" * 200 + "1", "x" * 200 + "2"
    for rule in (NAME_64, NAME_128, Rule(longest=40)):
        assert rule.apply(one) != rule.apply(other)


@pytest.mark.parametrize("rule", RULES)
@given(name=st.text(min_size=1))
def test_whatever_the_name_the_mapped_one_fits_and_stays(rule, name):
    mapped = rule.apply(name)
    assert rule.fits(mapped)
    assert rule.apply(mapped) == mapped


@given(names=st.lists(st.text(min_size=1), unique=True, max_size=8))
def test_there_and_back(names):
    found = originals(names)
    assert not found.keys() & set(names)
    for rule in TOOL_NAMES:
        for name in names:
            wire = rule.apply(name)
            assert wire in names or found.get(wire, name) == name


def test_a_name_that_two_tools_would_share_is_neithers():
    taken = NAME_64.apply("fs.read")
    assert taken not in originals(["fs.read", taken])
    assert originals(["fs.read"])[taken] == "fs.read"


def test_back():
    assert back("fs_read_4074bc02", ["fs.read"], NAME_64) == "fs.read"
    assert back("fs.read", ["fs.read"], NAME_64) == "fs.read"
    assert back("fs_read", ["fs.read"], NAME_64) is None
