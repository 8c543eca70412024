from __future__ import annotations

from argwright.wire.declaring.refs import Document, references

TREE = {
    "properties": {"top": {"$ref": "#/$defs/Node"}, "name": {"$ref": "#/$defs/Name"}},
    "$defs": {
        "Node": {"properties": {"kids": {"items": {"$ref": "#/$defs/Node"}}, "name": {"$ref": "#/$defs/Name"}}},
        "Name": {"type": "string"},
        "Odd/~é": {"type": "integer"},
        "Both": {"anyOf": [{"$ref": "#/$defs/Node"}]},
    },
}
DOCUMENT = Document(TREE, TREE)


def test_targets():
    assert DOCUMENT.target("#/$defs/Name") == {"type": "string"}
    assert DOCUMENT.target("#/$defs/Odd~1~0é") == {"type": "integer"}
    assert DOCUMENT.target("#") == TREE
    for nowhere in ("#/$defs/Nope", "https://example.com/x.json", "#anchor", 7, None, "#/properties/top/$ref"):
        assert DOCUMENT.target(nowhere) is None


def test_a_reference_into_the_old_spelling_is_found_in_the_declared_text():
    declared = {"properties": {"a": {"items": [{"type": "string"}]}}}
    assert Document({"properties": {"a": {"prefixItems": [{"type": "string"}]}}}, declared).target(
        "#/properties/a/items/0"
    ) == {"type": "string"}


def test_cycles():
    assert DOCUMENT.cyclic == frozenset({"#/$defs/Node"})
    assert DOCUMENT.leads_to_cycle({"items": {"$ref": "#/$defs/Node"}})
    assert not DOCUMENT.leads_to_cycle({"$ref": "#/$defs/Name"})
    root = {"properties": {"child": {"$ref": "#"}}}
    assert Document(root, root).cyclic == frozenset({"#"})


def test_references_are_found_where_schemas_stand_only():
    schema = {"const": {"$ref": "#/x"}, "not": {"$ref": "#/a"}, "$defs": {"b": {"$ref": "#/c"}}}
    assert references(schema) == ["#/a"]
    assert sorted(references(schema, definitions=True)) == ["#/a", "#/c"]
