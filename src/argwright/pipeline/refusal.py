"""How an `InvalidCall` is made: one place, so that each carries what the model is told."""

from __future__ import annotations

from functools import partial
from typing import Any

from argwright.decode import Undecodable
from argwright.feedback import explain
from argwright.making import later
from argwright.model import ErrorKind, InvalidCall, Issue, Json, Repair, Suspicion
from argwright.rules.engine import Scene
from argwright.schema import reason_of
from argwright.shape import json_type


def json_error(scene: Scene, fault: Undecodable) -> InvalidCall:
    """A text without exactly one reading."""
    return refused(
        scene,
        ErrorKind.JSON_ERROR,
        fault.reason,
        pointer=fault.pointer,
        repairs=fault.repairs,
        readings=fault.readings,
        message=fault.message,
        position=fault.position,
    )


def schema_error(
    scene: Scene,
    issues: tuple[Issue, ...],
    repairs: tuple[Repair, ...] = (),
    suggestion: str | None = None,
    *,
    warnings: tuple[Suspicion, ...] = (),
) -> InvalidCall:
    """Arguments that do not fit, or must not run; several issues have the reason of the first in their order."""
    return refused(
        scene,
        ErrorKind.SCHEMA_ERROR,
        reason_of(issues),
        issues=issues,
        repairs=repairs,
        suggestion=suggestion,
        warnings=warnings,
    )


def not_an_object(
    scene: Scene, value: Json, repairs: tuple[Repair, ...] = (), suggestion: str | None = None
) -> InvalidCall:
    """A root that is valid JSON and no object."""
    kind = json_type(value)
    issue = Issue(pointer="", keyword="type", message=f"expected object, found {kind}", expected="object", found=kind)
    return schema_error(scene, (issue,), repairs, suggestion)


def refused(scene: Scene, kind: ErrorKind, reason: str, *, pointer: str = "", **fields: Any) -> InvalidCall:
    """The invalid call, with the message for the model."""
    arrived, name = scene.call.arguments, scene.call.name
    made = InvalidCall(call=scene.call, kind=kind, reason=reason, tool=scene.tool, **fields)
    told = partial(
        explain,
        kind,
        reason,
        fields.get("issues", ()),
        name=name if isinstance(name, str) else None,
        message=fields.get("message", ""),
        suggestion=fields.get("suggestion"),
        known=fields.get("known", ()),
        pointer=pointer,
        arrived=len(arrived) if isinstance(arrived, (str, bytes)) else None,
        sensitive=scene.tool.sensitive if scene.tool else (),
    )
    return later(made, "feedback", told)
