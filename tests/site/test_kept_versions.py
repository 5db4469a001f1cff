"""A new version of a report that stays rated as it was: for the public nothing becomes another."""

from __future__ import annotations

import json
import re
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from ratingbook.office.acts import (
    asking,
    calendar,
    corrections,
    desk,
    entering,
    receive,
    reports,
    setup,
    states,
)
from ratingbook.office.home import Home
from ratingbook.office.store import blobs
from ratingbook.site.models import Draft
from ratingbook.site.shown import directing, own
from ratingbook.site.shown import reports as lines
from tests.site.pages import copied
from tests.site.published import OFFICER, PEOPLE, on, publish, report

AUTUMN = 4
DECIDED, SENT, NEW = date(2026, 5, 10), date(2026, 5, 20), date(2026, 6, 20)
_OTHERS = ("/account", "/language", "/rules", "/static", "/status", "/whatif")
"""What is of no event; and what tells how long the ledger is, which has become longer."""
_HASHES = re.compile(r'<span class="hash">[^\n]*</span>|\b[0-9a-f]{64}\b|\b[0-9a-f]{8,16}…')
"""Those of facts, which are others where there were more."""


def corrected(office: Home, folder: Path) -> tuple[Home, Client]:
    """A copy of the office in which a correction of the Go Autumn is on a list."""
    home, client = copied(office, folder)
    setup.set_policies("go", {"corrections": "next_list"}, "", OFFICER)
    asked = corrections.ask(home, [asking.game(AUTUMN, 1, "1/2-1/2")], "jigo", OFFICER)
    corrections.accept(home, asked.id, on(OFFICER, DECIDED))
    publish(home, "go", SENT)
    return home, client


def another_version(folder: Path) -> Path:
    """The file of a version in which all games end otherwise, and which lasts a day longer."""
    version = states.newest(AUTUMN)
    assert version is not None
    said = entering.document_of(version)
    said["event"]["end"] = "2026-04-11"
    for game in said["games"]:
        game["result"] = "0-1"
    path = folder / "again.json"
    path.write_text(json.dumps(said), "utf-8")
    return path


def send_again(home: Home, folder: Path) -> None:
    """That version comes, and is let in."""
    path = another_version(folder)
    options = receive.Options(version_of=AUTUMN)
    [received], _ = receive.receive_all(home, [path], on(OFFICER, SENT), options)
    assert (received.version, received.state) == (2, states.HELD)
    reports.put_aside(str(AUTUMN), "release", "let in", on(OFFICER, SENT))


def pages_of(client: Client) -> dict[str, str]:
    """All that is linked from the start and can be read, by its address."""
    found: dict[str, str] = {}
    waiting = ["/", "/events?year=2026&pool=2", "/search?q=autumn", "/downloads"]
    waiting += [f"/api/v1/players/{n}/results" for n in range(1, 7)]
    waiting += [f"/api/v1/events/{AUTUMN}", "/api/v1/events", "/api/v1/statistics"]
    while waiting:
        address = waiting.pop()
        if address in found or address.startswith(_OTHERS):
            continue
        answer = client.get(address)
        found[address] = ""
        data = b"".join(answer) if answer.status_code == 200 else b""
        answer.close()
        kind = answer["Content-Type"]
        if not kind.startswith(("text/", "application/json")):
            continue
        text = data.decode()
        found[address] = _HASHES.sub("", text)
        if kind.startswith("text/html"):
            links = re.findall(r'href="(/[^"#]*)', text)
            waiting += [each.replace("&amp;", "&") for each in links]
    return found


@pytest.fixture
def both(office_with_lists: Home, tmp_path: Path) -> Any:
    """The public pages of an office, and of one to which the report came again."""
    found = []
    for name in ("once", "again"):
        home, client = corrected(office_with_lists, tmp_path / name)
        if name == "again":
            send_again(home, tmp_path)
        publish(home, "go", NEW)
        found.append(pages_of(client))
    return found


def test_all_public_pages_stay_as_they_were(both):
    once, again = both
    assert len(once) > 100
    assert once.keys() == again.keys()
    assert [each for each in once if once[each] != again[each]] == []


def test_what_no_run_rates_waits_for_none(office_with_lists, tmp_path):
    home, _ = corrected(office_with_lists, tmp_path)
    send_again(home, tmp_path)
    ready = {each.pool: each.ready for each in calendar.calendar(NEW)}
    assert ready["go"] == 0
    [shown] = [each for each in reports.reports() if each.id == AUTUMN]
    assert (shown.version, shown.state) == (2, states.PUBLISHED)
    [line] = lines.own_lines([AUTUMN])
    assert (line.version, line.state) == (2, states.PUBLISHED)
    assert AUTUMN not in lines.open_reports()


