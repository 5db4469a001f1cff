"""The remedy of a finding, followed literally: the finding is gone."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import ratingbook as rb
from ratingbook.model import Finding
from tests.desk.test_remedies import ALL

Document = dict[str, Any]
"""A report document."""
_MARCH = {"start": "2024-03-02", "end": "2024-03-08"}
_LONG = "90 min + 30 s"
_OF_BOOK: dict[str, dict[str, object]] = {
    "fide-2024": {**_MARCH, "time_control": _LONG},
    "fide-2009": {"start": "2010-03-06", "end": "2010-03-07", "time_control": _LONG},
    "egf-2013": {"start": "2014-03-02", "end": "2014-03-08", "class": "A"},
    "egf-1998": {"start": "1999-03-02", "end": "1999-03-08", "class": "A"},
    "iccf-2009": {"start": "2010-01-01", "end": "2010-03-31", "level": 2000},
    "iecg-1999": {"start": "1999-07-01", "end": "1999-10-20"},
    "uscf-2023": {**_MARCH, "time_control": "G/120;d5"},
}
"""An event that each of the editions rates without a word about it."""


class Case(NamedTuple):
    """A report with which something is the matter, and what its remedy says."""

    code: str
    book: str
    wrong: Callable[[Document], object]
    follow: Callable[[Document], object] = lambda document: None
    players: Sequence[Mapping[str, object]] = ()
    """A players file that the remedy asks for."""
    settings: Mapping[str, str] = {}
    """Parameters that the remedy names."""
    left: str = ""
    """What the finding says then, where it stays as a record of what was settled."""


def document(book: str) -> Document:
    """Two players and a game, in which this edition notices nothing."""
    games = {"wins": 20, "draws": 10, "losses": 20, "events": 12} if book == "uscf-2023" else {}
    standing = {"rating": 2000, "games": 50, **games}
    if book == "uscf-2023":
        standing = {**standing, "rating": 1500}
    players = [{"id": str(n), "name": f"Player {n}", "standing": {**standing}} for n in (1, 2, 3)]
    games_ = [
        {"round": 1, "white": "1", "black": "2", "result": "1-0"},
        {"round": 2, "white": "2", "black": "3", "result": "1-0"},
        {"round": 3, "white": "3", "black": "1", "result": "1-0"},
    ]
    return {
        "ratingbook": "report/1", "event": {"name": "Example", **_OF_BOOK[book]},
        "players": players, "games": games_,
    }  # fmt: skip


def at(path: str, value: object) -> Callable[[Document], object]:
    """Set what stands at a path such as ``players.0.standing``; None takes it out."""
    *way, last = path.split(".")

    def change(held: Document) -> None:
        place: Any = held
        for step in way:
            place = place[int(step)] if isinstance(place, list) else place.setdefault(step, {})
        if value is None:
            del place[last]
        else:
            place[int(last) if isinstance(place, list) else last] = value

    return change


def both(*changes: Callable[[Document], object]) -> Callable[[Document], object]:
    """Several changes, one after the other."""
    return lambda held: [change(held) for change in changes]


P, S, E, G = "players.0.", "players.0.standing.", "event.", "games.0."
NO_STANDINGS = both(*(at(f"players.{n}.standing", None) for n in range(3)))
ME = {"id": "1", "rating": 2000, "games": 50}
MATCH = both(
    at("players", [{"id": n, "standing": {"rating": 1500, "games": 50}} for n in "12"]),
    at("games", [{"round": n, "white": "1", "black": "2", "result": "1-0"} for n in (1, 2)]),
)
UNRATED = at("players.0.standing", None)
HISTORY = [{"opponent": 1900, "score": 0.5, "own": 1950}] * 3
ABROAD = both(
    at("event.kind", "fide"), at("players.0.federation", "USA"), at("players.1.federation", "GER"),
    at("players.2.federation", "GER"),
)  # fmt: skip

CASES = (
    Case("fide.nobody-rated", "fide-2024", NO_STANDINGS, players=[ME]),
    Case("fide.below-floor", "fide-2024", at(S + "rating", 1300),
         settings={"below_floor": "unrated"}, left="count as unrated"),
    Case("fide.games-unknown", "fide-2024", at(S + "games", None), players=[ME]),
    Case("fide.games-unknown", "fide-2024", at(S + "games", None),
         settings={"games_unknown": "12"}, left="taken as 12"),
    Case("fide.games-unknown", "fide-2024", at(S + "games", None), at(S + "k", 20)),
    Case("fide.k-not-taken", "fide-2024", at(S + "k", 40), at(S + "games", None)),
    Case("fide.k-not-taken", "fide-2024", at(S + "k", 40), at(P + "birth_year", 2014)),
    Case("fide.k-not-taken", "fide-2024", at(S + "k", 10), at(S + "reached_2400", True)),
    Case("fide.k-of-list", "fide-2024", both(at(S + "games", None), at(S + "k", 20)), players=[ME]),
    Case("fide.base-rating", "fide-2024", at(P + "decisions", {"base_rating": "x", "reason": "-"}),
         at(P + "decisions.base_rating", 1800)),
    Case("fide.rated-as-swiss", "fide-2009",
         both(at(E + "kind", "round_robin"), UNRATED, at("games.1", {
             "round": 2, "white": "3", "black": "1", "result": "0-1"})),
         at(E + "kind", "swiss")),
    Case("fide.rating-without-standing", "fide-2024", both(UNRATED, at(G + "white_rating", 1900)),
         at("players.0.standing", {"rating": 1900, "games": 40})),
    Case("fide.long-event", "fide-2024", both(at(E + "end", "2024-07-30"), at(G + "end",
         "2024-03-03"), at("games.1.end", "2024-06-02"), at("games.2.end", "2024-07-02")),
         settings={"longest_event": "0"}),
    Case("fide.match-rounds", "fide-2024", both(MATCH, at(E + "kind", "match")),
         at(E + "rounds", 2)),
    Case("fide.late-report", "fide-2024", at(G + "reported", "2024-12-24"),
         at(G + "reported", "2024-03-09")),
    Case("fide.match", "fide-2024", both(MATCH, at(E + "kind", "match"), at(E + "rounds", 2),
         at("players.0", {"id": "1"})), at(E + "kind", "swiss")),
    Case("egf.no-grade", "egf-2013", UNRATED, at(P + "grade", "3k")),
    Case("egf.below-floor", "egf-2013", at(S + "rating", 50), settings={"floor": "0"}),
    Case("egf.highest-grade", "egf-2013", at(S + "highest_grade", "99x"),
         at(S + "highest_grade", "1d")),
    Case("egf.reset-rating", "egf-2013", at(P + "decisions", {"reset_rating": "x", "reason": "-"}),
         at(P + "decisions.reset_rating", 1800)),
    Case("egf.initial-rating", "egf-2013", both(UNRATED, at(P + "grade", "3k")), players=[ME]),
    Case("egf.not-recognised", "egf-2013", at(E + "start", "1990-01-01"),
         at(E + "start", "2014-03-02")),
    Case("egf.not-recognised", "egf-2013", both(at(E + "class", None), at(E + "time_control", "5")),
         at(E + "time_control", "90")),
    Case("egf.class-unknown", "egf-2013", at(E + "class", None), at(E + "class", "A")),
    Case("egf.class-unknown", "egf-2013", at(E + "class", None),
         at(E + "time_control", "60 + 30s byo-yomi")),
    Case("iccf.games-unknown", "iccf-2009", at(S + "games", None), players=[ME]),
    Case("iccf.history-missing", "iccf-2009", at(S + "games", 3), at(P + "history", HISTORY)),
    Case("iccf.earlier-games", "iccf-2009", both(at(S + "games", 3), at(S + "earlier_score", 4),
         at(S + "earlier_opponents", 5700)), at(S + "earlier_score", 2)),
    Case("iccf.earlier-games", "iccf-2009", both(at(S + "games", 3), at(S + "earlier_score", 2),
         at(S + "earlier_opponents", 99_000)), at(S + "earlier_opponents", 5700)),
    Case("iccf.earlier-games", "iccf-2009", both(at(S + "games", 3), at(S + "earlier_score", 4),
         at(S + "earlier_opponents", 5700)), at(P + "history", HISTORY)),
    Case("iccf.earlier-list", "iccf-2009", at(G + "start", "2009-12-20"),
         both(at(G + "white_rating", 1990), at(G + "black_rating", 2010))),
    Case("iccf.history-longer", "iccf-2009", both(at(S + "games", 2), at(P + "history", HISTORY)),
         at(S + "games", 3)),
    Case("iccf.history-own", "iccf-2009", both(at(S + "games", 1), at(P + "history", [
         {"opponent": 1900, "score": 1}])), at(P + "history.0.own", 1950)),
    Case("iccf.level", "iccf-2009", at(E + "level", 9999), at(E + "level", 2000)),
    Case("iccf.level-not-used", "iccf-2009", at(E + "category", "open_class"),
         at(E + "level", None)),
    Case("iccf.category", "iccf-2009", both(at(E + "level", None), at(E + "category", "odd")),
         at(E + "category", "open_class")),
    Case("iccf.no-level", "iccf-2009", both(at(E + "level", None), UNRATED),
         at(E + "category", "open_class")),
    Case("iccf.no-level", "iccf-2009", both(at(E + "level", None), UNRATED), at(E + "level", 2000)),
    Case("iccf.no-level", "iccf-2009", both(at(E + "level", None), UNRATED),
         both(at(G + "white_rating", 1800), at("games.2.black_rating", 1800))),
    Case("iccf.one-level", "iccf-2009", both(UNRATED, at(G + "event", "A"),
         at("games.1.event", "B"), at("games.2.event", "B")),
         at("events", [{"name": "A", "level": 1900}, {"name": "B", "category": "open_class"}])),
    Case("iecg.rating-not-whole", "iecg-1999", at(S + "ter", 1900.5), at(S + "ter", 1900)),
    Case("iecg.in-progress", "iecg-1999", at(S + "in_progress", "soon"),
         at(S + "in_progress", "1999-06-30")),
    Case("iecg.foreign-games", "iecg-1999", both(UNRATED, at(P + "foreign", {
         "fide": 2000, "fide_games": 2.5})), at(P + "foreign.fide_games", 30)),
    Case("iecg.foreign-games-unknown", "iecg-1999", both(UNRATED, at(P + "foreign", {
         "fide": 2000})), at(P + "foreign.fide_games", 30)),
    Case("iecg.not-used", "iecg-1999", both(UNRATED, at(P + "foreign", {"dwz": 2000})),
         at(P + "foreign", {"national": 2000, "national_games": 30})),
    Case("iecg.decision-value", "iecg-1999", both(UNRATED, at(P + "decisions", {
         "tutor_rating": 1500.5, "reason": "-"})), at(P + "decisions.tutor_rating", 1500)),
    Case("iecg.decision-value", "iecg-1999", at(P + "decisions", {
         "class_m_winner": "yes", "reason": "-"}), at(P + "decisions.class_m_winner", True)),
    Case("iecg.games-unknown", "iecg-1999", at(S + "games", None), players=[ME]),
    Case("iecg.games-unknown", "iecg-1999", at(S + "games", None),
         settings={"games_unknown": "40"}, left="taken as 40"),
    Case("iecg.new-players", "iecg-1999", UNRATED, at(P + "standing", {"rating": 1900,
         "games": 40})),
    Case("iecg.rating-missing", "iecg-1999", at(S + "rating", None), at(S + "rating", 1900)),
    Case("iecg.status-unknown", "iecg-1999", at(S + "status", "unlisted"),
         at(S + "status", "established")),
    Case("iecg.status-contradicts", "iecg-1999", at(S + "status", "provisional"),
         at(S + "status", "established")),
    Case("iecg.starting-rating-missing", "iecg-1999", both(at(S + "games", 3), at(P + "history",
         HISTORY)), at(S + "starting_rating", 1800)),
    Case("iecg.history-missing", "iecg-1999", at(S + "games", 3), at(P + "history", HISTORY)),
    Case("iecg.earlier-games", "iecg-1999", both(at(S + "games", 3), at(S + "earlier_score", 4),
         at(S + "earlier_opponents", 5700)), at(S + "earlier_score", 2)),
    Case("iecg.earlier-games", "iecg-1999", both(at(S + "games", 3), at(S + "earlier_score", 2),
         at(S + "earlier_opponents", 99_000)), at(S + "earlier_opponents", 5700)),
    Case("iecg.earlier-games", "iecg-1999", both(at(S + "games", 3), at(S + "earlier_score", 4),
         at(S + "earlier_opponents", 5700)), at(P + "history", HISTORY)),
    Case("iecg.history-contradicts", "iecg-1999", both(at(S + "games", 2), at(P + "history",
         HISTORY)), at(S + "games", 3)),
    Case("iecg.tutor-capped", "iecg-1999", both(UNRATED, at(P + "decisions", {
         "tutor_rating": 2500, "reason": "-"})), settings={"tutor_maximum": "2600"}),
    Case("iecg.ter-differs", "iecg-1999", at(G + "white_rating", 1900), at(G + "white_rating",
         2000)),
    Case("iecg.withdrawn", "iecg-1999", at(G + "status", "withdrawn"), at(G + "rated", True)),
    Case("iecg.withdrawn", "iecg-1999", at(G + "status", "withdrawn"),
         settings={"withdrawn": "rated"}),
    Case("iecg.table-result", "iecg-1999", both(at(G + "status", "adjudicated"), at(G + "result",
         "1/2-1/2")), at(G + "table_result", "1-0")),
    Case("uscf.perhaps-match", "uscf-2023", MATCH, at(E + "kind", "match")),
    Case("uscf.unknown-pool", "uscf-2023", at(E + "pool", "bullet"), at(E + "pool", "regular")),
    Case("uscf.time-control", "uscf-2023", at(E + "time_control", "slow"), at(E + "time_control",
         "40/90,SD/30;d5")),
    Case("uscf.pool-assumed", "uscf-2023", at(E + "time_control", None), at(E + "time_control",
         "G/90;+30")),
    Case("uscf.pool-assumed", "uscf-2023", at(E + "time_control", None), at(E + "pool",
         "regular")),
    Case("uscf.not-rated", "uscf-2023", at(E + "time_control", "G/1;d0"), at(E + "time_control",
         "G/120;d5")),
    Case("uscf.pool-contradicts", "uscf-2023", at(E + "pool", "quick"), at(E + "pool",
         "regular")),
    Case("uscf.dual-unknown", "uscf-2023", both(at(E + "time_control", None), at(S + "rating",
         2300)), at(E + "time_control", "G/120;d5")),
    Case("uscf.rating-range", "uscf-2023", at(S + "peak", 9000), at(S + "peak", 1600)),
    Case("uscf.decision-value", "uscf-2023", at(P + "decisions", {"cash_prize": "much", "reason":
         "-"}), at(P + "decisions", {"cash_prize": 2000, "cash_limit": 1800, "reason": "-"})),
    Case("uscf.decision-value", "uscf-2023", at(P + "decisions", {"floor_reduction": 1, "reason":
         "-"}), at(P + "decisions.floor_reduction", True)),
    Case("uscf.games-missing", "uscf-2023", both(at(S + "games", None), at(S + "status",
         "provisional")), at(S + "games", 12)),
    Case("uscf.games-missing", "uscf-2023", both(at(S + "games", None), at(S + "status",
         "provisional")), players=[{"id": "1", "games": 12}]),
    Case("uscf.games-unknown", "uscf-2023", at(S + "games", None), players=[ME]),
    Case("uscf.games-unknown", "uscf-2023", at(S + "games", None),
         settings={"games_unknown": "40"}, left="taken as 40"),
    Case("uscf.results-unknown", "uscf-2023", at("players.0.standing", {"rating": 1500, "games":
         9}), both(at(S + "wins", 3), at(S + "draws", 3), at(S + "losses", 3))),
    Case("uscf.results-unknown", "uscf-2023", at("players.0.standing", {"rating": 1500, "games":
         9}), players=[{"id": "1", "wins": 3, "draws": 3, "losses": 3}]),
    Case("uscf.floor-unknown", "uscf-2023", at("players.0.standing", {"rating": 250, "games":
         50}), both(at(S + "wins", 3), at(S + "draws", 3), at(S + "events", 9))),
    Case("uscf.no-birth-date", "uscf-2023", UNRATED, at(P + "birth_date", "1990-04-01")),
    Case("uscf.no-birth-date", "uscf-2023", UNRATED, at(P + "adult", True)),
    Case("uscf.initial-rating", "uscf-2023", both(UNRATED, at(P + "adult", True)),
         at("players.0.standing", {"rating": 1500, "games": 60})),
    Case("uscf.national-rating", "uscf-2023", both(UNRATED, at(P + "adult", True), at(P + "foreign",
         {"national": 1800})), at(P + "decisions", {"initial_rating": 1700, "reason": "-"})),
    Case("uscf.decision-first", "uscf-2023", both(UNRATED, at(P + "foreign", {"fide": 1800}),
         at(P + "decisions", {"initial_rating": 1700, "reason": "-"})), at(P + "decisions", None)),
    Case("uscf.pool-games-unknown", "uscf-2023", both(UNRATED, at(P + "adult", True), at(P +
         "pools", {"quick": {"rating": 1500}})), at(P + "pools.quick.games", 12)),
    Case("uscf.no-date", "uscf-2023", both(UNRATED, at(P + "birth_date", "1990-04-01"), at(E +
         "start", None), at(E + "end", None)), at(E + "end", "2024-03-08")),
    Case("uscf.birth-date", "uscf-2023", both(UNRATED, at(P + "birth_date", "2023-04-01")),
         at(P + "birth_date", "2013-04-01")),
    Case("uscf.pool-twice", "uscf-2023", at(P + "pools", {"regular": {"rating": 1400, "games":
         50}}), at(P + "pools.regular", None)),
    Case("uscf.peak", "uscf-2023", at(S + "peak", 1400), at(S + "peak", 1600)),
    Case("uscf.below-floor", "uscf-2023", at(S + "peak", 2100), at(S + "peak", 1600)),
    Case("uscf.floor-range", "uscf-2023", both(at(S + "rating", 2250), at(S + "floor", 2200)),
         at(S + "olm", True)),
    Case("uscf.floor-above-rating", "uscf-2023", at(S + "floor", 1600), at(S + "floor", 1500)),
    Case("uscf.kind", "uscf-2023", at(E + "kind", "odd"), at(E + "kind", "swiss")),
    Case("uscf.category", "uscf-2023", both(ABROAD, at(E + "category", "old")), at(E + "category",
         "youth")),
    Case("uscf.not-used", "uscf-2023", at(P + "foreign", {"dwz": 1800}), at(P + "foreign",
         {"national": 1800})),
    Case("uscf.history-not-used", "uscf-2023", at(P + "history", HISTORY[:1]), at(P +
         "history.0.event", "match +20")),
    Case("uscf.decision-not-used", "uscf-2023", at(P + "decisions", {"initial_rating": 1700,
         "reason": "-"}), at(P + "decisions", {"adjusted_rating": 1700, "reason": "-"})),
    Case("uscf.cash-prize", "uscf-2023", at(P + "decisions", {"cash_prize": 2000, "reason": "-"}),
         at(P + "decisions.cash_limit", 1800)),
    Case("uscf.game-rating", "uscf-2023", at(G + "white_rating", 1400), both(at(G + "white_rating",
         None), at(S + "rating", 1400))),
    Case("uscf.nobody-updated", "uscf-2023", both(ABROAD, NO_STANDINGS, at("players.0.federation",
         "GER")), at("players.0.federation", "USA")),
    Case("uscf.no-fide-rating", "uscf-2023", ABROAD, both(at("players.1.foreign", {"fide": 1800}),
         at("players.2.foreign", {"fide": 1800}))),
    Case("uscf.no-fide-rating", "uscf-2023", ABROAD, both(at(G + "black_rating", 1800),
         at("games.2.white_rating", 1800))),
    Case("uscf.match-undated", "uscf-2023", both(MATCH, at(E + "kind", "match"), at(E + "start",
         None), at(E + "end", None)), at(E + "end", "2024-03-08")),
    Case("uscf.match-undated", "uscf-2023", both(MATCH, at(E + "kind", "match"), at(P + "history",
         [{"opponent": 1500, "score": 1, "event": "match +20"}])), at(P + "history.0.start",
         "2024-01-01")),
)  # fmt: skip


def findings_of(case: Case, folder: Path, *, followed: bool) -> list[Finding]:
    """What is noticed about the report, before and after its remedy was followed."""
    held = document(case.book)
    case.wrong(held)
    if followed:
        case.follow(held)
    report = folder / "report.json"
    report.write_text(json.dumps(held), "utf-8")
    players = None
    if followed and case.players:
        players = folder / "players.csv"
        with players.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(case.players[0]))
            writer.writeheader()
            writer.writerows(case.players)
    settings = case.settings if followed else {}
    found = rb.check(report, case.book, settings=settings, players=players)
    return [each for each in found if each.code == case.code]


@pytest.mark.parametrize("case", CASES, ids=[f"{n}-{case.code}" for n, case in enumerate(CASES)])
def test_a_remedy_that_is_followed_mends_it(case: Case, tmp_path: Path) -> None:
    assert findings_of(case, tmp_path, followed=False)
    after = findings_of(case, tmp_path, followed=True)
    assert all(case.left in each.message for each in after)
    assert bool(after) == bool(case.left)


class Files(NamedTuple):
    """Files with which something is the matter, and what is done about it."""

    code: str
    command: str
    wrong: Mapping[str, str]
    """Contents by name."""
    option: str = ""
    """What the remedy adds to the command."""
    mended: Mapping[str, str] = {}
    """Files that are written otherwise."""


RATE = "rate t.csv --rulebook fide-2024"
GAMES = "White,Black,Result\nAlder,Birch,1-0\nBirch,Cedar,1/2\n"
PERIOD = (
    "Event;White ID;White;Black ID;Black;Result;End date;White Elo\n"
    "A;1;Alder, Ann;2;Birch, Bob;1-0;2010-02-01;1900\n"
    "B;2;Birch, Bob;3;Cedar, Cyd;0-1;2010-02-02;\n"
)
LISTED = 'id,name,rating,games\n2,"Birch, Bob",2000,60\n3,"Cedar, Cyd",2100,60\n'
ICCF = "rate t.csv --rulebook iccf-2009"
REPORT = json.dumps(document("fide-2024"))
ANN = json.dumps({
    "ratingbook": "report/1", "event": {"start": "2024-03-02", "end": "2024-03-02"},
    "players": [{"id": "1", "name": "Alder, Ann", "ids": {"fide": "4100001"}},
                {"id": "2", "name": "Birch, Bob", "ids": {"fide": "4100002"}}],
    "games": [{"round": 1, "white": "1", "black": "2", "result": "1-0"}],
})  # fmt: skip

FILES = (
    Files("file.unknown-format", RATE, {"t.csv": "Heim,Gast,Tore\nAlder,Birch,1-0\n"},
          "--column white=Heim --column black=Gast --column result=Tore"),
    Files("table.no-results", RATE, {"t.csv": "White,Black,Tore\nAlder,Birch,1-0\n"},
          "--column result=Tore"),
    Files("table.unknown-column", RATE, {"t.csv": "White,Black,Result,Durchgang\n"
          "Alder,Birch,1-0,1\n"}, "--column round=Durchgang"),
    Files("table.ambiguous", RATE, {"t.csv": "White,Black,Result,Ergebnis\nAlder,Birch,1-0,0-1\n"},
          "--column result=Ergebnis"),
    Files("table.no-column", RATE + " --column round=Tour", {"t.csv": GAMES}, mended={
          "t.csv": GAMES.replace("Result", "Result,Tour").replace("1-0", "1-0,1")}),
    Files("table.no-header", RATE, {"t.csv": "Alder,Birch,1-0\n"}, mended={
          "t.csv": "white,black,result\nAlder,Birch,1-0\n"}),
    Files("iccf.no-level", ICCF + " --players l.csv", {"l.csv": LISTED, "t.csv": PERIOD.replace(
          ";White Elo", "").replace(";1900", "").replace("02;", "02")}, mended={
          "t.csv": PERIOD.replace("White Elo", "Category").replace("1900", "open class")}),
    Files("iccf.no-level", ICCF + " --players l.csv", {"l.csv": LISTED, "t.csv": PERIOD.replace(
          "1900", "")}, mended={"t.csv": PERIOD.replace("White Elo", "Level")}),
    Files("players.no-id", RATE + " --players p.csv", {"t.csv": GAMES, "p.csv": "player x;rating\n"
          "Alder;1900\n"}, mended={"p.csv": "id,rating,games\nAlder,1900,40\n"}),
    Files("players.unknown-column", RATE + " --players p.csv", {"t.csv": GAMES, "p.csv":
          "id,rating,fidenummerxy\nAlder,1900,4100001\n"}, mended={
          "p.csv": "id,rating,ids.fide\nAlder,1900,4100001\n"}),
    Files("players.no-match", "rate t.json --rulebook fide-2024 --players p.csv", {"t.json": ANN,
          "p.csv": 'id,name,rating\n77,"Alder, Ann",1900\n'}, "--id name"),
    Files("players.other-person", "rate t.json --rulebook fide-2024 --players p.csv", {
          "t.json": ANN, "p.csv": 'id,name,rating,ids.fide\n1,"Date, Dan",1900,4100009\n'
          '9,"Alder, Ann",1900,\n'.replace(",4100009", ",")}, "--id name"),
    Files("json.encoding", "rate t.json --rulebook fide-2024", {"t.json": "cp1252"},
          "--encoding cp1252"),
    Files("list.no-number", "list s.csv --rulebook fide-2024 --date 2024-04-01 --format fide-txt",
          {"s.csv": 'id,name,rating,games\n1,"Alder, Ann",1900,40\n'}, mended={
          "s.csv": 'id,name,rating,games,ids.fide\n1,"Alder, Ann",1900,40,4100001\n'}),
    Files("list.other-rulebook", "list s.json --rulebook iccf-2009 --date 2024-04-01", {
          "s.json": json.dumps({"rulebook": "fide-2024", "players": [{"id": "1", "after": 1900,
          "standing": {"rating": 1900, "games": 40}}]})}, "--rulebook fide-2024"),
    Files("history.no-id", "history a.json --rulebook fide-2024 --out h --id fide", {
          "a.json": ANN.replace(', "ids": {"fide": "4100002"}', "")}, "--id name"),
    Files("history.which-id", "history t.csv --rulebook fide-2024 --out h", {"t.csv":
          "Event,Start,White,Black,Result\nA,2024-03-02,Alder,Birch,1-0\n"}, "--id name"),
)  # fmt: skip


SAID_OTHERWISE = {
    "iccf.rating-or-level",
    "iccf.reported-early",
    "uscf.dual-rated",
}
"""Codes whose remedies name keys, and that are followed in tests of their own."""


def test_what_rule_books_name_is_followed() -> None:
    followed = {each.code for each in (*CASES, *FILES)} | SAID_OTHERWISE
    naming = {
        one.code
        for one in ALL
        if one.file.startswith("rules/")
        and re.search(r'--[a-z]|"[a-z_]+"|`[a-z_]+`|\bset [a-z_]+|[a-z]_[a-z]', one.remedy)
    }
    assert naming <= followed, naming - followed


def told_of(files: Files, folder: Path, run: Any, *, followed: bool) -> tuple[bool, int]:
    """Whether the finding is told, and the status of the command."""
    folder.mkdir()
    held = {**files.wrong, **(files.mended if followed else {})}
    for name, text in held.items():
        if text == "cp1252":
            (folder / name).write_bytes(REPORT.replace("Player 1", "Jürg").encode("cp1252"))
        else:
            (folder / name).write_text(text, "utf-8")
    words, more = files.command.split(), files.option.split() if followed else []
    if more and more[0] != "--column" and more[0] in words:
        first = words.index(more[0])
        del words[first : first + 2]
    words += more
    done = run(*(folder / word if word in held or word == "h" else word for word in words))
    return f"[{files.code}]" in done.err, done.status


@pytest.mark.parametrize("files", FILES, ids=[f"{n}-{each.code}" for n, each in enumerate(FILES)])
def test_a_remedy_about_files_mends_them(files: Files, run: Any, tmp_path: Path) -> None:
    assert told_of(files, tmp_path / "wrong", run, followed=False)[0]
    assert told_of(files, tmp_path / "mended", run, followed=True) == (False, 0)
