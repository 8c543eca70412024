"""Readers of single settings: a value as a file or a flag gives it → the value that the settings hold.

A reader raises `ValueError` with what was expected and what was found; where it stood is said by whoever asks, except
what a reader knows of the inside of its value. `table` reads the members of a table by a mapping of names to readers,
and gives every fault of it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from argwright.policy import Certainty, Policy
from argwright.proxy import toml_places
from argwright.proxy.routing import OWN
from argwright.wording import hint, likely, shown

Reader = Callable[[Any], Any]

POLICIES = {"strict": Policy.STRICT, "exact": Policy.EXACT, "standard": Policy.STANDARD, "lenient": Policy.LENIENT}
_CERTAINTIES = {"exact": Certainty.EXACT, "likely": Certainty.LIKELY, "guess": Certainty.GUESS, "none": None}
_PORTS = 65_535


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong.

    Args:
        path: the key, as in the parsed data.
        message: what was expected and found.
    """

    path: toml_places.Path
    message: str


def expected(what: str, found: Any) -> ValueError:
    """The error of a reader."""
    return ValueError(f"{what} was expected, found {shown(found)}")


class WrongInsideError(ValueError):
    """The fault lies inside the value: `inside` is the path from there."""

    def __init__(self, message: str, *inside: str | int) -> None:
        self.inside = inside
        super().__init__(message)


def boolean(value: Any) -> bool:
    """Either of the two words."""
    if not isinstance(value, bool):
        raise expected("true or false", value)
    return value


def text(value: Any) -> str:
    """A string with something in it."""
    if not isinstance(value, str) or not value.strip():
        raise expected("a string that is not empty", value)
    return value


def path(value: Any) -> Path:
    """A file's path; `~` is the home directory."""
    return Path(text(value)).expanduser()


def integer(least: int, most: int | None = None) -> Reader:
    """A whole number between these, both included."""
    bounds = f"of at least {least}" if most is None else f"from {least} to {most}"

    def read(value: Any) -> int:
        if (
            isinstance(value, bool)
            or not isinstance(value, int)
            or value < least
            or (most is not None and value > most)
        ):
            raise expected(f"a whole number {bounds}", value)
        return value

    return read


def number(*, positive: bool = False) -> Reader:
    """A number, not negative; with `positive` not 0 either."""

    def read(value: Any) -> float:
        fits = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < float("inf")
        if not fits or (positive and not value):
            raise expected("a number above 0" if positive else "a number of at least 0", value)
        return float(value)

    return read


def one_of(*words: str) -> Reader:
    """One of these words."""

    def read(value: Any) -> str:
        if value not in words or not isinstance(value, str):
            raise ValueError(
                f"one of {', '.join(words)} was expected, found {shown(value)}{hint(likely(value, words))}"
            )
        return value

    return read


def words(value: Any) -> tuple[str, ...]:
    """A list of strings, each once."""
    if not isinstance(value, list) or not all(isinstance(item, str) and item for item in value):
        raise expected("a list of strings", value)
    twice = next((item for place, item in enumerate(value) if item in value[:place]), None)
    if twice is not None:
        place = len(value) - 1 - value[::-1].index(twice)
        raise WrongInsideError(f"{shown(twice)} stands twice in the list", place)
    return tuple(value)


def url(value: Any) -> str:
    """An address that begins with http:// or https://; no key belongs into it."""
    try:
        parts = urlsplit(text(value))
        port = parts.port or 1
    except ValueError as error:
        raise ValueError(f"an address such as https://host/v1 was expected: {error}") from None
    if parts.scheme not in {"http", "https"} or not parts.hostname or not 0 < port <= _PORTS:
        raise expected("an address such as https://host/v1", value)
    if parts.username or parts.password:
        raise ValueError("an address without user and password was expected: clients send their own key")
    if parts.fragment:
        raise expected("an address without '#'", value)
    return str(value)


def webhook(value: Any) -> str:
    """An address that begins with http:// or https://; it is not shown, since it holds its secret."""
    if not isinstance(value, str) or urlsplit(value).scheme not in {"http", "https"} or not urlsplit(value).hostname:
        raise ValueError("an address such as https://host/path was expected")
    return value


