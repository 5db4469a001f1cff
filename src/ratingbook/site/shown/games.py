"""The games of a person that published runs rated, with the corrections that hold."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db import connection

from ratingbook.model import Game, GameStatus, Result
from ratingbook.office.logic.feeding import fixed
from ratingbook.office.store import models as m
from ratingbook.site.shown.events import EventNamed, day_of, event_named
from ratingbook.site.shown.kept import by_ledger
from ratingbook.site.shown.persons import Identity
from ratingbook.site.shown.pools import Published

_RESULTS = {0: Result.BLACK_WINS, 1: Result.DRAW, 2: Result.WHITE_WINS, None: Result.NONE}
NOT_RATED = (GameStatus.FORFEIT, GameStatus.CANCELLED, GameStatus.BYE)
"""Not even where a report says so."""


@dataclass(frozen=True)
class GameOf:
    """A game as the office has it, with the corrections that hold; players are persons."""

    event_id: str
    section: str
    named: EventNamed
    end: date | None
    round: int | None
    white: int
    black: int
    half: int | None
    status: str
    rated: str
    handicap: int

    def game(self) -> Game:
        """As the engine has it."""
        return Game(
            str(self.white), str(self.black), _RESULTS[self.half], status=GameStatus(self.status),
            round=self.round, event=self.event_id, handicap=self.handicap,
        )  # fmt: skip

    def is_rated_for(self, person: int) -> bool:
        """Whether it was to be rated for one of its players."""
        side = "white" if person == self.white else "black"
        return self.rated in ("both", side) and GameStatus(self.status) not in NOT_RATED

    def met_by(self, person: int) -> tuple[int, int | None]:
        """Whom one of its players met, and with how many half points."""
        if person == self.white:
            return self.black, self.half
        return self.white, None if self.half is None else 2 - self.half


_GAMES = """
SELECT r.run_id AS run, s.event, s.name AS section, s.start, s."end", s.facts,
  v.report_id AS report, g."end" AS day, g.round,
  {white}.person_id AS white, {black}.person_id AS black, g.half_points AS half, g.status, g.rated,
  g.handicap, g.stable_key, g.number
FROM office_link mine
JOIN office_game g ON g.{side}_id = mine.entry_id
JOIN office_link other ON other.entry_id = g.{against}_id AND other.revoked_by IS NULL
JOIN office_section s ON s.id = g.section_id
JOIN office_reportversion v ON v.id = s.version_id
JOIN office_runsection r ON r.section = s.id AND r.run_id IN ({runs})
WHERE mine.person_id IN ({people}) AND mine.revoked_by IS NULL AND s.event IN ({events})
"""
"""The games of a person with one colour."""


def games_of(
    pools: Collection[Published], events: Collection[str], who: Identity
) -> dict[int, list[GameOf]]:
    """The games of a person in some events, by the run that rated them, in their order."""
    found: dict[int, list[GameOf]] = {one.run.id: [] for one in pools}
    if not events or not pools:
        return found
    people, merged = who.numbers, who.merged
    query = " UNION ALL ".join(
        _GAMES.format(
            side=side, against=against, **{side: "mine", against: "other"}, runs=_places(pools),
            events=_places(events), people=_places(people),
        )
        for side, against in (("white", "black"), ("black", "white"))
    )  # fmt: skip
    with connection.cursor() as cursor:
        cursor.execute(query, [*sorted(found), *people, *sorted(events)] * 2)
        columns = [each[0] for each in cursor.description]
        rows = [dict(zip(columns, row, strict=True)) for row in cursor.fetchall()]
    rows.sort(key=lambda row: (row["end"] or date.min, row["event"], row["round"] or 0,
                               row["number"]))  # fmt: skip
    upto = {one.run.id: one.run.upto for one in pools}
    fixes: dict[str, list[tuple[int, Mapping[str, Any]]]] = {}
    if keys := fixed_games() & {row["stable_key"] for row in rows}:
        held = m.GameFix.objects.filter(stable_key__in=keys, revoked_by__isnull=True)
        held = held.order_by("fact", "id")
        for key, fact, said in held.values_list("stable_key", "fact", "said"):
            fixes.setdefault(key, []).append((fact, said))
    for row in rows:
        for fact, said in fixes.get(row["stable_key"], ()):
            if fact <= upto[row["run"]]:
                row.update(fixed(row, said))
        white, black = (merged.get(row[side], row[side]) for side in ("white", "black"))
        found[row["run"]].append(
            GameOf(
                event_id=row["event"], section=row["section"] or "",
                named=event_named(row["report"], row), end=day_of(row["day"]), round=row["round"],
                white=white, black=black, half=row["half"], status=row["status"],
                rated=row["rated"], handicap=row["handicap"],
            )
        )  # fmt: skip
    return found


@by_ledger
def fixed_games() -> frozenset[str]:
    """The stable keys of games of which something else holds than their reports say; few are."""
    fixes = m.GameFix.objects.filter(revoked_by__isnull=True)
    return frozenset(fixes.values_list("stable_key", flat=True))


def _places(values: Collection[object]) -> str:
    return ", ".join(["%s"] * len(values))
