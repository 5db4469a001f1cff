"""``ratingbook lab``: which system is right; its commands are made when they are asked for."""

from __future__ import annotations

from typing import Any

import typer

from ratingbook.cli.command import LateGroup


class _Lab(LateGroup):
    def _commands(self, ctx: Any) -> typer.Typer:
        from ratingbook.cli.lab.commands import lab as commands

        return commands


lab = typer.Typer(
    name="lab",
    cls=_Lab,
    help="Which system is right: predictions before the games, beside what happened.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@lab.callback()
def choose() -> None:
    """Which system is right: predictions before the games, beside what happened."""
