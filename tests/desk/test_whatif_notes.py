"""What an edition assumes of the one who asks is told, in words to him."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any, NamedTuple

import pytest

import ratingbook as rb
from ratingbook.desk.outcomes import as_dict
from ratingbook.desk.planned import ME, planned
from ratingbook.desk.whatif import Asker, of_games, player_of
from ratingbook.model import (
    Entry,
    Event,
    Finding,
    Findings,
    Game,
    Place,
    Report,
    Result,
    Severity,
    Standing,
)
from ratingbook.rules.book import Batch, RuleBook
from ratingbook.rules.settings import Settings
from tests.engine.toys import TOY, Value, play, rounds_of, toy_of


class Parameters(NamedTuple):
    age: int = 20


class Noting(RuleBook):
    """It tells of whom it does not know the age."""

    def check(self, batch: Batch) -> Findings:
        findings = Findings()
        for entry in batch.entries:
            findings.add(
                Severity.INFO,
                "toy.age",
                f"Player {entry.id} has no year of birth, comes without an age and is an adult.",
                entry.place,
            )
        return findings


NOTING = toy_of(
    replace(TOY, **rounds_of([play(lambda own, sides, p: Value(own.rating, len(sides)))])),
    Settings(Parameters()),
    made=Noting,
)


def test_what_is_assumed_of_the_asker_is_told() -> None:
    entry, _ = player_of(Asker(1500.0), NOTING)
    games = [planned("1600=1", 1, NOTING), planned("1700=0", 2, NOTING)]
    answer = of_games(NOTING, entry, games, Event(), explain=False)
    findings: Any = as_dict(answer)["findings"]
    (told,) = findings
    assert told["message"] == "You have no year of birth, comes without an age and is an adult."
    assert ME not in str(told["where"])


@pytest.mark.parametrize(
    ("place", "title"),
    [
        (Place(), "2 notes, none of them on a fault"),
        (Place("a.trf"), "2 notes, none of them on a fault of the file"),
    ],
)
def test_notes_name_a_file_where_there_is_one(place: Place, title: str) -> None:
    parts = tuple(Finding(f"toy.{n}", Severity.INFO, "So.", place) for n in range(2))
    assert Finding("notes", Severity.INFO, "", place, parts=parts).title == title


def _abroad(opponent: str, **said: Any) -> Any:
    """A game of an event of FIDE, as US Chess rates it."""
    return rb.whatif([opponent], "uscf-2017", event={"kind": "fide"}, date="2018-05-05", **said)


def test_in_an_event_of_fide_an_opponent_counts_with_the_fide_rating() -> None:
    """2300 counts as 180 + .94 · 2300 = 2342, whatever else is said of the opponent."""
    asked: Any = _abroad("2300=1", rating=2300, games=200)
    me = Entry("me", standing=Standing(rating=2300, games=200))
    other = Entry("other", foreign={"fide": 2300})
    games = (Game("me", "other", Result.WHITE_WINS, round=1),)
    event = Event(kind="fide", start=date(2018, 5, 5), end=date(2018, 5, 5))
    rated: Any = rb.rate(Report(event, (me, other), games), "uscf-2017")
    (outcome,) = asked["outcomes"]
    assert outcome["after"] == rated.players[0]["after"] != 2300
    assert asked["findings"] == []
    assert any("count with their FIDE ratings" in note for note in asked["notes"])


def test_an_opponent_without_a_fide_rating_is_told_in_words_of_the_asker() -> None:
    asked: Any = _abroad("unrated=?", rating=2300, games=200)
    (told,) = asked["findings"]
    assert told["code"] == "uscf.no-fide-rating"
    assert told["remedy"] == "Say the opponent's FIDE rating, such as 2350=1."


def test_a_notebook_has_the_decimals_of_a_rating() -> None:
    """Whoever adds the change to the rating of before comes to the one of after."""
    made = rb.whatif(["1900=?", "2000=1"], "egf-2021", rating=1960.5, games=40)
    rows = re.findall(
        r"<td>[\d.]+</td><td>([\d.]+)</td><td>([\d.]+)</td><td>([-\d.]+)</td>",
        made._repr_html_(),
    )
    assert [row[0] for row in rows] == ["1960.5"] * 3
    assert all(Decimal(began) + Decimal(change) == Decimal(after) for began, after, change in rows)
    assert all(after in repr(made) for _, after, _ in rows)


OF_AGE = "Your age is not said: K is that of somebody grown up"


@pytest.mark.parametrize("score", ["1", "?"])
@pytest.mark.parametrize(
    ("book", "rating", "games", "tells"),
    [
        ("fide-2024", 1843, 200, True), ("fide-2024", 2350, 200, False),
        ("fide-2024", 1843, 12, False), ("fide-2009", 1843, 200, False),
        ("uscf-2025", 1843, 200, False), ("egf-2021", 1843, 200, False),
    ],
)  # fmt: skip
def test_an_age_that_would_make_another_k_is_missed(
    book: str, rating: int, games: int, tells: bool, score: str
) -> None:
    def notes(**said: Any) -> list[str]:
        told: Any = rb.whatif([f"1900={score}"], book, rating=rating, games=games, **said)
        return [each for each in told["notes"] if OF_AGE in each]

    assert bool(notes()) is tells
    assert notes(birth_year=1980) == notes(birth_year=2014) == []


@pytest.mark.parametrize("score", [Result.WHITE_WINS, Result.NONE])
def test_an_age_is_missed_of_who_plays_in_a_report_as_well(score: Result) -> None:
    entries = [Entry(each, standing=Standing(rating=1843, games=200)) for each in ("a", "b")]
    event = Event(start=date(2026, 5, 5), end=date(2026, 5, 5))
    report = Report(event, tuple(entries), (Game("a", "b", score, round=1),))
    told: Any = rb.whatif(report, "fide-2024", player="a")
    assert any(OF_AGE in each for each in told["notes"])
    young = replace(entries[0], birth_year=2014)
    told = rb.whatif(replace(report, entries=(young, entries[1])), "fide-2024", player="a")
    assert not any(OF_AGE in each for each in told["notes"])


@pytest.mark.parametrize("score", ["1", "?"])
@pytest.mark.parametrize(
    ("said", "tells"),
    [
        ({"games": 200, "standing": {"k": 10}}, True),
        ({"games": 200, "standing": {"k": 40}}, True),
        ({"games": 12, "standing": {"k": 20}}, True),
        ({"games": 200, "standing": {"k": 20}}, False),
        ({"games": 12, "standing": {"k": 40}}, False),
        ({"games": 200, "standing": {"k": 40}, "birth_year": 2014}, False),
        ({"games": 200, "standing": {"k": 10, "reached_2400": True}}, False),
        ({"standing": {"k": 10}}, False),
        ({"standing": {"k": 40}}, False),
    ],
)  # fmt: skip
def test_a_k_that_is_not_looked_at_is_told(said: dict[str, Any], tells: bool, score: str) -> None:
    """FIDE 2c: K follows from the number of games; that of a list says what nobody else does."""
    asked: Any = rb.whatif([f"1900={score}"], "fide-2024", rating=1843, date="2026-05-05", **said)
    found = [each for each in asked["findings"] if each["code"] == "fide.k-not-taken"]
    assert len(found) == tells
    for each in found:
        assert each["message"].startswith("Your K that is given is another one")
        assert "--games" in each["remedy"]


def test_a_k_of_who_has_no_rating_is_told_to_be_none() -> None:
    asked: Any = rb.whatif(["1900=1"] * 6, "fide-2024", date="2026-05-05", standing={"k": 40})
    assert "fide.k-not-taken" in [each["code"] for each in asked["findings"]]


def test_other_events_take_opponents_as_they_are_in_the_pool() -> None:
    asked: Any = rb.whatif(["2300=1"], "uscf-2017", rating=2300, games=200, date="2018-05-05")
    assert not any("FIDE" in note for note in asked["notes"])
