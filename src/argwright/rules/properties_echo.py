"""The schema's own form around the values: `{"type": "object", "properties": {"city": "Łódź"}}`.

Only where the arguments have no place for any of those words and what stands under
`properties` are declared names with values. If it is the schema itself that was
repeated, there are no values, and the call is refused.
"""

from __future__ import annotations

from collections.abc import Mapping

from argwright.model import Issue, Json
from argwright.policy import Certainty
from argwright.rules import inner
from argwright.rules.places import shown
from argwright.rules.rule import Context, Example, Proposal, Rule

_WORDS = frozenset({"properties", "type", "required", "additionalProperties", "$schema", "title", "description"})


def propose(context: Context) -> Proposal | None:
    """The values under `properties`."""
    echo, tool = context.value, context.tool
    if tool is None or not isinstance(echo, dict) or "properties" not in echo or not echo.keys() <= _WORDS:
        return None
    if echo.get("type", "object") != "object" or any(inner.knows(tool, name, spelling=False) for name in echo):
        return None
    content = inner.read(echo["properties"], context)
    if content is None or content.object is None:
        return None
    values = content.object
    if values and not inner.fits(values, context):
        return None
    if _is_schema(values, tool.shape.properties):
        message = "the arguments repeat the schema and give no values"
        return Proposal(refuse=(Issue(pointer="/properties", keyword="unexpected", message=message),))
    message = "the arguments stand inside 'properties'; they belong at the top level"
    return Proposal(
        value=values,
        before=shown(echo),
        repairs=content.repairs,
        otherwise=Issue(pointer="/properties", keyword="unexpected", message=message),
    )


def _is_schema(values: Mapping[str, Json], declared: Mapping[str, Json]) -> bool:
    """Whether a member is its own declaration, in full or at least its type."""
    for name, value in values.items():
        schema = declared.get(name)
        if isinstance(value, dict) and isinstance(schema, dict) and "type" in value and _declares(value, schema):
            return True
    return False


def _declares(value: Mapping[str, Json], schema: Mapping[str, Json]) -> bool:
    return value == schema or value["type"] == schema.get("type")


_SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "options": {"type": "object"}},
    "additionalProperties": False,
}
_DECLARES_IT = {"type": "object", "properties": {"properties": {"type": "object"}, "city": {"type": "string"}}}

RULE = Rule(
    name="properties-echo",
    layer="unwrap",
    certainty=Certainty.LIKELY,
    propose=propose,
    examples=(
        Example(schema=_SCHEMA, arguments={"properties": {"city": "Łódź"}}, becomes={"city": "Łódź"}),
        Example(
            schema=_SCHEMA,
            arguments={"type": "object", "properties": {"city": "Łódź"}, "required": []},
            becomes={"city": "Łódź"},
        ),
    ),
    untouched=(
        Example(schema=_DECLARES_IT, arguments={"properties": {"city": "Łódź"}}),
        Example(schema={"type": "object"}, arguments={"properties": {"city": "Łódź"}}),
    ),
)
