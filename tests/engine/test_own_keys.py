"""Keys of an edition's own in the standing: what a report leaves is what the next one needs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import pytest

from ratingbook.checks.chains import histories_are_chains_of_reports
from ratingbook.engine.rate import rate
from ratingbook.model import Entry, Event, Game, Report, Result
from ratingbook.model import Standing as Reported
from ratingbook.rules.book import RatedBy, RuleBook
from ratingbook.rules.bulk import NOT_GIVEN, Bulk, summed
from ratingbook.rules.settings import Settings
from ratingbook.rules.text import Domain, Paragraph, Regulation
from ratingbook.rules.units import SCORE_SCALE, Games, Rating
from ratingbook.rules.usual import Sums, one_more

# A toy federation.  Whoever plays has one point more for each half point; every third report in
# a row ("form") gives ten points more, and the count begins again.  It knows nothing of "club".


class Parameters(NamedTuple):
    in_a_row: int = 3


class Known(NamedTuple):
    rating: Rating = 0
    games: Games = 0
    form: int = 0
    guest: bool = False
    since: int = NOT_GIVEN
    club: int = 0


class Standing(NamedTuple):
    rating: Rating
    games: Games
    form: int
    guest: bool
    since: int


def standing_of(known: Known, p: Parameters) -> Standing:
    return Standing(known.rating, known.games, known.form, known.guest, known.since)


def known_of(standing: Standing, p: Parameters) -> Known:
    return Known(*standing)


def add(so_far: Sums, entered: Standing, side: Any, p: Parameters) -> Sums:
    return one_more(so_far, side.score, SCORE_SCALE // 2, side.score * SCORE_SCALE)


def leave(entered: Standing, value: Sums, p: Parameters) -> Standing:
    if entered.rating == 0:
        return entered._replace(games=0)
    full = entered.form + 1 == p.in_a_row
    rating = entered.rating + value.total // SCORE_SCALE + (10 if full else 0)
    form = 0 if full else entered.form + 1
    return Standing(rating, entered.games + value.games, form, False, NOT_GIVEN)


TOY = RuleBook(
    name="toy",
    text=Regulation("Toy", "Toy", paragraphs=(Paragraph("1", "All", "All"),)),
    settings=Settings(Parameters()),
    rated_by=RatedBy.SECTION,
    standing_fields={"form": int, "guest": bool, "since": int, "club": int},
    bulk=Bulk(
        known=Known,
        standing=Standing,
        standing_of=standing_of,
        known_of=known_of,
        leave=leave,
        fold=summed(add),
    ),
)


def after(standing: Reported, reports: int = 1) -> list[Any]:
    """A player's rows of reports, each with one win and what the one before left."""
    found = []
    for _ in range(reports):
        players = (Entry("A", standing=standing), Entry("B", standing=Reported(1500, 5)))
        report = Report(Event(), players, (Game("A", "B", Result.WHITE_WINS, round=1),))
        row = next(rated.row for rated in rate(report, TOY).rows if rated.row.id == "A")
        standing = row.standing
        found.append(row)
    return found


def test_a_key_that_is_back_at_its_default_is_written() -> None:
    (row,) = after(Reported(1500, 5, extra={"form": 2, "guest": True}))
    assert row.after == 1512
    assert (row.standing.extra["form"], row.standing.extra["guest"]) == (0, False)


def test_reports_in_a_row_count_on() -> None:
    """Of three reports, two points each, only the third gives ten more."""
    ratings = [row.after for row in after(Reported(1500, 5), 6)]
    assert ratings == [1502, 1504, 1516, 1518, 1520, 1532]


def test_a_key_that_is_no_longer_given_is_taken_out() -> None:
    (row,) = after(Reported(1500, 5, extra={"since": 7}))
    assert "since" not in row.standing.extra


@pytest.mark.parametrize("said", [0, 3])
def test_a_key_of_which_the_rules_say_nothing_stays(said: int) -> None:
    (row,) = after(Reported(1500, 5, extra={"club": said}))
    assert row.standing.extra["club"] == said


def test_a_key_that_was_not_given_and_has_its_default_is_not_written() -> None:
    (row,) = after(Reported(1500, 5, extra={"form": 2}))
    assert row.standing.extra == {"form": 0}


def test_no_games_are_said_where_the_edition_counts_from_none() -> None:
    (row,) = after(Reported(1500, 5))
    assert row.standing.games == 6
    (row,) = after(Reported())
    assert (row.after, row.exact, row.standing.rating, row.standing.games) == (None, None, None, 0)


def forgets_form(standing: Standing, p: Parameters) -> Known:
    return known_of(standing, p)._replace(form=0)


def test_the_check_suite_draws_keys_of_the_domain() -> None:
    """A history goes on with ``form``; reports do only if they are told of it."""
    drawing = replace(
        TOY, domain=Domain((1000, 2000), keys={"form": (None, 1, 2), "guest": (False, True)})
    )
    histories_are_chains_of_reports(drawing)
    faulty = replace(drawing, bulk=replace(drawing.bulk, known_of=forgets_form))
    with pytest.raises(AssertionError, match=r"the report was told rating .* and left rating "):
        histories_are_chains_of_reports(faulty)
