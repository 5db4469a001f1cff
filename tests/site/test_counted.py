"""What was rated of an event, for each side of a game: the count, the marks, the last day."""

from __future__ import annotations

import csv
import io
import re
from datetime import date
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple
from unittest.mock import Mock

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from django.test import Client

from ratingbook.office.acts import desk, explain, receive
from ratingbook.office.home import Home
from ratingbook.site.shown import statistics
from tests.office.reports import write
from tests.site.pages import copied
from tests.site.published import OFFICER, PEOPLE, on, publish, report

STRANGER = ("Golf, Gus", "m", "1995-05-05", "777")
LIST = date(2026, 8, 1)


class Met(NamedTuple):
    """An office with two events of one list, and somebody who looks at it."""

    home: Home
    client: Client
    report: int
    """To which somebody without a rating came, who lost all games."""


@pytest.fixture
def met(office_with_lists: Home, tmp_path: Path) -> Met:
    home, client = copied(office_with_lists, tmp_path)
    received(home, report("Summer Open", "2026-07-10", {}))
    other = report("Midsummer Open", "2026-07-12", {})
    name, sex, born, number = STRANGER
    other["players"].append(
        {"id": "7", "name": name, "sex": sex, "birth_date": born, "ids": {"national": number}}
    )
    other["games"] += [
        {"round": 15 + int(key), "white": key, "black": "7", "result": "1-0"} for key in PEOPLE
    ]
    number_of_report = received(home, other)
    publish(home, "standard", LIST)
    return Met(home, client, number_of_report)


def received(home: Home, said: dict[str, Any]) -> int:
    """The number of a report, in which everybody unknown is new."""
    path = write(home.folder, f"{said['event']['name']}.json", said)
    who = on(OFFICER, date.fromisoformat(said["event"]["end"]))
    options = receive.Options(pool="standard", another=True)
    [one], _ = receive.receive_all(home, [path], who, options)
    assert one.id is not None
    if one.waiting:
        desk.link_new(one.id, OFFICER)
    return one.id


def cells_of(section):
    return {
        (line["person"], cell["opponent"]): cell
        for line in section["lines"] for cells in line["cells"] for cell in cells
    }  # fmt: skip


def test_against_somebody_without_a_rating_nothing_is_rated(met):
    event = met.client.get(f"/events/{met.report}.json").json()
    section = event["section"]
    assert section["rated_games"] == 15
    stranger = next(line for line in section["lines"] if line["name"] == STRANGER[0])
    cells = cells_of(section)
    for line in section["lines"]:
        for (person, opponent), cell in cells.items():
            if person == line["person"]:
                strange = stranger["number"] in (line["number"], opponent)
                assert cell["is_rated"] == (not strange), cell
    # As the explanation of whoever met them says.
    said = met.client.get(f"/players/1/changes/standard/{LIST}.json").json()
    assert said["rated_games"] == 10
    assert sum(bool(game["why_unrated"]) for game in said["games"]) == 1


def test_what_is_not_rated_keeps_its_colour(met):
    page = met.client.get(f"/events/{met.report}").content.decode()
    off = re.findall(r'<span class="(g off met[^"]*)"[^>]*>(.*?)</b></span>', page)
    assert len(off) == 12
    assert sum("black" in kind for kind, _ in off) == 6
    assert {letter for _, text in off for letter in re.findall(r"<i>(.)</i>", text)} == {"w", "b"}
    assert "15 rated games" in page
    assert "In italics: not rated for this player" in page
    rows = list(
        csv.reader(io.StringIO(met.client.get(f"/events/{met.report}.csv").content.decode()))
    )
    assert any(re.fullmatch(r"\d b 0", cell) for cell in rows[-1])


def test_where_all_is_rated_nothing_is_asked_of_the_run(met, monkeypatch):
    """Events of one list, in which everybody is rated in all games.

    One ended when the list before had closed, before its day; another comes with the next list.
    """
    numbers = [
        received(met.home, report(f"Autumn {day}", f"2026-{day}", {}))
        for day in ("08-31", "09-05", "09-12", "09-30")
    ]
    publish(met.home, "standard", date(2026, 11, 1))
    batches = [
        met.client.get(f"/players/1/changes/standard/2026-{month}-01.json").json()["rated_games"]
        for month in ("10", "11")
    ]
    assert batches == [15, 5]
    monkeypatch.setattr(explain, "counted", lambda *_: pytest.fail("it was asked"))
    for number in numbers:
        assert met.client.get(f"/events/{number}.json").json()["section"]["rated_games"] == 15


