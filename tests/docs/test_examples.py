from __future__ import annotations

import subprocess
import sys


def test_offline_check(repository):
    done = subprocess.run(
        [sys.executable, "-X", "utf8", repository / "examples" / "offline_check.py"],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        "正常：ok {'location': '上海'}",
        "非法 JSON：json_error 参数不是合法 JSON",
        "缺必填：schema_error 缺少必填 ['location']",
        "未注册：unknown_tool 未注册工具 delete_all",
    ]
