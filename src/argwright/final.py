"""The final answer as a tool: structured output beside real tools, in one flow of requests.

The model submits its answer like any other call, and the answer is resolved like one.
What the model is told about it (the tool's description, a sentence for the system
prompt, the reminder when it answers in text) stands here, in English and Chinese.
What a run does with a submission is decided by `session`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Literal, TypeAlias, get_args

from argwright.errors import DeclarationError
from argwright.model import Json, ToolCall, ValidCall, Value
from argwright.tool import Tool

Beside: TypeAlias = Literal["early", "graceful", "exhaustive"]

_TEXTS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "description": (
            "Submits the final answer. Call it once the work is done and all data it needs has been fetched. You must "
            "call it: nothing else delivers an answer."
        ),
        "instructions": (
            "First fetch the data you need with the other functions. When you are done, you must call the function "
            "{name} with the complete answer; only this delivers it. Do not write the answer as text, and no JSON as "
            "text."
        ),
        "requires": " Before that, these must have been called: {requires}.",
        "undelivered": "Your last reply was text and has not been delivered: ",
        "now": "call the function {name} now, with the complete answer as its arguments",
        "end": ".",
        "misfit": " The JSON in the text did not fit: {issues}.",
        "premature": "call {missing} first and look at its result, then call {name} again",
        "cut": "Your last reply was cut off. The same reply would be cut off again: answer again, shorter.",
    },
    "zh": {
        "description": "提交最终答案。工作完成并取得所需的全部数据后调用。必须调用本函数：答案只能由此送达。",
        "instructions": (
            "请先用其他函数获取所需的数据。完成后必须调用函数 {name} 提交完整的答案，只有这样答案才会送达。"
            "不要把答案写成普通文本，也不要在文本中写 JSON。"
        ),
        "requires": "在此之前必须调用过：{requires}。",
        "undelivered": "你上一条回复是普通文本，没有送达。",
        "now": "请立即调用函数 {name}，把完整的答案作为参数提交",
        "end": "。",
        "misfit": "文本中的 JSON 不符合要求：{issues}。",
        "premature": "请先调用 {missing} 并查看其结果，然后再次调用 {name}",
        "cut": "你上一条回复被截断了。同样的回复会再次被截断：请重新回答，写得短一些。",
    },
}
_ORIGIN = "fallback"
_SAMPLES = ("text", "t", "text " * 50, "text " * 1_000)  # of several lengths: a text of one of them has to fit


def cut_reply(lang: str = "en") -> str:
    """What the model is told when its text was cut."""
    return _TEXTS[lang]["cut"]


@dataclass(frozen=True, kw_only=True)
class Fallback(Value):
    """What becomes of plain text where the final tool should have been called.

    Args:
        field: the field that takes the text; `None`: no field does.
        fixed: the values of the other fields.
        reminders: how often the model is reminded first.
        text: what stands in the field where the model wrote no text: in an empty reply, and when the run ends by its
            budget or steps, where there is no answer otherwise.
    """

    field: str | None = None
    fixed: Mapping[str, Json] = dataclasses.field(default_factory=dict[str, Json])
    reminders: int = 1
    text: str | None = None

    def arguments(self, text: str | None) -> dict[str, Json] | None:
        """The answer that the text makes, or the fixed one where there is no text; `None` if there is none to make."""
        said = text if text is not None and text.strip() else self.text
        if self.field is None:
            return deepcopy(dict(self.fixed)) if self.fixed else None
        return None if said is None else {**deepcopy(dict(self.fixed)), self.field: said}


@dataclass(frozen=True)
class FinalTool(Value):
    """The tool by which the model submits its final answer.

    Args:
        schema: a pydantic model, dataclass, TypedDict or JSON Schema; or a `Tool`, for aliases of its fields.
        name: what the model calls.
        description: when to call it, and that it must; made if not given.
        instructions: the sentence for the system prompt; made if not given, none if `""`.
        requires: tools of which each must have run without error before.
        beside: what holds when a valid answer stands beside other calls in one turn. `early`: nothing else of the turn
            runs. `graceful`: the other calls run, the first valid answer counts. `exhaustive`: the other calls run,
            the last valid answer counts.
        lang: the language of the texts made here, `en` or `zh`.
        on_text: what becomes of plain text; `"raise"` reminds once, then raises `NoFinalAnswerError`.

    Raises:
        DeclarationError: the schema is none, or the fallback cannot satisfy it.
    """

    schema: Any
    name: str = dataclasses.field(default="final_answer", kw_only=True)
    description: str | None = dataclasses.field(default=None, kw_only=True)
    instructions: str | None = dataclasses.field(default=None, kw_only=True)
    requires: Collection[str] = dataclasses.field(default=(), kw_only=True)
    beside: Beside = dataclasses.field(default="graceful", kw_only=True)
    lang: Literal["en", "zh"] = dataclasses.field(default="en", kw_only=True)
    on_text: Fallback | Literal["raise"] = dataclasses.field(default=Fallback(), kw_only=True)  # a frozen value

    def __post_init__(self) -> None:
        for what, value, known in (("lang", self.lang, _TEXTS), ("beside", self.beside, get_args(Beside))):
            if value not in known:
                raise DeclarationError(f"final tool {self.name!r}: {what} is one of {', '.join(known)}; not {value!r}")
        if not isinstance(self.on_text, Fallback) and self.on_text != "raise":
            raise DeclarationError(f"final tool {self.name!r}: on_text is a Fallback or 'raise'; not {self.on_text!r}")
        requires = (self.requires,) if isinstance(self.requires, str) else tuple(self.requires)
        object.__setattr__(self, "requires", requires)
        _ = self.tool
        if isinstance(self.on_text, Fallback):
            self._check(self.on_text)

    @cached_property
    def tool(self) -> Tool:
        """The tool that is declared to the model."""
        tool = _made(self.name, self.schema)
        told = " ".join(part for part in (self._text("description"), tool.description) if part)
        return tool.replace(description=told if self.description is None else self.description)

    @property
    def fallback(self) -> Fallback | None:
        """What becomes of plain text; `None`: it raises."""
        return self.on_text if isinstance(self.on_text, Fallback) else None

    @property
    def reminders(self) -> int:
        """How often the model is reminded of the tool."""
        return 1 if self.fallback is None else self.fallback.reminders

    @property
    def system(self) -> str:
        """The sentence for the system prompt."""
        if self.instructions is not None:
            return self.instructions
        return self._text("instructions") + (self._text("requires") if self.requires else "")

    def reminder(self, issues: Collection[str] = (), missing: str | None = None) -> str:
        """What the model is told when it answered in text.

        Args:
            issues: why the JSON in it did not fit.
            missing: the tool that has to run first.
        """
        todo = self._text("now") if missing is None else self._text("premature", missing=missing)
        fault = self._text("misfit", issues="; ".join(issues)) if issues else ""
        return self._text("undelivered") + todo + self._text("end") + fault

    def missing(self, done: Collection[str]) -> str | None:
        """The first required tool that has not run yet; `None` if the answer may be submitted."""
        return next((name for name in self.requires if name not in done), None)

    def premature(self, missing: str) -> dict[str, Json]:
        """What is told about a submission that came before this tool had run."""
        return {
            "error": f"{self.name} was called before {missing}",
            "kind": "premature",
            "missing": missing,
            "instruction": self._text("premature", missing=missing),
        }

    def output(self, answer: ValidCall) -> Any:
        """What a run gives: the type's instance, else the arguments."""
        return deepcopy(answer.arguments) if answer.value is None else answer.value

    def answer(self, text: str | None) -> ValidCall | None:
        """The answer that the fallback makes of text, or without any; `None` if it makes none that is valid."""
        arguments = None if self.fallback is None else self.fallback.arguments(text)
        if arguments is None or not self.tool.compiled.is_valid(arguments):
            return None
        value, issues = self.tool.instance(arguments)
        call = ToolCall(None, self.name, deepcopy(arguments), origin=_ORIGIN)
        return None if issues else ValidCall(call=call, tool=self.tool, arguments=arguments, value=value)

    def _text(self, key: str, **more: str) -> str:
        return _TEXTS[self.lang][key].format(name=self.name, requires=", ".join(self.requires), **more)

    def _check(self, fallback: Fallback) -> None:
        """That the fallback can make a valid answer, if it says that it makes one.

        Raises:
            DeclarationError: it cannot.
        """
        fail = partial(self._unfit, fallback)
        if fallback.reminders < 0:
            raise DeclarationError(f"final tool {self.name!r}: reminders are at least 0, not {fallback.reminders}")
        if fallback.field is None and fallback.text is not None:
            fail("it has a text, but no field for it")
        if fallback.field is not None and fallback.field not in self.tool.shape.properties:
            fail(f"the schema declares no field {fallback.field!r}")
        if fallback.text is not None and (issues := self._issues(fallback.arguments(None))):
            fail(issues)
        tried = [self._issues(fallback.arguments(sample)) for sample in _SAMPLES]
        if all(tried):
            fail(tried[0])

    def _issues(self, arguments: dict[str, Json] | None) -> str:
        """What the schema and the type have against an answer."""
        if arguments is None:
            return ""
        issues = self.tool.compiled.issues(arguments) or self.tool.instance(arguments)[1]
        return "; ".join(f"{issue.pointer or '(root)'}: {issue.message}" for issue in issues[:3])

    def _unfit(self, fallback: Fallback, why: str) -> None:
        made = {**fallback.fixed, **({} if fallback.field is None else {fallback.field: "…"})}
        raise DeclarationError(f"final tool {self.name!r}: its fallback {made!r} cannot satisfy the schema: {why}")

    def to_dict(self) -> dict[str, Any]:
        """The declaration as plain JSON data; the schema is that of the tool."""
        return super().to_dict() | {"schema": self.tool.to_dict()["schema"]}

    def __hash__(self) -> int:
        return hash((self.name, self.lang))


def _made(name: str, schema: Any) -> Tool:
    match schema:
        case Tool():
            return schema.replace(name=name)
        case Mapping():
            return Tool.from_schema(name, schema)
        case _:
            return Tool.from_model(schema, name=name)
