"""Anomalies in the games of a pool, by what its own rule book expects; none decides anything."""

from __future__ import annotations

import bisect
import json
import zlib
from datetime import date
from typing import Any

from ratingbook.office.acts.people import merges, names_of
from ratingbook.office.acts.published import head_run, table_of
from ratingbook.office.acts.setup import pool_named, rules_of
from ratingbook.office.acts.snapshots import raw_of
from ratingbook.office.engine import Rules, expected_score
from ratingbook.office.home import Home
from ratingbook.office.logic.anomalies import USUAL, Anomaly, Levels, Played, look
from ratingbook.office.store import ledger
from ratingbook.office.store import models as m

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
    found = []
    for row in raw.games.to_pylist():
        if row["half"] is None or row["status"] == "forfeit":
            continue
        white, black = (merged.get(row[side], row[side]) for side in ("white", "black"))
        both = [ratings.before(each, row["date"]) for each in (white, black)]
        expected = _expected(rules, row["date"], both[0], both[1])
        for who, other, score, chance in (
            (white, black, row["half"] / 2, expected),
            (black, white, 1 - row["half"] / 2, None if expected is None else 1 - expected),
        ):
            found.append(
                Played(
                    who, other, f"{row['event']}#{row['section']}".rstrip("#"),
                    places.get(row["number"], ""), row["date"], score, chance, row["game"],
                )
            )  # fmt: skip
    return found


def _expected(rules: Rules, day: date, one: float | None, other: float | None) -> float | None:
    if one is None or other is None:
        return None
    return expected_score(
        rules, date(day.year, 1, 1), round(one / _STEP) * _STEP, round(other / _STEP) * _STEP
    )


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
    wanted = set(sections)
    versions: dict[int, str] = {}
    found = {}
    for one in m.Section.objects.select_related("version").iterator():
        if one.id not in wanted:
            continue
        if one.version_id not in versions:
            document = json.loads(zlib.decompress(bytes(one.version.document)))
            versions[one.version_id] = str(document["event"].get("place") or "")
        found[one.id] = versions[one.version_id]
    return found
