"""The command line: arguments in, exit status out.

Exit status: 0 done, 1 the input was refused with findings, 2 usage.
"""

from __future__ import annotations

import datetime
import os
import sys
import traceback
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from math import isfinite
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from ratingbook import __version__
from ratingbook.cli.command import (
    Command,
    Group,
    check_place,
    epilog_of,
    format_of,
    with_output,
)
from ratingbook.cli.lab import lab
from ratingbook.cli.office import office
from ratingbook.cli.options import (
    ColumnOption,
    EncodingOption,
    Engine,
    EngineOption,
    IdOption,
    MasterOption,
    PlayersOption,
    columns_of,
    id_of,
    master_of,
    pairs_of,
    usage,
)
from ratingbook.cli.screen import errors, say, to_nowhere, told_to
from ratingbook.desk.written import clean
from ratingbook.engine.options import Beside, RunOptions, check_assumption
from ratingbook.formats.tools.nearby import not_there
from ratingbook.model import YEARS, can_be
from ratingbook.rules import registry
from ratingbook.rules.near import did_you_mean
from ratingbook.rules.paragraph import RuleFault
from ratingbook.rules.series import BookOrSeries, Series
from ratingbook.rules.settings import ParameterError

_MAKERS: dict[str, Callable[[], Any]] = {}
"""What makes each command, in the order in which help names them."""


class _Commands(Group):
    """The commands, made when they are asked for: each has many options, and one is run."""

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """One of them; who mistypes is told of names that are like it."""
        if cmd_name not in self.commands:
            self._make([cmd_name] if cmd_name in _MAKERS else _MAKERS)
        return super().get_command(ctx, cmd_name)

    def list_commands(self, ctx: Any) -> list[str]:
        """The names of all."""
        self._make(_MAKERS)
        return [*_MAKERS, *(name for name in self.commands if name not in _MAKERS)]

    def _make(self, names: Iterable[str]) -> None:
        for name in names:
            if name not in self.commands:
                self.commands[name] = _MAKERS[name]()


app = typer.Typer(
    name="ratingbook",
    cls=_Commands,
    help="Rating regulations as exact, explained, executable rule books.",
    epilog="`ratingbook COMMAND --help` has examples; `ratingbook rulebooks` names the rule books.",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

app.add_typer(office)
app.add_typer(lab)


def _command(
    name: str, summary: str, *examples: str, files: bool = False
) -> Callable[[_Function], _Function]:
    """A command with a summary that fits a line of help, and examples below its own.

    ``files``: it writes files of its own, rather than what it prints.
    """

    def register(function: _Function) -> _Function:
        def make() -> Any:
            one = typer.Typer(add_completion=False, rich_markup_mode=None)
            one.command(name, cls=Command, short_help=summary, epilog=epilog_of(examples))(
                with_output(function, files=files)
            )
            return typer.main.get_command(one)

        _MAKERS[name] = make
        return function

    return register


_Function = TypeVar("_Function", bound=Callable[..., Any])

REFUSED = 1
_STOPPED = 130
"""What Typer ends with where somebody presses Ctrl-C, as shells do."""


def _folder(name: str) -> Path:
    """A folder to write into; an empty name, say of a variable that is not set, would be this."""
    if not name.strip():
        raise typer.BadParameter("the name of the folder is empty")
    return Path(name)


def _rule_books(typed: str) -> list[str]:
    """Names of rule books that begin so, for completion."""
    known = sorted([*registry.names(), *registry.families()])
    return [name for name in known if name.startswith(typed.lower())]


RulebookOption = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        autocompletion=_rule_books,
        help="The edition to rate with; or a series, such as fide, by date. `ratingbook rulebooks` "
        "names them.",
    ),
]
FolderRulebookOption = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        autocompletion=_rule_books,
        help="The edition, or a series, such as fide, by date; not needed for a folder that "
        "`history` has written.",
    ),
]
SettingsOption = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="PARAMETER=VALUE", help="Set a parameter of the edition."),
]
PoolOption = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Which pool, where a history was rated in several: rapid, blitz, quick …; by default "
        "that of events that name none.",
    ),
]


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


