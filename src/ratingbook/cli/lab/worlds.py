"""``ratingbook lab simulate``, ``sweep``, ``reform`` and ``scenario``: what if."""

from __future__ import annotations

from datetime import date as a_day
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from ratingbook.cli.command import Command, with_output
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
)
from ratingbook.engine.options import AssumptionError, Beside
from ratingbook.rules.registry import UnknownRuleBook
from ratingbook.rules.settings import ParameterError


class WorldFormat(StrEnum):
    """Output of simulations."""

    table = "table"
    json = "json"


_Format = Annotated[WorldFormat, typer.Option("--format", help="For people or programs.")]
_Book = Annotated[
    str,
    typer.Option(
        metavar="NAME[:P=V,…]", help="An edition, with parameters if need be: elo:k=20,scale=400."
    ),
]
_Scenario = Annotated[
    str,
    typer.Option(
        metavar="NAME|FILE", help="A world: `ratingbook lab scenario` names them; or a file of one."
    ),
]
_Numbers = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="Another number of the scenario: years=30."),
]
_Day = Annotated[
    str | None,
    typer.Option("--from", metavar="YYYY-MM-DD", help="The day from which a reform holds."),
]
_Edition = Annotated[
    str | None, typer.Option("--to", metavar="EDITION", help="Another edition from that day on.")
]
_Changes = Annotated[
    list[str] | None,
    typer.Option("--change", metavar="P=V", help="Another parameter from that day on."),
]
_Lift = Annotated[
    str | None,
    typer.Option(
        metavar="SHARE@RATING",
        help="Ratings below RATING are lifted by that share of what they lack, once: 0.4@2000.",
    ),
]
_Add = Annotated[float, typer.Option("--add", help="Points that are added to every rating, once.")]


def scenario(
    name: Annotated[str | None, typer.Argument(help="One of them; else all are named.")] = None,
) -> None:
    """Name the scenarios, or print one as a file that can be edited."""
    from ratingbook.cli.lab import simulating
    from ratingbook.lab.simulate.scenario import ScenarioError

    try:
        simulating.show_scenarios(name)
    except ScenarioError as error:
        raise typer.BadParameter(str(error), param_hint="NAME") from None


def simulate(
    *,
    rulebook: _Book,
    scenario: _Scenario = "club",
    numbers: _Numbers = None,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same games.")] = 1,
    within: Annotated[
        int, typer.Option(min=1, help="Points within which a newcomer counts as found.")
    ] = 50,
    day: _Day = None,
    edition: _Edition = None,
    changes: _Changes = None,
    lift: _Lift = None,
    add: _Add = 0.0,
    write: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Write the games, players, strengths and scenario."),
    ] = None,
    format_: _Format = WorldFormat.table,
) -> None:
    """Play years of games between people of known strength, and rate them by a rule book."""
    from ratingbook.cli.lab import simulating

    with _Usage():
        refused = simulating.run_simulation(
            rulebook, simulating.world_of(scenario, numbers), seed=seed, within=within,
            reform=_reform(day, edition, changes, lift, add), folder=write,
            as_json=format_ is WorldFormat.json,
        )  # fmt: skip
    raise typer.Exit(1 if refused else 0)


def sweep(
    *,
    rulebook: _Book,
    over: Annotated[
        list[str],
        typer.Option(
            metavar="P=V,V…",
            help="A parameter of the rule book and its values; each of several with each other.",
        ),
    ],
    scenario: _Scenario = "club",
    numbers: _Numbers = None,
    seed: Annotated[int, typer.Option(min=0, help="Of the first run.")] = 1,
    runs: Annotated[int, typer.Option(min=1, help="Seeds for each setting.")] = 5,
    jobs: Annotated[int, typer.Option(min=1, help="Processes at a time.")] = 1,
    engine: EngineOption = Engine.local,
    master: MasterOption = None,
    format_: _Format = WorldFormat.table,
) -> None:
    """Simulate the same world under many settings, several times each."""
    from ratingbook.cli.lab import simulating

    with _Usage():
        refused = simulating.run_sweep(
            rulebook, over, simulating.world_of(scenario, numbers),
            seeds=range(seed, seed + runs), jobs=jobs, master=master_of(engine, master),
            as_json=format_ is WorldFormat.json,
        )  # fmt: skip
    raise typer.Exit(1 if refused else 0)