def test_the_last_rated_game_is_ones_own(met):
    """A list takes two events: who played in the first only has not played in the second."""
    received(met.home, report("Autumn Open", "2026-09-05", {}))
    few = report("Late Open", "2026-09-12", {})
    few["players"] = [each for each in few["players"] if each["id"] in "12"]
    few["games"] = [each for each in few["games"] if each["white"] + each["black"] == "12"]
    received(met.home, few)
    publish(met.home, "standard", date(2026, 10, 1))
    for person, day in ((1, "2026-09-12"), (2, "2026-09-12"), (3, "2026-09-05")):
        said = met.client.get(f"/players/{person}.json").json()
        assert said["last_played"] == day
        [standard] = [each for each in said["pools"] if each["pool"] == "standard"]
        assert standard["last_played"] == day
    assert "last rated game 5 Sep 2026" in met.client.get("/players/3").content.decode()


def test_beside_the_points_of_an_event_stands_what_was_expected_in_it_only(met):
    """A list takes two events: what it expected of all games stands beside no event's points."""
    said = met.client.get(f"/events/{met.report}.json").json()["section"]
    of_list = met.client.get(f"/players/1.json?pool={said['pool']}").json()["results"][0]
    assert of_list["games"] == 10
    assert of_list["expected"] is not None
    line = next(each for each in said["lines"] if each["person"] == 1)
    rated = sum(cell["is_rated"] for cells in line["cells"] for cell in cells)
    assert (rated, line["expected"]) == (5, None)
    page = met.client.get(f"/events/{met.report}", headers={"accept-language": "en"})
    assert "Exp. stands with those who had all their games of the list here" in (
        " ".join(page.content.decode().split())
    )
    table = met.client.get(f"/events/{met.report}.csv").content.decode()
    rows = list(csv.DictReader(io.StringIO(table)))
    assert next(row for row in rows if row["player"] == "1")["expected"] == ""


def statistics_of(client: Client) -> Any:
    return client.get("/statistics.json?pool=standard").json()


def rated_of_events(client: Client) -> int:
    events = client.get("/events.json?pool=standard").json()["rows"]
    pages = [client.get(f"/events/{each['report']}.json").json() for each in events]
    return sum(each["section"]["rated_games"] for each in pages)


def test_statistics_count_what_was_rated_for_one_of_the_two(met):
    """Of the games of the stranger none was; a report that waits for its run is none either."""
    before = statistics_of(met.client)
    assert before["games"] == rated_of_events(met.client)
    months = next(each for each in before["figures"] if each["key"] == "activity")
    assert sum(count for _, count in months["rows"]) == before["games"]
    received(met.home, report("Next Open", "2026-10-20", {}))
    publish(met.home, "standard", date(2026, 10, 25))
    # Its games were over, and the list that takes them is still to come.
    assert statistics_of(met.client)["games"] == before["games"]
    publish(met.home, "standard", date(2026, 11, 1))
    assert statistics_of(met.client)["games"] == before["games"] + 15


def test_statistics_ask_the_run_where_the_rows_do_not_tell(met, monkeypatch):
    """As if nobody knew who had a rating: the run says the same."""
    rated, counted = rated_of_events(met.client), Mock(wraps=explain.counted)
    monkeypatch.setattr(explain, "counted", counted)
    nobody_has_one = SimpleNamespace(
        **{name: getattr(pc, name) for name in ("is_in", "less_equal", "scalar")},
        is_valid=lambda column: pa.array([False] * len(column)),
    )
    monkeypatch.setattr("ratingbook.site.shown.rated_games.pc", nobody_has_one)
    statistics._of_games.cache_clear()
    assert statistics_of(met.client)["games"] == rated
    assert counted.called
    statistics._of_games.cache_clear()
