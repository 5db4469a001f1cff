"""Every page that is read needs few queries, at the first look too, and is not large."""

from __future__ import annotations

import html
import re
import shutil
from collections import Counter, deque
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from ratingbook.office.acts import explain, published
from ratingbook.office.home import Home, current
from ratingbook.office.store import models as m
from ratingbook.site import rendered
from ratingbook.site.access import ROUTES
from ratingbook.site.opening import open_site
from ratingbook.site.shown import kept
from tests.site.pages import BYTES, FIRST, QUERIES
from tests.site.people import by_token, nobody, signed_in
from tests.site.test_access import routes

OF_TINA = {
    "mfa_download_recovery_codes": [], "mfa_view_recovery_codes": [], "draft": [],
    "my_report": [], "my_correction": [], "my_results": [], "my_dispute": [],
    "my_explanation": [], "desk_explanation": ["/desk/changes/1/club/2026-01-10"],
    "desk": ["/desk/", "/desk/?state=ready"],
    "identity": ["/desk/who/", "/desk/who/?report=2&entry=7&q=Echo"],
    "desk_report": ["/desk/reports/2/"], "desk_file": ["/desk/reports/2/file/"],
    "ask_correction": ["/desk/reports/1/correct/"],
    "desk_correction": ["/desk/corrections/1/", "/desk/corrections/1/?preview=yes"],
    "correction_file": [], "anomalies": ["/desk/anomalies/", "/desk/anomalies/?pool=club"],
    "run": ["/desk/runs/1/", "/desk/runs/2/"], "job": ["/desk/jobs/1/"],
    "list_maker": ["/desk/lists/", "/desk/lists/?pool=club&day=2026-03-15"],
    "person_suppress": ["/desk/people/2/suppress/"],
    "desk_person": ["/desk/people/1/"], "people": ["/desk/people/", "/desk/people/?q=alpha"],
    "new_correction": ["/desk/corrections/new/", "/desk/corrections/new/?what=opening&pool=club",
                       "/desk/corrections/new/?what=merge&person=Alpha",
                       "/desk/corrections/new/?what=player&report=1"],
    "backup_file": ["/desk/backups/20260402-090000/file/"],
}  # fmt: skip
"""Addresses of pages that need a number, or show more where more is asked for."""
OF_OTHERS = {
    "dora": ["/my/events/", "/my/drafts/1/", "/my/drafts/2/", "/my/reports/1/", "/my/reports/2/",
             "/my/reports/1/correct/"],
    "anna": ["/account/", "/my/results/", "/my/results/1/1/", "/my/notices/",
             "/my/changes/club/2026-01-10"],
    "": ["/", "/search?q=alpha", "/players/1", "/events", "/events/1", "/lists", "/corrections",
         "/rules", "/rules/elo", "/whatif?rulebook=pool:club&player=1&o1=1500&r1=1",
         "/statistics?pool=club", "/downloads", "/status", "/privacy", "/api"],
}  # fmt: skip
MORE = {"/desk/corrections/1/?preview=yes": 22}
"""Pages whose first look after a fact takes more, and how many: what a correction would change,
with others that wait, reports that wait and what else comes, is derived from what is published, the
games, the lists and the newest facts of every pool.
From the second look on they are as others."""


AGAIN = {"/events/1": 5, "/players/1": 8, "/players/1/changes/club/2026-01-10": 4}
"""What is read most takes fewer from the second look on, though it is another page each time: what
few have, as corrections and merges, is asked for once after a fact."""


@pytest.fixture
def there(busy: Home) -> Home:
    return open_site(busy.folder)


def asked(client, path: str) -> tuple[int, str]:
    """How many queries a page takes, and what else is wrong with it."""
    with CaptureQueriesContext(connection) as queries:
        answer = client.get(path)
    size = 0 if answer.streaming else len(answer.content)
    answer.close()
    wrong = answer.status_code not in (200, 302) or size >= BYTES
    return len(queries), f"{answer.status_code}, {size} bytes" if wrong else ""


def forget() -> None:
    """Nothing is known of the looks before, as after a fact in a server that has just begun."""
    kept._kept.clear()
    for each in (explain._fed, explain._replay, explain._derived, published._ratings):
        each.cache_clear()
    shutil.rmtree(current().snapshots / "pages", ignore_errors=True)


def told(client, paths) -> list[tuple[str, int, str]]:
    """The pages that take more than they may, at the first look or the second."""
    found = []
    for path in paths:
        forget()
        for most in (MORE.get(path, QUERIES), QUERIES):
            count, wrong = asked(client, path)
            if count > most or wrong:
                found.append((path, count, wrong))
    return found


def test_every_page_of_an_administrator_takes_few_queries(there):
    own = [path for name, address in routes()
           if "GET" in ROUTES[name].methods and not name.startswith("api:")
           and ROUTES[name].audience.value != "everybody"
           for path in OF_TINA.get(name, [address])]  # fmt: skip
    assert len(own) >= 35
    # What is about accounts is allauth's: it asks for the password again, and leads there.
    assert told(signed_in("tina"), own) == []


def test_the_pages_of_directors_players_and_everybody_take_few_queries(there):
    found = []
    for name, paths in OF_OTHERS.items():
        found += told(signed_in(name) if name else nobody(), paths)
    assert found == []


def test_what_is_read_most_takes_fewer_still(there):
    forget()
    found = {}
    for path in AGAIN:
        for _ in range(2):
            shutil.rmtree(current().snapshots / "pages", ignore_errors=True)
            explain._derived.cache_clear()
            found[path], wrong = asked(nobody(), path)
            assert not wrong
    assert found == AGAIN


