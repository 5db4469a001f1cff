"""The page of a job in Chromium: it moves on by itself, and takes nobody's place away."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from ratingbook.office.home import Home
from tests.site.browsing import chromium_here, in_a_thread
from tests.site.people import signed_in

pytestmark = pytest.mark.slow


def becomes(number: int, **said: Any) -> None:
    """What a worker writes; beside the browser, whose loop forbids it."""
    from django.db import connections

    from ratingbook.office.store.models import Job

    def written() -> None:
        Job.objects.filter(id=number).update(**said)
        connections.close_all()

    with ThreadPoolExecutor(1) as beside:
        beside.submit(written).result()


def focused(page: Page) -> str:
    """What has the focus."""
    return str(page.evaluate("document.activeElement.innerText"))


@pytest.fixture
def running(office: Home) -> int:
    """A job at work."""
    from ratingbook.office.store.models import Job

    del office
    return Job.objects.create(kind="run", plan={"pool": "club"}, actor="tina", state="running").id


@pytest.fixture
def page(running: int) -> Iterator[Page]:
    """Its page, before an officer."""
    session = signed_in("tina").cookies["sessionid"].value
    with in_a_thread() as base, chromium_here() as browser:
        context = browser.new_context(locale="en-GB")
        context.add_cookies([{"name": "sessionid", "value": session, "url": base}])
        page = context.new_page()
        # Every node that comes into the region that is read out.
        page.add_init_script("""addEventListener("DOMContentLoaded", () => {
          window.heard = [];
          const told = all => window.heard.push(all[0].target.innerText.trim());
          const region = document.querySelector("[role=status]");
          new MutationObserver(told).observe(region, {childList: true, subtree: true});
        })""")
        page.goto(f"{base}/desk/jobs/{running}/")
        yield page


@pytest.mark.parametrize(("role", "name", "then"), [
    ("button", "Cancel it", "Jobs"),
    ("link", "Look again", "Look at what differs"),
])  # fmt: skip
def test_who_is_on_a_button_stays_there_and_hears_once_that_it_is_over(
    page, running, role, name, then
):
    page.get_by_role(role, name=name).focus()
    becomes(running, note="rate", done=1, total=2)
    expect(page.get_by_role("progressbar")).to_have_attribute("value", "50")
    assert focused(page) == name
    becomes(running, state="done", done=2, answer={"run": 2})
    expect(page.get_by_role("status")).to_have_text("done")
    expect(page.get_by_role("link", name="Look at what differs")).to_be_visible()
    assert focused(page) == then
    assert page.evaluate("window.heard") == ["done"]