def reform(
    games: Annotated[
        list[Path],
        typer.Argument(
            help="Reports, tables of games, folders and archives of them, as for `history`."
        ),
    ],
    *,
    rulebook: _Book,
    day: _Day = None,
    edition: _Edition = None,
    changes: _Changes = None,
    lift: _Lift = None,
    add: _Add = 0.0,
    assume: Annotated[
        float | None,
        typer.Option(help="Rating of players whom an edition would leave unrated for ever."),
    ] = None,
    players: PlayersOption = None,
    id_: IdOption = None,
    columns: ColumnOption = None,
    beside: Beside,
    encoding: EncodingOption = None,
    format_: _Format = WorldFormat.table,
) -> None:
    """Rate real games twice, with a reform and without it, and tell how the ratings differ."""
    from ratingbook.cli.lab import simulating

    with _Usage():
        tried = _reform(day, edition, changes, lift, add)
        if tried is None:
            raise typer.BadParameter(
                "say from which day on: --from YYYY-MM-DD", param_hint="--from"
            )
        refused = simulating.run_reform(
            games, rulebook, tried, assume=assume, as_json=format_ is WorldFormat.json,
            players=players, id_kind=id_of(id_), columns=columns_of(columns), **beside,
        )  # fmt: skip
    raise typer.Exit(1 if refused else 0)


def _reform(
    day: str | None, edition: str | None, changes: list[str] | None, lift: str | None, add: float
) -> Any:
    """The reform that options say; None: they say none."""
    from ratingbook.cli.lab.simulating import pairs
    from ratingbook.lab.reform import Reform, ReformError, lift_of

    if day is None:
        if edition or changes or lift or add:
            raise ReformError("say from which day on: --from YYYY-MM-DD")
        return None
    try:
        since = a_day.fromisoformat(day)
    except ValueError:
        raise ReformError(f"--from takes a day as YYYY-MM-DD, not {day!r}") from None
    share, towards = lift_of(lift) if lift else (0.0, 0.0)
    return Reform(
        since, edition, pairs("--change", changes or ()), points=add, share=share, towards=towards
    )


class _Usage:
    """What was wrong with the call: exit status 2 with a sentence."""

    def __enter__(self) -> None:
        """Nothing."""

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        """Tell it."""
        from ratingbook.lab.reform import ReformError
        from ratingbook.lab.simulate.scenario import ScenarioError

        told = UnknownRuleBook | ParameterError | ReformError | ScenarioError | AssumptionError
        if isinstance(error, told):
            raise typer.BadParameter(str(error)) from None


def register(lab: typer.Typer) -> None:
    """Add the commands to ``ratingbook lab``."""
    for name, function, summary, example in (
        ("simulate", simulate, "Inflation, newcomers and reforms, where the truth is known",
         "simulate --rulebook uscf-2011:bonus=14 --scenario juniors"),
        ("sweep", sweep, "The same world under many settings",
         "sweep --rulebook elo --over k=10,20,40 --scenario club --runs 5"),
        ("reform", reform, "What a reform would have done to real games",
         "reform games.csv --rulebook fide-2012 --from 2014-07-01 --to fide-2014"),
        ("scenario", scenario, "The worlds that can be simulated", "scenario juniors -o mine.toml"),
    ):  # fmt: skip
        lab.command(
            name, cls=Command, short_help=summary,
            epilog=f"\b\nExamples:\n  ratingbook lab {example}",
        )(with_output(function, files=False))  # fmt: skip