def test_a_draft_says_that_it_changes_no_rating_and_foresees_none(office_with_lists, tmp_path):
    home, _ = corrected(office_with_lists, tmp_path)
    path = another_version(tmp_path)
    draft = Draft(
        actor=OFFICER.actor, file_name=path.name, sha256=blobs.keep(home, path.read_bytes()),
        media="application/json", pool="go", version_of=AUTUMN,
    )  # fmt: skip
    found = directing.check(home, draft)
    assert not found.problems
    [note] = [each for each in found.notes if each.code == "office.on-next-list"]
    assert "this version changes no rating" in note.message
    assert found.expected is None


def test_own_results_stay_as_they_were_rated(office_with_lists, tmp_path):
    home, _ = corrected(office_with_lists, tmp_path)
    before = own.own_event(1, "nobody", AUTUMN)
    assert before is not None
    send_again(home, tmp_path)
    assert own.own_event(1, "nobody", AUTUMN) == before
    publish(home, "go", NEW)
    assert own.own_event(1, "nobody", AUTUMN) == before


def test_nobody_is_told_that_a_run_rates_what_changes_no_rating(office_with_lists, tmp_path):
    """The version is held, and letting it in is told of, but no run rates it."""
    home, _ = corrected(office_with_lists, tmp_path)
    path = another_version(tmp_path)
    options = receive.Options(version_of=AUTUMN)
    [received], _ = receive.receive_all(home, [path], on(OFFICER, SENT), options)
    told = {each.code: each.remedy for each in received.findings}
    assert {"office.on-next-list", "office.is-published"} <= told.keys()
    assert "lets it in" in told["office.is-published"]
    assert "run rate" not in " ".join(told.values())


def double(last: str) -> dict[str, Any]:
    """An event of two sections, A and B, of three players each."""
    grades = dict(zip("123456", ("4d", "3d", "1d", "2k", "5k", "8k"), strict=True))
    said = report("Go Double", "2026-05-15", {("1", "2"): "1-0", ("5", "6"): last},
                  grades=grades, **{"class": "A"})  # fmt: skip
    sides = {"A": {"1", "2", "3"}, "B": {"4", "5", "6"}}
    said["games"] = [
        {**game, "section": name} for name, people in sides.items() for game in said["games"]
        if {game["white"], game["black"]} <= people
    ]  # fmt: skip
    return said


@pytest.fixture
def in_part(office_with_lists: Home, tmp_path: Path) -> Any:
    """An event whose section A stays as it was rated, and whose section B came anew."""
    home, client = copied(office_with_lists, tmp_path / "office")
    setup.set_policies("go", {"corrections": "next_list"}, "", OFFICER)
    path, sent = tmp_path / "double.json", on(OFFICER, date(2026, 5, 16))
    path.write_text(json.dumps(double("1-0")), "utf-8")
    options = receive.Options(pool="go", another=True)
    [received], _ = receive.receive_all(home, [path], sent, options)
    assert received.id is not None
    for each in desk.waiting(received.id):
        desk.link(received.id, each.entry, PEOPLE[each.entry][3][-1], sent)
    publish(home, "go", date(2026, 5, 17))
    asked = corrections.ask(home, [asking.game(received.id, 1, "0-1")], "so it was", sent)
    corrections.accept(home, asked.id, on(OFFICER, date(2026, 5, 18)))
    publish(home, "go", date(2026, 5, 20))
    before = client.get(f"/events/{received.id}.json").json()["section"]
    path.write_text(json.dumps(double("0-1")), "utf-8")
    options = receive.Options(version_of=received.id)
    [again], _ = receive.receive_all(home, [path], on(OFFICER, date(2026, 5, 21)), options)
    reports.put_aside(str(received.id), "release", "let in", on(OFFICER, date(2026, 5, 21)))
    publish(home, "go", date(2026, 5, 25))
    return client, received.id, before, again


def test_each_section_is_shown_from_the_version_by_which_it_is_rated(in_part):
    client, number, before, _ = in_part
    shown = [client.get(f"/events/{number}.json?section={at}").json() for at in (0, 1)]
    assert shown[0]["sections"] == [[0, "A"], [1, "B"]]
    assert (shown[0]["versions"], shown[0]["version"]) == ([1, 2], 2)
    kept, came = (each["section"] for each in shown)
    assert (kept["source"]["version"], came["source"]["version"]) == (1, 2)
    # The kept one as it was, with all its numbers; the other one by its new result.
    assert kept == before
    assert all(line["after"] is not None for line in came["lines"])
    last = next(line for line in came["lines"] if line["person"] == 6)
    assert last["points"] == 1.5
    for at, version in ((0, 1), (1, 2)):
        page = client.get(f"/events/{number}?section={at}").content.decode()
        assert f"Report, version {version} " in page
        assert all(f"version {each}</span>" in page for each in (1, 2))
        assert ("it stays as it was rated" in page) == (at == 0)


def test_a_version_says_which_of_its_sections_changes_no_rating(in_part):
    *_, again = in_part
    told = {each.code: each for each in again.findings}
    assert "A correction of the section A went" in told["office.section-on-next-list"].message
    assert "rate its other sections" in told["office.is-published"].remedy
