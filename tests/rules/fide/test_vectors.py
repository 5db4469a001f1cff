"""Every published number of the FIDE vectors: fide-2009 gives it, or it belongs to another edition.

The files are read where they lie.  Numbers that another edition or another rule
gave are listed in ``NOT_THIS_EDITION``, and fide-2009 must then differ, so that
nothing is listed for convenience.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

import pytest

from ratingbook.engine.rate import rate
from ratingbook.formats.document import report_from
from ratingbook.rules.book import AnyRuleBook, Row
from ratingbook.rules.fide import fide_2009
from ratingbook.rules.fide.change import rounded_change
from ratingbook.rules.fide.expected import counted_difference
from ratingbook.rules.fide.first import opponents_average
from ratingbook.rules.units import SCORE_SCALE

RESULTS = {"0": "0-1", "0.5": "1/2-1/2", "1": "1-0"}
ENOUGH_GAMES = 100
"""So many that K is not that of a new player."""


class Published(NamedTuple):
    """A published number beside the one of fide-2009; ``case`` names it within its file."""

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
    event: str = "1"
    start: str | None = None


# How fide-2009 comes to its numbers: always by rating a report from end to end.


def edition(k: int) -> AnyRuleBook:
    """The edition, with K as published where it has no such K."""
    return fide_2009 if k in (10, 15, 25) else fide_2009.with_parameters({"k_rated": str(k)})


def rated(k: int, listed: int, games: Sequence[Played], base: int | None = None) -> Row:
    """The row of a rated player after these games."""
    player: dict[str, object] = {
        "id": "player",
        "standing": {
            "rating": listed,
            "games": 0 if k == 25 else ENOUGH_GAMES,
            "reached_2400": k == 10,
        },
    }
    if base is not None:
        player["decisions"] = {"base_rating": base, "reason": "FIDE corrected the list"}
    return _rated(edition(k), player, games, listed if base is None else base)


def newcomer(opponents: Sequence[int], scores: Sequence[str]) -> Row:
    """The row of an unrated player after one event."""
    games = [Played(r, s, 0) for r, s in zip(opponents, scores, strict=True)]
    return _rated(fide_2009, {"id": "player"}, games, 0)


def _rated(
    book: AnyRuleBook, player: Mapping[str, object], games: Sequence[Played], rating: int
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
        counted = [own - counted_difference(own - g.opponent, 400) for g in games]
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
        ours = rounded_change(int(Decimal(of["sum_K_dR"]) * SCORE_SCALE))
        for column in ("rounded_once_per_period", "rounded_per_event", "list_change"):
            yield Published(number, of["case"], column, Decimal(of[column]), Decimal(ours))


def published_initial(lines: Sequence[Line], folder: Path) -> Iterator[Published]:
    del folder
    for number, of in lines:
        row = newcomer([int(r) for r in of["opponents"].split()], of["scores"].split())
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
        row = newcomer([int(of["Rc"])] * games, scores)
        assert not row.published, "fide-2009 publishes no first rating before nine games"
        for column in (
            "initial_shown_by_FIDE_calculator_rule_2022",
            "initial_under_rule_2024",
        ):
            yield Published(number, of["case"], column, Decimal(of[column]), exact(row.after))


def calculator_rating_change(lines: Sequence[Line], folder: Path) -> Iterator[Published]:
    del folder
    for number, of in lines:
        own = int(of["own"])
        row = rated(int(of["K"]), own, [Played(int(of["opponent"]), of["score"], own)])
        for column in (
            "change_shown_by_FIDE_calculator_plain_400_cap",
            "change_under_B02_text_of_2025-10-01",
        ):
            yield Published(number, of["case"], column, Decimal(of[column]), change(row, own))


def small(lines: Sequence[Line], folder: Path) -> Iterator[Published]:
    """Single games; ``note`` says whether the number is S − E or a rounded change."""
    del folder
    for number, of in lines:
        own = int(of["own"])
        row = rated(int(of["K"]), own, [Played(int(of["opponent"]), of["score"], own)])
        ours = surplus(row) if of["note"] == "dR" else exact(row.change)
        case = f"{of['own']} v {of['opponent']} {of['score']}"
        yield Published(number, case, "dR_or_change", Decimal(of["dR_or_change"]), ours)


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
    "fide_small.csv": File("source own K opponent score note", "dR_or_change", small),
}

NO_CAP = "edition from October 2025: no 400-point rule for a player rated 2650 or more"
PER_EVENT = "no FIDE edition: rounding per event; the period is rounded once (5b)"
CORRECTED = "not a rule: the computation started from a corrected base rating (reading F15)"
RULE_2022 = "edition of 2022: 20 points for each half point above 50 %"
RULE_2024 = "edition of March 2024: two hypothetical draws against 1800, maximum 2200"

NOT_THIS_EDITION: Mapping[str, Mapping[str, str]] = {
    "fide_published_games.csv": {f"F-P01 event 1 game {game}": NO_CAP for game in (1, 2, 3, 4)},
    "fide_published_events.csv": {"F-P01 event 1": NO_CAP},
    "fide_published_periods.csv": {
        "F-P01 list_after": NO_CAP,
        "F-P01 total_change_FIDE": NO_CAP,
        "F-P02 list_after": "no edition: published as rounded per event; see the README",
    },
    "fide_period_rounding.csv": {
        **{
            f"{case} rounded_per_event": PER_EVENT
            for case in ("F-P05", "F-M02", "F-M06", "F-M12", "F-M16", "F-M24", "F-M48")
        },
        "F-M04 list_change": CORRECTED,
        "F-M14 list_change": CORRECTED,
        "F-M18 list_change": "no edition: −1.60 is −2 once or by event; the list shows −3",
    },
    "fide_published_initial.csv": {"F-N01": RULE_2024},
    "fide_calculator_initial_rating.csv": {
        # At 50 % and below, the rule of 2022 is that of 2009 (6c, 6d): F-I02, F-I03, F-I06.
        **{
            f"F-I0{n} initial_shown_by_FIDE_calculator_rule_2022": RULE_2022
            for n in (1, 4, 5, 7, 8)
        },
        **{f"F-I0{n} initial_under_rule_2024": RULE_2024 for n in range(1, 9)},
    },
    "fide_calculator_rating_change.csv": {
        f"F-C{n} change_under_B02_text_of_2025-10-01": NO_CAP for n in (16, 17, 20, 21)
    },
    "fide_small.csv": {},
}
"""File → case, or case and column → the edition and the rule that the number belongs to."""


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


def published_in(folder: Path, name: str) -> list[Published]:
    return list(FILES[name].ours(lines_of(folder, name), folder))


def reason_for(name: str, number: Published) -> str | None:
    listed = NOT_THIS_EDITION[name]
    return listed.get(number.case) or listed.get(f"{number.case} {number.column}")


@pytest.mark.parametrize("name", FILES)
def test_the_edition_gives_every_number_that_is_its_own(reference: Path, name: str) -> None:
    wrong = [
        number
        for number in published_in(reference, name)
        if reason_for(name, number) is None and number.ours != number.published
    ]
    assert wrong == []


@pytest.mark.parametrize("name", FILES)
def test_the_edition_differs_where_another_one_is_named(reference: Path, name: str) -> None:
    same = [
        number
        for number in published_in(reference, name)
        if reason_for(name, number) is not None and number.ours == number.published
    ]
    assert same == []


def test_no_file_is_left_out(reference: Path) -> None:
    found = {path.name for path in (reference / "vectors").glob("fide_*.csv")}
    assert found == set(FILES) == set(NOT_THIS_EDITION)


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
    assert set(NOT_THIS_EDITION[name]) <= known


def period_row(reference: Path, case: str) -> Row:
    (of,) = (
        line.of
        for line in lines_of(reference, "fide_published_periods.csv")
        if line.of["case"] == case
    )
    return _period(of, reference)[1]


def test_the_period_is_rounded_once_where_fide_published_2406(reference: Path) -> None:
    # −6.10 + 3.70 + 7.80 = 5.40, rounded once 5; by event −6 + 4 + 8 = 6.
    row = period_row(reference, "F-P02")
    assert change(row, 2400) == Decimal("5.40")
    assert row.after == 2405


def test_the_400_point_rule_held_for_everybody_in_2009(reference: Path) -> None:
    # F-P01: four wins capped at 400 are 10 × 0.08 each, the draw at 308 is −3.60: −0.40 → 0.
    row = period_row(reference, "F-P01")
    assert change(row, 2813) == Decimal("-0.40")
    assert row.after == 2813


def test_there_was_no_smaller_k_for_many_games_in_2009(reference: Path) -> None:
    # F-P05 with K 20: the sum of S − E is 92.48 / 17 = 5.44, and 20 × 5.44 = 108.8.
    games = _games_of(reference, "F-P05")
    assert len(games) * 20 > 700
    assert change(rated(20, 2054, games), 2054) == Decimal("108.8")


def test_a_corrected_base_is_not_the_number_of_the_list(reference: Path) -> None:
    row = period_row(reference, "F-P04")
    assert (row.before, row.exact, row.after, row.change) == (2052, 2052.8, 2053, 1)


def test_2813_counts_as_2800_for_a_player_of_2400() -> None:
    met, counted = (rated(10, 2400, [Played(r, "0", 2400)]) for r in (2813, 2800))
    assert change(met, 2400) == change(counted, 2400) == Decimal("-0.8")


def test_the_event_of_june_2017_comes_to_its_total(reference: Path) -> None:
    # The source gives 5.60 for the three games: 40 × (0.33 − 0.66 + 0.47).
    games = [
        Played(int(of["opponent"]), of["score"], 1922)
        for _, of in lines_of(reference, "fide_small.csv")
        if of["own"] == "1922"
    ]
    assert change(rated(40, 1922, games), 1922) == Decimal("5.60")
