"""Tokens: shown once, kept as hashes, ended at once; and reports that come by them."""

from __future__ import annotations

import json
import logging
import re
from datetime import UTC, datetime, timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection

from ratingbook.office.acts import receive, setup
from ratingbook.office.store import ledger
from ratingbook.office.store.ledger import ROLES
from ratingbook.office.store.models import Audit
from ratingbook.site import accounts, tokens
from ratingbook.site.models import Token
from tests.office import reports
from tests.site.offices import TINA
from tests.site.people import by_token, nobody, signed_in

PAGE, ME = "/account/tokens/", "/api/v1/me"


def made(browser, *scopes, **said):
    fields = {"name": "my laptop", "scopes": list(scopes), "days": "30", **said}
    answer = browser.post(PAGE, fields)
    found = re.search(r"rb_[\w-]{40,}", answer.content.decode())
    return answer, found.group() if found else ""


def asked(token, path=ME):
    return nobody().get(path, headers={"authorization": f"Bearer {token}"})


def test_a_token_is_seen_once_and_kept_as_a_hash(office, caplog):
    caplog.set_level(logging.DEBUG)
    browser = signed_in("dora")
    answer, token = made(browser, "read", "report")
    assert answer["Cache-Control"] == "private, no-store"
    assert asked(token).status_code == 200
    said = json.loads(asked(token).content)
    assert (said["actor"], said["roles"], said["scopes"]) == (
        "dora",
        ["director"],
        ["read", "report"],
    )
    assert token not in browser.get(PAGE).content.decode()
    assert "my laptop" in browser.get(PAGE).content.decode()
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM site_token")
        assert token not in repr(cursor.fetchall())
    assert not [each for each in Audit.objects.values_list("outcome", "subject") if token in each]
    assert token not in caplog.text
    assert b"DEBUG" not in asked(token).content


def test_a_token_ends_at_once(office):
    browser = signed_in("dora")
    _, revoked = made(browser, "read")
    _, kept = made(browser, "read", name="other")
    number = Token.objects.order_by("id").values_list("id", flat=True)[0]
    assert signed_in("dirk").post(PAGE, {"revoke": number}).status_code == 422
    assert asked(revoked).status_code == 200
    assert browser.post(PAGE, {"revoke": number}).status_code == 302
    assert asked(revoked).status_code == 401
    assert asked(revoked)["WWW-Authenticate"] == "Bearer"
    # Public things are not given for a token that is none: whoever sends one wants to know.
    assert asked(revoked, "/api/v1/pools").status_code == 401
    Token.objects.filter(revoked__isnull=True).update(
        until=datetime.now(UTC) - timedelta(seconds=1)
    )
    assert asked(kept).status_code == 401


def test_a_token_has_the_roles_that_hold_now(office):
    program = by_token("dora")
    assert program.get("/api/v1/reports").status_code == 200
    setup.add_actor("dora", ["player"], TINA, 2)
    assert program.get("/api/v1/reports").status_code == 403
    accounts.set_active("dora", TINA, active=False)
    assert program.get(ME).status_code == 401


@pytest.mark.parametrize("said", [
    {"name": ""}, {"days": "0"}, {"days": "4000"}, {"scopes": []}, {"scopes": ["all"]},
])  # fmt: skip
def test_a_token_says_what_for_and_until_when(office, said):
    answer, token = made(signed_in("dora"), "read", **said)
    assert (answer.status_code, token) == (422, "")
    assert Token.objects.count() == 0


def document():
    return json.dumps(reports.document("Fourth Open", "2026-03-28", {("1", "2"): "1-0"})).encode()


def sent(program, data, name="fourth.json", **fields):
    file = SimpleUploadedFile(name, data)
    return program.post("/api/v1/reports", {"files": file, "pool": "club", **fields})


