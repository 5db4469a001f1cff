"""The public pages in Chromium: axe finds nothing, nothing sticks out, no other host is asked."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Iterator
from importlib.resources import files
from socketserver import ThreadingMixIn
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.site.world import NIGHT, WINTER

pytestmark = pytest.mark.slow
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
WIDE, PHONE = 1280, 390
PAGES = (
    "/", "/search?q=alpha", "/players/1", "/players/1/changes/1/2026-02-01", "/events",
    f"/events/{WINTER}", f"/events/{NIGHT}?notation=aga", "/nowhere",
)  # fmt: skip


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class _Silent(WSGIRequestHandler):
    def log_message(self, *said: object) -> None:
        del said


@pytest.fixture(scope="module")
def address(world) -> Iterator[str]:
    from django.core.handlers.wsgi import WSGIHandler
    from django.db import connections

    from ratingbook.office.acts import setup

    setup.open_office(world.folder)
    server = make_server("127.0.0.1", 0, WSGIHandler(), _Server, _Silent)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    connections.close_all()


@pytest.fixture(scope="module")
def browser_of_tests(address: str) -> Iterator[Browser]:
    # The site comes first and goes last: Django does not work where Playwright runs.
    del address
    found = os.environ.get("RATINGBOOK_BROWSER") or next(
        filter(None, map(shutil.which, BROWSERS)), None
    )
    if found is None:
        pytest.skip("there is no Chromium here: install the package chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found)
        yield browser
        browser.close()


@pytest.mark.parametrize(("width", "scheme"), [(WIDE, "light"), (PHONE, "dark")])
@pytest.mark.parametrize("path", PAGES)
def test_axe_finds_nothing_and_nothing_sticks_out(browser_of_tests, address, path, width, scheme):
    context = browser_of_tests.new_context(
        viewport={"width": width, "height": 900}, color_scheme=scheme
    )
    page, troubles, asked = context.new_page(), [], []
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(address + path)
    page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    page.evaluate(AXE)
    found = page.evaluate("rules => axe.run(document, {runOnly: rules})", RULES)["violations"]
    assert [(each["id"], each["nodes"][0]["html"][:200]) for each in found] == []
    root = "document.documentElement"
    assert page.evaluate(f"{root}.scrollWidth - {root}.clientWidth") <= 0
    assert troubles == []
    assert all(url.startswith((address, "data:")) for url in asked)
    context.close()
