"""Damage around the call: what stands before, behind and about the arguments."""

from __future__ import annotations

import html
import json
import re
from dataclasses import replace

from benchmarks.accuracy.dice import Dice
from benchmarks.accuracy.operators import Damaged, Operator, Subject, types
from benchmarks.accuracy.pieces import COMPACT, LAYOUTS, join, write


def plain(dice: Dice, subject: Subject) -> str:
    return join(write(subject.arguments, dice.one(LAYOUTS)))


def fence(dice: Dice, subject: Subject) -> Damaged:
    marks = dice.one(("```", "```", "````", "~~~"))
    before = dice.one(("", "", "Calling the tool with:\n\n", "The arguments are as follows.\n"))
    behind = dice.one(("", "\n", "\n\nTell me if anything else is needed."))
    return Damaged(f"{before}{marks}{dice.one(('json', '', 'JSON'))}\n{plain(dice, subject)}\n{marks}{behind}")


def open_fence(dice: Dice, subject: Subject) -> Damaged:
    return Damaged(f"```json\n{plain(dice, subject)}")


def prose(dice: Dice, subject: Subject) -> Damaged:
    before = dice.one((f"Let me use {subject.tool}: ", "Tool input: ", "OK, here it is:\n", "参数如下："))
    return Damaged(
        before
        + plain(dice, subject)
        + dice.one(("", "\nThat should do it.", " End.", "\n\nI took the values from your message."))
    )


def thinking(dice: Dice, subject: Subject) -> Damaged:
    """Reasoning with an object in it that is not the answer."""
    name = next(iter(subject.arguments), "input")
    decoy = json.dumps({name: "placeholder"}, ensure_ascii=False)
    thought = f"I need {subject.tool}. Something like {decoy}, with the true values."
    opened, closed = dice.one(
        (("<think>\n", "\n</think>\n\n"), ("<think>", "</think>"), ("analysis", "assistantfinal"))
    )
    return Damaged(opened + thought + closed + plain(dice, subject))


def special_tokens(dice: Dice, subject: Subject) -> Damaged:
    before, behind = dice.one((
        ("", "<|im_end|>"), ("", "<|endoftext|>"), ("", "<|call|>"), ("", "</s>"), ("", "</tool_call>"),
        ("<tool_call>\n", "\n</tool_call>"), ("[TOOL_CALLS]", "</s>"), ("<|python_tag|>", "<|eom_id|>"),
        ("", "<|eot_id|>"), ("", "<|tool_call_end|>"),
    ))  # fmt: skip
    return Damaged(before + plain(dice, subject) + behind)


def gemma_quotes(_: Dice, subject: Subject) -> Damaged | None:
    pieces = write(subject.arguments, COMPACT)
    damaged = [replace(p, text=f'<|"|>{p.value}<|"|>') if p.kind == "text" else p for p in pieces]
    return Damaged(join(damaged)) if damaged != pieces else None


def encoded_again(dice: Dice, subject: Subject) -> Damaged:
    text = json.dumps(plain(dice, subject), ensure_ascii=dice.chance(0.5))
    return Damaged(json.dumps(text) if dice.chance(0.2) else text)


def over_escaped(dice: Dice, subject: Subject) -> Damaged | None:
    return Damaged(json.dumps(plain(dice, subject), ensure_ascii=False)[1:-1]) if subject.arguments else None


def html_escaped(dice: Dice, subject: Subject) -> Damaged | None:
    text = plain(dice, subject)
    return None if "&" in text or not subject.arguments else Damaged(html.escape(text))


def call_syntax(dice: Dice, subject: Subject) -> Damaged | None:
    if not subject.arguments or not all(re.fullmatch(r"[A-Za-z_]\w*", name) for name in subject.arguments):
        return None
    body = ", ".join(f"{name}={value!r}" for name, value in subject.arguments.items())
    return Damaged(dice.one(("{0}({1})", "[{0}({1})]", "{0}({1})")).format(subject.tool, body))


def tagged_parameters(_: Dice, subject: Subject) -> Damaged | None:
    """Each value between tags; that `5` is a number and no text is known only from the schema."""
    declared = subject.schema.get("properties", {})
    if not subject.arguments or any("</parameter>" in str(value) for value in subject.arguments.values()):
        return None
    lines, typed = [], True
    for name, value in subject.arguments.items():
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        lines.append(f"<parameter={name}>\n{text}\n</parameter>\n")
        typed = typed and isinstance(value, str) is ("string" in types(declared.get(name, {})))
    return Damaged(f"<function={subject.tool}>\n{''.join(lines)}</function>", recoverable=typed)


def doubled_braces(dice: Dice, subject: Subject) -> Damaged | None:
    return Damaged("{" + plain(dice, subject) + "}") if subject.arguments else None


def empty_before(dice: Dice, subject: Subject) -> Damaged | None:
    return Damaged("{}" + plain(dice, subject)) if subject.arguments else None


def parentheses(dice: Dice, subject: Subject) -> Damaged | None:
    return Damaged(f"({plain(dice, subject)})") if subject.arguments else None


def byte_order_mark(dice: Dice, subject: Subject) -> Damaged:
    return Damaged(dice.one(("\ufeff", "\u200b", "\u00a0")) + plain(dice, subject))


OPERATORS = (
    Operator("fence", "wrapping", 5, fence),
    Operator("open_fence", "wrapping", 1, open_fence),
    Operator("prose", "wrapping", 2, prose),
    Operator("thinking", "wrapping", 3, thinking),
    Operator("special_tokens", "wrapping", 4, special_tokens),
    Operator("gemma_quotes", "wrapping", 1, gemma_quotes),
    Operator("encoded_again", "wrapping", 4, encoded_again),
    Operator("over_escaped", "wrapping", 2, over_escaped),
    Operator("html_escaped", "wrapping", 1, html_escaped),
    Operator("call_syntax", "wrapping", 2, call_syntax),
    Operator("tagged_parameters", "wrapping", 2, tagged_parameters),
    Operator("doubled_braces", "wrapping", 1, doubled_braces),
    Operator("empty_before", "wrapping", 1, empty_before),
    Operator("parentheses", "wrapping", 1, parentheses),
    Operator("byte_order_mark", "wrapping", 1, byte_order_mark),
)
