"""Events of several days, or of others than they said: event, players and lists say the same."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from ratingbook.office.acts import asking, corrections, desk, imports, people, receive, setup
from ratingbook.office.home import Home
from ratingbook.office.logic.newcomers import NewPerson
from ratingbook.office.store.ledger import Who
from ratingbook.site.opening import open_site
from ratingbook.site.shown import own
from tests.office import reports
from tests.site.offices import run_to
from tests.site.people import nobody

TINA = Who("tina", at=datetime(2026, 9, 2, 9, 0, tzinfo=UTC))
ROUND_ROBIN = 15


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """A pool whose members have a rating each."""
    return setup.init(tmp_path / "office", TINA)


def pool(home: Home, rulebook: str) -> None:
    setup.add_pool("club", rulebook, TINA)
    lines = [
        f'{number},"{name}",{1500 + 40 * at},40'
        for at, (name, _, _, number) in enumerate(reports.PLAYERS.values())
    ]
    path = home.folder / "opening.csv"
    path.write_text("\n".join(["id,name,rating,games", *lines]) + "\n", "utf-8")
    imports.import_file(home, path, "national", TINA, "club")


def received(home: Home, name: str, start: str, end: str, ends: tuple[str, ...] = ()) -> int:
    """Anna wins all, the others draw; some games have days of their own."""
    won = {("1", key): "1-0" for key in reports.PLAYERS if key != "1"}
    said = reports.document(name, end, won, start=start)
    for game, day in zip(said["games"], ends, strict=False):
        game["end"] = day
    path = reports.write(home.folder, f"{name}.json", said)
    one = receive.receive(home, path, TINA, receive.Options(pool="club", another=True))
    assert one.id is not None
    if one.waiting:
        desk.link_new(one.id, TINA)
    return one.id


def publish(home: Home, until: date) -> None:
    run_to(home, until, who=TINA)


def said(home: Home, path: str):
    open_site(home.folder)
    answer = nobody().get(path)
    assert answer.status_code == 200, (path, answer.content[:300])
    return json.loads(answer.content)


def sides(section) -> int:
    return sum(
        cell["is_rated"] for line in section["lines"] for some in line["cells"] for cell in some
    )


@pytest.mark.parametrize("rulebook", ["elo", "iccf-2009", "iecg-1999", "fide-2024", "egf-2021"])
def test_an_event_of_several_days_has_its_numbers(home, rulebook):
    pool(home, rulebook)
    number = received(home, "Long Class", "2026-01-10", "2026-03-20")
    publish(home, date(2026, 8, 1))
    section = said(home, f"/events/{number}.json")["section"]
    assert section["rated_games"] == ROUND_ROBIN
    assert sides(section) == 2 * ROUND_ROBIN
    for line in section["lines"]:
        (result,) = said(home, f"/players/{line['person']}.json")["results"]
        assert [line[key] for key in ("before", "after", "change", "key")] == [
            result[key] for key in ("before", "after", "change", "key")
        ]  # fmt: skip
        why = said(home, f"/players/{line['person']}/changes/club/{line['key']}.json")
        assert (why["before"], why["after"]) == (line["before"], line["after"])


@pytest.mark.parametrize("rulebook", ["elo", "iccf-2009", "iecg-1999"])
def test_games_that_ended_in_several_periods_are_all_there(home, rulebook):
    """From the first batch to the last one; each change leads to where it ended."""
    pool(home, rulebook)
    ends = tuple(f"2026-{1 + at % 5:02d}-11" for at in range(ROUND_ROBIN))
    number = received(home, "Long Class", "2026-01-10", "2026-06-20", ends)
    publish(home, date(2026, 8, 1))
    section = said(home, f"/events/{number}.json")["section"]
    assert section["rated_games"] == ROUND_ROBIN
    assert sides(section) == 2 * ROUND_ROBIN
    for line in section["lines"]:
        results = said(home, f"/players/{line['person']}.json")["results"]
        newest, oldest = results[0], results[-1]
        assert len(results) > 1
        assert sum(each["games"] for each in results) == len(reports.PLAYERS) - 1
        assert (line["before"], line["after"]) == (oldest["before"], newest["after"])
        assert [each["key"] for each in line["lists"]] == [each["key"] for each in results[::-1]]
        assert line["key"] == ""


@pytest.mark.parametrize("rulebook", ["fide-2024", "iccf-2009"])
def test_an_event_stands_on_the_days_by_which_it_was_rated(home, rulebook):
    pool(home, rulebook)
    first = received(home, "Winter Open", "2026-01-10", "2026-01-12")
    moved = received(home, "Club Night", "2026-01-15", "2026-01-17")
    publish(home, date(2026, 8, 1))
    before = said(home, f"/events/{moved}.json")
    asked = corrections.ask(home, [asking.moved(str(moved), date(2026, 4, 17))], "misprint", TINA)
    assert said(home, f"/events/{moved}.json") == before
    corrections.accept(home, asked.id, TINA)
    waiting = said(home, f"/events/{moved}.json")
    assert (waiting["start"], waiting["end"]) == ("2026-01-15", "2026-01-17")
    publish(home, date(2026, 8, 2))
    event = said(home, f"/events/{moved}.json")
    assert (event["start"], event["end"]) == ("2026-04-15", "2026-04-17")
    assert event["section"]["rated_games"] == ROUND_ROBIN
    listed = {each["report"]: each for each in said(home, "/events.json")["rows"]}
    assert (listed[moved]["start"], listed[moved]["end"]) == ("2026-04-15", "2026-04-17")
    for line in event["section"]["lines"]:
        results = said(home, f"/players/{line['person']}.json")["results"]
        by_event = {one["report"]: each for each in results for one in each["events"]}
        assert {first, moved} == by_event.keys()
        assert [each["games"] for each in results] == [5, 5]
        assert by_event[moved]["after"] == line["after"]
        (named,) = by_event[moved]["events"]
        assert (named["start"], named["end"]) == ("2026-04-15", "2026-04-17")
        key = by_event[moved]["key"]
        why = said(home, f"/players/{line['person']}/changes/club/{key}.json")
        assert [each["name"] for each in why["events"]] == ["Club Night"]
        assert why["rated_games"] == len(why["games"]) == 5


def test_an_entry_is_who_it_was_until_a_run_says_otherwise(home):
    pool(home, "fide-2024")
    number = received(home, "Winter Open", "2026-01-10", "2026-01-12")
    publish(home, date(2026, 8, 1))
    paths = [f"/events/{number}.json", *(f"/players/{each}.json" for each in range(1, 7))]
    before = [said(home, path) for path in paths]
    namesake, _ = people.add_person(NewPerson("Bravo, B.", ids={"national": "799"}), "", TINA)
    asked = corrections.ask(home, [asking.player(number, "2", namesake)], "a namesake", TINA)
    corrections.accept(home, asked.id, TINA)
    for path, was in zip(paths, before, strict=True):
        now = said(home, path)
        for key in ("section", "results", "history"):
            assert now.get(key) == was.get(key), path
    publish(home, date(2026, 8, 2))
    line = next(x for x in said(home, paths[0])["section"]["lines"] if x["person"] == namesake)
    assert line["after"] is not None


def test_an_event_has_the_days_of_its_report_for_everybody():
    """Not those of the last game of who reads: in a correspondence event each has another."""
    section = SimpleNamespace(start=date(2025, 11, 1), end=date(2026, 1, 30))
    games: Any = [SimpleNamespace(section_id=1, section=section, end=date(2026, 1, 11))]
    days = own._Days({})
    assert (days.first(games), days.last(games)) == (section.start, section.end)
    section.end = None
    assert days.last(games) == date(2026, 1, 11)
