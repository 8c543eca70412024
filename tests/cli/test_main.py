from __future__ import annotations

import subprocess
import sys

import pytest

from argwright.cli import main as module


def python(*words: str, stdin: str = "", code: str | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *(["-c", code] if code else ["-m", "argwright"]), *words]
    return subprocess.run(command, input=stdin, capture_output=True, encoding="utf-8", check=False)


def test_python_m():
    done = python("fix", "-", stdin='{"城市": "上海",}')
    assert (done.returncode, done.stdout) == (0, '{"城市":"上海"}\n')


def test_utf8_whatever_the_locale_says():
    code = "import os, sys; os.environ.clear(); from argwright.cli.main import main; sys.exit(main())"
    command = [sys.executable, "-X", "utf8=0", "-c", code, "fix", "-"]
    done = subprocess.run(
        command, input='{"a": "中文",}'.encode(), capture_output=True, check=False, env={"LC_ALL": "C", **_paths()}
    )
    assert (done.returncode, done.stdout.decode()) == (0, '{"a":"中文"}\n')


def _paths() -> dict[str, str]:
    import os

    return {name: os.environ[name] for name in ("PATH", "PYTHONPATH", "SYSTEMROOT") if name in os.environ}


def test_a_reader_that_goes_away_is_no_error():
    code = (
        "import os, sys; from argwright.cli.main import main; r, w = os.pipe(); os.close(r); os.dup2(w, 1); "
        "sys.exit(main())"
    )
    done = python("fix", "-", stdin='{"a": 1}', code=code)
    assert (done.returncode, done.stderr) == (module.BROKEN_PIPE, "")


@pytest.mark.parametrize(
    "words",
    [[], ["nonsense"], ["fix", "--nonsense"], ["fix", "no/such/file"], ["fix", "a", "b"], ["check", "-"]],
    ids=" ".join,
)
def test_misuse(run, words):
    done = run(*words)
    assert done.code == 2
    assert done.out == ""
    assert done.err


@pytest.mark.parametrize(
    "words", [["--help"], ["--version"], ["fix", "-h"], ["rules", "check", "--help"]], ids=" ".join
)
def test_help(run, words):
    done = run(*words)
    assert done.code == 0
    assert done.out
    assert done.err == ""


def test_help_names_every_command(run):
    shown = run("--help").out
    assert all(f"  {name} " in shown for name in ("fix", "explain", "check", "rules", "demo"))


def test_without_the_extra_it_says_what_to_install():
    code = (
        "import sys; sys.modules['click'] = None; import importlib.util as util; found = util.find_spec; "
        "util.find_spec = lambda name: None if name == 'click' else found(name); "
        "from argwright.cli.main import main; sys.exit(main())"
    )
    done = python("fix", code=code)
    assert done.returncode == 2
    assert done.stderr == "argwright: the command line needs click; install it with: pip install 'argwright[cli]'\n"
