"""``ratingbook rate``: reports in, rated players out."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from ratingbook.cli.screen import (
    clean,
    errors,
    number,
    output,
    plain_table,
    print_findings,
    rating_number,
    write,
)
from ratingbook.engine.explain import Step
from ratingbook.engine.rate import RatedRow, Rating, rate
from ratingbook.formats import read, read_text
from ratingbook.formats.document_writer import frozen_side_as_dict, standing_as_dict
from ratingbook.formats.formulas import guarded
from ratingbook.formats.games import check_game
from ratingbook.formats.players import read_players, with_players
from ratingbook.model import Entry, Event, Findings, Place, Report, Severity
from ratingbook.rules.book import AnyRuleBook

if TYPE_CHECKING:
    from ratingbook.formats.lists import ListPlayers

_COLUMNS = (
    "id", "name", "section", "before", "after", "exact", "change", "games", "score", "expected",
    "status", "published",
)  # fmt: skip
_PERSON = ("federation", "title", "sex", "grade")
"""What a list prints of a person, handed through to the output where it is known."""


class Rated:
    """A report of the command line, and what became of it."""

    def __init__(self, path: Path, report: Report | None, rating: Rating) -> None:
        self.path = path
        self.report = report
        self.event = report.event if report else Event()
        self.persons = {entry.id: entry for entry in report.entries} if report else {}
        self.rating = rating


def read_players_file(
    path: Path | None, book: AnyRuleBook, reports: Iterable[Report]
) -> tuple[Mapping[str, Entry] | ListPlayers, Findings]:
    """The players file, if there is one; its findings refuse every report.

    Of a federation's rating list those players only whom the reports name.
    """
    if path is None:
        return {}, Findings()
    from ratingbook.formats.lists import looks_like_list, read_list

    if looks_like_list(path):
        listed, findings = read_list(path, reports)
        return listed or {}, findings
    text, findings = read_text(path)
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
    report: Report, known: Mapping[str, Entry] | ListPlayers, book: AnyRuleBook
) -> tuple[Mapping[str, Entry], Findings]:
    """What the players file says of a report's players, by their ids in the report."""
    return (known, Findings()) if isinstance(known, Mapping) else known.of(report, book.federation)


def reports_in(
    paths: Iterable[Path], book: AnyRuleBook, columns: Mapping[str, str] | None = None
) -> Iterator[Report]:
    """The reports of these files, as far as they can be read."""
    for path in paths:
        report = read(path, book.standing_fields, columns).report
        if report is not None:
            yield report


def run(
    paths: Sequence[Path],
    book: AnyRuleBook,
    known: tuple[Mapping[str, Entry] | ListPlayers, Findings],
    format_: str,
    explain: Collection[str] | None,
    columns: Mapping[str, str] | None = None,
) -> bool:
    """Rate each report and print it; True if one was refused."""
    refused = False
    rated = []
    for path in _with_progress(paths, silent=format_ == "jsonl" and sys.stdout.isatty()):
        result = rate_file(path, book, known, explain, columns)
        refused = refused or result.rating.findings.refused
        if format_ == "jsonl":
            write(json.dumps(as_dict(result), ensure_ascii=False))
        else:
            rated.append(result)
    if format_ == "json":
        documents = [as_dict(result) for result in rated]
        whole = documents[0] if len(documents) == 1 else documents
        write(json.dumps(whole, ensure_ascii=False, indent=2))
    elif format_ == "csv":
        _print_csv(rated)
    elif format_ == "html":
        from ratingbook.cli.report_page import page

        write(page(rated, book))
    elif format_ == "table":
        for result in rated:
            if len(rated) > 1:
                output().print(Text(clean(result.path), style="bold"))
            show(result, output())
            print_findings(result.rating.findings, errors())
    return refused


def _with_progress(paths: Sequence[Path], *, silent: bool) -> Iterator[Path]:
    """The paths, with a bar on the terminal where there are many."""
    if silent or len(paths) < 2 or not sys.stderr.isatty():
        yield from paths
        return
    from rich.progress import Progress

    with Progress(console=errors(), transient=True, redirect_stdout=False) as progress:
        yield from progress.track(paths, description="rating")


def rate_file(
    path: Path,
    book: AnyRuleBook,
    known: tuple[Mapping[str, Entry] | ListPlayers, Findings],
    explain: Collection[str] | None,
    columns: Mapping[str, str] | None = None,
) -> Rated:
    """Read and rate one file."""
    file, findings = known
    reading = read(path, book.standing_fields, columns)
    all_findings = Findings(findings)
    all_findings.extend(reading.findings)
    all_findings.extend(check_game(reading, book))
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


