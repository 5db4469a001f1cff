"""The report of an event as the office has it now: corrected, with published numbers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from functools import cache
from operator import itemgetter
from typing import Any, NamedTuple

from django.db.models import Exists, F, OuterRef, Subquery
from django.utils.translation import gettext as _

from ratingbook.desk.cross_table import CrossTable, Line, Meeting, cross_tables
from ratingbook.engine.rate import RatedRow
from ratingbook.formats.document.read import report_from
from ratingbook.model import (
    Colour,
    Entry,
    Game,
    Report,
    Standing,
    StandingStatus,
)
from ratingbook.office.acts import explain, states
from ratingbook.office.acts.people import names_of
from ratingbook.office.engine.rules import standing_fields
from ratingbook.office.home import current
from ratingbook.office.intake import numbered, with_fixes
from ratingbook.office.refused import refuse
from ratingbook.office.store import models as m
from ratingbook.rules.book import Row
from ratingbook.site.shown.as_rated import Fixes, is_any_fixed, kept_sections, moved_sections
from ratingbook.site.shown.counted import Batch, Side, counted_games, ledger_numbers
from ratingbook.site.shown.opposition import (
    Opposition,
    begins_with,
    lists_tell,
    opposition,
    reads_others,
)
from ratingbook.site.shown.parts import Parts
from ratingbook.site.shown.persons import merged_at
from ratingbook.site.shown.pools import (
    Published,
    expected_of,
    in_force_of,
    published,
    published_until,
)

_Numbers = tuple[float | None, float | None, int, float, float | None]
"""Before, after, games, score, and the expected score."""


@dataclass(frozen=True, slots=True)
class OfBatch:
    """What a batch made of somebody who has games there."""

    key: str
    before: float | None
    after: float | None
    is_published: bool
    """Else the rules do not publish the rating yet."""


@dataclass(frozen=True)
class Rows:
    """What is read of an event at once."""

    version: m.ReportVersion
    received: datetime
    """When the version came."""
    sections: Sequence[m.Section]
    runs: Mapping[int, Published]
    """By section: the pool that has rated it."""
    key: str
    """Of the event of the report."""
    before: m.ReportVersion | None
    """The version that was published before this one."""


def has_page(report: str) -> Exists:
    """Whether of the report of that field something is published, or was: else it has no page."""
    out = states.let_out().filter(section=OuterRef("id"))
    return Exists(m.Section.objects.filter(Exists(out), version__report=OuterRef(report)))


def rows_of(report: int) -> tuple[Rows, ...]:
    """The versions of which sections are published, or the one that was last; the newest last.

    There are several where a correction of a section went on a list: it stays as it was rated.
    What never was published is nothing for the public.
    """
    sections = list(
        m.Section.objects.filter(version__report=report)
        .select_related("version__report")
        .annotate(
            received=Subquery(m.Fact.objects.filter(seq=OuterRef("version__fact")).values("at"))
        )
        .order_by("version__number", "id")
    )
    in_force = {each.run.id: each for each in published().values()}
    # The runs of after are the newer ones.
    every = dict(
        states.let_out()
        .filter(section__in=[each.id for each in sections])
        .order_by("run__publication__fact")
        .values_list("section", "run")
    )
    fed = {section: run for section, run in every.items() if run in in_force}
    were = [each for each in sections if each.id in (fed or every)]
    if not were:
        raise refuse(
            "office.no-event", _("There is no event {n}.").format(n=report), _("Look for its name.")
        )
    runs = {n: in_force[run] for n, run in fed.items()}
    for each in sections:
        _move(each, moved_sections([runs[each.id]]) if each.id in runs else {})
    versions = {each.version_id: each for each in (were if fed else were[-1:])}
    out = [each.version for each in sections if each.id in every]
    return tuple(
        _rows(
            last, [each for each in sections if each.version_id == version], runs,
            [each for each in out if each.number < last.version.number],
        )
        for version, last in versions.items()
    )  # fmt: skip


def _rows(
    one: m.Section, own: Sequence[m.Section], runs: Mapping[int, Published],
    older: Sequence[m.ReportVersion],
) -> Rows:  # fmt: skip
    """The version of a section, with its own sections and the versions that were out before."""
    version: Any = one
    rated = {each.id: runs[each.id] for each in own if each.id in runs}
    before = older[-1] if older else None
    return Rows(one.version, version.received, own, rated, one.version.report.event_key, before)


def _move(section: m.Section, days: Mapping[int, int]) -> None:
    """Bring a section to the days by which it was rated."""
    by = timedelta(days=days.get(section.id, 0))
    section.start = section.start and section.start + by
    section.end = section.end and section.end + by


def tables_in_force(
    versions: Sequence[tuple[Rows, dict[str, Any]]],
) -> list[tuple[CrossTable, Rated]]:
    """The cross tables of a report: of each section that of the version by which it is rated.

    In the order of the newest version, with what only earlier ones have behind it.
    """
    *earlier, newest = [
        {_called(table): (table, rated) for table, rated in tables_of(rows, document)}
        for rows, document in versions
    ]
    found = dict(newest)
    for (rows, _document), tables in zip(versions, earlier, strict=False):
        parts = Parts([each for each in rows.sections if each.id in rows.runs], rows.key)
        found |= {called: each for called, each in tables.items() if parts.has(*called)}
    return list(found.values())


def _called(table: CrossTable) -> tuple[str, str | None]:
    """What tells a section from the others of its report."""
    return table.section or "", table.event


def tables_of(rows: Rows, document: dict[str, Any]) -> list[tuple[CrossTable, Rated]]:
    """The cross tables of the report with the numbers that are published."""
    one = next(iter(rows.runs.values()))
    try:
        report = report_from(document, standing_fields(one.rules))
    except ValueError:
        return []
    # A run that knows of no merge yet has each of the persons under the own number.
    merged = merged_at(one.run.upto)
    kept = kept_sections(rows.runs.values())
    said = _linked(rows, kept)
    links, names = dict[str, int](), dict[int, str]()
    for number, person, text in said:
        links[number] = merged.get(person, person)
        names.setdefault(links[number], text)
    others = {merged[person] for _, person, _ in said if person in merged}
    names |= names_of(others) if others else {}
    report = _as_rated(report, rows, links, names, kept)
    batches = _batches(rows)
    changes = _changes(batches.all, set(links.values()))
    until = published_until(rows.runs.values(), links.values())
    hidden = {
        (batch, person)
        for (batch, person), change in changes.items()
        if change.day > until.get((batch[0], person), date.max)
    }
    found = []
    grades = {entry.id: entry.grade for entry in report.entries if entry.grade}
    parts = Parts([each for each in rows.sections if each.id in rows.runs], rows.key)
    several, sides = len(parts.all) > 1, list[Side]()
    for entry in report.entries:
        for section in parts.all:
            for batch in batches.of_section[section.id]:
                person = links.get(entry.id, 0)
                if (batch, person) in changes:
                    sides.append(Side(entry.id, person, batch, changes[batch, person][2]))
    pools = {
        batch: rows.runs[number] for number, some in batches.of_section.items() for batch in some
    }  # fmt: skip
    batch_of = batches.of_games(report)
    replaced = [each for each in report.games if each.white_for or each.black_for]
    if replaced and not m.Substitution.objects.filter(version=rows.version.id).exists():
        # It came before this was kept: they are rated for who played.
        replaced = []
    games = counted_games(
        report, parts, pools, batch_of, links, dict.fromkeys(sides), set(map(id, replaced))
    )  # fmt: skip
    played = _played(report, parts, batch_of)
    calls = cache(lambda: ledger_numbers(report, parts))
    where = {
        id(game): parts.of(part.name, game.event).id
        for part in report.sections() for game in part.games
    }  # fmt: skip
    rated_rows: dict[int, list[RatedRow]] = {each.id: [] for each in parts.all}
    made = dict[tuple[int, str], Sequence[OfBatch]]()
    for entry in report.entries:
        for section in parts.all:
            of, person = rows.runs[section.id], links.get(entry.id, 0)
            own = batches.of_entry(section, entry.id, played)
            own = [each for each in own if (each, person) in changes]
            counted = {
                each: [x for x in games[each, entry.id] if where[id(x)] == section.id]
                for each in own
            }
            # Where days take the games, a list that rated none of these is that of other events.
            own = [each for each in own if counted[each]] or own[-1:]
            if not own:
                continue
            numbers = _numbers(of, person, {each: changes[each, person] for each in own})
            of_batches = [
                _of_batch(of, each, changes[each, person], is_hidden=(each, person) in hidden)
                for each in own
            ]
            is_published = of_batches[-1].is_published
            if not is_published:
                numbers = (of_batches[0].before, None, *numbers[2:4], None)
            made[section.id, entry.id] = of_batches
            rated_rows[section.id].append(_rated_row(
                entry, section.name or None if several else None, numbers,
                [x for each in own for x in counted[each]], is_published=is_published,
            ))  # fmt: skip
    for layer in parts.layers():
        own_rows = [row for section in layer for row in rated_rows[section.id]]
        for place, each in enumerate(cross_tables(report, own_rows)):
            section = parts.of(each.section, each.event)
            if section not in layer:
                continue
            rated = Rated(
                section, rows.runs[section.id], batches.of_section[section.id],
                {entry: of for (number, entry), of in made.items() if number == section.id},
                links, grades, calls,
                _newest_run(rows.runs[section.id], changes, batches.of_section[section.id]),
            )  # fmt: skip
            found.append((place, each, rated))
    return [(each, rated) for _, each, rated in sorted(found, key=itemgetter(0))]


def _of_batch(of: Published, batch: Batch, change: _Change, *, is_hidden: bool) -> OfBatch:
    """What is told of a change: nothing but that there is one, where no rating is published."""
    before, after = (
        None if is_hidden else of.rounded(each, change.day)
        for each in (change.before, change.after)
    )
    return OfBatch(batch[1], before, after, is_published=not is_hidden)


def _newest_run(
    of: Published, changes: Mapping[tuple[Batch, int], _Change], batches: Iterable[Batch]
) -> int:
    """The run in which the newest numbers of some batches came."""
    own = [each for (batch, _), each in changes.items() if batch in set(batches)]
    return max(own, key=lambda each: each.seq).run if own else of.run.id


def _numbers(of: Published, person: int, changes: Mapping[Batch, _Change]) -> _Numbers:
    """From the first of some batches to the last one; expected is nothing where one has nothing."""
    rows = list(changes.values())
    known = expected_of(of, person, [key for _, key in changes])
    before, after = of.rounded(rows[0][0], rows[0][4]), of.rounded(rows[-1][1], rows[-1][4])
    expected = sum(known.values()) if len(known) == len(rows) else None
    return before, after, sum(row[2] for row in rows), sum(row[3] for row in rows), expected


@dataclass(frozen=True)
class Rated:
    """A section of a cross table: by what it was rated, in which batches, who its entries are."""

    section: m.Section
    by: Published
    batches: Sequence[Batch]
    """The first one first; there are several only where games are rated by their own days."""
    made: Mapping[str, Sequence[OfBatch]]
    """By entry what the batches made of it that rated its games, the first one first."""
    links: Mapping[str, int]
    grades: Mapping[str, str]
    """That entries declare."""
    calls: Callable[[], Mapping[int, int]]
    """What the ledger calls games, by their ``id``: the run is asked about them so."""
    run: int
    """In which the newest of the numbers came: later runs have left them as they are."""
    _ratings: dict[str, float | None] = field(default_factory=dict, repr=False)

    def oppositions(self, lines: Iterable[Line]) -> list[Opposition]:
        """Whom the entries of some lines met in rated games."""
        lines = list(lines)
        games = [[each for cell in line.cells for each in cell if each.rated and each.game]
                 for line in lines]  # fmt: skip
        numbers = [[self._rating_of_opponent(each) for each in some] for some in games]
        day = self.section.end
        unsure = [
            at for at, line in enumerate(lines)
            if line.rated and games[at]
            and not lists_tell(self.by, day, [line.rated.row.before, *numbers[at]])
        ]  # fmt: skip
        of_run = self._numbers_of_run([lines[at] for at in unsure]) if unsure else {}
        calls = self.calls() if unsure else {}
        for at in unsure:
            person = self.links[lines[at].entry.id]
            numbers[at] = [of_run.get((person, calls.get(id(each.game)))) for each in games[at]]
        return [
            opposition(self.by, day, zip(some, (each.half_points for each in own), strict=True))
            for some, own in zip(numbers, games, strict=True)
        ]

    def begun(self, lines: Iterable[Line]) -> dict[str, float]:
        """With what those of some lines began who had no rating, where the rules say with what.

        Of a first rating that is reckoned from the games alone nothing is expected.
        """
        if not reads_others(self.by):
            return {}
        new = [
            each.entry.id for each in lines
            if each.rated and each.rated.row.before is None and each.rated.row.expected is not None
            and each.rated.row.published
        ]  # fmt: skip
        found: dict[str, float] = {}
        for key in sorted({self.made[each][0].key for each in new}):
            own = {each: self.links[each] for each in new if self.made[each][0].key == key}
            numbers = explain.begun(current(), self.by.run, own.values(), key)
            found |= {each: numbers[person] for each, person in own.items() if person in numbers}
        return found

    def _numbers_of_run(
        self, lines: Iterable[Line]
    ) -> Mapping[tuple[int, int | None], float | None]:
        """With what the opponents of some lines counted, by player and game of the ledger."""
        people = {self.links[each.entry.id] for each in lines}
        found: dict[tuple[int, int | None], float | None] = {}
        for key in (batch[1] for batch in self.batches):
            for person, games in explain.counted(current(), self.by.run, people, key).items():
                found |= {(person, game): number for game, number in games.items()}
        return found

    def _rating_of_opponent(self, meeting: Meeting) -> float | None:
        """With what the opponent was rated in the event."""
        assert meeting.game is not None
        game, is_white = meeting.game, meeting.colour is Colour.WHITE
        return self._begins((game.black if is_white else game.white) or "")

    def _begins(self, entry: str) -> float | None:
        """With what an entry was rated in the event."""
        if entry not in self._ratings:
            person, day = self.links.get(entry), self.section.end
            own = self.made.get(entry)
            self._ratings[entry] = begins_with(
                self.by,
                day,
                self.grades.get(entry),
                self.rating_of(entry),
                (person, own[0].key) if person is not None and own else None,
            )
        return self._ratings[entry]

    def rating_of(self, entry: str) -> float | None:
        """With what an entry went into the event, if that is a rating."""
        person, start = self.links.get(entry), self.section.start or self.section.end
        if person is None:
            return None
        return in_force_of(self.by, person, self.batches[0][1], start)


@dataclass(frozen=True)
class _Batches:
    """In which batches sections were rated, each by pool and key: a list, a section, an event."""

    of_section: Mapping[int, Sequence[Batch]]
    of_number: Mapping[int, Batch]
    """Of games by their own days, by their numbers in the version."""

    @property
    def all(self) -> set[Batch]:
        """All of them."""
        return {batch for some in self.of_section.values() for batch in some}

    def of_entry(
        self, section: m.Section, entry: str, played: Collection[tuple[int, Batch, str]]
    ) -> Sequence[Batch]:
        """Those that took games of an entry of a section; all where that is none of several."""
        every = self.of_section[section.id]
        own = [each for each in every if (section.id, each, entry) in played]
        return own if len(every) > 1 and own else every

    def of_games(self, report: Report) -> Callable[[m.Section, Game], Batch]:
        """What tells in which batch a game of a section was rated."""
        own = {
            id(game): self.of_number[number] for number, game in numbered(report)
            if number in self.of_number
        } if self.of_number else {}  # fmt: skip
        return lambda section, game: own.get(id(game)) or self.of_section[section.id][0]


def _played(
    report: Report, parts: Parts, batch_of: Callable[[m.Section, Game], Batch],
) -> set[tuple[int, Batch, str]]:  # fmt: skip
    """Which entries of which sections have games in which batches."""
    found = set()
    for part in report.sections():
        for game in part.games:
            section = parts.of(part.name, game.event)
            batch = batch_of(section, game)
            seats = (game.white, game.black, game.white_for, game.black_for)
            found |= {(section.id, batch, each) for each in seats if each}
    return found


def _batches(rows: Rows) -> _Batches:
    own = [(each, rows.runs[each.id]) for each in rows.sections if each.id in rows.runs]
    named = {f"{each.event}#{each.name}" for each, one in own if each.name and not one.by_lists}
    known = set[tuple[int, str]]()
    if named:
        batches = m.Batch.objects.filter(key__in=sorted(named))
        known = set(batches.values_list("pool", "key"))
    found: dict[int, Sequence[Batch]] = {}
    of_number: dict[int, Batch] = {}
    for each, one in own:
        pool, key = one.pool.id, f"{each.event}#{each.name}"
        if one.by_game:
            is_of_a_day = each.end is not None and each.start in (None, each.end)
            of_games = {} if is_of_a_day and not one.by_report else _of_games(each, one)
            of_number |= of_games
            key = one.batch_of(each.end, None) if each.end else ""
            found[each.id] = sorted(set(of_games.values())) or [(pool, key)]
            continue
        if one.by_lists:
            key = str(one.list_of(each.end)) if each.end else ""
        elif (pool, key) not in known:
            key = each.event
        found[each.id] = [(pool, key)]
    return _Batches(found, of_number)


def _of_games(section: m.Section, one: Published) -> dict[int, Batch]:
    """The batches of the games of a section, each by its own days, by their numbers."""
    by = timedelta(days=moved_sections([one]).get(section.id, 0))
    days = m.Game.objects.filter(section=section.id).values_list("number", "end", "reported")
    return {
        number: (one.pool.id, one.batch_of(end + by, reported)) for number, end, reported in days
    }


class _Change(NamedTuple):
    """What is published of somebody in a batch."""

    before: float | None
    after: float | None
    games: int
    score: float
    day: date
    seq: int
    """Of the publication in which it came."""
    run: int


def _changes(batches: Iterable[Batch], people: Iterable[int]) -> dict[tuple[Batch, int], _Change]:
    """By batch and person what is published."""
    wanted = sorted(batches)
    found: dict[tuple[Batch, int], dict[int, tuple[Any, ...]]] = {}
    rows = (
        m.Change.objects.filter(
            batch__pool__in=sorted({pool for pool, _ in wanted}),
            batch__key__in=sorted({key for _, key in wanted}),
            run__publication__seq__lte=F("batch__pool__head"), person__in=sorted(set(people)),
        )
        .order_by("turn", "run__publication__seq")
        .values_list("batch__pool", "batch__key", "person", "turn", "before", "after", "games",
                     "score", m.RATED_ON, "run__publication__seq", "run", "gone")
    )  # fmt: skip
    for pool, key, person, turn, *numbers in rows:
        found.setdefault(((pool, key), person), {})[turn] = tuple(numbers)
    said = {}
    for at, turns in found.items():
        hold = [numbers for numbers in turns.values() if not numbers[-1]]
        if hold:
            games, score = sum(n[2] for n in hold), sum(n[3] for n in hold)
            newest = max(hold, key=lambda n: n[5])
            said[at] = _Change(hold[0][0], hold[-1][1], games, score, hold[-1][4], *newest[5:7])
    return said


def _rated_row(
    entry: Entry, section: str | None, numbers: _Numbers, counted: Sequence[Game], *,
    is_published: bool,
) -> RatedRow:  # fmt: skip
    before, after, games, score, expected = numbers
    made = Row(
        id=entry.id, name=entry.name, section=section, before=before, after=after, exact=after,
        games=games, score=score, expected=expected, status=StandingStatus.ESTABLISHED,
        published=is_published, standing=Standing(after),
    )  # fmt: skip
    return RatedRow(made, counted=tuple(counted))


def _linked(rows: Rows, kept: Mapping[int, int]) -> list[tuple[str, int, str]]:
    """Entries, who they were when they were rated, and their names.

    An entry of whom nothing was known then is who it is now: it has no numbers.
    """
    links = m.Link.objects.filter(
        entry__version=rows.version.id, person__personname__kind="main",
        person__personname__revoked_by__isnull=True,
    ).order_by("id")  # fmt: skip
    then = min(kept.get(number, one.run.upto) for number, one in rows.runs.items())
    found: dict[str, tuple[str, int, str]] = {}
    for entry, person, text, fact, revoked in links.values_list(
        "entry__number", "person", "person__personname__text", "fact", "revoked_by"
    ):
        held = fact <= then and (revoked is None or revoked > then)
        if held or (revoked is None and entry not in found):
            found[entry] = (entry, person, text)
    return list(found.values())


def _as_rated(
    report: Report, rows: Rows, links: Mapping[str, int], names: Mapping[int, str],
    kept: Mapping[int, int],
) -> Report:  # fmt: skip
    """The report as it was rated, and everybody by the name that the office has."""
    known = {entry: names.get(person) for entry, person in links.items()}
    entries = tuple(
        replace(entry, name=name)
        if (name := known.get(entry.id, entry.name)) not in (None, entry.name) else entry
        for entry in report.entries
    )  # fmt: skip
    # Who has which side is known by what the report calls them.
    return replace(with_fixes(report, _fixes_of(rows, kept)), entries=entries)


def _fixes_of(rows: Rows, kept: Mapping[int, int]) -> dict[int, list[Mapping[str, Any]]]:
    """What held of games besides what the report says when they were rated, by their numbers."""
    if not is_any_fixed():
        return {}
    games = list(m.Game.of(rows.version.id).values_list("number", "stable_key", "section"))
    fixes = Fixes()
    then = {**{each: one.run.upto for each, one in rows.runs.items()}, **kept}
    return {
        number: said for number, key, section in games
        if (said := fixes.of(key, then.get(section, 0)))
    }  # fmt: skip
