"""What cannot be answered has one form, whatever it is and wherever: problem details."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

import pytest
from django.core.cache import cache
from django.db import OperationalError, connection
from django.test import Client, override_settings

from ratingbook.client.connection import _problem as read_by_the_client
from ratingbook.office.store import models as m
from ratingbook.site.access import MOST_BYTES, ROUTES
from tests.site.people import by_token, nobody, signed_in
from tests.site.test_access import routes

httpx = pytest.importorskip("httpx")
MEMBERS = {"type", "title", "status", "detail", "findings"}
PARAMETER = re.compile(r"{(\w+)}")
ABSENT = {"day": "1999-09-09"}
METHODS = ("DELETE", "PUT", "PATCH", "POST", "GET")
WHOLE = "application/json"
ADDRESSES = sorted(
    {"/api/v1/nowhere", "/api/", "/nowhere.json", "/api/v1/events/x", "/players/999.json"}
)


def asked(path: str, readers: Mapping[str, Client]) -> Iterator[tuple[str, Any]]:
    """All ways in which an address can be asked amiss, and what is answered."""
    for who, reader in readers.items():
        for method in METHODS:
            yield f"{who} {method}", reader.generic(method, path)
        yield f"{who} sends what is none", reader.post(path, b"{", content_type=WHOLE)
        yield f"{who} wants a picture", reader.get(path, headers={"accept": "image/png"})
        for query in ("x=1", "format=x", "limit=0", "cursor=x", "q=%00", "day=x"):
            yield f"{who} ?{query}", reader.get(f"{path}?{query}")
    stranger = readers["nobody"]
    large = {"content-length": str(MOST_BYTES + 1)}
    yield "too much is sent", stranger.generic("POST", path, headers=large)
    yield "a wrong token", stranger.get(path, headers={"authorization": "Bearer x"})
    with override_settings(RATINGBOOK_RATES={"address": 0, "token": 0}):
        yield "too often", stranger.get(path)


def wrong_with(answer: Any, described: set[str] | None) -> str:
    """What is wrong with a refusal."""
    if answer["Content-Type"] != "application/problem+json":
        return f"is {answer['Content-Type']}"
    said = answer.json()
    if said.keys() != MEMBERS or said["status"] != answer.status_code:
        return f"has {sorted(said)}"
    if not said["title"] or not said["detail"] or not said["findings"]:
        return f"says nothing: {said}"
    for each in said["findings"]:
        # What the office says is done at a shell is no remedy here.
        is_refused = each["code"].startswith("office.") and said["status"] != 404
        has_remedy = bool(each["remedy"]) or is_refused
        if "." not in each["code"] or not each["message"] or not has_remedy:
            return f"has no code, or no remedy: {each}"
    if described is not None and str(answer.status_code) not in described:
        return "is not described"
    read = read_by_the_client(httpx.Response(answer.status_code, content=answer.content))
    if [each.code for each in read.findings] != [each["code"] for each in said["findings"]]:
        return "is read otherwise by the client"
    return ""


def test_all_refusals_of_all_routes_have_one_form(office):
    cache.clear()
    described = nobody().get("/api/v1/openapi.json").json()
    statuses = {
        operation["operationId"]: set(operation["responses"])
        for item in described["paths"].values() for operation in item.values()
    }  # fmt: skip
    anywhere = set.union(*statuses.values())
    readers = {"nobody": nobody(), "dora": by_token("dora"), "tina": by_token("tina")}
    found, seen = [], set()
    paths = {path for name, path in routes() if name.startswith("api:")} | {*ADDRESSES}
    assert len(paths) > 30
    for path in sorted(paths):
        for how, answer in asked(path, readers):
            cache.clear()
            if answer.status_code >= 400:
                seen.add(answer.status_code)
                if what := wrong_with(answer, anywhere):
                    found.append(f"{path} ({how}): {answer.status_code} {what}")
            answer.close()
    assert found == []
    assert {400, 401, 403, 404, 405, 406, 413, 422, 429} <= seen


def test_a_page_that_is_data_knows_its_methods_as_the_api_does(office):
    pages = [
        path for name, path in routes() if path.endswith(".json") and "GET" in ROUTES[name].methods
    ]
    assert pages
    for path in pages:
        answer = nobody().generic("DELETE", path)
        assert wrong_with(answer, None) == "", path


def test_a_fault_of_ours_is_told_in_that_form(office, monkeypatch):
    from ratingbook.site.shown import about

    monkeypatch.setattr(about, "downloads", lambda: 1 / 0)
    reader = nobody()
    reader.raise_request_exception = False
    answer = reader.get("/api/v1/downloads")
    assert answer.status_code == 500
    assert wrong_with(answer, None) == ""
    assert answer.json()["findings"][0]["code"] == "site.fault"


def test_while_the_database_is_away_each_page_says_what_to_do(office, caplog):
    """Also to whom it would have to look up, and without a traceback for each request."""
    reader = signed_in("olga")
    reader.raise_request_exception = False

    def away(*_):
        raise OperationalError("server closed the connection\nThis probably means …")

    with connection.execute_wrapper(away):
        page, told, data = map(reader.get, ("/", "/api/v1/pools", "/players.json"))
    for answer in (page, told, data):
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "60")
    assert "Try it again in a few minutes." in page.text
    assert ">Sign in</a>" in page.text
    for answer in (told, data):
        assert wrong_with(answer, None) == ""
        assert answer.json()["findings"][0]["code"] == "site.unavailable"
    lines = [each for each in caplog.records if each.name == "django.request"]
    assert [(each.getMessage(), each.exc_info) for each in lines] == [
        (f"Service Unavailable: {path}: server closed the connection", None)
        for path in ("/", "/api/v1/pools", "/players.json")
    ]
    assert reader.get("/").status_code == 200


def test_what_is_not_there_beside_what_is_has_a_remedy(public):
    """Each address of the API, with numbers that are there and others in every mixture."""
    there = {
        "person": str(m.Person.objects.order_by("id").values_list("id", flat=True)[0]),
        "report": str(m.ReportVersion.objects.values_list("report", flat=True)[0]),
        "pool": m.Pool.objects.values_list("name", flat=True)[0],
        "name": "fide-2024", "number": "1", "section": "1", "day": "2020-01-01", "key": "1",
    }  # fmt: skip
    described = public.get("/api/v1/openapi.json").json()["paths"]
    found, missing = [], 0
    for template in sorted(described):
        names = PARAMETER.findall(template)
        for values in product(*((there[name], ABSENT.get(name, "987654")) for name in names)):
            cache.clear()
            answer = public.get(template.format_map(dict(zip(names, values, strict=True))))
            if answer.status_code == 404:
                missing += 1
                found += [each for each in answer.json()["findings"] if not each["remedy"]]
            answer.close()
    assert found == []
    assert missing > 20
