"""Accounts: made by the office, throttled, with second factors, and safe ways back."""

from __future__ import annotations

import json
import re
import time
from datetime import UTC, datetime

import pytest
from allauth.account.forms import ChangePasswordForm
from django.contrib.auth import get_user_model
from django.test import override_settings
from django.urls import reverse

from ratingbook.office.acts import notices, setup
from ratingbook.office.refused import OfficeRefused
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import Who
from ratingbook.site import accounts, second_factors
from ratingbook.site.opening import open_site
from tests.office.officers import Officer
from tests.site.offices import SECRET
from tests.site.people import PASSWORD, by_token, nobody, signed_in

SIGN_IN = "/account/sign-in/"


@pytest.fixture(autouse=True)
def quick_hashes(monkeypatch):
    """Argon2 that takes no time: what it takes on the site is another's test."""
    from django.contrib.auth.hashers import Argon2PasswordHasher

    monkeypatch.setattr(Argon2PasswordHasher, "time_cost", 1)
    monkeypatch.setattr(Argon2PasswordHasher, "memory_cost", 64)


def with_password(name: str) -> None:
    user = get_user_model()._default_manager.get(username=name)
    user.set_password(PASSWORD)
    user.save()


def try_password(client, name: str, password: str, **more):
    return client.post(SIGN_IN, {"login": name, "password": password, **more})


def test_who_has_a_password_signs_in_and_comes_to_what_is_theirs(office):
    with_password("dora")
    client = nobody()
    assert try_password(client, "dora", "something else").status_code == 200
    answer = try_password(client, "dora", PASSWORD)
    assert (answer.status_code, answer["Location"]) == (302, "/account/")
    assert b"director" in client.get("/account/").content


def test_passwords_are_kept_by_argon2(office):
    with_password("dora")
    assert get_user_model()._default_manager.get(username="dora").password.startswith("argon2$")


@pytest.mark.parametrize("back", ["https://elsewhere.example/", "//elsewhere.example/", "///x.y"])
def test_nobody_is_led_elsewhere(office, back):
    with_password("dora")
    answer = try_password(nobody(), "dora", PASSWORD, next=back)
    assert answer["Location"] == "/account/"


def test_who_was_asked_to_sign_in_comes_back(office):
    with_password("dora")
    client = nobody()
    asked = client.get("/account/second/?a=b")
    assert asked["Location"] == f"{SIGN_IN}?next=/account/second/%3Fa%3Db"
    page = client.get(asked["Location"]).content.decode()
    assert 'name="next" value="/account/second/?a=b"' in page
    answer = try_password(client, "dora", PASSWORD, next="/account/second/?a=b")
    assert answer["Location"] == "/account/second/?a=b"


def test_who_guesses_is_made_to_wait_whoever_it_is_that_they_guess(office):
    with_password("dora")
    answers = [try_password(nobody(), "dora", f"guess {n}") for n in range(7)]
    assert b"attempts" in answers[-1].content
    assert try_password(nobody(), "dora", PASSWORD).status_code != 302
    assert list((office.folder / "counted").glob("*")), "counted where all processes see it"


def test_it_is_not_told_which_names_there_are(office):
    pages = [try_password(nobody(), name, "wrong words").content for name in ("dora", "nemo")]
    plain = [re.sub(rb'value="[^"]*"', b"", page) for page in pages]
    assert plain[0] == plain[1]


def test_a_link_is_good_for_one_password(office):
    path = accounts.one_time_link("dora", Who("tina"))
    client = nobody()
    page = client.get(path, follow=True)
    where = page.redirect_chain[-1][0]
    weak = client.post(where, {"password1": "1234567890", "password2": "1234567890"})
    assert b"entirely numeric" in weak.content
    done = client.post(where, {"password1": PASSWORD, "password2": PASSWORD}, follow=True)
    assert b"yours now" in done.content
    assert try_password(nobody(), "dora", PASSWORD).status_code == 302
    assert b"used up" in nobody().get(path, follow=True).content


