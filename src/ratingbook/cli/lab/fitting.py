"""``ratingbook lab fit``: the parameters that expect best what happens."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import Any

from ratingbook.cli.lab.shared import between, need, number, refused, say, write_json
from ratingbook.cli.screen import errors, is_quiet, output, plain_table, print_findings
from ratingbook.desk.written import clean
from ratingbook.lab.compare import parts_of
from ratingbook.lab.fit import Fit, Tried, fit, sentences
from ratingbook.rules.wording import counted

_PATIENCE = 1.0
"""Seconds between two lines of progress."""
_SHOWN = 5
"""Sets of several parameters that are printed of a grid."""


def run(
    games: Sequence[Path],
    rulebook: str,
    *,
    parameters: Sequence[str],
    since: date | None,
    until: date | None,
    assume: float | None,
    seed: int,
    grid: int,
    jobs: int,
    master: str | None,
    as_json: bool,
    **beside: Any,
) -> bool:
    """Fit and print; True if something was refused."""

    def work() -> None:
        need("scipy")
        made = fit(
            [*games], rulebook, parameters, since=since, until=until, assume=assume, seed=seed,
            grid=grid, jobs=jobs, master=master,
            progress=None if is_quiet() else _progress(), **beside,
        )  # fmt: skip
        print_findings(made.findings, errors())
        if as_json:
            write_json(asdict(made))
        else:
            _print(made)

    return refused(work)


def _progress() -> Callable[[int, Mapping[str, float], float], None]:
    """A line now and then with the best so far."""
    best, told = float("inf"), time.monotonic()

    def tell(count: int, values: Mapping[str, float], loss: float) -> None:
        nonlocal best, told
        best = min(best, loss)
        if time.monotonic() - told >= _PATIENCE:
            told = time.monotonic()
            tried = ", ".join(f"{name} {value:g}" for name, value in values.items())
            errors().print(f"{count} tried; now {tried}: {loss:.5f}; best {best:.5f}", markup=False)

    return tell


def _print(made: Fit) -> None:
    console = output()
    table = plain_table("parameter", ">began at", ">fits best at", ">95 %", ">looked for in")
    for each in made.parameters:
        table.add_row(
            each.name, f"{each.own:g}", f"{each.value:g}", f"{each.low:g} to {each.high:g}",
            f"{each.least:g} to {each.greatest:g}",
        )  # fmt: skip
    console.print(table)
    console.print()
    losses = plain_table("log loss", ">games", ">as it began", ">fitted", ">gained", ">95 %")
    losses.add_row(
        f"fitted, {made.since} to {made.until}", f"{made.games:,}", number(made.own_loss),
        number(made.loss), number(made.own_loss - made.loss), "",
    )  # fmt: skip
    if made.held_out is not None and made.held_out_own is not None and made.gained is not None:
        losses.add_row(
            f"held out, from {made.until} on", f"{made.games_held_out:,}",
            number(made.held_out_own.mean), number(made.held_out.mean), number(made.gained.mean),
            between(made.gained),
        )  # fmt: skip
    console.print(losses)
    console.print()
    if made.grid:
        _print_grid(made)
    for sentence in sentences(made):
        say(clean(sentence))
    say(
        f"{made.games_before:,} games before {made.since} only find the ratings. Intervals: "
        f"{counted(made.drawn, made.blocks)} drawn again, seed {made.seed}; "
        f"{made.evaluations} sets of parameters tried."
    )
    name, settings = parts_of(made.fitted_rulebook)
    typed = [f"--set {parameter}={text}" for parameter, text in settings.items()]
    say(
        clean(f"The rule book with these parameters, in the lab: --rulebook {made.fitted_rulebook}")
    )
    say(clean(f"And for rate and history: {' '.join(['--rulebook', name, *typed])}"))


def _print_grid(made: Fit) -> None:
    """Of one parameter all that was tried, of several the best."""
    table = plain_table(*(f">{each.name}" for each in made.parameters), ">log loss")
    shown: Sequence[Tried] = made.grid
    if len(made.parameters) > 1:
        shown = sorted(made.grid, key=lambda each: (each.loss, each.values))[:_SHOWN]
    for each in shown:
        table.add_row(*(f"{value:g}" for value in each.values), number(each.loss))
    output().print(table)
    if len(shown) < len(made.grid):
        say(f"The {_SHOWN} best of {len(made.grid)} of the grid; --format json has all of them.")
    output().print()
