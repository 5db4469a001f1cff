"""What a draft is told to give is what the run gives: everything that a standing carries counts."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from ratingbook.office.acts import desk, imports, receive, runs, setup
from ratingbook.office.acts.decisions import Deciding, dated_kinds_of, decide
from ratingbook.office.acts.forecast import forecast
from ratingbook.office.acts.published import head_run, table_of
from ratingbook.office.acts.setup import decimals_of, pool_named, rules_of
from ratingbook.office.engine.fed import Fed
from ratingbook.office.engine.foreseen import Foreseen, foreseen
from ratingbook.office.engine.rules import Rules
from ratingbook.office.home import Home
from ratingbook.office.intake import Understood, understand
from ratingbook.office.logic.rounding import rounded_one
from ratingbook.office.store import models as m
from tests.office.conftest import TINA
from tests.office.reports import write

BOOKS: dict[str, dict[str, Any]] = {
    "egf": {"start": "2019-03-01", "step": 40, "event": {"class": "A"}, "grades": True},
    "egf-2021": {"start": "2023-03-01", "step": 40, "event": {"class": "A"}, "grades": True},
    "uscf": {"start": "2018-03-01", "step": 40, "event": {"time_control": "G/120"}},
    "uscf-2011": {"start": "2012-03-01", "step": 40, "event": {"time_control": "G/120"}},
    "fide": {"start": "2012-02-10", "step": 100, "event": {}},
    "iccf-2009": {"start": "2009-02-10", "step": 130, "event": {"class": "open", "level": 1800}},
    "iecg-1999": {"start": "1999-02-10", "step": 70, "event": {}},
    "elo": {"start": "2012-02-10", "step": 40, "event": {}},
}
OF_GO = ["rating,games,highest_grade", "1800,30,3k", "2210,60,2d"]
OF_USCF = ["rating,games,peak", "1705,400,1910", "1600,60,1620"]
OPENINGS = {
    "egf": OF_GO, "egf-2021": OF_GO, "uscf": OF_USCF, "uscf-2011": OF_USCF,
    "fide": ["rating,games,reached_2400", "2380,400,true", "2010,60,false", "1900,9,", "1850,50,"],
    "iccf-2009": ["rating,games", "2050,60", "1909,35"],
    "iecg-1999": ["rating,games,status", "2050,60,established", "1700,9,provisional"],
    "elo": ["rating,games", "1700,60", "1600,30"],
}  # fmt: skip
"""With what the first players come in."""


def report(book: str, number: int, day: date) -> dict[str, Any]:
    """Seven players, who meet by chance; number 1 loses nearly all, and somebody new comes."""
    said, chance = BOOKS[book], random.Random(f"{book}{number}")
    players = [str(each) for each in (1, 2, 3, 4, 5, 6 + number)]
    grades = {"1": "6k", "2": "1d", "3": f"{8 - 3 * number}k", "4": "2k", "5": "10k"}
    people = [
        {"id": each, "name": f"Player {each}", "ids": {"club": each},
         **({"grade": grades.get(each, "12k")} if said.get("grades") else {})}
        for each in players
    ]  # fmt: skip
    pairs = [(a, b) for at, a in enumerate(players) for b in players[at + 1 :]]
    games = [
        {"round": turn, "white": a, "black": b,
         "result": "0-1" if a == "1" else chance.choice(["1-0", "0-1", "1/2-1/2"])}
        for turn, (a, b) in enumerate(pairs, 1)
        if chance.random() < 0.6
    ]  # fmt: skip
    head = {"name": f"Cup {number}", "start": str(day), "end": str(day), **said["event"]}
    return {"ratingbook": "report/1", "event": head, "players": people, "games": games}


def known_in(found: Understood) -> dict[str, int]:
    """Who the entries are whose numbers the office knows."""
    known = dict(m.ExternalId.objects.filter(scheme="club").values_list("value", "person"))
    return {
        each.number: known[each.number] for each in found.entries if each.number in known
    }  # fmt: skip


def held_in(home: Home, run: m.Run | None) -> set[int]:
    """Who has played, and has a rating that the rules do not publish."""
    if run is None:
        return set()
    table = table_of(home, run.ratings_id or "").to_pylist()
    return {
        int(row["player"]) for row in table
        if row["rating"] is not None and not row["published"] and row["games"]
    }  # fmt: skip


def given(home: Home, run: m.Run, before: m.Run | None, report: int) -> dict[str, Foreseen]:
    """What a published run gave the entries of its newest report, as its rules publish it."""
    held, held_before = held_in(home, run), held_in(home, before)
    links = m.Link.objects.filter(entry__version__report=report, revoked_by__isnull=True)
    entries = {person: entry for entry, person in links.values_list("entry__number", "person")}
    rows: dict[int, list[m.Change]] = {}
    for each in m.Change.objects.filter(run=run).order_by("batch__day", "batch", "turn"):
        rows.setdefault(each.person, []).append(each)
    return {
        entries[person]: Foreseen(
            None if person in held_before else some[0].before,
            None if person in held else some[-1].after,
            sum(each.games for each in some), sum(each.score for each in some), person in held,
        )
        for person, some in rows.items() if person in entries
    }  # fmt: skip


def shown(found: Foreseen, decimals: int) -> Foreseen:
    """The same with numbers as they are published."""
    before, after = (rounded_one(each, decimals) for each in (found.before, found.after))
    return replace(found, before=before, after=after)


def begun(home: Home, tmp_path: Path, book: str) -> m.Pool:
    """A pool, and with what the first players come in."""
    setup.add_pool("main", book, TINA)
    opening = tmp_path / "opening.csv"
    head, *rows = OPENINGS[book]
    lines = [f"{each},Player {each},{row}" for each, row in enumerate(rows, 1)]
    opening.write_text("\n".join([f"id,name,{head}", *lines]), "utf-8")
    imports.import_file(home, opening, "club", TINA, "main")
    return pool_named("main")


def send(home: Home, path: Path) -> int:
    """A report comes in, and whoever is new in it is known."""
    [one], _ = receive.receive_all(home, [path], TINA, receive.Options(pool="main"))
    assert one.id is not None, [*one.findings]
    for each in desk.waiting(one.id) if one.waiting else ():
        desk.link(one.id, each.entry, "new", TINA)
    return one.id


def published(home: Home, until: date) -> m.Run:
    made = runs.make(home, "main", until, TINA).run
    runs.approve(made.id, TINA)
    runs.publish(home, made.id, TINA)
    return m.Run.objects.get(id=made.id)


def told(home: Home, draft: Path) -> dict[str, Foreseen]:
    """What a draft would give, as it is shown."""
    pool = pool_named("main")
    found = understand(draft, rules_of(pool), None)
    assert isinstance(found, Understood)
    made = forecast(home, head_run(pool), pool, found, known_in(found), None)
    return {entry: shown(each, decimals_of(pool)) for entry, each in made.items()}


@pytest.mark.parametrize("book", BOOKS)
def test_a_draft_is_told_what_the_run_gives(home: Home, tmp_path: Path, book: str) -> None:
    begun(home, tmp_path, book)
    day = date.fromisoformat(BOOKS[book]["start"])
    for number in range(4):
        path = write(tmp_path, f"{number}.json", report(book, number, day))
        run = head_run(pool_named("main"))
        expected = told(home, path)
        sent = send(home, path)
        made = published(home, day + timedelta(days=BOOKS[book]["step"] - 1))
        rated = given(home, made, run, sent)
        assert {each: expected[each] for each in rated} == rated
        others = [found for each, found in expected.items() if each not in rated]
        assert all((each.before, 0) == (each.after, each.games) for each in others)
        day += timedelta(days=BOOKS[book]["step"])
    assert len(expected) > 4


@pytest.mark.parametrize("book", ["fide", "egf", "uscf", "elo"])
def test_who_has_no_rated_game_in_it_keeps_the_rating(
    home: Home, tmp_path: Path, book: str
) -> None:
    begun(home, tmp_path, book)
    start = date.fromisoformat(BOOKS[book]["start"])
    send(home, write(tmp_path, "first.json", report(book, 0, start)))
    run = published(home, start + timedelta(days=BOOKS[book]["step"] - 1))
    said = report(book, 1, start + timedelta(days=BOOKS[book]["step"]))
    said["games"] = [
        *(each for each in said["games"] if "2" not in (each["white"], each["black"])),
        {"round": 9, "white": "2", "black": "3", "result": "1-0", "status": "forfeit"},
    ]
    found = told(home, write(tmp_path, "draft.json", said))
    held = {
        int(row["player"]): row["rating"]
        for row in table_of(home, run.ratings_id or "").to_pylist()
    }
    person = m.ExternalId.objects.get(scheme="club", value="2").person_id
    rating = rounded_one(held[person], decimals_of(pool_named("main")))
    assert found["2"] == Foreseen(rating, rating, 0, 0.0, is_withheld=False)
    assert found["3"].games


@pytest.mark.parametrize("book", ["fide", "egf", "uscf", "elo"])
@pytest.mark.parametrize("way", [{"status": "forfeit"}, {"result": "*"}, {"rated": False}])
def test_where_nobody_has_a_rated_game_everybody_keeps_the_rating(
    home: Home, tmp_path: Path, book: str, way: dict[str, Any]
) -> None:
    begun(home, tmp_path, book)
    start = date.fromisoformat(BOOKS[book]["start"])
    send(home, write(tmp_path, "first.json", report(book, 0, start)))
    run = published(home, start + timedelta(days=BOOKS[book]["step"] - 1))
    said = report(book, 1, start + timedelta(days=BOOKS[book]["step"]))
    said["games"] = [each | way for each in said["games"]]
    found = told(home, write(tmp_path, "draft.json", said))
    held = {
        int(row["player"]): row["rating"]
        for row in table_of(home, run.ratings_id or "").to_pylist()
        if row["published"]
    }
    decimals = decimals_of(pool_named("main"))
    ratings = {
        entry: rounded_one(held[person], decimals)
        for entry, person in m.ExternalId.objects.values_list("value", "person")
        if person in held and any(entry in (x["white"], x["black"]) for x in said["games"])
    }
    assert len(ratings) > 1
    assert {entry: each.before for entry, each in found.items()} == ratings
    assert all((each.before, 0) == (each.after, each.games) for each in found.values())


def test_where_nothing_is_rated_at_all_everybody_has_the_rating_of_the_opening(
    home: Home, tmp_path: Path
) -> None:
    begun(home, tmp_path, "elo")
    said = report("elo", 0, date(2012, 2, 10))
    said["games"] = [each | {"result": "*"} for each in said["games"]]
    found = told(home, write(tmp_path, "draft.json", said))
    assert {entry: (each.before, each.after) for entry, each in found.items()} == {
        "1": (1700, 1700), "2": (1600, 1600),
    }  # fmt: skip


@pytest.mark.parametrize("book", BOOKS)
def test_what_no_run_has_published_counts_for_nothing(
    home: Home, tmp_path: Path, book: str
) -> None:
    """Be it sent after the run or before: what ended after its day is in no publication."""
    begun(home, tmp_path, book)
    start, step = date.fromisoformat(BOOKS[book]["start"]), timedelta(days=BOOKS[book]["step"])
    # Two events, of which only the first is rated by the run, and the draft of a third.
    first, second, draft = (
        write(tmp_path, f"{number}.json", report(book, number, start + number * step))
        for number in range(3)
    )

    until = start + step - timedelta(days=1)
    send(home, first)
    published(home, until)
    expected = told(home, draft)
    send(home, second)
    assert told(home, draft) == expected
    published(home, until)
    assert told(home, draft) == expected
    published(home, until + step)
    assert told(home, draft) != expected


@pytest.mark.parametrize(
    ("book", "later", "counts"),
    [
        # By event and by game: the day on which it ended, of which the office may have decided.
        ("egf", -5, True), ("egf", 0, True), ("egf", 1, False),
        ("uscf", 0, True), ("uscf", 1, False), ("elo", 0, True), ("elo", 1, False),
        # By lists: the day of the next one, which is three weeks after it.
        ("fide", 1, True), ("fide", 45, False),
    ],
)  # fmt: skip
def test_what_is_decided_from_a_day_after_it_is_rated_does_not_enter(
    home: Home, tmp_path: Path, book: str, later: int, counts: bool
) -> None:
    """A draft is rated in its own place, whatever the published run knew of later days."""
    pool = begun(home, tmp_path, book)
    start, step = date.fromisoformat(BOOKS[book]["start"]), timedelta(days=BOOKS[book]["step"])
    first, draft = (
        write(tmp_path, f"{number}.json", report(book, number, start + number * step))
        for number in range(2)
    )

    until = start + step - timedelta(days=10)
    send(home, first)
    published(home, until)
    before = told(home, draft)
    since = start + step + timedelta(days=later)
    for kind in dated_kinds_of(pool):
        decide(home, Deciding(2, kind, "2222", "main", "looked at again", since), TINA)
    run = published(home, until)
    after = told(home, draft)
    assert (after != before) is counts
    number = send(home, draft)
    made = published(home, start + 2 * step)
    assert after == given(home, made, run, number)


@pytest.mark.parametrize("name", ["fide-2014", "uscf-2011"])
def test_a_draft_says_nothing_of_when_somebody_is_born(name: str) -> None:
    """Whoever knew the change would know the age; what the file says itself counts."""
    day, young, old = date(2016, 2, 10), date(2004, 5, 5), date(1970, 5, 5)
    games = pa.table(
        {"date": [day] * 3, "event": ["cup"] * 3, "white": ["1", "2", "3"],
         "black": ["2", "3", "1"], "score": [1.0, 0.5, 0.0]}
    )  # fmt: skip

    def told(known: date, said: date | None) -> dict[str, Foreseen]:
        players = pa.table(
            {"id": ["1", "2", "3"], "rating": [None, 2010.0, 1900.0], "games": [0, 60, 60],
             "birth_date": [known, known, old]}
        )  # fmt: skip
        births = {"1": said, "2": said, "3": None}
        return foreseen(Fed(games, players), Rules(name), ["cup"], births, day)

    assert told(young, None) == told(old, None)
    assert told(old, young) == told(young, young)
    # By US Chess an age is where the first rating is looked for, and these games give it.
    assert (told(young, young) == told(young, None)) is (name == "uscf-2011")
