"""Corrections of a pool: a file that says what is otherwise, or the report as it should be."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ratingbook.desk.explained import NotOne, player_meant
from ratingbook.desk.facts import Facts, facts_of_report, report_in
from ratingbook.desk.identity import Register
from ratingbook.desk.pool import CORRECTION_FIELDS, Pool
from ratingbook.desk.refusals import Taken, refusals
from ratingbook.desk.sources import tell_pipe
from ratingbook.formats import read_text
from ratingbook.formats.files import is_pipe
from ratingbook.model import Entry, Findings, Place, Severity
from ratingbook.rules.near import near
from ratingbook.rules.wording import counted

if TYPE_CHECKING:
    from ratingbook.engine.history.api import CorrectedHistory
    from ratingbook.engine.history.pooled import CorrectedPools

_PLAYERS = ("white", "black", "player", "into")
_SHOWN_EVENTS = 12
_LEAST = 3
"""Letters of the beginning of a name that is meant; who writes less may have slipped."""
_SIGNS = {"kind", "score", "into", "reason"}
"""A table of corrections has one of these columns, and says who or what it is about."""
_SCORES = {"1-0": "1", "0-1": "0", "1/2-1/2": "0.5", "½-½": "0.5", "*": ""}
"""White's score, where a table of corrections has a column of results."""


@dataclass
class Corrections:
    """What is otherwise, with the persons of a pool, and those who are new to it."""

    rows: list[dict[str, str]] = field(default_factory=list)
    persons: dict[str, Entry] = field(default_factory=dict)


def corrections_in(path: Path, pool: Pool) -> tuple[Corrections, Findings]:
    """The corrections of a file, or the differences of a corrected report from what is known."""
    if is_pipe(path):
        refused = Findings()
        tell_pipe(str(path), refused)
        return Corrections(), refused
    text, findings = read_text(path) if path.is_file() else (None, Findings())
    header = _header(text or "")
    if header & _SIGNS and header & {"event", "white", "player"}:
        made = _of_table(text or "", path, pool, findings)
    else:
        made, findings = _of_report(path, pool)
    if not made.rows and not findings.refused:
        findings.add(
            Severity.ERROR, "correction.none", "There is no correction: all is as it was.",
            remedy="Write a row for each, below the names of the columns.",
        )  # fmt: skip
    return made, findings.in_file(str(path))


def corrected_by(
    pool: Pool, rows: Sequence[Mapping[str, str]]
) -> CorrectedHistory | CorrectedPools:
    """What more corrections change; raises ``HistoryRefused``."""
    now = pool.with_corrections((*pool.corrections, *rows))
    return pool.rated(corrections=True).correct(now)


def told_twice(pool: Pool, rows: Sequence[Mapping[str, str]], path: Path) -> Findings:
    """A finding where all of it is known already; raises ``HistoryRefused``."""
    was, now = pool.history.given, pool.with_corrections((*pool.corrections, *rows)).given
    findings = Findings()
    if _is_same(was.games, now.games) and all(
        getattr(was, name) == getattr(now, name)
        for name in ("standings", "events", "entries", "decisions")
    ):
        findings.add(
            Severity.ERROR, "correction.none",
            "The corrections change nothing: the history says so already.", Place(file=str(path)),
            "Look whether they are the right games, and the right history.",
        )  # fmt: skip
    return findings


def _is_same(games: Any, others: Any) -> bool:
    """Whether two columns of games hold the same."""
    import numpy as np

    for each in fields(games):
        one, other = getattr(games, each.name), getattr(others, each.name)
        if (one is None) != (other is None) or (one is not None and not np.array_equal(one, other)):
            return False
    return True


def _header(text: str) -> set[str]:
    first = text.lstrip().partition("\n")[0]
    delimiter = max(",;\t", key=first.count)
    return {name.strip().strip('"').lower() for name in first.split(delimiter)}


def _of_table(text: str, path: Path, pool: Pool, findings: Findings) -> Corrections:
    first = text.lstrip().partition("\n")[0]
    delimiter = max(",;\t", key=first.count)
    made = Corrections()
    reader = csv.DictReader(io.StringIO(text.lstrip()), delimiter=delimiter)
    names = {name: (name or "").strip().lower() for name in reader.fieldnames or ()}
    if "score" not in names.values():
        names = {name: "score" if said == "result" else said for name, said in names.items()}
    unknown = [name for name in names.values() if name not in (*CORRECTION_FIELDS, "given", "file")]
    if unknown:
        findings.add(
            Severity.WARNING, "correction.unknown-column",
            f"Columns that are not known and are not used: {', '.join(unknown[:12])}.",
            Place(file=str(path)), f"Corrections have {', '.join(CORRECTION_FIELDS)}.",
        )  # fmt: skip
    everybody = pool.everybody()
    known = {entry.id for entry in everybody}
    events = {name.casefold(): name for name in map(str, pool.history.given.event_ids.to_pylist())}
    for raw in reader:
        row = {names[name]: (value or "").strip() for name, value in raw.items() if name in names}
        if not any(row.values()):
            continue
        row = {name: row.get(name, "") for name in CORRECTION_FIELDS}
        row["score"] = _SCORES.get(row["score"], row["score"])
        row |= {"file": str(path), "line": str(reader.line_num)}
        said = row["event"]
        row["event"] = events.get(said.casefold(), said)
        if said and row["event"] not in events.values():
            _tell_no_event(said, events, Place(file=str(path), line=reader.line_num), findings)
        for name in _PLAYERS:
            if row[name] and row[name] not in known:
                try:
                    row[name] = player_meant(everybody, row[name], least=_LEAST).id
                except NotOne as error:
                    findings.add(
                        Severity.ERROR, "correction.no-player",
                        f"{str(error)[0].upper()}{str(error)[1:]}.",
                        Place(file=str(path), line=reader.line_num),
                        "Write the player's id of the history, number, or name.",
                    )  # fmt: skip
        made.rows.append(row)
    return made


