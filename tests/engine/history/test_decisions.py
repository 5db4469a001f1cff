"""Ratings that the office sets for an event: at which games they are told, and to whom not."""

from dataclasses import replace
from datetime import date

import numpy as np
import pyarrow as pa
import pytest

from ratingbook.engine.history import rate_history
from ratingbook.engine.history.columns import GameColumns, HistoryInput, conditions_of
from ratingbook.engine.history.hashes import hashes_of
from ratingbook.engine.history.plan import with_decisions
from ratingbook.engine.history.signatures import sums_of
from ratingbook.engine.loops.arrays import NO_CONDITIONS, NO_MARGIN, Events, Games
from ratingbook.model import Findings, Severity
from ratingbook.rules.wording import counted

FIRST, SECOND, THIRD = range(3)
"""Players."""


def games_of(rows: list[tuple[int, int, int]], rated: list[int] | None = None) -> Games:
    """Games of event, White and Black, in one batch."""
    event, white, black = np.array(rows, np.int32).reshape(-1, 3).T
    nothing = np.empty(0, np.int32)
    return Games(
        offsets=np.array([0, len(rows)]),
        white=white,
        black=black,
        score=np.full(len(rows), 2, np.int8),
        handicap=np.empty(0, np.int8),
        rated=np.array(rated or [], np.uint8),
        event=event,
        start=nothing,
        end=nothing,
        slot=np.empty(0, np.int16),
        entry_white=nothing,
        entry_black=nothing,
        white_number=nothing,
        black_number=nothing,
        white_reached=nothing,
        black_reached=nothing,
        status=nothing,
        turn=nothing,
        reported=nothing,
        white_for=nothing,
        black_for=nothing,
        conditions=nothing,
    )


def told(
    games: Games, entries: list[tuple[int, int, float | None]]
) -> tuple[list[float | None], list[float | None], Findings]:
    """The ratings that White and Black are told before each game."""
    days = np.empty(0, np.int32)
    table = {
        "event": pa.array([event for event, _, _ in entries], pa.int32()),
        "player": pa.array([player for _, player, _ in entries], pa.int32()),
        "rating": pa.array([rating for _, _, rating in entries], pa.float64()),
    }
    given = HistoryInput(
        GameColumns(days, days, days, np.empty(0, np.int8)),
        pa.array(["a", "b", "c"]),
        pa.array(["e", "f"]),
        pa.array([], pa.string()),
        entries=pa.table(table),
    )
    findings = Findings()
    found = with_decisions(games, given, findings)
    sides = [
        [None if np.isnan(rating) else float(rating) for rating in side]
        for side in (found.entry_white, found.entry_black)
    ]
    return sides[0], sides[1], findings


def test_the_first_game_of_the_event_is_at_the_rating_of_the_office() -> None:
    games = games_of([(0, FIRST, SECOND), (1, SECOND, FIRST), (1, FIRST, THIRD), (0, FIRST, THIRD)])
    white, black, findings = told(games, [(1, FIRST, 1600.5), (0, THIRD, 1400.0)])
    assert white == [None, None, None, None]
    assert black == [None, 1600.5, None, 1400.0]
    assert not findings


def test_a_rating_holds_until_a_game_is_rated_for_the_player() -> None:
    """Bit 1: rated for White; bit 2: rated for Black."""
    games = games_of([(0, FIRST, SECOND), (0, SECOND, FIRST), (0, FIRST, SECOND)], [2, 2, 3])
    white, black, findings = told(games, [(0, FIRST, 1600.0), (0, SECOND, 1500.0)])
    assert white == [1600.0, None, None]
    assert black == [1500.0, 1600.0, None]
    assert not findings


@pytest.mark.parametrize(
    ("entries", "count"),
    [
        ([(1, FIRST, 1600.0)], 1),
        ([(0, THIRD, 1600.0), (1, FIRST, 1600.0), (0, FIRST, 1.0)], 2),
        ([(1, FIRST, None)], 0),
        ([], 0),
    ],
)
def test_what_finds_no_game_is_told(
    entries: list[tuple[int, int, float | None]], count: int
) -> None:
    _, _, findings = told(games_of([(0, FIRST, SECOND)]), entries)
    assert [(each.code, each.severity) for each in findings] == [
        ("history.decision-unused", Severity.WARNING)
    ] * bool(count)
    assert not count or counted(count, "rating") in next(iter(findings)).message