ELSEWHERE = ("/static", "/account", "/rules", "/files")
"""Links to what asks no office, and to files that are made when first asked for."""


def linked(public, most: int = 2) -> dict[str, str]:
    """Pages of every kind that a visitor comes to from the first one, and their texts."""
    seen: dict[str, str] = {}
    kinds: Counter[str] = Counter()
    ahead = deque(["/"])
    while ahead:
        path = ahead.popleft()
        kind = re.sub(r"\d[\d-]*", "N", path)
        if path in seen or kinds[kind] >= most or any(each in path for each in ELSEWHERE):
            continue
        kinds[kind] += 1
        answer = public.get(path)
        if answer.status_code == 200 and not answer.streaming:
            seen[path] = kind
            ahead.extend(
                map(html.unescape, re.findall(r'href="(/[^"#]*)', answer.content.decode()))
            )
    return seen


@pytest.fixture
def fact(monkeypatch):
    """Lets the chain end otherwise, as after a fact that is about something else."""
    end = kept.end_of_chain
    facts: list[str] = []
    for module in (kept, rendered):
        monkeypatch.setattr(module, "end_of_chain", lambda: f"{end()} {len(facts)}")
    return lambda: facts.append("another")


def too_many(public, fact) -> dict[str, tuple[int, int, str]]:
    """The pages that take more than they may, when first looked at or after a fact."""
    pages = linked(public)
    kinds = {"/players/N", "/corrections/N", "/events/N", "/lists/standard/N", "/statistics"}
    assert kinds <= set(pages.values())
    found = {}
    for path in pages:
        forget()
        first, _ = asked(public, path)
        fact()
        then, wrong = asked(public, path)
        if first > QUERIES + FIRST or then > QUERIES or wrong:
            found[path] = first, then, wrong
    return found


def test_every_public_page_takes_few_queries_after_any_fact(reader, fact):
    assert too_many(reader, fact) == {}


def test_every_page_of_revised_lists_takes_few_queries_after_any_fact(public, fact):
    assert too_many(public, fact) == {}


def test_what_a_token_reads_takes_few_queries(there):
    own = ["/api/v1/me", "/api/v1/reports"]
    desk = [f"/api/v1/desk/{each}" for each in ("reports", "waiting", "corrections")]
    assert told(by_token("tina"), own + desk) == []
    assert told(by_token("dora"), [*own, "/api/v1/reports/1"]) == []


@pytest.mark.parametrize("path", [
    "lists/standard@2026-05-01r1", "players/1/why?pool=standard", "corrections/1/entry",
    "corrections/1/numbers", "corrections/2/entry", "players/1/lists/2",
])  # fmt: skip
def test_what_programs_are_told_of_corrections_takes_few_queries(public, fact, path):
    forget()
    first, wrong = asked(public, f"/api/v1/{path}")
    fact()
    then, _ = asked(public, f"/api/v1/{path}")
    assert (first <= QUERIES + FIRST, then <= QUERIES, wrong) == (True, True, ""), (first, then)


def test_what_is_derived_is_derived_anew_after_a_fact(office):
    olga = signed_in("olga")
    before = olga.get("/desk/").content
    assert olga.get("/desk/").content.count(b"Second Open") == before.count(b"Second Open") > 0
    from ratingbook.office.acts.reports import put_aside
    from ratingbook.office.store.ledger import Who

    put_aside("2", "refuse", "sent in error", Who("olga"))
    assert b"sent in error" in olga.get("/desk/").content
    assert m.Fact.objects.latest("seq").reason == "sent in error"


LARGE = ("office_game", "office_change", "office_entry", "office_link", "office_listrow")
"""Tables that have a row for each game, or for each player of an event or a list."""
WHOLE = {"/desk/people/2/suppress/"}
"""Pages that look for a name wherever it may be: in every entry, once after a fact."""


def test_no_page_reads_a_whole_table_of_games(there):
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL reads small tables whole, whatever their indexes are")
    seen: dict[str, tuple[str, Any]] = {}
    path = ""

    def noticed(execute, sql, parameters, many, context):
        if sql.startswith("SELECT"):
            seen.setdefault(sql, (path, parameters))
        return execute(sql, parameters, many, context)

    pages = {**OF_OTHERS, "tina": [path for paths in OF_TINA.values() for path in paths]}
    with connection.execute_wrapper(noticed):
        for name, paths in pages.items():
            reader = signed_in(name) if name else nobody()
            for path in paths:
                reader.get(path).close()
    found = []
    with connection.cursor() as cursor:
        for sql, (of, parameters) in seen.items():
            found += [(of, each, sql) for each in scanned(cursor, sql, parameters) if each in LARGE]
    assert [each for each in found if each[0] not in WHOLE] == [], found
    with connection.cursor() as cursor:
        assert scanned(cursor, "SELECT COUNT(status) FROM office_game g", ()) == {"office_game"}


def scanned(cursor: Any, sql: str, parameters: Any) -> set[str]:
    """The tables that a query goes through from one end; the plan in words has aliases only."""
    cursor.execute("SELECT rootpage, tbl_name FROM sqlite_master WHERE rootpage > 0")
    tables = dict(cursor.fetchall())
    cursor.execute(f"EXPLAIN {sql}", parameters)
    steps = [row[1:4] for row in cursor.fetchall()]
    opened = {at: page for step, at, page in steps if step == "OpenRead"}
    begun = {opened[at] for step, at, _ in steps if step in ("Rewind", "Last") and at in opened}
    return {tables[page] for page in begun if page in tables}