def prefix(value: Any) -> str:
    """The beginning of a path: `/name`."""
    given = text(value).rstrip("/")
    if not given.startswith("/") or "?" in given or "//" in given:
        raise expected("a path such as '/name'", value)
    if given == OWN or given.startswith(f"{OWN}/"):
        raise ValueError(f"{OWN} holds the gateway's own pages")
    return given


def is_loopback(host: str) -> bool:
    """Whether only programs of this machine reach the address."""
    if host.lower().rstrip(".") == "localhost":
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def token(value: Any) -> str:
    """A token that can stand in a header; it is never shown."""
    if not isinstance(value, str) or not value or not value.isascii() or not value.isprintable() or " " in value:
        raise ValueError("a token of printable ASCII characters without blanks was expected")
    return value


def policy(value: Any) -> Policy:
    """A policy by name, or its fields one by one."""
    if isinstance(value, str):
        return POLICIES[one_of(*POLICIES)(value)]
    if not isinstance(value, dict):
        raise expected(f"one of {', '.join(POLICIES)}, or a table,", value)
    made, faults = table(value, (), _POLICY)
    for fault in faults:
        raise WrongInsideError(fault.message, *fault.path)
    return Policy(**made)


def aliases(value: Any) -> dict[str, str]:
    """Old field names → declared ones. Whether they are declared is known when a request declares the tool."""
    if not isinstance(value, dict):
        raise expected("a table of old field names and new ones", value)
    for old, new in value.items():
        if not isinstance(new, str) or not new or not old:
            raise WrongInsideError(f"the new name of a field was expected, found {shown(new)}", old)
        if old.removeprefix("/") == new.removeprefix("/"):
            raise WrongInsideError("the alias leads to itself", old)
        if new in value:
            raise WrongInsideError(f"the alias leads to {new!r}, which is an alias itself", old)
    return value


def value_aliases(value: Any) -> dict[str, dict[str, Any]]:
    """By field, old values → declared ones."""
    if not isinstance(value, dict):
        raise expected("a table of fields, each with a table of old values and new ones,", value)
    for name, pairs in value.items():
        if not isinstance(pairs, dict):
            raise WrongInsideError(f"a table of old values and new ones was expected, found {shown(pairs)}", name)
        for old, new in pairs.items():
            if old == new:
                raise WrongInsideError("the value leads to itself", name, old)
            if isinstance(new, str) and new in pairs:
                raise WrongInsideError(f"the value leads to {new!r}, which is an alias itself", name, old)
    return value


def _certainty(value: Any) -> Certainty | None:
    return _CERTAINTIES[one_of(*_CERTAINTIES)(value)]


_POLICY: Mapping[str, Reader] = {
    "certainty": _certainty, "spelling": boolean, "split_glued": boolean, "drop_undeclared": boolean,
}  # fmt: skip


def table(
    data: Any, at: toml_places.Path, readers: Mapping[str, Reader], *, beside: Collection[str] = ()
) -> tuple[dict[str, Any], list[Fault]]:
    """A table's members, read.

    Args:
        data: the table.
        at: where it stands.
        readers: one for every member that may be there.
        beside: members that somebody else reads.

    Returns:
        What could be read, and what could not.
    """
    if not isinstance(data, dict):
        return {}, [Fault(at, f"a table was expected, found {shown(data)}")]
    made: dict[str, Any] = {}
    faults: list[Fault] = []
    for key, value in data.items():
        if key in beside:
            continue
        if key not in readers:
            known = [*readers, *beside]
            faults.append(Fault((*at, key), f"no such key{hint(likely(key, known)) or f'; known are {_said(known)}'}"))
            continue
        try:
            made[key] = readers[key](value)
        except ValueError as error:
            inside = error.inside if isinstance(error, WrongInsideError) else ()
            faults.append(Fault((*at, key, *inside), str(error)))
    return made, faults


def tables(data: Any, at: toml_places.Path) -> Iterator[tuple[toml_places.Path, Any]]:
    """The members of an array of tables, or of a table of tables, each with its place."""
    members: Any = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in members:
        yield (*at, key), value


def _said(known: Collection[str]) -> str:
    return ", ".join(known)
