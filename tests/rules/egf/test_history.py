"""What only histories ask of the EGF editions."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

import pyarrow as pa
import pytest

from ratingbook.engine.history import RatedHistory, rate_history
from ratingbook.model import Entry, Standing
from ratingbook.rules.book import RuleBook
from ratingbook.rules.bulk import NOT_GIVEN
from ratingbook.rules.egf import egf_1998, egf_2013
from ratingbook.rules.egf.grades import grade_code, grade_index, index_of, nominal_rating

Cells = tuple[object, ...]


@dataclass(frozen=True)
class Played:
    """A game of the history; ``rated`` is as the column has it."""

    white: str
    black: str
    score: float
    handicap: int
    rated: str


@dataclass(frozen=True)
class Held:
    """An event with its games, and the grades that its players declared."""

    name: str
    start: date
    end: date
    class_: str | None
    time_control: str | None
    kind: str | None
    games: tuple[Played, ...]
    grades: dict[str, str]


@dataclass(frozen=True)
class Made:
    players: list[Entry]
    events: list[Held]


def rated_as_history(made: Made, book: RuleBook, *, assume: float | None = None) -> RatedHistory:
    """The games as columns, not in the order in which they are rated."""
    games = [(event, game) for event in made.events for game in event.games]
    known = [entry for entry in made.players if entry.standing or entry.grade]
    standings = [entry.standing or Standing() for entry in known]
    declared = [
        (event.name, player, grade)
        for event in made.events
        for player, grade in event.grades.items()
    ]
    return rate_history(
        pa.table(
            {
                "date": [event.end for event, _ in games],
                "event": [event.name for event, _ in games],
                "white": [game.white for _, game in games],
                "black": [game.black for _, game in games],
                "score": [game.score for _, game in games],
                "handicap": [game.handicap for _, game in games],
                "rated": [game.rated for _, game in games],
            }
        ),
        book,
        players=pa.table(
            {
                "id": [entry.id for entry in known],
                "grade": [entry.grade for entry in known],
                "rating": [standing.rating for standing in standings],
                "games": [standing.games for standing in standings],
                "highest_grade": [standing.extra.get("highest_grade") for standing in standings],
            }
        ),
        events=pa.table(
            {
                "event": [event.name for event in made.events],
                "start": [event.start for event in made.events],
                "end": [event.end for event in made.events],
                "class": [event.class_ for event in made.events],
                "time_control": [event.time_control for event in made.events],
                "kind": [event.kind for event in made.events],
            }
        ),
        entries=pa.table(
            {
                "event": [event for event, _, _ in declared],
                "player": [player for _, player, _ in declared],
                "grade": [grade for _, _, grade in declared],
            }
        )
        if declared
        else None,
        compiled=False,
        assume=assume,
    )


def cells(rated: RatedHistory) -> list[Cells]:
    names = ("batch", "player", "before", "after", "games", "score", "expected")
    table = rated.changes.sort_by([("batch", "ascending"), ("player", "ascending")])
    return [tuple(row[name] for name in names) for row in table.to_pylist()]


def history_of(players: list[Entry], *events: Held) -> Made:
    return Made(players, list(events))


def event_of(*games: tuple[str, str, float], start: date = date(2013, 5, 5), **grades: str) -> Held:
    played = tuple(Played(white, black, score, 0, "both") for white, black, score in games)
    return Held(f"e{start}", start, start, "A", None, None, played, grades)


def rows_of(made: Made, assume: float | None = None) -> dict[str, Cells]:
    rated = rated_as_history(made, egf_2013, assume=assume)
    return {str(row[1]): row[2:] for row in cells(rated)}


def test_games_of_players_with_neither_rating_nor_grade_do_not_count() -> None:
    players = [Entry("A", grade="1d"), Entry("B", grade="1d"), Entry("C")]
    rows = rows_of(history_of(players, event_of(("A", "B", 1.0), ("A", "C", 1.0))))
    assert set(rows) == {"A", "B"}
    assert rows["A"][2] == 1


def test_a_newcomer_has_no_number_before_the_first_event() -> None:
    players = [Entry("A", grade="1d"), Entry("B", standing=Standing(rating=2100.0))]
    rows = rows_of(history_of(players, event_of(("A", "B", 1.0))))
    # con 24 at 2100; SE .5 − .008.
    assert rows["A"][:2] == (None, 2112.0)
    assert rows["B"][:2] == (2100.0, 2088.0)


def test_an_exact_half_is_rounded_up() -> None:
    players = [Entry(player, standing=Standing(rating=170.0)) for player in ("A", "B")]
    event = event_of(*[("A", "B", 1.0)] * 5, start=date(2001, 5, 5))
    made = rated_as_history(history_of(players, event), egf_1998)
    # con(170) = 111.8: 170 + 5 · 55.9 = 449.5, a half that floats fall short of.
    assert cells(made)[0][1:4] == ("A", 170.0, 450.0)


def test_a_grade_declared_with_the_event_goes_before_that_of_the_players_file() -> None:
    players = [
        Entry("A", grade="4k", standing=Standing(rating=1700.0, extra={"highest_grade": "4k"})),
        Entry("B", standing=Standing(rating=2100.0)),
    ]
    rows = rows_of(history_of(players, event_of(("A", "B", 1.0), A="1d")))
    # Reset to 2100: the example of the edition.
    assert rows["A"][:2] == (1700.0, 2112.0)


def test_the_highest_grade_is_that_of_the_events_before() -> None:
    players = [
        Entry("A", grade="4k", standing=Standing(rating=1700.0)),
        Entry("B", standing=Standing(rating=2100.0)),
    ]
    first = event_of(("A", "B", 0.0), start=date(2013, 5, 5))
    later = event_of(("A", "B", 1.0), start=date(2013, 6, 5), A="1d")
    rated = rated_as_history(history_of(players, first, later), egf_2013)
    gained = [row for row in cells(rated) if row[1] == "A"][1]
    # Entered at 4 kyu first: 1 dan is four grades above, 2100.  A lost 19.6 points, B won them.
    assert gained[3] == pytest.approx(2112, abs=1)


@pytest.mark.parametrize(("start", "counted"), [(date(1995, 12, 31), 0), (date(1996, 1, 1), 2)])
def test_events_count_from_1996_on(start: date, counted: int) -> None:
    players = [Entry("A", grade="1d"), Entry("B", grade="1d")]
    assert len(rows_of(history_of(players, event_of(("A", "B", 1.0), start=start)))) == counted


def test_assumed_are_players_with_neither_rating_nor_grade() -> None:
    players = [Entry("A", grade="1d"), Entry("B"), Entry("C", standing=Standing(rating=2100.0))]
    made = history_of(players, event_of(("A", "B", 0.5), ("B", "C", 0.5), ("C", "A", 0.5)))
    rows = rows_of(made, assume=2100.0)
    assert {player: row[0] for player, row in rows.items()} == {"A": None, "B": 2100.0, "C": 2100.0}
    assert {row[2] for row in rows.values()} == {2}


@pytest.mark.parametrize(
    ("text", "index", "nominal"),
    [("30k", -30, -900), ("1k", -1, 2000), ("1d", 0, 2100), ("9d", 8, 2900)]
    + [(f"{degree}p", 6, 2670 + 30 * degree) for degree in range(1, 10)],
)
def test_the_code_of_a_grade_tells_its_steps_and_its_rating(
    text: str, index: int, nominal: int
) -> None:
    code = grade_code(text)
    assert (index_of(code), nominal_rating(code)) == (index, nominal)
    assert grade_index(text) == index


def test_no_grade_is_one_that_is_not_given() -> None:
    assert {grade_code(None), grade_code("strong"), index_of(NOT_GIVEN)} == {NOT_GIVEN}