def _tell_no_event(said: str, events: Mapping[str, str], place: Place, findings: Findings) -> None:
    meant = near(said, events.values())
    guess = f"; did you mean {' or '.join(meant)}?" if meant else "."
    some = ", ".join([*events.values()][-_SHOWN_EVENTS:])
    findings.add(
        Severity.ERROR, "correction.no-event", f"The history has no event {said}{guess}", place,
        f"Write the event as the history has it{'' if meant else f': {some}'}; leave it empty "
        "where the day and the players are enough.",
    )  # fmt: skip


def _of_report(path: Path, pool: Pool) -> tuple[Corrections, Findings]:
    """A report as it should be: its games in place of those that the pool has of the event."""
    findings = Findings()
    report = report_in(path, str(path), pool.book, findings)
    if report is None:
        return Corrections(), findings
    register = Register(pool.id_kind, dict(pool.persons or {}))
    facts = facts_of_report(report, str(path), pool.book, register, findings)
    if not findings.refused:
        for each in facts.reports:
            findings.extend(_refusals(each, facts, pool))
    if findings.refused:
        return Corrections(), findings
    old = _games_of(pool, {row["event"] for row in facts.games})
    events = {row["event"] for row in facts.games}
    unknown = sorted(events - {key[0] for key in old})
    if unknown:
        findings.add(
            Severity.ERROR, "correction.no-event",
            f"The history has no event {unknown[0]}.", Place(file=str(path)),
            "A corrected report has the name of the event that it corrects; add a new event by "
            "rating the history with it.",
        )  # fmt: skip
        return Corrections(), findings
    made = Corrections(persons=register.persons)
    reason = f"corrected report {path.name}"
    left = dict(old)
    for game in facts.games:
        key = _key(game)
        was = left.pop(key, None)
        if was is None:
            made.rows.append(_row(key, str(game["score"]), reason, "add", str(game["date"])))
        elif was != game["score"]:
            made.rows.append(_row(key, str(game["score"]), reason))
    made.rows += [_row(key, "", reason) for key in left]
    if left:
        new = len(register.persons.keys() - (pool.persons or {}).keys())
        findings.add(
            Severity.WARNING, "correction.takes-out",
            f"The report takes out {counted(len(left), 'game')} that the history has of "
            f"{'its event' if len(events) == 1 else 'its events'}"
            + (f", and brings {counted(new, 'player')} whom it did not know." if new else "."),
            Place(file=str(path)),
            "Where only some games are otherwise, write a table of them: event, round, white, "
            "black, score.",
        )  # fmt: skip
    made.rows = [row | {"file": str(path), "line": ""} for row in made.rows]
    return made, findings


def _refusals(taken: Taken, facts: Facts, pool: Pool) -> Findings:
    """What the edition refuses the report for, as it refuses one of a new history."""
    corrected = {row["event"] for row in facts.games}
    met = {player for event, _, _, *both in _games_of(pool) if event not in corrected
           for player in both}  # fmt: skip
    return refusals(replace(taken, met=frozenset(met)), pool.known_before(), pool.book)


_Key = tuple[str, str, str, str, str]
"""Event, section, round, White and Black."""


def _key(game: Mapping[str, Any]) -> _Key:
    round_ = "" if game["round"] is None else str(game["round"])
    return (game["event"], game["section"] or "", round_, game["white"], game["black"])


def _row(key: _Key, score: str, reason: str, kind: str = "", day: str = "") -> dict[str, str]:
    event, section, round_, white, black = key
    said = {
        "kind": kind, "event": event, "section": section, "round": round_, "white": white,
        "black": black, "score": score, "reason": reason, "date": day,
    }  # fmt: skip
    return {name: said.get(name, "") for name in CORRECTION_FIELDS}


def _games_of(pool: Pool, events: set[str] | None = None) -> dict[_Key, float]:
    """The games that the pool has of some events, or all, with White's score."""
    given = pool.history.given
    games = given.games
    if games.event is None:
        return {}
    names = [str(name) for name in given.event_ids.to_pylist()]
    sections = [str(name) for name in given.section_ids.to_pylist()]
    players = [str(name) for name in given.players.to_pylist()]
    found = {}
    for at, code in enumerate(games.event.tolist()):
        if events is not None and names[code] not in events:
            continue
        section = "" if games.section is None else sections[int(games.section[at])]
        round_ = "" if games.round is None or games.round[at] < 0 else str(int(games.round[at]))
        key = (
            names[code], section, round_, players[int(games.white[at])],
            players[int(games.black[at])],
        )  # fmt: skip
        found[key] = int(games.score[at]) / 2
    return found


def with_persons(pool: Pool, made: Corrections) -> Pool:
    """The pool with those whom corrections bring."""
    return replace(pool, persons={**(pool.persons or {}), **made.persons}) if made.persons else pool
