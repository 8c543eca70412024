from __future__ import annotations

from argwright.model import ToolCall
from argwright.pipeline import resolve_with
from argwright.policy import Policy
from argwright.rules import STANDARD, Example
from argwright.rules.absorbed import RULE
from argwright.tool import Tool
from tests.rules.tables import STRING, alone, closed, each, leaves, opened, told

SCHEMA = closed(("title",), title=STRING, owner=STRING, labels={"type": "object"}, html=STRING)
NESTED = opened(note=opened(text=STRING), lines={"type": "array", "items": STRING}, owner=STRING)

UNTOUCHED = [
    # a text about markup
    Example(schema=SCHEMA, arguments={"title": "End with </parameter> and </invoke>, not </tool_call>."}),
    Example(schema=SCHEMA, arguments={"title": 'Say `<parameter name="owner">` to name one.'}),
    Example(schema=SCHEMA, arguments={"title": "the tag '<parameter=owner>' opens one"}),
    Example(schema=SCHEMA, arguments={"title": "<owner>blue team</owner>"}),
    Example(schema=SCHEMA, arguments={"title": "a < b > c </ d"}),
    Example(schema=SCHEMA, arguments={"title": "x", "html": "<html><title>Q3</title></html>"}),
    # markup that is whole
    Example(schema=SCHEMA, arguments={"title": "<title>Q3</title>"}),
    Example(schema=SCHEMA, arguments={"title": "x", "html": '<html lang="pl"></html>'}),
    Example(schema=SCHEMA, arguments={"title": '<parameter name="colour">red</parameter>'}),
    # another tool's parameter, or one that is there
    Example(schema=SCHEMA, arguments={"title": 'a <parameter name="colour"> of others'}),
    Example(schema=SCHEMA, arguments={"title": 'Q3</titles>\n<parameter name="owner">y', "owner": "z"}),
    # ends with a tag that closes something else
    Example(schema=SCHEMA, arguments={"title": "a block </div>"}),
    Example(schema=SCHEMA, arguments={"title": "see </function>"}),
]
REFUSED = [
    ({"title": 'Q3 audit</title>\n<parameter name="owner">blue team</parameter>'}, "/title", "owner"),
    ({"title": 'Q3 审计</parameter>\n<parameter name="owner">蓝队'}, "/title", "owner"),
    ({"title": "Q3\n<parameter=owner>\nblue\n</parameter>"}, "/title", "owner"),
    ({"title": 'Q3</x:parameter>\n<x:parameter name="owner">blue'}, "/title", "owner"),
    ({"title": "Q3</arg_value>\n<arg_key>owner</arg_key>\n<arg_value>blue"}, "/title", "owner"),
    ({"title": "Q3</title>\n<owner>blue team</owner>"}, "/title", "owner"),
    ({"title": 'Q3</title><parameter name="labels">{"area": "yard"}'}, "/title", "labels"),
    ({"title": 'Q3</｜DSML｜parameter>\n<｜DSML｜parameter name="owner" string="true">blue'}, "/title", "owner"),
    ({"title": "Q3</title>\n<param name='owner' type='str'>blue</param>"}, "/title", "owner"),
    ({"title": "Q3 audit</title>"}, "/title", None),
    ({"title": "Q3 audit</title>\n</invoke>\n"}, "/title", None),
    ({"title": "Q3 audit</parameter>\n</invoke>\n</function_calls>"}, "/title", None),
    ({"title": "Q3 <title>a</title></title>"}, "/title", None),
]


@each(UNTOUCHED)
def test_untouched(example):
    assert leaves(RULE, example)


@each(Example(schema=SCHEMA, arguments=arguments) for arguments, *_ in REFUSED)
def test_refused(example):
    place, swallowed = next((place, name) for arguments, place, name in REFUSED if arguments == example.arguments)
    outcome = alone(RULE, example)
    assert told(outcome) == ("schema_error", "absorbed")
    assert [(issue.pointer, issue.expected) for issue in outcome.issues] == [(place, swallowed)]


def test_a_name_that_holds_markup_is_refused_where_the_schema_is_open():
    arguments = {"note<arg_key": "owner</arg_key><arg_value>blue"}
    assert told(alone(RULE, Example(schema=NESTED, arguments=arguments))) == ("schema_error", "absorbed")
    assert leaves(RULE, Example(schema=NESTED, arguments={"a<b": "x", "<arg": "y"}))


def test_an_old_name_counts_as_its_field():
    example = Example(
        schema=SCHEMA, aliases={"boss": "owner"}, arguments={"title": 'Q3</title>\n<parameter name="boss">x'}
    )
    assert told(alone(RULE, example)) == ("schema_error", "absorbed")


def test_the_missing_parameter_is_no_second_issue():
    schema = closed(("title", "owner"), title=STRING, owner=STRING)
    outcome = alone(RULE, Example(schema=schema, arguments={"title": 'Q3</title>\n<parameter name="owner">blue'}))
    assert told(outcome) == ("schema_error", "absorbed")
    assert [issue.keyword for issue in outcome.issues] == ["absorbed"]


def test_deeper_strings_are_looked_at_as_well():
    for arguments, place in (
        ({"note": {"text": 'x</text>\n<parameter name="owner">y'}}, "/note/text"),
        ({"lines": ["a", 'b</lines>\n<parameter name="owner">y']}, "/lines/1"),
    ):
        outcome = alone(RULE, Example(schema=NESTED, arguments=arguments))
        assert [issue.pointer for issue in outcome.issues] == [place]


def test_no_policy_lets_it_run():
    example = Example(schema=SCHEMA, arguments={"title": "Q3</title>"})
    assert told(alone(RULE, example, Policy.STRICT)) == ("schema_error", "absorbed")


def test_written_with_escapes_it_is_found_too():
    text = r'{"title": "Q3\u003c/title\u003e\n\u003cparameter name=\"owner\"\u003eblue"}'
    tool = Tool.from_schema("audit", SCHEMA)
    outcome = resolve_with(tool, ToolCall(id="1", name="audit", arguments=text), policy=Policy.STANDARD, rules=STANDARD)
    assert told(outcome) == ("schema_error", "absorbed")
