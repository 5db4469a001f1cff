"""Reports drawn at random from the domain of an edition."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import date, timedelta

from hypothesis import strategies as st

from ratingbook.checks.in_force import number_in_force
from ratingbook.model import Entry, Event, FrozenSide, Game, GameStatus, Report, Result, Standing
from ratingbook.rules.book import RuleBook
from ratingbook.rules.text import Domain

_RESULTS = (Result.WHITE_WINS, Result.BLACK_WINS, Result.DRAW)
_STATUSES = (*(GameStatus.PLAYED,) * 8, GameStatus.TIME, GameStatus.FORFEIT)
_MOST_PLAYERS = 6
_MOST_ROUNDS = 4


def reports(book: RuleBook) -> st.SearchStrategy[Report]:
    """Small events of rated, new and unrated players, within the edition's validity."""
    return _report(book)


@st.composite
def _entries(draw: st.DrawFn, domain: Domain) -> tuple[Entry, ...]:
    count = draw(st.integers(2, _MOST_PLAYERS))
    return tuple(_entry(draw, f"p{number}", domain) for number in range(count))


def _entry(draw: st.DrawFn, player: str, domain: Domain) -> Entry:
    standing = None
    history: tuple[FrozenSide, ...] = ()
    if draw(st.integers(0, 4)):
        rating = draw(st.integers(*domain.ratings))
        keys = {key: draw(st.sampled_from(values)) for key, values in domain.keys.items()}
        extra = {key: value for key, value in keys.items() if value is not None}
        standing = Standing(rating=rating, games=draw(st.integers(1, 120)), extra=extra)
        if standing.games and standing.games < domain.history_below:
            opponents = st.integers(*domain.ratings)
            history = tuple(
                FrozenSide(draw(opponents), draw(st.sampled_from((0, 0.5, 1))), own=rating)
                for _ in range(standing.games)
            )
    grade = draw(st.sampled_from(domain.grades)) if domain.grades else None
    return Entry(player, name=f"Player {player}", standing=standing, grade=grade, history=history)


@st.composite
def _report(draw: st.DrawFn, book: RuleBook) -> Report:
    domain = book.domain
    entries = draw(_entries(domain))
    kind = draw(st.sampled_from(domain.kinds))
    pairs = (
        [(i, j) for i in range(len(entries)) for j in range(i + 1, len(entries))]
        if kind == "round_robin"
        else draw(_pairs(len(entries)))
    )
    start = book.valid_from or date(2000, 1, 3)
    games = tuple(
        Game(
            white=entries[white].id,
            black=entries[black].id,
            result=draw(st.sampled_from(_RESULTS)),
            status=draw(st.sampled_from(_STATUSES)),
            round=number + 1,
            handicap=draw(st.integers(*domain.handicaps)),
        )
        for number, (white, black) in enumerate(pairs)
    )
    event = Event(
        name="drawn at random",
        start=start,
        end=start + timedelta(days=_MOST_ROUNDS),
        kind=kind,
        class_=draw(st.sampled_from(domain.classes)),
        category=draw(st.sampled_from(domain.categories)),
    )
    if _lacks_level(event, entries, book):
        event = replace(event, level=float(draw(st.integers(*domain.ratings))))
    return Report(event, entries, games)


def _lacks_level(event: Event, entries: Iterable[Entry], book: RuleBook) -> bool:
    """Whether nothing says with what a player without a rating counts; then it is refused."""
    count, bulk = book.domain.unrated_count, book.bulk
    if count is None or bulk is None:
        return False
    p = book.parameters
    numbers = [number_in_force(entry, bulk, p) for entry in entries]
    return count(event, p, [each for each in numbers if each]) is None


@st.composite
def _pairs(draw: st.DrawFn, players: int) -> list[tuple[int, int]]:
    player = st.integers(0, players - 1)
    pair = st.tuples(player, player).filter(lambda both: both[0] != both[1])
    return draw(st.lists(pair, min_size=1, max_size=_MOST_ROUNDS * players))
