"""The pages of people who have signed in, in Chromium: nobody is kept from using them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser

from ratingbook.office.home import Home
from ratingbook.site.opening import open_site
from tests.seldom import SELDOM
from tests.site.browsing import LOOKS, chromium_here, faults, in_a_thread, watched
from tests.site.people import signed_in

pytestmark = pytest.mark.slow
PAGES = {
    "": ["/account/sign-in/", "/account/sign-up/", "/desk/"],
    "anna": ["/account/", "/account/tokens/", "/my/results/", "/my/results/1/1/", "/my/notices/",
             "/desk/"],
    "dora": ["/my/events/", "/my/events/new/", "/my/events/typed/", "/my/drafts/1/",
             "/my/drafts/2/", "/my/reports/1/", "/my/reports/1/correct/", "/account/second/",
             "/account/second/recovery-codes/generate/", "/account/second/webauthn/",
             "/account/password/"],
    "tina": ["/desk/", "/desk/who/", "/desk/who/?report=2&entry=7&q=Echo", "/desk/reports/2/",
             "/desk/runs/", "/desk/runs/2/", "/desk/jobs/", "/desk/jobs/1/", "/desk/corrections/",
             "/desk/reports/2/correct/", "/desk/corrections/new/?what=player&report=1",
             "/desk/corrections/1/?preview=yes", "/desk/decisions/", "/desk/anomalies/?pool=club",
             "/desk/lists/?pool=club&day=2026-03-15", "/desk/audit/", "/desk/outbox/",
             "/desk/notices/", "/desk/people/2/suppress/",
             "/desk/users/", "/desk/policies/", "/desk/backups/", "/desk/webhooks/"],
}  # fmt: skip


ALL = [(role, path) for role, some in PAGES.items() for path in some]
OFTEN = [("", "/account/sign-in/"), ("dora", "/my/drafts/2/"), ("tina", "/desk/who/")]


class Served(NamedTuple):
    """A site that answers, and the sessions of people."""

    base: str
    sessions: dict[str, str]


@pytest.fixture(scope="module")
def served(busy: Home) -> Iterator[Served]:
    """The site over an office in which something of everything waits."""
    open_site(busy.folder)
    sessions = {name: signed_in(name).cookies["sessionid"].value for name in PAGES if name}
    with in_a_thread() as base:
        yield Served(base, sessions)


@pytest.fixture(scope="module")
def chromium(served: Served) -> Iterator[Browser]:
    del served
    with chromium_here() as browser:
        yield browser


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize(
    ("role", "path"),
    [each if each in OFTEN else pytest.param(*each, marks=SELDOM) for each in ALL],
)
def test_nothing_is_in_anybodys_way(chromium, served, role, path, look):
    context = chromium.new_context(**LOOKS[look])
    if role:
        cookie = {"name": "sessionid", "value": served.sessions[role], "url": served.base}
        context.add_cookies([cookie])
    page = context.new_page()
    troubles = watched(page, served.base)
    page.goto(f"{served.base}{path}")
    assert [*faults(page), *troubles] == []
    context.close()