class TimelineFormat(StrEnum):
    """Output of a player's history, or of one change of it."""

    table = "table"
    json = "json"
    html = "html"


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
    except SystemExit as end:
        if end.code == _STOPPED:
            say(errors(), "ratingbook: stopped by you (Ctrl-C); nothing is half written.")
        raise
    except OSError as error:
        # The files that are read become findings; what is left is the output (a full disk).
        to_nowhere()
        errors().print(f"ratingbook: the output cannot be written: {error}", style="bold red")
        raise SystemExit(REFUSED) from None
    except Exception as error:
        fault = _fault_of_rule_book(error)
        if fault is None:
            raise
        say(errors(), clean(f"ratingbook: {fault}"))
        raise SystemExit(REFUSED) from None


def _fault_of_rule_book(error: Exception) -> str | None:
    """Where an installed rule book, which is none of ours, went wrong; None: it did not."""
    if isinstance(error, RuleFault):
        return str(error)
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if package := registry.package_of(frame.filename):
            return (
                f"the rule book of the package {package} fails in {frame.name}, {frame.filename}, "
                f"line {frame.lineno}: {type(error).__name__}: {error}"
            )
    return None


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"ratingbook {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option(
            "-V", "--version", callback=_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None:
    """Rating regulations as exact, explained, executable rule books."""
    del version


@_command(
    "rulebooks", "List the rule books, or tell all of one", "rulebooks fide-2009", "rulebooks fide"
)
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
        books, missing = registry.editions()
        command.show_editions(books, as_json=format_ is PageFormat.json)
        for each in missing:
            say(errors(), clean(f"ratingbook: {each}"))
    else:
        book = _book(name)
        as_json = format_ is PageFormat.json
        if isinstance(book, Series):
            command.show_series(book, as_json=as_json)
        else:
            command.show_edition(book, as_json=as_json)


@_command(
    "rate",
    "Rate reports: who gains and who loses what",
    "rate open.trf --rulebook fide",
    "rate open.trf --rulebook fide --players list.txt --players games.csv",
    "rate open.trf --rulebook fide --explain Tamm",
    "rate open.trf --rulebook fide -o open.html",
)
def rate(
    reports: Annotated[
        list[Path], typer.Argument(help="Report documents, or files of any format that is read.")
    ],
    rulebook: RulebookOption,
    settings: SettingsOption = None,
    players: PlayersOption = None,
    id_: IdOption = None,
    format_: Annotated[RateFormat, typer.Option("--format", help="For people or programs.")] = (
        RateFormat.table
    ),
    explain: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PLAYER|all",
            help="Explain the change of this player (id, number, or how the name begins), or of "
            "all; may be given several times.",
        ),
    ] = None,
    player: Annotated[
        str | None, typer.Option(help="The page of one player only (with --format html).")
    ] = None,
    list_: Annotated[
        str | None,
        typer.Option(
            "--list",
            metavar="YYYY-MM-DD",
            help="Of the games only those that the rating list of this day takes.",
        ),
    ] = None,
    columns: ColumnOption = None,
    encoding: EncodingOption = None,
) -> None:
    """Rate reports, each by itself, and explain the changes paragraph by paragraph.

    What the files do not say of the players' past comes from `--players`.
    """
    from ratingbook.cli import rate as command
    from ratingbook.desk.explained import NotOne
    from ratingbook.desk.players import read_players_files
    from ratingbook.desk.rated import reports_in

    book = _with_settings(_book(rulebook), settings or ())
    if explain and not all(player.strip() for player in explain):
        raise usage("--explain takes the id of a player, or all")
    if explain and format_ is RateFormat.csv:
        raise usage("--explain goes with --format table, json, jsonl or html; CSV has numbers only")
    everyone = format_ is RateFormat.html or "all" in map(str.lower, explain or ())
    asked = None if everyone else frozenset(explain or ())
    headers = columns_of(columns)
    if player is not None and format_ is not RateFormat.html:
        raise usage("--player makes one player's page: it goes with --format html")
    known = read_players_files(
        players or [], book, reports_in(reports, book, headers), id_of(id_), headers
    )
    try:
        refused = command.run(
            reports, book, known, format_.value, asked, headers, player,
            None if list_ is None else _day(list_, "--list"),
        )  # fmt: skip
    except (command.UnknownPlayers, NotOne) as error:
        raise usage(str(error)) from None
    raise typer.Exit(REFUSED if refused else 0)


