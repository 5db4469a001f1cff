"""The command line: arguments in, exit status out.

Exit status: 0 done, 1 the input was refused with findings, 2 usage.
"""

from __future__ import annotations

import codecs
import datetime
import os
import sys
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from ratingbook import __version__
from ratingbook.cli.office import office
from ratingbook.cli.screen import clean, errors, to_nowhere
from ratingbook.rules import registry
from ratingbook.rules.series import BookOrSeries, Series
from ratingbook.rules.settings import ParameterError

app = typer.Typer(
    name="ratingbook",
    help="Rating regulations as exact, explained, executable rule books.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

app.add_typer(office)

REFUSED = 1

ALL_CORES = "local[*]"
"""The Spark master that is this machine."""


def _folder(name: str) -> Path:
    """A folder to write into; an empty name, say of a variable that is not set, would be this."""
    if not name.strip():
        raise typer.BadParameter("the name of the folder is empty")
    return Path(name)


ColumnOption = Annotated[
    list[str] | None,
    typer.Option(
        "--column", metavar="FIELD=HEADER", help="Which column of a table holds what: white=Weiß."
    ),
]


def _encoding(name: str) -> str:
    """The name of an encoding of text."""
    try:
        is_text = getattr(codecs.lookup(name), "_is_text_encoding", True)
    except (LookupError, ValueError):
        is_text = False
    if not is_text:
        raise typer.BadParameter(f"{name!r} is no encoding; cp1251, koi8-r, gb18030 … are")
    return name


EncodingOption = Annotated[
    str | None,
    typer.Option(
        parser=_encoding,
        metavar="NAME",
        help="The encoding of text files, where it is not told rightly: cp1251, shift_jis …",
    ),
]


class Engine(StrEnum):
    """Where ``history`` rates."""

    local = "local"
    spark = "spark"


class RateFormat(StrEnum):
    """Output of ``rate``."""

    table = "table"
    json = "json"
    jsonl = "jsonl"
    csv = "csv"
    html = "html"


class ListFormat(StrEnum):
    """Output of ``grades``."""

    table = "table"
    csv = "csv"
    json = "json"
    html = "html"


class ListingFormat(StrEnum):
    """Output of ``list``: the last four are files of the federations."""

    table = "table"
    csv = "csv"
    json = "json"
    html = "html"
    fide_txt = "fide-txt"
    fide_xml = "fide-xml"
    iccf = "iccf"
    iecg = "iecg"


class PageFormat(StrEnum):
    """Output of ``check`` and ``rulebooks``."""

    table = "table"
    json = "json"


def main() -> None:
    """Entry point of the installed command."""
    for name in ("stdout", "stderr"):
        # Without a stream, as under pythonw: nowhere, and open until the process ends.
        stream = getattr(sys, name) or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")
        setattr(sys, name, stream)
    try:
        app()
    except OSError as error:
        # The files that are read become findings; what is left is the output (a full disk).
        to_nowhere()
        errors().print(f"ratingbook: the output cannot be written: {error}", style="bold red")
        raise SystemExit(REFUSED) from None


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"ratingbook {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Rating regulations as exact, explained, executable rule books."""
    del version


@app.command()
def rulebooks(
    name: Annotated[
        str | None, typer.Argument(help="An edition, such as fide-2009, or a series: fide.")
    ] = None,
    format_: Annotated[PageFormat, typer.Option("--format", help="For people or programs.")] = (
        PageFormat.table
    ),
) -> None:
    """List the editions; one edition's paragraphs and readings; or what a series changed when."""
    from ratingbook.cli import rulebooks as command

    if name is None:
        books = [registry.edition(each) for each in registry.names()]
        command.show_editions(books, as_json=format_ is PageFormat.json)
    else:
        book = _book(name)
        as_json = format_ is PageFormat.json
        if isinstance(book, Series):
            command.show_series(book, as_json=as_json)
        else:
            command.show_edition(book, as_json=as_json)


@app.command()
def rate(
    reports: Annotated[
        list[Path], typer.Argument(help="Report documents, or files of any format that is read.")
    ],
    rulebook: Annotated[
        str, typer.Option(help="The edition to rate with; or a series, such as fide, by date.")
    ],
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="PARAMETER=VALUE", help="Set a parameter of the edition."),
    ] = None,
    players: Annotated[
        Path | None,
        typer.Option(help="Standings by player id (CSV or JSON), or a federation's rating list."),
    ] = None,
    format_: Annotated[RateFormat, typer.Option("--format", help="For people or programs.")] = (
        RateFormat.table
    ),
    explain: Annotated[
        list[str] | None,
        typer.Option(metavar="PLAYER|all", help="Explain the change of this player, or of all."),
    ] = None,
    player: Annotated[
        str | None, typer.Option(help="The page of one player only (with --format html).")
    ] = None,
    columns: ColumnOption = None,
    encoding: EncodingOption = None,
) -> None:
    """Rate reports, each by itself."""
    from ratingbook.cli import rate as command
    from ratingbook.cli.naming import NobodyCalled
    from ratingbook.cli.rated import read_players_file, reports_in

    book = _with_settings(_book(rulebook), settings or ())
    if explain and not all(player.strip() for player in explain):
        raise _usage("--explain takes the id of a player, or all")
    everyone = format_ is RateFormat.html or "all" in (explain or ())
    asked = None if everyone else frozenset(explain or ())
    headers = _columns(columns)
    known = read_players_file(players, book, reports_in(reports, book, headers, encoding), encoding)
    if player is not None and format_ is not RateFormat.html:
        raise _usage("--player makes one player's page: it goes with --format html")
    try:
        refused = command.run(reports, book, known, format_.value, asked, headers, encoding, player)
    except NobodyCalled as error:
        raise _usage(str(error)) from None
    raise typer.Exit(REFUSED if refused else 0)


