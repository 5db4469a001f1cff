"""What the Irish rules say about an unclear report."""

import re
from datetime import date
from pathlib import Path

import pytest

from icu_rating import icu_2012
from ratingbook.engine.rate import rate
from ratingbook.model import Entry, Event, Game, Report, Result, Standing

ROOT = Path(__file__).resolve().parents[3]
DAY = date(2012, 6, 1)
KNOWN = Standing(rating=1500, games=100, extra={"joined": "1990-01-01"})
SENIOR = Entry("a", standing=KNOWN, birth_date=date(1960, 1, 1))


def codes(entry: Entry, *, start: date | None = DAY) -> dict[str, bool]:
    """The codes of the edition's own findings, and whether they refuse."""
    games = (Game(entry.id, "b", Result.DRAW, round=1),)
    guest = Entry("b", standing=Standing(rating=1500, extra={"foreign": True}))
    done = rate(Report(Event(start=start, end=start), (entry, guest), games), icu_2012)
    return {
        each.code: each.severity.refuses for each in done.findings if each.code.startswith("icu.")
    }


def test_a_clear_report_has_none() -> None:
    """Everything is known."""
    assert codes(SENIOR) == {}


@pytest.mark.parametrize("k", [0, 101, 24.5, "many", True, float("inf"), float("nan")])
def test_a_k_that_is_none_refuses(k: float) -> None:
    """The office's K is a whole number."""
    entry = Entry("a", standing=KNOWN, birth_date=DAY, decisions={"k": k, "reason": "?"})
    assert codes(entry) == {"icu.decision-value": True}


def test_a_foreign_player_needs_a_rating() -> None:
    """Else the player is rated as an unrated one."""
    assert codes(Entry("a", standing=Standing(extra={"foreign": True}))) == {
        "icu.foreign-unrated": False
    }


@pytest.mark.parametrize("joined", ["last year", "2011-02-30", 2005])
def test_a_day_of_joining_that_is_none(joined: str | int) -> None:
    """It counts as not known."""
    standing = Standing(rating=1500, games=100, extra={"joined": joined})
    entry = Entry("a", standing=standing, birth_date=DAY)
    assert codes(entry) == {"icu.joined": False, "icu.k-assumed": False}


def test_a_rating_without_games() -> None:
    """It is taken as one that is not provisional."""
    standing = Standing(rating=1500, extra={"joined": "1990-01-01"})
    entry = Entry("a", standing=standing, birth_date=DAY)
    assert codes(entry) == {"icu.games-unknown": False}


@pytest.mark.parametrize(
    "entry",
    [
        Entry("a", standing=KNOWN),
        Entry("a", standing=Standing(rating=1500, games=100), birth_date=DAY),
    ],
)
def test_a_k_that_rests_on_what_is_not_known(entry: Entry) -> None:
    """Without a birthday or a day of joining."""
    assert codes(entry) == {"icu.k-assumed": False}


def test_an_event_without_a_day() -> None:
    """Nobody's age is known then."""
    assert codes(SENIOR, start=None) == {"icu.k-assumed": False}


@pytest.mark.parametrize(("year", "found"), [(1960, {}), (0, {"icu.k-assumed": False})])
def test_the_year_of_birth_is_enough(year: int, found: dict[str, bool]) -> None:
    """It stands for 1 January, if there is such a year."""
    assert codes(Entry("a", standing=KNOWN, birth_year=year)) == found


def test_the_page_tells_every_code() -> None:
    """``docs/examples-icu.md`` says what each means."""
    source = (ROOT / "examples/icu/src/icu_rating/findings.py").read_text("utf-8")
    page = (ROOT / "docs/examples-icu.md").read_text("utf-8")
    pattern = r"icu\.[a-z-]+"
    assert set(re.findall(f'"({pattern})"', source)) == set(re.findall(f"`({pattern})`", page))