def test_sign_up_is_closed_unless_the_office_opens_it(office):
    form = {"username": "newcomer", "password1": PASSWORD, "password2": PASSWORD}
    assert b"given by the office" in nobody().post("/account/sign-up/", form).content
    with override_settings(RATINGBOOK_SIGN_UP=True):
        client = nobody()
        assert client.post("/account/sign-up/", form).status_code == 302
        assert b"without a role yet" in client.get("/account/").content


def signed_up(name: str):
    """A browser in which somebody has made an account without the office."""
    form = {"username": name, "password1": PASSWORD, "password2": PASSWORD}
    client = nobody()
    with override_settings(RATINGBOOK_SIGN_UP=True):
        assert client.post("/account/sign-up/", form).status_code == 302
    return client


def test_who_has_signed_up_is_given_a_role(office):
    client, officer = signed_up("newbie"), Officer(office.folder)
    everybody = {each["name"]: each for each in officer.does("user", "list")["users"]}
    assert (everybody["newbie"]["actor"], everybody["newbie"]["roles"]) == ("", [])
    officer.does("actor", "add", "newbie", "--role", "director", "--as", "tina")
    add = ("user", "add", "newbie", "--actor", "newbie", "--as", "tina")
    assert "signed up" in officer.does(*add, status=1)["findings"][0]["remedy"]
    give = ("user", "give", "newbie", "--actor", "newbie", "--as", "tina")
    assert officer.does(*give)["actor"] == "newbie"
    assert client.get("/my/events/").status_code == 200
    for again, code in ((give, "site.has-actor"), (("user", "drop", *give[2:3], *give[5:]),
                                                   "site.has-actor")):  # fmt: skip
        assert [each["code"] for each in officer.does(*again, status=1)["findings"]] == [code]
    assert m.Audit.objects.filter(act="account", subject="actor newbie").exists()


def test_nobody_keeps_a_name_from_the_office_by_signing_up_first(office):
    client, officer = signed_up("otilia"), Officer(office.folder)
    officer.does("user", "drop", "otilia", "--as", "tina")
    assert client.get("/my/events/").status_code == 302, "the session is over"
    setup.add_actor("otilia", ["director"], Who("tina"))
    officer.does("user", "add", "otilia", "--actor", "otilia", "--as", "tina")
    assert try_password(nobody(), "otilia", PASSWORD).status_code == 200


def test_an_administrator_gives_roles_to_who_has_signed_up_on_the_page(office):
    client, tina = signed_up("newbie"), signed_in("tina")
    signed_up("stranger")
    page = tina.get("/desk/users/").content.decode()
    assert page.count("signed up</span>") == 3, "one has no actor in this office anyhow"
    given = {"act": "give", "name": "newbie", "roles": ["director"]}
    assert tina.post("/desk/users/", {**given, "actor": "dora"}).status_code == 422
    assert tina.post("/desk/users/", given).status_code == 302
    assert client.get("/my/events/").status_code == 200
    dropped = tina.post("/desk/users/", {"act": "drop", "name": "stranger"}, follow=True)
    assert b"The account stranger was thrown away." in dropped.content
    page = tina.get("/desk/users/").content.decode()
    assert "stranger" not in page
    assert page.count("signed up</span>") == 1


def test_roles_are_those_that_the_ledger_gives_now(office):
    client = signed_in("dora")
    assert b"director" in client.get("/account/").content
    setup.add_actor("dora", ["officer"], Who("tina"))
    page = client.get("/account/").content
    assert b"officer" in page
    assert b"director" not in page


def test_a_closed_account_ends_its_sessions(office):
    client = signed_in("dora")
    accounts.set_active("dora", Who("tina"), active=False)
    assert client.get("/account/").status_code == 302


def test_what_a_closed_account_had_stays_over_once_it_is_opened_again(office):
    """Who closes one since a device was stolen lets nobody in who has the device."""
    client, program = signed_in("dora"), by_token("dora")
    of_dirk = signed_in("dirk"), by_token("dirk")
    accounts.set_active("dora", Who("tina"), active=False)
    accounts.set_active("dora", Who("tina"), active=True)
    assert client.get("/account/").status_code == 302
    assert program.get("/api/v1/me").status_code == 401
    assert of_dirk[0].get("/account/").status_code == 200
    assert of_dirk[1].get("/api/v1/me").status_code == 200
    assert signed_in("dora").get("/account/").status_code == 200


