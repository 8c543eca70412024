"""What a model is told of a call that must not run: short, bounded, and nothing it should copy.

A model repeats what it reads, so the malformed text is never quoted, a value only as a
short word, and every message ends in what to send instead. Values of sensitive fields,
keys below them and undeclared values never appear. There is at most one suggestion.
The answer is JSON data; the wire puts it into the provider's own result.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from argwright import pointer as json_pointer
from argwright.mask import Mask
from argwright.model import MASK, ErrorKind, Issue, Json, compact
from argwright.wording import brief, encodable, likely, shorten

MAX_VIOLATIONS = 20  # told at once; a model mends no more in one go
MAX_SIZE = 4_000  # characters of one message, about a thousand tokens
MAX_NAMES = 60  # declared tools listed
MAX_NAME = 64  # of a tool's name; every provider's limit is 64 or 128
MAX_TOKEN = 48  # of one step of a pointer: a declared name fits, a map's key of any length does not
MAX_OPTIONS = 20  # values of an enum listed
MAX_SIGNS = 12  # characters of a quotation that may be a sign of the grammar; longer ones are the model's text

_HINT = re.compile(r" \(did you mean (?P<guess>.+)\?\)$", re.DOTALL)
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"|`[^`]*`")
_NAMESPACE = re.compile(r"[.:/]|__")
_MARKUP = re.compile(r"[<>{}()\[\]\n\r\"'`|]")

_AS_ONE_OBJECT = "send the arguments as one complete JSON object"
_JSON_ERRORS: Mapping[str, tuple[str, str]] = {
    "empty": ("no arguments arrived", f"{_AS_ONE_OBJECT} with the required fields"),
    "not_json": (
        "the arguments are not JSON",
        (
            f"{_AS_ONE_OBJECT}: keys and strings in double quotes, a colon after each key, a comma between members, "
            "no text before or after"
        ),
    ),
    "truncated": (
        "the call was cut off, and nothing was run",
        "the same call would be cut off again: send less, or split it into several smaller calls",
    ),
    "ambiguous": (
        "the arguments can be read in more than one way",
        f'{_AS_ONE_OBJECT}; inside strings write a double quote as \\", a backslash as \\\\ and a line break as \\n',
    ),
    "several_values": (
        "the arguments hold several different JSON values",
        "send exactly one JSON object in each call, and one call for each object",
    ),
    "duplicate_key": (
        "a field stands twice with different values",
        f"{_AS_ONE_OBJECT} in which each field stands once",
    ),
    "blocked": ("the provider marked this call as not to be run", "do not send it again; answer in another way"),
    "too_long": ("the arguments are too long", "send less, or split it into several smaller calls"),
    "too_deep": ("the arguments are nested too deeply", "send a flatter object"),
    "too_many_repairs": (
        "the arguments have too many errors of notation",
        f'{_AS_ONE_OBJECT}; inside strings write a double quote as \\", a backslash as \\\\ and a line break as \\n',
    ),
}
_SCHEMA_ERRORS: Mapping[str, str] = {
    "not_an_object": f"{_AS_ONE_OBJECT}, not as a list or a single value",
    "unexpected": "send only the declared fields",
    "alias_conflict": "send the value once, under the declared name",
    "absorbed": "send each parameter as a field of its own, without markup inside the values",
    "rule_conflict": "send the value in exactly the declared form",
}


def explain(  # noqa: PLR0913  # each is one thing known of the error, all by keyword
    kind: ErrorKind,
    reason: str,
    issues: Sequence[Issue] = (),
    *,
    name: str | None = None,
    message: str = "",
    suggestion: str | None = None,
    known: Sequence[str] = (),
    pointer: str = "",
    arrived: int | None = None,
    sensitive: Collection[str] = (),
) -> dict[str, Json]:
    """The message for the model, as JSON data of at most about `MAX_SIZE` characters.

    Args:
        kind: which of the three errors.
        reason: the slug within the kind.
        issues: every violation.
        name: the tool's name as the model wrote it.
        message: what the decoder found (json_error); long quotations in it are left out.
        suggestion: at most one; else the first that an issue makes.
        known: the names of the declared tools (unknown_tool).
        pointer: the field in which reading stopped (json_error).
        arrived: how many characters of the arguments arrived (truncated).
        sensitive: the tool's sensitive fields.
    """
    mask = Mask(sensitive)
    match kind:
        case ErrorKind.UNKNOWN_TOOL:
            return _unknown(name, known, suggestion)
        case ErrorKind.JSON_ERROR:
            place = _place(pointer, mask)
            told = _cut(place, arrived) if reason == "truncated" else {}
            detail = {} if mask.covers(_tokens(pointer)) or told else _detail(message)
            at = {"pointer": place} if place else {}
            return _head(kind, reason, name) | _json_error(reason) | told | detail | at | _suggested(suggestion)
        case ErrorKind.SCHEMA_ERROR:
            return _schema_error(_head(kind, reason, name), list(issues), suggestion, mask)


def _head(kind: ErrorKind, reason: str, name: str | None) -> dict[str, Json]:
    return {"error": f"Invalid call of {called(name)}", "kind": kind.value, "reason": reason}


def called(name: str | None) -> str:
    """A tool's name as it may be said back: up to the first markup, and short."""
    plain = _MARKUP.split(encodable(name or "").strip(), maxsplit=1)[0].strip()
    return shorten(plain, MAX_NAME) or "(no readable name)"


