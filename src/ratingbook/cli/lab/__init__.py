"""``ratingbook lab``: which system is right, and how right."""

from __future__ import annotations

from datetime import date as a_day
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from ratingbook.cli.command import Command, with_output
from ratingbook.engine.options import Beside
from ratingbook.rules.registry import UnknownRuleBook
from ratingbook.rules.settings import ParameterError


class LabFormat(StrEnum):
    """Output of the lab."""

    table = "table"
    json = "json"


lab = typer.Typer(
    name="lab",
    help="Which system is right: predictions before the games, beside what happened.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@lab.callback()
def _of_several() -> None:
    """Keep the name of the one command that there is so far."""


@lab.command(
    "compare",
    cls=Command,
    short_help="Rule books beside each other on the same games",
    epilog="\b\nExamples:\n  ratingbook lab compare games.csv --rulebooks fide-2009,elo:k=20",
)
@partial(with_output, files=False)
def compare(
    games: Annotated[
        list[Path],
        typer.Argument(
            help="Reports, tables of games, folders and archives of them, as for `history`."
        ),
    ],
    *,
    rulebooks: Annotated[
        str,
        typer.Option(
            metavar="NAME,NAME…",
            help="Editions or series, with parameters if need be: fide-2009,elo:k=20,scale=400.",
        ),
    ],
    since: Annotated[
        str | None,
        typer.Option(
            metavar="YYYY-MM-DD",
            help="Games before this day only find the ratings; else the first quarter of them.",
        ),
    ] = None,
    assume: Annotated[
        float | None,
        typer.Option(help="Rating of players whom an edition would leave unrated for ever."),
    ] = None,
    layers: Annotated[
        bool,
        typer.Option(
            "--layers", help="Each once more, with what White's side and slope add to it."
        ),
    ] = False,
    seed: Annotated[int, typer.Option(min=0, help="Of the draws behind the intervals.")] = 1,
    players: Annotated[
        list[Path] | None, typer.Option(metavar="FILE", help="What is known of players before.")
    ] = None,
    beside: Beside,
    format_: Annotated[LabFormat, typer.Option("--format", help="For people or programs.")] = (
        LabFormat.table
    ),
) -> None:
    """Rate games by several rule books, and score what each expected of them beforehand."""
    from ratingbook.cli.lab import comparing

    try:
        day = None if since is None else a_day.fromisoformat(since)
    except ValueError:
        raise typer.BadParameter(f"{since!r} is no day: YYYY-MM-DD", param_hint="--since") from None
    known = players[0] if players and len(players) == 1 else players
    try:
        refused = comparing.run(
            games, rulebooks, since=day, assume=assume, layers=layers, seed=seed,
            as_json=format_ is LabFormat.json, players=known, **beside,
        )  # fmt: skip
    except (UnknownRuleBook, ParameterError) as error:
        raise typer.BadParameter(str(error), param_hint="--rulebooks") from None
    raise typer.Exit(1 if refused else 0)