def test_a_report_is_sent_and_looked_at(office):
    program = by_token("dora", "report")
    answer = sent(program, document())
    said = json.loads(answer.content)
    assert (answer.status_code, said["is_new"], said["version"]) == (201, True, 1)
    assert answer["Location"] == f"/api/v1/reports/{said['id']}"
    state = json.loads(program.get(answer["Location"]).content)
    assert state["line"]["name"] == "Fourth Open"
    assert state["line"]["state"] == said["state"] == "ready"
    again = sent(program, document())
    assert (again.status_code, json.loads(again.content)["id"]) == (200, said["id"])
    listed = json.loads(program.get("/api/v1/reports").content)["items"]
    assert [each["name"] for each in listed][-1] == "Fourth Open"
    assert by_token("dirk").get(answer["Location"]).status_code == 404


def test_a_report_that_is_sent_twice_at_once_is_taken_once(office, monkeypatch):
    program, first = by_token("dora", "report"), []

    def waits(who, **more):
        """As if the other request had the lock."""
        monkeypatch.setattr(receive, "acting", ledger.acting)
        first.append(sent(program, document()))
        return ledger.acting(who, **more)

    monkeypatch.setattr(receive, "acting", waits)
    answer = sent(program, document())
    said, before = json.loads(answer.content), json.loads(first[0].content)
    assert (first[0].status_code, answer.status_code) == (201, 200)
    assert (said["is_new"], said["id"], said["version"]) == (False, before["id"], 1)


def test_a_report_that_cannot_be_read_is_refused_in_words(office):
    answer = sent(by_token("dora"), b"\x00\x01", "broken.bin")
    assert answer.status_code == 422
    assert answer["Content-Type"] == "application/problem+json"
    told = json.loads(answer.content)
    assert told["findings"][0]["remedy"]
    assert by_token("dora").post("/api/v1/reports", {"pool": "club"}).status_code == 422
    not_mine = sent(by_token("dora"), document(), version_of="3")
    assert not_mine.status_code == 404


def undated():
    said = reports.document("Fourth Open", "2026-03-28", {("1", "2"): "1-0"})
    for key in ("start", "end"):
        said["event"].pop(key, None)
    for each in said["games"]:
        for key in ("start", "end"):
            each.pop(key, None)
    return json.dumps(said).encode()


def test_the_days_are_said_beside_a_file_that_has_none(office):
    program = by_token("dora")
    refused = sent(program, undated())
    assert refused.status_code == 422
    found = next(x for x in refused.json()["findings"] if x["code"] == "office.no-day")
    assert "`end`" in found["remedy"]
    assert "--" not in found["remedy"]
    wrong = sent(program, undated(), end="28.3.2026")
    (finding,) = wrong.json()["findings"]
    assert (wrong.status_code, finding["where"]["path"].rpartition(".")[2]) == (422, "end")
    assert wrong.json()["detail"] == "end: a day is written as 2026-04-01"
    backwards = sent(program, undated(), start="2026-03-29", end="2026-03-28")
    assert backwards.status_code == 422
    assert "`start`" in backwards.json()["findings"][0]["remedy"]
    answer = sent(program, undated(), start="2026-03-27", end="2026-03-28")
    assert (answer.status_code, answer.json()["state"]) == (201, "ready")
    line = program.get(answer["Location"]).json()["line"]
    assert line["end"] == "2026-03-28"


def test_findings_have_their_places_in_one_form_whatever_becomes_of_a_report(office):
    program = by_token("dora")
    said = reports.document("Fifth Open", "2026-03-21", {("1", "2"): "1-0"})
    taken = sent(program, json.dumps(said | {"surplus": 1}).encode())
    refused = sent(program, b"\x00\x01", "broken.bin")
    assert (taken.status_code, refused.status_code) == (201, 422)
    found = [*taken.json()["findings"], *refused.json()["findings"]]
    assert taken.json()["findings"]
    keys = {"code", "severity", "message", "where", "remedy", "count", "places"}
    assert {frozenset(each) for each in found} == {frozenset(keys)}
    assert {type(each["where"]) for each in found} == {dict}
    described = program.get("/api/v1/openapi.json").json()["components"]["schemas"]
    finding = described["Problem"]["properties"]["findings"]["items"]
    assert finding == described["OwnReceived"]["properties"]["findings"]["items"]
    assert set(described[finding["$ref"].rpartition("/")[2]]["properties"]) == keys


