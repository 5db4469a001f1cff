"""``ratingbook office``: the commands of an office, which are made when they are asked for."""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperGroup

from ratingbook.cli.command import Group


class _Office(Group):
    """All others start without the commands of the office, which are most that there are."""

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """One of the commands."""
        return self._made().get(cmd_name)

    def list_commands(self, ctx: Any) -> list[str]:
        """The names of all."""
        return list(self._made())

    def _made(self) -> dict[str, Any]:
        if not self.commands:
            from ratingbook.cli.office.commands import office as commands

            made = typer.main.get_command(commands)
            assert isinstance(made, TyperGroup)
            self.commands.update(made.commands)
        return dict(self.commands)


office = typer.Typer(
    name="office",
    cls=_Office,
    help="An office: from a report that arrives to a list that anyone can verify.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
