"""The list of II.5: its columns, its order, and who is left out of it."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from ratingbook.model import Entry, Standing, StandingStatus
from ratingbook.rules.iecg import iecg_1999
from ratingbook.rules.listing import Member

ESTABLISHED, PROVISIONAL = StandingStatus.ESTABLISHED, StandingStatus.PROVISIONAL


def member(name: str, rating: int, games: int, last: date | None = date(1999, 6, 1)) -> Member:
    status = ESTABLISHED if games >= 15 else PROVISIONAL
    standing = Standing(rating, games, 5, 6, 7, status, last, {"ter": rating})
    return Member(Entry(name, name=name, federation="GER", standing=standing))


MEMBERS = [
    member("Ada", 1500, 40),
    member("Ben", 1650, 40),
    member("Cem", 1650, 8),
    member("Dan", 1500, 5),
    member("Eva", 2000, 90, date(1998, 7, 1)),
    member("Fay", 2000, 90, date(1998, 6, 30)),
    member("Gil", 2000, 90, date(1994, 6, 30)),
    member("Hal", 1400, 90, None),
    Member(Entry("Ida", name="Ida")),
    Member(Entry("Jan", name="Jan", standing=Standing(status=StandingStatus.STARTING))),
]
DAY = date(1999, 7, 20)


def test_public_list():
    """Classes of 400 points: 2000, 1650 and 1500 to 1400 lie in three of them."""
    found = iecg_1999.listing(MEMBERS, DAY)
    assert (found.title, found.day) == ("IECG rating list 1999/3", date(1999, 7, 3))
    assert found.facts[-1] == "an intermediate list can follow on 1999-08-07"
    assert [(r["position"], r["class_position"], r["id"]) for r in found.rows] == [
        (1, 1, "Eva"), (2, 1, "Ben"), (2, 1, "Cem"), (4, 1, "Ada"), (5, 2, "Hal"),
    ]  # fmt: skip
    assert {column.key for column in found.columns} == set(found.rows[0])
    assert {left.id: left.reason for left in found.not_listed} == {
        "Dan": "provisional with 5 games: not yet published (III.3)",
        "Fay": "inactive for a year (VIII.5)",
        "Gil": "inactive for five years: deleted (VIII.5)",
        "Ida": "has no rating from games (III.2)",
        "Jan": "has no rating from games (III.2)",
    }


def test_special_version_for_the_tournament_offices():
    found = iecg_1999.listing(MEMBERS, DAY, office=True)
    assert [row["id"] for row in found.rows] == ["Eva", "Ben", "Cem", "Ada", "Dan", "Hal"]
    assert found.rows[4]["status"] == PROVISIONAL
    assert {column.key for column in found.columns} == set(found.rows[0])


def test_class_bounds_are_a_configuration():
    narrow = iecg_1999.with_parameters({"class_width": "100"})
    assert [row["class_position"] for row in narrow.listing(MEMBERS, DAY).rows] == [1, 1, 1, 1, 1]


def test_a_game_in_progress_keeps_a_player_on_the_list() -> None:
    """B4: Fay finished no game for a year; one of hers was in progress in the period before."""
    fay = next(each for each in MEMBERS if each.entry.id == "Fay")
    assert fay.entry.standing is not None
    playing = replace(fay.entry.standing, extra={"ter": 2000, "in_progress": "1999-05-01"})
    members = [Member(replace(fay.entry, standing=playing))]
    assert [row["id"] for row in iecg_1999.listing(members, DAY).rows] == ["Fay"]
    strict = iecg_1999.with_parameters({"inactive": "none_finished"})
    assert not strict.listing(members, DAY).rows
