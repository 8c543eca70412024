from __future__ import annotations

import json

import pytest

SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
    "required": ["city"],
    "additionalProperties": False,
}

MENDED = {
    "valid": ('{"city": "上海"}', '{"city":"上海"}'),
    "every digit is kept": ('{"n": 12345678901234567890.10}', '{"n":1.2345678901234567e+19}'),
    "a colon in a value": ('{"url": "https://example.com"}', '{"url":"https://example.com"}'),
    "trailing comma": ('{"city": "上海",}', '{"city":"上海"}'),
    "Python": ("{'city': 'Köln', 'ok': True}", '{"city":"Köln","ok":true}'),
    "fence": ('```json\n{"city": "🚀"}\n```\n', '{"city":"🚀"}'),
    "line separator": ('{"a": "x\u2028y",}', '{"a":"x\u2028y"}'),
    "an integer of any size": ('{"id": 123456789012345678901234567890}', '{"id":123456789012345678901234567890}'),
}


@pytest.mark.parametrize(("text", "mended"), MENDED.values(), ids=MENDED.keys())
def test_mended_arguments_go_to_standard_output(run, text, mended):
    done = run("fix", "-", stdin=text)
    assert (done.code, done.out) == (0, mended + "\n")


REFUSED = {
    "cut": ('{"city": "Par', "json_error/truncated"),
    "two": ('{"a": 1}{"a": 2}', "json_error/several_values"),
    "nothing": ("", "json_error/empty"),
    "no JSON": ("location=上海", "json_error/not_json"),
}


@pytest.mark.parametrize(("text", "slug"), REFUSED.values(), ids=REFUSED.keys())
def test_a_refused_text_gives_no_output_and_exit_code_one(run, text, slug):
    done = run("fix", stdin=text)
    assert (done.code, done.out) == (1, "")
    assert slug in done.err


@pytest.fixture
def schema(tmp_path):
    path = tmp_path / "模式.json"
    path.write_text(json.dumps(SCHEMA), encoding="utf-8")
    return path


def test_with_a_schema_the_arguments_are_validated(run, schema):
    done = run("fix", "--schema", schema, stdin='{"city": "上海", "days": "3"}')
    assert (done.code, done.out) == (0, '{"city":"上海","days":3}\n')
    assert done.err == "stringified-scalar: LIKELY, /days: 3 → 3\n"


def test_violations_name_their_place(run, schema):
    done = run("fix", "--schema", schema, stdin='{"days": 3}')
    assert (done.code, done.out) == (1, "")
    assert "schema_error/missing" in done.err
    assert "/city" in done.err


def test_a_policy_may_forbid_repair(run):
    assert run("fix", "--policy", "strict", stdin='{"a": 1,}').code == 1
    assert run("fix", "--policy", "exact", stdin='{"a": 1,}').code == 0


def test_a_file(run, tmp_path):
    path = tmp_path / "arguments.txt"
    path.write_bytes('{"城市": "上海",}'.encode("utf-16"))
    done = run("fix", path)
    assert (done.code, done.out) == (0, '{"城市":"上海"}\n')


MISUSE = {
    "no schema": ("{", "Expecting property name"),
    "a bad schema": ('{"type": "nonsense"}', "nonsense"),
    "no object": ("[]", "an object was expected"),
}


@pytest.mark.parametrize(("text", "said"), MISUSE.values(), ids=MISUSE.keys())
def test_a_bad_schema_is_misuse(run, tmp_path, text, said):
    path = tmp_path / "schema.json"
    path.write_text(text)
    done = run("fix", "--schema", path, stdin="{}")
    assert (done.code, done.out) == (2, "")
    assert said in done.err


def test_control_sequences_do_not_reach_the_terminal(run):
    done = run("fix", stdin='{"\x1b[2J": 1, }')
    assert "\x1b" not in done.err