def test_without_a_rated_game_the_rating_is_not_used() -> None:
    games = games_of([(0, FIRST, SECOND)], [2])
    white, _, findings = told(games, [(0, FIRST, 1600.0)])
    assert white == [1600.0]
    assert len(findings) == 1


def test_a_history_without_games() -> None:
    white, black, findings = told(games_of([]), [(0, FIRST, 1600.0)])
    assert (white, black, len(findings)) == ([], [], 1)


def test_editions_that_do_not_rate_games_one_by_one_say_so() -> None:
    games = pa.table(
        {"date": [date(2010, 1, 1)], "event": ["e"], "white": ["a"], "black": ["b"], "score": [1.0]}
    )
    for rating, told_of in ((1600.0, True), (None, False)):
        entries = pa.table(
            {"event": ["e"], "player": ["a"], "rating": pa.array([rating], pa.float64())}
        )
        rated = rate_history(games, "egf-2021", entries=entries)
        codes = [each.code for each in rated.findings if each.code.startswith("history.decision")]
        assert codes == ["history.decision-unknown"] * told_of


@pytest.mark.parametrize(
    ("column", "values"),
    [
        ("conditions", [14, NO_CONDITIONS]),
        ("conditions", [15, NO_CONDITIONS]),
        ("conditions", [0, NO_CONDITIONS + 1]),
        ("entry_white", [1500.25, np.nan]),
        ("entry_white", [1500.5, np.nan]),
        ("entry_black", [np.nan, 1500.5]),
    ],
    ids=str,
)
def test_they_and_margins_and_grounds_count_in_the_signature(
    column: str, values: list[float]
) -> None:
    """A run is taken up only where they are what they were."""
    games = games_of([(0, FIRST, SECOND), (0, SECOND, THIRD)])
    day = np.zeros(1, np.int32)
    events = Events(day, day, np.zeros(1, [("nothing", np.int64)]))
    hashes = hashes_of(pa.array(["a", "b", "c"]))
    changed = games._replace(**{column: np.array(values)})
    one_event = np.ones(1, np.uint64)
    before = sums_of(hashes, games, events, one_event)
    assert sums_of(hashes, changed, events, one_event) != before


def test_the_order_of_games_counts_in_the_signature() -> None:
    one, other = (games_of([(0, FIRST, SECOND), (0, SECOND, THIRD)][::step]) for step in (1, -1))
    day = np.zeros(1, np.int32)
    events = Events(day, day, np.zeros(1, [("nothing", np.int64)]))
    hashes, event = hashes_of(pa.array(["a", "b", "c"])), np.ones(1, np.uint64)
    assert sums_of(hashes, one, events, event) != sums_of(hashes, other, events, event)
    # Moved to where they were: the same order in the file.
    turned = np.array([1, 0])
    assert sums_of(hashes, one, events, event) == sums_of(hashes, other, events, event, turned)
    # The rows that a table of changes names.
    rows = [np.array(each) for each in ([0, 1], [0, 2])]
    first, second = (sums_of(hashes, one, events, event, None, each) for each in rows)
    assert first != second


def test_margin_and_ground_are_one_number() -> None:
    days = np.zeros(4, np.int32)
    plain = GameColumns(days, days, days, np.zeros(4, np.int8))
    margin = np.array([3, -4, 0, NO_MARGIN], np.int16)
    neutral = np.array([1, 0, 1, 0], np.uint8)
    assert conditions_of(plain) is None
    for columns, wanted in (
        (replace(plain, margin=margin), [(3, 0), (-4, 0), (0, 0), (NO_MARGIN, 0)]),
        (replace(plain, neutral=neutral), [(NO_MARGIN, n) for n in (1, 0, 1, 0)]),
        (
            replace(plain, margin=margin, neutral=neutral),
            [(3, 1), (-4, 0), (0, 1), (NO_MARGIN, 0)],
        ),
    ):
        found = conditions_of(columns)
        assert found is not None
        assert [(each >> 1, each & 1) for each in found.tolist()] == wanted


def test_one_rating_that_is_not_used_is_told_of_one_player() -> None:
    words = {
        1: "One rating of the entries is not used: its player has no rated game in the event.",
        2: "2 ratings of the entries are not used: their players have no rated game in the event.",
    }
    entries: list[tuple[int, int, float | None]] = [(1, FIRST, 1600.0), (1, SECOND, 1500.0)]
    for count, wanted in words.items():
        _, _, findings = told(games_of([(0, FIRST, SECOND)]), entries[:count])
        (found,) = findings
        assert found.message.casefold() == wanted.casefold().replace("one rating", "1 rating")
