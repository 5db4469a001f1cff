"""A public page is written once for everybody until the next fact; nobody's own page is kept."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.cache import cache
from django.db import connection
from django.http import HttpResponse
from django.middleware.csrf import get_token
from django.test import override_settings
from django.test.utils import CaptureQueriesContext

from ratingbook.office.acts.suppressing import suppress
from ratingbook.office.home import Home
from ratingbook.office.store import models as m
from ratingbook.site import rendered, urls
from tests.site.offices import TINA
from tests.site.people import by_token, nobody, signed_in

PAGES = ("/", "/players/1", "/events/1", "/lists/club/2026-03-01", "/rules/elo",
         "/players/1/changes/club/2026-01-10", "/events/1.json", "/events/1.csv",
         "/api/v1/players/1", "/api/v1/events/1", "/api/v1/lists/club/2026-03-01/rows?limit=2",
         "/api/v1/rules/elo", "/api/v1/corrections?format=csv")  # fmt: skip


def looked(path: str, **headers: str):
    """What an answer is, and how many queries it took."""
    with CaptureQueriesContext(connection) as queries:
        answer = nobody().get(path, headers=headers)
    return answer, len(queries)


@pytest.mark.parametrize("path", PAGES)
def test_who_asks_again_gets_the_same_for_one_query(office, path):
    first, _ = looked(path)
    again, queries = looked(path)
    assert first.status_code == 200
    assert queries <= 1
    assert again.content == first.content
    for name in ("Content-Type", "ETag", "Vary", "Content-Security-Policy", "Content-Language"):
        assert again.headers.get(name) == first.headers[name], name
    same, queries = looked(path, if_none_match=first.headers["ETag"])
    assert (same.status_code, same.content, queries <= 1) == (304, b"", True)


def test_after_a_fact_the_page_is_another(office):
    name = name_of(1)
    assert name in nobody().get("/events/1").content
    suppress(office, 1, "asked for", TINA)
    assert name not in nobody().get("/events/1").content
    kept = [path for path in office.snapshots.rglob("*") if path.is_file()]
    assert len(kept) == 1, "and what has the name is thrown away"


def test_each_language_and_each_colour_has_its_own(office):
    found = {
        nobody().get("/events/1", headers={"accept-language": language, "cookie": cookie}).content
        for language in ("en", "de") for cookie in ("", "looks=dark") for _ in range(2)
    }  # fmt: skip
    assert len(found) == 4


def test_who_has_signed_in_neither_leaves_nor_finds_a_page(office):
    dora = signed_in("dora")
    assert b"dora" in dora.get("/events/1").content
    assert b"dora" not in nobody().get("/events/1").content
    assert b"dora" in dora.get("/events/1").content


def test_of_the_api_each_form_is_kept_by_itself(office):
    asked = ("application/json", "text/csv", "application/vnd.apache.arrow.stream")
    for _ in range(2):
        for form in asked:
            answer = nobody().get("/api/v1/events", headers={"accept": form})
            assert answer.headers["Content-Type"].startswith(form)
    assert len(files(office)) == len(asked)


def test_of_the_api_nothing_is_kept_that_a_token_reads_or_that_is_refused(office):
    dora = by_token("dora")
    for path in ("/api/v1/events/1", "/api/v1/me", "/api/v1/reports", "/api/v1/reports/1"):
        assert dora.get(path).status_code == 200
        assert nobody().get(path, headers={"authorization": "Bearer none"}).status_code == 401
    for path in ("/api/v1/reports", "/api/v1/events/999", "/api/v1/events?format=xml"):
        assert nobody().get(path).status_code >= 400
    assert nobody().get("/api/v1/status").status_code == 200
    assert not files(office)


def test_who_asks_the_api_too_often_is_refused_what_is_kept_too(office):
    cache.clear()
    with override_settings(RATINGBOOK_RATES={"address": 2, "token": 2}):
        answers = [nobody().get("/api/v1/events/1").status_code for _ in range(3)]
    assert answers == [200, 200, 429]


def test_a_page_with_the_token_of_a_form_is_not_kept(office, monkeypatch):
    def of_one_reader(request, *_, **__):
        return HttpResponse(f"First Open {get_token(request)}")

    (found,) = [each for each in urls.urlpatterns if getattr(each, "name", "") == "event"]
    monkeypatch.setattr(found, "callback", of_one_reader)
    assert nobody().get("/events/1").content != nobody().get("/events/1").content
    assert not files(office)


def test_there_are_so_many_files_and_no_more(office, monkeypatch):
    monkeypatch.setattr(rendered, "PLACES", 1)
    for _ in range(2):
        assert b"First Open" in nobody().get("/events/1").content
        assert name_of(1) in nobody().get("/players/1").content
    assert len(files(office)) == 1


def test_what_is_damaged_is_made_again(office):
    first = nobody().get("/events/1").content
    (path,) = files(office)
    data = path.read_bytes()
    for damaged in (b"", data[:80], data[:-30], data.replace(b"\n", b" "), b"\xff" + data):
        path.write_bytes(damaged)
        assert nobody().get("/events/1").content == first


def test_a_disk_that_is_full_hinders_no_answer(office, monkeypatch):
    def full(**_: object):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tempfile.NamedTemporaryFile", full)
    assert nobody().get("/events/1").status_code == 200


def name_of(person: int) -> bytes:
    return str(m.PersonName.objects.get(person=person, kind="main").text).encode()


def files(office: Home) -> list[Path]:
    return [each for each in (office.snapshots / "pages").rglob("*") if each.is_file()]
