"""Tools as a provider takes them: name, description and schema made fit, and the report of it.

One tool never stops another: what cannot be declared is left out, with the reason, and
the rest goes. Strict mode is asked for tool by tool; a tool that cannot be said strictly
goes without it. In every case the schema as it was declared is what validates the call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

from argwright.model import Json, Value
from argwright.wire import find
from argwright.wire.declaring import strict as closing
from argwright.wire.declaring import words
from argwright.wire.declaring.fit import Fitted, fit
from argwright.wire.declaring.report import Adjustment, CannotFit
from argwright.wire.declaring.subset import ANY, MODES, Modes
from argwright.wire.format import Declaration
from argwright.wire.names import Rule
from argwright.wire.services import Service, service_named


class Declarable(Protocol):
    """What declaring knows of a tool."""

    @property
    def name(self) -> str:
        """The declared name."""
        ...

    @property
    def description(self) -> str:
        """What it does."""
        ...

    @property
    def schema(self) -> Mapping[str, Json]:
        """Its arguments, as JSON Schema."""
        ...


@dataclass(frozen=True, kw_only=True)
class Declared(Value):
    """Tools in a provider's form, and what it cost.

    Args:
        tools: what goes into the request's `tools`.
        adjustments: everything that is not said as it was declared, tool by tool.
    """

    tools: Json
    adjustments: tuple[Adjustment, ...]


def declare(
    form: str,
    tools: Iterable[Declarable],
    *,
    strict: bool = False,
    service: str | Service | None = None,
    reads_null: Callable[[Any], bool] = lambda _: True,
) -> Declared:
    """Declare tools to a provider.

    Args:
        form: the format's name.
        tools: in the order in which they are to stand.
        strict: hold the model to the schema where the provider can.
        service: the service behind the format, if it takes less or other than the format's own.
        reads_null: whether null of an optional member of a tool will be read as none.

    Raises:
        UnknownFormatError: no format has this name.
        LookupError: no service has this name.
    """
    found = find(form)
    behind = service_named(service)
    usual = MODES.get(form, found.subset or _UNKNOWN)
    modes = MODES.get(behind.schema or form, usual) if behind else usual
    listed = tuple(tools)
    taken = {name for tool in listed for name in (tool.name, *getattr(tool, "name_aliases", ()))}
    if behind is not None and behind.strict == "none":
        modes = replace(modes, strict=None)
    room = _Room(modes, reads_null)
    ready, notes = list[Declaration](), list[Adjustment]()
    for tool in listed:
        wire_name, why = _named(tool.name, found.names, taken)
        if why:
            notes.append(_note(tool, "name", "left_out", why))
            continue
        taken.add(wire_name)
        declaration, cost = _declaration(tool, modes, strict=strict, room=room)
        notes += cost
        if declaration is None:
            continue
        if wire_name != tool.name:
            notes.append(_note(tool, "name", "renamed", f"{wire_name!r} here: the provider does not take its name"))
            declaration = replace(
                declaration, name=wire_name, description=_with_name(tool.name, declaration.description)
            )
        ready.append(declaration)
    return Declared(tools=found.collect([found.declare(one) for one in ready]), adjustments=tuple(notes))


_UNKNOWN = Modes(normal=(ANY,))


def _note(tool: Declarable, keyword: str, action: Any, why: str) -> Adjustment:
    return Adjustment(tool=tool.name, pointer="", keyword=keyword, action=action, why=why)


def _named(name: str, rule: Rule, taken: set[str]) -> tuple[str, str]:
    """The name on this wire, or why there is none: two tools never share one."""
    wire_name = rule.apply(name)
    if wire_name != name and wire_name in taken:
        return wire_name, f"its name would be {wire_name!r} here, which another tool has"
    return wire_name, ""


def _with_name(name: str, description: str) -> str:
    """A description that tells the name which the provider does not take."""
    return description if name in description else f"{name}: {description}" if description else name


def _declaration(
    tool: Declarable, modes: Modes, *, strict: bool, room: _Room
) -> tuple[Declaration | None, tuple[Adjustment, ...]]:
    relaxed: tuple[Adjustment, ...] = ()
    if strict:
        try:
            fitted = room.admit(tool, _strictly(tool, modes))
        except CannotFit as reason:
            relaxed = () if modes.always_strict else (_note(tool, "strict", "relaxed", str(reason)),)
        else:
            return _made(tool, fitted, strict=True), fitted.notes
    try:
        fitted = _best(tool, modes)
    except CannotFit as reason:
        return None, (_note(tool, "", "left_out", str(reason)),)
    return _made(tool, fitted, strict=False), (*relaxed, *fitted.notes)


def _strictly(tool: Declarable, modes: Modes) -> Fitted:
    if modes.strict is None:
        raise CannotFit("this provider has no strict mode")
    return fit(tool.name, tool.schema, modes.strict)


def _best(tool: Declarable, modes: Modes) -> Fitted:
    """The schema in the first subset in which nothing is lost, else in the one in which least is."""
    best, reason = None, CannotFit("no subset takes it")
    for subset in modes.normal:
        try:
            fitted = fit(tool.name, tool.schema, subset)
        except CannotFit as error:
            reason = error
            continue
        if not fitted.losses:
            return fitted
        best = fitted if best is None or fitted.losses < best.losses else best
    if best is None:
        raise reason
    return best


def _made(tool: Declarable, fitted: Fitted, *, strict: bool) -> Declaration:
    own = tool.description or tool.schema.get("description")
    return Declaration(
        name=tool.name, description=words.describe(own, fitted.said) or "", schema=fitted.schema, strict=strict
    )


class _Room:
    """What is left of a request's limits on strict tools, and which tools can be strict at all."""

    def __init__(self, modes: Modes, reads_null: Callable[[Any], bool]) -> None:
        self._reads_null = reads_null
        self._limits = (
            ("strict tools", modes.max_strict),
            ("optional members in strict tools", modes.max_optional),
            ("members of several types in strict tools", modes.max_unions),
        )
        self._used = [0, 0, 0]

    def admit(self, tool: Declarable, fitted: Fitted) -> Fitted:
        """The schema, counted.

        Raises:
            CannotFit: it would be one too many, or its calls would never be valid.
        """
        if not self._reads_null(tool) and any(note.keyword == "required" for note in fitted.notes):
            raise CannotFit("null for an optional member would be refused: the tool's policy reads it as it stands")
        counts = closing.measure(fitted.schema)
        after = [old + new for old, new in zip(self._used, (1, counts.optional, counts.unions), strict=True)]
        for (what, most), used in zip(self._limits, after, strict=True):
            if most and used > most:
                raise CannotFit(f"one request takes {most} {what}")
        self._used = after
        return fitted
