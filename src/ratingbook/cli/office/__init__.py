"""``ratingbook office``: the commands of an office, which are made when they are asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from ratingbook.cli.command import LateGroup


class _Office(LateGroup):
    def _commands(self, ctx: Any) -> typer.Typer:
        if ctx.params.get("server"):
            from ratingbook.cli.office.remote import remote

            return remote
        from ratingbook.cli.office.commands import office as commands

        return commands

    def examples(self) -> Mapping[str, Sequence[str]]:
        from ratingbook.cli.office.examples import EXAMPLES

        return EXAMPLES


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
                     "explain, why, register, receive, reports, desk, corrections."),
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
