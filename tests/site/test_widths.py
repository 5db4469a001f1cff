"""No page is wider than its window: on a phone, and in a language of long words."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ratingbook.office.home import Home
from ratingbook.site.opening import open_site
from tests.site.browsing import PHONE, Looked, in_a_thread, too_wide
from tests.site.people import signed_in
from tests.site.test_people_in_browser import PAGES

pytestmark = pytest.mark.slow
MORE = {
    "": ["/", "/events", "/events/1", "/players/1", "/lists", "/lists/club/2026-03-01",
         "/corrections", "/search?q=alpha", "/status", "/statistics", "/downloads", "/rules",
         "/api", "/privacy", "/whatif"],
    "anna": [],
    "dora": ["/my/reports/2/"],
    "tina": ["/desk/reports/1/", "/desk/reports/3/", "/desk/reports/5/", "/desk/runs/1/"],
}  # fmt: skip
"""Pages beside those that axe looks at."""


@pytest.fixture(scope="module")
def served(busy: Home) -> Iterator[Looked]:
    """The site over an office in which something of everything waits."""
    open_site(busy.folder)
    sessions = {name: signed_in(name).cookies["sessionid"].value for name in PAGES if name}
    with in_a_thread() as base:
        yield Looked(base, {role: [*PAGES[role], *MORE[role]] for role in PAGES}, sessions)


@pytest.mark.parametrize("language", ["en", "de"])
def test_on_a_phone_no_page_scrolls_sideways(served, language):
    found = too_wide(served, language, PHONE)
    assert not found, "\n".join(found)