@_command(
    "history",
    "Rate a whole history of games into a folder",
    "history events/ more.zip games.csv --rulebook fide --id fide --out office",
    "history office --player Tamm",
    "history office --player Tamm --format html -o tamm.html",
    "history office --correct fixes.csv --preview",
    "history office --correct fixes.csv --out mended",
    files=True,
)
def history(
    games: Annotated[
        list[Path],
        typer.Argument(
            help="Reports of any format that is read, tables of games (date, white, black, score "
            "…), folders and archives of them; or one folder that `history` has written."
        ),
    ],
    *,
    rulebook: FolderRulebookOption = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--out",
            parser=_folder,
            metavar="PATH",
            help="Folder for the ratings and what they are made of; with --player or --explain "
            "the file to write.",
        ),
    ] = None,
    players: PlayersOption = None,
    id_: IdOption = None,
    beside: Beside,
    settings: SettingsOption = None,
    columns: ColumnOption = None,
    how: RunOptions,
    engine: EngineOption = Engine.local,
    master: MasterOption = None,
    correct: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Corrections: event, round, white, black, score, reason …; or a report as it "
            "should be, for a folder of `history`.",
        ),
    ] = None,
    preview: Annotated[
        bool, typer.Option("--preview", help="Tell only what --correct would change.")
    ] = False,
    player: Annotated[
        str | None,
        typer.Option(
            metavar="PLAYER",
            help="Show this player's history: id, number, or how the name begins.",
        ),
    ] = None,
    explain: Annotated[
        str | None,
        typer.Option(
            metavar="PLAYER[@LIST]",
            help="Explain a change instead: of the list of a day, or of the last one.",
        ),
    ] = None,
    format_: Annotated[
        TimelineFormat | None,
        typer.Option("--format", help="Output of --player (table) and --explain (json)."),
    ] = None,
    pool: PoolOption = None,
    encoding: EncodingOption = None,
) -> None:
    """Rate a whole history of games; run it again to go on after a stop, or with more games.

    The folder that it writes keeps the facts: `list` prints the list of any day from it, and
    `history FOLDER` shows players, explains and corrects.
    """
    from ratingbook.engine.left import is_pool

    master = master_of(engine, master)
    if preview and correct is None:
        raise usage("--preview shows what --correct changes: name a file of corrections")
    if explain is not None and (engine is Engine.spark or preview):
        raise usage("--explain is for --engine local, and writes nothing")
    if correct is not None and engine is Engine.spark:
        raise usage("--correct is for --engine local")
    if encoding is not None and engine is Engine.spark:
        raise usage("--encoding is for --engine local")
    if player is not None and explain is not None:
        raise usage("give --player for the whole history, or --explain for one change")
    chosen = format_.value if format_ else "json" if explain is not None else "table"
    if out is not None and (player is not None or explain is not None):
        # With --explain of games a name without a suffix is the folder of the run.
        kinds = ("table", "json", "html") if player is not None else ("table", "json")
        chosen = format_of(out, kinds, chosen, is_said=format_ is not None)
    if pool is not None and player is None and explain is None:
        raise usage("--pool is for --player and --explain; all pools are rated")
    if chosen == "html" and explain is not None:
        raise usage("--format html is for --player")
    is_folder = len(games) == 1 and is_pool(games[0])
    if not is_folder and (made := [path for path in games if is_pool(path)]):
        raise usage(
            f"{made[0]} is a folder that `history` has written: to add reports name all of them, "
            "those of before too, with the same --out; what is rated already is not rated again"
        )
    if player is not None and not is_folder:
        said = not_there(games[0]) or f"{games[0]} is none."
        raise usage(f"--player is for a folder that `history` has written. {said}")
    if rulebook is None and not is_folder:
        raise usage(
            _missing(games)
            or "--rulebook names the edition or series; `ratingbook rulebooks` lists them"
        )
    if is_folder:
        refused = _in_pool(
            games[0], out,
            rulebook or players or any(beside.values()) or settings or how["assume"],
            player=player, explain=explain, chosen=chosen, correct=correct, preview=preview,
            pool=pool,
        )  # fmt: skip
        raise typer.Exit(REFUSED if refused else 0)
    if out is None and explain is None:
        raise usage("--out names the folder for the ratings")
    assert rulebook is not None
    pairs = pairs_of("--set", settings or ())
    book = _with_settings(_book(rulebook), settings or ())
    try:
        check_assumption(how["assume"], book)
    except ValueError as error:
        raise usage(f"--assume: {error}") from error
    from ratingbook.cli import history as command
    from ratingbook.cli import pool as pool_command
    from ratingbook.desk.tables import of_reports

    kind, headers = id_of(id_), columns_of(columns)
    if of_reports(games, players or [], kind):
        is_of_tables = any(beside.values()) or engine is Engine.spark
        if is_of_tables or correct or explain is not None:
            raise usage(
                "--events, --entries, --decisions and --engine spark are for tables of games; "
                "--correct and --explain take the folder that is written: ratingbook history "
                "FOLDER …"
            )
        assert out is not None
        refused = pool_command.rate_reports(
            games, book, out, how, players=players or [], id_kind=kind, columns=headers,
            settings=pairs,
        )  # fmt: skip
        raise typer.Exit(REFUSED if refused else 0)
    beside["players"] = players[0] if players else None
    if explain is not None:
        with told_to(_file(out), quiet=False):
            refused = command.explain(
                games, book, explain, beside, how["assume"], correct=correct,
                as_json=chosen == "json", pool=pool,
            )  # fmt: skip
        raise typer.Exit(REFUSED if refused else 0)
    assert out is not None
    refused = command.run(
        games, book, out, beside, how, settings=pairs, correct=correct, preview=preview,
        master=master,
    )  # fmt: skip
    raise typer.Exit(REFUSED if refused else 0)


