"""A player's derivation as it is printed, step by step."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from ratingbook.desk.explained import in_order_of_rounds
from ratingbook.desk.written import clean, rating_number
from ratingbook.engine.explain import Step
from ratingbook.engine.rate import RatedRow
from ratingbook.rules.wording import label


def print_explanation(rated: RatedRow, console: Console, account: str = "") -> None:
    """A player's derivation, with the steps of a game under its name; first the account."""
    row = rated.row
    console.print()
    console.print(
        Text(
            f"{clean(label(row.id, row.name))}: {rating_number(row.before)} → "
            f"{rating_number(row.after)} ({rating_number(row.change, signed=True)})",
            style="bold",
        )
    )
    if account:
        console.print(Text(f"  {account}"))
    game = None
    width = 1 + max((len(step.paragraph) for step in rated.explanation), default=0)
    for step in in_order_of_rounds(rated.explanation):
        if step.game != game and step.game:
            console.print(Text("  ").append(clean(step.game), style="underline"))
        game = step.game
        console.print(_line(step, width))


def _line(step: Step, width: int) -> Text:
    line = Text("    " if step.game else "  ")
    line.append(f"{step.paragraph:<{width}}", style="cyan")
    line.append(clean(step.text))
    if step.article:
        line.append(f" [{step.article}]", style="dim")
    return line
