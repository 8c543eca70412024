"""The pictures of the results: well-formed, in both schemes, each length as its figure says."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from benchmarks.pictures import Bar, Picture, Section

SVG = "{http://www.w3.org/2000/svg}"


def widths(picture):
    return [float(rect.get("width")) for rect in ET.fromstring(picture.svg()).iter(f"{SVG}rect")]


def test_lengths_are_proportional():
    picture = Picture("p", "a title", "seconds", [Bar("one", 1.0, "1 s", own=True), Bar("a < b & c", 4.0, "4 s")])
    one, other = widths(picture)
    assert other == pytest.approx(4 * one, rel=0.01)
    root = ET.fromstring(picture.svg())
    assert "a < b & c" in [text.text for text in root.iter(f"{SVG}text")]
    assert [rect.get("class") for rect in root.iter(f"{SVG}rect")] == ["own", "other"]
    assert "prefers-color-scheme: dark" in picture.svg()
    assert root.get("aria-label") == "a title: one: 1 s; a < b & c: 4 s"


def test_logarithmic_lengths_grow_by_the_same_step():
    found = widths(Picture("p", "t", "n", [Bar("a", 20, ""), Bar("b", 200, ""), Bar("c", 2000, "")], logarithmic=True))
    assert found[2] - found[1] == pytest.approx(found[1] - found[0], abs=0.2)


@pytest.mark.parametrize("values", [(0.0, 0.0), (5.0, 5.0)])
def test_equal_figures(values):
    assert len(set(widths(Picture("p", "t", "n", [Bar("a", value, "") for value in values])))) == 1


def test_a_section_shows_its_pictures_first(tmp_path):
    picture = Picture("speed", "how fast", "n", [Bar("a", 1, "1")])
    section = Section("Speed", "| a |\n|---|", [picture])
    assert section.markdown() == "## Speed\n\n![how fast](pictures/speed.svg)\n\n| a |\n|---|"
    assert picture.write(tmp_path).read_text(encoding="utf-8") == picture.svg()
