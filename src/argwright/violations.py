"""A validator's error → the issues a model can act on, each at its leaf.

A missing field is an issue at the field's own pointer, each undeclared key an issue at
its own, and a union is answered by the branch the value means: the only one of the
value's type, else the only one whose `const` or `enum` member (its tag) the value
carries, followed down to any depth. If the tag itself is wrong, the tag is the leaf.
Where nothing tells the branches apart there is one issue at the union that lists them.

Written for JSON Schema drafts 4 to 2020-12 on the error tree of jsonschema-rs; reads
the schema only to find names and branches, and never decides validity.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from jsonschema_rs import ValidationError, ValidationErrorKind

from argwright import pointer
from argwright.mask import Mask
from argwright.model import MASK, Issue
from argwright.shape import Shape, json_type
from argwright.wording import brief, described, hint, likely, listed, shorten, shown

Path = tuple[str | int, ...]
Branches = Sequence[Sequence[ValidationError]]

_MAX_BRANCHES = 64  # alternatives looked at for tags; more are machine-made and not told apart by reading


@dataclass(frozen=True)
class Scene:
    """What the errors of one validation are read against.

    Args:
        value: what was validated.
        root: the schema document.
        mask: the sensitive places.
        base: where the value stands, if it is itself a part (a field's name).
    """

    value: Any
    root: Any
    mask: Mask
    base: Path = ()

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
        shape = Shape(self.root)
        for token in path:
            shape = shape.item if isinstance(token, int) else shape.member(token)
        return shape

    def node(self, error: ValidationError) -> Mapping[str, Any]:
        """The schema object that holds the violated keyword; empty if it cannot be found."""
        node = self._parent(error)
        return node if isinstance(node, dict) else {}

    def _parent(self, error: ValidationError) -> Any:
        home = (error.absolute_keyword_location or "").split("#")[0]
        if (
            home
            and isinstance(self.root, dict)
            and home != str(self.root.get("$id", self.root.get("id", ""))).rstrip("#")
        ):
            return None  # the path counts from a resource embedded in the document
        node = self.root
        for token in error.schema_path[:-1]:
            try:
                node = node[token]
            except (LookupError, TypeError):
                return None
        return node

    def issue(self, path: Path, keyword: str, message: str, expected: Any = None) -> Issue:
        """An issue about the value at a path."""
        found = MASK if self.hides(path) else brief(self.found(path))
        return Issue(pointer=self.place(path), keyword=keyword, message=message, expected=expected, found=found)

    def place(self, path: Path) -> str:
        """The pointer of a path."""
        return pointer.join((*self.base, *path))


def leaves(error: ValidationError, scene: Scene) -> Iterator[Issue]:
    """The issues that one error stands for."""
    return _READERS.get(error.kind.name, _constraint)(error, scene)


def _path(error: ValidationError) -> Path:
    return tuple(error.instance_path)


def _type(error: ValidationError, scene: Scene) -> Iterator[Issue]:
    written = scene.node(error).get("type")
    yield _mistyped(_path(error), written if isinstance(written, (str, list)) else error.kind.value, scene)


def _mistyped(path: Path, expected: Any, scene: Scene) -> Issue:
    if isinstance(expected, list) and len(expected) == 1:
        expected = expected[0]
    wanted = expected if isinstance(expected, str) else " or ".join(map(str, expected))
    value = scene.found(path)
    found = json_type(value) if scene.hides(path) else described(value)
    return scene.issue(path, "type", f"expected {wanted}, found {found}", expected)


def _enum(error: ValidationError, scene: Scene) -> Iterator[Issue]:
    yield _unlisted(_path(error), error.kind.value, scene)


def _unlisted(path: Path, options: Sequence[Any], scene: Scene) -> Issue:
    guess = None if scene.hides(path) else likely(scene.found(path), options)
    return scene.issue(path, "enum", f"{scene.shown(path)} is not one of {listed(options)}{hint(guess)}", list(options))


def _const(error: ValidationError, scene: Scene) -> Iterator[Issue]:
    path, expected = _path(error), error.kind.value
    yield scene.issue(path, "const", f"{scene.shown(path)} is not {shown(expected)}", expected)


def _required(error: ValidationError, scene: Scene) -> Iterator[Issue]:
    name = str(error.kind.value)
    shape = _missing(error, name, scene)
    options: list[Any] = list(shape.enum) or sorted(shape.types)
    wanted = f", expected {_summary(shape)}" if options else ""
    expected = options[0] if len(options) == 1 else options or None
    yield Issue(
        pointer=scene.place((*_path(error), name)), keyword="required", message=f"missing{wanted}", expected=expected
    )


def _missing(error: ValidationError, name: str, scene: Scene) -> Shape:
    """What the schema says of a field that is not there; the branch that asks for it often declares it too."""
    declared = scene.node(error).get("properties")
    if isinstance(declared, dict) and name in declared:
        return Shape(declared[name], scene.root)
    return scene.shape(_path(error)).member(name)


def _undeclared(error: ValidationError, scene: Scene) -> Iterator[Issue]:
    path, keyword = _path(error), str(error.schema_path[-1])
    declared = scene.node(error).get("properties") if keyword == "additionalProperties" else None
    known = list(declared if isinstance(declared, dict) else scene.shape(path).properties)
    for name in getattr(error.kind, "unexpected", scene.found(path)):  # a lone `additionalProperties: false` lists none
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


def _forbidden(error: ValidationError, scene: Scene) -> Iterator[Issue]:
    """A schema `false`: a closed object, a field that must not be there, an item too many."""
    path, where = _path(error), error.schema_path
    if where and where[-1] == "additionalProperties" and isinstance(scene.found(path), dict):
        yield from _undeclared(error, scene)
    elif len(where) > 1 and where[-2] in ("properties", "patternProperties"):
        yield scene.issue(path, "additionalProperties", "this field is not allowed here")
    elif path and isinstance(path[-1], int):
        yield scene.issue(path, "items", "no item is allowed here")
    else:
        yield scene.issue(path, str(where[-1]) if where else "not", "no value is allowed here")


def _name(error: ValidationError, scene: Scene) -> Iterator[Issue]:
    """`propertyNames`: the issue stands at the key, and is about the key."""
    inner: ValidationError = error.kind.value
    name = str(inner.instance)
    path = (*_path(error), name)
    for issue in leaves(inner, Scene(name, scene.root, scene.mask, (*scene.base, *path))):
        yield replace(issue, pointer=scene.place(path), keyword="propertyNames", message=f"field name: {issue.message}")


def _constraint(error: ValidationError, scene: Scene) -> Iterator[Issue]:
    path, keyword = _path(error), error.kind.name
    operand = error.kind.value
    phrase = _PHRASES.get(keyword, "{found} does not satisfy {keyword}")
    told = shown(operand) if not isinstance(operand, (dict, list)) else ""
    if keyword == "contains" and error.schema_path:
        keyword = str(error.schema_path[-1])
        operand = scene.node(error).get(keyword)
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


# Unions


def _union(error: ValidationError, scene: Scene) -> Iterator[Issue]:
    if isinstance(error.kind, ValidationErrorKind.OneOfMultipleValid):
        yield _crossroads(error, scene, "fits more than one of")
        return
    path = _path(error)
    value = scene.found(path)
    branches: Branches = error.kind.value
    fitting = [index for index, branch in enumerate(branches) if not any(_misses(sub, path, value) for sub in branch)]
    options = _options([branches[index] for index in fitting or range(len(branches))], path)
    if options is not None:
        yield _unlisted(path, options, scene)
    elif not fitting:
        yield _mistyped(path, _types(branches, path), scene)
    elif len(fitting) == 1:
        yield from _several(branches[fitting[0]], scene)
    else:
        yield from _told_apart(error, fitting, scene)


def _several(errors: Sequence[ValidationError], scene: Scene) -> Iterator[Issue]:
    for error in errors:
        yield from leaves(error, scene)


def _told_apart(error: ValidationError, fitting: Sequence[int], scene: Scene) -> Iterator[Issue]:
    """Several branches are of the value's type: the tag decides, or nothing does."""
    path = _path(error)
    value = scene.found(path)
    shapes = _shapes(error, scene)
    if isinstance(value, dict) and len(shapes) == len(error.kind.value):
        tags = _tags([shapes[index] for index in fitting], value)
        meant = [index for index, match in zip(fitting, _meant(tags, value), strict=bool(tags)) if match]
        if len(meant) == 1:
            yield from _several(error.kind.value[meant[0]], scene)
            return
        unknown = _unknown_tag(tags, value)
        if unknown is not None:
            yield _unlisted((*path, unknown[0]), unknown[1], scene)
            return
    yield _crossroads(error, scene, "fits none of")


def _shapes(error: ValidationError, scene: Scene) -> list[Shape]:
    branches = scene.node(error).get(error.kind.name)
    return [Shape(branch, scene.root) for branch in branches[:_MAX_BRANCHES]] if isinstance(branches, list) else []


Tags = Mapping[str, Sequence[tuple[Any, ...]]]
"""By member name, what each branch lists for it; an empty tuple where a branch does not say."""


def _tags(shapes: Sequence[Shape], value: Mapping[str, Any]) -> Tags:
    """The members that tell these branches apart: `const` members alone if there are any, else `enum` members too."""
    listing = {
        name: lists
        for name in value
        if any(lists := [shape.member(name).enum if name in shape.properties else () for shape in shapes])
        and any(options != lists[0] for options in lists)
    }
    constants = {name: lists for name, lists in listing.items() if all(len(options) < 2 for options in lists)}  # noqa: PLR2004  # one value is a constant
    return constants or listing


def _meant(tags: Tags, value: Mapping[str, Any]) -> list[bool]:
    """For each branch, whether the value carries a tag of it and none that it refuses."""
    columns = list(zip(*tags.values(), strict=True))
    names = list(tags)
    return [
        any(options for options in column)
        and all(not options or _among(value[name], options) for name, options in zip(names, column, strict=True))
        for column in columns
    ]


def _unknown_tag(tags: Tags, value: Mapping[str, Any]) -> tuple[str, list[Any]] | None:
    """The one tag that every branch declares and whose value no branch knows."""
    found = [
        (name, [option for options in lists for option in options])
        for name, lists in tags.items()
        if all(lists) and not any(_among(value[name], options) for options in lists)
    ]
    return found[0] if len(found) == 1 else None


def _among(value: Any, options: Sequence[Any]) -> bool:
    """Membership by JSON's equality, in which `true` is not `1`."""
    return any(value == option and isinstance(value, bool) == isinstance(option, bool) for option in options)


def _crossroads(error: ValidationError, scene: Scene, verdict: str) -> Issue:
    path = _path(error)
    branches = [_summary(shape) for shape in _shapes(error, scene)]
    told = "; ".join(branches[:8]) + ("; …" if len(branches) > 8 else "")  # noqa: PLR2004  # as many as a reader compares
    message = f"{verdict} the {len(error.kind.value)} alternatives" + (f": {shorten(told, 400)}" if told else "")
    return scene.issue(path, error.kind.name, message, branches or None)


def _summary(shape: Shape) -> str:
    """A place of the schema in a few words: `string`, `object with kind 'circle', radius`, `array of string`."""
    if shape.enum:
        return shown(shape.enum[0]) if len(shape.enum) == 1 else f"one of {listed(shape.enum)}"
    if shape.only("array"):
        inner = shape.item
        return f"array of {' or '.join(sorted(inner.types))}" if inner.types else "array"
    if shape.required or shape.only("object"):
        names = [name for name in shape.properties if name in shape.required]
        names += sorted(shape.required.difference(names))
        told = ", ".join(_member(shape, name) for name in names[:6])
        return f"object with {told}" if told else "object"
    return " or ".join(sorted(shape.types)) or "any value"


def _member(shape: Shape, name: str) -> str:
    enum = shape.member(name).enum
    return f"{shorten(name)} {shown(enum[0])}" if len(enum) == 1 else shorten(name)


def _misses(error: ValidationError, at: Path, value: Any) -> bool:
    """Whether an error of a branch says that the value at the union is of the wrong type altogether."""
    if tuple(error.instance_path) != at:
        return False
    match error.kind.name:
        case "type":
            return True
        case "falseSchema":
            return not (error.schema_path and error.schema_path[-1] == "additionalProperties")
        case "const":
            return _family(error.kind.value) != _family(value)
        case "enum":
            return all(_family(option) != _family(value) for option in error.kind.value)
        case "anyOf" | "oneOf":
            return all(any(_misses(sub, at, value) for sub in branch) for branch in error.kind.value)
        case _:
            return False


def _family(value: Any) -> str:
    name = json_type(value)
    return "number" if name == "integer" else name


def _options(branches: Branches, at: Path) -> list[Any] | None:
    """All values listed by these branches, if each fails for nothing but its own list."""
    found: list[Any] = []
    for branch in branches:
        for error in branch:
            if error.kind.name not in ("const", "enum") or tuple(error.instance_path) != at:
                return None
            found += [error.kind.value] if error.kind.name == "const" else error.kind.value
    return found if len(found) > 1 else None


def _types(branches: Branches, at: Path) -> list[str]:
    """The types that the branches of a union expect."""
    found: dict[str, None] = {}
    for branch in branches:
        for error in branch:
            if tuple(error.instance_path) == at:
                found |= dict.fromkeys(_named_types(error, at))
    return list(found)


def _named_types(error: ValidationError, at: Path) -> list[str]:
    match error.kind.name:
        case "type":
            return list(error.kind.value)
        case "const":
            return [json_type(error.kind.value)]
        case "enum":
            return [json_type(option) for option in error.kind.value]
        case "anyOf" | "oneOf":
            return _types(error.kind.value, at)
        case _:
            return []


_READERS: Mapping[str, Callable[[ValidationError, Scene], Iterator[Issue]]] = {
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
