"""Numbers of NumPy, pandas and the like count at the library's door as what they are."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, cast

import numpy as np
import pandas as pd
import pytest

import ratingbook as rb
from ratingbook.desk.plain import plain
from ratingbook.model import (
    Entry,
    Event,
    FrozenSide,
    Game,
    GameStatus,
    Report,
    Result,
    SectionHead,
    Standing,
)

SPRING = Path("examples/reports/spring-open.trf")
DAY = datetime.date(2024, 5, 4)
KINDS = [np.int64, np.int32, np.uint16, np.float64, np.float32, Decimal, Fraction, float]
ANY: Any = rb
"""The library for who gives it what its types do not name."""


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["elo", "uscf", "fide", "egf", "iccf-2009", "iecg-1999"])
def test_a_score_is_expected_of_any_number(name: str, kind: Callable[[int], Any]) -> None:
    own, other = kind(2100), kind(2000)
    assert rb.predict(name, own, other) == rb.predict(name, 2100, 2000)
    entries = [Entry("x", standing=Standing(each, games=kind(100))) for each in (own, other)]
    assert rb.predict(name, entries[0], entries[1]) == rb.predict(name, 2100, 2000)


def _rated_in(entry: Entry, kind: Callable[[int], Any]) -> Entry:
    """The entry with its rating as a number of some kind."""
    if entry.standing is None or entry.standing.rating is None:
        return entry
    rating = kind(int(entry.standing.rating))
    return replace(entry, standing=replace(entry.standing, rating=rating))


@pytest.mark.parametrize("kind", KINDS)
def test_numbers_in_a_report_count(kind: Callable[[int], Any]) -> None:
    report = rb.read(SPRING, "fide-2009")
    entries = tuple(_rated_in(each, kind) for each in report.entries)
    other = replace(report, entries=entries)
    assert rb.rate(other, "fide-2009").players == rb.rate(report, "fide-2009").players
    known = [e for e in entries if e.standing]
    bare = replace(report, entries=tuple(replace(each, standing=None) for each in entries))
    by_players = rb.rate(bare, "fide-2009", players=known, id="local")
    lazily = rb.rate(bare, "fide-2009", players=(each for each in known), id="local")
    assert [x.row.after for x in by_players] == [x.row.after for x in rb.rate(report, "fide-2009")]
    assert [x.row.after for x in lazily] == [x.row.after for x in by_players]


def _report(number: Callable[[float], Any], day: Any, yes: Any, *, words: bool = False) -> Report:
    """A report in which all that can be a number, a day, a word or a truth value is one."""
    standing = Standing(
        number(2000), games=number(50), wins=number(20), draws=number(20), losses=number(10),
        last_played=day, extra={"reached_2400": yes, "peak": number(2100)},
    )  # fmt: skip
    entry = Entry(
        "a", birth_date=day, birth_year=number(2024), adult=yes, rank=number(1), standing=standing,
        foreign={"fide": number(1990), "cfc": None}, pools={"quick": standing},
        history=(FrozenSide(number(1900), number(0.5), number(2000), day),),
        decisions={"rating": number(1800), "reason": "said"},
    )  # fmt: skip
    game = Game(
        "a", "b", cast("Result", "1-0") if words else Result.WHITE_WINS, round=number(1),
        status=cast("GameStatus", "time") if words else GameStatus.TIME, handicap=number(2),
        margin=number(3), neutral=yes, start=day, end=day, white_rating=number(2000),
        black_rated=yes,
    )  # fmt: skip
    event = Event(
        start=day, end=day, level=number(0.5), rounds=number(5), komi=number(6.5),
        handicap_reduction=number(1),
    )  # fmt: skip
    head = SectionHead(None, number(1), start=day, end=day)
    return Report(event, (entry, Entry("b")), (game,), (head,))


def _numpy(number: float) -> Any:
    return np.int64(number) if number % 1 == 0 else np.float64(number)


@pytest.mark.parametrize(
    ("number", "day", "yes"),
    [
        (np.float64, np.datetime64("2024-05-04"), np.True_),
        (np.float32, pd.Timestamp("2024-05-04 12:00"), np.bool_(True)),
        (lambda x: Decimal(str(x)), datetime.datetime(2024, 5, 4, 9), True),
        (_numpy, np.datetime64(1714780800000000000, "ns"), np.True_),
    ],
)
def test_all_of_a_report_is_made_plain(number: Callable[[float], Any], day: Any, yes: Any) -> None:
    made = plain(_report(number, day, yes, words=True))
    assert made == _report(lambda x: x, DAY, True)
    assert {*_kinds(made)} <= {int, float, datetime.date, bool, str, type(None)}


def _kinds(noun: Any) -> Any:
    """The kinds of all values below a noun."""
    if hasattr(noun, "__dataclass_fields__"):
        noun = {name: getattr(noun, name) for name in noun.__dataclass_fields__}
    if isinstance(noun, dict | tuple):
        for each in noun.values() if isinstance(noun, dict) else noun:
            yield from _kinds(each)
    else:
        yield str if isinstance(noun, str) else type(noun)


def test_what_is_pythons_own_stays_the_same_object() -> None:
    report = _report(lambda x: x, DAY, True)
    assert plain(report) is report
    assert rb.read(report) is report


def _standing(rating: Any, games: Any = None, extra: Any = None) -> Entry:
    return Entry("x", standing=Standing(rating, games=games, extra=extra or {}))


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        (_standing("2000"), "standing.rating is '2000', .* a number"),
        (_standing(float("nan")), "standing.rating is nan, .* not known is None"),
        (_standing(2000, games=7.5), "standing.games is 7.5, .* whole"),
        (_standing(2000, games=True), "standing.games is True"),
        (_standing(2000, extra={"peak": pd.NA}), r"standing.extra\['peak'\] is a NA"),
        (Entry("x", foreign={"fide": float("inf")}), r"foreign\['fide'\] is inf"),
        (Entry("x", decisions={"k": cast("int", [10])}), r"decisions\['k'\] is a list"),
        (Entry("x", birth_date=cast("datetime.date", pd.NaT)), "birth_date is .*, .* a day"),
        (Entry("x", standing=cast("Standing", {"rating": 2000})), "standing is a dict"),
    ],
)
def test_what_is_no_number_is_a_wrong_argument(entry: Entry, words: str) -> None:
    report = Report(Event(start=DAY), (Entry("y"), entry), (Game("x", "y", Result.DRAW),))
    for call in (rb.rate, rb.check):
        with pytest.raises(rb.BadArgument, match=rf"source\.entries\[1\]\.{words}"):
            call(report, "fide")
    with pytest.raises(rb.BadArgument, match=rf"players\[0\]\.{words}"):
        rb.rate(SPRING, "fide", players=[entry])
    with pytest.raises(rb.BadArgument, match=rf"predict\(\): black\.{words}"):
        rb.predict("fide", 2000, entry)


def test_a_word_that_is_none_is_told() -> None:
    game = Game("x", "y", cast("Result", "draw"))
    with pytest.raises(rb.BadArgument, match=r"games\[0\].result is 'draw', .* one of 1-0, 0-1"):
        rb.check(Report(Event(), (Entry("x"), Entry("y")), (game,)))


def test_numbers_of_a_question_count() -> None:
    asked = rb.whatif(["2100=1"], "fide", rating=2000, games=40, birth_year=2012, target=2005)
    of_numpy = rb.whatif(
        ["2100=1"], "fide", rating=cast("float", np.int64(2000)), games=cast("int", np.int64(40)),
        birth_year=cast("int", np.int16(2012)), target=cast("float", Decimal(2005)),
    )  # fmt: skip
    assert of_numpy == asked
    day = cast("datetime.date", np.datetime64("2024-05-04"))
    handicap = cast("int", np.int64(3))
    assert rb.predict("egf", 2100, 2000, day, handicap=handicap) == rb.predict(
        "egf", 2100, 2000, DAY, handicap=3
    )
    noon = datetime.datetime(2024, 5, 4, 12)
    assert rb.predict("fide", 2100, 2000, noon) == rb.predict("fide", 2100, 2000, DAY)


def test_an_assumed_rating_is_any_number() -> None:
    games = [{"date": "2024-01-05", "white": "a", "black": "b", "score": 1}]
    for number in (np.int64(2000), np.float32(2000), Decimal(2000)):
        rated = ANY.history(games, "fide", assume=number, progress=False)
        assert rated.ratings == rb.history(games, "fide", assume=2000, progress=False).ratings
