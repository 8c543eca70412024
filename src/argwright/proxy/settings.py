"""Everything that can be set about the gateway, as values: no file, flag or environment is read here.

`config` makes them from a TOML file and from flags; tests make them by hand. A field left out has the default that its
comment gives the reason for. What is wrong in itself (an unknown policy, a negative limit) is a `DeclarationError` of
whoever reads the file, with its line; here values are taken as they are.

    GatewaySettings
        upstreams   UpstreamSettings, in the order in which they are asked for a request
        mending     Mending: what is done about calls; per tool: ToolSettings
        journal     JournalSettings: what is kept
        monitor     MonitorSettings: who is told
        server      ServerSettings: where it listens; its ServerLimits
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from argwright.policy import Limits, Policy

OnInvalid = Literal["pass", "retry", "error"]
"""What a client gets for a refused call: what the model wrote, with a note; a better reply, asked for; an error."""

OnStall = Literal["count", "reask"]
"""What is done about a turn that announces an action and makes no call."""

JournalMode = Literal["off", "metadata", "full"]
"""What is kept of a call: nothing, what was decided, or its text as well (sensitive fields masked)."""


@dataclass(frozen=True, kw_only=True)
class ToolSettings:
    """What is known of one tool beyond what the request declares; the fields are those of `Tool`."""

    aliases: Mapping[str, str] = field(default_factory=dict)
    value_aliases: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    name_aliases: tuple[str, ...] = ()
    sensitive: tuple[str, ...] = ()
    policy: Policy | None = None


@dataclass(frozen=True, kw_only=True)
class Mending:
    """What is done about the tool calls of a reply.

    Args:
        on_invalid: `pass` hands on what the model wrote, with a note; `retry` asks the model again, then errs; `error`
            answers with an error at once.
        retries: how often the model is asked again for one reply.
        on_stall: `reask` asks once more for the call that a turn announced and did not make.
        optimistic: in a stream, a call's deltas are passed on while they are a valid beginning.
        policy: which repairs are trusted, for tools that have no policy of their own.
        limits: what one call may cost.
        without: names of rules that are switched off.
        history: a request's earlier calls are made acceptable to the provider before they are sent on.
        tools: by declared name.
    """

    on_invalid: OnInvalid = "pass"  # asking again costs money, so somebody has to want it
    retries: int = 2  # of the calls that fail, few that failed three times in a row come out well at the fourth
    on_stall: OnStall = "count"  # a guess about prose; asking again for nothing costs a reply
    optimistic: bool = False  # what was sent cannot be taken back
    policy: Policy = Policy.STANDARD
    limits: Limits = Limits()  # noqa: RUF009  # a frozen value
    without: frozenset[str] = frozenset()
    history: bool = True  # a provider refuses every later request for one bad call in the history
    tools: Mapping[str, ToolSettings] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class UpstreamSettings:
    """One provider.

    Args:
        url: its base, such as `https://api.openai.com/v1`; the last `/v1` may be left out.
        name: how it is called in metrics and on the page.
        prefix: requests whose path begins with it go here, without it: `/azure` for `/azure/v1/chat/completions`.
        models: requests for one of these models go here; `*` stands for any characters.
    """

    url: str
    name: str = "default"
    prefix: str = ""
    models: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class JournalSettings:
    """What is kept of the calls, and for how long.

    Args:
        mode: how much of a call is kept.
        path: the database; `None` keeps nothing (the command line names a file where nobody else does).
        max_days: how old an entry may get.
        max_mb: how large the file may get; the oldest go first.
    """

    mode: JournalMode = "metadata"  # no word that a model or a user wrote
    path: Path | None = None
    max_days: float = 30.0  # a month: long enough to compare two releases of a model or a prompt
    max_mb: float = 256.0  # about a million calls without, some 50,000 with their text


@dataclass(frozen=True, kw_only=True)
class MonitorSettings:
    """Who is told of failures.

    Args:
        alert_after: how many failures in a row, of one tool and kind, make an alert.
        alert_webhook: where an alert is posted as JSON; `None`: alerts are only shown and logged.
        telemetry: spans and metrics go to the OpenTelemetry providers that the process has set up.
    """

    alert_after: int = 3  # once is chance, twice a coincidence
    alert_webhook: str | None = field(default=None, repr=False)  # such addresses hold their secret
    telemetry: bool = False


@dataclass(frozen=True, kw_only=True)
class ServerLimits:
    """What one worker takes on. Bytes and seconds; 0 seconds is no limit.

    Bodies that pass through untouched are never held, so they have no limit of size.
    """

    max_body: int = 64 * 1024 * 1024  # of a request that is mended: providers take 32 MB (Anthropic) to 50 (OpenAI)
    max_reply: int = 64 * 1024 * 1024  # of a whole reply that is mended: texts stay below 1 MB, images do not
    max_streams: int = 1000  # requests at once; each holds two sockets and some 100 KB
    connect: float = 10.0  # to reach the upstream: three times the first retransmission of a lost packet
    first_byte: float = 600.0  # until the upstream begins to answer, for a whole reply at its end: the SDKs' own limit
    idle: float = 300.0  # between two pieces: reasoning models are silent for minutes, many servers send pings
    total: float = 3600.0  # of one exchange, with everything that was asked again
    client_idle: float = 60.0  # for a client to send the next piece of its request
    heartbeat: float = 15.0  # of silence in a mended stream: what the HTML standard advises, well below balancers' 60
    grace: float = 25.0  # for open streams at shutdown: below the 30 s after which orchestrators kill


@dataclass(frozen=True, kw_only=True)
class ServerSettings:
    """Where the gateway listens and who may look into it.

    Args:
        host: the address; page, journal and repair need a token anywhere but on loopback.
        port: 0 lets the system choose.
        workers: processes that share the port.
        token: for page, journal and repair; `None`: everybody who reaches the port.
        public_metrics: `/metrics` needs no token, as Prometheus expects.
        proxy_from_env: upstreams are reached through the proxies that the environment names.
        limits: what one worker takes on.
    """

    host: str = "127.0.0.1"  # what goes through holds keys and private text
    port: int = 8790  # no well-known service has it
    workers: int = 1
    token: str | None = field(default=None, repr=False)
    public_metrics: bool = True  # they hold counts, and names of tools and models
    proxy_from_env: bool = False  # keys go where the settings say, not where a variable does
    limits: ServerLimits = ServerLimits()  # a frozen value


@dataclass(frozen=True, kw_only=True)
class GatewaySettings:
    """All of it. Without an upstream only the page and `POST /v1/repair` are served."""

    upstreams: tuple[UpstreamSettings, ...] = ()
    mending: Mending = Mending()  # a frozen value
    journal: JournalSettings = JournalSettings()  # a frozen value
    monitor: MonitorSettings = MonitorSettings()  # a frozen value
    server: ServerSettings = ServerSettings()  # a frozen value