@app.command()
def history(
    games: Annotated[
        list[Path],
        typer.Argument(help="Games as Parquet, Arrow or CSV: date, white, black, score …"),
    ],
    rulebook: Annotated[
        str, typer.Option(help="The edition to rate with; or a series, such as fide, by date.")
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            parser=_folder, metavar="<path>", help="Folder for ratings.parquet and changes.parquet."
        ),
    ] = None,
    players: Annotated[
        Path | None, typer.Option(help="What is known of players before: id, rating, games …")
    ] = None,
    events: Annotated[
        Path | None, typer.Option(help="Events: event, start, end, kind, class, level …")
    ] = None,
    entries: Annotated[Path | None, typer.Option(help="Entries: event, player, grade.")] = None,
    decisions: Annotated[
        Path | None, typer.Option(help="Decisions of the office: player, date, kind, value.")
    ] = None,
    assume: Annotated[
        float | None,
        typer.Option(help="Rating of players whom the edition would leave unrated for ever."),
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="PARAMETER=VALUE", help="Set a parameter of the edition."),
    ] = None,
    engine: Annotated[Engine, typer.Option(help="This machine, or a Spark cluster.")] = (
        Engine.local
    ),
    master: Annotated[
        str | None,
        typer.Option(help=f"Spark master: local[2], spark://host:7077 …; else {ALL_CORES}."),
    ] = None,
    changes: Annotated[
        bool, typer.Option("--changes/--no-changes", help="Whether to write changes.parquet.")
    ] = True,
    checkpoint: Annotated[
        float, typer.Option(min=0, help="Seconds between checkpoints, from which a run goes on.")
    ] = 10.0,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Begin anew, whatever the folder holds.")
    ] = False,
    correct: Annotated[
        Path | None,
        typer.Option(help="Corrections: event, round, white, black, score, reason …"),
    ] = None,
    preview: Annotated[
        bool, typer.Option("--preview", help="Write only what --correct changes: preview.parquet.")
    ] = False,
    explain: Annotated[
        str | None,
        typer.Option(
            metavar="PLAYER[@LIST]",
            help="Explain a change instead: of the list of a day, or of the last one.",
        ),
    ] = None,
    format: Annotated[PageFormat, typer.Option(help="Output of --explain.")] = PageFormat.json,
    encoding: EncodingOption = None,
) -> None:
    """Rate a whole history of games; run it again to go on after a stop, or with more games."""
    from ratingbook.cli import history as command
    from ratingbook.engine.history.api import check_assumption

    if master is not None and engine is not Engine.spark:
        raise _usage("--master is for --engine spark")
    if preview and correct is None:
        raise _usage("--preview shows what --correct changes: name a file of corrections")
    if out is None and explain is None:
        raise _usage("--out names the folder for the ratings")
    if explain is not None and (engine is Engine.spark or preview):
        raise _usage("--explain is for --engine local, and writes nothing")
    if correct is not None and engine is Engine.spark:
        raise _usage("--correct is for --engine local")
    if encoding is not None and engine is Engine.spark:
        raise _usage("--encoding is for --engine local")
    book = _with_settings(_book(rulebook), settings or ())
    if assume is not None:
        try:
            check_assumption(assume, book)
        except ValueError as error:
            raise _usage(f"--assume: {error}") from error
    if explain is not None:
        refused = command.explain(
            games, book, explain, players=players, events=events, entries=entries,
            decisions=decisions, assume=assume, correct=correct,
            as_json=format is PageFormat.json, encoding=encoding,
        )  # fmt: skip
        raise typer.Exit(REFUSED if refused else 0)
    assert out is not None
    refused = command.run(
        games, book, out, players=players, events=events, entries=entries, decisions=decisions,
        assume=assume,
        master=(master or ALL_CORES) if engine is Engine.spark else None, changes=changes,
        fresh=fresh, seconds=checkpoint, correct=correct, preview=preview, encoding=encoding,
    )  # fmt: skip
    raise typer.Exit(REFUSED if refused else 0)


