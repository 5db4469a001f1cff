"""Words of options in capitals are the same words; the help has whole sentences."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import Any, get_args

import pytest
import typer

from ratingbook.cli.app import app

SPRING = Path("examples/reports/spring-open.trf")


def choices(command: Any, path: tuple[str, ...] = ()) -> dict[str, bool]:
    """Of every parameter that takes one of several words whether capitals make another word."""
    found = {
        " ".join([*path, parameter.name]): parameter.type_descriptor.parameter_info.case_sensitive
        for parameter in command.params
        if hasattr(parameter, "type_descriptor")
        and any(issubclass(each, Enum) for each in kinds(parameter.type_descriptor.annotation))
    }
    asked = typer.Context(command)
    for name in command.list_commands(asked) if hasattr(command, "list_commands") else ():
        found |= choices(command.get_command(asked, name), (*path, name))
    return found


def kinds(annotation: Any) -> list[type]:
    return [each for each in (annotation, *get_args(annotation)) if isinstance(each, type)]


def test_the_case_of_a_choice_matters_in_no_command():
    found = choices(typer.main.get_command(app))
    named = {"rate format_", "list format_", "history engine", "office list format_"}
    assert named <= found.keys()
    assert [name for name, matters in found.items() if matters] == []


@pytest.mark.parametrize(
    ("command", "begins"),
    [
        (("rate", SPRING, "--rulebook", "fide-2009", "--format", "HTML"), "<!doctype html>"),
        (("rate", SPRING, "--rulebook", "FIDE-2009", "--format", "Csv"), "report,id,name"),
        (("check", SPRING, "--format", "JSON"), "{"),
        (("convert", SPRING, "-", "--format", "PGN"), "[Event"),
        (("rulebooks", "FIDE", "--format", "Json"), "{"),
        (("whatif", "--rulebook", "Fide", "--rating", 2000, "2100=1", "--format", "JSON"), "{"),
    ],
)  # fmt: skip
def test_capitals_do_what_small_letters_do(run, command, begins):
    done = run(*command)
    small = run(*(each.lower() if isinstance(each, str) else each for each in command))
    assert done.status == 0
    assert done.out == small.out
    assert done.out.lower().startswith(begins.lower())


def test_all_in_capitals_are_all(run):
    report = (SPRING, "--rulebook", "fide-2009", "--explain")
    assert run("rate", *report, "ALL").out == run("rate", *report, "all").out


@pytest.mark.parametrize("group", [(), ("office",), ("office", "pool"), ("office", "person")])
def test_summaries_of_commands_are_whole(run, group, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    told = run(*group, "--help").out.partition("Commands:")[2]
    assert told
    assert "..." not in told
