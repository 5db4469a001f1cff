"""Nobody comes to a page but whom the table lets in: all routes, roles and methods."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import get_resolver
from django.utils.html import escape

from ratingbook.site.access import ROUTES, Audience, Rule
from ratingbook.site.tokens import SCOPES
from tests.site.people import by_token, nobody, signed_in

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


@pytest.fixture(autouse=True)
def often(office, monkeypatch):
    """The matrix asks for more than anybody may in a minute."""
    from django.conf import settings

    monkeypatch.setattr(settings, "RATINGBOOK_RATES", {"address": 10**6, "token": 10**6})


def routes() -> Iterator[tuple[str, str]]:
    """Each route's name, and an address of it: of things that are not there."""
    resolver = get_resolver()
    yield from _routes(resolver.reverse_dict)
    for space, (begins, inner) in resolver.namespace_dict.items():
        for name, path in _routes(inner.reverse_dict):
            yield f"{space}:{name}", f"/{begins}{path.removeprefix('/')}"


def _routes(found: Any) -> Iterator[tuple[str, str]]:
    for name in sorted({key for key in found if isinstance(key, str)}, key=_order):
        possible, _, _, converters = found.getlist(name)[0]
        template, parameters = possible[0]
        values = {each: _value(converters.get(each)) for each in parameters}
        yield name, "/" + template % values


def _value(converter: object) -> object:
    kind = type(converter).__name__
    return UNKNOWN if kind in ("IntConverter", "Number") else {"Day": "2020-01-01"}.get(kind, "1")


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
    program = nobody() if role == "nobody" else by_token(role)
    wrong = []
    for name, path in routes():
        rule = ROUTES[name]
        if rule.audience is Audience.everybody and role not in ("nobody", "tina"):
            # What is for everybody is tried by those who have least and most.
            continue
        is_allowed = rule.audience == Audience.everybody or rule.audience in ROLES[role]
        for method in METHODS:
            answer = (program if name.startswith("api:") else client).generic(method, path)
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
    return {401: "sign in", 403: "forbidden", 405: "no such method"}.get(status, "done")


def test_a_token_does_what_its_scope_says_and_no_more(office):
    wrong, asked = [], 0
    for role, scope in product({*ROLES} - {"nobody"}, SCOPES):
        program = by_token(role, scope)
        for name, path in routes():
            rule = ROUTES[name]
            if rule.audience is Audience.everybody or not name.startswith("api:"):
                continue
            for method in rule.methods:
                may = rule.audience in ROLES[role] and scope in rule.scopes(method)
                status = program.generic(method, path).status_code
                asked += 1
                if (status == 403) is may or status >= 500:
                    wrong.append((role, scope, name, method, status))
    assert wrong == []
    assert asked >= 100


def test_the_api_does_not_know_whom_a_browser_knows(office):
    client = signed_in("tina")
    wanted = [path for name, path in routes() if name.startswith("api:")
              and ROUTES[name].audience is not Audience.everybody]  # fmt: skip
    assert len(wanted) >= 4
    assert {client.get(path).status_code for path in wanted} == {401}
    assert client.post("/api/v1/reports").status_code == 401


def test_nothing_is_written_by_a_form_from_elsewhere(office):
    client = signed_in("tina", enforce_csrf_checks=True)
    answers = {
        name: client.post(path) for name, path in routes()
        if "POST" in ROUTES[name].methods and not name.startswith("api:")
    }  # fmt: skip
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


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/my/events/typed/", {"name": "Evening", "players": "Alpha, Anna\nBravo, <b>Ben",
                               "games": "1 1 2 1-0"}),
        ("/my/reports/1/correct/", {"game": "1", "reason": "typed the wrong way"}),
        ("/desk/reports/1/", {"act": "hold", "reason": "ask the hall"}),
    ],
)  # fmt: skip
def test_what_was_written_is_not_lost_with_the_session(office, path, said):
    answer = nobody().post(path, said)
    page = answer.content.decode()
    assert answer.status_code == 403
    assert answer["Cache-Control"] == "private, no-store"
    for name in ("players", "games", "reason"):
        for line in said.get(name, "").splitlines():
            assert escape(line) in page
    assert f'href="{SIGN_IN}{path}"' in page, "and back to the form"
    asked = nobody().post("/account/password/", {"oldpassword": "secret", "reason": ""})
    assert b"secret" not in asked.content
    assert nobody().post(path, {"act": "hold"})["Location"] == f"{SIGN_IN}{path}"


