"""A declared name in another naming convention: `maxResults` for `max_results`.

Only in an object that fails for its names (one is missing, or one is not allowed), and
only for a name that nothing declares, that is the same word as exactly one declared
name, and whose declared name is absent. Then all such names of the object are mended,
since a model keeps to one convention.
"""

from __future__ import annotations

from collections import Counter

from argwright.policy import Certainty
from argwright.rules.keys import fold, same_word
from argwright.rules.rule import Context, Example, Proposal, Rule


def propose(context: Context) -> Proposal | None:
    """The object under its declared names."""
    members = context.value
    if not context.members or not context.policy.spelling or not isinstance(members, dict):
        return None
    declared = context.shape.properties
    strangers = [name for name in members if name not in declared]
    if not strangers:
        return None
    meant = {name: word for name in strangers if (word := same_word(name, declared)) is not None}
    if not meant:
        return None
    words = Counter(fold(name) for name in strangers)
    changes = {old: name for old, name in meant.items() if words[fold(old)] == 1 and name not in members}
    if not changes:
        return None
    old, name = next(iter(changes.items()))
    return Proposal(
        value={changes.get(key, key): value for key, value in members.items()},
        before=old,
        after=name,
        count=len(changes),
    )


_SCHEMA = {
    "type": "object",
    "properties": {"max_results": {"type": "integer"}, "query": {"type": "string"}},
    "required": ["query"],
    "additionalProperties": False,
}
_OPEN = {"type": "object", "properties": {"ID": {}, "id": {}, "max_results": {}}, "required": ["ID"]}

RULE = Rule(
    name="key-spelling",
    layer="mend",
    certainty=Certainty.LIKELY,
    propose=propose,
    takes=(dict,),
    examples=(
        Example(schema=_SCHEMA, arguments={"query": "x", "maxResults": 3}, becomes={"query": "x", "max_results": 3}),
        Example(schema=_SCHEMA, arguments={"Query": "x", "max-results": 3}, becomes={"query": "x", "max_results": 3}),
    ),
    untouched=(
        Example(schema=_SCHEMA, arguments={"query": "x", "max_results": 3}),
        Example(schema=_SCHEMA, arguments={"query": "x", "max_result": 3}),
        Example(schema=_SCHEMA, arguments={"query: ": "x"}),
        Example(schema=_SCHEMA, arguments={"Query": "x", "QUERY": "y"}),
        Example(schema=_SCHEMA, arguments={"query": "x", "Query": "y"}),
        Example(schema=_OPEN, arguments={"Id": 1}),
        Example(schema=_OPEN, arguments={"ID": 1, "maxResults": 2}),
    ),
)
