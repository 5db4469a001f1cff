"""Reports within the power of a table, for the properties of writers and readers."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from hypothesis import strategies as st

from ratingbook.formats.tables.layout import plain
from ratingbook.model import (
    Entry,
    Event,
    Game,
    GameStatus,
    Place,
    Report,
    Result,
    SectionHead,
    Standing,
    StandingStatus,
)

TEXTS = st.text(max_size=12).map(plain) | st.sampled_from(
    [
        "=1+1",
        "+49",
        "-3",
        "@SUM(A1)",
        "'=x",
        "''+1",
        "＝1",
        "Doe, Jo",
        'Jo "x" Doe',
        "a;b|c",
        "0",
        "07",
        "1-0",
        "total",
        "bye",
        "name",
        "white",
        "2011-11-05",
        "1,5",
        "'t Ho",
        "true",
        "½",
    ]
)
SOME = TEXTS.filter(bool)
OPTIONAL = st.none() | SOME
RATINGS = st.none() | st.integers(-900, 3000) | st.floats(-900, 3000).map(lambda x: x + 0.0)
COUNTS = st.none() | st.integers(0, 10_000)
DATES = st.none() | st.dates(date(1850, 1, 1), date(2150, 1, 1))
EXTRA = st.fixed_dictionaries(
    {}, optional={"peak": st.integers(0, 3000), "olm": st.booleans(), "highest_grade": SOME}
)
NUMBERS = st.none() | st.floats(-1e6, 1e6)


def _known(standing: Standing) -> bool:
    return standing != Standing()


STANDINGS = st.builds(
    Standing,
    RATINGS,
    COUNTS,
    COUNTS,
    COUNTS,
    COUNTS,
    st.none() | st.sampled_from(StandingStatus),
    DATES,
    EXTRA,
).filter(_known)
EVENTS = st.builds(
    Event,
    OPTIONAL,
    OPTIONAL,
    OPTIONAL,
    DATES,
    DATES,
    OPTIONAL,
    OPTIONAL,
    OPTIONAL,
    OPTIONAL,
    NUMBERS,
    OPTIONAL,
    COUNTS,
    NUMBERS,
    st.lists(SOME, max_size=3).map(tuple),
)
HEADS = st.builds(SectionHead, SOME, COUNTS, OPTIONAL, OPTIONAL, OPTIONAL, DATES, DATES)
KEYS = st.text("abcxyz_", min_size=1, max_size=5)


def entries(id_: str) -> st.SearchStrategy[Entry]:
    return st.builds(
        Entry,
        id=st.just(id_),
        name=TEXTS,
        federation=OPTIONAL,
        title=OPTIONAL,
        sex=st.sampled_from([None, "m", "w"]),
        birth_date=DATES,
        birth_year=st.none() | st.integers(1800, 2199),
        adult=st.sampled_from([None, True, False]),
        grade=OPTIONAL,
        club=OPTIONAL,
        team=OPTIONAL,
        ids=st.dictionaries(st.sampled_from(["fide", "egd", "of.us"]), SOME, max_size=2),
        standing=st.none() | STANDINGS,
        foreign=st.dictionaries(KEYS, st.floats(-1e6, 1e6), max_size=1),
        pools=st.dictionaries(KEYS, STANDINGS, max_size=1),
        decisions=st.fixed_dictionaries(
            {}, optional={"reason": SOME, "ceiling": st.integers(0, 9)}
        ),
    )


def games(ids: list[str]) -> st.SearchStrategy[Game]:
    player = st.sampled_from(ids)
    return st.builds(
        Game,
        white=player,
        black=st.none() | player,
        result=st.sampled_from(Result),
        status=st.sampled_from(GameStatus),
        round=st.none() | st.integers(1, 30),
        section=OPTIONAL,
        event=OPTIONAL,
        table_result=st.none() | st.sampled_from(Result),
        handicap=st.integers(0, 9),
        start=DATES,
        end=DATES,
        reported=DATES,
        white_rating=RATINGS,
        black_rating=RATINGS,
        white_rated=st.booleans(),
        black_rated=st.booleans(),
        rated_said=st.booleans(),
        white_for=st.none() | player,
        black_for=st.none() | player,
    ).filter(lambda game: game.white != game.black)


@st.composite
def reports(draw: st.DrawFn) -> Report:
    ids = draw(st.lists(SOME, min_size=1, max_size=5, unique=True))
    people = tuple(draw(entries(id_)) for id_ in ids)
    played = draw(st.lists(games(ids), max_size=6, unique_by=_pairing))
    heads = draw(st.lists(HEADS, max_size=2, unique_by=lambda head: head.name))
    return Report(draw(EVENTS), people, tuple(played), tuple(heads))


def _pairing(game: Game) -> tuple[object, ...]:
    """No two games of a table are of the same players in the same round."""
    return (game.event, game.section, game.round, frozenset((game.white, game.black)))


def placeless(report: Report) -> Report:
    """The report without the places where its parts stood in a file."""
    return replace(
        report,
        entries=tuple(replace(entry, place=Place()) for entry in report.entries),
        games=tuple(replace(game, place=Place()) for game in report.games),
    )