def as_dict(rated: Rated) -> dict[str, object]:
    """A rated report as the commands print it in JSON."""
    book = rated.rating.book
    return {
        "rulebook": book.name,
        "parameters": book.non_default_parameters,
        "report": str(rated.path),
        "event": rated.event.name,
        "players": [_row_as_dict(row, rated.persons) for row in rated.rating.rows],
        "findings": [finding.as_dict() for finding in rated.rating.findings],
    }


def _row_as_dict(rated: RatedRow, persons: Mapping[str, Entry]) -> dict[str, object]:
    row = rated.row
    person = persons.get(row.id, Entry(row.id))
    return {
        **{column: getattr(row, column) for column in _COLUMNS},
        **{key: getattr(person, key) for key in _PERSON if getattr(person, key) is not None},
        "performance": row.performance,
        "standing": standing_as_dict(row.standing),
        "history": [frozen_side_as_dict(side) for side in row.history],
        "explanation": [step.as_dict() for step in rated.explanation],
    }


def _print_csv(rated: Sequence[Rated]) -> None:
    """All rows in one table; findings go to the error output."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("report", *_COLUMNS))
    for result in rated:
        for each in result.rating.rows:
            cells = [getattr(each.row, column) for column in _COLUMNS]
            writer.writerow([csv_cell(result.path), *(csv_cell(value) for value in cells)])
    write(text.getvalue().removesuffix("\n"))
    for result in rated:
        print_findings(result.rating.findings, errors())


def csv_cell(value: object) -> object:
    """A cell that no spreadsheet takes for a formula."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return value
    return guarded(clean(value))


def show(rated: Rated, console: Console) -> None:
    """The table and the explanations of a report; nothing of one that was refused."""
    if rated.rating.findings.refused:
        return
    _print_rows(rated, console)
    for row in rated.rating.rows:
        if row.explanation:
            print_explanation(row, console)


def _print_rows(rated: Rated, console: Console) -> None:
    rows = [each.row for each in rated.rating.rows]
    event, book = rated.event, rated.rating.book
    when = " – ".join(str(day) for day in dict.fromkeys((event.start, event.end)) if day)
    said = (event.name, event.place, when, event.pool, name_of(book))
    title = ", ".join(part for part in said if part)
    with_sections = any(row.section for row in rows)
    columns = [">id", "name", *(["section"] if with_sections else []), ">before", ">after",
               ">change", ">games", ">score", ">expected", "status"]  # fmt: skip
    table = plain_table(*columns, title=title)
    for row in rows:
        change = rating_number(row.change, signed=True)
        color = "green" if (row.change or 0) > 0 else "red" if (row.change or 0) < 0 else ""
        after = rating_number(row.after)
        table.add_row(
            clean(row.id),
            Text(clean(row.name)),
            *([clean(row.section or "")] if with_sections else []),
            rating_number(row.before),
            Text(after if row.published or row.after is None else f"({after})", style="bold"),
            Text(change, style=color),
            str(row.games),
            number(row.score),
            number(row.expected),
            row.status,
        )
    console.print(table)
    if any(row.after is not None and not row.published for row in rows):
        console.print(Text("(…) not published", style="dim"))


def name_of(book: AnyRuleBook) -> str:
    """The edition, with the parameters that were set away from its own."""
    changed = (f"{name}={value}" for name, value in book.non_default_parameters.items())
    return " ".join((book.name, *changed)) if book.non_default_parameters else book.name


def print_explanation(rated: RatedRow, console: Console) -> None:
    """A player's derivation, with the steps of a game under its name."""
    row = rated.row
    console.print()
    console.print(
        Text(
            f"{clean(f'{row.id} {row.name}'.strip())}: {rating_number(row.before)} → "
            f"{rating_number(row.after)} ({rating_number(row.change, signed=True)})",
            style="bold",
        )
    )
    game = None
    width = 1 + max((len(step.paragraph) for step in rated.explanation), default=0)
    for step in in_order_of_rounds(rated.explanation):
        if step.game != game and step.game:
            console.print(Text("  ").append(clean(step.game), style="underline"))
        game = step.game
        console.print(_line(step, width))


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


def _line(step: Step, width: int) -> Text:
    line = Text("    " if step.game else "  ")
    line.append(f"{step.paragraph:<{width}}", style="cyan")
    line.append(clean(step.text))
    return line
