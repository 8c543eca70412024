"""The page in a real browser: nothing a model wrote runs, everything works by keyboard, on a phone, in both languages.

Needs Chromium and playwright; without one of them these tests are skipped.
"""

from __future__ import annotations

import time

import pytest

from .conftest import FAULTS, IMAGE, SCRIPT

WAIT = 15_000  # milliseconds
DESKTOP, PHONE = {"width": 1280, "height": 900}, {"width": 360, "height": 740}
WATCH = """
window.broken = [];
addEventListener("securitypolicyviolation", (event) => window.broken.push(event.violatedDirective + " " + event.blockedURI));
"""


def until(page, expression):
    """Wait until something holds; the page's policy forbids playwright's own way, which is to evaluate a text in it."""
    end = time.monotonic() + WAIT / 1000
    while not page.evaluate(expression):
        assert time.monotonic() < end, expression
        page.wait_for_timeout(10)


class Visitor:
    """A page, and everything that goes wrong on it."""

    def __init__(self, page, url):
        self.page, self.url = page, url
        self.faults, self.hosts = [], set()
        page.set_default_timeout(WAIT)
        page.add_init_script(WATCH)
        page.on("console", lambda message: message.type == "error" and self.faults.append(message.text))
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("request", lambda request: self.hosts.add(request.url.split("/")[2]))

    def go(self, view="#/"):
        """Open a view by its address."""
        if not self.page.url.startswith(self.url):
            self.page.goto(f"{self.url}/_argwright/{view}")
        self.page.evaluate("(view) => { location.hash = view; }", view)
        self.page.wait_for_selector(f"#main[data-view='{view}']")
        return self.page

    def again(self):
        """Open the page anew."""
        self.page.reload()
        self.page.wait_for_selector("#main[data-view]")
        return self.page

    def calls(self):
        """The addresses of all listed calls."""
        self.go()
        return [link.get_attribute("href") for link in self.page.query_selector_all(".calls a")]

    def check(self):
        """Nothing ran, nothing was asked of anybody else, nothing was refused or broken."""
        assert self.page.evaluate("window.owned") is None
        assert self.page.evaluate("window.broken") == []
        assert self.faults == []
        assert self.hosts <= {self.url.split("/")[2], ""}


@pytest.fixture(scope="module")
def full(serve):
    return serve("full")


@pytest.fixture
def visit(browser):
    """Visitors with a window, a language and a liking of their own."""
    contexts = []

    def _visit(url, viewport=DESKTOP, locale="en-US", scheme="light"):
        contexts.append(browser.new_context(viewport=viewport, locale=locale, color_scheme=scheme))
        return Visitor(contexts[-1].new_page(), url)

    yield _visit
    for context in contexts:
        context.close()


def test_nothing_that_a_model_wrote_runs(visit, full):
    visitor = visit(full)
    addresses = visitor.calls()
    assert len(addresses) == len(FAULTS)
    shown = []
    for address in addresses:
        page = visitor.go(address)
        assert page.evaluate("document.querySelectorAll('script').length") == 2
        assert page.evaluate("[...document.images].every((image) => image.src.endsWith('icon.svg'))")
        shown.append(page.inner_text("#main"))
    assert any(SCRIPT in text and IMAGE in text for text in shown)  # as text
    visitor.check()


def test_nothing_that_is_pasted_into_the_playground_runs(visit, full):
    visitor = visit(full)
    page = visitor.go("#/try")
    page.fill("#try-text", "{'query': '" + SCRIPT + IMAGE + "', '" + IMAGE + "': 1}")
    page.fill("#try-name", SCRIPT)
    page.press("#try-text", "Control+Enter")
    page.wait_for_selector("#result .badge.refused")
    assert SCRIPT in page.inner_text("#result .raw")
    visitor.check()


def test_the_playground_answers(visit, full):
    visitor = visit(full)
    page = visitor.go("#/try")
    page.fill("#try-text", "{'query': '9007199254740993', 'limit': '9007199254740993',}")
    page.click("button[type=submit]")
    page.wait_for_selector("#result .badge.mended")
    assert page.inner_text("#result .fields tbody tr:nth-child(2)").split() == [
        "/limit",
        "(changed)",
        '"9007199254740993"',
        "9007199254740993",
    ]
    page.fill("#try-schema", '{"type": "objekt"}')
    page.click("button[type=submit]")
    page.wait_for_selector("#wrong-schema:visible")
    assert page.get_attribute("#try-schema", "aria-invalid") == "true"
    page.fill("#try-schema", "{")
    page.click("button[type=submit]")
    assert "not JSON" in page.inner_text("#wrong-schema")
    for example in page.query_selector_all(".examples button"):
        example.click()
        page.wait_for_selector("#result .headline")
    assert visitor.page.evaluate("window.broken") == []


