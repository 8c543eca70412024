"""A TOML file, flags and the environment → `GatewaySettings`, or everything that is wrong with them at once.

A flag goes before the environment (`ARGWRIGHT_TOKEN`, `ARGWRIGHT_ALERT_WEBHOOK`, for what should stand in no file and
no process list), which goes before the file. A fault in the file is told with line, key, what was expected and what was
found; one in a flag with the flag. The table `_SECTIONS` holds every key there is.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from argwright import rules
from argwright.errors import ArgwrightError, DeclarationError
from argwright.policy import Limits
from argwright.proxy import fields, outward, toml_places
from argwright.proxy.fields import Fault, Reader
from argwright.proxy.settings import (
    GatewaySettings,
    JournalSettings,
    Mending,
    MonitorSettings,
    ServerLimits,
    ServerSettings,
    ToolSettings,
    UpstreamSettings,
)
from argwright.wording import shown

Raw = dict[str, Any]

_SIZE, _SECONDS = fields.integer(1), fields.number()
_SECTIONS: Mapping[str, Mapping[str, Reader]] = {
    "server": {
        "host": fields.text, "port": fields.integer(0, 65_535), "workers": fields.integer(1, 256),
        "token": fields.token, "public_metrics": fields.boolean, "proxy_from_env": fields.boolean,
    },
    "limits": {
        "max_body": _SIZE, "max_reply": _SIZE, "max_streams": _SIZE, "connect": _SECONDS, "first_byte": _SECONDS,
        "idle": _SECONDS, "total": _SECONDS, "client_idle": _SECONDS, "heartbeat": _SECONDS,
        "grace": _SECONDS,
    },
    "mending": {
        "on_invalid": fields.one_of("pass", "retry", "error"), "retries": fields.integer(0, 10),
        "on_stall": fields.one_of("count", "reask"), "optimistic": fields.boolean, "policy": fields.policy,
        "without": fields.words, "history": fields.boolean,
    },
    "journal": {
        "mode": fields.one_of("off", "metadata", "full"), "path": fields.path,
        "max_days": fields.number(positive=True), "max_mb": fields.number(positive=True),
    },
    "monitor": {"alert_after": fields.integer(1), "alert_webhook": fields.webhook, "telemetry": fields.boolean},
}  # fmt: skip
_CALL_LIMITS: Mapping[str, Reader] = {"max_chars": _SIZE, "max_depth": _SIZE, "max_repairs": fields.integer(0)}
_UPSTREAM: Mapping[str, Reader] = {
    "name": fields.text, "url": fields.url, "prefix": fields.prefix, "models": fields.words,
}  # fmt: skip
_TOOL: Mapping[str, Reader] = {
    "aliases": fields.aliases, "value_aliases": fields.value_aliases, "name_aliases": fields.words,
    "sensitive": fields.words, "policy": fields.policy,
}  # fmt: skip
_ENVIRONMENT = {"ARGWRIGHT_TOKEN": ("server", "token"), "ARGWRIGHT_ALERT_WEBHOOK": ("monitor", "alert_webhook")}
_FLAGS = {("upstreams", "url"): "--upstream", ("journal", "mode"): "--journal", ("journal", "path"): "--journal-path"}
_AT = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)\Z")
_KEY = re.compile(r"\s*([\w.\"'-]+)\s*=")
_JOURNAL_FILE = Path("argwright", "journal.sqlite3")


class ConfigError(ArgwrightError, ValueError):
    """The settings are wrong; the text has one line for each fault."""


@dataclass(frozen=True, kw_only=True)
class Source:
    """Where the settings come from.

    Args:
        text: of the TOML file; empty if there is none.
        name: the file's, for messages.
        folder: relative paths in the file begin here.
        flags: given on the command line, by section and key.
        environ: the environment.
    """

    text: str = ""
    name: str = "gateway.toml"
    folder: Path = Path()
    flags: Mapping[tuple[str, str], Any] = field(default_factory=dict)
    environ: Mapping[str, str] = field(default_factory=dict)


def load(source: Source) -> GatewaySettings:
    """The settings.

    Raises:
        ConfigError: something is wrong; all of it is told.
    """
    try:
        data = tomllib.loads(source.text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{source.name}:{_syntax(str(error), source.text)}") from None
    settings, faults = _read(data, source.folder)
    told = [*_told(faults, source)]
    settings, more = _overridden(settings, source)
    told += more
    if not told and settings.server.token is None and not fields.is_loopback(settings.server.host):
        told.append(
            f"{source.name}: server.token: a token was expected for the host {settings.server.host!r}, which is not "
            "loopback; set it, ARGWRIGHT_TOKEN or --token"
        )
    if settings.server.proxy_from_env:
        told += outward.faults(source.environ)
    if told:
        raise ConfigError("\n".join(told))
    return replace(settings, journal=_placed(settings.journal, source.environ))


# --- the file ---------------------------------------------------------------------------------------------------------


def _read(data: Raw, folder: Path) -> tuple[GatewaySettings, list[Fault]]:
    _, faults = fields.table(data, (), {}, beside=(*_SECTIONS, "upstreams", "tools"))
    faults = [_homeless(fault) for fault in faults]
    made: dict[str, Raw] = {}
    for section, readers in _SECTIONS.items():
        beside = ("limits",) if section == "mending" else ()
        made[section], more = fields.table(data.get(section, {}), (section,), readers, beside=beside)
        faults += more
    if "path" in made["journal"]:
        made["journal"]["path"] = folder / made["journal"]["path"]
    upstreams, more = _upstreams(data.get("upstreams", []))
    mending, others = _mending(data, made["mending"])
    server = ServerSettings(**made["server"], limits=ServerLimits(**made["limits"]))
    settings = GatewaySettings(
        upstreams=upstreams, mending=mending, server=server,
        journal=JournalSettings(**made["journal"]), monitor=MonitorSettings(**made["monitor"]),
    )  # fmt: skip
    return settings, [*faults, *more, *others]


def _homeless(fault: Fault) -> Fault:
    """A key at the top that has a place elsewhere."""
    homes = [section for section, readers in _SECTIONS.items() if fault.path[0] in readers]
    return Fault(fault.path, f"no such key here; it belongs below [{homes[0]}]") if homes else fault


def _upstreams(data: Any) -> tuple[tuple[UpstreamSettings, ...], list[Fault]]:
    if not isinstance(data, list) or not all(isinstance(one, dict) for one in data):
        return (), [Fault(("upstreams",), "one table [[upstreams]] for each upstream was expected")]
    made: dict[toml_places.Path, UpstreamSettings] = {}
    faults: list[Fault] = []
    for at, one in fields.tables(data, ("upstreams",)):
        given, wrong = fields.table(one, at, _UPSTREAM)
        faults += wrong
        if "url" in given:
            if len(data) > 1:
                given.setdefault("name", f"upstream-{len(made) + 1}")
            made[at] = UpstreamSettings(**given)
        elif "url" not in one:
            faults.append(Fault(at, "an upstream needs its 'url'"))
    return tuple(made.values()), [*faults, *_clashes(made)]


def _clashes(upstreams: Mapping[toml_places.Path, UpstreamSettings]) -> Iterator[Fault]:
    """Upstreams of one name, or of which one would never be asked."""
    names: set[str] = set()
    places: dict[tuple[str, str], toml_places.Path] = {}
    for at, one in upstreams.items():
        if one.name in names:
            yield Fault((*at, "name"), f"another upstream has the name {one.name!r}")
        names.add(one.name)
        for model in one.models or ("",):
            other = places.setdefault((one.prefix, model), at)
            if other != at:
                of = f"requests for the model {model!r}" if model else "requests for any model"
                under = f" under {one.prefix!r}" if one.prefix else ""
                key = "models" if model else "prefix"
                yield Fault(
                    (*at, key), f"{of}{under} go to upstream {upstreams[other].name!r}, this one would never be asked"
                )


def _mending(data: Raw, made: Raw) -> tuple[Mending, list[Fault]]:
    faults: list[Fault] = []
    section = data.get("mending", {})
    limits, wrong = fields.table(
        section.get("limits", {}) if isinstance(section, dict) else {}, ("mending", "limits"), _CALL_LIMITS
    )
    faults += wrong
    without = frozenset(made.pop("without", ()))
    try:
        rules.load((), without=without)
    except DeclarationError as error:
        faults.append(Fault(("mending", "without"), str(error)))
    tools, wrong = _tools(data.get("tools", {}))
    return Mending(**made, without=without, limits=Limits(**limits), tools=tools), [*faults, *wrong]


def _tools(data: Any) -> tuple[dict[str, ToolSettings], list[Fault]]:
    if not isinstance(data, dict):
        return {}, [Fault(("tools",), "one table [tools.NAME] for each tool was expected")]
    made: dict[str, ToolSettings] = {}
    faults: list[Fault] = []
    for at, one in fields.tables(data, ("tools",)):
        given, wrong = fields.table(one, at, _TOOL)
        faults += wrong
        made[str(at[-1])] = ToolSettings(**given)
    return made, [*faults, *_name_clashes(made)]


def _name_clashes(tools: Mapping[str, ToolSettings]) -> Iterator[Fault]:
    owner = {name: name for name in tools}
    for name, tool in tools.items():
        for alias in tool.name_aliases:
            other = owner.setdefault(alias, name)
            if alias == name:
                yield Fault(("tools", name, "name_aliases"), f"{alias!r} is the tool's own name")
            elif other != name:
                yield Fault(("tools", name, "name_aliases"), f"{alias!r} is a name of the tool {other!r}")


# --- flags and environment --------------------------------------------------------------------------------------------


def _overridden(settings: GatewaySettings, source: Source) -> tuple[GatewaySettings, list[str]]:
    """The settings with what flags and environment say."""
    given = {place: (name, source.environ[name]) for name, place in _ENVIRONMENT.items() if source.environ.get(name)}
    given |= {place: (flag_of(place), value) for place, value in source.flags.items()}
    made: dict[str, Raw] = {}
    wrong: list[str] = []
    for (section, key), (name, value) in given.items():
        try:
            made.setdefault(section, {})[key] = _reader(section, key)(value)
        except ValueError as error:
            wrong.append(f"{name}: {error}")
    upstream = made.pop("upstreams", None)
    if upstream is not None:
        settings = replace(settings, upstreams=(UpstreamSettings(**upstream),))
    limits = made.pop("limits", {})
    if limits:
        made.setdefault("server", {})["limits"] = replace(settings.server.limits, **limits)
    for section, values in made.items():
        settings = replace(settings, **{section: replace(getattr(settings, section), **values)})
    return settings, wrong


def flag_of(place: tuple[str, str]) -> str:
    """How a key is called on the command line."""
    return _FLAGS.get(place) or f"--{place[1].replace('_', '-')}"


def _reader(section: str, key: str) -> Reader:
    return fields.url if section == "upstreams" else _SECTIONS[section][key]


def _placed(journal: JournalSettings, environ: Mapping[str, str]) -> JournalSettings:
    """A journal that somebody wants and nobody has placed lies where such files of a user lie."""
    if journal.mode == "off" or journal.path is not None:
        return journal
    state = environ.get("XDG_STATE_HOME") or environ.get("LOCALAPPDATA")
    base = Path(state) if state else Path(environ.get("HOME") or Path.home()) / ".local" / "state"
    return replace(journal, path=base / _JOURNAL_FILE)


# --- telling ----------------------------------------------------------------------------------------------------------


def _syntax(message: str, text: str) -> str:
    """Line, key and fault of a text that is no TOML; the parser's message ends with the line, or says: the last."""
    match = _AT.search(message)
    lines = text.rstrip().split("\n")
    number = int(match[1]) if match and match[1] else len(lines)
    key = _KEY.match(lines[number - 1]) if number <= len(lines) else None
    what = message[: match.start()] if match else message
    return f"{number}: " + (f"{key[1]}: " if key else "") + what[:1].lower() + what[1:]


def _told(faults: Iterable[Fault], source: Source) -> Iterator[str]:
    lines = toml_places.places(source.text) if source.text else {}
    placed = [(_line(fault.path, lines), fault) for fault in faults]
    for line, fault in sorted(placed, key=lambda one: one[0]):
        yield f"{source.name}:{line}: {_key(fault.path)}: {fault.message}"


def _line(path: toml_places.Path, lines: Mapping[toml_places.Path, int]) -> int:
    """The line of a key; of the table that lacks it, if it is not there."""
    return next((lines[path[:end]] for end in range(len(path), 0, -1) if path[:end] in lines), 1)


def _key(path: toml_places.Path) -> str:
    made = ""
    for part in path:
        if isinstance(part, int):
            made += f"[{part}]"
        else:
            plain = part.isascii() and part.replace("-", "_").isidentifier()
            made += f"{'.' if made else ''}{part if plain else shown(part)}"
    return made
