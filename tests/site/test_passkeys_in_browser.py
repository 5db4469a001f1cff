"""A passkey in Chromium, by itself: no other browser may be open where Django is asked."""

from __future__ import annotations

import pytest
from django.contrib.auth import get_user_model
from playwright.sync_api import expect

from tests.site.browsing import chromium_here, faults, in_a_thread
from tests.site.people import PASSWORD

pytestmark = pytest.mark.slow


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