def _file(out: Path | None) -> Path | None:
    """The file that --explain of games writes; a name without a suffix is the run's folder."""
    if out is None or not out.suffix or out.is_dir():
        return None
    check_place(out, {})
    return out


def _in_pool(
    folder: Path,
    out: Path | None,
    told: object,
    *,
    player: str | None,
    explain: str | None,
    chosen: str,
    correct: Path | None,
    preview: bool,
    pool: str | None,
) -> bool:
    """What is asked of a folder that a history has written; True if it was refused."""
    from ratingbook.desk.explained import NotOne

    if told:
        raise usage(
            "the folder knows its rule book, players, events and settings: rate the reports anew "
            "to have others"
        )
    if out is not None and (player is not None or explain is not None):
        check_place(out, {})
    try:
        if explain is not None:
            from ratingbook.cli import explained

            with told_to(out, quiet=False):
                return explained.explain(folder, explain, pool, as_json=chosen == "json")
        from ratingbook.cli import pool as command

        if player is not None:
            with told_to(out, quiet=False):
                return command.show_player(folder, player, chosen, pool)
        if correct is None:
            raise usage("say what: --player, --explain, or --correct FILE with --out or --preview")
        if not preview and out is None:
            raise usage("--out names the folder for the corrected history; or see it: --preview")
        if out is not None and out.resolve() == folder.resolve():
            raise usage("--out names another folder: the history of before stays as it is")
        return command.correct(folder, correct, out, preview=preview)
    except NotOne as error:
        raise usage(str(error)) from None


@_command(
    "check",
    "Check files and say what is the matter",
    "check open.trf",
    "check open.trf --rulebook fide-2024 --players list.txt",
)
def check(
    files: Annotated[list[Path], typer.Argument(help="Files of any format that is read.")],
    rulebook: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            autocompletion=_rule_books,
            help="Also check what this edition needs: all that `rate` would refuse.",
        ),
    ] = None,
    settings: SettingsOption = None,
    players: PlayersOption = None,
    id_: IdOption = None,
    format_: Annotated[PageFormat, typer.Option("--format", help="For people or programs.")] = (
        PageFormat.table
    ),
    columns: ColumnOption = None,
    encoding: EncodingOption = None,
) -> None:
    """Check reports and rating lists, and print the findings only."""
    from ratingbook.cli import check as command
    from ratingbook.desk.players import NOBODY, read_players_files
    from ratingbook.desk.rated import reports_in

    if rulebook is None and (settings or players or id_):
        raise usage("--set, --players and --id go with --rulebook")
    book = _with_settings(_book(rulebook), settings or ()) if rulebook else None
    headers = columns_of(columns)
    known = NOBODY
    if book is not None and players:
        known = read_players_files(
            players, book, reports_in(files, book, headers), id_of(id_), headers
        )
    as_json = format_ is PageFormat.json
    refused = command.run(files, book, headers, as_json=as_json, players=known)
    raise typer.Exit(REFUSED if refused else 0)


@_command("formats", "List the formats that are read and written", "formats")
def formats(
    format_: Annotated[PageFormat, typer.Option("--format", help="For people or programs.")] = (
        PageFormat.table
    ),
) -> None:
    """List the formats of files: which are read, and which are written."""
    from ratingbook.cli import formats as command

    command.show(as_json=format_ is PageFormat.json)


