"""Nobody comes to a page but whom the table lets in: all routes, roles and methods."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.contrib.auth import get_user_model
from django.urls import get_resolver

from ratingbook.site.access import ROUTES, Audience, Rule
from tests.site.people import nobody, signed_in

ROLES = {
    "nobody": set(),
    "gast": {"signed in"},
    "anna": {"signed in", "player"},
    "dora": {"signed in", "director"},
    "olga": {"signed in", "director", "officer"},
    "tina": {"signed in", "director", "officer", "admin"},
}
"""To which audiences people belong, besides everybody."""
METHODS = ("GET", "POST", "PUT", "DELETE")
SIGN_IN = "/account/sign-in/?next="
UNKNOWN = 987_654


def routes() -> Iterator[tuple[str, str]]:
    """Each route's name, and an address of it: of things that are not there."""
    found = get_resolver().reverse_dict
    for name in sorted({key for key in found if isinstance(key, str)}, key=_order):
        possible, _, _, converters = found.getlist(name)[0]
        template, parameters = possible[0]
        values = {
            each: UNKNOWN if type(converters.get(each)).__name__ == "IntConverter" else "1"
            for each in parameters
        }
        yield name, "/" + template % values


def _order(name: str) -> tuple[bool, str]:
    """Who has signed out is nobody any more."""
    return (name == "account_logout", name)


def test_every_route_says_whom_it_is_for(office):
    assert [name for name, _ in routes() if name not in ROUTES] == []


@pytest.mark.parametrize("role", ROLES)
def test_the_table_is_what_happens(office, role):
    # Who has no password at all is asked for none: allauth refuses such pages by itself.
    get_user_model()._default_manager.update(password="argon2$of nobody")
    client = nobody() if role == "nobody" else signed_in(role)
    wrong = []
    for name, path in routes():
        rule = ROUTES[name]
        is_allowed = rule.audience == Audience.everybody or rule.audience in ROLES[role]
        for method in METHODS:
            answer = client.generic(method, path)
            said = _said(answer.status_code, answer.get("Location", ""))
            if is_allowed:
                right = said == ("done" if method in rule.methods else "no such method")
            else:
                right = said == ("sign in" if role == "nobody" else "forbidden")
            if not right and not (is_allowed and rule.audience == Audience.everybody):
                wrong.append((name, method, answer.status_code, answer.get("Location")))
            if answer.status_code >= 500 or (said == "forbidden" and is_allowed):
                wrong.append((name, method, answer.status_code, "of what everybody may"))
    assert wrong == []


def _said(status: int, location: str) -> str:
    if status in (301, 302) and location.startswith(SIGN_IN):
        return "sign in"
    return {403: "forbidden", 405: "no such method"}.get(status, "done")


def test_nothing_is_written_by_a_form_from_elsewhere(office):
    client = signed_in("tina", enforce_csrf_checks=True)
    answers = {name: client.post(path) for name, path in routes() if "POST" in ROUTES[name].methods}
    assert {name: a.status_code for name, a in answers.items() if a.status_code != 403} == {}
    assert b"out of date" in answers["account_change_password"].content


def test_a_route_that_says_nothing_is_for_nobody(office, monkeypatch):
    monkeypatch.delitem(ROUTES, "home")
    assert signed_in("tina").get("/").status_code == 403


def test_a_refusal_is_told_in_the_frame(office, monkeypatch):
    monkeypatch.setitem(ROUTES, "home", Rule(Audience.officer))
    answer = signed_in("dora").get("/")
    assert answer.status_code == 403
    assert b"It is for the role officer." in answer.content
    assert b'class="site-head"' in answer.content


def test_a_part_that_asks_for_itself_lets_the_page_go_to_sign_in(office):
    answer = nobody().get("/account/", headers={"hx-request": "true"})
    assert answer["HX-Redirect"] == f"{SIGN_IN}/account/"


def test_what_is_for_some_lies_in_no_cache(office):
    assert signed_in("dora").get("/account/")["Cache-Control"] == "private, no-store"
    assert "no-store" not in nobody().get("/").get("Cache-Control", "")
