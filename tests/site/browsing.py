"""Chromium in front of a site: what every page must hold, and pictures of it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from socketserver import ThreadingMixIn
from typing import Any, NamedTuple
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright

from tests.site.test_serving import PROGRAM, asked, free_port

_AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")
_BROWSERS = ("chromium", "chromium-browser", "google-chrome")
_PATIENCE = 120
PICTURES = "RATINGBOOK_PICTURES"
"""A folder into which pictures of the pages are put."""
LOOKS: dict[str, dict[str, Any]] = {
    "wide": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "light"},
    "phone": {"viewport": {"width": 390, "height": 800}, "color_scheme": "dark"},
}


PHONE: ViewportSize = LOOKS["phone"]["viewport"]
NARROW: ViewportSize = {"width": 320, "height": 800}
SPACED = """* { line-height: 1.5 !important; letter-spacing: .12em !important;
word-spacing: .16em !important; } p { margin-bottom: 2em !important; }"""
"""What WCAG 1.4.12 lets readers set."""
DESK: ViewportSize = LOOKS["wide"]["viewport"]
STICKS_OUT = """() => [...document.querySelectorAll("body *")]
  .filter(each => each.getBoundingClientRect().right > window.innerWidth + 1)
  .map(each => each.outerHTML.slice(0, 90)).slice(-1).join()"""

BROKEN = """() => {
  const broken = [], here = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = here.nextNode(); text; text = here.nextNode()) {
    if (!text.parentElement.closest("table") || text.parentElement.closest(".hash, code")) continue;
    const hyphenated = getComputedStyle(text.parentElement).hyphens === "auto";
    for (const word of text.data.matchAll(/[\\p{L}\\p{N}]{2,17}(?![\\p{L}\\p{N}\\xad])/gu)) {
      if (hyphenated || /[\\p{L}\\p{N}\\xad]/u.test(text.data[word.index - 1] ?? " ")) continue;
      const range = document.createRange();
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      const tops = [...range.getClientRects()].map(box => box.top);
      if (Math.max(...tops) > Math.min(...tops) + 5) broken.push(word[0]);
    }
  }
  return [...new Set(broken)];
}"""
"""Words of tables that stand on more than one line though no language hyphenated them; what is
longer than words of names are, and codes, may break."""


_STYLED = """text => { const sheet = new CSSStyleSheet(); sheet.replaceSync(text);
document.adoptedStyleSheets = [sheet]; }"""


class Looked(NamedTuple):
    """A site that is looked at: its address, its pages by who reads them, and their sessions."""

    base: str
    pages: Mapping[str, Sequence[str]]
    sessions: Mapping[str, str]


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class _Silent(WSGIRequestHandler):
    def log_message(self, *said: object) -> None:
        del said


@contextmanager
def in_a_thread() -> Iterator[str]:
    """The site of the office that is open, answered by a thread; gives its address."""
    from django.core.handlers.wsgi import WSGIHandler
    from django.db import connections

    connections.close_all()
    server = make_server("127.0.0.1", 0, WSGIHandler(), _Server, _Silent)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()
    connections.close_all()


@contextmanager
def by_command(folder: Path) -> Iterator[str]:
    """The site and its worker as people start them: ``office serve``; gives its address."""
    port = free_port()
    command = ["office", "serve", "--port", str(port), "--home", str(folder)]
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *command], text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    try:
        asked(f"http://127.0.0.1:{port}/", process)
        yield f"http://127.0.0.1:{port}"
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=_PATIENCE)
    finally:
        process.kill()
        # It ends, and its pipes are closed.
        process.communicate()


@contextmanager
def chromium_here() -> Iterator[Browser]:
    """A browser; whatever needs Django is done before: it does not work where Playwright runs."""
    found = os.environ.get("RATINGBOOK_BROWSER") or next(
        filter(None, map(shutil.which, _BROWSERS)), None
    )
    if found is None:
        pytest.skip("there is no Chromium here: install the package chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found)
        yield browser
        browser.close()


def watched(page: Page, base: str) -> list[str]:
    """What goes wrong in a page from now on: errors, and requests to other hosts."""
    troubles: list[str] = []
    expect.set_options(timeout=60_000)
    page.set_default_timeout(60_000)
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("console", lambda m: troubles.append(m.text) if "Content Security" in m.text else None)
    page.on(
        "request",
        lambda r: None if r.url.startswith((base, "data:")) else troubles.append(r.url),
    )
    return troubles


def faults(page: Page) -> list[str]:
    """What axe finds with all folds open, and whether the page is wider than its window."""
    page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    page.evaluate(_AXE)
    # Left off by default, though WCAG 2.2 AA asks for it.
    found = page.evaluate("() => axe.run({rules: {'target-size': {enabled: true}}})")
    assert found["passes"]
    wrong = [
        f"{each['id']} ({each['impact']}): {each['nodes'][0]['html'][:160]}"
        for each in found["violations"]
    ]
    if page.evaluate("document.documentElement.scrollWidth > window.innerWidth"):
        wrong.append("it is wider than the window")
    return wrong


def walked(site: Looked, language: str, window: ViewportSize) -> Iterator[tuple[str, Page]]:
    """Every page of a site in a window, with all folds open: how it is called, and the page."""
    with chromium_here() as browser:
        for role, paths in site.pages.items():
            context = browser.new_context(viewport=window, locale=language)
            if role:
                context.add_cookies(
                    [{"name": "sessionid", "value": site.sessions[role], "url": site.base}]
                )
            page = context.new_page()
            for path in paths:
                answer = page.goto(f"{site.base}{path}")
                assert answer is not None, path
                assert answer.status in (200, 403), path
                assert page.locator("html").get_attribute("lang") == language
                page.evaluate("document.querySelectorAll('details').forEach(x => x.open = true)")
                yield f"{role or 'anybody'} {path[:60]}", page
                name = "".join(x if x.isalnum() else "-" for x in path.strip("/")[:50])
                pictured(page, f"{name}-{language}-{window['width']}")
            context.close()


def too_wide(site: Looked, language: str, window: ViewportSize, style: str = "") -> list[str]:
    """The pages of a site that are wider than their window, with what sticks out."""
    found = []
    for name, page in walked(site, language, window):
        # The site lets no style in but its own; what a reader sets comes from the browser.
        page.evaluate(_STYLED, style)
        wide = page.evaluate("document.documentElement.scrollWidth")
        if wide > window["width"]:
            found.append(f"{name}: {wide} px, {page.evaluate(STICKS_OUT)}")
    return found


def broken_words(site: Looked, language: str, window: ViewportSize) -> list[str]:
    """The pages of a site with words in their tables that break within, with these words."""
    found = []
    for name, page in walked(site, language, window):
        if broken := page.evaluate(BROKEN):
            found.append(f"{name}: {', '.join(broken)}")
    return found


def seen(page: Page, name: str) -> list[str]:
    """The faults of a page on a wide screen by day and on a phone by night; and its pictures."""
    wrong = []
    for look, of in LOOKS.items():
        page.set_viewport_size(of["viewport"])
        page.emulate_media(color_scheme=of["color_scheme"])
        wrong += [f"{name}, {look}: {each}" for each in faults(page)]
        pictured(page, f"{name}-{look}")
    page.set_viewport_size(LOOKS["wide"]["viewport"])
    page.emulate_media(color_scheme="light")
    return wrong


def pictured(page: Page, name: str) -> None:
    """A picture of a page, light and dark, where somebody wants some."""
    folder = os.environ.get(PICTURES)
    if folder:
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            page.screenshot(path=f"{folder}/{name}-{scheme}.png", full_page=True)
