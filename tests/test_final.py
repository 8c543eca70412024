from __future__ import annotations

import dataclasses
from typing import Annotated, TypedDict

import pytest
from pydantic import BaseModel, Field

import argwright as aw
from argwright.final import cut_reply


class Report(BaseModel):
    """A report."""

    reply: str
    confidence: float


@dataclasses.dataclass
class Point:
    x: int


class Row(TypedDict):
    x: int


SCHEMA = {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"]}


@pytest.mark.parametrize(
    ("schema", "output"), [(Point, Point(3)), (Row, {"x": 3}), (SCHEMA, {"x": 3})], ids=["dataclass", "dict", "schema"]
)
def test_what_declares_an_answer(schema, output):
    final = aw.FinalTool(schema, name="done")
    answer = aw.Toolbox([final.tool]).resolve(aw.ToolCall("1", "done", '{"x": 3}'))
    assert final.output(answer) == output


def test_a_tool_with_aliases_declares_one_too():
    tool = aw.Tool.from_model(Report, aliases={"answer": "reply"})
    final = aw.FinalTool(tool, name="done")
    answer = aw.Toolbox([final.tool]).resolve(aw.ToolCall("1", "done", '{"answer": "ja", "confidence": 1}'))
    assert final.output(answer) == Report(reply="ja", confidence=1)


def test_a_dict_that_was_given_out_is_the_callers_own():
    final = aw.FinalTool(SCHEMA)
    answer = aw.Toolbox([final.tool]).resolve(aw.ToolCall("1", "final_answer", '{"x": 3}'))
    final.output(answer)["x"] = 4
    assert answer.arguments == {"x": 3}


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_texts_name_the_tool_and_what_it_requires(lang):
    final = aw.FinalTool(Report, name="format_response", lang=lang, requires=["query", "look"])
    assert all(name in final.system for name in ("format_response", "query", "look"))
    assert "format_response" in final.reminder()
    assert "/reply missing" in final.reminder(["/reply missing"])
    assert "look" in final.reminder(missing="look")
    assert "look" not in final.reminder()
    assert final.tool.description.endswith("A report.")
    told = final.premature("look")
    assert (told["missing"], told["kind"]) == ("look", "premature")
    assert "look" in told["instruction"]
    assert cut_reply(lang)
    assert ("必须" in final.system) == (lang == "zh")


def test_what_is_said_goes_before_what_is_made():
    final = aw.FinalTool(Report, description="Ende.", instructions="Höre auf.")
    assert (final.tool.description, final.system) == ("Ende.", "Höre auf.")
    assert not aw.FinalTool(Report, instructions="").system


def test_what_is_required_in_order():
    final = aw.FinalTool(Report, requires=("a", "b"))
    assert [final.missing(done) for done in (set(), {"a"}, {"b"}, {"a", "b"})] == ["a", "b", "a", None]
    assert aw.FinalTool(Report, requires="a").requires == ("a",)


class Bounded(BaseModel):
    reply: Annotated[str, Field(min_length=3, max_length=6)]


class Coded(BaseModel):
    reply: Annotated[str, Field(pattern=r"^\d+$")]


FITS = [
    (Report, aw.Fallback(field="reply", fixed={"confidence": 0.3})),
    (Report, aw.Fallback(field="reply", fixed={"confidence": 0.3}, text="抱歉")),
    (Report, aw.Fallback(fixed={"reply": "a", "confidence": 0.3})),
    (Report, aw.Fallback()),
    (Report, "raise"),
    (Bounded, aw.Fallback(field="reply")),
]
UNFIT = [
    (Report, aw.Fallback(field="reply"), "/confidence: missing, expected number"),
    (Report, aw.Fallback(field="nobody", fixed={"confidence": 0.3}), "declares no field 'nobody'"),
    (Report, aw.Fallback(field="confidence", fixed={"reply": "a"}), "/confidence: expected number"),
    (Report, aw.Fallback(fixed={"reply": "a"}), "/confidence: missing"),
    (Report, aw.Fallback(text="a"), "it has a text, but no field for it"),
    (Report, aw.Fallback(reminders=-1), "reminders are at least 0"),
    (Bounded, aw.Fallback(field="reply", text="a"), "/reply"),
    (Coded, aw.Fallback(field="reply"), "/reply"),
    (Report, "ignore", "on_text is a Fallback or 'raise'"),
]


@pytest.mark.parametrize(("schema", "on_text"), FITS, ids=range(len(FITS)))
def test_a_fallback_that_can_satisfy_the_schema(schema, on_text):
    assert aw.FinalTool(schema, on_text=on_text).on_text == on_text


@pytest.mark.parametrize(("schema", "on_text", "said"), UNFIT, ids=range(len(UNFIT)))
def test_a_fallback_that_cannot_is_the_programmers_error(schema, on_text, said):
    with pytest.raises(aw.DeclarationError, match=f"final tool 'final_answer'.*{said}"):
        aw.FinalTool(schema, on_text=on_text)


@pytest.mark.parametrize(("option", "value"), [("lang", "de"), ("beside", "late")])
def test_options_are_of_a_few_words(option, value):
    with pytest.raises(aw.DeclarationError, match=f"{option} is one of"):
        aw.FinalTool(Report, **{option: value})


def test_a_text_that_does_not_fit_makes_no_answer():
    final = aw.FinalTool(Bounded, on_text=aw.Fallback(field="reply"))
    assert final.answer("ja, gut").__class__ is type(None)
    assert final.answer("ja gut").value == Bounded(reply="ja gut")


def test_fixed_values_are_copied():
    fixed = {"reply": "a", "confidence": 1}
    final = aw.FinalTool(Report, on_text=aw.Fallback(fixed=fixed))
    final.answer("x").arguments["reply"] = "b"
    assert final.answer("x").arguments == fixed


def test_as_plain_data():
    told = aw.FinalTool(Report, requires=["a"]).to_dict()
    assert told["schema"]["required"] == ["reply", "confidence"]
    assert told["on_text"] == {"field": None, "fixed": {}, "reminders": 1, "text": None}
