"""Anomalies in the games of a pool, by what its own rule book expects; none decides anything."""

from __future__ import annotations

import bisect
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any, NamedTuple, Protocol

from django.db.models import Q

from ratingbook.model import Findings, Severity
from ratingbook.model.sentences import row_of, sentence, stated
from ratingbook.office.acts.people import merges, names_of, portions
from ratingbook.office.acts.published import head_run, history_of, ratings_now, table_of
from ratingbook.office.acts.setup import pool_named, rules_of
from ratingbook.office.acts.snapshots import raw_of
from ratingbook.office.acts.states import ASIDE, document_in, states
from ratingbook.office.engine.rules import Rules, expected_score
from ratingbook.office.home import Home
from ratingbook.office.logic.anomalies import LOOKS, USUAL, Anomaly, Levels, Played, look
from ratingbook.office.store import ledger
from ratingbook.office.store import models as m

HALF_A_YEAR = timedelta(days=183)
_STEP = 5.0
"""Ratings are taken to so many points: what is expected hardly differs."""


def anomalies(
    home: Home,
    pool_name: str,
    since: date | None = None,
    report: int | None = None,
    levels: Levels = USUAL,
) -> list[dict[str, Any]]:
    """What is improbable or looks arranged in a pool; of one report, or since a day."""
    pool = pool_named(pool_name)
    games = played(home, pool)
    events = None
    if report is not None:
        events = set(
            m.Section.objects.filter(version__report=report).values_list("event", flat=True)
        )
    days = {g.game: g.day for g in games}
    found = [
        each for each in look(games, levels)
        if (since is None or max(days[g] for g in each.games) >= since)
        and (events is None or events & set(each.events))
    ]  # fmt: skip
    names = names_of(person for each in found for person in each.persons)
    return [_said(each, names) for each in found]


_AT_INTAKE = ("improbable", "losses before wins", "one pair", "near a limit", "two places")
"""What is looked at when a report is received: that it was sent twice is seen anyhow, and a closed
group shows only in the games of a whole year of everybody."""


def at_intake(version: int, levels: Levels = USUAL) -> Findings:
    """What looks odd in a report before it is rated, beside the last games of its people."""
    findings = Findings()
    sections = m.Section.objects.filter(version=version, pool__isnull=False, end__isnull=False)
    for pool in m.Pool.objects.filter(id__in=sections.values("pool"), head__gt=0).order_by("id"):
        own = {_event(each.event, each.name) for each in sections.filter(pool=pool.id)}
        games = _lately(pool, version)
        found = [
            each for kind in _AT_INTAKE for each in LOOKS[kind](games, levels)
            if own & set(each.events)
        ]  # fmt: skip
        names = names_of(person for each in found for person in each.persons)
        for each in found:
            who = row_of((f"{names.get(p, '')} ({p})" for p in each.persons), " – ")
            findings.add(
                Severity.WARNING, "office.anomaly",
                sentence(
                    "{kind}: {who}: {reasons}.", kind=stated(each.kind), who=who,
                    reasons=row_of(each.reasons, "; "),
                ),
                remedy="It decides nothing. `ratingbook office anomalies --report REPORT` shows "
                "the games; `ratingbook office hold REPORT` waits with them.",
            )  # fmt: skip
    return findings


def _event(event: str, section: str) -> str:
    return f"{event}#{section}".rstrip("#")


def _lately(pool: m.Pool, version: int) -> list[Played]:
    """The halves of a report's people in its games, and in those of the months before it."""
    merged = merges(ledger.head().seq)
    live = m.Link.objects.filter(revoked_by__isnull=True)
    people = set(live.filter(entry__version=version).values_list("person", flat=True))
    sections = m.Section.objects.filter(version=version)
    ends = [end for end in sections.values_list("end", flat=True) if end is not None]
    since = min(min(ends).replace(month=1, day=1), min(ends) - HALF_A_YEAR)
    entries = [
        entry for some in portions(sorted(people))
        for entry in live.filter(person__in=some).values_list("entry", flat=True)
    ]  # fmt: skip
    games: dict[int, m.Game] = {}
    chosen = m.Game.objects.filter(end__gte=since, end__lte=max(ends), section__pool=pool.id)
    for some in portions(sorted(entries)):
        for one in chosen.filter(Q(white__in=some) | Q(black__in=some)).select_related("section"):
            games[one.id] = one
    aside = {n for n, s in states({g.section_id for g in games.values()}).items() if s in ASIDE}
    both = {entry for g in games.values() for entry in (g.white_id, g.black_id)}
    who = {
        entry: merged.get(person, person) for some in portions(sorted(both))
        for entry, person in live.filter(entry__in=some).values_list("entry", "person")
    }  # fmt: skip
    ratings, rules = _Published(pool), rules_of(pool)
    places = _places(sorted({g.section_id for g in games.values()}))
    mine = {merged.get(person, person) for person in people}
    found: list[Played] = []
    for one in sorted(games.values(), key=lambda g: g.id):
        if one.half_points is None or one.status == "forfeit" or one.section_id in aside:
            continue
        if one.white_id in who and one.black_id in who:
            game = _Half(
                one.id, who[one.white_id], who[one.black_id], one.half_points / 2, one.end,
                _event(one.section.event, one.section.name), places.get(one.section_id, ""),
            )  # fmt: skip
            found += [half for half in _halves(game, rules, ratings) if half.person in mine]
    return found


