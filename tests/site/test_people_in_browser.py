"""The pages of people who have signed in, in Chromium: nobody is kept from using them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import pytest
from django.contrib.auth import get_user_model
from playwright.sync_api import Browser, expect

from ratingbook.office.home import Home
from ratingbook.site.opening import open_site
from tests.seldom import SELDOM
from tests.site.browsing import LOOKS, chromium_here, faults, in_a_thread, watched
from tests.site.people import PASSWORD, signed_in

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


def test_a_passkey_lets_in_and_one_that_is_not_taken_is_told(office):
    user = get_user_model()._default_manager.get(username="dora")
    user.set_password(PASSWORD)
    user.save()
    with in_a_thread() as base, chromium_here() as browser:
        # Passkeys are of names, and of no numbers.
        site, page = base.replace("127.0.0.1", "localhost"), browser.new_page()
        keys = page.context.new_cdp_session(page)
        keys.send("WebAuthn.enable")
        key = {"protocol": "ctap2", "transport": "internal", "hasResidentKey": True,
               "hasUserVerification": True, "isUserVerified": True,
               "automaticPresenceSimulation": True}  # fmt: skip
        made = keys.send("WebAuthn.addVirtualAuthenticator", {"options": key})
        page.goto(f"{site}/account/sign-in/")
        page.fill("[name=login]", "dora")
        page.fill("[name=password]", PASSWORD)
        page.keyboard.press("Enter")
        page.wait_for_url("**/account/")
        page.goto(f"{site}/account/second/webauthn/add/")
        page.fill("[name=password]", PASSWORD)
        page.keyboard.press("Enter")
        page.fill("main [name=name]", "Ring")
        page.check("main [name=passwordless]")
        page.click("#mfa_webauthn_add")
        page.wait_for_url("**/recovery-codes/**")
        page.context.clear_cookies()
        for is_verified, shown in ((False, 1), (True, 0)):
            verified = {"authenticatorId": made["authenticatorId"], "isUserVerified": is_verified}
            keys.send("WebAuthn.setUserVerified", verified)
            page.goto(f"{site}/account/sign-in/")
            expect(page.get_by_role("alert").filter(visible=True)).to_have_count(0)
            page.click("#passkey_login")
            if shown:
                expect(page.get_by_role("alert")).to_contain_text("was not taken")
                assert faults(page) == []
            else:
                page.wait_for_url("**/account/")
