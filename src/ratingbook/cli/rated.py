"""From a file to rated players: what the commands that rate reports have in common."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ratingbook.engine.explain import Step
from ratingbook.engine.intake import check_same_game
from ratingbook.engine.rate import Rating, rate
from ratingbook.formats import read, read_text
from ratingbook.formats.players import read_players, with_players
from ratingbook.model import Entry, Event, Findings, Place, Report, Severity
from ratingbook.rules.series import BookOrSeries

if TYPE_CHECKING:
    from ratingbook.formats.lists import ListPlayers


class Rated:
    """A report of the command line, and what became of it."""

    def __init__(self, path: Path, report: Report | None, rating: Rating) -> None:
        self.path = path
        self.report = report
        self.event = report.event if report else Event()
        self.persons = {entry.id: entry for entry in report.entries} if report else {}
        self.rating = rating


def read_players_file(
    path: Path | None, book: BookOrSeries, reports: Iterable[Report], encoding: str | None = None
) -> tuple[Mapping[str, Entry] | ListPlayers, Findings]:
    """The players file, if there is one; its findings refuse every report.

    Of a federation's rating list those players only whom the reports name.
    """
    if path is None:
        return {}, Findings()
    from ratingbook.formats.lists import looks_like_list, read_list

    if looks_like_list(path, encoding):
        listed, findings = read_list(path, reports, encoding)
        return listed or {}, findings
    text, findings = read_text(path, encoding)
    if text is None:
        return {}, findings.in_file(str(path))
    players, more = read_players(text, book.standing_fields)
    findings.extend(more)
    placed = {
        player: replace(entry, place=replace(entry.place, file=str(path)))
        for player, entry in players.items()
    }
    return placed, findings.in_file(str(path))


def players_for(
    report: Report, known: Mapping[str, Entry] | ListPlayers, book: BookOrSeries
) -> tuple[Mapping[str, Entry], Findings]:
    """What the players file says of a report's players, by their ids in the report."""
    return (known, Findings()) if isinstance(known, Mapping) else known.of(report, book.federation)


def reports_in(
    paths: Iterable[Path],
    book: BookOrSeries,
    columns: Mapping[str, str] | None = None,
    encoding: str | None = None,
) -> Iterator[Report]:
    """The reports of these files, as far as they can be read."""
    for path in paths:
        report = read(path, book.standing_fields, columns, encoding).report
        if report is not None:
            yield report


def rate_file(
    path: Path,
    book: BookOrSeries,
    known: tuple[Mapping[str, Entry] | ListPlayers, Findings],
    explain: Collection[str] | None,
    columns: Mapping[str, str] | None = None,
    encoding: str | None = None,
) -> Rated:
    """Read and rate one file."""
    file, findings = known
    reading = read(path, book.standing_fields, columns, encoding)
    all_findings = Findings(findings)
    all_findings.extend(reading.findings)
    all_findings.extend(check_same_game(reading.format, reading.game, book))
    report = reading.report
    if report is None or all_findings.refused:
        return Rated(path, report, Rating(book, (), all_findings.in_file(str(path))))
    players, more = players_for(report, file, book)
    all_findings.extend(more)
    report, more = with_players(report, players, whole_ratings=book.whole_ratings)
    all_findings.extend(more)
    explain = _ids_of(report, explain)
    rating = rate(report, book, explain=explain)
    all_findings.extend(rating.findings)
    all_findings.extend(_unknown_players(report, explain or ()))
    return Rated(path, report, Rating(rating.book, rating.rows, all_findings.in_file(str(path))))


def _ids_of(report: Report, asked: Collection[str] | None) -> Collection[str] | None:
    """The ids of the players asked for, who may also be named in full."""
    if asked is None:
        return None
    ids = {entry.id for entry in report.entries}
    named = {entry.name.casefold(): entry.id for entry in report.entries if entry.name}
    return frozenset(a if a in ids else named.get(a.casefold(), a) for a in asked)


def _unknown_players(report: Report, asked: Iterable[str]) -> Findings:
    """The players who are to be explained, but are not in the report."""
    findings = Findings()
    ids = [entry.id for entry in report.entries]
    for player in sorted(set(asked).difference(ids)):
        from difflib import get_close_matches

        named = [e.id for e in report.entries if player and player.casefold() in e.name.casefold()]
        near = named[:3] or get_close_matches(player, ids)
        findings.add(
            Severity.WARNING,
            "explain.unknown-player",
            f"There is no player {player} to explain in the report.",
            Place(player=player),
            f"Did you mean {' or '.join(near)}?" if near else "Name an id of the report, or all.",
        )
    return findings


def in_order_of_rounds(steps: Sequence[Step]) -> list[Step]:
    """The steps as people read them: each pass with its games in their order.

    What was settled of a game before the first pass (a forfeit, say) is told where
    that pass comes to the game.
    """
    before = [step for step in steps if step.phase == 0 and not step.game]
    settled = [step for step in steps if step.phase == 0 and step.game]
    ordered = before
    for phase in sorted({step.phase for step in steps} - {0}):
        own = [step for step in steps if step.phase == phase]
        ordered = ordered + _games_in_order([*settled, *own])
        settled = []
    return [*ordered, *settled]


def _games_in_order(steps: Sequence[Step]) -> list[Step]:
    """One pass: what comes before the games, the games by round, the rest."""
    about_games = [n for n, step in enumerate(steps) if step.game]
    if not about_games:
        return list(steps)
    first, last = about_games[0], about_games[-1]
    between = steps[first : last + 1]
    order = {step.game: n for n, step in reversed(list(enumerate(between)))}
    games = sorted(
        (step for step in between if step.game), key=lambda s: (s.round or 0, order[s.game])
    )
    return [*steps[:first], *(s for s in between if not s.game), *games, *steps[last + 1 :]]
