"""The workflows say what the project says; what is checked before a release is checked."""

from __future__ import annotations

import importlib.util
import os
import re
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PREFIX = "Programming Language :: Python :: 3."
PYTHONS = [f"3.{line.removeprefix(PREFIX)}" for line in PROJECT["classifiers"] if re.fullmatch(PREFIX + r"\d+", line)]


def steps(workflow):
    return [step for job in workflow["jobs"].values() for step in job["steps"]]


@pytest.fixture(params=WORKFLOWS, ids=lambda path: path.stem)
def workflow(request):
    return yaml.safe_load(request.param.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def release():
    spec = importlib.util.spec_from_file_location("release", ROOT / ".ci" / "release.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_there_are_two():
    assert [path.stem for path in WORKFLOWS] == ["ci", "release"]


def test_every_python_that_is_promised_is_tested(workflow):
    matrices = [job["strategy"]["matrix"]["python"] for job in workflow["jobs"].values() if "strategy" in job]
    assert matrices == [PYTHONS]
    assert PROJECT["requires-python"] == f">={PYTHONS[0]}"


def test_every_job_has_an_end_and_what_it_needs(workflow):
    jobs = workflow["jobs"]
    for name, job in jobs.items():
        assert job["timeout-minutes"] <= 60, name
        needed = job.get("needs", [])
        assert set([needed] if isinstance(needed, str) else needed) <= jobs.keys(), name
    for step in steps(workflow):
        assert ("uses" in step) != ("run" in step), step
        assert "uses" not in step or re.fullmatch(r"[\w-]+/[\w-]+@[\w/.]*v\d+", step["uses"]), step


def test_nobody_may_write_but_who_has_to(workflow):
    assert workflow["permissions"] == {"contents": "read"}
    granted = {name: job["permissions"] for name, job in workflow["jobs"].items() if "permissions" in job}
    assert granted in ({}, {"publish": {"id-token": "write"}, "notes": {"contents": "write"}})


def test_no_host_and_no_secret_is_named(workflow):
    text = yaml.safe_dump(workflow)
    assert re.findall(r"https?://|index-url|secrets\.|password", text) == []


def test_what_is_tested_is_what_is_published():
    jobs = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text(encoding="utf-8"))["jobs"]
    assert jobs["publish"]["needs"] == ["test", "sdist"]
    for name in ("test", "sdist", "publish", "notes"):
        taken = [
            step["with"] for step in jobs[name]["steps"] if step.get("uses", "").startswith("actions/download-artifact")
        ]
        assert taken == [{"name": "dist", "path": "dist/"}], name


def test_commands_of_the_project_exist():
    made = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    for path in WORKFLOWS:
        text = path.read_text(encoding="utf-8")
        assert set(re.findall(r"\bmake (\w+)", text)) <= made
        for script in re.findall(r"(\.ci/[\w.]+)", text):
            assert (ROOT / script).exists(), script
    assert os.access(ROOT / ".ci" / "run", os.X_OK) or os.name == "nt"


GOOD = {
    "pyproject.toml": '[project]\nversion = "1.2.0"\n',
    "src/argwright/__init__.py": '__version__ = "1.2.0"\n',
    "CHANGELOG.md": "# Changelog\n\n## 1.2.0 (2026-12-01)\n\n- New.\n\n## 1.1.0 (2026-11-01)\n\n- Old.\n",
    "changes/README.md": "How fragments are written.\n",
}
CASES = [
    ("good", "v1.2.0", {}, []),
    ("no release", "latest", {}, ["latest is no tag of a release: vX.Y.Z, or vX.Y.ZrcN"]),
    ("another version", "v1.2.1", {}, [
        "pyproject.toml: the version is 1.2.0, the tag says 1.2.1",
        "src/argwright/__init__.py: __version__ is not 1.2.1",
        "CHANGELOG.md has no part for 1.2.1: run `towncrier build --version 1.2.1`",
    ]),
    ("fragments left", "v1.2.0", {"changes/7.added.md": "New.\n"}, [
        "changes/ still holds 7.added.md: the changelog was not made of them",
    ]),
    ("two versions", "v1.2.0", {"src/argwright/__init__.py": '__version__ = "1.1.0"\n'}, [
        "src/argwright/__init__.py: __version__ is not 1.2.0",
    ]),
]  # fmt: skip


@pytest.mark.parametrize(("tag", "changed", "told"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_what_is_checked_before_a_release(release, tmp_path, tag, changed, told):
    for name, text in (GOOD | changed).items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert list(release.problems(tag, tmp_path)) == told


def test_the_notes_are_the_tags_part_of_the_changelog(release, tmp_path):
    (tmp_path / "CHANGELOG.md").write_text(GOOD["CHANGELOG.md"], encoding="utf-8")
    assert [release.notes(tag, tmp_path) for tag in ("v1.2.0", "v1.1.0", "v1.0.0")] == ["- New.", "- Old.", ""]


def test_the_versions_in_the_project_agree(release):
    tag = f"v{PROJECT['version']}"
    assert [told for told in release.problems(tag) if "version" in told and "CHANGELOG" not in told] == []