@app.command()
def check(
    files: Annotated[list[Path], typer.Argument(help="Files of any format that is read.")],
    rulebook: Annotated[
        str | None, typer.Option(help="Also check what this edition needs.")
    ] = None,
    format_: Annotated[PageFormat, typer.Option("--format", help="For people or programs.")] = (
        PageFormat.table
    ),
    columns: ColumnOption = None,
    encoding: EncodingOption = None,
) -> None:
    """Check reports and rating lists, and print the findings only."""
    from ratingbook.cli import check as command

    book = _book(rulebook) if rulebook else None
    refused = command.run(
        files, book, _columns(columns), encoding, as_json=format_ is PageFormat.json
    )
    raise typer.Exit(REFUSED if refused else 0)


@app.command()
def formats(
    format_: Annotated[PageFormat, typer.Option("--format", help="For people or programs.")] = (
        PageFormat.table
    ),
) -> None:
    """List the formats of files: which are read, and which are written."""
    from ratingbook.cli import formats as command

    command.show(as_json=format_ is PageFormat.json)


@app.command()
def convert(
    file: Annotated[Path, typer.Argument(help="A report of any format that is read.")],
    out: Annotated[Path, typer.Argument(help="The new file or folder; - for the output.")],
    to: Annotated[
        str | None,
        typer.Option(help="The format, if the name does not say it; `formats` lists them."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace what is there already.")] = False,
    columns: ColumnOption = None,
    encoding: EncodingOption = None,
) -> None:
    """Write a report, or a rating list, in another format; and say what it cannot hold."""
    from ratingbook.cli import convert as command
    from ratingbook.formats.lists.convert import LIST_TARGETS
    from ratingbook.formats.registry import targets

    known = dict.fromkeys((*targets(), *LIST_TARGETS))
    if to is not None and to not in known:
        raise _usage(f"--to takes one of {', '.join(known)}, not {to!r}")
    if to is None and out == command.STANDARD_OUTPUT:
        raise _usage(f"give the format with --to: {', '.join(known)}")
    refused = command.run(file, out, to, _columns(columns), encoding, force=force)
    raise typer.Exit(REFUSED if refused else 0)


@app.command("list")
def list_(
    standings: Annotated[
        Path, typer.Argument(help="Standings: output of rate as JSON, a report, a players file.")
    ],
    rulebook: Annotated[str, typer.Option(help="The edition whose list it is.")],
    date: Annotated[str, typer.Option(metavar="YYYY-MM-DD", help="Day of the list.")],
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="PARAMETER=VALUE", help="Set a parameter of the edition."),
    ] = None,
    format_: Annotated[
        ListingFormat, typer.Option("--format", help="For people, programs or a federation.")
    ] = ListingFormat.table,
    office: Annotated[
        bool, typer.Option("--office", help="The version for tournament offices.")
    ] = False,
    encoding: EncodingOption = None,
) -> None:
    """Print a rating list as the rules prescribe it, and who is not on it."""
    from ratingbook.cli import lists as command

    day = _day(date)
    book = _with_settings(_book(rulebook), settings or ()).edition(day).on(day)
    refused = command.run(standings, book, day, format_.value, encoding, office=office)
    raise typer.Exit(REFUSED if refused else 0)


@app.command()
def verify(
    bundle: Annotated[Path, typer.Argument(help="A bundle of a list, from `office bundle`.")],
    format_: Annotated[PageFormat, typer.Option("--format", help="For people or programs.")] = (
        PageFormat.table
    ),
) -> None:
    """Make the ratings of a published list again from its bundle, and say what differs."""
    from ratingbook.cli import verify as command

    refused = command.run(bundle, as_json=format_ is PageFormat.json)
    raise typer.Exit(REFUSED if refused else 0)


@app.command()
def grades(
    reports: Annotated[
        list[Path], typer.Argument(help="Reports, or tables of even games by grade (CSV).")
    ],
    rulebook: Annotated[str, typer.Option(help="The EGF edition that predicts.")],
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="PARAMETER=VALUE", help="Set a parameter of the edition."),
    ] = None,
    format_: Annotated[ListFormat, typer.Option("--format", help="For people or programs.")] = (
        ListFormat.table
    ),
    encoding: EncodingOption = None,
) -> None:
    """Count even games by grade, beside what an edition predicts (Go)."""
    from ratingbook.cli import grades as command
    from ratingbook.rules.egf.book import EgfRuleBook

    book = _with_settings(_book(rulebook), settings or ()).edition(None)
    if not isinstance(book, EgfRuleBook):
        raise _usage(f"{book.name} knows no grades; take an edition of the EGF")
    refused = command.run(reports, book, format_.value, encoding)
    raise typer.Exit(REFUSED if refused else 0)