@_command(
    "convert",
    "Write a report or a list in another format",
    "convert open.trf open.csv",
    "convert open.trf - --format pgn",
    files=True,
)
def convert(
    file: Annotated[Path, typer.Argument(help="A report of any format that is read.")],
    out: Annotated[
        Path | None, typer.Argument(help="The new file or folder; - for the output.")
    ] = None,
    named: Annotated[
        Path | None, typer.Option("-o", "--out", metavar="FILE", help="The same as OUT.")
    ] = None,
    to: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="NAME",
            help="The format, if the name does not say it; `ratingbook formats` lists them.",
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace what is there already.")] = False,
    columns: ColumnOption = None,
    encoding: EncodingOption = None,
) -> None:
    """Write a report, or a rating list, in another format; and say what it cannot hold."""
    from ratingbook.cli import convert as command
    from ratingbook.formats.lists.convert import LIST_TARGETS
    from ratingbook.formats.registry import targets

    if out is None and named is None:
        raise usage("name the new file: OUT, or -o OUT; - is the output")
    if out is not None and named is not None:
        raise usage("name the new file once: OUT, or -o OUT; - is the output")
    out = out or named
    assert out is not None
    known = dict.fromkeys((*targets(), *LIST_TARGETS))
    to = to and to.lower()
    if to is not None and to not in known:
        raise usage(f"--format knows no {to!r}; {did_you_mean(to, known, 'it takes')}")
    if to is None and out == command.STANDARD_OUTPUT:
        raise usage(f"give the format with --format: {', '.join(known)}")
    refused = command.run(file, out, to, columns_of(columns), force=force)
    raise typer.Exit(REFUSED if refused else 0)


@_command(
    "list", "Print the rating list of a day",
    "list office --date 2026-10-01 -o list.html", "list office --against last-month.json",
    "list after.json --rulebook fide --date 2026-10-01 --format fide-txt",
)  # fmt: skip
def list_(
    standings: Annotated[
        list[Path],
        typer.Argument(
            help="Standings: a folder of `history`, output of `rate` as JSON, a report, a players "
            "file, a federation's list. Of several the first that knows a player holds."
        ),
    ],
    rulebook: FolderRulebookOption = None,
    date: Annotated[
        str | None,
        typer.Option(metavar="YYYY-MM-DD", help="Day of the list; of a folder the last one."),
    ] = None,
    settings: SettingsOption = None,
    format_: Annotated[
        ListingFormat, typer.Option("--format", help="For people, programs or a federation.")
    ] = ListingFormat.table,
    office: Annotated[
        bool, typer.Option("--office", help="The version for tournament offices.")
    ] = False,
    against: Annotated[
        Path | None,
        typer.Option(metavar="OLD", help="Tell who entered, left and moved since this list."),
    ] = None,
    pool: PoolOption = None,
    id_: IdOption = None,
    encoding: EncodingOption = None,
) -> None:
    """Print a rating list as the rules prescribe it, and who is not on it."""
    from ratingbook.cli import lists as command
    from ratingbook.desk.lists import NoDay, list_of

    day = None if date is None else _day(date)
    if (date is None or rulebook is None) and (missing := _missing(standings)):
        raise usage(missing)
    book = None if rulebook is None else _with_settings(_book(rulebook), settings or ())
    try:
        made = list_of(
            standings, book, day, settings={} if book else pairs_of("--set", settings or ()),
            office=office, against=against, pool=pool, id_kind=id_of(id_),
        )  # fmt: skip
    except (NoDay, ParameterError) as error:
        raise usage(str(error)) from None
    raise typer.Exit(REFUSED if command.run(made, format_.value) else 0)


@_command("new", "Begin a rule book of your own", "new dwz-2024", files=True)
def new(
    name: Annotated[
        str, typer.Argument(help="Federation and year of its rules, such as dwz-2024.")
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            "-o", "--out", parser=_folder, metavar="PATH",
            help="The new folder; else one that is called after the federation, here.",
        ),
    ] = None,
) -> None:  # fmt: skip
    """Write the package of a rule book that works at once: rules, text, tests, games to rate.

    Its rules are invented: put those of your federation in their place.
    """
    from ratingbook.cli import new as command

    try:
        command.begin(name, out)
    except command.BadName as error:
        raise usage(str(error)) from None


