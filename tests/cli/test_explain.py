from __future__ import annotations


def test_several_repairs_are_marked_in_place(run):
    done = run("explain", stdin="{'城市': '上海', days: 3,}\n")
    assert done.code == 0
    shown = [line.rstrip() for line in done.out.splitlines()]
    assert shown[:3] == ["1 │ {'城市': '上海', days: 3,}", "  │  ~~~~~~~~~~~~~~1 ~~~~2  ~3", ""]
    assert [line.split()[:4] for line in shown[3:6]] == [
        ["1", "single-quotes", "EXACT", "(root)"],
        ["2", "bare-key", "EXACT", "(root)"],
        ["3", "trailing-comma", "EXACT", "(root)"],
    ]
    assert shown[6:] == ["", 'mended: {"城市":"上海","days":3}']


def test_a_refused_text_is_marked_where_reading_stopped(run):
    done = run("explain", stdin='{"path": "a",\n "content": "import os')
    assert done.code == 1
    assert done.out.splitlines()[:3] == [
        '1 │ {"path": "a",',
        '2 │  "content": "import os',
        "  │                       ^!",
    ]
    assert "refused: json_error/truncated at line 2, column 23" in done.out


def test_a_valid_text_says_so(run):
    done = run("explain", stdin='{"a": 1}')
    assert done.out == '1 │ {"a": 1}\n\nvalid as it stands: {"a":1}\n'


def test_violations_are_listed(run, tmp_path):
    schema = tmp_path / "schema.json"
    schema.write_text('{"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}')
    done = run("explain", "--schema", schema, stdin='{"b": 1}')
    assert done.code == 1
    assert "refused: schema_error/missing" in done.out
    assert "\n  /a: " in done.out


def test_what_would_act_on_a_terminal_is_written_out(run):
    done = run("explain", stdin='{"a": "\x1b[31m\u202e",}')
    assert "\x1b" not in done.out
    assert "\u202e" not in done.out
    assert "\\x1b[31m\\u202e" in done.out


def test_a_long_text_is_shown_around_its_marks(run):
    done = run("explain", stdin='{"a": "' + "x" * 500_000 + '",}')
    assert done.code == 0
    assert done.out.count("\n") < 20 + 500_000 // 100  # the value itself is printed whole