def test_files_that_are_no_report_together_are_told_so(office):
    two = [SimpleUploadedFile("a.json", document()), SimpleUploadedFile("b.json", undated())]
    answer = by_token("dora").post("/api/v1/reports", {"files": two, "pool": "club"})
    assert answer.status_code == 422
    found = answer.json()["findings"][0]
    assert found["code"] == "site.not-together"
    assert "2 files" in found["message"]
    assert "each report by itself" in found["remedy"]


def test_of_two_files_of_one_name_none_takes_the_place_of_the_other(office):
    two = [SimpleUploadedFile("a.json", document()), SimpleUploadedFile("a.json", undated())]
    answer = by_token("dora").post("/api/v1/reports", {"files": two, "pool": "club"})
    assert answer.status_code == 422
    assert answer.json()["findings"][0]["code"] == "site.same-name"


def test_the_desk_is_for_officers_with_the_scope(office):
    rows = json.loads(by_token("olga", "officer").get("/api/v1/desk/reports").content)["items"]
    assert {each["sender"] for each in rows} >= {"dora", "dirk"}


def test_what_a_program_lacks_is_told_with_where_it_is_had(office):
    lacking = {
        "site.no-scope": (by_token("olga", "read"), 403),
        "site.no-role": (by_token("dora"), 403),
        "site.no-token": (nobody(), 401),
    }
    for code, (program, status) in lacking.items():
        answer = program.get("/api/v1/desk/reports")
        (told,) = answer.json()["findings"]
        assert (answer.status_code, told["code"]) == (status, code)
        assert ("token" in told["remedy"]) == (code != "site.no-role")


def broken(result: str = "7-0") -> bytes:
    said = reports.document("First Open", "2026-01-10", {("1", "2"): "1-0", ("3", "4"): "0-1"})
    said["games"][2]["result"] = said["games"][3]["result"] = result
    return json.dumps(said).encode()


def test_a_broken_new_version_is_refused_and_what_is_published_stays(office):
    program = by_token("dora", "report", "read")
    answer = sent(program, broken(), "first.json", version_of="1")
    told = json.loads(answer.content)
    assert answer.status_code == 422
    assert "7-0" in told["findings"][0]["message"]
    again = sent(program, broken(), "first.json", version_of="1")
    assert again.status_code == 422
    assert "7-0" in json.loads(again.content)["detail"]
    line = json.loads(program.get("/api/v1/reports/1").content)["line"]
    assert (line["version"], line["state"], line["published"]) == (2, "refused", 1)
    assert "7-0" in line["reason"]
    assert "1 more" in line["reason"]
    dora = signed_in("dora")
    page = dora.get("/my/events/").content.decode()
    row = page[page.index("First Open") :].split("</tr>")[0]
    assert "published" in row
    assert "version 2: refused" in row
    desk = signed_in("olga").get("/desk/reports/1/").content.decode()
    assert "7-0" in desk
    assert "game.result" not in desk


def test_a_version_after_a_refused_one_is_compared_with_what_counts(office):
    sent(by_token("dora", "report"), broken(), "first.json", version_of="1")
    said = reports.document("First Open", "2026-01-10", {("1", "2"): "0-1", ("3", "4"): "0-1"})
    dora = signed_in("dora")
    page = dora.post(
        "/my/events/new/", {"files": SimpleUploadedFile("f.json", json.dumps(said).encode())}
    )
    shown = dora.get(page["Location"]).content.decode().partition('id="differs"')[2]
    shown = shown.partition("</section>")[0]
    assert shown.count("<li>") == 1, shown
    assert "1–0" in shown
    answer = sent(by_token("dora", "report"), json.dumps(said).encode(), "f.json")
    assert json.loads(answer.content)["version"] == 3
    assert len(json.loads(answer.content)["difference"]) == 1


def test_each_scope_has_its_words_and_its_roles():
    assert tokens.SCOPES.keys() == tokens._FOR.keys()
    assert {role for roles in tokens._FOR.values() for role in roles} <= ROLES.keys()