def test_a_call_shows_its_repairs_in_place_and_its_fields(visit, full):
    visitor = visit(full)
    page = visitor.go(visitor.calls()[-1])  # the first of the faults
    assert page.inner_text(".raw").replace("\n", "") == "{1'query': '上海 🍜', 'limit': 32,}"
    assert [one.inner_text() for one in page.query_selector_all("mark")][-1:] == [","]
    page.click("[data-mark='2']")
    assert page.evaluate("document.activeElement.dataset.repair") == "2"
    assert page.inner_text("mark.lit") == ","
    assert "no value changed" in page.inner_text("#main")


def test_what_cannot_be_seen_is_written_out(visit, full):
    visitor = visit(full)
    page = visitor.go(visitor.calls()[-2])
    assert [one.inner_text() for one in page.query_selector_all(".raw .hidden-character")] == [
        "U+202E",
        "U+2028",
        "U+200B",
    ]
    assert "👩‍👩‍👧" in page.inner_text(".raw")


def test_long_texts_are_folded(visit, full):
    visitor = visit(full)
    page = visitor.go(visitor.calls()[-6])
    short = len(page.inner_text(".raw"))
    page.click(".raw .fold")
    assert short < 2_000 < 15_000 < len(page.inner_text(".raw"))


def test_filters_narrow_everything_and_lie_in_the_address(visit, full):
    visitor = visit(full)
    page = visitor.go()
    page.click("[data-key='row-tool-log_in']")
    page.wait_for_selector(".chip")
    until(page, "document.querySelectorAll('.calls tbody tr').length === 2")
    assert page.url.endswith("#/?tool=log_in")
    page.click(".calls a")
    page.wait_for_selector(".headline")
    page.go_back()
    page.wait_for_selector(".chip")
    page.click(".chip")
    until(page, f"document.querySelectorAll('.calls tbody tr').length === {len(FAULTS)}")
    visitor.check()


def test_everything_works_by_keyboard(visit, full):
    visitor = visit(full)
    page = visitor.go()
    press = page.keyboard.press

    press("Tab")
    assert page.evaluate("document.activeElement.id") == "skip"
    press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"

    _tab_to(page, "[name=span]:checked")
    press("ArrowLeft")
    until(page, "location.hash === '#/?hours=1'")
    until(page, "document.activeElement.dataset.key === 'span-1'")
    until(page, "document.querySelector('.plot').ariaValueMax < 90")  # that hour's figures came: one a minute

    _tab_to(page, ".plot")
    now = page.get_attribute(".plot", "aria-valuetext")
    press("ArrowLeft")
    assert page.get_attribute(".plot", "aria-valuetext") != now
    assert page.inner_text(".readout").split() == page.get_attribute(".plot", "aria-valuetext").split()

    _tab_to(page, ".calls a")
    press("Enter")
    page.wait_for_selector(".headline h1")
    until(page, "document.activeElement.tagName === 'H1'")
    press("Escape")
    page.wait_for_selector(".calls")
    until(page, "location.hash === '#/?hours=1'")

    page.focus("[data-key=words]")
    press("Enter")
    assert page.is_visible("dialog#words")
    press("Escape")
    assert not page.is_visible("dialog#words")
    assert page.evaluate("document.activeElement.dataset.key") == "words"
    visitor.check()


def _tab_to(page, selector):
    for _ in range(80):
        page.keyboard.press("Tab")
        if page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"Tab does not reach {selector}")


def test_what_is_in_use_stays_in_use_when_the_page_looks_again(visit, full):
    page = visit(full).go()
    page.focus("[data-key='row-tool-search']")
    page.click(".as-table summary")
    page.focus("[data-key='row-tool-search']")
    page.evaluate("document.querySelector('.calls').dataset.old = 'yes'")
    page.evaluate("location.hash = '#/?hours=24'")
    until(page, "document.querySelector('.calls') && !document.querySelector('.calls').dataset.old")
    assert page.evaluate("document.activeElement.dataset.key") == "row-tool-search"
    assert page.evaluate("document.querySelector('.as-table').open")


LOOKS = [("light", "en-US"), ("dark", "zh-CN")]


@pytest.mark.parametrize(("scheme", "locale"), LOOKS)
def test_a_phone_scrolls_only_downwards(visit, full, scheme, locale):
    visitor = visit(full, PHONE, locale, scheme)
    for view in ["#/", "#/try", *visitor.calls()[2:8]]:
        page = visitor.go(view)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], view
    visitor.check()


