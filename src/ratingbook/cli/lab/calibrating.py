"""``ratingbook lab calibrate``: expected beside scored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import Any

from ratingbook.cli.lab.shared import between, number, refused, say, watched, write_json
from ratingbook.cli.screen import errors, output, plain_table, print_findings
from ratingbook.desk.even_games import counts_of_table
from ratingbook.desk.written import clean
from ratingbook.lab import calibrate as lab
from ratingbook.lab.compare import named, names_in
from ratingbook.lab.even_games import EvenGames, NoGrades, even_games, sentences
from ratingbook.rules.wording import counted

_OFF_DIGITS = 3


def run(
    games: Sequence[Path],
    rulebooks: str,
    *,
    since: date | None,
    assume: float | None,
    seed: int,
    as_json: bool,
    **beside: Any,
) -> bool:
    """Calibrate and print; True if something was refused."""
    books = names_in(rulebooks)

    def of_table() -> None:
        assert table is not None
        made = even_games(table[0], dict(map(named, books)))
        if as_json:
            write_json(asdict(made))
        else:
            _print_even(made)

    def of_games() -> None:
        with watched() as progress:
            made = lab.calibrate(
                [*games], books, since=since, assume=assume, seed=seed, progress=progress, **beside
            )
        print_findings(made.findings, errors())
        if as_json:
            write_json(asdict(made))
        else:
            _print(made)

    table = counts_of_table(games[0]) if len(games) == 1 else None
    if table is None:
        return refused(of_games)
    print_findings(table[1], errors())
    return table[1].refused or refused(of_table, NoGrades)


def _print(made: lab.Calibrations) -> None:
    console = output()
    for each in made.systems:
        for title, bands in (
            (f"{each.name}: all games, seen from White", (each.white,)),
            (f"{each.name}: by difference, seen from the higher rated", each.by_difference),
            (f"{each.name}: by strength, seen from the lower rated", each.by_strength),
        ):
            if bands:
                table = plain_table(
                    "games of", ">games", ">expected", ">scored", ">difference", ">95 %"
                )
                for band in bands:
                    table.add_row(
                        band.name, f"{band.games:,}", number(band.expected, _OFF_DIGITS),
                        number(band.scored, _OFF_DIGITS), number(band.off.mean, _OFF_DIGITS),
                        between(band.off, _OFF_DIGITS),
                    )  # fmt: skip
                say(clean(title))
                console.print(table)
                console.print()
    if made.even_games is not None and made.even_games.cells:
        _print_even(made.even_games)
        console.print()
    for sentence in lab.sentences(made):
        say(clean(sentence))
    for each in made.systems:
        if each.without_rating or each.with_handicap:
            say(
                clean(
                    f"{each.name}: {each.without_rating:,} games with a player without a rating "
                    f"before and {each.with_handicap:,} with handicap are in no band."
                )
            )
    left = f"; of {made.left_out:,} more one of them expects nothing" if made.left_out else ""
    say(
        f"{counted(made.games, 'game')} since {made.since}{left}; {made.before:,} before only find "
        f"the ratings. Intervals: {counted(made.drawn, made.blocks)} drawn again, seed {made.seed}."
    )


def _print_even(made: EvenGames) -> None:
    names = [each.name for each in made.summary]
    at_hand = any(each.expected for each in made.cells)
    say(f"Even games by grade: {made.games:,}; scored against players so much stronger, in %")
    heads = [f">{name}" for name in names]
    if at_hand:
        heads += [f">{name} of these" for name in names]
    table = plain_table("grade", ">stronger", ">Nw", ">Ng", ">Pw", ">95 %", *heads)
    for each in made.cells:
        predicted = [f"{100 * each.predicted[name]:.1f}" for name in names]
        if at_hand:
            predicted += [f"{100 * each.expected[name]:.1f}" for name in names]
        table.add_row(
            each.grade, f"+{each.stronger}", f"{each.won:g}", str(each.games),
            f"{100 * each.share:.1f}", f"{100 * each.low:.1f} to {100 * each.high:.1f}", *predicted,
        )  # fmt: skip
    output().print(table)
    for sentence in sentences(made):
        say(clean(sentence))