@app.command()
def whatif(
    games: Annotated[
        list[str],
        typer.Argument(
            metavar="OPPONENT=SCORE...|REPORT",
            help="1900=1, 2050/12=½ (who has 12 games), 5k/give2=0 (you give 2 stones), "
            "1d/take3=1 (you take 3), 2200=? (open); or a report in which you have open games.",
        ),
    ],
    rulebook: Annotated[
        str, typer.Option(help="The edition to rate with; of a series the one of the day.")
    ],
    rating: Annotated[float | None, typer.Option(help="Your rating.")] = None,
    rated_games: Annotated[
        int | None, typer.Option("--games", min=0, help="Your rated games so far.")
    ] = None,
    grade: Annotated[str | None, typer.Option(help="Your grade (Go).")] = None,
    birth_year: Annotated[
        int | None, typer.Option(min=1900, max=2100, help="Your year of birth, where age matters.")
    ] = None,
    target: Annotated[
        float | None, typer.Option(help="The rating that you want: which score is enough?")
    ] = None,
    date: Annotated[
        str | None, typer.Option(metavar="YYYY-MM-DD", help="Day of the event; else today.")
    ] = None,
    players: Annotated[Path | None, typer.Option(help="A players file with you in it.")] = None,
    player: Annotated[
        str | None, typer.Option(help="Your id in the players file; in a report id or name.")
    ] = None,
    event: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY=VALUE", help="What is special: class=B, category=open_class …"),
    ] = None,
    full_event: Annotated[
        bool,
        typer.Option(
            "--full-event", help="US Chess: rate the opponents too, as if all met only you."
        ),
    ] = False,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="PARAMETER=VALUE", help="Set a parameter of the edition."),
    ] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Derive the change.")] = False,
    format_: Annotated[PageFormat, typer.Option("--format", help="For people or programs.")] = (
        PageFormat.table
    ),
    encoding: EncodingOption = None,
) -> None:
    """What becomes of your rating if you beat these and lose to those."""
    from ratingbook.cli import whatif as command
    from ratingbook.cli.whatif_answer import show

    day = None if date is None else _day(date)
    book = _with_settings(_book(rulebook), settings or ())
    said = command.Asker(rating, rated_games, grade, birth_year)
    try:
        answer = command.asked(
            games, book, said, players=players, player=player, day=day, full_event=full_event,
            about=_pairs("--event", event or ()), explain=explain, encoding=encoding,
        )  # fmt: skip
    except command.BadGame as error:
        raise _usage(str(error)) from None
    answer.target = target
    show(answer, as_json=format_ is PageFormat.json)
    raise typer.Exit(REFUSED if answer.findings.refused else 0)


def _day(text: str) -> datetime.date:
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        raise _usage(f"--date takes a day as YYYY-MM-DD, not {text!r}") from None


def _book(name: str) -> BookOrSeries:
    try:
        return registry.load(name)
    except registry.UnknownRuleBook as error:
        raise _usage(str(error)) from None


def _with_settings(book: BookOrSeries, settings: Sequence[str]) -> BookOrSeries:
    try:
        return book.with_parameters(_pairs("--set", settings))
    except ParameterError as error:
        raise _usage(str(error)) from None


def _pairs(option: str, texts: Sequence[str]) -> dict[str, str]:
    """The NAME=VALUE pairs of an option that may repeat."""
    values = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise _usage(f"{option} takes {'PARAMETER' if option == '--set' else 'KEY'}=VALUE, "
                         f"not {text!r}")  # fmt: skip
        if name.strip() in values:
            raise _usage(f"{option} gives {name.strip()} twice")
        values[name.strip()] = value.strip()
    return values


def _columns(texts: Sequence[str] | None) -> dict[str, str] | None:
    """The columns of a table as they were named."""
    from ratingbook.formats.tables.words import fields

    columns = _pairs("--column", texts or ())
    unknown = sorted(columns.keys() - fields())
    if unknown:
        raise _usage(f"--column knows no field {unknown[0]!r}; it knows {', '.join(fields())}")
    return columns or None


def _usage(message: str) -> typer.Exit:
    """Say what was wrong with the call; exit status 2."""
    errors().print(clean(f"ratingbook: {message}"), style="bold red")
    return typer.Exit(2)
