"""What a report would give that nobody has sent yet: as the run rates it, by what is public."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ratingbook.office.acts.amendments import Tried, moves_of, tried
from ratingbook.office.acts.decisions import openings_held
from ratingbook.office.acts.setup import rules_of
from ratingbook.office.acts.snapshots import heard_at, raw_of, read
from ratingbook.office.engine.fed import Born
from ratingbook.office.engine.foreseen import Foreseen, foreseen
from ratingbook.office.engine.rating import batches_of_games
from ratingbook.office.engine.rules import Rules
from ratingbook.office.home import Home
from ratingbook.office.intake import Understood, beyond_in
from ratingbook.office.logic.feeding import (
    CONDITIONS,
    GAMES,
    GRADES,
    PEOPLE,
    SAID,
    SECTIONS,
    Raw,
    condition_of,
    feed,
    in_order,
    laid_out,
    persons_in,
)
from ratingbook.office.logic.fixes import fixed, told
from ratingbook.office.logic.printed import sides_of
from ratingbook.office.logic.stable import event_id
from ratingbook.office.store import ledger
from ratingbook.office.store import models as m

_BEHIND_ALL = 1 << 40
"""Numbers of sections and games that come behind all that the office has."""


def forecast(
    home: Home, run: m.Run | None, pool: m.Pool, found: Understood, people: Mapping[str, int],
    before: m.ReportVersion | None,
) -> dict[str, Foreseen]:  # fmt: skip
    """What a report would give its entries, in the place of the version ``before`` it.

    ``people`` says who they are, as far as that is known; the others are new. A run rates it in
    its own place, with what the published ``run`` rated. What others have sent and no run has
    published counts for nothing: that is nobody's to know before, whoever asks.
    """
    rules, upto = rules_of(pool), run.upto if run is not None else 0
    trial = tried(_instead_of(before), pool, rules, upto)
    raw = (
        read(pool.id, upto) if run is None
        else _rated_by(run, raw_of(home, pool.id, upto), trial, rules)
    )  # fmt: skip
    # What other pools have published since is public, too.
    raw = replace(raw, others=heard_at(home, pool.id, ledger.head().seq))
    in_pool = (
        persons_in(raw.games) | persons_in(raw.conditions) | set(raw.openings["person"].to_pylist())
    )
    # Nobody is who would get one of these numbers next.
    known = raw.people["person"].to_pylist()
    behind = max({*in_pool, *known, *people.values(), *trial.merged}, default=0)
    sheet = _Sheet(found, people, before, behind)
    # Whoever was brought in since comes in with that.
    new = sheet.known - in_pool
    come = openings_held(pool, new) if new else {}
    overlay = replace(
        trial.overlay, openings={**trial.overlay.openings, **come},
        days={**trial.overlay.days, **sheet.moves(upto)},
    )  # fmt: skip
    fed = feed(sheet.beside(raw), trial.merged, overlay)
    end = found.days[1] if found.days else None
    by_person = foreseen(fed, rules, sheet.events, sheet.births, end)
    return {
        entry: by_person[str(person)] for entry, person in sheet.persons.items()
        if str(person) in by_person
    }  # fmt: skip


def _rated_by(run: m.Run, raw: Raw, trial: Tried, rules: Rules) -> Raw:
    """What a run has rated of all that it was fed: no more than what was until its day.

    What is said of the events stays, since it places the games that were rated.
    """
    fed = feed(raw, trial.merged, trial.overlay)
    if fed.ledger is None or not len(fed.games):
        return raw
    _, days = batches_of_games(fed, rules)
    is_rated = [day <= run.until for day in days]
    rated = raw.games.filter(pc.is_in(raw.games["game"], value_set=fed.ledger.filter(is_rated)))
    told = pc.is_in(raw.said["number"], value_set=pc.unique(rated["number"]))
    return replace(raw, games=rated.combine_chunks(), said=raw.said.filter(told))


def _instead_of(before: m.ReportVersion | None) -> list[dict[str, Any]]:
    """The correction that takes out what was rated of a report."""
    if before is None:
        return []
    own = m.Section.objects.filter(version__report=before.report_id)
    return [{"kind": "withdraw", "sections": sorted(own.values_list("id", flat=True))}]


class _Sheet:
    """A report as the columns that are fed; who is new in it has a number ``behind`` all others."""

    def __init__(
        self, found: Understood, people: Mapping[str, int], before: m.ReportVersion | None,
        behind: int,
    ) -> None:  # fmt: skip
        self._found, self._before = found, before
        played = {each for some in found.played for each in some}
        self._entries = [each for each in found.entries if each.number in played]
        new = [each.number for each in self._entries if each.number not in people]
        known = {entry: who for entry, who in people.items() if entry in played}
        self.known = set(known.values())
        """Who plays of those whom the office knows."""
        self.persons = known | {entry: behind + at for at, entry in enumerate(new, 1)}
        """Who plays, by entry."""
        self._new = new
        self._key = before.report.event_key if before is not None else f"{found.key}~"
        self._numbers = range(_BEHIND_ALL, _BEHIND_ALL + len(found.sections))

    @property
    def events(self) -> list[str]:
        """The ids of its events."""
        return [event_id(self._key, each.event) for each in self._found.sections]

    def moves(self, upto: int) -> dict[int, int]:
        """By how many days corrections have moved its sections, as the version before had them."""
        if self._before is None:
            return {}
        known = moves_of(self._before.report_id, upto)
        found = {}
        for number, event, each in zip(
            self._numbers, self.events, self._found.sections, strict=True
        ):
            moved = known.get((event, each.name))
            if moved is not None and moved.reported == (each.start, each.end):
                found[number] = moved.by
        return found

    @property
    def births(self) -> dict[str, Born | None]:
        """When everybody in it was born, as it says itself."""
        return {
            str(self.persons[each.number]): each.birth_date or each.birth_year
            for each in self._entries
        }

    def beside(self, raw: Raw) -> Raw:
        """The columns of the office with these."""
        said, conditions = self._beyond()
        people = [
            (self.persons[each.number], each.birth_date, each.birth_year, each.printed.get("sex"))
            for each in self._entries if each.number in self._new
        ]  # fmt: skip
        sections = [
            (number, event, each.start, each.end, json.dumps(dict(each.facts)))
            for number, event, each in zip(
                self._numbers, self.events, self._found.sections, strict=True
            )
        ]
        graded = [each for each in self._entries if "grade" in each.printed]
        grades = [
            (number, self.persons[each.number], str(each.printed["grade"]))
            for number in self._numbers for each in graded
        ]  # fmt: skip
        games = laid_out(list(self._games()), GAMES)
        joined = raw.joined(
            Raw(
                in_order(games), PEOPLE.empty_table(), laid_out(sections, SECTIONS),
                laid_out(grades, GRADES), raw.openings, raw.decisions,
                laid_out(conditions, CONDITIONS), laid_out(said, SAID),
            )
        )  # fmt: skip
        everybody = pa.concat_tables([raw.people, laid_out(people, PEOPLE)])
        return replace(joined, people=everybody)

    def _games(self) -> Iterator[tuple[Any, ...]]:
        """The games as corrections of them say that hold, in the columns of what is fed."""
        games, events = self._found.games, self.events
        fixes = self._fixes()
        keys = self._found.stable_keys(self._key)
        entries = {each.number: each for each in self._found.entries}
        columns = zip(*games, keys, strict=True)
        for section, number, turn, white, black, half, status, rated, stones, *days, key in columns:
            start, end, reported = days
            row: dict[str, Any] = {
                "white": white, "black": black, "half": half, "rated": rated, "status": status,
            }  # fmt: skip
            if key in fixes:
                row = fixed(row, told(fixes[key], sides_of(entries[white], entries[black])))
            yield (
                _BEHIND_ALL + number, self._numbers[section], end, events[section],
                self._found.sections[section].name, turn, self.persons[row["white"]],
                self.persons[row["black"]], row["half"], row["status"], row["rated"], stones,
                start, reported,
            )  # fmt: skip

    def _fixes(self) -> dict[str, list[Mapping[str, Any]]]:
        """By the stable keys of the games what corrections say of them that hold."""
        found: dict[str, list[Mapping[str, Any]]] = {}
        if self._before is None:
            return found
        keys = list(self._found.stable_keys(self._key))
        fixes = m.GameFix.objects.filter(stable_key__in=keys, revoked_by__isnull=True)
        for key, said in fixes.order_by("fact", "id").values_list("stable_key", "said"):
            found.setdefault(key, []).append(said)
        return found

    def _beyond(self) -> tuple[list[tuple[Any, ...]], list[tuple[Any, ...]]]:
        """What it says of players and games beyond the rows."""
        if self._found.beyond is None:
            return [], []
        told, games = beyond_in(self._found.document), self._found.games
        conditions: list[tuple[Any, ...]] = []
        columns = zip(
            games.section, games.number, games.white, games.black, games.half_points, strict=True
        )
        for section, number, white, black, half in columns:
            each = told.games.get(number)
            if each is None:
                continue
            replaced = (each.white_for, each.black_for)
            conditions.append(
                (_BEHIND_ALL + number, self._numbers[section], self.persons[white],
                 self.persons[black], half, *condition_of(each),
                 *(self.persons.get(entry or "") for entry in replaced))
            )  # fmt: skip
        said = [
            (number, self.persons[entry], section.start, json.dumps(told.players[entry]))
            for number, section, played in zip(
                self._numbers, self._found.sections, self._found.played, strict=True
            )
            for entry in sorted(played) if entry in told.players
        ]  # fmt: skip
        return said, conditions