@_command("verify", "Make a published list again from its bundle", "verify list.zip")
def verify(
    bundle: Annotated[Path, typer.Argument(help="A bundle of a list, from `office bundle`.")],
    key: Annotated[
        str | None,
        typer.Option(
            help="Public key by which it must be signed, from `office key`; or a file with it."
        ),
    ] = None,
    format_: Annotated[PageFormat, typer.Option("--format", help="For people or programs.")] = (
        PageFormat.table
    ),
) -> None:
    """Make the ratings of a published list again from its bundle, and say what differs."""
    from ratingbook.cli import verify as command

    refused = command.run(bundle, key, as_json=format_ is PageFormat.json)
    raise typer.Exit(REFUSED if refused else 0)


@_command("grades", "Go: count even games by grade", "grades club.h9 --rulebook egf-2021")
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
    columns: ColumnOption = None,
    encoding: EncodingOption = None,
) -> None:
    """Count even games by grade, beside what an edition predicts (Go)."""
    from ratingbook.cli import grades as command
    from ratingbook.rules.egf.book import EgfRuleBook

    book = _with_settings(_book(rulebook), settings or ()).edition(None)
    if not isinstance(book, EgfRuleBook):
        raise usage(f"{book.name} knows no grades; take an edition of the EGF")
    refused = command.run(reports, book, format_.value, columns_of(columns))
    raise typer.Exit(REFUSED if refused else 0)


@_command(
    "whatif",
    "What becomes of your rating if …",
    "whatif --rulebook fide --rating 2090 --games 22 2100=1 2250=?",
)
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
    standing: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KEY=VALUE",
            help="What else the rule book reads of you: status=provisional, peak=2100 …",
        ),
    ] = None,
    target: Annotated[
        float | None, typer.Option(help="The rating that you want: which score is enough?")
    ] = None,
    date: Annotated[
        str | None, typer.Option(metavar="YYYY-MM-DD", help="Day of the event; else today.")
    ] = None,
    players: Annotated[
        list[Path] | None,
        typer.Option(
            help="A players file, or a list, with you in it; also for what else a rule book reads."
        ),
    ] = None,
    player: Annotated[
        str | None,
        typer.Option(
            help="You in the players file or the report: id, number, or how the name begins."
        ),
    ] = None,
    id_: IdOption = None,
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
    columns: ColumnOption = None,
    format_: Annotated[PageFormat, typer.Option("--format", help="For people or programs.")] = (
        PageFormat.table
    ),
    encoding: EncodingOption = None,
) -> None:
    """What becomes of your rating if you beat these and lose to those."""
    from ratingbook.cli.whatif import show
    from ratingbook.desk.planned import BadGame
    from ratingbook.desk.whatif import Asker, asked

    if target is not None and not isfinite(target):
        raise usage(f"--target is a rating, not {target}")
    day = None if date is None else _day(date)
    book = _with_settings(_book(rulebook), settings or ())
    said = Asker(
        rating, rated_games, grade, birth_year, pairs_of("--standing", standing or ()), player,
        players or (), id_of(id_), columns=columns_of(columns),
    )  # fmt: skip
    try:
        answer = asked(
            games, book, said, day=day, full_event=full_event,
            about=pairs_of("--event", event or ()), explain=explain,
        )  # fmt: skip
    except BadGame as error:
        raise usage(str(error)) from None
    answer.target = target
    show(answer, as_json=format_ is PageFormat.json)
    raise typer.Exit(REFUSED if answer.findings.refused else 0)


def _missing(paths: Sequence[Path]) -> str | None:
    """That one of several is not there, before what only it could have said is asked for."""
    return next((f"{path}: {said}" for path in paths if (said := not_there(path))), None)


def _day(text: str, option: str = "--date") -> datetime.date:
    try:
        day = datetime.date.fromisoformat(text)
    except ValueError:
        raise usage(f"{option} takes a day as YYYY-MM-DD, not {text!r}") from None
    if not can_be(day):
        raise usage(f"{option} takes a day of the years {YEARS[0]} to {YEARS[1]}, not {text!r}")
    return day


def _book(name: str) -> BookOrSeries:
    try:
        return registry.load(name)
    except registry.UnknownRuleBook as error:
        raise usage(str(error)) from None


def _with_settings(book: BookOrSeries, settings: Sequence[str]) -> BookOrSeries:
    try:
        return book.with_parameters(pairs_of("--set", settings))
    except ParameterError as error:
        raise usage(str(error)) from None