CONTRAST = """
() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (color) => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1); return [...canvas.getImageData(0, 0, 1, 1).data]; };
  const light = ([r, g, b]) => [r, g, b].map((c) => c / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)).reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const ground = (node) => { for (let at = node; at; at = at.parentElement) { const color = rgba(getComputedStyle(at).backgroundColor); if (color[3] > 250) return color; } return [255, 255, 255, 255]; };
  const poor = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode.parentElement;
    const box = node.getBoundingClientRect();
    if (!walker.currentNode.data.trim() || box.width < 2 || node.closest(".spoken, .skip, option, noscript, dialog:not([open])")) continue;
    const ink = light(rgba(getComputedStyle(node).color)), paper = light(ground(node));
    const ratio = (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
    if (ratio < 4.5) poor.push(`${ratio.toFixed(2)} ${node.tagName}.${node.className}: ${walker.currentNode.data.slice(0, 30)}`);
  }
  return poor;
}
"""
NAMELESS = """
() => [...document.querySelectorAll("button, a, input, select, textarea, [role=slider]")].filter((node) => {
  const label = node.getAttribute("aria-label") || node.labels?.[0]?.textContent || node.textContent || node.title;
  return !label.trim();
}).map((node) => node.outerHTML.slice(0, 80))
"""


@pytest.mark.parametrize(("scheme", "locale"), LOOKS)
def test_texts_can_be_read_and_controls_have_names(visit, full, scheme, locale):
    visitor = visit(full, DESKTOP, locale, scheme)
    for view in ["#/", "#/try", *visitor.calls()[1:9:3]]:
        page = visitor.go(view)
        if view == "#/try":
            page.click("button[type=submit]")
            page.wait_for_selector("#result .card")
        assert page.evaluate(CONTRAST) == [], view
        assert page.evaluate(NAMELESS) == [], view


def test_the_language_is_the_readers_and_can_be_changed(visit, full):
    visitor = visit(full, locale="zh-CN")
    page = visitor.go()
    assert page.get_attribute("html", "lang") == "zh-Hans"
    assert page.inner_text("nav").split() == ["总览", "试一试"]
    page.select_option("[data-key=language]", "en")
    until(page, "document.documentElement.lang === 'en'")
    assert page.inner_text("nav").split() == ["Overview", "Try", "it"]
    assert visitor.again().get_attribute("html", "lang") == "en"  # it is remembered


def test_the_colours_are_the_systems_and_can_be_changed(visit, full):
    def paper(page):
        return page.evaluate("getComputedStyle(document.body).backgroundColor")

    dark, light = visit(full, scheme="dark"), visit(full, scheme="light")
    night, day = paper(dark.go()), paper(light.go())
    assert night != day
    dark.page.select_option("[data-key=theme]", "light")
    assert paper(dark.page) == day
    assert paper(dark.again()) == day  # it is remembered


def test_each_way_to_keep_a_journal_is_told(visit, serve, tmp_path):
    told = {
        "off": "The journal is off",
        "metadata": "without texts",
    }
    for mode, words in told.items():
        visitor = visit(serve(mode))
        assert words in visitor.go().inner_text("body")
        if mode == "metadata":
            assert "The text of this call was not kept" in visitor.go(visitor.calls()[0]).inner_text("#main")
        visitor.check()
    broken = visit(serve("full", filled=False, path=tmp_path)).go()
    broken.wait_for_selector(".notice.bad")
    assert "The journal has stopped" in broken.inner_text("#main")


def test_an_empty_journal_says_what_to_do(visit, serve):
    visitor = visit(serve("full", filled=False))
    page = visitor.go()
    assert f"{visitor.url}/v1" in page.inner_text("#main")
    visitor.check()


def test_the_door_asks_for_the_token(visit, serve):
    visitor = visit(serve("full", token="geheim-7"), locale="zh-CN")
    page = visitor.page
    page.goto(f"{visitor.url}/_argwright/")
    until(page, "document.documentElement.lang === 'zh-Hans'")
    page.fill("#token", "wrong")
    page.keyboard.press("Enter")
    page.wait_for_selector("#wrong:visible")
    page.fill("#token", "geheim-7")
    page.keyboard.press("Enter")
    page.wait_for_selector("#journal .state")
    assert page.url == f"{visitor.url}/_argwright/"
    assert page.evaluate("document.cookie") == ""
    assert page.evaluate("window.broken") == []
