"""What users write is accepted by both type checkers, as strict as they are."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import argwright

CASES = Path(__file__).parent / "cases"
INSTALLED = Path(argwright.__file__).parents[1]


def test_mypy(tmp_path):
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--follow-imports=silent",
        "--cache-dir",
        str(tmp_path),
        str(CASES),
    ]
    environment = {**os.environ, "MYPYPATH": str(INSTALLED)}
    config = tmp_path / "mypy.ini"
    config.write_text("[mypy]\n")
    done = subprocess.run(
        [*command, "--config-file", str(config)], env=environment, capture_output=True, encoding="utf-8", check=False
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stdout


def test_pyright(tmp_path):
    config = {
        "include": [str(CASES)],
        "typeCheckingMode": "strict",
        "extraPaths": [str(INSTALLED)],
        "reportPrivateUsage": True,
    }
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(config))
    done = subprocess.run(
        [sys.executable, "-m", "pyright", "--project", str(tmp_path), "--pythonpath", sys.executable],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
