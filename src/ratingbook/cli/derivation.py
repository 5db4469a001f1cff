"""A player's derivation as it is printed, step by step."""

from __future__ import annotations

from typing import Protocol

from rich.console import Console
from rich.text import Text

from ratingbook.desk.explained import in_order_of_rounds
from ratingbook.desk.written import clean, rating_number
from ratingbook.engine.explain import Step
from ratingbook.engine.rate import RatedRow
from ratingbook.rules.wording import label


class Numbers(Protocol):
    """A rating before and after, and its change."""

    @property
    def before(self) -> float | None:
        """None: there was none."""

    @property
    def after(self) -> float | None:
        """None: there is none."""

    @property
    def change(self) -> float | None:
        """None where one of them is."""


def print_explanation(
    rated: RatedRow, console: Console, account: str = "", listed: Numbers | None = None
) -> None:
    """A player's derivation, with the steps of a game under its name; first the account.

    ``listed`` are the numbers as a list publishes them, which may round once more.
    """
    row = rated.row
    own, shown = _numbers(row), _numbers(listed or row)
    console.print()
    console.print(Text(f"{clean(label(row.id, row.name))}: {shown}", style="bold"))
    if shown != own:
        console.print(Text(f"  before rounding for the list: {own}"))
    if account:
        console.print(Text(f"  {account}"))
    game = None
    width = 1 + max((len(step.paragraph) for step in rated.explanation), default=0)
    for step in in_order_of_rounds(rated.explanation):
        if step.game != game and step.game:
            console.print(Text("  ").append(clean(step.game), style="underline"))
        game = step.game
        console.print(_line(step, width))
    if shown != own:
        console.print(Text(f"  on the list: {shown}"))


def _numbers(said: Numbers) -> str:
    change = rating_number(said.change, signed=True)
    return f"{rating_number(said.before)} → {rating_number(said.after)} ({change})"


def _line(step: Step, width: int) -> Text:
    line = Text("    " if step.game else "  ")
    line.append(f"{step.paragraph:<{width}}", style="cyan")
    line.append(clean(step.told))
    if step.article:
        line.append(f" [{step.article}]", style="dim")
    return line
