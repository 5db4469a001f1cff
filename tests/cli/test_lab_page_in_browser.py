"""The page of ``lab compare --html`` as a reader has it: in Chromium, wide, narrow and on paper."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.cli.test_report_in_browser import AXE, browser, obstacles

__all__ = ["browser"]

EXAMPLES = Path(__file__).parents[2] / "examples" / "history"
WIDE, PHONE = 1280, 390


@pytest.fixture(scope="module")
def address(run, tmp_path_factory: pytest.TempPathFactory) -> str:
    out = tmp_path_factory.mktemp("lab") / "report.html"
    done = run(
        "lab", "compare", EXAMPLES / "games.csv", "--players", EXAMPLES / "players.csv", "-q",
        "--rulebook", "elo,elo:k=10,fide-2009", "--layers", "--html", out,
    )  # fmt: skip
    assert done.status == 0, done.err
    return out.as_uri()


@pytest.fixture
def open_page(browser: Browser, address: str) -> Iterator[object]:
    contexts = []

    def open_(width: int, **more) -> tuple[Page, list[str]]:
        context = browser.new_context(viewport={"width": width, "height": 800}, **more)
        contexts.append(context)
        page, troubles = context.new_page(), []
        page.on("console", lambda message: troubles.append(message.text))
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("request", lambda r: None if r.url == address else troubles.append(r.url))
        page.goto(address)
        return page, troubles

    yield open_
    for context in contexts:
        context.close()


@pytest.mark.parametrize("width", [WIDE, PHONE])
def test_everybody_can_read_it(open_page, width):
    """Nothing is asked for, nothing is in anybody's way, nothing scrolls sideways."""
    page, troubles = open_page(width, color_scheme="light")
    for summary in page.locator("details summary").all():
        summary.click()
    page.evaluate(AXE)
    assert obstacles(page) == []
    page.emulate_media(color_scheme="dark")
    assert obstacles(page, "color-contrast") == []
    assert page.evaluate("document.documentElement.scrollWidth") == width
    for table in page.locator("table").all():
        box = table.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
    assert troubles == []


@pytest.mark.parametrize("width", [WIDE, PHONE])
def test_the_charts_are_drawn(open_page, width):
    """Two of losses, three of groups, one of each of seven systems and of draws for two layers.

    In the third there are too few games to find a layer.
    """
    page, _ = open_page(width, java_script_enabled=True, color_scheme="dark")
    charts = page.locator(".chart[role=img] svg")
    assert charts.count() == 14
    assert [each.inner_text() for each in page.locator("#groups ~ .figures h3").all()] == [
        "Over time", "By rating", "By experience"
    ]  # fmt: skip
    for chart in charts.all():
        box = chart.bounding_box()
        assert box is not None
        assert box["width"] > 250
        assert box["height"] > 100
    circle = page.locator(".chart .mark-symbol path").first
    assert circle.evaluate("each => getComputedStyle(each).fill") == "rgb(116, 203, 208)"
    text = page.locator(".chart .role-axis-label text").first
    assert text.evaluate("each => each.getBoundingClientRect().height") >= 9


def test_it_can_be_read_without_scripts_and_on_paper(open_page):
    page, troubles = open_page(794, java_script_enabled=False)
    assert "fide-2009 expected best what happened." in page.inner_text("main")
    page.emulate_media(media="print")
    assert page.locator(".chart svg").first.is_visible()
    assert not page.locator("details summary").first.is_visible()
    assert page.pdf(prefer_css_page_size=True).startswith(b"%PDF")
    assert troubles == []