def test_a_session_by_a_backend_that_is_no_longer_there_signs_in_once_more(office):
    with_password("dora")
    client = signed_in("dora")
    session = client.session
    session["_auth_user_backend"] = "allauth.account.auth_backends.AuthenticationBackend"
    session.save()
    assert b"dora" not in client.get("/").content
    asked = client.get("/account/")
    assert (asked.status_code, asked["Location"]) == (302, f"{SIGN_IN}?next=/account/")
    assert client.get(asked["Location"]).status_code == 200
    answer = try_password(client, "dora", PASSWORD, next="/account/")
    assert answer["Location"] == "/account/"
    assert b"director" in client.get("/account/").content


@pytest.mark.parametrize(
    ("name", "actor", "password", "code"),
    [
        ("", "olga", None, "site.user"),
        ("new", "nemo", None, "office.actor"),
        ("new", "system", None, "office.actor"),
        ("DORA", "olga", None, "site.user-exists"),
        ("new", "olga", None, "site.actor-taken"),
    ],
)
def test_an_account_that_cannot_be_is_refused(office, name, actor, password, code):
    with pytest.raises(OfficeRefused) as refused:
        accounts.add_user(name, actor, Who("tina"), password)
    assert [each.code for each in refused.value.findings] == [code]


def test_only_who_may_add_actors_adds_accounts(office):
    with pytest.raises(OfficeRefused):
        accounts.add_user("new", "olga", Who("olga"))
    with pytest.raises(OfficeRefused):
        accounts.one_time_link("tina", Who("olga"))


def test_cookies_are_for_https_only_where_the_office_is_behind_it(office):
    assert not nobody().get(SIGN_IN).cookies["csrftoken"]["secure"]
    says = json.loads((office.folder / "office.json").read_text("utf-8"))
    text = json.dumps({**says, "site": {"url": "https://ratings.example"}})
    (office.folder / "office.json").write_text(text)
    open_site(office.folder)
    client = nobody()
    answer = client.get(SIGN_IN, headers={"host": "ratings.example"}, secure=True)
    cookie = answer.cookies["csrftoken"]
    assert (cookie["secure"], cookie["httponly"], cookie["samesite"]) == (True, True, "Lax")
    assert "Strict-Transport-Security" in answer
    open_site_again(office)


def open_site_again(office) -> None:
    says = json.loads((office.folder / "office.json").read_text("utf-8"))
    says.pop("site", None)
    (office.folder / "office.json").write_text(json.dumps(says))
    open_site(office.folder)


def test_each_office_signs_by_a_secret_of_its_own(office, staffed):
    keys = [(home.folder / "site.key") for home in (office, staffed)]
    assert (keys[0].stat().st_mode & 0o777) == 0o600
    keys[0].unlink()
    open_site(office.folder)
    assert keys[0].read_text() != keys[1].read_text()
    assert len(keys[0].read_text()) > 50


def set_up_app(client):
    """Set up an authenticator app in a browser in which somebody has signed in."""
    from allauth.mfa.totp.internal import auth

    activate = "/account/second/totp/activate/"
    assert client.get(activate)["Location"].startswith("/account/again/"), "asked once more"
    client.post("/account/again/", {"password": PASSWORD})
    page = client.get(activate)
    assert page.status_code == 200
    secret = client.session["mfa.totp.secret"]
    counter = next(iter(auth.yield_hotp_counters_from_time()))
    code = auth.format_hotp_value(auth.hotp_value(secret, counter))
    done = client.post(activate, {"code": code})
    assert done.status_code == 302


def test_an_authenticator_app_is_a_second_factor(office):
    with_password("dora")
    client = nobody()
    assert try_password(client, "dora", PASSWORD).status_code == 302
    set_up_app(client)
    again = nobody()
    answer = try_password(again, "dora", PASSWORD)
    assert answer["Location"].startswith("/account/second/authenticate/")
    assert again.get("/account/").status_code == 302, "not signed in by the password alone"


