"""The report in a real browser: nothing acts, nothing runs out of the page, everything can be read and heard.

Needs Chromium and playwright; without one of them these tests are skipped.
"""

from __future__ import annotations

import pytest

from argwright.batch.report import page

from .test_page import EVIL, figures

FAINT = """() => {
  const channels = (colour) => (colour.match(/[\\d.]+/g) || []).map(Number);
  const light = (rgb) => rgb.slice(0, 3).map((c) => c / 255)
    .map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
    .reduce((sum, c, at) => sum + c * [0.2126, 0.7152, 0.0722][at], 0);
  const behind = (node) => {
    for (; node; node = node.parentElement) {
      const colour = getComputedStyle(node).backgroundColor, parts = channels(colour);
      if (colour.startsWith("rgb") && (parts.length === 3 || parts[3] === 1)) return parts;
    }
    return [255, 255, 255];
  };
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), faint = [];
  while (walk.nextNode()) {
    const node = walk.currentNode.parentElement;
    if (!walk.currentNode.data.trim() || node.closest("svg, style")) continue;
    const [one, other] = [channels(getComputedStyle(node).color), behind(node)].map(light);
    const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    if (ratio < 4.5) faint.push([walk.currentNode.data.trim().slice(0, 30), node.className, ratio]);
  }
  return faint;
}"""
"""What has less contrast than WCAG 2 asks for of text of normal size."""
UNNAMED = """() => [
  ...[...document.querySelectorAll("th")].filter((cell) => !cell.textContent.trim() || !cell.scope),
  ...[...document.querySelectorAll("table")].filter((table) => !table.querySelector("thead th[scope=col]")),
  ...[...document.querySelectorAll("svg")].filter((chart) => !chart.getAttribute("aria-label")),
].map((node) => node.outerHTML.slice(0, 80))"""


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    for lang in ("en", "zh"):
        (folder / f"{lang}.html").write_text(page(figures(EVIL), lang=lang), encoding="utf-8")
    return folder


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_the_page_can_be_read_everywhere_and_nothing_in_it_acts(browser, report, lang, scheme, width):
    told = []
    shown = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    shown.on("console", lambda message: told.append(message.text))
    shown.on("dialog", lambda dialog: (told.append("dialog"), dialog.dismiss()))
    shown.on("request", lambda request: request.url.startswith("file:") or told.append(request.url))
    shown.goto((report / f"{lang}.html").as_uri())
    assert told == []
    assert shown.evaluate("document.scripts.length + document.images.length") == 0
    assert shown.evaluate("document.documentElement.scrollWidth") == width
    assert shown.evaluate(FAINT) == []
    assert shown.evaluate(UNNAMED) == []
    shown.close()


def test_the_chart_is_there_as_a_table_by_keyboard(browser, report):
    shown = browser.new_page()
    shown.goto((report / "en.html").as_uri())
    shown.keyboard.press("Tab")
    shown.keyboard.press("Enter")
    assert shown.locator("details table tbody tr").all_inner_texts() == [
        "2024-10-04 00:00\t4\t0\t4\t0", "2024-10-04 01:00\t3\t0\t0\t0", "2024-10-04 03:00\t2\t1\t0\t1",
    ]  # fmt: skip
    shown.close()


def test_print_is_light_whatever_the_screen_is(browser, report):
    shown = browser.new_page(color_scheme="dark")
    shown.emulate_media(media="print")
    shown.goto((report / "en.html").as_uri())
    assert shown.evaluate("getComputedStyle(document.body).color") == "rgb(29, 33, 41)"
    assert shown.evaluate(FAINT) == []
    shown.close()
