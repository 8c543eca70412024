from __future__ import annotations

import gzip

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from argwright.batch.log import parts
from argwright.batch.log.inputs import find
from argwright.batch.log.parts import Known, cut


@pytest.fixture(autouse=True)
def small(monkeypatch):
    monkeypatch.setattr(parts, "BLOCK", 100)
    monkeypatch.setattr(parts, "MAX_LINE", 300)


def source(path, data, *, zipped=False):
    path.write_bytes(gzip.compress(data) if zipped else data)
    (found,) = find([str(path)])
    return found


TEXTS = {
    "short lines": b"".join(b"%d\n" % number for number in range(200)),
    "no break at the end": b"a\nb\nc",
    "blank lines": b"\n\n\na\n\n",
    "one line longer than a block": b"x" * 250 + b"\nshort\n",
    "only a line longer than a block": b"x" * 250,
    "a line of exactly the limit": b"x" * 299 + b"\nshort\n",
    "a line over the limit": b"a\n" + b"x" * 1_000 + b"\nb\n" + b"y" * 5_000,
    "a block that ends in a break": b"x" * 99 + b"\n" + b"y" * 99 + b"\n",
    "no breaks but U+2028": "a\u2028b\u0085c\x0b\n".encode() * 30,
    "nothing": b"",
}  # fmt: skip


@pytest.mark.parametrize("zipped", [False, True], ids=["plain", "gzip"])
@pytest.mark.parametrize("name", TEXTS)
def test_parts_are_whole_lines_and_the_whole_file(tmp_path, name, zipped):
    data = TEXTS[name]
    found = list(cut(source(tmp_path / "log", data, zipped=zipped), {}))
    assert [part.start for part in found] == [0, *(part.end for part in found[:-1])][: len(found)]
    assert (found[-1].end if found else 0) == len(data)
    first = 1
    for part in found:
        piece = data[part.start : part.end]
        assert (part.first, part.lines) == (first, len(piece.removesuffix(b"\n").split(b"\n")))
        assert part.end == len(data) or piece.endswith(b"\n")
        assert part.form == ("fault" if len(piece) > 300 else "lines")
        assert part.data == (piece if zipped and part.form == "lines" else b"" if zipped else None)
        first += part.lines
    assert sum(part.weight for part in found) <= (tmp_path / "log").stat().st_size


@pytest.mark.parametrize("zipped", [False, True], ids=["plain", "gzip"])
@pytest.mark.parametrize("name", TEXTS)
def test_known_parts_are_passed_over_and_the_others_are_the_same(tmp_path, name, zipped):
    found = source(tmp_path / "log", TEXTS[name], zipped=zipped)
    whole = list(cut(found, {}))
    for kept in (whole[::2], whole[1::2], whole[:-1], whole[-1:], whole):
        known = {part.start: Known(end=part.end, lines=part.lines) for part in kept}
        again = list(cut(found, known))
        assert [part.key for part in again] == [part.key for part in whole]
        assert [part for part in again if part.start not in known] == [
            part if part.weight == other.weight else other
            for part, other in zip(whole, again, strict=True)
            if part.start not in known
        ]


def test_row_groups(tmp_path):
    path = tmp_path / "log.parquet"
    pq.write_table(pa.table({"name": ["f"] * 25}), path, row_group_size=10)
    (found,) = find([str(path)])
    assert [(part.form, part.start, part.first, part.lines) for part in cut(found, {})] == [
        ("rows", 0, 1, 10), ("rows", 10, 11, 10), ("rows", 20, 21, 5),
    ]  # fmt: skip


@pytest.mark.parametrize(("rows", "group", "expected"), [
    (0, 10, []), (5, 10, [(0, 5)]), (7, 7, [(0, 7)]), (8, 8, [(0, 4), (4, 8)]),
    (23, 14, [(0, 5), (5, 10), (10, 14), (14, 19), (19, 23)]), (90, 90, [(0, 30), (30, 60), (60, 90)]),
])  # fmt: skip
def test_a_large_row_group_is_done_in_parts(tmp_path, monkeypatch, rows, group, expected):
    monkeypatch.setattr(parts, "ROWS", 4)
    monkeypatch.setattr(parts, "PIECES", 3)
    path = tmp_path / "log.parquet"
    pq.write_table(pa.table({"name": ["f"] * rows}), path, row_group_size=group)
    (found,) = find([str(path)])
    cuts = list(cut(found, {}))
    assert [(part.start, part.end) for part in cuts] == expected
    assert [(part.first, part.lines) for part in cuts] == [(start + 1, end - start) for start, end in expected]
    assert 0 <= found.size - sum(part.weight for part in cuts) <= max(found.size * (not rows), len(cuts))


@pytest.mark.parametrize(("data", "why"), [
    (gzip.compress(b"a\n" * 500)[:-9], "damaged gzip data: Compressed file ended before the end-of-stream marker was reached"),
    (b"PAR1 and nothing else", "cannot be read: "),
])  # fmt: skip
def test_a_damaged_file_ends_in_a_part_that_says_so(tmp_path, data, why):
    path = tmp_path / "log"
    path.write_bytes(data)
    *_, last = cut(find([str(path)])[0], {})
    assert last.form == "fault"
    assert last.error is not None
    assert last.error.startswith(why)


def test_a_file_that_is_gone_is_a_part_that_says_so(tmp_path):
    found = source(tmp_path / "log", b"a\n")
    (tmp_path / "log").unlink()
    assert [(part.form, part.first) for part in cut(found, {})] == [("fault", 0)]
