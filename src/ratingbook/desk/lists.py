"""The rating list of a day, and what changed on it since another one."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from ratingbook.desk.persons import LOCAL, REGISTERS, clean_id, home_register
from ratingbook.desk.pool import NoPool, open_pool
from ratingbook.desk.standings import Standings, standings_in
from ratingbook.engine.intake import check_for, check_validity
from ratingbook.engine.left import is_pool
from ratingbook.formats import read_text
from ratingbook.formats.tools.nearby import not_there
from ratingbook.model import BadArgument, Entry, Event, Findings, Place, Report, Severity
from ratingbook.model.decimals import change_of
from ratingbook.rules import registry
from ratingbook.rules.book import RuleBook
from ratingbook.rules.listing import Column, Listing, Statistics
from ratingbook.rules.series import BookOrSeries
from ratingbook.rules.wording import label

_REGISTER_IDS = {"fide-txt": "fide", "fide-xml": "fide"}
"""Formats in which an id is the number of a register, and nothing else."""
_LEAST_DIGITS = 4
"""Shorter numbers are start numbers: no register has begun so low for a long time."""


@dataclass(frozen=True)
class Moved:
    """A player whose rating differs between two lists; None: not on it."""

    id: str
    name: str
    old: float | None
    new: float | None


@dataclass
class MadeList:
    """A list, the edition that prescribes it, and what it is compared with."""

    book: RuleBook | None
    listing: Listing | None
    findings: Findings
    moved: list[Moved] | None = None
    """Those who entered, left or moved, the new list's first; None: not compared."""
    entries: Mapping[str, Entry] = field(default_factory=dict)
    """Who is listed, by the list's ids."""


class NoDay(BadArgument):
    """A list needs a day, or a rule book, that nobody said."""


def list_of(
    paths: Sequence[Path],
    book: BookOrSeries | None,
    day: date | None,
    *,
    settings: Mapping[str, str] | None = None,
    office: bool = False,
    against: Path | None = None,
    pool: str | None = None,
    id_kind: str | None = None,
) -> MadeList:
    """The list of a day from standings, several of them, or the folder of a history.

    A folder knows its rule book, and the day of its last list; ``pool`` is one of the pools of
    its history.  ``id_kind`` says what makes two entries of several files one person.  Raises
    :class:`NoDay`.
    """
    try:
        return _made(
            paths, book, day, settings or {}, office=office, against=against, pool=pool,
            id_kind=id_kind,
        )  # fmt: skip
    except NoPool as refused:
        return MadeList(None, None, refused.findings)


def _made(
    paths: Sequence[Path],
    book: BookOrSeries | None,
    day: date | None,
    settings: Mapping[str, str],
    *,
    office: bool,
    against: Path | None,
    pool: str | None,
    id_kind: str | None,
) -> MadeList:
    own = next((open_pool(path).book for path in paths if is_pool(path)), None)
    asked = book or own
    if asked is None:
        if missing := next((path for path in paths if not path.exists()), None):
            raise NoDay(f"{missing}: {not_there(missing) or 'there is no file of this name'}")
        raise NoDay(
            "name the rule book (--rulebook, in Python rulebook=); only the folder of a history "
            f"knows it, and {paths[0]} is none"
        )
    if settings:
        asked = asked.with_parameters(settings)
    standings, findings = standings_in(paths, asked, day, which=pool, id_kind=id_kind)
    asked = _of_pool(asked, pool)
    if day is None and findings.refused:
        return MadeList(None, None, findings)
    if day is None:
        day = standings.day
    if day is None:
        raise NoDay(
            "give the day of the list (--date, in Python date=): only the folder of a history "
            "knows one"
        )
    edition = asked.edition(day).on(day)
    if not findings.refused:
        entries = tuple(member.entry for member in standings.members)
        found = check_for(Report(Event(), entries, ()), edition)
        found.extend(check_validity(edition, day, "list"))
        _check_owner(standings, edition, found)
        findings.extend(found.in_file(str(paths[0])))
    if findings.refused:
        return MadeList(edition, None, findings)
    listing, listed = _listing(standings, edition, day, office=office, id_kind=id_kind)
    made = MadeList(edition, listing, findings, entries=listed)
    if against is not None:
        _compare(made, against, asked, paths, pool)
    return made


def _listing(
    standings: Standings, book: RuleBook, day: date, *, office: bool, id_kind: str | None = None
) -> tuple[Listing, Mapping[str, Entry]]:
    """The list, with numbers of the federation's register where they are known."""
    home = id_kind if id_kind in REGISTERS else home_register(book.federation)
    home = None if id_kind == LOCAL else home
    members = []
    listed: dict[str, Entry] = {}
    for member in standings.members:
        entry = member.entry
        id_ = (entry.ids.get(home) if home else None) or entry.id
        listed[id_] = replace(entry, id=id_)
        members.append(replace(member, entry=listed[id_]))
    return book.listing(members, day, office=office), listed


def _check_owner(standings: Standings, book: RuleBook, findings: Findings) -> None:
    """A list is made of the standings of its own federation."""
    if standings.federation is not None and standings.federation != book.federation:
        findings.add(
            Severity.ERROR, "list.other-federation",
            f"These are ratings of {standings.federation}, and the list is of {book.federation}.",
            remedy=f"Take standings of {book.federation}.",
        )  # fmt: skip
    rulebook = standings.rulebook
    if rulebook is None or rulebook == book.name:
        return
    try:
        rated = registry.load(rulebook)
        same = rated.federation == book.federation
    except registry.UnknownRuleBook:
        rated, same = None, False
    # A series prints the list of a day by the edition in force.
    if same and rated is not None and rated.edition(None).name != rulebook:
        return
    findings.add(
        Severity.WARNING if same else Severity.ERROR,
        "list.other-rulebook",
        f"These standings were rated by {rulebook}, and the list is of {book.name}.",
        remedy=f"Print it with --rulebook {rulebook}.",
    )


