"""The commands of ``ratingbook lab``: which system is right, and how right."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date as a_day
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from ratingbook.cli.command import Command, check_place, format_of, with_output
from ratingbook.cli.lab import worlds
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
    usage,
)
from ratingbook.engine.options import AssumptionError, Beside


class LabFormat(StrEnum):
    """Output of the lab."""

    table = "table"
    json = "json"


class Grouping(StrEnum):
    """By what the games of a comparison can be told apart."""

    band = "band"
    experience = "experience"
    year = "year"


GamesArgument = Annotated[
    list[Path],
    typer.Argument(
        help="Reports, tables of games, folders and archives of them, as for `history`."
    ),
]
SinceOption = Annotated[
    str | None,
    typer.Option(
        metavar="YYYY-MM-DD",
        help="Games before this day only find the ratings; else the first quarter of them.",
    ),
]
AssumeOption = Annotated[
    float | None,
    typer.Option(help="Rating of players whom an edition would leave unrated for ever."),
]
SeedOption = Annotated[int, typer.Option(min=0, help="Of the draws behind the intervals.")]
FormatOption = Annotated[LabFormat, typer.Option("--format", help="For people or programs.")]

lab = typer.Typer(rich_markup_mode=None)
"""Only holds the commands, for the group in the package above."""


@lab.command(
    "compare",
    cls=Command,
    short_help="Rule books beside each other on the same games",
    epilog="\b\nExamples:\n  ratingbook lab compare games.csv --rulebook fide-2009,elo:k=20 "
    "--html report.html",
)
@partial(with_output, files=False)
def compare(
    games: GamesArgument,
    *,
    rulebook: Annotated[
        str,
        typer.Option(
            metavar="NAME[,NAME…]",
            help="Editions or series, with parameters if need be: fide-2009,elo:k=20,scale=400; "
            "beside them bradley-terry, which is found anew each year.",
        ),
    ],
    since: SinceOption = None,
    assume: AssumeOption = None,
    layers: Annotated[
        bool,
        typer.Option(
            "--layers",
            help="Each once more, with White's side, slope and draws as earlier games have them.",
        ),
    ] = False,
    layers_since: Annotated[
        str | None,
        typer.Option(
            metavar="YYYY-MM-DD",
            help="Find the layers only in the games from this day on that do not count.",
        ),
    ] = None,
    by: Annotated[
        list[Grouping] | None,
        typer.Option(
            help="The same games by rating, by the games of the less experienced player, by year."
        ),
    ] = None,
    seed: SeedOption = 1,
    players: PlayersOption = None,
    id_: IdOption = None,
    columns: ColumnOption = None,
    beside: Beside,
    encoding: EncodingOption = None,
    format_: FormatOption = LabFormat.table,
    html: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a page for a commission, with charts, too."),
    ] = None,
) -> None:
    """Rate games by several rule books, and score what each expected of them beforehand."""
    from ratingbook.cli.lab import comparing

    if html is not None:
        check_place(html, {"games": games, "players": players}, "--html")
        format_of(html, ("html",), "html", is_said=True, option="--html")
    _run(
        comparing.run, games, rulebook, since=since, assume=assume,
        layers=layers or layers_since is not None,
        layers_since=_day("--layers-since", layers_since), seed=seed, format_=format_,
        players=players, id_=id_, columns=columns, beside=beside, html=html,
        by=[each.value for each in by or ()], encoding=encoding,
    )  # fmt: skip


@lab.command(
    "calibrate",
    cls=Command,
    short_help="Expected beside scored, by difference of ratings and by grade",
    epilog="\b\nExamples:\n  ratingbook lab calibrate games.csv --rulebook elo,elo:home=65\n"
    "  ratingbook lab calibrate even-games.csv --rulebook egf-1998,egf-2021",
)
@partial(with_output, files=False)
def calibrate(
    games: GamesArgument,
    *,
    rulebook: Annotated[
        str,
        typer.Option(
            metavar="NAME[,NAME…]",
            help="An edition or series, or several; with parameters if need be: elo:home=65.",
        ),
    ],
    since: SinceOption = None,
    assume: AssumeOption = None,
    seed: SeedOption = 1,
    players: PlayersOption = None,
    id_: IdOption = None,
    columns: ColumnOption = None,
    beside: Beside,
    encoding: EncodingOption = None,
    format_: FormatOption = LabFormat.table,
) -> None:
    """Hold what rule books expect against what was scored, by difference and by strength.

    In Go with the table of even games by grade; such a table alone will do, too.
    """
    from ratingbook.cli.lab import calibrating

    _run(
        calibrating.run, games, rulebook, since=since, assume=assume, seed=seed, format_=format_,
        players=players, id_=id_, columns=columns, beside=beside,
    )  # fmt: skip


@lab.command(
    "fit",
    cls=Command,
    short_help="The parameters of a rule book that expect best what happens",
    epilog="\b\nExamples:\n  ratingbook lab fit games.csv --rulebook elo --parameter k=5..60 "
    "--parameter scale=200..800\n"
    "  ratingbook lab fit games.csv --rulebook elo:k=27,scale=410 --parameter k=5..60 "
    "--grid 20 --engine spark",
)
@partial(with_output, files=False)
def fit(
    games: GamesArgument,
    *,
    rulebook: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="An edition, with parameters if need be (elo:k=30): the fit begins at them.",
        ),
    ],
    parameter: Annotated[
        list[str],
        typer.Option(metavar="NAME=FROM..TO", help="A parameter to look for, and where: k=10..40."),
    ],
    since: SinceOption = None,
    until: Annotated[
        str | None,
        typer.Option(
            metavar="YYYY-MM-DD",
            help="Games from this day on are held out; else the last quarter of them.",
        ),
    ] = None,
    grid: Annotated[
        int | None,
        typer.Option(
            min=2,
            metavar="N",
            help="Try N values of each parameter with each of the others first, and begin at the "
            "best.",
        ),
    ] = None,
    jobs: Annotated[int, typer.Option(min=1, help="Processes at a time for the grid.")] = 1,
    engine: EngineOption = Engine.local,
    master: MasterOption = None,
    assume: AssumeOption = None,
    seed: SeedOption = 1,
    players: PlayersOption = None,
    id_: IdOption = None,
    columns: ColumnOption = None,
    beside: Beside,
    encoding: EncodingOption = None,
    format_: FormatOption = LabFormat.table,
) -> None:
    """Look for the parameters of an edition that expect best what happens.

    They are fitted to the games before a day, and tried on those that come after.
    """
    from ratingbook.cli.lab import fitting

    address = master_of(engine, master)
    if grid is None and (jobs > 1 or address is not None):
        raise usage("--jobs and --engine are for --grid")
    _run(
        fitting.run, games, rulebook, since=since, assume=assume, seed=seed, format_=format_,
        players=players, id_=id_, columns=columns, beside=beside,
        hint="--rulebook, --parameter", parameters=parameter, until=_day("--until", until),
        grid=grid or 0, jobs=jobs, master=address,
    )  # fmt: skip


def _run(
    run: Callable[..., bool],
    games: list[Path],
    rulebooks: str,
    *,
    since: str | None,
    format_: LabFormat,
    players: list[Path] | None,
    id_: str | None,
    columns: list[str] | None,
    beside: Beside,
    hint: str = "--rulebook",
    **more: Any,
) -> None:
    """Run a command of the lab; what its options cannot mean is told as their fault."""
    from ratingbook.rules.registry import UnknownRuleBook
    from ratingbook.rules.settings import ParameterError

    try:
        refused = run(
            games, rulebooks, since=_day("--since", since), as_json=format_ is LabFormat.json,
            players=players, id_kind=id_of(id_), columns=columns_of(columns), **beside, **more,
        )  # fmt: skip
    except AssumptionError as error:
        raise typer.BadParameter(str(error), param_hint="--assume") from None
    except (UnknownRuleBook, ParameterError) as error:
        raise typer.BadParameter(str(error), param_hint=hint) from None
    raise typer.Exit(1 if refused else 0)


def _day(option: str, text: str | None) -> a_day | None:
    try:
        return None if text is None else a_day.fromisoformat(text)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is no day: YYYY-MM-DD", param_hint=option) from None


worlds.register(lab)
