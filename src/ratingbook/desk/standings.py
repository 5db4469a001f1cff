"""Standings for a list: of files, several of them, or of a history on any day."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from ratingbook.desk.persons import (
    LOCAL,
    NAME,
    clean_id,
    home_register,
    name_key,
    named,
    one_person,
)
from ratingbook.desk.players import local_id
from ratingbook.desk.pool import Pool, open_pool
from ratingbook.engine.columns import columns_beside
from ratingbook.engine.left import is_pool
from ratingbook.formats.lists import looks_like_list
from ratingbook.formats.lists.kinds import federation_of
from ratingbook.formats.standings import read_standings
from ratingbook.model import Entry, Findings, Place, Severity, Standing, StandingStatus
from ratingbook.rules.listing import Member
from ratingbook.rules.series import BookOrSeries, default_pool

if TYPE_CHECKING:
    from ratingbook.engine.history.results import Results
    from ratingbook.engine.history.run import Changes, Run


@dataclass
class Standings:
    """Players with their standings, and whose ratings they are."""

    members: list[Member] = field(default_factory=list)
    rulebook: str | None = None
    """The edition or series that rated; None: nobody says."""
    federation: str | None = None
    """Whose list they come from, where it is one."""
    day: date | None = None
    """The last day with a change, of a history."""


def standings_in(
    paths: Sequence[Path],
    book: BookOrSeries | None,
    day: date | None,
    *,
    which: str | None = None,
    id_kind: str | None = None,
) -> tuple[Standings, Findings]:
    """The standings of several files: what an earlier one says of a person holds.

    ``which`` is the pool of histories of several; ``id_kind`` says what makes two entries one
    person, as everywhere.
    """
    findings = Findings()
    found = Standings()
    for number, path in enumerate(paths):
        one, more = _of(path, book, day, which)
        findings.extend(more.in_file(str(path)))
        if number == 0:
            found = one
            continue
        kind = id_kind or (home_register(book.federation) if book else None)
        keys = _Keys(kind, strict=id_kind is not None)
        found = _merged(found, one, keys, path, findings)
    return found, findings


def _of(
    path: Path, book: BookOrSeries | None, day: date | None, which: str | None
) -> tuple[Standings, Findings]:
    if is_pool(path):
        return standings_of_pool(open_pool(path), day, which)
    read = (book.standing_fields, columns_beside(book)) if book else ()
    members, rulebook, findings = read_standings(path, *read)
    return Standings(members, rulebook, federation_of(looks_like_list(path))), findings


def standings_of_pool(
    pool: Pool, day: date | None, which: str | None = None
) -> tuple[Standings, Findings]:
    """How everybody stands on a day: after all lists, or events, up to it.

    Of a history of several pools in ``which``; by default in that of who says nothing.
    """
    import numpy as np

    from ratingbook.engine.history.fit import check_history
    from ratingbook.engine.history.results import UNKNOWN, prints_results, results_of
    from ratingbook.rules.bulk import EPOCH, day_number

    findings = Findings()
    given = pool.history.given
    findings.extend(each for each in check_history(given, pool.book) if each.severity.refuses)
    if findings.refused:
        return Standings(), findings
    found = _run_of(pool, which, day, findings)
    if found is None:
        return Standings(), findings
    run, rated = found
    keys = run.plan.keys
    stop = len(keys) if day is None else int(np.searchsorted(keys, day_number(day), side="right"))
    # Lists of other pools have no games here.
    filled = np.flatnonzero(np.diff(run.plan.games.offsets[: stop + 1]))
    last = int(keys[filled[-1]]) if len(filled) else None
    played: dict[int, int] = {}
    for some in rated:
        for batch, player, games in zip(
            some.batch.tolist(), some.player.tolist(), some.games.tolist(), strict=True
        ):
            if int(keys[batch]) == last:
                played[player] = played.get(player, 0) + games
    calendar = run.program.bulk.calendar
    last_day = None if last is None else EPOCH + timedelta(days=last)
    if day is not None and last is None:
        _tell_before(run, day, findings)
    of_now = last_day is not None
    if day is not None and calendar is not None and calendar.in_force is not None:
        of_now = calendar.in_force(day) == last_day
    members = []
    rows = run.table().to_pylist()
    asked = day or last_day
    results: dict[str, Results] = {}
    if asked is not None and prints_results(pool.book.edition(asked).on(asked), asked):
        results = results_of(run, stop, {str(row["player"]): row["games"] for row in rows})
    for code, row in enumerate(rows):
        person = str(row["player"])
        rating = row["rating"]
        whole = rating is not None and float(rating).is_integer()
        wins, draws, losses = results.get(person, UNKNOWN)
        standing = Standing(
            rating=int(rating) if whole else rating, games=row["games"],
            status=StandingStatus(row["status"]) if row["status"] else None,
            last_played=row["last_played"],
            wins=wins, draws=draws, losses=losses,
        )  # fmt: skip
        entry = replace(pool.person(person), standing=standing)
        members.append(Member(
            entry, played.get(code, 0) if of_now else 0, unpublished=not row["published"]
        ))  # fmt: skip
    return Standings(members, pool.book.name, None, last_day), findings


def _tell_before(run: Run, day: date, findings: Findings) -> None:
    """Why everybody stands as before all games: they come later, or there is none."""
    import numpy as np

    from ratingbook.rules.bulk import EPOCH

    # A batch may stand there without a game, as one does whose only game was taken out.
    filled = np.flatnonzero(np.diff(run.plan.games.offsets))
    if len(filled):
        first = EPOCH + timedelta(days=int(run.plan.keys[filled[0]]))
        findings.add(
            Severity.WARNING, "list.before-history",
            f"The history begins with {first}: on {day} everybody has what was known before.",
            remedy="Name a later day with --date, or rate the history from earlier reports on.",
        )  # fmt: skip
    else:
        findings.add(
            Severity.WARNING, "list.no-game",
            "The history holds no game: everybody has what was known before.",
            remedy="Look at its corrections; rate the history with the reports that it lacks.",
        )  # fmt: skip


def _run_of(
    pool: Pool, which: str | None, day: date | None, findings: Findings
) -> tuple[Run, Iterator[Changes]] | None:
    """The run of the pool that is asked for, and its changes up to a day; None: there is none."""
    import numpy as np

    from ratingbook.engine.history.api import program_for
    from ratingbook.engine.history.pooled import together_of
    from ratingbook.engine.history.pools import has_pools
    from ratingbook.engine.history.run import Run
    from ratingbook.rules.bulk import day_number

    given, until = pool.history.given, None if day is None else day_number(day)
    several = has_pools(given, pool.book)
    together = together_of(pool.history, pool.book, assume=pool.assume) if several else None
    names = [] if together is None else [*together.runs]
    default = default_pool(pool.book)
    usual = default if default in names else next(iter(names), None)
    asked = usual if which is None else which.strip().casefold()
    if asked is not None and asked not in names:
        findings.add(
            Severity.ERROR, "list.pool",
            f"The history has no pool {which or asked!r}"
            + (f"; it has {', '.join(names)}." if names else ": it is of one pool."),
            remedy="Name one of them with --pool." if names else "Leave --pool out.",
        )  # fmt: skip
        return None
    if together is None or asked is None:
        run = Run(given, program_for(pool.book, len(given.games), None), assume=pool.assume)
        keys = run.plan.keys
        stop = len(keys) if until is None else int(np.searchsorted(keys, until, side="right"))
        return run, run.batches(stop)
    changes = (some for name, some in together.rated_to(until) if name == asked)
    return together.runs[asked], changes


@dataclass(frozen=True)
class _Keys:
    """By what a person is found among the standings of other files."""

    kind: str | None
    strict: bool
    """Whether nothing but that makes a person: what was asked for, and no guess of ours."""

    def of(self, entry: Entry) -> str | None:
        """What stands for the person; None: nothing does."""
        if self.kind == NAME:
            return name_key(entry.name) or None
        number = entry.ids.get(self.kind) if self.kind and self.kind != LOCAL else None
        if number is None and (not self.strict or self.kind == LOCAL):
            number = local_id(entry)
        return None if number is None else clean_id(number)


def _merged(
    first: Standings, second: Standings, keys: _Keys, path: Path, findings: Findings
) -> Standings:
    """Those of the second who are not among the first; of the others who they are."""
    members = list(first.members)
    places: dict[str, int] = {}
    for number, member in enumerate(members):
        if not keys.strict:
            places.setdefault(clean_id(local_id(member.entry)), number)
    for number, member in enumerate(members):
        if (key := keys.of(member.entry)) is not None:
            if keys.kind == NAME and key in places:
                _tell_namesakes(members[places[key]].entry, member.entry, path, findings)
            places[key] = number
    for member in second.members:
        entry = member.entry
        number_ = keys.of(entry)
        at = None if number_ is None else places.get(number_)
        if at is None:
            members.append(replace(member, period_games=0 if first.rulebook else None))
            continue
        known = members[at].entry
        if not one_person(known, entry):
            findings.add(
                Severity.ERROR, "list.other-person",
                f"Id {number_} is {named(known)} in the first standings and {named(entry)} in "
                "these: two persons.",
                Place(file=str(path), line=entry.place.line, player=entry.id),
                "Start numbers are no ids: give standings with the numbers of a register "
                "(ids.fide …), or correct the one that is wrong.",
            )  # fmt: skip
            continue
        members[at] = replace(members[at], entry=_filled(known, entry))
    return replace(first, members=members)


def _tell_namesakes(one: Entry, other: Entry, path: Path, findings: Findings) -> None:
    findings.add(
        Severity.ERROR, "list.name-twice",
        f"{named(one)} and {named(other)} have one name, so nobody can say who of them is meant.",
        Place(file=str(path)), "Join them by their numbers: --id fide, egd, uscf …",
    )  # fmt: skip


def _filled(entry: Entry, more: Entry) -> Entry:
    """Who it is, with what the other standings say besides."""
    return replace(
        entry,
        name=entry.name or more.name,
        federation=entry.federation or more.federation,
        title=entry.title or more.title,
        sex=entry.sex or more.sex,
        grade=entry.grade or more.grade,
        birth_year=entry.birth_year or more.birth_year,
        ids={**more.ids, **entry.ids},
    )
