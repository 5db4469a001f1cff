"""An option that takes one value is given once: no value is dropped in silence."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import typer

from ratingbook.cli.app import app
from ratingbook.cli.command import Command, Group
from ratingbook.cli.office.remote import remote
from tests.cli.conftest import Done


@pytest.mark.parametrize(
    "call",
    [
        "office correct --report 1 --game 1 --result 1-0 --game 2 --result 0-1 --reason x",
        "office correct --merge 1 2 --merge 3 4 --reason x",
        "office run --pool P --pool Q",
        "office person history 1 --pool P --pool Q",
        "office user list --home a --home b",
        "office --server http://a.invalid --server http://b.invalid status",
        "office --server http://a.invalid list --format json --format csv",
    ],
)
def test_who_gives_it_twice_is_told(call: str, run: Callable[..., Done]) -> None:
    done = run(*call.split())
    assert done.status == 2
    assert "it can be given only once" in " ".join(done.err.split())


def commands(group: Any, context: typer.Context, path: str) -> Iterator[tuple[str, Any]]:
    for name in group.list_commands(context):
        one = group.get_command(context, name)
        yield f"{path} {name}", one
        if isinstance(one, Group):
            yield from commands(one, typer.Context(one), f"{path} {name}")


def test_so_it_is_with_every_command() -> None:
    for each in (app, remote):
        top = typer.main.get_command(each)
        found = dict(commands(top, typer.Context(top), top.name or ""))
        assert len(found) > 8
        assert [name for name, one in found.items() if not isinstance(one, Command | Group)] == []