def _said(one: Anomaly, names: dict[int, str]) -> dict[str, Any]:
    shown = m.Game.objects.filter(id__in=one.games[:50]).values_list("version__report", "number")
    return {
        "kind": one.kind, "persons": list(one.persons),
        "names": [names.get(each, "") for each in one.persons], "events": list(one.events),
        "reasons": list(one.reasons), "probability": one.probability,
        "games": [f"{report}:{number}" for report, number in shown],
    }  # fmt: skip


def played(home: Home, pool: m.Pool) -> list[Played]:
    """All halves of games of a pool with what was expected of them."""
    upto = ledger.head().seq
    raw = raw_of(home, pool.id, upto)
    merged = merges(upto)
    rules = rules_of(pool)
    ratings = _Ratings(home, pool)
    places = _places(raw.sections["number"].to_pylist())
    found: list[Played] = []
    for row in raw.games.to_pylist():
        if row["half"] is None or row["status"] == "forfeit":
            continue
        white, black = (merged.get(row[side], row[side]) for side in ("white", "black"))
        game = _Half(
            row["game"], white, black, row["half"] / 2, row["date"],
            _event(row["event"], row["section"]), places.get(row["number"], ""),
        )  # fmt: skip
        found += _halves(game, rules, ratings)
    return found


class _Half(NamedTuple):
    """A game as White played it."""

    game: int
    white: int
    black: int
    score: float
    day: date
    event: str
    place: str


class _Rated(Protocol):
    def before(self, person: int, day: date) -> float | None: ...


def _halves(game: _Half, rules: Rules, ratings: _Rated) -> Iterator[Played]:
    """A game for both, with what was expected of each."""
    both = [ratings.before(each, game.day) for each in (game.white, game.black)]
    expected = _expected(rules, game.day, both[0], both[1])
    for who, other, score, chance in (
        (game.white, game.black, game.score, expected),
        (game.black, game.white, 1 - game.score, None if expected is None else 1 - expected),
    ):
        yield Played(who, other, game.event, game.place, game.day, score, chance, game.game)


def _expected(rules: Rules, day: date, one: float | None, other: float | None) -> float | None:
    if one is None or other is None:
        return None
    return expected_score(
        rules, date(day.year, 1, 1), round(one / _STEP) * _STEP, round(other / _STEP) * _STEP
    )


class _Published:
    """What a few were rated before a day, as it is published now."""

    def __init__(self, pool: m.Pool) -> None:
        self._pool, self._now = pool, ratings_now(pool.id)
        self._rows: dict[int, list[dict[str, Any]]] = {}

    def before(self, person: int, day: date) -> float | None:
        """The rating with which a person went into a day."""
        if person not in self._rows:
            self._rows[person] = history_of(self._pool, person)
        rows = self._rows[person]
        earlier = [row["after"] for row in rows if row["day"] < day]
        if earlier:
            return float(earlier[-1]) if earlier[-1] is not None else None
        return rows[0]["before"] if rows else self._now.get(person)


class _Ratings:
    """What everybody was rated before a day, as it is published now."""

    def __init__(self, home: Home, pool: m.Pool) -> None:
        self._days: dict[int, list[date]] = {}
        self._values: dict[int, list[float | None]] = {}
        self._first: dict[int, float | None] = {}
        run = head_run(pool)
        if run is None:
            return
        table = table_of(home, run.file_id or "").sort_by([("date", "ascending"),
                                                           ("turn", "ascending")])  # fmt: skip
        columns = (table[name].to_pylist() for name in ("player", "date", "before", "after"))
        for player, day, before, after in zip(*columns, strict=True):
            person = int(player)
            self._first.setdefault(person, before)
            self._days.setdefault(person, []).append(day)
            self._values.setdefault(person, []).append(after)

    def before(self, person: int, day: date) -> float | None:
        """The rating with which a person went into a day."""
        place = bisect.bisect_left(self._days.get(person, []), day)
        return self._values[person][place - 1] if place else self._first.get(person)


def _places(sections: list[int]) -> dict[int, str]:
    """Where each section was played, as its report says."""
    versions: dict[int, str] = {}
    found = {}
    for some in portions(sections):
        rows = m.Section.objects.filter(id__in=some).select_related("version")
        for one in rows.iterator():
            if one.version_id not in versions:
                document = document_in(bytes(one.version.document))
                versions[one.version_id] = str((document.get("event") or {}).get("place") or "")
            found[one.id] = versions[one.version_id]
    return found
