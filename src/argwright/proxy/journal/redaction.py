"""What is kept of a call's detail: everything, but for the values of sensitive fields.

They are masked in the text, in the effective arguments, in the repairs, the issues and the message. Text and arguments
are kept only if every one of them was found; otherwise anything may be one, and the entry says why there is none. A
tool without sensitive fields is kept as it is, up to a size.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from argwright.arguments import parse_arguments
from argwright.decode import Decoded
from argwright.model import MASK, compact
from argwright.proxy.journal.secret_places import (
    NOTATION,
    Masked,
    Secrets,
    gives_away,
    masked,
    places,
    telling,
    tokens,
)
from argwright.proxy.record import CallDetail

MAX_TEXT = 256 * 1024  # characters: longer than nearly every file a model writes in one call
_WORD = re.compile(r"\w")
_OWN_WORDS = frozenset({"error", "kind", "reason", "available", "instruction", "arrived_characters"})
_BEGINNINGS = frozenset({"early-close", "missing-opener"})
_UNDECLARED = frozenset({"additionalProperties", "unevaluatedProperties"})


@dataclass(frozen=True, kw_only=True)
class Kept:
    """What is stored of a detail; without a text, `omitted` says why: `sensitive` or `long`."""

    text: str | None
    omitted: str | None = None
    characters: int = 0
    arguments: Mapping[str, Any] | None = None
    repairs: tuple[Mapping[str, Any], ...] = ()
    issues: tuple[Mapping[str, Any], ...] = ()
    message: str = ""
    position: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """The fields as JSON data."""
        return dict(vars(self))


def kept(detail: CallDetail) -> Kept:
    """The detail as it may be stored."""
    whole = Kept(
        text=detail.arguments_text,
        characters=len(detail.arguments_text),
        arguments=detail.arguments,
        repairs=detail.repairs,
        issues=detail.issues,
        message=detail.message,
        position=detail.position,
    )
    if detail.sensitive:
        return _redacted(whole, detail)
    return whole if len(detail.arguments_text) <= MAX_TEXT else _without_text(whole, "long")


def _without_text(entry: Kept, why: str) -> Kept:
    """The entry without its text, and without the arguments, which say the same."""
    spans = tuple({**repair, "span": None} for repair in entry.repairs)
    return replace(entry, text=None, omitted=why, arguments=None, repairs=spans, position=None)


@dataclass(frozen=True)
class _Scene:
    """What is secret in one call.

    Args:
        secrets: the places.
        values: what was read there.
        blind: not every value was found, so that anything may be one.
    """

    secrets: Secrets
    values: tuple[Any, ...]
    blind: bool

    @cached_property
    def _forms(self) -> list[str]:
        return telling(self.values)

    def told(self, value: Any, place: str) -> Any:
        """A value from a repair or an issue at a place, masked where it is or holds a secret."""
        if isinstance(value, str) and not _WORD.search(value):
            return value  # a comma or a quote
        if value is not None and (self.blind or self.secrets.covers(tokens(place))):
            return MASK
        text = compact(value) if isinstance(value, (dict, list)) else str(value)
        return MASK if gives_away(text, self.values, self.secrets) else value

    def phrase(self, text: str) -> str:
        """A sentence without the secrets themselves; names of fields may stay."""
        if self.blind:
            return ""
        for form in self._forms:
            text = text.replace(form, MASK)
        return text

    def hushed(self, value: Any) -> Any:
        """A copy of the value without the secrets themselves, in whatever place they stand again."""
        match value:
            case dict():
                return {self.phrase(key): self.hushed(item) for key, item in value.items()}
            case list() | tuple():
                return [self.hushed(item) for item in value]
            case str():
                return self.phrase(value)
            case _:
                return MASK if not isinstance(value, bool) and str(value) in self._forms else value

    def message(self, text: str) -> str:
        """What the model was told; blindly only what the gateway itself says."""
        if not self.blind or not text:
            return self.phrase(text)
        said = json.loads(text)
        return compact({key: value for key, value in said.items() if key in _OWN_WORDS} | {"violations": MASK})


def _redacted(entry: Kept, detail: CallDetail) -> Kept:
    undeclared = (str(issue["pointer"]) for issue in detail.issues if issue.get("keyword") in _UNDECLARED)
    sensitive = {*detail.sensitive, *undeclared}
    secrets = Secrets(sensitive, detail.declared)
    too_long = len(detail.arguments_text) > MAX_TEXT
    written = [] if too_long else _written(detail.arguments_text)
    values = tuple(secret for one in (detail.arguments, *written) for secret in secrets.values(one))
    unsure = any(_may_lack_its_beginning(str(one["rule"]), one.get("before")) for one in detail.repairs)
    spots = None if too_long or unsure else places(detail.arguments_text, detail.arguments, written, secrets)
    scene = _Scene(secrets, values, blind=spots is None)
    hidden = replace(
        entry,
        arguments=None if detail.arguments is None or spots is None else scene.hushed(secrets.mask(detail.arguments)),
        repairs=tuple(_repair(repair, scene) for repair in detail.repairs),
        issues=tuple(_issue(issue, scene) for issue in detail.issues),
        message=scene.message(detail.message),
    )
    if spots is None:
        return _without_text(hidden, "long" if too_long else "sensitive")
    return _moved(hidden, masked(detail.arguments_text, spots))


def _may_lack_its_beginning(rule: str, before: Any) -> bool:
    """Whether the text may have lost its beginning, or part of it was passed over, with the name of a field in it."""
    return rule in _BEGINNINGS or (rule == "prose" and bool(NOTATION.search(str(before))))


def _written(text: str) -> list[Any]:
    """The one value that stands in the text, if it can be read without passing over what may be a part of it."""
    decoded = parse_arguments(text)
    if not isinstance(decoded, Decoded) or any(
        _may_lack_its_beginning(one.rule, one.before) for one in decoded.repairs
    ):
        return []
    return [decoded.value]


def _moved(entry: Kept, text: Masked) -> Kept:
    repairs = tuple(
        {**repair, "span": [text.moved(edge) for edge in repair["span"]]} if repair.get("span") else repair
        for repair in entry.repairs
    )
    position = None if entry.position is None else text.moved(entry.position)
    return replace(entry, text=text.text, repairs=repairs, position=position)


def _repair(repair: Mapping[str, Any], scene: _Scene) -> Mapping[str, Any]:
    place = str(repair.get("pointer") or "")
    told = {side: scene.told(repair.get(side), place) for side in ("before", "after")}
    return {**repair, **told, "pointer": "" if scene.blind else scene.phrase(scene.secrets.hide(place))}


def _issue(issue: Mapping[str, Any], scene: _Scene) -> Mapping[str, Any]:
    place = str(issue.get("pointer") or "")
    told = {"found": scene.told(issue.get("found"), place), "message": scene.phrase(str(issue.get("message", "")))}
    return {**issue, **told, "pointer": scene.phrase(scene.secrets.hide(place))}
