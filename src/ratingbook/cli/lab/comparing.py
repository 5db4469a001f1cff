"""``ratingbook lab compare``: rule books beside each other, by what they expected."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import Any

from ratingbook import __version__
from ratingbook.cli.history import progress_bar
from ratingbook.cli.screen import errors, output, plain_table, print_findings, write
from ratingbook.desk.results import Refused
from ratingbook.desk.written import clean
from ratingbook.engine.history.api import HistoryRefused
from ratingbook.engine.history.predictions import PredictsNothing
from ratingbook.lab.bootstrap import Interval
from ratingbook.lab.compare import (
    Comparison,
    NothingToCompare,
    compare,
    names_in,
    sentences,
)

_DIGITS = 4


def run(
    games: Sequence[Path],
    rulebooks: str,
    *,
    since: date | None,
    assume: float | None,
    layers: bool,
    seed: int,
    as_json: bool,
    **beside: Any,
) -> bool:
    """Compare and print; True if something was refused."""
    try:
        with progress_bar() as told:
            made = compare(
                [*games], names_in(rulebooks), since=since, assume=assume, layers=layers, seed=seed,
                progress=None if told is None else _of_games(told), **beside,
            )  # fmt: skip
    except (Refused, HistoryRefused) as refused:
        print_findings(refused.findings, errors())
        return True
    except (PredictsNothing, NothingToCompare) as nothing:
        errors().print(f"error: {nothing}", markup=False)
        return True
    if as_json:
        write(json.dumps({"ratingbook": __version__, **asdict(made)}, indent=2, default=str))
    else:
        _print(made)
    return False


def _of_games(told: Callable[[int, int], None]) -> Callable[[str, int, int], None]:
    def of_one(name: str, done: int, total: int) -> None:
        told(done, total)

    return of_one


def _print(made: Comparison) -> None:
    systems = made.systems
    console = output()
    table = plain_table(
        "system", ">log loss", ">95 %", ">behind", ">95 %", ">Brier", ">right", ">off by"
    )
    for each in systems:
        behind = (
            ("", "") if each.behind is None else (_number(each.behind.mean), _between(each.behind))
        )
        table.add_row(
            clean(each.name), _number(each.log_loss.mean), _between(each.log_loss), *behind,
            _number(each.square.mean), f"{100 * each.accuracy.mean:.1f} %",
            _number(each.calibration.reliability**0.5),
        )  # fmt: skip
    console.print(table)
    console.print()
    for sentence in sentences(made):
        console.print(sentence, markup=False, highlight=False)
    for each in systems:
        if each.layer is not None:
            shift, slope = _number(each.layer.shift), _number(each.layer.slope)
            console.print(
                f"{each.name}: shift {shift}, slope {slope}.", markup=False, highlight=False
            )
    for each in systems:
        if each.expects < made.games + made.left_out:
            console.print(
                f"{each.name} expects something of {each.expects:,} of the "
                f"{made.games + made.left_out:,} games since {made.since}.",
                markup=False, highlight=False,
            )  # fmt: skip
    left = f"; in {made.left_out:,} more one of them expects nothing" if made.left_out else ""
    console.print(
        f"{made.games:,} games since {made.since}{left}; {made.before:,} before only find the "
        f"ratings. Intervals: {made.drawn:,} {made.blocks}s drawn again, seed {made.seed}.",
        markup=False, highlight=False,
    )  # fmt: skip


def _number(value: float) -> str:
    return f"{value:.{_DIGITS}f}".replace("-", "−")


def _between(found: Interval) -> str:
    return f"{_number(found.low)} to {_number(found.high)}"
