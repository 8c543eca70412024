"""Arguments by JSON path: the tree is right in any order, the text as it grows in document order."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from argwright.wire.partial_args import PartialArgs, parse_path, quoted

PATHS = [
    ("$", ((), False)),
    ("$.dish", (("dish",), False)),
    ("$.steps[12].text", (("steps", 12, "text"), False)),
    ("$.steps[]", (("steps",), True)),
    ("$['odd key']", (("odd key",), False)),
    ("$['it\\'s']['a\\\\b']", (("it's", "a\\b"), False)),
    ('$["say \\"hi\\""]', (('say "hi"',), False)),
    ("$['\"']", (('"',), False)),
    ("$['a[]']", (("a[]",), False)),
    ("$['a.b'].c", (("a.b", "c"), False)),
    ("$['']", (("",), False)),
    ("$.材料[0].名前", (("材料", 0, "名前"), False)),
    ("$['\\u05d0']", (("א",), False)),
    ("$.a-b_c$d e", (("a-b_c$d e",), False)),
]
NO_PATHS = ["", "dish", ".dish", "$dish", "$.", "$..dish", "$.*", "$[*]", "$[-1]", "$[1:2]", "$[?(@.a)]", "$['a]", "$.a[", "$[99999999999]",
            "$" + "[0]" * 129, "$['\\x']"]  # fmt: skip


@pytest.mark.parametrize(("text", "tokens"), PATHS)
def test_a_path_names_one_place(text, tokens):
    assert parse_path(text) == tokens


@pytest.mark.parametrize("text", NO_PATHS)
def test_what_names_no_single_place_is_no_path(text):
    assert parse_path(text) is None


def filled(*entries: dict[str, Any]) -> PartialArgs:
    partial = PartialArgs()
    for entry in entries:
        partial.add(entry)
    return partial


def grown(*entries: dict[str, Any]) -> list[str]:
    partial = PartialArgs()
    return [partial.add(entry) for entry in entries] + [partial.rest()]


def at(path: str, value: Any = None, **more: Any) -> dict[str, Any]:
    names = {str: "stringValue", bool: "boolValue", int: "numberValue", float: "numberValue"}
    return {"jsonPath": path} | ({} if value is None else {names[type(value)]: value}) | more


READ = [
    ("nothing", [], {}),
    ("a string in pieces", [at("$.dish", "Kö", willContinue=True), at("$.dish", "ttbullar")], {"dish": "Köttbullar"}),
    ("scalars", [at("$.n", 3), at("$.x", 0.5), at("$.ok", True), at("$.no", nullValue="NULL_VALUE")],
     {"n": 3, "x": 0.5, "ok": True, "no": None}),
    ("nested", [at("$.steps[0].text", "切る"), at("$.steps[1].text", "煮る"), at("$.serves", 4)],
     {"steps": [{"text": "切る"}, {"text": "煮る"}], "serves": 4}),
    ("empty list", [at("$.tags[]"), at("$.n", 1)], {"tags": [], "n": 1}),
    ("empty object", [at("$.opts"), at("$.n", 1)], {"opts": {}, "n": 1}),
    ("a container opened first", [at("$.tags[]"), at("$.tags[0]", "a"), at("$.opts"), at("$.opts.deep[0]", 1)],
     {"tags": ["a"], "opts": {"deep": [1]}}),
    ("a container closed", [at("$.tags[0]", "a"), at("$.tags[]"), at("$.opts.x", 1), at("$.opts"), at("$")],
     {"tags": ["a"], "opts": {"x": 1}}),
    ("a place announced", [at("$.dish", willContinue=True), at("$.dish", "aloo"), at("$.dish", willContinue=False)], {"dish": "aloo"}),
    ("the same value twice", [at("$.n", 3), at("$.n", 3)], {"n": 3}),
    ("lists of lists", [at("$.m[0][0]", 1), at("$.m[0][1]", 2), at("$.m[1][0]", 3)], {"m": [[1, 2], [3]]}),
    ("emoji in halves", [at("$.s", "\ud83c"), at("$.s", "\udf5b"), at("$.s", "\u2028مرحبا")], {"s": "🍛\u2028مرحبا"}),
    ("quotes and escapes", [at("$.s", 'a "'), at("$.s", 'b"\\\n')], {"s": 'a "b"\\\n'}),
    ("snake case", [{"json_path": "$.s", "string_value": "x", "will_continue": False}], {"s": "x"}),
    ("doubles of an SDK", [at("$.n", 3.0), at("$.big", float(2**60))], {"n": 3, "big": float(2**60)}),
    ("digits of the wire", [at("$.n", 2**70)], {"n": 2**70}),
    ("one member named like another's index", [at("$['0']", "a"), at("$.l[0]", "b")], {"0": "a", "l": ["b"]}),
]  # fmt: skip


@pytest.mark.parametrize(("entries", "value"), [row[1:] for row in READ], ids=[row[0] for row in READ])
def test_entries_in_document_order(entries, value):
    partial = filled(*entries)
    assert (partial.fault, partial.ordered) == (None, True)
    text = partial.text(complete=True)
    assert json.loads(text) == value
    assert "".join(grown(*entries)) == text
    assert partial.text(complete=False) == text[:-1]


def test_out_of_order_the_tree_is_right_and_no_text_is_shown():
    entries = [at("$.a.x", 1), at("$.b", "p"), at("$.a.y", 2), at("$.b", "q"), at("$.c", 3)]
    partial = filled(*entries)
    assert (partial.fault, partial.ordered) == (None, False)
    assert json.loads(partial.text(complete=True)) == {"a": {"x": 1, "y": 2}, "b": "pq", "c": 3}
    assert grown(*entries)[:-1] == ['{"a": {"x": 1', '}, "b": "p', "", "", ""]


FAULTS = [
    ("no path", [{"stringValue": "a"}]),
    ("a wildcard", [at("$.*", "a")]),
    ("the root is no object", [at("$", "a")]),
    ("the root is a list", [at("$[0]", "a")]),
    ("a value in no element", [at("$.tags[]", "a")]),
    ("a hole", [at("$.tags[0]", "a"), at("$.tags[2]", "c")]),
    ("two values", [at("$.n", 1), at("$.n", 2)]),
    ("two types", [at("$.n", 1), at("$.n", "1")]),
    ("one and true", [at("$.n", 1), at("$.n", True)]),
    ("a member of a string", [at("$.s", "a"), at("$.s.x", 1)]),
    ("an index into an object", [at("$.o.x", 1), at("$.o[0]", 1)]),
    ("a key into a list", [at("$.l[0]", 1), at("$.l.x", 1)]),
    ("two kinds of value", [{"jsonPath": "$.s", "stringValue": "a", "numberValue": 1}]),
    ("an unknown kind of value", [{"jsonPath": "$.s", "structValue": {"a": 1}}]),
    ("a number as text", [{"jsonPath": "$.n", "numberValue": "3"}]),
    ("a boolean as number", [{"jsonPath": "$.n", "numberValue": True}]),
    ("a number of 5,000 digits", [{"jsonPath": "$.n", "numberValue": 10**5000}]),
    ("too deep", [at("$" + ".a" * 200, 1)]),
]


@pytest.mark.parametrize("entries", [row[1] for row in FAULTS], ids=[row[0] for row in FAULTS])
def test_what_is_no_object_or_has_two_readings_is_a_fault(entries):
    assert filled(*entries).fault is not None


def test_what_is_longer_than_any_arguments_is_a_fault_and_not_kept():
    piece = at("$.s", "x" * 1_000_000)
    partial = filled(*[piece] * 3)
    assert partial.fault is None
    assert [partial.add(piece), partial.add(piece)] == ["", ""]
    assert partial.fault == "more than 4000000 characters"
    assert len(partial.text(complete=True)) < 3_000_100


def test_a_fault_stays_and_later_entries_are_harmless():
    partial = filled(at("$.n", 1), at("$.n", 2), at("$.s", "x"), at("$.n", 1))
    assert partial.fault == "two values at ('n',)"


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=12,
)


def entries_of(value: Any, path: str = "$", *, cut: int = 0):
    """The entries that stream a value; strings in pieces of `cut` characters."""
    match value:
        case dict() | list() if not value:
            yield at(f"{path}[]" if isinstance(value, list) else path)
        case dict():
            for key, item in value.items():
                yield from entries_of(item, f"{path}[{json.dumps(key)}]", cut=cut)
        case list():
            for number, item in enumerate(value):
                yield from entries_of(item, f"{path}[{number}]", cut=cut)
        case None:
            yield {"jsonPath": path, "nullValue": "NULL_VALUE"}
        case str() if cut and value:
            yield from (at(path, value[start : start + cut], willContinue=True) for start in range(0, len(value), cut))
        case _:
            yield at(path, value)


@given(st.dictionaries(st.text(max_size=4), VALUES, max_size=4), st.integers(0, 3))
def test_any_object_streams_and_shows_itself_as_it_grows(value, cut):
    partial = PartialArgs()
    shown = ""
    for entry in entries_of(value, cut=cut) if value else ():
        shown += partial.add(entry)
        assert (shown + partial.rest()) == partial.text(complete=True)
    assert (partial.fault, partial.ordered) == (None, True)
    assert json.loads(partial.text(complete=True)) == value


@given(st.lists(st.fixed_dictionaries({"jsonPath": st.sampled_from(["$.a", "$.a.b", "$.a[0]", "$.a[]", "$", "$.c", "$x"])},
                                      optional={"stringValue": st.text(max_size=2), "numberValue": st.integers()})))  # fmt: skip
def test_any_entries_end_in_an_object_or_a_fault(entries):
    partial = filled(*entries)
    assert isinstance(json.loads(partial.text(complete=True)), dict)


AGREEMENT = [
    ("nothing", None, True), ("an empty object", {}, True), ("the same", {"a": "x", "n": [1]}, True), ("the same as text", '{"n": [1.0], "a": "x"}', True),
    ("less", {"a": "x"}, False), ("other", {"a": "y", "n": [1]}, False), ("no JSON", '{"a": ', False),
]  # fmt: skip


@pytest.mark.parametrize(("given_whole", "agrees"), [row[1:] for row in AGREEMENT], ids=[row[0] for row in AGREEMENT])
def test_whole_arguments_beside_entries(given_whole, agrees):
    assert filled(at("$.a", "x"), at("$.n[0]", 1)).agrees(given_whole) is agrees
    assert filled().agrees(given_whole)


def test_half_a_pair_is_escaped_and_whole_text_is_kept():
    assert quoted("€\ud83d 漢") == '"€\\ud83d 漢"'
