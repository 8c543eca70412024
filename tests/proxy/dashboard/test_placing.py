"""Where in a text a pointer leads."""

from __future__ import annotations

import pytest

from argwright.proxy.dashboard.placing import Finder

REPAIRS = {
    "a value": ('{"n": "5", "m": 1}', {"rule": "stringified-scalar", "pointer": "/n", "before": "5"}, '"5"'),
    "in a list": ('{"a": [1, "2"]}', {"rule": "stringified-scalar", "pointer": "/a/1", "before": "2"}, '"2"'),
    "a renamed key": ('{"q": "上海", "n": "q"}', {"rule": "alias", "pointer": "/query", "before": "q"}, '"q"'),
    "a key in another spelling": ('{"maxN": 1}', {"rule": "key-spelling", "pointer": "/max_n", "before": "maxN"}, '"maxN"'),
    "below a wrapper": ('{"arguments": {"n": "5"}}', {"rule": "stringified-scalar", "pointer": "/n", "before": "5"}, '"5"'),
    "the wrapper itself": ('{"arguments": {"n": 5}}', {"rule": "wrapper", "pointer": "", "before": {"arguments": {"n": 5}}}, '"arguments"'),
    "inside a part that came as text": ('{"a": "[{\\"n\\": \\"1\\"}]"}', {"rule": "stringified-scalar", "pointer": "/a/0/n", "before": "1"}, '"[{\\"n\\": \\"1\\"}]"'),
    "a text that is no JSON": ("{'n': '5', 'm': 1}", {"rule": "stringified-scalar", "pointer": "/n", "before": "5"}, "'n'"),
    "one with bare keys": ("{n: '5', m: 1}", {"rule": "stringified-scalar", "pointer": "/n", "before": "5"}, "n"),
    "two that could be meant": ('{"x": {"n": "1"}, "y": {"n": "2"}}', {"rule": "r", "pointer": "/n", "before": "1"}, None),
    "two in no JSON": ("{'n': 1, 'a': {'n': 1}}", {"rule": "r", "pointer": "/n", "before": "1"}, None),
    "an index in no JSON": ("{'a': ['1']}", {"rule": "r", "pointer": "/a/0", "before": "1"}, None),
    "nowhere": ('{"a": 1}', {"rule": "r", "pointer": "/b", "before": None}, None),
    "no place at all": ('{"a": 1}', {"rule": "r", "pointer": "", "before": 1}, None),
}  # fmt: skip


@pytest.mark.parametrize(("text", "repair", "found"), REPAIRS.values(), ids=REPAIRS)
def test_a_repair_is_found(text, repair, found):
    span = Finder(text).repair(repair)
    assert (None if span is None else text[slice(*span)]) == found


ISSUES = {
    "a wrong value": ('{"n": "many"}', "/n", "type", '"many"'),
    "a container": ('{"n": {"a": 1}}', "/n", "type", '{"a": 1}'),
    "an undeclared field": ('{"n": 1, "colour": "red"}', "/colour", "additionalProperties", '"colour"'),
    "a missing field": ('{"n": 1}', "/query", "required", None),
    "the whole": ("[]", "", "type", None),
    "a key with signs": ('{"a/b": {"~": 1}}', "/a~1b/~0", "type", "1"),
    "in no JSON": ("{'n': 'many',}", "/n", "type", "'n'"),
}


@pytest.mark.parametrize(("text", "pointer", "keyword", "found"), ISSUES.values(), ids=ISSUES)
def test_a_violation_is_found(text, pointer, keyword, found):
    span = Finder(text).issue({"pointer": pointer, "keyword": keyword})
    assert (None if span is None else text[slice(*span)]) == found