def code_of(step: int) -> str:
    """The code that the app of an officer shows so many steps from now."""
    from allauth.mfa.totp.internal import auth

    now = int(time.time()) // 30
    return str(auth.format_hotp_value(auth.hotp_value(SECRET, now + step)))


def by_code(code: str) -> int:
    client = nobody()
    assert try_password(client, "olga", PASSWORD).status_code == 302
    return client.post("/account/second/authenticate/", {"code": code}).status_code


@pytest.mark.parametrize("step", [-1, 0, 1])
def test_a_code_is_taken_a_step_before_and_after_and_once(office, monkeypatch, step):
    """Clocks differ; and whoever has looked over a shoulder comes too late."""
    with_password("olga")
    now = (time.time() // 30) * 30 + 15
    monkeypatch.setattr(time, "time", lambda: now)
    assert by_code(code_of(2)) == by_code(code_of(-2)) == 200
    code = code_of(step)
    assert by_code(code) == 302
    for later in (0, 31, 45):
        monkeypatch.setattr(time, "time", lambda later=later: now + later)
        assert by_code(f"{code[:3]} {code[3:]}" if later else code) == 200, later


RUBBISH = (
    "", "x", "{}", "[]", "null", "7", '"a"', "[" * 100_000, "9" * 5000,
    '{"id":"aaaa","rawId":"aaaa","type":"public-key","response":[]}',
    '{"id":"aaaa","rawId":"aaaa","type":"public-key","response":{"clientDataJSON":"e30",'
    '"attestationObject":"AAAA"}}',
    '{"id":"aaaa","rawId":"aaaa","type":"public-key","response":{"clientDataJSON":"e30",'
    '"attestationObject":"oWNmbXRkbm9uZQ"}}',
    '{"id":"aaaa","rawId":"aaaa","type":"public-key","response":{"clientDataJSON":"e30",'
    '"authenticatorData":"AAAA","signature":"AA","userHandle":"MQ"}}',
    '{"id":1,"rawId":{},"type":"public-key","response":{"clientDataJSON":7,"userHandle":[]}}',
)  # fmt: skip


@pytest.mark.parametrize("sent", RUBBISH, ids=range(len(RUBBISH)))
def test_a_passkey_that_is_none_is_told_in_the_form(office, sent):
    with_password("dora")
    client = nobody()
    by_passkey = client.post("/account/second/webauthn/login/", {"credential": sent})
    assert by_passkey.status_code == 302, "it leads back to signing in"
    assert try_password(client, "dora", PASSWORD).status_code == 302
    client.post("/account/again/", {"password": PASSWORD})
    client.get("/account/second/webauthn/add/")
    form = {"name": "n", "credential": sent}
    assert client.post("/account/second/webauthn/add/", form).status_code == 200
    officer = nobody()
    with_password("olga")
    assert try_password(officer, "olga", PASSWORD).status_code == 302
    second = officer.post("/account/second/authenticate/", {"credential": sent})
    assert second.status_code == 200


def test_passkeys_have_their_days_as_all_pages_do(office):
    from allauth.mfa.models import Authenticator

    client, user = signed_in("dora"), get_user_model()._default_manager.get(username="dora")
    Authenticator.objects.create(
        user=user, type="webauthn", data={"name": "Ring", "credential": {}},
        created_at=datetime(2026, 12, 1, tzinfo=UTC),
    )  # fmt: skip
    page = client.get("/account/second/webauthn/").content.decode()
    assert "Ring" in page
    assert "1 Dec 2026" in page


def test_who_has_a_closed_account_is_told_whom_to_ask(office):
    with_password("dora")
    accounts.set_active("dora", Who("tina"), active=False)
    client = nobody()
    assert try_password(client, "dora", PASSWORD)["Location"] == "/account/closed/"
    assert b"ask an administrator of the office" in client.get("/account/closed/").content


def test_a_passkey_is_asked_for_by_the_host_that_is_shown(office):
    asked = nobody().get("/account/second/webauthn/login/", headers={"accept": "application/json"})
    options = asked.json()["request_options"]
    assert options["publicKey"]["rpId"] == "localhost"


def test_the_command_adds_an_account_by_a_link(office):
    officer = Officer(office.folder)
    setup.add_actor("nina", ["director"], Who("tina"))
    said = officer.does("user", "add", "nina", "--actor", "nina", "--as", "tina")
    open_site(office.folder)
    assert nobody().get(said["link"], follow=True).status_code == 200
    # As people see it: an address to open, here that of `serve`, or where the public reaches it.
    assert "\nhttp://127.0.0.1:8000/account/link/" in officer.sees(
        "user", "link", "nina", "--as", "tina"
    )
    says = json.loads((office.folder / "office.json").read_text("utf-8"))
    says["site"] = {"url": "https://ratings.example/"}
    (office.folder / "office.json").write_text(json.dumps(says), "utf-8")
    assert "\nhttps://ratings.example/account/link/" in officer.sees(
        "user", "link", "nina", "--as", "tina"
    )
    open_site_again(office)
    listed = officer.does("user", "list")["users"]
    assert {"name": "nina", "actor": "nina", "roles": ["director"]}.items() <= next(
        each for each in listed if each["name"] == "nina"
    ).items()
    refused = officer.does("user", "add", "nina", "--actor", "nina", "--as", "tina", status=1)
    assert [each["code"] for each in refused["findings"]] == ["site.user-exists"]


def test_a_new_password_ends_tokens_and_other_sessions(office):
    with_password("dora")
    client, other = nobody(), nobody()
    for each in (client, other):
        assert try_password(each, "dora", PASSWORD).status_code == 302
    program, of_dirk = by_token("dora"), by_token("dirk")
    assert program.get("/api/v1/me").status_code == 200
    form = {"oldpassword": PASSWORD, "password1": "quite another word", "password2": "no"}
    assert client.post("/account/password/", form).status_code == 200
    assert program.get("/api/v1/me").status_code == 200, "nothing was changed"
    form["password2"] = form["password1"]
    assert client.post("/account/password/", form).status_code == 302
    assert client.get("/account/").status_code == 200
    assert other.get("/account/").status_code == 302
    assert (program.get("/api/v1/me").status_code, of_dirk.get("/api/v1/me").status_code) == (
        401, 200,
    )  # fmt: skip


def test_a_password_by_link_ends_tokens(office):
    program = by_token("dora")
    client = nobody()
    page = client.get(accounts.one_time_link("dora", Who("tina")), follow=True)
    form = {"password1": PASSWORD, "password2": PASSWORD}
    client.post(page.redirect_chain[-1][0], form)
    assert program.get("/api/v1/me").status_code == 401


def test_officers_and_administrators_need_a_second_factor(office):
    from allauth.mfa.models import Authenticator

    Authenticator.objects.all().delete()
    olga, tina, program = signed_in("olga"), signed_in("tina"), by_token("olga")
    for client, path in ((olga, "/desk/"), (tina, "/desk/users/"), (olga, "/my/events/")):
        answer = client.get(path, follow=True)
        assert answer.redirect_chain == [("/account/second/", 302)]
        assert b"as soon as your account has a second factor" in answer.content
    assert b"waits for a second factor" in olga.get("/account/").content
    assert olga.post("/desk/reports/2/", {"act": "ready"}).status_code == 403
    refused = program.get("/api/v1/desk/reports")
    (told,) = refused.json()["findings"]
    assert (refused.status_code, told["code"]) == (403, "site.no-second-factor")
    assert "counts as soon as your account has a second factor" in refused.json()["detail"]
    with override_settings(RATINGBOOK_SECOND_FACTOR=False):
        assert olga.get("/desk/").status_code == 200


def test_a_second_factor_ends_sessions_that_began_without_it(office):
    from allauth.mfa.models import Authenticator

    Authenticator.objects.all().delete()
    with_password("olga")
    client, other, of_dora = nobody(), nobody(), signed_in("dora")
    for each in (client, other):
        assert try_password(each, "olga", PASSWORD).status_code == 302
    program = by_token("olga")
    set_up_app(client)
    assert client.get("/desk/").status_code == 200
    assert other.get("/account/").status_code == 302
    assert program.get("/api/v1/me").status_code == 401
    assert of_dora.get("/account/").status_code == 200


def strong(name: str) -> bool:
    return any(each["second_factor"] for each in accounts.users() if each["name"] == name)


def test_who_has_lost_the_second_factor_comes_in_again_by_the_password(office):
    """By the page of an administrator: what there was is over, and it stands in the audit."""
    with_password("olga")
    notices.set_contact("actor:olga", "olga@example.org", "each", Who("tina"))
    client, program, tina = signed_in("olga"), by_token("olga"), signed_in("tina")
    asked = nobody()
    answer = try_password(asked, "olga", PASSWORD)
    assert answer["Location"].startswith("/account/second/authenticate/")
    assert b"Ask an administrator" in asked.get(answer["Location"]).content
    assert b'value="forget"' in tina.get("/desk/users/").content
    answer = tina.post("/desk/users/", {"act": "forget", "name": "olga"})
    assert answer.status_code == 302
    assert not strong("olga")
    assert client.get("/account/").status_code == 302
    assert program.get("/api/v1/me").status_code == 401
    (mail,) = [each.read_text("utf-8") for each in (office.folder / "mail").iterdir()]
    assert "To: olga@example.org" in mail
    assert "Subject: The second factor of your account is taken away" in mail
    assert "tina has taken away" in mail
    act = m.Audit.objects.get(act="second factor")
    assert (act.actor, act.subject) == ("tina", "account olga")
    again = nobody()
    assert try_password(again, "olga", PASSWORD)["Location"] == "/account/"
    assert again.get("/desk/").headers["Location"] == "/account/second/", "its role waits"


def test_the_only_administrator_does_it_at_the_machine(office):
    tina = signed_in("tina")
    assert tina.post("/desk/users/", {"act": "forget", "name": "tina"}).status_code == 422
    assert strong("tina")
    officer = Officer(office.folder)
    said = officer.does("user", "forget-second-factor", "tina", "--as", "tina")
    assert said["second_factor"] is False
    open_site(office.folder)
    assert not strong("tina")
    refused = officer.does("user", "forget-second-factor", "tina", "--as", "tina", status=1)
    assert [each["code"] for each in refused["findings"]] == ["site.nothing-to-forget"]


def test_nobody_else_takes_a_second_factor_away(office):
    assert signed_in("olga").post(
        "/desk/users/", {"act": "forget", "name": "tina"}
    ).status_code == 403  # fmt: skip
    with pytest.raises(OfficeRefused):
        second_factors.forget("tina", Who("olga"))
    assert strong("tina")


def test_a_mail_that_cannot_be_sent_holds_nothing_up(office):
    notices.set_contact("actor:olga", "olga@example.org", "each", Who("tina"))
    says = json.loads((office.folder / "office.json").read_text("utf-8"))
    says["mail"] = {"backend": "no.such.Backend"}
    (office.folder / "office.json").write_text(json.dumps(says), "utf-8")
    findings = second_factors.forget("olga", Who("tina"))
    assert [each.code for each in findings] == ["office.mail"]
    assert not strong("olga")


def test_the_language_is_that_of_the_account_in_every_browser(office):
    with_password("dora")
    client = signed_in("dora")
    assert client.get("/language?as=de&next=/account/")["Location"] == "/account/"
    other = nobody()
    assert b'lang="en"' in other.get("/").content
    try_password(other, "dora", PASSWORD)
    assert b'<html lang="de"' in other.get("/account/").content
    assert b'<html lang="en"' in nobody().get("/").content
    other.get("/language?as=nowhere")
    assert b'<html lang="de"' in other.get("/account/").content


def test_pages_of_accounts_have_the_words_of_the_site(office):
    page = signed_in("anna").get(reverse("mfa_index")).content.decode()
    assert "Second factor and passkeys" in page
    assert "There is no passkey yet." in page
    assert "Two-Factor" not in page
    assert "Security Key" not in page
    fields = ChangePasswordForm(user=get_user_model()()).fields
    assert fields["password2"].label == "New password, once more"
