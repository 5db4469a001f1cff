"""What all commands share: ``-o FILE``, ``--quiet``, options that may be given once only."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, get_type_hints, is_typeddict

import typer
from typer.core import TyperCommand, TyperGroup, TyperOption
from typer.models import ParameterInfo

from ratingbook.cli.screen import told_to
from ratingbook.engine.options import options_of

_ANY_LENGTH = 10_000
_INPUTS = ("reports", "files", "file", "standings", "players", "against", "games")
"""What commands call the files that they read."""

_OUT = inspect.Parameter(
    "output_file",
    inspect.Parameter.KEYWORD_ONLY,
    default=None,
    annotation=Annotated[
        Path | None,
        typer.Option(
            "-o", "--out", metavar="FILE",
            help="Write into this file; its suffix says the format (.html, .json, .csv).",
        ),
    ],
)  # fmt: skip
_QUIET = inspect.Parameter(
    "quiet",
    inspect.Parameter.KEYWORD_ONLY,
    default=False,
    annotation=Annotated[
        bool,
        typer.Option(
            "-q", "--quiet", help="Say nothing for the record: only warnings and what refuses."
        ),
    ],
)


class Group(TyperGroup):
    """Commands with whole sentences in the help, where they take more than a line, too."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """The commands that are shown, each with all of its summary."""
        made = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        rows = [
            (name, command.get_short_help_str(_ANY_LENGTH))
            for name, command in made
            if command is not None and not command.hidden
        ]
        if rows:
            with formatter.section("Commands"):
                formatter.write_dl(rows)


class Command(TyperCommand):
    """A command whose options may be given once, but for those that take several values."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """As usual; of an option that is given twice no value is dropped in silence."""
        if not ctx.resilient_parsing:
            _, _, order = self.make_parser(ctx).parse_args(args=list(args))
            for param in order:
                if not isinstance(param, TyperOption) or param.multiple or param.is_flag:
                    continue
                if order.count(param) > 1:
                    raise typer.BadParameter("it can be given only once", ctx=ctx, param=param)
        try:
            return super().parse_args(ctx, args)
        except typer.BadParameter as error:
            if getattr(error.param, "name", "") == "rulebook" and not error.message:
                error.message = "`ratingbook rulebooks` names them."
            raise


def with_output(function: Callable[..., Any], *, files: bool) -> Callable[..., Any]:
    """The function of a command with ``--quiet`` and, unless it writes own ``files``, ``-o``."""
    hints = get_type_hints(function, include_extras=True)
    own, records = list[inspect.Parameter](), dict[str, list[str]]()
    for each in inspect.signature(function).parameters.values():
        if is_typeddict(hints[each.name]):
            options = list(_options_of(hints[each.name]))
            records[each.name] = [option.name for option in options]
            own += options
        else:
            kind = inspect.Parameter.KEYWORD_ONLY
            own.append(each.replace(annotation=hints[each.name], kind=kind))
    more = [_QUIET] if files else [_OUT, _QUIET]
    context = inspect.Parameter("ctx", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)

    @functools.wraps(function)
    def command(
        *, ctx: typer.Context, quiet: bool, output_file: Path | None = None, **given: Any
    ) -> None:
        if output_file is not None:
            check_place(output_file, given)
            given |= _format_of(output_file, ctx, given)
        for record, names in records.items():
            given[record] = {name: given.pop(name) for name in names}
        with told_to(output_file, quiet=quiet):
            function(**given)

    return with_parameters(command, [context, *own, *more])


def with_parameters(
    command: Callable[..., None], parameters: Sequence[inspect.Parameter]
) -> Callable[..., None]:
    """A command that takes keywords, with the parameters that Typer is to see.

    Of what is one of several words the case does not matter, in no command.
    """
    for each in parameters:
        for said in getattr(each.annotation, "__metadata__", ()):
            if isinstance(said, ParameterInfo):
                said.case_sensitive = False
    # Typer asks for both; mypy knows of no signature that can be set.
    vars(command)["__signature__"] = inspect.Signature(parameters)
    command.__annotations__ = {each.name: each.annotation for each in parameters}
    vars(command).pop("__wrapped__", None)
    return command


def _options_of(record: Any) -> Iterator[inspect.Parameter]:
    """The options of a command that the record of an engine's options has."""
    for name, kind, said in options_of(record):
        if said.help:
            option = typer.Option(*said.flags, help=said.help, min=said.least)
            yield inspect.Parameter(
                name, inspect.Parameter.KEYWORD_ONLY, default=said.default,
                annotation=Annotated[kind, option],
            )  # fmt: skip


def check_place(path: Path, given: Mapping[str, Any], option: str = "-o") -> None:
    """Raise BadParameter for a file that cannot be written, or that is read."""
    if not path.name or path.is_dir():
        raise typer.BadParameter(f"{option} names a file, and {str(path)!r} is a folder")
    if not path.parent.is_dir():
        raise typer.BadParameter(f"{option}: there is no folder {path.parent}")
    for each in _paths(given):
        if path.exists() and path.samefile(each):
            raise typer.BadParameter(f"{option}: {path} is what is read, and would be written over")


def _paths(given: Mapping[str, Any]) -> Iterator[Path]:
    for name in _INPUTS:
        value = given.get(name)
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, Path) and each.exists():
                yield each


def _format_of(path: Path, ctx: typer.Context, given: Mapping[str, Any]) -> dict[str, Enum]:
    """The format that the name of the file says, where none was asked for."""
    source = ctx.get_parameter_source("format_")
    now = given.get("format_")
    if not isinstance(now, Enum) or source is None or source.name != "DEFAULT":
        return {}
    suffix = path.suffix.lower().lstrip(".")
    found = next((each for each in type(now) if each.value == suffix), None)
    return {} if found is None else {"format_": found}
