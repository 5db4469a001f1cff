"""Reports of Go events, for the writers of Go formats: sensible ones, and any at all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from datetime import date

from hypothesis import strategies as st

from ratingbook.model import Entry, Event, Game, GameStatus, Place, Report, Result

DAYS = st.dates(date(1996, 1, 1), date(2030, 12, 31))
LETTERS = st.text("abcdefghijklmnopqrstuvwxyzäéßøœžŠőłДω-'. ", min_size=1, max_size=12)
"""Of Latin-9 and beyond; no name begins or ends with the last ones."""
NAMES = LETTERS.map(lambda text: " ".join(f"Doe{text}x".split()))
GRADES = st.sampled_from(["30k", "12k", "1k", "1d", "5d", "9d", "1p"]) | st.none()
RESULTS = st.sampled_from([Result.WHITE_WINS, Result.BLACK_WINS, Result.DRAW, Result.NONE])


def events(komi: st.SearchStrategy[float | None]) -> st.SearchStrategy[Event]:
    """Events without class, time control and federation."""
    return st.builds(
        lambda name, place, days, komi: Event(
            name=name, place=place, start=days[0], end=days[1], kind="swiss", komi=komi
        ),
        st.none() | NAMES,
        st.none() | NAMES,
        st.tuples(DAYS, DAYS).map(sorted) | st.just([None, None]),
        komi,
    )


@st.composite
def rounds_of(draw: st.DrawFn, players: list[str], most: int = 4) -> list[Game]:
    """Games and byes round by round, nobody with two in one."""
    games = []
    for number in range(1, draw(st.integers(0, most)) + 1):
        order = draw(st.permutations(players))
        for white, black in zip(order[::2], order[1::2], strict=False):
            status = draw(
                st.sampled_from([GameStatus.PLAYED, GameStatus.PLAYED, GameStatus.FORFEIT])
            )
            games.append(
                Game(
                    white,
                    black,
                    draw(RESULTS),
                    status,
                    number,
                    handicap=draw(st.integers(0, 9)),
                    white_rated=status is GameStatus.PLAYED,
                    black_rated=status is GameStatus.PLAYED,
                )
            )
        if len(order) % 2 and draw(st.booleans()):
            points = draw(st.sampled_from([Result.WHITE_WINS, Result.DRAW]))
            games.append(bye(order[-1], number, points))
    return games


def bye(player: str, number: int | None, result: Result) -> Game:
    return Game(player, None, result, GameStatus.BYE, number, white_rated=False, black_rated=False)


ANY_TEXT = st.text(max_size=20) | st.text("Doe3k;|_#,[]+/w0= \n\t", max_size=12) | st.sampled_from(
    ["Ghost", "ghost2, Jo", "3k", "Doe, Jo 4d", "12+/w0", "2=", "\ud800", "x" * 5_000, "PLAYERS"]
)  # fmt: skip
ANY_NUMBER = st.none() | st.floats() | st.sampled_from([0.0, -6.5, 1e300])


@st.composite
def any_reports(draw: st.DrawFn) -> Report:
    """Reports with whatever texts, rounds and games a document may have; ids are unique."""
    ids = draw(st.lists(ANY_TEXT.filter(bool), min_size=1, max_size=6, unique=True))
    entries = [
        Entry(
            id=player,
            name=draw(ANY_TEXT),
            federation=draw(st.none() | ANY_TEXT),
            grade=draw(GRADES | ANY_TEXT),
            club=draw(st.none() | ANY_TEXT),
            ids=draw(
                st.dictionaries(
                    st.sampled_from(["egd", "aga"]),
                    st.sampled_from(["12345678", "489", "99999", "x", ""]),
                )
            ),
        )
        for player in ids
    ]
    somebody = st.sampled_from([*ids, "nobody"])
    games = draw(
        st.lists(
            st.builds(
                Game,
                white=somebody,
                black=st.none() | somebody,
                result=RESULTS,
                status=st.sampled_from(GameStatus),
                round=st.none() | st.sampled_from([1, 2, 100, 101, 10_000]),
                handicap=st.sampled_from([0, 1, 5, 13, 10_000]),
                white_rated=st.booleans(),
                black_rated=st.booleans(),
            ),
            max_size=8,
        )
    )
    event = Event(
        name=draw(st.none() | ANY_TEXT),
        place=draw(st.none() | ANY_TEXT),
        federation=draw(st.none() | ANY_TEXT),
        start=draw(st.none() | st.dates()),
        end=draw(st.none() | st.dates()),
        class_=draw(st.none() | ANY_TEXT),
        time_control=draw(st.none() | ANY_TEXT | st.just("60 + " + "9" * 5_000 + "s")),
        rounds=draw(st.none() | st.sampled_from([0, 3, 10_000])),
        komi=draw(ANY_NUMBER),
    )
    return Report(event, tuple(entries), tuple(games))


def substance(report: Report, ids: Mapping[str, str] | None = None) -> tuple[object, ...]:
    """What a report says, whatever the order of players and games; with players renamed."""
    ids = ids or {}
    entries = {
        repr(replace(entry, id=ids.get(entry.id, entry.id), place=Place(), rank=None))
        for entry in report.entries
    }
    games = Counter(
        replace(
            game,
            white=ids.get(game.white, game.white),
            black=ids.get(game.black, game.black) if game.black else None,
            place=Place(),
        )
        for game in report.games
    )
    return report.event, entries, games
