"""``ratingbook office``: the commands of an office, which are made when they are asked for."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from ratingbook.cli.command import Group


class _Office(Group):
    """All others start without the commands of the office, which are most that there are."""

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """One of the commands."""
        return self._made(ctx).get(cmd_name)

    def list_commands(self, ctx: Any) -> list[str]:
        """The names of all."""
        return list(self._made(ctx))

    def _made(self, ctx: Any) -> dict[str, Any]:
        if ctx.params.get("server"):
            from ratingbook.cli.office.remote import remote

            asked = typer.main.get_command(remote)
            assert isinstance(asked, TyperGroup)
            return dict(asked.commands)
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


@office.callback()
def choose(
    server: Annotated[
        str | None,
        typer.Option(metavar="URL", help="Ask a served office: status, lists, list, player, "
                     "explain, receive, reports."),
    ] = None,
    token_file: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="With the token for it; else RATINGBOOK_TOKEN."),
    ] = None,
) -> None:  # fmt: skip
    """An office: from a report that arrives to a list that anyone can verify."""
    if server:
        from ratingbook.cli.office.remote import Server
        from ratingbook.cli.office.remote import choose as chosen

        chosen(Server(server, token_file))
