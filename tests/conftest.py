"""What every test shares: hypothesis profiles, and the proof of which argwright is under test.

`make test` sets `ARGWRIGHT_WHEEL` to the folder with the unpacked wheel; then nothing else may be imported.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

import argwright

# No deadline anywhere: time depends on the machine, and what must be linear is tested by ratios.
# A run of the tests gives the same answer twice; what nobody thought of yet is looked for by the thorough profile.
settings.register_profile("steady", max_examples=100, deadline=None, derandomize=True, print_blob=True)
settings.register_profile(
    "thorough",
    max_examples=5_000,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))

HOME = Path(argwright.__file__).resolve().parent


def pytest_configure(config: pytest.Config) -> None:
    wheel = os.environ.get("ARGWRIGHT_WHEEL")
    if wheel and not HOME.is_relative_to((config.rootpath / wheel).resolve()):
        raise pytest.UsageError(f"the wheel in {wheel} is to be tested, but argwright comes from {HOME}")


def pytest_report_header() -> str:
    return f"argwright {argwright.__version__} from {HOME}"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-cases", action="store_true", help="rewrite the golden files from what the code gives now"
    )


@pytest.fixture
def update_cases(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--update-cases"))


@pytest.fixture(scope="session")
def repository(pytestconfig: pytest.Config) -> Path:
    """The root of the repository, where README, examples and benchmarks stand."""
    return pytestconfig.rootpath


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A real browser; without Chromium and playwright the tests that drive one are skipped."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if found is None:
        pytest.skip("no Chromium on this machine")
    with playwright.sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield started
        started.close()
