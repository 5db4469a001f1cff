"""``ratingbook lab compare``: rule books beside each other, by what they expected."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import Any

from ratingbook.cli.lab.shared import between, need, number, refused, say, watched, write_json
from ratingbook.cli.screen import (
    errors,
    is_quiet,
    output,
    plain_table,
    print_findings,
    told_to,
    write,
)
from ratingbook.desk.written import clean
from ratingbook.lab.compare import Comparison, compare, names_in, sentences, shares_of_draws
from ratingbook.lab.layer import Layer
from ratingbook.rules.wording import counted

_SHOWN = 6
"""Systems in a table of groups."""
_WAYS = {"band": "rating", "experience": "games before", "year": "year"}


def run(
    games: Sequence[Path],
    rulebooks: str,
    *,
    since: date | None,
    assume: float | None,
    layers: bool,
    layers_since: date | None,
    seed: int,
    by: Sequence[str],
    as_json: bool,
    html: Path | None,
    id_kind: str | None,
    columns: Mapping[str, str] | None,
    encoding: str | None,
    **beside: Any,
) -> bool:
    """Compare and print; True if something was refused."""

    def work() -> None:
        if html is not None:
            need("altair", "vl_convert")
        with watched() as progress:
            made = compare(
                [*games], names_in(rulebooks), since=since, assume=assume, layers=layers,
                layers_since=layers_since, seed=seed, progress=progress, id_kind=id_kind,
                columns=columns, **beside,
            )  # fmt: skip
        print_findings(made.findings, errors())
        if as_json:
            write_json(asdict(made))
        else:
            _print(made)
            for way in by:
                _print_groups(made, way)
        if html is not None:
            _write_page(made)

    def _write_page(made: Comparison) -> None:
        from ratingbook.cli.lab.page import page

        options = {
            "--rulebook": rulebooks, "--since": since, "--assume": assume, "--layers": layers,
            "--layers-since": layers_since, "--seed": None if seed == 1 else seed,
            **{f"--{n}": p for n, p in beside.items()}, "--id": id_kind,
            "--column": [f"{n}={head}" for n, head in (columns or {}).items()],
            "--encoding": encoding, "--html": html,
        }  # fmt: skip
        files = {"games": games, **{n: _files(p) for n, p in beside.items() if p is not None}}
        with told_to(html, quiet=is_quiet()):
            write(page(made, names_in(rulebooks), files, _command(games, options)))

    return refused(work)


def _files(given: Any) -> Sequence[Path]:
    return given if isinstance(given, list) else [given]


def _command(games: Sequence[Path], options: Mapping[str, Any]) -> str:
    """The command that gives these numbers again."""
    words = ["ratingbook", "lab", "compare", *map(str, games)]
    for name, value in options.items():
        if value is True:
            words.append(name)
        elif value is not None and value is not False:
            for each in value if isinstance(value, list) else [value]:
                words += [name, str(each)]
    return shlex.join(words)


def _print(made: Comparison) -> None:
    systems = made.systems
    console = output()
    table = plain_table(
        "system", ">log loss", ">95 %", ">behind", ">95 %", ">Brier", ">right", ">off by",
        ">resolution",
    )  # fmt: skip
    for each in systems:
        behind = (
            ("", "") if each.behind is None else (number(each.behind.mean), between(each.behind))
        )
        table.add_row(
            clean(each.name), number(each.log_loss.mean), between(each.log_loss), *behind,
            number(each.square.mean), f"{100 * each.accuracy.mean:.1f} %",
            number(each.calibration.reliability**0.5), number(each.calibration.resolution),
        )  # fmt: skip
    console.print(table)
    console.print()
    if made.outcomes:
        _print_outcomes(made)
    for sentence in sentences(made):
        console.print(sentence, markup=False, highlight=False)
    for each in systems:
        if each.layer is not None:
            say(f"{clean(each.name)}: {_of_layer(each.layer)}.")
    for each in systems:
        if each.expects < made.games + made.left_out:
            console.print(
                f"{each.name} expects something of {each.expects:,} of the "
                f"{made.games + made.left_out:,} games since {made.since}.",
                markup=False, highlight=False,
            )  # fmt: skip
    left = f"; in {made.left_out:,} more one of them expects nothing" if made.left_out else ""
    console.print(
        f"{counted(made.games, 'game')} since {made.since}{left}; {made.before:,} before only find "
        f"the ratings. Intervals: {counted(made.drawn, made.blocks)} drawn again, seed "
        f"{made.seed}.",
        markup=False, highlight=False,
    )  # fmt: skip


def _print_outcomes(made: Comparison) -> None:
    table = plain_table(
        "win, draw, loss", ">log loss", ">95 %", ">behind", ">95 %", ">ranked", ">Brier",
        ">draws", ">off by",
    )  # fmt: skip
    for each in made.outcomes:
        behind = (
            ("", "") if each.behind is None else (number(each.behind.mean), between(each.behind))
        )
        expected, _ = shares_of_draws(each)
        table.add_row(
            clean(each.name), number(each.log_loss.mean), between(each.log_loss), *behind,
            number(each.ranked.mean), number(each.square.mean),
            f"{100 * expected:.1f} %", number(each.draws.reliability**0.5),
        )  # fmt: skip
    output().print(table)
    output().print()


def _of_layer(layer: Layer) -> str:
    """Its numbers, with their intervals where it was found."""
    parts = {"shift": layer.shift, "slope": layer.slope, "ν": layer.nu}
    if layer.sure is None:
        return "too few games to find a layer in"
    within = layer.sure.shift, layer.sure.slope, layer.sure.nu
    return ", ".join(
        f"{name} {number(value)} ({between(each)})"
        for (name, value), each in zip(parts.items(), within, strict=True)
        if name != "ν" or value
    )


def _print_groups(made: Comparison, way: str) -> None:
    """The logarithmic loss in each group; of many systems that of the best."""
    shown = [each.name for each in made.systems[:_SHOWN]]
    table = plain_table(_WAYS[way], ">games", *(f">{clean(name)}" for name in shown))
    for group in made.by[way]:
        losses = [number(each.log_loss) for each in group.systems[:_SHOWN]]
        table.add_row(group.name, f"{group.games:,}", *losses)
    output().print()
    output().print(table)
    if way == "band":
        say(f"Ratings are those of {made.band_of} before the game, the mean of both players.")
    if len(made.systems) > _SHOWN:
        say(f"The {_SHOWN} best of {len(made.systems)}; --format json has all of them.")
