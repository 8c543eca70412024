"""A validator's faults → the issues a model can act on, each at its leaf.

A missing field is an issue at the field's own pointer, each undeclared key an issue at
its own, and a union is answered by the branch the value means: the only one of the
value's type, else the only one whose `const` or `enum` member (its tag) the value
carries, followed down to any depth. If the tag itself is wrong, the tag is the leaf.
Where nothing tells the branches apart there is one issue at the union that lists them.

Written for JSON Schema drafts 4 to 2020-12 as jsonschema-rs reports them; reads
the schema only to find names and branches, and never decides validity.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from argwright import branching, pointer
from argwright.faults import Fault, Path
from argwright.making import quick
from argwright.mask import Mask
from argwright.model import MASK, Issue
from argwright.shape import Shape, json_type
from argwright.wording import brief, described, hint, likely, listed, shorten, shown

_MAX_BRANCHES = 256  # alternatives looked at for tags; a catalogue of block types has some dozens


@quick
@dataclass(frozen=True)
class Scene:
    """What the errors of one validation are read against.

    Args:
        value: what was validated.
        root: the schema document.
        mask: the sensitive places.
        base: where the value stands, if it is itself a part (a field's name).
        shapes: what is known of the nodes of the document, by identity; they live as long as it does.
    """

    value: Any
    root: Any
    mask: Mask
    base: Path = ()
    shapes: dict[int, Shape] = field(default_factory=dict)

    def found(self, path: Path) -> Any:
        """The value at a path."""
        value = self.value
        for token in path:
            value = value[token]
        return value

    def hides(self, path: Path) -> bool:
        """Whether the value at a path must not be told."""
        return self.mask.covers((*self.base, *path))

    def shown(self, path: Path) -> str:
        """The value at a path as it stands in a message."""
        return MASK if self.hides(path) else shown(self.found(path))

    def shape(self, path: Path) -> Shape:
        """What the schema says of a place."""
        shape = self.declared(self.root)
        for token in path:
            shape = shape.item if isinstance(token, int) else shape.member(token)
        return shape

    def declared(self, node: Any) -> Shape:
        """What a node of the schema document says of its place."""
        shape = self.shapes.get(id(node))
        if shape is None:
            shape = self.shapes[id(node)] = Shape(node, self.root)
        return shape

    def node(self, fault: Fault) -> Mapping[str, Any]:
        """The schema object that holds the violated keyword; empty if it cannot be found."""
        node = self._parent(fault)
        return node if isinstance(node, dict) else {}

    def _parent(self, fault: Fault) -> Any:
        if fault.home and fault.home != self._home():
            return None  # the place counts from a resource embedded in the document
        try:
            return pointer.follow(self.root, fault.where[:-1])
        except LookupError:
            return None

    def _home(self) -> str:
        own = self.root.get("$id", self.root.get("id", "")) if isinstance(self.root, dict) else ""
        return str(own).rstrip("#")

    def issue(self, path: Path, keyword: str, message: str, expected: Any = None) -> Issue:
        """An issue about the value at a path."""
        found = MASK if self.hides(path) else brief(self.found(path))
        return Issue(pointer=self.place(path), keyword=keyword, message=message, expected=expected, found=found)

    def place(self, path: Path) -> str:
        """The pointer of a path."""
        return pointer.join((*self.base, *path))


def leaves(fault: Fault, scene: Scene) -> Iterator[Issue]:
    """The issues that one fault stands for."""
    return _READERS.get(fault.keyword, _constraint)(fault, scene)


def _type(fault: Fault, scene: Scene) -> Iterator[Issue]:
    written = scene.node(fault).get("type")
    yield _mistyped(fault.path, written if isinstance(written, (str, list)) else fault.operand, scene)


def _mistyped(path: Path, expected: Any, scene: Scene) -> Issue:
    if isinstance(expected, list) and len(expected) == 1:
        expected = expected[0]
    wanted = expected if isinstance(expected, str) else " or ".join(map(str, expected))
    value = scene.found(path)
    found = json_type(value) if scene.hides(path) else described(value)
    return scene.issue(path, "type", f"expected {wanted}, found {found}", expected)


def _enum(fault: Fault, scene: Scene) -> Iterator[Issue]:
    yield _unlisted(fault.path, fault.operand, scene)


def _unlisted(path: Path, options: Sequence[Any], scene: Scene) -> Issue:
    guess = None if scene.hides(path) else likely(scene.found(path), options)
    return scene.issue(path, "enum", f"{scene.shown(path)} is not one of {listed(options)}{hint(guess)}", list(options))


def _const(fault: Fault, scene: Scene) -> Iterator[Issue]:
    path, expected = fault.path, fault.operand
    yield scene.issue(path, "const", f"{scene.shown(path)} is not {shown(expected)}", expected)


def _required(fault: Fault, scene: Scene) -> Iterator[Issue]:
    name = str(fault.operand)
    shape = _missing(fault, name, scene)
    options: list[Any] = list(shape.enum) or sorted(shape.types)
    wanted = f", expected {branching.summary(shape)}" if options else ""
    expected = options[0] if len(options) == 1 else options or None
    yield Issue(
        pointer=scene.place((*fault.path, name)), keyword="required", message=f"missing{wanted}", expected=expected
    )


def _missing(fault: Fault, name: str, scene: Scene) -> Shape:
    """What the schema says of a field that is not there; the branch that asks for it often declares it too."""
    declared = scene.node(fault).get("properties")
    if isinstance(declared, dict) and name in declared:
        return scene.declared(declared[name])
    return scene.shape(fault.path).member(name)


def _undeclared(fault: Fault, scene: Scene) -> Iterator[Issue]:
    path, keyword = fault.path, str(fault.where[-1])
    declared = scene.node(fault).get("properties") if keyword == "additionalProperties" else None
    known = list(declared if isinstance(declared, dict) else scene.shape(path).properties)
    names = fault.unexpected if fault.unexpected is not None else tuple(scene.found(path))  # a lone `false` lists none
    for name in names:
        yield _stranger((*path, name), keyword, known, scene)


def _stranger(path: Path, keyword: str, known: Sequence[str], scene: Scene) -> Issue:
    """The issue of one undeclared key; its value is not told, as nobody said whether it is sensitive."""
    present = scene.found(path[:-1])
    guess = likely(path[-1], (name for name in known if name not in present))
    return Issue(
        pointer=scene.place(path),
        keyword=keyword,
        message=f"{shown(path[-1])} is not a declared field{hint(guess)}",
        expected=list(known),
        found=json_type(scene.found(path)),
    )


def _forbidden(fault: Fault, scene: Scene) -> Iterator[Issue]:
    """A schema `false`: a closed object, a field that must not be there, an item too many."""
    path, where = fault.path, fault.where
    if where and where[-1] == "additionalProperties" and isinstance(scene.found(path), dict):
        yield from _undeclared(fault, scene)
    elif len(where) > 1 and where[-2] in ("properties", "patternProperties"):
        yield scene.issue(path, "additionalProperties", "this field is not allowed here")
    elif path and isinstance(path[-1], int):
        yield scene.issue(path, "items", "no item is allowed here")
    else:
        yield scene.issue(path, str(where[-1]) if where else "not", "no value is allowed here")


def _name(fault: Fault, scene: Scene) -> Iterator[Issue]:
    """`propertyNames`: the issue stands at the key, and is about the key."""
    name = str(fault.path[-1])
    for issue in leaves(fault.operand, Scene(name, scene.root, scene.mask, (*scene.base, *fault.path), scene.shapes)):
        place = scene.place(fault.path)
        yield replace(issue, pointer=place, keyword="propertyNames", message=f"field name: {issue.message}")


def _constraint(fault: Fault, scene: Scene) -> Iterator[Issue]:
    path, keyword = fault.path, fault.keyword
    operand = fault.operand
    phrase = _PHRASES.get(keyword, "{found} does not satisfy {keyword}")
    told = shown(operand) if not isinstance(operand, (dict, list)) else ""
    if keyword == "contains" and fault.where:
        keyword = str(fault.where[-1])
        operand = scene.node(fault).get(keyword)
    yield scene.issue(path, keyword, phrase.format(found=scene.shown(path), operand=told, keyword=keyword), operand)


_PHRASES: Mapping[str, str] = {
    "minimum": "{found} is less than {operand}",
    "exclusiveMinimum": "{found} is not greater than {operand}",
    "maximum": "{found} is greater than {operand}",
    "exclusiveMaximum": "{found} is not less than {operand}",
    "multipleOf": "{found} is not a multiple of {operand}",
    "minLength": "{found} has fewer than {operand} characters",
    "maxLength": "{found} has more than {operand} characters",
    "pattern": "{found} does not match {operand}",
    "format": "{found} is not of the format {operand}",
    "minItems": "{found}, at least {operand} expected",
    "maxItems": "{found}, at most {operand} expected",
    "additionalItems": "{found}, at most {operand} expected",
    "unevaluatedItems": "{found}, more than allowed",
    "uniqueItems": "{found} with equal items, each must be different",
    "contains": "{found} without the right number of fitting items",
    "minProperties": "{found}, at least {operand} expected",
    "maxProperties": "{found}, at most {operand} expected",
    "not": "{found} is a value that the schema excludes",
}


def _union(fault: Fault, scene: Scene) -> Iterator[Issue]:
    path = fault.path
    value = scene.found(path)
    branches = fault.branches
    if any(not branch for branch in branches):
        yield _crossroads(fault, len(branches), scene, "fits more than one of")
        return
    fitting = [
        index for index, branch in enumerate(branches) if not any(branching.misses(sub, path, value) for sub in branch)
    ]
    options = branching.options([branches[index] for index in fitting or range(len(branches))], path)
    if options is not None:
        yield _unlisted(path, options, scene)
    elif not fitting:
        yield _mistyped(path, branching.types(branches, path), scene)
    elif len(fitting) == 1:
        yield from _several(branches[fitting[0]], scene)
    else:
        yield from _told_apart(fault, fitting, scene)


def _several(faults: Sequence[Fault], scene: Scene) -> Iterator[Issue]:
    for fault in faults:
        yield from leaves(fault, scene)


def _told_apart(fault: Fault, fitting: Sequence[int], scene: Scene) -> Iterator[Issue]:
    """Several branches are of the value's type: the tag decides, or nothing does."""
    path, branches = fault.path, fault.branches
    value = scene.found(path)
    shapes = _shapes(fault, scene)
    if isinstance(value, dict) and len(shapes) == len(branches):
        tags = branching.tags([shapes[index] for index in fitting], value)
        meant = [index for index, match in zip(fitting, branching.meant(tags, value), strict=bool(tags)) if match]
        if len(meant) == 1:
            yield from _several(branches[meant[0]], scene)
            return
        unknown = branching.unknown_tag(tags, value)
        if unknown is not None:
            yield _unlisted((*path, unknown[0]), unknown[1], scene)
            return
    yield _crossroads(fault, len(branches), scene, "fits none of")


def _shapes(fault: Fault, scene: Scene) -> list[Shape]:
    branches = scene.node(fault).get(fault.keyword)
    return [Shape(branch, scene.root) for branch in branches[:_MAX_BRANCHES]] if isinstance(branches, list) else []


def _crossroads(fault: Fault, number: int, scene: Scene, verdict: str) -> Issue:
    """The one issue of a union whose branches nothing tells apart."""
    branches = [branching.summary(shape) for shape in _shapes(fault, scene)]
    told = "; ".join(branches[:8]) + ("; …" if len(branches) > 8 else "")  # noqa: PLR2004  # as many as a reader compares
    message = f"{verdict} the {number} alternatives" + (f": {shorten(told, 400)}" if told else "")
    return scene.issue(fault.path, fault.keyword, message, branches or None)


_READERS: Mapping[str, Callable[[Fault, Scene], Iterator[Issue]]] = {
    "type": _type,
    "enum": _enum,
    "const": _const,
    "required": _required,
    "additionalProperties": _undeclared,
    "unevaluatedProperties": _undeclared,
    "falseSchema": _forbidden,
    "propertyNames": _name,
    "anyOf": _union,
    "oneOf": _union,
}