def check_ids(made: MadeList, format_: str) -> Findings:
    """Whether a federation's own format would print numbers that are not its own."""
    findings = Findings()
    register = _REGISTER_IDS.get(format_)
    if register is None or made.listing is None:
        return findings
    without = [
        row for row in made.listing.rows
        if not _is_number(str(row["id"]), made.entries.get(str(row["id"])), register)
    ]  # fmt: skip
    if without:
        named = ", ".join(label(str(row["id"]), str(row.get("name") or "")) for row in without[:5])
        more = f" and {len(without) - 5} more" if len(without) > 5 else ""
        findings.add(
            Severity.ERROR, "list.no-number",
            f"{format_} prints {register.upper()} numbers, and these players have none: "
            f"{named}{more}.",
            remedy=f"Add them to the standings (a column ids.{register}), or take csv.",
        )  # fmt: skip
    return findings


def _is_number(id_: str, entry: Entry | None, register: str) -> bool:
    if entry is not None and entry.ids.get(register):
        return True
    return id_.isdecimal() and len(id_.lstrip("0")) >= _LEAST_DIGITS


def _of_pool(book: BookOrSeries, pool: str | None) -> BookOrSeries:
    """The rule book as it rates the pool, where it has one of that name."""
    pools = None if book.bulk is None or pool is None else book.bulk.pools
    own = {} if pools is None or pool is None else pools.settings.get(pool.strip().casefold(), {})
    return book.with_own(own) if own else book


def _compare(
    made: MadeList, against: Path, book: BookOrSeries, paths: Sequence[Path], pool: str | None
) -> None:
    """Set what differs from another list, also as tables beside the new one."""
    if made.listing is None:
        return
    day = made.listing.day
    # A history is compared with itself as it stood before this list.
    same = is_pool(against) and any(
        is_pool(path) and path.resolve() == against.resolve() for path in paths
    )
    old, findings = _ratings_of(against, book, day - timedelta(days=1) if same else day, pool)
    made.findings.extend(findings)
    if findings.refused:
        return
    moved = []
    seen = set()
    for row in made.listing.rows:
        number = clean_id(str(row["id"]))
        seen.add(number)
        name, before = old.get(number, ("", None))
        rating = row.get("rating")
        new = float(rating) if isinstance(rating, int | float) else None
        if before != new:
            moved.append(Moved(str(row["id"]), str(row.get("name") or name), before, new))
    moved += [Moved(id_, name, was, None) for id_, (name, was) in old.items() if id_ not in seen]
    made.moved = moved
    kinds = {
        "Entered": [each for each in moved if each.old is None],
        "Left": [each for each in moved if each.new is None],
        "Moved": [each for each in moved if None not in (each.old, each.new)],
    }
    said = ", ".join(f"{len(rows)} {kind.lower()}" for kind, rows in kinds.items())
    tables = [_table(kind, rows) for kind, rows in kinds.items() if rows]
    made.listing = replace(
        made.listing,
        facts=(*made.listing.facts, f"since the other list: {said}"),
        statistics=(*made.listing.statistics, *tables),
    )


def _table(title: str, rows: Sequence[Moved]) -> Statistics:
    both = title == "Moved"
    columns = [Column("id", "Id"), Column("name", "Name")]
    columns += [] if title == "Entered" else [Column("old", "Old", numeric=True)]
    columns += [] if title == "Left" else [Column("new", "New", numeric=True)]
    columns += [Column("change", "Change", numeric=True)] if both else []
    return Statistics(f"{title}: {len(rows)}", tuple(columns), tuple(map(as_row, rows)))


def as_row(each: Moved) -> dict[str, object]:
    """A player of a comparison as the commands print it."""
    return {
        "id": each.id, "name": each.name, "old": _natural(each.old), "new": _natural(each.new),
        "change": _natural(change_of(each.old, each.new)),
    }  # fmt: skip


def _natural(number: float | None) -> float | None:
    return int(number) if number is not None and float(number).is_integer() else number


def _ratings_of(
    path: Path, book: BookOrSeries, day: date, pool: str | None
) -> tuple[dict[str, tuple[str, float]], Findings]:
    """Name and rating by number of another list: output of ``list``, standings, or a history."""
    findings = Findings()
    rows = None if is_pool(path) else _rows_of_list(path)
    if rows is None:
        standings, findings = standings_in([path], book, day, which=pool)
        if findings.refused:
            return {}, findings
        listing, _ = _listing(standings, book.edition(day).on(day), day, office=False)
        rows = [dict(row) for row in listing.rows]
    found = {}
    for row in rows:
        rating = row.get("rating")
        if isinstance(rating, int | float) and row.get("id") is not None:
            found[clean_id(str(row["id"]))] = (str(row.get("name") or ""), float(rating))
    if not found:
        findings.add(
            Severity.ERROR, "list.against", "Nobody has a rating in the other list.",
            Place(file=str(path)), "Name output of `list` (json), standings, or a history.",
        )  # fmt: skip
    return found, findings


def _rows_of_list(path: Path) -> list[dict[str, Any]] | None:
    """The rows of what ``list --format json`` printed; None: it is something else."""
    text, findings = read_text(path)
    if text is None or findings.refused:
        return None
    try:
        data = json.loads(text)
    except ValueError:
        return None
    is_list = isinstance(data, dict) and "columns" in data and isinstance(data.get("players"), list)
    return [row for row in data["players"] if isinstance(row, dict)] if is_list else None
