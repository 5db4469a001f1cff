"""From where requests come: by what proxies say, and by how much of an address they are counted."""

from __future__ import annotations

import json
import logging
from typing import Any

import pytest
from django.test import Client

from ratingbook.site import adapter
from tests.site.people import PASSWORD, nobody

SIGN_IN = "/account/sign-in/"


@pytest.fixture
def proxied(office, monkeypatch) -> Client:
    """Somebody in front of an office that says that two proxies stand before it."""
    from django.conf import settings

    monkeypatch.setattr(settings, "ALLAUTH_TRUSTED_PROXY_COUNT", 2)
    monkeypatch.setattr(settings, "RATINGBOOK_RATES", {"address": 2, "token": 2})
    monkeypatch.setattr("ratingbook.site.api.limits.time.time", lambda: 1_000_020.0)
    adapter.told.cache_clear()
    return nobody()


def asked(browser: Client, said: str, address: str = "10.9.9.9") -> int:
    """The status of a request of which a proxy says from where it is."""
    answer = browser.get("/api/v1/pools", headers={"x-forwarded-for": said}, REMOTE_ADDR=address)
    return int(answer.status_code)


def test_who_comes_by_fewer_proxies_counts_as_who_connects(proxied, caplog):
    """``proxies`` is believed of what proxies say; of less than that nothing is."""
    with caplog.at_level(logging.ERROR, "ratingbook.site"):
        by_one = [asked(proxied, f"203.0.113.{n}") for n in range(3)]
    assert by_one == [200, 200, 429]
    assert asked(proxied, "203.0.113.9", "10.9.9.8") == 200
    assert asked(proxied, "198.51.100.7, 203.0.113.5") == 200
    (line,) = [each.getMessage() for each in caplog.records]
    assert "proxies" in line
    assert "X-Forwarded-For" in line
    assert "203.0.113" not in line


@pytest.mark.parametrize("said", ["203.0.113.5", "nonsense, more of it", ", ,", ""])
def test_signing_in_goes_whatever_a_proxy_says(proxied, said):
    headers: dict[str, Any] = {"x-forwarded-for": said}
    entered = {"login": "dora", "password": PASSWORD}
    for address in ("10.9.9.9", ""):
        answer = proxied.post(SIGN_IN, entered, headers=headers, REMOTE_ADDR=address)
        # The form again: the password is another one.
        assert answer.status_code == 200, (said, address)


def test_a_network_of_ipv6_is_one_address(proxied):
    """Whoever has one such has more addresses than anybody can count."""
    seen = [asked(proxied, f"2001:db8:1:2::{n:x}, 203.0.113.5") for n in range(1, 4)]
    assert seen == [200, 200, 429]
    assert asked(proxied, "2001:db8:1:3::1, 203.0.113.5") == 200
    four = [asked(proxied, f"::ffff:192.0.2.{n}, 203.0.113.5") for n in range(1, 4)]
    assert four == [200, 200, 200]
    assert [asked(proxied, "192.0.2.1, 203.0.113.5") for _ in range(2)] == [200, 429]


def test_a_refusal_of_one_too_many_is_a_problem(proxied):
    answers = [
        proxied.get("/api/v1/pools", headers={"x-forwarded-for": "203.0.113.5"}) for _ in range(3)
    ]
    assert json.loads(answers[-1].content)["findings"][0]["code"] == "site.too-often"
