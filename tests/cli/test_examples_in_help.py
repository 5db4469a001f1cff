"""Every command has an example in its help, and each example is a call that it takes."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import Any

import pytest
import typer

from ratingbook.cli.app import app

ROOT: Any = typer.main.get_command(app)


def commands(group: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Every command that is no group, by what one types."""
    asked = typer.Context(group)
    for each in group.list_commands(asked):
        command = group.get_command(asked, each)
        full = f"{name} {each}".strip()
        if hasattr(command, "list_commands"):
            yield from commands(command, full)
        else:
            yield full, command


EVERY = dict(commands(ROOT))


def examples(command: Any) -> list[str]:
    lines = (command.epilog or "").splitlines()
    return [line.strip() for line in lines if line.startswith("  ratingbook ")]


def test_there_are_commands() -> None:
    assert len(EVERY) > 80


@pytest.mark.parametrize("name", EVERY)
def test_each_has_an_example_that_is_taken(name: str) -> None:
    command = EVERY[name]
    assert examples(command), f"no example in the help of {name}"
    for line in examples(command):
        words = shlex.split(line)[1:]
        own = name.split()
        assert words[: len(own)] == own, line
        context = command.make_context(name, words[len(own) :], parent=typer.Context(ROOT))
        context.close()


@pytest.mark.parametrize("name", ["rate", "office receive", "office actor add"])
def test_help_shows_it(name: str) -> None:
    command = EVERY[name]
    context = typer.Context(command, info_name=name)
    assert examples(command)[0] in command.get_help(context)
