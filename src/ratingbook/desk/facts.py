"""Reports of many files as the facts of one history: games, events, entries, players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ratingbook.desk.identity import Register, kind_for
from ratingbook.desk.parts import Parts, by_pool, in_pool, parts_of, standings_of, with_pool
from ratingbook.desk.persons import LOCAL, NAME
from ratingbook.desk.players import read_players_file, read_players_files
from ratingbook.desk.refusals import Taken, refusals
from ratingbook.desk.sources import is_columns, opened_files
from ratingbook.engine.bindings import bulk_of
from ratingbook.engine.history.decided import kinds_of
from ratingbook.engine.history.intake.game_files import is_of_site
from ratingbook.engine.intake import check_for, check_report, check_same_game
from ratingbook.engine.intake.said import Said, used_of
from ratingbook.engine.report.known import said_of
from ratingbook.formats import read
from ratingbook.formats.lists import looks_like_list
from ratingbook.formats.lists.kinds import federation_of
from ratingbook.model import (
    Entry,
    Event,
    Findings,
    Game,
    GameStatus,
    Place,
    Report,
    Result,
    Severity,
)
from ratingbook.rules.bulk import HISTORY_OF_A_REPORT
from ratingbook.rules.series import BookOrSeries, default_pool, pools_of
from ratingbook.rules.wording import counted

if TYPE_CHECKING:
    import pyarrow as pa

_SCORES = {Result.WHITE_WINS: 1.0, Result.DRAW: 0.5, Result.BLACK_WINS: 0.0}
_PERSON = ("name", "federation", "title", "sex", "birth_date", "adult", "grade")
_STANDING = ("rating", "games", "wins", "draws", "losses", "status", "last_played")
_EVENT = ("kind", "class_", "level", "time_control", "category", "pool", "rounds")
GAME_FIELDS = (
    "date", "event", "section", "round", "white", "black", "score", "start", "handicap", "margin",
    "neutral", "rated", "status", "reported", "pool", "white_rating", "black_rating", "white_for",
    "black_for",
)  # fmt: skip
"""The columns of the games of a history that reports make."""


@dataclass
class Facts:
    """What a history is rated from, and who its players are."""

    games: list[dict[str, Any]] = field(default_factory=list)
    events: list[dict[str, Any]] = field(default_factory=list)
    entries: list[dict[str, Any]] = field(default_factory=list)
    players: list[dict[str, Any]] = field(default_factory=list)
    first: dict[str, Entry] = field(default_factory=dict)
    """Everybody as the first report or players file has them, by person."""
    persons: dict[str, Entry] = field(default_factory=dict)
    id_kind: str = ""
    pools: set[str] = field(default_factory=set)
    """The pools in which something counts."""
    reports: list[Taken] = field(default_factory=list)
    """What was read, in the order of its days."""

    def tables(self) -> dict[str, pa.Table]:
        """The facts as tables; those without a row are left out."""
        import pyarrow as pa

        made = {"games": self.games, "events": self.events, "players": self.players,
                "entries": self.entries}  # fmt: skip
        return {name: pa.Table.from_pylist(_full(rows)) for name, rows in made.items() if rows}


@dataclass(frozen=True)
class _Told:
    """A report, and the file that it came in."""

    report: Report
    file: str


def gather(
    paths: Sequence[Path],
    book: BookOrSeries,
    *,
    players: Sequence[Path] = (),
    id_kind: str | None = None,
    columns: Mapping[str, str] | None = None,
) -> tuple[Facts | None, Findings]:
    """The facts of reports and tables; None where the findings refuse them."""
    findings = Findings()
    with opened_files(paths) as (files, more):
        findings.extend(more)
        told: list[_Told] = []
        rows: list[dict[str, Any]] = []
        unnamed: list[str] = []
        for path, name in files:
            if is_columns(path, columns):
                rows += _rows_of(path, name, findings, columns)
                unnamed += [name] if _is_of_site(path) else []
                continue
            report = report_in(path, name, book, findings, columns)
            told += [] if report is None else [_Told(report, name)]
    # Whose facts they are can be said of reports only that can be read.
    kind = id_kind or LOCAL
    if told and id_kind is None and not findings.refused:
        kind = kind_for([(each.report, each.file) for each in told], book.federation, findings)
    if unnamed and kind not in (NAME, LOCAL):
        findings.add(
            Severity.ERROR, "history.site-names",
            f"The games of a site name their players, and give no {kind} numbers.",
            Place(file=unnamed[0]),
            "Join persons by name: --id name; or rate the games of the site by themselves.",
        )  # fmt: skip
    found = Findings(findings)
    facts = Facts() if found.refused else _joined(told, rows, kind, book, found)
    whole = Findings(found)
    if not whole.refused:
        _add_players(facts, players, book, whole, columns)
    if not whole.refused:
        for each in facts.reports:
            whole.extend(refusals(each, facts.first, book).in_file(each.file))
    return (None if whole.refused else facts), whole


def facts_of_report(
    report: Report, file: str, book: BookOrSeries, register: Register, findings: Findings
) -> Facts:
    """The facts of one more report, of persons that are known or new."""
    return _joined([_Told(report, file)], [], register.kind, book, findings, register)


def _is_of_site(path: Path) -> bool:
    with path.open("rb") as file:
        return is_of_site(file.read(4096))


def report_in(
    path: Path,
    name: str,
    book: BookOrSeries,
    findings: Findings,
    columns: Mapping[str, str] | None = None,
) -> Report | None:
    """The report in a file, with whatever ``rate`` would say of it; None: it is refused."""
    reading = read(path, book.standing_fields, columns)
    found = Findings(reading.findings)
    found.extend(check_same_game(reading.format, reading.game, book))
    report = reading.report
    if report is not None and not found.refused:
        found.extend(check_report(report, reading.findings))
        edition = book.for_report(report)
        found.extend(
            each
            for each in check_for(report, edition, book)
            # Who has a standing is settled by the history, not by each report.
            if each.severity is not Severity.INFO
        )
    findings.extend(found.in_file(name))
    return None if found.refused else report


def _joined(
    told: Sequence[_Told],
    rows: Sequence[Mapping[str, Any]],
    kind: str,
    book: BookOrSeries,
    findings: Findings,
    register: Register | None = None,
) -> Facts:
    register = register or Register(kind)
    facts = Facts(id_kind=kind, persons=register.persons)
    days: dict[str, date] = {}
    met_in: set[tuple[str, str]] = set()
    rated: set[str] = set()
    files: dict[str, str] = {}
    for each in sorted(told, key=lambda one: days_of(one.report)[1] or date.max):
        report, file = each.report, each.file
        ids = register.ids_of(report, file, findings)
        event = _event_id(report, file, files, findings)
        if findings.refused:
            continue
        parts = parts_of(report, event, book)
        facts.pools |= parts.pools
        met = frozenset(person for person in ids.values() if person in facts.first)
        facts.reports.append(Taken(report, file, ids, met, frozenset(rated)))
        before = len(facts.games)
        _add_events(facts, report, parts, file, findings)
        _tell_unused(report, parts, file, book, findings)
        for game in report.games:
            _add_game(facts, game, report, parts.of(game).name, ids, file, findings)
        rated |= _rated_in(facts.games[before:])
        day = days_of(report)[0] or date.max
        for said in report.entries:
            person, entry = ids[said.id], by_pool(said, parts.rated_in, book)
            known = facts.first.get(person)
            if known is None or day < days[person]:
                days[person] = day
                facts.first[person] = replace(entry, id=person, place=Place(file=file))
            if known is not None and (person, parts.rated_in) not in met_in:
                one, other = (known, entry) if day >= days[person] else (facts.first[person], known)
                facts.first[person] = with_pool(one, other, parts.rated_in, book)
            met_in.add((person, parts.rated_in))
            if entry.grade and book.handicaps:
                facts.entries += [
                    {"event": part.name, "player": person, "grade": entry.grade}
                    for part in parts.each
                ]
    controls = {_add_row(facts, row, kind): row["time_control"] for row in rows}
    _add_controls(facts, controls, book)
    register.tell_near(findings)
    _tell_same_games(facts, findings)
    ends = {row["event"]: row["end"] for row in facts.events if row["end"]}
    turns = {row["event"]: (row["part_of"], row["turn"]) for row in facts.events
             if row.get("part_of")}  # fmt: skip
    facts.games.sort(
        key=lambda row: (
            ends.get(row["event"], row["date"]), turns.get(row["event"], (row["event"], 0)),
            row["event"], row["section"] or "", row["round"] or 0,
        )
    )  # fmt: skip
    if any(entry.history for entry in facts.first.values()):
        findings.add(
            Severity.WARNING, "history.carried-unused",
            "Earlier games that reports bring along (`history`) are not used in a history.",
            remedy="Add the reports of these games.",
        )  # fmt: skip
    return facts


def _tell_unused(
    report: Report, parts: Parts, file: str, book: BookOrSeries, findings: Findings
) -> None:
    """What a report says that the rules use, and that is in no column of a history of reports."""
    for use in used_of(report, book):
        place = replace(use.places[0], file=file) if use.places else Place(file=file)
        if use.kind is Said.DECISIONS and not {*use.names}.isdisjoint(kinds_of(book)):
            findings.add(
                Severity.WARNING, "history.decisions-unused",
                f"Decisions of reports ({', '.join(use.names)}) are not used in a history: "
                f"{counted(use.count, 'player')} in this report.", place,
                "Rate such a report by `rate`; or the history as tables, with --decisions.",
            )  # fmt: skip
        elif use.kind is Said.LEVELS and parts.of_section:
            findings.add(
                Severity.WARNING, "history.levels-unused",
                f"What the report says of {', '.join(use.names)} by itself is not used in a "
                "history: each is rated by what is said of all.", place,
                "Make each of these events a report of its own.",
            )  # fmt: skip


def _add_controls(facts: Facts, controls: Mapping[str, str | None], book: BookOrSeries) -> None:
    """What games of tables say of the time controls of their events."""
    pools = pools_of(book)
    for event, control in controls.items():
        if pools is not None and control is not None:
            said = Event(time_control=control)
            named = {key.rstrip("_"): getattr(said, key) for key in _EVENT}
            facts.events.append({"event": event, "start": None, "end": None, **named})
            facts.pools |= {*(pools.of_event(said, book.parameters) or ())}


def _add_row(facts: Facts, row: Mapping[str, Any], kind: str) -> str:
    """A game of a table that is made for histories: its players' ids are those of persons.

    Gives the event that it was added to.
    """
    game = {name: row.get(name) for name in GAME_FIELDS}
    told = (row["date"], row.get("pool"), row["time_control"])
    day = " ".join(str(part) for part in told if part)
    event = row.get("event") or f"games of {day}"
    facts.games.append(game | {"event": event})
    facts.pools |= {row["pool"]} if row.get("pool") else set()
    for side in ("white", "black", "white_for", "black_for"):
        person = row.get(side)
        if person and person not in facts.persons:
            ids = {} if kind in (NAME, LOCAL) else {kind: person}
            entry = Entry(person, name=person if kind == NAME else "", ids=ids)
            facts.persons[person] = entry
            facts.first[person] = entry
    return str(event)


def _tell_same_games(facts: Facts, findings: Findings) -> None:
    """Events of other names with the same games on the same days: one that was sent twice."""
    games: dict[str, set[tuple[Any, ...]]] = {}
    for row in facts.games:
        key = tuple(row[name] for name in ("date", "round", "white", "black", "score"))
        games.setdefault(row["event"], set()).add(key)
    seen: dict[frozenset[tuple[Any, ...]], str] = {}
    for event, played in games.items():
        first = seen.setdefault(frozenset(played), event)
        if first != event and len(played) >= _LEAST_GAMES:
            findings.add(
                Severity.WARNING, "history.same-games",
                f"The events {first} and {event} have the same games on the same days: they are "
                "rated twice.", Place(), "Take out one of the two, if they are one event.",
            )  # fmt: skip


def days_of(report: Report) -> tuple[date | None, date | None]:
    """First and last day of all that a report holds."""
    days = [day for game in report.games for day in (game.start, game.end) if day]
    days += [day for day in (report.event.start, report.event.end) if day]
    return min(days, default=None), max(days, default=None)


def _event_id(report: Report, file: str, files: dict[str, str], findings: Findings) -> str:
    """The name of the event, told from others of the name by its first day."""
    name = report.event.name or Path(file).stem
    dated = f"{name} {days_of(report)[0] or ''}".strip()
    if dated in files:
        findings.add(
            Severity.ERROR, "history.same-event",
            f"The event {name} of these days is in {files[dated]} already.", Place(file=file),
            "Take out one of the two; or give them other names, if they are two events.",
        )  # fmt: skip
    files[dated] = file
    if name in files:
        return dated
    files[name] = file
    return name


def _add_parts(facts: Facts, report: Report, parts: Parts) -> None:
    """The sections that are rated otherwise than others, each as an event."""
    for part in parts.each:
        own = [game for game in report.games if parts.of(game).name == part.name]
        days = [day for game in own for day in (game.start, game.end) if day]
        start = part.said.start or min(days, default=None)
        end = part.said.end or max(days, default=start)
        row: dict[str, Any] = {"event": part.name, "start": start or end, "end": end}
        row |= {"part_of": part.part_of, "turn": part.turn}
        facts.events.append(row | {key.rstrip("_"): getattr(part.said, key) for key in _EVENT})


def _add_events(facts: Facts, report: Report, parts: Parts, file: str, findings: Findings) -> None:
    """What is said of the event, or of the several that the games name."""
    if parts.of_section:
        _add_parts(facts, report, parts)
        return
    said, event = parts.whole.said, parts.whole.name
    for name in dict.fromkeys(game.event for game in report.games) or [None]:
        own = [game for game in report.games if game.event == name]
        days = [day for game in own for day in (game.start, game.end) if day]
        start = min(days, default=None) if name else said.start or min(days, default=None)
        end = max(days, default=None) if name else said.end or max(days, default=said.start)
        row = {"event": name or event, "start": start or end, "end": end}
        about = report.event_called(name, said)
        facts.events.append(row | {key.rstrip("_"): getattr(about, key) for key in _EVENT})
    for head in report.section_heads:
        other = [
            key for key in ("pool", "time_control", "kind")
            if getattr(head, key) and getattr(head, key) != getattr(said, key)
        ]  # fmt: skip
        if other:
            findings.add(
                Severity.WARNING, "history.section-facts",
                f"Section {head.name} has its own {', '.join(other)}, which a history does not "
                "read: it is rated like the event.", Place(file=file, section=head.name),
                "Make the section a report of its own.",
            )  # fmt: skip


def _add_game(
    facts: Facts,
    game: Game,
    report: Report,
    event: str,
    ids: Mapping[str, str],
    file: str,
    findings: Findings,
) -> None:
    """A game that has two players and a result; others leave nothing to rate."""
    if game.black is None or game.result not in _SCORES or game.status is GameStatus.BYE:
        return
    own = report.event
    day = game.end or own.end or game.reported or game.start or own.start
    if day is None:
        findings.add(
            Severity.ERROR, "history.no-date",
            "Neither the event nor its games have a day, so nobody knows which came first.",
            Place(file=file), "Write the days of the event into the file.",
        )  # fmt: skip
        return
    start = game.start or own.start or day
    facts.games.append(
        {
            "date": day, "event": game.event or event, "section": game.section,
            "round": game.round, "white": ids[game.white], "black": ids[game.black],
            "score": _SCORES[game.result], "start": min(start, day), "handicap": game.handicap,
            "margin": game.margin, "neutral": game.neutral or None, "rated": _rated(game),
            "status": game.status.value, "reported": game.reported,
            "white_rating": game.white_rating, "black_rating": game.black_rating,
            "white_for": ids.get(game.white_for or ""), "black_for": ids.get(game.black_for or ""),
        }
    )  # fmt: skip


def _rated_in(games: Sequence[Mapping[str, Any]]) -> set[str]:
    """Who has a game that counts, by what the reports say: these have a rating after it."""
    return {
        game[side]
        for game in games
        for side in ("white", "black")
        if game["rated"] in (None, "both", side) and game["status"] not in _NEVER_PLAYED
    }


def _rated(game: Game) -> str | None:
    """For whom it is rated; None: the report leaves it to the rules."""
    sides = game.white_rated, game.black_rated
    return None if all(sides) and not game.rated_said else _RATED[sides]


_NEVER_PLAYED = (GameStatus.FORFEIT.value, GameStatus.CANCELLED.value)

_LEAST_GAMES = 2
"""Of one game nobody can say whether it was played once more."""

_RATED = {
    (True, True): "both",
    (True, False): "white",
    (False, True): "black",
    (False, False): "none",
}


def _rows_of(
    path: Path, name: str, findings: Findings, columns: Mapping[str, str] | None
) -> list[dict[str, Any]]:
    """The games of a table of columns."""
    from ratingbook.desk.tables import table_of
    from ratingbook.engine.history.intake import read_history
    from ratingbook.engine.history.intake.rows import rows_of
    from ratingbook.engine.history.intake.sources import open_games

    try:
        table = table_of(path, columns)
    except ValueError as error:
        findings.add(
            Severity.ERROR, "table.no-column", f"A column that was named is not there: {error}.",
            Place(file=name), "Write the header as it stands in the file.",
        )  # fmt: skip
        return []
    # All that is wrong with its rows is told before they are mixed with others.
    given, more = read_history([table])
    findings.extend(each for each in more if each.severity is not Severity.INFO)
    if given is None:
        return []
    rows: list[dict[str, Any]] = []
    for source in open_games([table], Findings()):
        wanted = (*GAME_FIELDS, "time_control")
        known = [column for column in wanted if column in source.known]
        for chunk in source.chunks(known):
            rows += rows_of(chunk)
    return [{"time_control": None, **row} for row in rows if row["score"] is not None]


def _add_players(
    facts: Facts,
    given: Sequence[Path],
    book: BookOrSeries,
    findings: Findings,
    columns: Mapping[str, str] | None,
) -> None:
    """What players files and lists say of everybody before the first game.

    Whoever stands in them, and has played in none of the events, is in the pool too.
    """
    everybody = Report(Event(), tuple(facts.first.values()), ())
    known = read_players_files(given, book, [everybody], facts.id_kind, columns)
    findings.extend(known.findings)
    if findings.refused:
        return
    filled, more = known.filled(everybody, book)
    findings.extend(more)
    first = {entry.id: entry for entry in filled.entries}
    register = Register(facts.id_kind, facts.persons)
    for person, entry in first.items():
        facts.persons[person] = _with_numbers(facts.persons[person], entry)
    for path in given:
        # The members of another federation are none of this one's, whatever their numbers.
        if federation_of(looks_like_list(path)) not in (None, book.federation):
            continue
        met: set[str] = set()
        for entry in _all_of(path, book, columns):
            other = register.id_of(entry, str(path), findings)
            met |= {other} if other is not None else set()
            if other is not None and other not in first:
                first[other] = replace(in_pool(entry, default_pool(book)), id=other)
        register.not_near(met)
    register.tell_near(findings)
    facts.first = first
    facts.players = [_player_row(entry, book) for entry in first.values()]
    if facts.pools - {default_pool(book)}:
        facts.players += [
            _player_row(replace(entry, standing=standing, pools={}), book) | {"pool": pool}
            for entry in first.values()
            for pool, standing in standings_of(entry, book)
        ]


def _with_numbers(person: Entry, filled: Entry) -> Entry:
    """A person with what the players files say of who it is."""
    return replace(
        filled,
        id=person.id, name=person.name or filled.name, ids={**filled.ids, **person.ids},
        standing=None, history=(), foreign={}, pools={}, decisions={},
    )  # fmt: skip


def _all_of(path: Path, book: BookOrSeries, columns: Mapping[str, str] | None) -> list[Entry]:
    """All players of a file; of a list that is too long nobody but those whom events name."""
    from ratingbook.formats.lists import read_entries

    if looks_like_list(path):
        entries, more = read_entries(path)
        return [] if more.refused else entries
    entries, _ = read_players_file(path, book, columns)
    return entries


def _player_row(entry: Entry, book: BookOrSeries) -> dict[str, Any]:
    """What is known of a player before the first game, as a players file says it."""
    bulk = bulk_of(book)
    standing = entry.standing
    row: dict[str, Any] = {"id": entry.id} | {name: getattr(entry, name) for name in _PERSON}
    row |= {name: getattr(standing, name) if standing else None for name in _STANDING}
    beyond = {*bulk.known._fields} - {*row, *HISTORY_OF_A_REPORT}
    row |= {name: said_of(entry, name) for name in sorted(beyond)}
    if row["status"] is not None:
        row["status"] = str(row["status"])
    return row


def _full(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The rows without the columns of which none says anything."""
    named = dict.fromkeys(name for row in rows for name in row)
    said = [name for name in named if any(row.get(name) is not None for row in rows)]
    return [{name: row.get(name) for name in said} for row in rows]