def _suggested(suggestion: str | None) -> dict[str, Json]:
    return {"suggestion": shorten(suggestion, 200)} if suggestion else {}


def _unknown(name: str | None, known: Sequence[str], suggestion: str | None) -> dict[str, Json]:
    plain = called(name)
    guess = suggestion or likely(plain, known) or likely(_NAMESPACE.split(plain)[-1], known)
    listed = [encodable(each) for each in known[:MAX_NAMES]]
    while len(listed) > 1 and len(compact(listed)) > MAX_SIZE // 2:
        listed = listed[: len(listed) // 2]
    more = {"more_available": len(known) - len(listed)} if len(known) > len(listed) else {}
    todo = (
        "call one of the available functions by its exact name" if known else "there are no functions; answer in text"
    )
    return {
        "error": f"Unknown function: {plain}",
        "kind": ErrorKind.UNKNOWN_TOOL.value,
        "reason": "unknown",
        "available": listed,
        **more,
        **({"suggestion": f"did you mean {shorten(guess, MAX_NAME)}?"} if guess else {}),
        "instruction": todo,
    }


def _json_error(reason: str) -> dict[str, Json]:
    problem, instruction = _JSON_ERRORS.get(reason, _JSON_ERRORS["not_json"])
    return {"problem": problem, "instruction": instruction}


def _cut(place: str, arrived: int | None) -> dict[str, Json]:
    """How much of a call arrived, and where it broke."""
    after = f" after {arrived} characters" if arrived is not None else ""
    inside = f" in the field {place}" if place else ""
    size = {"arrived_characters": arrived} if arrived is not None else {}
    return {"problem": f"the call was cut off{after}{inside}, and nothing was run", **size}


def _detail(message: str) -> dict[str, Json]:
    """What the decoder found, without any quotation that is longer than a sign."""
    told = _QUOTED.sub(lambda quoted: quoted[0] if len(quoted[0]) <= MAX_SIGNS else "…", message)
    return {"detail": shorten(told, 160)} if told else {}


def _schema_error(head: dict[str, Json], issues: list[Issue], suggestion: str | None, mask: Mask) -> dict[str, Json]:
    hints = (_hint(issue) for issue in issues if not mask.covers(_tokens(issue.pointer)))
    chosen = suggestion or next((hint for hint in hints if hint), None)
    reason = str(head["reason"])
    violations = [_violation(issue, mask) for issue in issues[:MAX_VIOLATIONS]]
    tail = {
        **_suggested(chosen),
        "instruction": _SCHEMA_ERRORS.get(reason, "send the whole call again with these corrected"),
    }
    room = MAX_SIZE - len(compact(head | tail))
    while len(violations) > 1 and len(compact(violations)) > room:
        violations.pop()
    more = {"more_violations": len(issues) - len(violations)} if len(issues) > len(violations) else {}
    return {**head, "violations": violations, **more, **tail}


def _violation(issue: Issue, mask: Mask) -> dict[str, Json]:
    told: dict[str, Json] = {"pointer": _place(issue.pointer, mask)}
    hidden = mask.covers(_tokens(issue.pointer))
    absent = issue.keyword in ("required", "dependentRequired")
    if not hidden or absent or issue.found == MASK:  # else nobody has masked the message
        told["problem"] = shorten(_HINT.sub("", issue.message), 400)
    if issue.expected is not None and issue.expected != []:
        told["expected"] = _expected(issue.expected)
    if not absent:
        told["received"] = MASK if hidden else _bounded(issue.found)
    return told


def _hint(issue: Issue) -> str | None:
    found = _HINT.search(issue.message)
    if found is None:
        return None
    return f"{_place(issue.pointer, Mask()) or 'arguments'}: did you mean {found['guess']}?"


def _expected(operand: Any) -> Json:
    if isinstance(operand, (list, tuple)):
        some = [_bounded(option) for option in operand[:MAX_OPTIONS]]
        return some if len(operand) <= MAX_OPTIONS else [*some, f"… {len(operand) - MAX_OPTIONS} more"]
    return _bounded(operand)


def _bounded(value: Any) -> Json:
    """A scalar or a word; an object or list among expected values is small by nature, or described."""
    if isinstance(value, (dict, list)) and len(text := compact(value)) <= MAX_TOKEN:
        return encodable(text)
    return brief(value)


def _tokens(pointer: str) -> Sequence[str]:
    return json_pointer.split(pointer)


def _place(pointer: str, mask: Mask) -> str:
    return json_pointer.join(_short(_tokens(mask.hide(pointer))))


def _short(tokens: Iterable[str]) -> Iterable[str]:
    return (shorten(token, MAX_TOKEN) for token in tokens)
