"""Every published number of the FIDE vectors comes out under the edition of its day.

The files are read where they lie, and the series ``fide`` picks the edition.  Numbers
that no edition gives are listed in ``NO_EDITION``, and ours must then differ, so that
nothing is listed for convenience.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from ratingbook.engine.rate import rate
from ratingbook.formats.document.read import report_from
from ratingbook.rules import registry
from ratingbook.rules.book import Row
from ratingbook.rules.fide.change import rounded_change
from ratingbook.rules.fide.expected import NO_CAP, counted_difference
from ratingbook.rules.fide.first import opponents_average
from ratingbook.rules.series import BookOrSeries
from ratingbook.rules.units import SCORE_SCALE

SERIES = registry.series("fide")
RESULTS = {"0": "0-1", "0.5": "1/2-1/2", "1": "1-0"}
ENOUGH_GAMES = 100
"""So many that K is not that of a new player."""


class Published(NamedTuple):
    """A published number beside ours; ``case`` names it within its file."""

    line: int
    case: str
    column: str
    published: Decimal
    ours: Decimal


class Line(NamedTuple):
    """A row of a file, and where it stands."""

    number: int
    of: Mapping[str, str]


class Played(NamedTuple):
    """A game of the player of a vector, who has White."""

    opponent: int
    score: str
    own: int
    start: str
    end: str
    event: str = "1"


# How the editions come to their numbers: always by rating a report from end to end.

TODAY = "2026-10-15"
BEFORE_OCTOBER_2025 = "2025-08-15"
IN_2022 = "2022-06-15"
OF_THE_SEED = "2010-01-15"


def edition(day: str, k: int) -> BookOrSeries:
    """The editions, with K as published where that of the day has no such K."""
    series = SERIES
    p = series.edition(date.fromisoformat(day)).parameters
    known = k in (p.k_new, p.k_rated, p.k_top)
    return series if known else series.with_parameters({"k_rated": str(k)})


def rated(k: int, listed: int, games: Sequence[Played], base: int | None = None) -> Row:
    """The row of a rated player after these games."""
    day = games[-1].end
    p = SERIES.edition(date.fromisoformat(day)).parameters
    player: dict[str, object] = {
        "id": "player",
        "standing": {
            "rating": listed,
            "games": 0 if k == p.k_new else ENOUGH_GAMES,
            "reached_2400": k == p.k_top,
        },
    }
    if base is not None:
        player["decisions"] = {"base_rating": base, "reason": "FIDE corrected the list"}
    return _rated(edition(day, k), player, games, listed if base is None else base)


def newcomer(opponents: Sequence[int], scores: Sequence[str], day: str) -> Row:
    """The row of an unrated player after one event."""
    games = [Played(r, s, 0, day, day) for r, s in zip(opponents, scores, strict=True)]
    return _rated(SERIES, {"id": "player"}, games, 0)


def _rated(
    book: BookOrSeries, player: Mapping[str, object], games: Sequence[Played], rating: int
) -> Row:
    document = {
        "ratingbook": "report/1",
        "players": [
            player,
            *(
                {"id": str(n), "standing": {"rating": game.opponent, "games": ENOUGH_GAMES}}
                for n, game in enumerate(games)
            ),
        ],
        "games": [
            {
                "white": "player",
                "black": str(n),
                "result": RESULTS[game.score],
                "event": game.event,
                "start": game.start,
                "end": game.end,
                "white_rating": game.own if game.own != rating else None,
            }
            for n, game in enumerate(games)
        ],
    }
    done = rate(report_from(document), book)
    assert not done.findings.refused, list(done.findings)
    return done.rows[0].row


def exact(number: float | None) -> Decimal:
    """The decimal number that a float of the row stands for."""
    assert number is not None
    return Decimal(repr(number))


def change(row: Row, rating: int) -> Decimal:
    """The unrounded change from the rating that the computation started from."""
    return exact(row.exact) - rating


def surplus(row: Row) -> Decimal:
    """The sum of S − E."""
    return exact(row.score) - exact(row.expected)


# The files.


def published_games(lines: Sequence[Line], folder: Path) -> Iterator[Published]:
    del folder
    for number, of in lines:
        game = _game(of)
        row = rated(int(of["K"]), game.own, [game])
        case = f"{of['case']} event {of['event_no']} game {of['game_no']}"
        yield Published(number, case, "dR_FIDE", Decimal(of["dR_FIDE"]), surplus(row))
        yield Published(
            number, case, "K_dR_FIDE", Decimal(of["K_dR_FIDE"]), change(row, game.own)
        )  # fmt: skip


def published_events(lines: Sequence[Line], folder: Path) -> Iterator[Published]:
    for number, of in lines:
        own = int(of["Ro"])
        games = _games_of(folder, of["case"], of["event_no"])
        assert len(games) == int(of["N"])
        assert sum(Decimal(game.score) for game in games) == Decimal(of["W"])
        row = rated(int(of["K"]), own, games)
        cap = 400 if own < 2650 else NO_CAP
        counted = [own - counted_difference(own - g.opponent, cap) for g in games]
        average = opponents_average(sum(counted), len(counted))
        case = f"{of['case']} event {of['event_no']}"
        yield Published(number, case, "Rc_FIDE", Decimal(of["Rc_FIDE"]), Decimal(average))
        yield Published(number, case, "sum_dR_FIDE", Decimal(of["sum_dR_FIDE"]), surplus(row))
        yield Published(number, case, "K_sum_FIDE", Decimal(of["K_sum_FIDE"]), change(row, own))


def published_periods(lines: Sequence[Line], folder: Path) -> Iterator[Published]:
    for number, of in lines:
        case, row, base = _period(of, folder)
        yield Published(
            number, case, "list_after", Decimal(of["list_after"]), exact(row.after)
        )  # fmt: skip
        yield Published(number, case, "n_games", Decimal(of["n_games"]), Decimal(row.games))
        yield Published(
            number, case, "total_change_FIDE", Decimal(of["total_change_FIDE"]), change(row, base)
        )


def period_rounding(lines: Sequence[Line], folder: Path) -> Iterator[Published]:
    del folder
    for number, of in lines:
        total = int(Decimal(of["sum_K_dR"]) * SCORE_SCALE)
        ours = rounded_change(total, registry.load("fide-2024").parameters)
        for column in ("rounded_once_per_period", "rounded_per_event", "list_change"):
            yield Published(number, of["case"], column, Decimal(of[column]), Decimal(ours))


def published_initial(lines: Sequence[Line], folder: Path) -> Iterator[Published]:
    del folder
    for number, of in lines:
        day = f"{of['period']}-01"
        row = newcomer([int(r) for r in of["opponents"].split()], of["scores"].split(), day)
        assert row.games == int(of["N"])
        assert row.score == float(of["W"])
        for column, ours in (
            ("first_list_rating_FIDE", row.after),
            ("Rp_printed_by_FIDE", row.performance),
        ):
            yield Published(number, of["case"], column, Decimal(of[column]), exact(ours))


def calculator_initial_rating(lines: Sequence[Line], folder: Path) -> Iterator[Published]:
    del folder
    for number, of in lines:
        games, half_points = int(of["N"]), int(2 * Decimal(of["W"]))
        wins, draws = divmod(half_points, 2)
        scores = ["1"] * wins + ["0.5"] * draws
        scores += ["0"] * (games - len(scores))
        for column, day in (
            ("initial_shown_by_FIDE_calculator_rule_2022", IN_2022),
            ("initial_under_rule_2024", TODAY),
        ):
            row = newcomer([int(of["Rc"])] * games, scores, day)
            yield Published(number, of["case"], column, Decimal(of[column]), exact(row.after))


def calculator_rating_change(lines: Sequence[Line], folder: Path) -> Iterator[Published]:
    del folder
    for number, of in lines:
        own = int(of["own"])
        for column, day in (
            # The calculator is out of date: it knows no exemption of strong players.
            ("change_shown_by_FIDE_calculator_plain_400_cap", BEFORE_OCTOBER_2025),
            ("change_under_B02_text_of_2025-10-01", TODAY),
        ):
            game = Played(int(of["opponent"]), of["score"], own, day, day)
            row = rated(int(of["K"]), own, [game])
            yield Published(number, of["case"], column, Decimal(of[column]), change(row, own))


def small(lines: Sequence[Line], folder: Path) -> Iterator[Published]:
    """Single games; ``note`` says whether the number is S − E or a rounded change."""
    del folder
    for number, of in lines:
        own = int(of["own"])
        day = "2017-05-15" if "2017" in of["source"] else OF_THE_SEED
        row = rated(int(of["K"]), own, [Played(int(of["opponent"]), of["score"], own, day, day)])
        ours = surplus(row) if of["note"] == "dR" else exact(row.change)
        case = f"{of['own']} v {of['opponent']} {of['score']}"
        yield Published(number, case, "dR_or_change", Decimal(of["dR_or_change"]), ours)


def of_the_top_hundred(lines: Sequence[Line], folder: Path) -> Iterator[Published]:
    """Changes of lists of 2009 to 2012, from the games that could be found."""
    played: dict[str, list[Played]] = {}
    for _, of in lines_of(folder, "fide_lists_2009_2012_games.csv"):
        score = {"0.0": "0", "1.0": "1"}.get(of["score"], of["score"])
        game = Played(
            int(of["opponent"]), score, int(of["own"]), of["start"], of["end"], of["event"]
        )
        played.setdefault(of["case"], []).append(game)
    for number, of in lines:
        games = played[of["case"]]
        assert len(games) == int(of["games"])
        row = rated(10, int(of["rating_before"]), games)
        yield Published(
            number, of["case"], "rating_after", Decimal(of["rating_after"]), exact(row.after)
        )


def games_of_the_top_hundred(lines: Sequence[Line], folder: Path) -> Iterator[Published]:
    """The games that :func:`of_the_top_hundred` rates; nothing is published of each."""
    del folder
    assert len({line.of["case"] for line in lines}) == 586
    yield from ()


class File(NamedTuple):
    """How a file is read: its columns that go in, its published numbers, and what gives ours."""

    inputs: str
    numbers: str
    ours: Callable[[Sequence[Line], Path], Iterator[Published]]


FILES = {
    "fide_published_games.csv": File(
        "case period event_no event_start event_end own_rating_Ro K game_no "
        "opponent_rating_printed capped_star score",
        "dR_FIDE K_dR_FIDE",
        published_games,
    ),
    "fide_published_events.csv": File(
        "case period event_no start end Ro W N K",
        "Rc_FIDE sum_dR_FIDE K_sum_FIDE",
        published_events,
    ),
    "fide_published_periods.csv": File(
        "case period list_before K note",
        "list_after n_games total_change_FIDE",
        published_periods,
    ),
    "fide_period_rounding.csv": File(
        "case period events games sum_K_dR Ro_differs_from_list",
        "rounded_once_per_period rounded_per_event list_change",
        period_rounding,
    ),
    "fide_published_initial.csv": File(
        "case period opponents scores W N",
        "first_list_rating_FIDE Rp_printed_by_FIDE",
        published_initial,
    ),
    "fide_calculator_initial_rating.csv": File(
        "case Rc W N",
        "initial_shown_by_FIDE_calculator_rule_2022 initial_under_rule_2024",
        calculator_initial_rating,
    ),
    "fide_calculator_rating_change.csv": File(
        "case own opponent score K",
        "change_shown_by_FIDE_calculator_plain_400_cap change_under_B02_text_of_2025-10-01",
        calculator_rating_change,
    ),
    "fide_lists_2009_2012_periods.csv": File(
        "case player list rating_before games", "rating_after", of_the_top_hundred
    ),
    "fide_lists_2009_2012_games.csv": File(
        "case own opponent score start end event", "", games_of_the_top_hundred
    ),
    "fide_small.csv": File("source own K opponent score note", "dR_or_change", small),
}

PER_EVENT = "rounding per event; the period is rounded once (5b)"
CORRECTED = "not a rule: the computation started from a corrected base rating (reading F15)"

UNKNOWN_GAMES = "rated games that the file does not know: no K of the player gives the number"
OF_UNKNOWN_GAMES = (
    "L0096 L0116 L0155 L0195 L0196 L0202 L0213 L0222 L0264 L0272 L0289 L0299 L0301 L0306 L0312 "
    "L0366 L0369 L0371 L0389 L0423 L0456 L0486 L0490 L0501"
).split()
"""24 of 586; the others come out exactly."""

NO_EDITION: Mapping[str, Mapping[str, str]] = {
    "fide_published_games.csv": {},
    "fide_published_events.csv": {},
    "fide_published_periods.csv": {
        "F-P02 list_after": "published as rounded per event; see the README of the vectors",
    },
    "fide_period_rounding.csv": {
        **{
            f"{case} rounded_per_event": PER_EVENT
            for case in ("F-P05", "F-M02", "F-M06", "F-M12", "F-M16", "F-M24", "F-M48")
        },
        "F-M04 list_change": CORRECTED,
        "F-M14 list_change": CORRECTED,
        "F-M18 list_change": "−1.60 is −2 once or by event; the list shows −3",
    },
    "fide_published_initial.csv": {
        "F-N01 Rp_printed_by_FIDE": "a point below the first rating, which is 1872 + 50 = 1922",
    },
    "fide_calculator_initial_rating.csv": {},
    "fide_calculator_rating_change.csv": {},
    "fide_lists_2009_2012_periods.csv": dict.fromkeys(OF_UNKNOWN_GAMES, UNKNOWN_GAMES),
    "fide_lists_2009_2012_games.csv": {},
    "fide_small.csv": {},
}
"""File → case, or case and column → why no edition gives the number."""


def lines_of(folder: Path, name: str) -> list[Line]:
    with (folder / "vectors" / name).open(encoding="utf-8", newline="") as file:
        return [Line(number, row) for number, row in enumerate(csv.DictReader(file), 2)]


def _game(of: Mapping[str, str]) -> Played:
    return Played(
        opponent=int(of["opponent_rating_printed"]),
        score=of["score"],
        own=int(of["own_rating_Ro"]),
        event=of["event_no"],
        start=of["event_start"],
        end=of["event_end"],
    )


def _games_of(folder: Path, case: str, event: str | None = None) -> list[Played]:
    return [
        _game(of)
        for _, of in lines_of(folder, "fide_published_games.csv")
        if of["case"] == case and event in (None, of["event_no"])
    ]


def _period(of: Mapping[str, str], folder: Path) -> tuple[str, Row, int]:
    """A whole player-period; the base is the rating in force when the last event started."""
    games = _games_of(folder, of["case"])
    listed, base = int(of["list_before"]), games[-1].own
    correction = base if base != listed else None
    return of["case"], rated(int(of["K"]), listed, games, correction), base


@cache
def published_in(folder: Path, name: str) -> list[Published]:
    return list(FILES[name].ours(lines_of(folder, name), folder))


def reason_for(name: str, number: Published) -> str | None:
    listed = NO_EDITION[name]
    return listed.get(number.case) or listed.get(f"{number.case} {number.column}")


@pytest.mark.parametrize("name", FILES)
def test_the_edition_of_the_day_gives_every_number(reference: Path, name: str) -> None:
    wrong = [
        number
        for number in published_in(reference, name)
        if reason_for(name, number) is None and number.ours != number.published
    ]
    assert wrong == []


@pytest.mark.parametrize("name", FILES)
def test_ours_differ_where_no_edition_is_named(reference: Path, name: str) -> None:
    same = [
        number
        for number in published_in(reference, name)
        if reason_for(name, number) is not None and number.ours == number.published
    ]
    assert same == []


def test_no_file_is_left_out(reference: Path) -> None:
    found = {path.name for path in (reference / "vectors").glob("fide_*.csv")}
    assert found == set(FILES) == set(NO_EDITION)


@pytest.mark.parametrize("name", FILES)
def test_no_row_and_no_column_is_left_out(reference: Path, name: str) -> None:
    lines = lines_of(reference, name)
    inputs, numbers = FILES[name].inputs.split(), FILES[name].numbers.split()
    assert set(lines[0].of) == {*inputs, *numbers}
    found = published_in(reference, name)
    covered = {(n.line, n.column) for n in found if reason_for(name, n) is None}
    listed = {(n.line, n.column) for n in found if reason_for(name, n) is not None}
    assert covered | listed == {(line.number, column) for line in lines for column in numbers}
    assert len(found) == len(covered) + len(listed) == len(lines) * len(numbers)


@pytest.mark.parametrize("name", FILES)
def test_no_case_is_listed_in_vain(reference: Path, name: str) -> None:
    found = published_in(reference, name)
    known = {n.case for n in found} | {f"{n.case} {n.column}" for n in found}
    assert set(NO_EDITION[name]) <= known


def period_row(reference: Path, case: str) -> Row:
    (of,) = (
        line.of
        for line in lines_of(reference, "fide_published_periods.csv")
        if line.of["case"] == case
    )
    return _period(of, reference)[1]


def test_ties_of_old_lists_go_up(reference: Path) -> None:
    """Of the exact cases those at half a point are the ones that tell the readings apart."""
    name = "fide_lists_2009_2012_periods.csv"
    found = published_in(reference, name)
    exact_now = {number.case for number in found if number.ours == number.published}
    assert len(found) == 586
    assert len(exact_now) == 586 - len(OF_UNKNOWN_GAMES) >= 540
    # 2700 − 2.5 was 2698 on the list of July 2012, and would be 2697 in 2019.
    games = [Played(2505, "0.5", 2700, "", "")]
    for year, after in (("2012", 2698), ("2019", 2697)):
        played = on_another_day(games, f"{year}-05-15")
        assert rated(10, 2700, played).after == after


def test_the_period_is_rounded_once_where_fide_published_2406(reference: Path) -> None:
    # −6.10 + 3.70 + 7.80 = 5.40, rounded once 5; by event −6 + 4 + 8 = 6.
    row = period_row(reference, "F-P02")
    assert change(row, 2400) == Decimal("5.40")
    assert row.after == 2405


def on_another_day(games: Sequence[Played], day: str) -> list[Played]:
    return [game._replace(start=day, end=day) for game in games]


def test_the_400_point_rule_held_for_everybody_before_october_2025(reference: Path) -> None:
    # F-P01: four wins capped at 400 are 10 × 0.08 each, the draw at 308 is −3.60: −0.40 → 0.
    games = on_another_day(_games_of(reference, "F-P01"), BEFORE_OCTOBER_2025)
    row = rated(10, 2813, games)
    assert change(row, 2813) == Decimal("-0.40")
    assert row.after == 2813


def test_there_was_no_smaller_k_for_many_games_before_2014(reference: Path) -> None:
    # F-P05 with K 15: the sum of S − E is 92.48 / 17 = 5.44, and 15 × 5.44 = 81.6.
    games = on_another_day(_games_of(reference, "F-P05"), "2013-05-15")
    assert len(games) * 20 > 700
    assert change(rated(15, 2054, games), 2054) == Decimal("81.6")


def test_a_corrected_base_is_not_the_number_of_the_list(reference: Path) -> None:
    row = period_row(reference, "F-P04")
    assert (row.before, row.exact, row.after, row.change) == (2052, 2052.8, 2053, 1)


def test_2813_counts_as_2800_for_a_player_of_2400() -> None:
    met, counted = (rated(10, 2400, [Played(r, "0", 2400, TODAY, TODAY)]) for r in (2813, 2800))
    assert change(met, 2400) == change(counted, 2400) == Decimal("-0.8")


def test_the_event_of_june_2017_comes_to_its_total(reference: Path) -> None:
    # The source gives 5.60 for the three games: 40 × (0.33 − 0.66 + 0.47).
    games = [
        Played(int(of["opponent"]), of["score"], 1922, "2017-05-15", "2017-05-15")
        for _, of in lines_of(reference, "fide_small.csv")
        if of["own"] == "1922"
    ]
    assert change(rated(40, 1922, games), 1922) == Decimal("5.60")
