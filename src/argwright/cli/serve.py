"""`argwright serve`: the mending gateway.

The command reads flags, file and environment, and hands the settings over; everything else is `argwright.proxy`.
"""

from __future__ import annotations

import logging
import os
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from argwright.cli.main import MISUSE, REFUSED

if TYPE_CHECKING:
    from argwright.proxy.settings import GatewaySettings

_SECTIONS = {
    "upstream": ("upstreams", "url"),
    "host": ("server", "host"),
    "port": ("server", "port"),
    "workers": ("server", "workers"),
    "token": ("server", "token"),
    "proxy_from_env": ("server", "proxy_from_env"),
    "max_body": ("limits", "max_body"),
    "max_streams": ("limits", "max_streams"),
    "grace": ("limits", "grace"),
    "heartbeat": ("limits", "heartbeat"),
    "on_invalid": ("mending", "on_invalid"),
    "retries": ("mending", "retries"),
    "on_stall": ("mending", "on_stall"),
    "optimistic": ("mending", "optimistic"),
    "history": ("mending", "history"),
    "policy": ("mending", "policy"),
    "journal": ("journal", "mode"),
    "journal_path": ("journal", "path"),
    "max_days": ("journal", "max_days"),
    "max_mb": ("journal", "max_mb"),
    "alert_after": ("monitor", "alert_after"),
    "alert_webhook": ("monitor", "alert_webhook"),
    "telemetry": ("monitor", "telemetry"),
}  # where a flag stands in the file


@click.command()
@click.option("--upstream", metavar="URL", help="The provider's base, such as https://api.openai.com/v1.")
@click.option("--port", type=int, metavar="N", help="Port to listen on; 0 lets the system choose.  [8790]")
@click.option("--host", metavar="ADDRESS", help="Address to listen on; any but loopback needs --token.  [127.0.0.1]")
@click.option("--token", metavar="TOKEN", help="For page, journal and repair; better in ARGWRIGHT_TOKEN.")
@click.option("--workers", type=int, metavar="N", help="Processes that share the port.  [1]")
@click.option(
    "--config",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Settings as TOML; flags go first.",
)
@click.option("--check", is_flag=True, help="Only say whether the settings are right, with line and key of a fault.")
@click.option(
    "--on-invalid",
    type=click.Choice(["pass", "retry", "error"]),
    help="A refused call: hand it on with a note, ask the model again, or answer with an error.  [pass]",
)
@click.option("--retries", type=int, metavar="N", help="How often the model is asked again for one reply.  [2]")
@click.option(
    "--on-stall",
    type=click.Choice(["count", "reask"]),
    help="A turn that announces an action and makes no call: count it, or ask once more.  [count]",
)
@click.option(
    "--optimistic/--no-optimistic", default=None, help="Pass a call's deltas on while they are a valid beginning."
)
@click.option(
    "--history/--no-history", default=None, help="Make earlier calls of a request acceptable to its provider.  [yes]"
)
@click.option(
    "--policy",
    type=click.Choice(["strict", "exact", "standard", "lenient"]),
    help="Which repairs are trusted.  [standard]",
)
@click.option(
    "--journal",
    type=click.Choice(["off", "metadata", "full"]),
    help="What is kept of a call: nothing, what was decided, or its text as well.  [metadata]",
)
@click.option("--journal-path", metavar="FILE", help="The journal's database.")
@click.option("--max-days", type=float, metavar="N", help="How old an entry of the journal may get.  [30]")
@click.option("--max-mb", type=float, metavar="N", help="How large the journal may get.  [256]")
@click.option("--alert-after", type=int, metavar="N", help="Failures in a row that make an alert.  [3]")
@click.option("--alert-webhook", metavar="URL", help="Where alerts are posted; better in ARGWRIGHT_ALERT_WEBHOOK.")
@click.option("--telemetry/--no-telemetry", default=None, help="Count and trace through OpenTelemetry as well.")
@click.option("--max-body", type=int, metavar="BYTES", help="Longest request that is mended.  [64 MiB]")
@click.option("--max-streams", type=int, metavar="N", help="Requests at once, for each worker.  [1000]")
@click.option("--grace", type=float, metavar="SECONDS", help="Time for open streams at shutdown.  [25]")
@click.option(
    "--heartbeat", type=float, metavar="SECONDS", help="Silence of a mended stream, then a sign of life.  [15]"
)
@click.option(
    "--proxy-from-env/--no-proxy-from-env",
    default=None,
    help="Reach upstreams through HTTPS_PROXY, HTTP_PROXY, but for NO_PROXY.",
)
@click.option(
    "--log-level",
    type=click.Choice(["debug", "info", "warning", "error"]),
    default="warning",
    help="What is said on standard error.  [warning]",
)
def serve(config: Path | None, log_level: str, *, check: bool, **flags: Any) -> int:
    """Serve the mending gateway.

    Point a client's base URL at http://127.0.0.1:PORT/v1: tool calls in the replies come out valid, everything else
    passes through as it is. A page at /_argwright/ shows what models get wrong, /metrics counts it for Prometheus.
    Without an upstream only the page and POST /v1/repair are served.

    \b
      argwright serve --upstream http://localhost:8000/v1 --port 8790
      argwright serve --config gateway.toml --on-invalid retry
      argwright serve --config gateway.toml --check
    """  # noqa: D301  # click's mark for lines that stay as they are
    if find_spec("aiohttp") is None:
        click.echo("argwright: the gateway needs aiohttp; install it with: pip install 'argwright[proxy]'", err=True)
        return MISUSE
    settings = _settings(config, flags)
    if check:
        click.echo(f"{config or 'flags'}: ok, {_told(settings)}")
        return 0
    from argwright.proxy.workers import run

    logging.basicConfig(level=log_level.upper(), format="%(levelname)s %(name)s: %(message)s")
    return REFUSED if run(settings, lambda url: click.echo(_line(settings, url))) else 0


def _settings(config: Path | None, flags: dict[str, Any]) -> GatewaySettings:
    from argwright.proxy.config import Source, load

    given = {_SECTIONS[name]: value for name, value in flags.items() if value is not None}
    if config is None:
        return load(Source(name="flags", flags=given, environ=os.environ))
    text = _text(config)
    return load(Source(text=text, name=str(config), folder=config.parent, flags=given, environ=os.environ))


def _text(config: Path) -> str:
    try:
        return config.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise click.ClickException(f"{config}: UTF-8 was expected, byte {error.start} is none") from None
    except OSError as error:
        raise click.ClickException(f"{config}: {error.strerror or error}") from None


def _told(settings: GatewaySettings) -> str:
    """What the settings come to, in a line."""
    upstreams, mending = settings.upstreams, settings.mending
    parts = [
        f"{len(upstreams)} upstream{'' if len(upstreams) == 1 else 's'}",
        f"on_invalid {mending.on_invalid}",
        f"{len(mending.tools)} tool{'' if len(mending.tools) == 1 else 's'} with settings",
        f"journal {settings.journal.mode}",
        f"{settings.server.host}:{settings.server.port}",
    ]
    return ", ".join(parts)


def _line(settings: GatewaySettings, url: str) -> str:
    to = ", ".join(one.url for one in settings.upstreams)
    serving = f"{url}/v1 → {to}" if to else f"{url}/v1/repair (no upstream)"
    return f"argwright: serving {serving}, page {url}/_argwright/"
