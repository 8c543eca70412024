"""What is kept of a detail: no value of a sensitive field, in whatever form the model wrote it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argwright import Tool, Toolbox, ToolCall, ValidCall
from argwright.model import compact
from argwright.proxy.exchange import Exchange
from argwright.proxy.journal.redaction import MAX_TEXT, Kept, kept
from argwright.proxy.record import CallDetail
from argwright.proxy.repair import asked
from argwright.proxy.repaired import record_of
from argwright.proxy.secret_names import known_names, secret_names
from argwright.proxy.settings import Mending

SECRET = "hunter2-geheim 密码"
BEGINNING = "hunter2"
LOGIN = Tool.from_schema(
    "login",
    {
        "type": "object",
        "properties": {
            "user": {"type": "string"},
            "password": {"type": "string", "format": "password"},
            "pin": {"type": "integer"},
            "card": {"type": "object", "properties": {"number": {"type": "string"}, "kind": {"type": "string"}}},
            "tries": {"type": "integer"},
        },
        "required": ["user"],
    },
    sensitive=("pin", "/card/number"),
    aliases={"pwd": "password"},
)
SENSITIVE = secret_names([LOGIN])
DECLARED = known_names([LOGIN])


def _detail(text, tool=LOGIN, sensitive=SENSITIVE, name="login", declared=DECLARED):
    outcome = Toolbox([tool]).resolve(ToolCall("1", name, text))
    valid = isinstance(outcome, ValidCall)
    return CallDetail(
        arguments_text=text,
        arguments=outcome.arguments if valid else None,
        repairs=tuple(one.to_dict() for one in outcome.repairs),
        issues=() if valid else tuple(one.to_dict() for one in outcome.issues),
        message="" if valid else compact(outcome.feedback),
        position=None if valid else outcome.position,
        sensitive=sensitive,
        declared=declared,
    )


TEXTS = {
    "strict": '{"user": "李", "password": "%s"}',
    "strict, spaced and doubled": '{ "password" :\n"%s" , "user":"a"}',
    "escaped": '{"user": "a", "password": "hunter2-geheim \\u5bc6\\u7801"}',
    "single quotes": "{'user': 'a', 'password': '%s', }",
    "python": "login(user='a', password='%s')",
    "fenced with prose": 'Sure, password: %s\n```json\n{"user": "a", "password": "%s"}\n```',
    "encoded twice": '"{\\"user\\": \\"a\\", \\"password\\": \\"%s\\"}"',
    "in a wrapper": '{"arguments": {"user": "a", "password": "%s"}}',
    "in a wrapper, as text": '{"arguments": "{\\"user\\": \\"a\\", \\"password\\": \\"%s\\"}"}',
    "in a wrapper, as text, refused": '{"arguments": "{\\"user\\": 1.5, \\"password\\": \\"%s\\"}", "x": 1}',
    "under its old name": '{"user": "a", "pwd": "%s"}',
    "under its old name, refused": '{"user": 5.5, "pwd": "%s", "tries": "x"}',
    "in another spelling": '{"user": "a", "Pass_Word": "%s"}',
    "in another spelling, refused": '{"user": "a", "Pass_Word": "%s", "tries": "many"}',
    "misspelt": '{"user": "a", "pasword": "%s"}',
    "misspelt, refused": '{"user": 5.5, "pasword": "%s"}',
    "misspelt, no JSON": "{'user': 'a', 'pasword': '%s',}",
    "misspelt, in a wrapper": '{"arguments": {"user": "a", "pasword": "%s"}}',
    "misspelt, in a wrapper, as text": '{"arguments": "{\\"user\\": \\"a\\", \\"pasword\\": \\"%s\\"}"}',
    "misspelt, encoded twice": '"{\\"user\\": \\"a\\", \\"pasword\\": \\"%s\\"}"',
    "misspelt, above a declared name": '{"user": "a", "crad": {"number": "%s", "kind": "%s"}}',
    "misspelt, a list": '{"user": "a", "passwords": [["%s"]]}',
    "misspelt, a number": '{"user": "a", "0": "%s"}',
    "misspelt, cut": '{"user": "a", "pasword": "%s", "tries": ',
    "in another language": '{"user": "a", "密码": "%s"}',
    "said again": '{"user": "%s", "password": "%s"}',
    "said again, within": '{"user": "it is %s, you know", "password": "%s", "tries": "many"}',
    "said again, no JSON": "{'user': 'it is %s', 'password': '%s',}",
    "said again, escaped": '{"user": "it is hunter2-geheim \\u5bc6\\u7801", "password": "%s"}',
    "said again, encoded": '{"user": "{\\"x\\": \\"%s\\"}", "password": "%s"}',
    "said again, as a key": '{"user": "a", "card": {"%s": "x"}, "password": "%s"}',
    "refused for another field": '{"user": "a", "password": "%s", "tries": "many"}',
    "refused itself": '{"user": "a", "password": ["%s"]}',
    "refused itself, as a map": '{"user": "a", "password": {"%s": "%s"}}',
    "cut inside": '{"user": "a", "password": "hunter2-gehe',
    "cut behind": '{"user": "a", "password": "%s", "tri',
    "with an inner quote": '{"user": "a "b" c", "password": "%s"}',
    "twice, different": '{"user": "a", "password": "%s", "password": "x"}',
    "two objects": '{"user": "a", "password": "%s"}{"user": "b"}',
    "no object": '["%s", "password"]',
    "below a pointer": '{"user": "a", "card": {"number": "%s", "kind": "visa"}, "tries": "3"}',
    "below a pointer, in a wrapper": '{"parameters": {"user": "a", "card": {"number": "%s"}, "tries": "many"}}',
    "not even near JSON": "password is %s",
    "as markup": '<parameter name="password">%s</parameter>',
    "deep": "[" * 300 + '{"password": "%s"}' + "]" * 300,
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_no_sensitive_value_is_kept(text):
    got = kept(_detail(text.replace("%s", SECRET)))
    stored = json.dumps(got.to_dict(), ensure_ascii=False)
    assert BEGINNING not in stored
    assert "密码" not in stored.replace('"密码"', "").replace('\\"密码\\"', "").replace("/密码", "")  # the field's name
    assert "\\\\u5bc6" not in stored


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_nor_of_a_call_to_an_unknown_tool(text):
    got = kept(_detail(text.replace("%s", SECRET), name="log_me_in"))
    assert BEGINNING not in json.dumps(got.to_dict(), ensure_ascii=False)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ('{"user": "李", "password": "%s"}', '{"user": "李", "password": "***"}'),
        ("{'user': 'a', 'password': '%s', }", "{'user': 'a', 'password': '***', }"),
        ('{"user": "a", "card": {"number": "%s", "kind": "visa"}}', '{"user": "a", "card": {"number": "***", "kind": "visa"}}'),
        ('{"user": "a", "pin": 4711}', '{"user": "a", "pin": "***"}'),
        ("{'user': 'a', 'pin': 4711}", "{'user': 'a', 'pin': \"***\"}"),
        ('{"user": "a", "pin": 1}', '{"user": "a", "pin": "***"}'),
        ('{"user": "a", "password": ""}', '{"user": "a", "password": "***"}'),
        ('{"user": "password", "tries": 3}', '{"user": "password", "tries": 3}'),
        ('{"user": "a", "pasword": "%s"}', '{"user": "a", "pasword": "***"}'),
        ('{"user": "%s!", "password": "%s"}', '{"user": "***!", "password": "***"}'),
        ('{"user": "no 47114 4711", "tries": 4711, "pin": 4711}', '{"user": "no 47114 ***", "tries": "***", "pin": "***"}'),
        ('{"user": "true 1 a", "tries": 1, "pin": true}', '{"user": "true 1 a", "tries": 1, "pin": "***"}'),
        ('{"user": "aha", "password": "a"}', '{"user": "aha", "password": "***"}'),
        ("{'user': 'a', 'pasword': '%s'}", "{'user': 'a', 'pasword': '***'}"),
    ],
)  # fmt: skip
def test_the_rest_of_the_text_stays(text, left):
    assert kept(_detail(text.replace("%s", SECRET))).text == left


@pytest.mark.parametrize(
    "text", ["{'user': 'a', 'pin': 1}", "{'user': 'a', 'password': 'a'}", '{"user": "a", "password": "x']
)
def test_without_a_place_for_the_mask_there_is_no_text_and_it_says_why(text):
    got = kept(_detail(text))
    assert (got.text, got.omitted, got.characters) == (None, "sensitive", len(text))
    assert all(repair["span"] is None for repair in got.repairs)


def test_spans_move_with_the_text():
    text = "{'password': '" + SECRET + "', 'user': 'a', 'tries': '3',}"
    detail = _detail(text)
    got = kept(detail)
    marked = [
        (repair["rule"], got.text[repair["span"][0] : repair["span"][1]]) for repair in got.repairs if repair["span"]
    ]
    plain = [
        (repair["rule"], text[repair["span"][0] : repair["span"][1]]) for repair in detail.repairs if repair["span"]
    ]
    assert marked == [(rule, piece.replace(SECRET, "***")) for rule, piece in plain]
    assert ("trailing-comma", ",") in marked


def test_repairs_and_issues_keep_what_is_no_secret():
    got = kept(_detail("{'user': 'a', 'password': 'long enough', 'tries': '3',}"))
    assert {repair["rule"]: (repair["before"], repair["after"]) for repair in got.repairs}["trailing-comma"] == (
        ",",
        "",
    )
    assert {repair["rule"]: (repair["before"], repair["after"]) for repair in got.repairs}["stringified-scalar"] == (
        "3",
        3,
    )
    refused = kept(_detail('{"user": "a", "pin": "secret", "tries": "many"}'))
    assert {issue["pointer"]: issue["found"] for issue in refused.issues} == {"/pin": "***", "/tries": "many"}


def test_the_same_in_what_ran_and_in_what_is_told():
    got = kept(
        _detail('{"user": "it is %s", "password": "%s", "tries": "3", "x": 4711, "%s": 1}'.replace("%s", SECRET))
    )
    assert got.arguments == {"user": "it is ***", "password": "***", "tries": 3, "x": "***", "***": "***"}
    refused = kept(_detail('{"user": "a", "pin": 4711.5, "tries": "4711.5"}'))
    assert {issue["pointer"]: issue["found"] for issue in refused.issues} == {"/pin": "***", "/tries": "***"}


def test_a_misspelt_field_of_a_call_through_the_gateway_or_its_repair():
    text = json.dumps({"user": "李", "pasword": SECRET}, ensure_ascii=False)
    body = {"name": "login", "arguments": text, "schema": LOGIN.schema}
    question = asked(body)
    record = record_of(question, question.resolve())
    declared = {"type": "function", "function": {"name": "login", "parameters": LOGIN.schema}}
    call = {"id": "c1", "type": "function", "function": {"name": "login", "arguments": text}}
    choice = {"index": 0, "message": {"role": "assistant", "tool_calls": [call]}, "finish_reason": "tool_calls"}
    request = json.dumps({"messages": [{"role": "user", "content": "x"}], "tools": [declared]}).encode()
    exchange = Exchange("openai-chat", request, Mending(), request_id="r", upstream="u", now=lambda: 7.0)
    exchange.whole(json.dumps({"choices": [choice]}).encode())
    for one in (record, *exchange.take_records()):
        got = kept(one.detail)
        assert (got.text, got.arguments) == ('{"user": "李", "pasword": "***"}', {"user": "李", "pasword": "***"})


def test_where_the_declared_names_are_not_known_only_the_sensitive_ones_count():
    assert kept(_detail('{"user": "a", "x": "y z w"}', declared=None)).text == '{"user": "a", "x": "y z w"}'


def test_a_tool_without_sensitive_fields_is_kept_as_it_is():
    detail = _detail("{'user': 'a\ud83d \u2028 مرحبا',}", sensitive=())
    assert kept(detail) == Kept(
        text=detail.arguments_text,
        characters=len(detail.arguments_text),
        arguments=detail.arguments,
        repairs=detail.repairs,
    )


def test_what_is_too_long_is_not_kept():
    text = "{'user': '" + "a" * MAX_TEXT + "',}"
    for sensitive in ((), SENSITIVE):
        got = kept(_detail(text, sensitive=sensitive))
        assert (got.text, got.omitted, got.characters, got.arguments) == (None, "long", len(text), None)


# --- any damage -------------------------------------------------------------------------------------------------------

WORDS = st.sampled_from(
    ["Ünlü", "上海", "مرحبا", "a b", 'say "x"', "C:\\new", "line\nbreak", "{}", "password", "🍜", ""]
)
SECRETS = st.sampled_from(["Zq7-geheim", "Zq7 密码 geheim", 'Zq7"geheim', "Zq7\\geheim", "Zq7\ngeheim", "Zq7'geheim"])


@st.composite
def arguments(draw):
    secret = draw(SECRETS)
    members = {"user": draw(WORDS), "tries": draw(st.one_of(st.integers(0, 9), WORDS))}
    members |= draw(st.sampled_from([
        {"password": secret},
        {"pwd": secret},
        {"PassWord": secret},
        {"card": {"number": secret, "kind": draw(WORDS)}},
        {"card": [{"number": [secret]}]},
        {"password": {secret: secret}},
        {"pasword": secret},
        {"crad": {"number": secret}},
        {"password": secret, "user": f"so {secret}."},
    ]))  # fmt: skip
    keys = draw(st.permutations(list(members)))
    return {key: members[key] for key in keys}


def _python(value):
    return repr(value)


DAMAGES = [
    lambda value, _: json.dumps(value, ensure_ascii=False),
    lambda value, _: json.dumps(value, indent=2),
    lambda value, _: _python(value),
    lambda value, _: json.dumps({"arguments": value}, ensure_ascii=False),
    lambda value, _: json.dumps({"name": "login", "arguments": json.dumps(value)}),
    lambda value, _: json.dumps(json.dumps(value)),
    lambda value, _: json.dumps(value, ensure_ascii=False)[:-1] + ",}",
    lambda value, at: json.dumps(value, ensure_ascii=False)[: at % 80],
    lambda value, at: json.dumps(value, ensure_ascii=False)[at % 40 :],
    lambda value, _: json.dumps(value, ensure_ascii=False).replace('"', "'"),
    lambda value, _: json.dumps(value, ensure_ascii=False).replace("\\", ""),
    lambda value, _: json.dumps(value, ensure_ascii=False).replace('": ', '" '),
    lambda value, _: json.dumps(value, ensure_ascii=False).replace('"', ""),
    lambda value, _: json.dumps(value, ensure_ascii=False).replace('"', '\\"'),
    lambda value, _: json.dumps(value, ensure_ascii=False).replace('"', "&quot;"),
    lambda value, _: f"Here: {value}\n```json\n{json.dumps(value)}\n```",
    lambda value, _: json.dumps(value) * 2,
    lambda value, _: json.dumps(value) + json.dumps(value | {"user": "other"}),
    lambda value, _: json.dumps([value]),
    lambda value, _: "login(" + ", ".join(f"{key}={item!r}" for key, item in value.items()) + ")",
    lambda value, _: "".join(f"<parameter={key}>{item}</parameter>" for key, item in value.items()),
    lambda value, _: "\n".join(f"{key}: {item}" for key, item in value.items()),
]


@settings(max_examples=400, deadline=None)
@given(arguments(), st.sampled_from(DAMAGES), st.integers(0, 200), st.sampled_from(["login", "log_in"]))
def test_no_damage_lets_a_sensitive_value_through(value, damage, at, name):
    text = damage(value, at)
    got = kept(_detail(text, name=name))
    stored = json.dumps(got.to_dict(), ensure_ascii=False)
    assert "Zq7" not in stored, stored
    assert "geheim" not in stored, stored