def test_what_is_for_some_lies_in_no_cache(office):
    assert signed_in("dora").get("/account/")["Cache-Control"] == "private, no-store"
    assert "no-store" not in nobody().get("/").get("Cache-Control", "")


@pytest.mark.parametrize("method", ["post", "put", "delete"])
def test_a_page_to_which_nothing_can_be_sent_says_so(office, method):
    """A form that is out of date would send whoever asks on a search for a newer one."""
    client = Client(headers={"host": "localhost"}, enforce_csrf_checks=True)
    for address in ("/", "/lists", "/players/1", "/statistics.json"):
        answer = getattr(client, method)(address)
        assert (answer.status_code, answer["Allow"]) == (405, "GET, HEAD"), address
    # Whether there is anything is not said before it is known who asks.
    assert getattr(client, method)("/desk/").status_code == 403


def test_what_needs_a_token_lies_in_no_cache(office):
    """Of all operations; what everybody may read has a mark by which it is asked for anew."""
    program, stranger, wrong, private = by_token("tina"), nobody(), [], 0
    for name, path in routes():
        if not name.startswith("api:"):
            continue
        is_private = ROUTES[name].audience is not Audience.everybody
        private += is_private
        for client, method in product((program, stranger), ROUTES[name].methods):
            answer = client.generic(method, path)
            has = answer.get("Cache-Control"), "Authorization" in answer["Vary"].split(", ")
            mark = answer.get("ETag")
            if is_private and (*has, mark) != ("private, no-store", True, None):
                wrong.append((name, method, answer.status_code, *has, mark))
            is_kept = mark is not None and "no-store" not in str(has[0])
            if answer.status_code == 200 and not is_private and not is_kept:
                wrong.append((name, method, answer.status_code, *has, mark))
    assert wrong == []
    assert private == 6


def _typed_fields(page: str) -> dict[str, str]:
    """What somebody can write into each form of a page, and what was written here."""
    tags = re.findall(r"<(?:input|textarea)\b[^>]*>", page)
    found = {}
    for tag in tags:
        kind = re.search(r'type="(\w+)"', tag)
        name = re.search(r'name="(\w+)"', tag)
        if name and (kind is None or kind[1] in ("text", "email", "url", "number", "date")):
            found[name[1]] = f"written as {name[1]}"
    return found


def test_whatever_was_typed_into_any_form_is_shown_once_the_session_is_over(office):
    """But what is a secret: passwords, codes and tokens are typed on the pages of accounts."""
    tina, seen = signed_in("tina"), 0
    more = ["/desk/corrections/new/?what=opening", "/desk/corrections/new/?what=take_back"]
    pages = [
        path for name, path in routes() if not name.startswith(("api:", "account_", "mfa_"))
        and ROUTES[name].audience is not Audience.everybody
        and {"GET", "POST"} <= {*ROUTES[name].methods}
    ]  # fmt: skip
    for path in [*pages, *more]:
        answer = tina.get(path, follow=True)
        main = answer.content.decode().partition("<main")[2] if answer.status_code == 200 else ""
        typed = _typed_fields(main)
        for field, text in typed.items():
            said = nobody().post(path, {field: text, "csrfmiddlewaretoken": "x", "mark": "y"})
            assert said.status_code == 403, (path, field)
            assert f">{text}</textarea>" in said.content.decode(), (path, field)
            seen += 1
    assert seen > 20


@pytest.mark.parametrize("site", ["cross-site", "same-site", "none"])
def test_no_other_site_puts_its_words_into_a_page(office, site):
    said = {"reason": "Call us at once", "call_this_number": "1"}
    for fetch, is_shown in ((site, False), ("same-origin", True)):
        page = nobody().post("/desk/users/", said, headers={"sec-fetch-site": fetch}, follow=True)
        assert (b"Call us at once" in page.content) is is_shown


def test_no_secret_is_shown_when_the_session_is_over(office):
    fields = ("password", "oldpassword", "password1", "password2", "code", "token", "credential",
              "client_secret", "recovery_codes")  # fmt: skip
    for path in ("/account/password/change/", "/desk/users/", "/account/tokens/"):
        for field in fields:
            answer = nobody().post(path, {field: "zyx987", "name": "x"}, follow=True)
            assert b"zyx987" not in answer.content, (path, field)


def test_it_is_said_that_a_file_was_not_sent(office):
    file = SimpleUploadedFile("spring.json", b"{}")
    page = nobody().post("/my/events/new/", {"files": file}).content.decode()
    assert "so nothing was done" in page
    assert "The file was not sent" in page
    assert "spring.json" in page
    assert "What you have written" not in page
