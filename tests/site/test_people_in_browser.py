"""The pages of people who have signed in, in Chromium: nobody is kept from using them."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Iterator
from datetime import date
from importlib.resources import files
from typing import NamedTuple
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from ratingbook.office.acts import asking, corrections, jobs, runs
from ratingbook.office.home import Home
from ratingbook.office.store.ledger import Who
from ratingbook.site.opening import open_site
from tests.office import reports
from tests.seldom import SELDOM
from tests.site.people import signed_in
from tests.site.test_directors import send

pytestmark = pytest.mark.slow
AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
PAGES = {
    "": ["/account/sign-in/", "/account/sign-up/", "/desk/"],
    "anna": ["/account/", "/my/results/", "/my/results/1/1/", "/my/notices/", "/desk/"],
    "dora": ["/my/events/", "/my/events/new/", "/my/events/typed/", "/my/drafts/1/",
             "/my/drafts/2/", "/my/reports/1/", "/my/reports/1/correct/", "/account/second/",
             "/account/second/recovery-codes/generate/", "/account/second/webauthn/"],
    "tina": ["/desk/", "/desk/who/", "/desk/who/?report=2&entry=1&q=Echo", "/desk/reports/2/",
             "/desk/runs/", "/desk/runs/2/", "/desk/jobs/", "/desk/jobs/1/", "/desk/corrections/",
             "/desk/corrections/1/?preview=yes", "/desk/decisions/", "/desk/anomalies/?pool=club",
             "/desk/lists/?pool=club&day=2026-03-15", "/desk/audit/", "/desk/outbox/",
             "/desk/users/", "/desk/policies/", "/desk/backups/"],
}  # fmt: skip


ALL = [(role, path) for role, some in PAGES.items() for path in some]
OFTEN = [("", "/account/sign-in/"), ("dora", "/my/drafts/2/"), ("tina", "/desk/who/")]


class _Quiet(WSGIRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


class Served(NamedTuple):
    """A site that answers, and the sessions of people."""

    base: str
    sessions: dict[str, str]


@pytest.fixture(scope="module")
def served(staffed: Home, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The site over an office in which something of everything waits."""
    from django.core.handlers.wsgi import WSGIHandler
    from django.db import connections

    connections.close_all()
    folder = tmp_path_factory.mktemp("browser") / "office"
    shutil.copytree(staffed.folder, folder)
    home = open_site(folder)
    broken = reports.document("Broken Open", "2026-03-28")
    broken["games"][2]["result"] = "7-0"
    send(signed_in("dora"), broken)
    send(signed_in("dora"), reports.document("Fourth Open", "2026-03-28", {("1", "2"): "1-0"}),
         "fourth.json")  # fmt: skip
    corrections.ask(home, [asking.game(1, 1, "0-1")], "typed the wrong way", Who("dora"))
    runs.make(home, "club", date(2026, 4, 1), Who("olga"))
    jobs.enqueue("run", {"pool": "club", "until": "", "refresh": None}, Who("olga"))
    sessions = {name: signed_in(name).cookies["sessionid"].value for name in PAGES if name}
    connections.close_all()
    server = make_server("127.0.0.1", 0, WSGIHandler(), WSGIServer, _Quiet)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield Served(f"http://127.0.0.1:{server.server_port}", sessions)
    server.shutdown()
    thread.join()
    server.server_close()
    connections.close_all()


@pytest.fixture(scope="module")
def chromium(served: Served) -> Iterator[Browser]:
    """After the office is made: no query is made beside the loop of a browser."""
    found = os.environ.get("RATINGBOOK_BROWSER") or next(
        filter(None, map(shutil.which, BROWSERS)), None
    )
    if found is None:
        pytest.skip("there is no Chromium here: install the package chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found)
        yield browser
        browser.close()


def opened(chromium: Browser, served: Served, role: str, **looks) -> tuple[Page, list[str]]:
    """A page in which somebody has signed in, and what goes wrong in it."""
    context = chromium.new_context(**looks)
    if role:
        context.add_cookies(
            [{"name": "sessionid", "value": served.sessions[role], "url": served.base}]
        )
    page, troubles = context.new_page(), []
    page.set_default_timeout(10_000)
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("console", lambda m: troubles.append(m.text) if "Content Security" in m.text else None)
    page.on(
        "request",
        lambda r: None if r.url.startswith((served.base, "data:")) else troubles.append(r.url),
    )
    return page, troubles


def obstacles(page: Page) -> list[str]:
    """What axe finds."""
    page.evaluate(AXE)
    found = page.evaluate("() => axe.run()")
    assert found["passes"]
    return [
        f"{each['id']} ({each['impact']}): {each['nodes'][0]['html'][:160]}"
        for each in found["violations"]
    ]


LOOKS = {
    "wide": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "light"},
    "phone": {"viewport": {"width": 390, "height": 800}, "color_scheme": "dark"},
}


@pytest.mark.parametrize("looks", LOOKS)
@pytest.mark.parametrize(
    ("role", "path"),
    [each if each in OFTEN else pytest.param(*each, marks=SELDOM) for each in ALL],
)
def test_nothing_is_in_anybodys_way(chromium, served, role, path, looks):
    page, troubles = opened(chromium, served, role, **LOOKS[looks])
    page.goto(f"{served.base}{path}")
    wrong = obstacles(page)
    if page.evaluate("document.documentElement.scrollWidth > window.innerWidth"):
        wrong.append("it is wider than the window")
    page.context.close()
    assert [*wrong, *troubles] == []
