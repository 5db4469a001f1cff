"""What all commands share: ``-o FILE``, ``--quiet``, options that may be given once only."""

from __future__ import annotations

import functools
import inspect
import math
import os
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, NamedTuple, get_args, get_type_hints, is_typeddict

import typer
from typer.core import TyperCommand, TyperGroup, TyperOption
from typer.models import ParameterInfo

from ratingbook.cli.screen import told_to
from ratingbook.engine.options import options_of
from ratingbook.model.patterns import pattern
from ratingbook.rules.near import did_you_mean, near

_ANY_LENGTH = 10_000
_NOTHING = object()
_NUMBERS = {
    int: pattern(r"-?\d{1,15}", re.A),
    float: pattern(r"-?\d{1,15}(\.\d{1,15})?", re.A),
}
_NEGATIVE = pattern(r"-[0-9]{1,15}(\.[0-9]{1,15})?")
_INPUTS = ("reports", "files", "file", "standings", "players", "against", "games")
"""What commands call the files that they read."""

_HELD: dict[str, tuple[str, ...]] = {
    ".html": ("html",),
    ".htm": ("html",),
    ".json": ("json", "jsonl"),
    ".jsonl": ("jsonl",),
    ".ndjson": ("jsonl",),
    ".csv": ("csv", "iccf", "iecg"),
    ".xml": ("fide-xml",),
    ".xlsx": ("xlsx",),
    ".pdf": ("pdf",),
    **dict.fromkeys((".md", ".ods", ".doc", ".docx", ".png", ".svg"), ()),
    **dict.fromkeys((".parquet", ".arrow", ".zip", ".trf", ".pgn", ".tsv"), ()),
}
"""What a file of this name holds, the usual first."""
_ANYTHING = (".txt", "")
"""Suffixes that say nothing: there may be anything in such a file."""
_LETTER = pattern(r"[^\W\d_]")

_OUT = inspect.Parameter(
    "output_file",
    inspect.Parameter.KEYWORD_ONLY,
    default=None,
    annotation=Annotated[
        Path | None,
        typer.Option(
            "-o", "--out", metavar="FILE",
            help="Write into this file; its suffix says the format, of those that the command has: "
            ".html, .json, .csv; .txt is a table.",
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

    def get_params(self, ctx: Any) -> list[Any]:
        """The options, ``--help`` among them."""
        return _taken_plainly(super().get_params(ctx))

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """As usual; of an option that is given twice no value is dropped in silence."""
        _refuse_repeated(self, ctx, args)
        return super().parse_args(ctx, args)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that is named; who mistypes is told of names that are like it."""
        name = args[0]
        if self.get_command(ctx, name) is None and not name.startswith("-"):
            ctx.fail(f"No such command {name!r}; {did_you_mean(name, self.list_commands(ctx))}")
        return super().resolve_command(ctx, args)

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


_made_of: dict[typer.Typer, dict[str, Any]] = {}
"""The commands of groups that were asked for once."""


class LateGroup(Group, ABC):
    """A group whose commands are made when they are asked for: all others start without them."""

    @abstractmethod
    def _commands(self, ctx: Any) -> typer.Typer:
        """What holds the commands that are asked for."""

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """One of the commands."""
        return self._made(ctx).get(cmd_name)

    def list_commands(self, ctx: Any) -> list[str]:
        """The names of all."""
        return list(self._made(ctx))

    def _made(self, ctx: Any) -> dict[str, Any]:
        asked = self._commands(ctx)
        if asked not in _made_of:
            made = typer.main.get_command(asked)
            assert isinstance(made, TyperGroup)
            _exemplify(made, self.examples())
            _made_of[asked] = dict(made.commands)
        return _made_of[asked]

    def examples(self) -> Mapping[str, Sequence[str]]:
        """What to type, by the name of the command within the group; for commands without own."""
        return {}


def _exemplify(group: TyperGroup, examples: Mapping[str, Sequence[str]], within: str = "") -> None:
    for name, command in group.commands.items():
        if isinstance(command, TyperGroup):
            _exemplify(command, examples, f"{within}{name} ")
        elif command.epilog is None and (own := examples.get(within + name)):
            command.epilog = epilog_of(own)


def epilog_of(examples: Iterable[str]) -> str:
    """The end of a command's help: what to type, each on its line."""
    return "\b\n" + "\n".join(["Examples:", *(f"  ratingbook {each}" for each in examples)])


class Command(TyperCommand):
    """A command whose options may be given once, but for those that take several values."""

    def get_params(self, ctx: Any) -> list[Any]:
        """The arguments and options, ``--help`` among them."""
        return _taken_plainly(super().get_params(ctx))

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """As usual; of an option that is given twice no value is dropped in silence."""
        _refuse_repeated(self, ctx, args)
        try:
            return super().parse_args(ctx, args)
        except typer.BadParameter as error:
            if getattr(error.param, "name", "") == "rulebook" and not error.message:
                error.message = "`ratingbook rulebooks` names them."
            raise


def _refuse_repeated(command: Any, ctx: Any, args: Sequence[str]) -> None:
    """Raise BadParameter for an option that takes one value and is given several times."""
    if ctx.resilient_parsing:
        return
    _, _, order = command.make_parser(ctx).parse_args(args=list(args))
    for param in order:
        if not isinstance(param, TyperOption) or param.multiple or param.is_flag:
            continue
        if order.count(param) > 1:
            raise typer.BadParameter("it can be given only once", ctx=ctx, param=param)


class Commands(typer.Typer):
    """Several commands, each of which is a :class:`Command` unless it says what else it is."""

    def command(
        self, name: str | None = None, *, cls: type[TyperCommand] | None = Command, **more: Any
    ) -> Callable[[Any], Any]:
        """Register a function as a command."""
        return super().command(name, cls=cls, **more)


def several(what: str) -> Commands:
    """The commands of a group that does nothing by itself; ``what`` they are about."""
    return Commands(help=what, no_args_is_help=True, rich_markup_mode=None, cls=Group)


class WithNegativeNumbers(Command):
    """A command whose arguments may be negative numbers, which look like options."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """What is no option is an argument where there is such a number; else it is a slip."""
        ctx.ignore_unknown_options = any(map(_NEGATIVE.fullmatch, args))
        return super().parse_args(ctx, args)


def _taken_plainly(params: list[Any]) -> list[Any]:
    """The parameters, which take a text, a path, a flag, a number or a word of several plainly.

    Typer checks each value by Pydantic, which takes longer to load than a report to rate. It is
    left to it where it is more than this, and where something is wrong: the words are Typer's.
    """
    for each in params:
        # Earlier versions of Typer know no other way than their own.
        usual = getattr(each, "get_runtime_param", None)
        if usual is None or isinstance(usual, _Plain):
            continue
        if each.type_descriptor.parameter_info.parser is None:
            each.get_runtime_param = _Plain(each.type_descriptor, usual)
    return params


class _Plain(NamedTuple):
    """Stands for what Typer makes of the values of one parameter."""

    described: Any
    usual: Callable[[], Any]

    def __call__(self) -> _Plain:
        """Itself: Typer asks for it when there is a value."""
        return self

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """The value that the command is given."""
        several = param.multiple or param.nargs == -1
        if value is None:
            return () if several else None
        if several and isinstance(value, list | tuple):
            (kind,) = get_args(self.described.annotation) or (None,)
            taken = [self._taken(each, kind) for each in value]
            if _NOTHING not in taken:
                return taken
        elif not several:
            one = self._taken(value, self.described.annotation)
            if one is not _NOTHING:
                return one
        return self.usual().coerce(value, param=param, ctx=ctx)

    def _taken(self, value: Any, kind: Any) -> Any:
        said = self.described.parameter_info
        if type(value) is kind and kind in (str, bool):
            return value
        if isinstance(value, str | Path) and kind is Path:
            # Whether there must be such a file, and of which kind, is for Typer to see.
            asked = said.exists or said.resolve_path or said.path_type or said.writable
            is_any = said.file_okay and said.dir_okay and said.readable and not asked
            plain = is_any and (os.access(value, os.R_OK) or not os.path.exists(value))
            return Path(value) if plain else _NOTHING
        if kind in (int, float) and not said.clamp and _NUMBERS[kind].fullmatch(str(value)):
            number = kind(value)
            least = -math.inf if said.min is None else said.min
            most = math.inf if said.max is None else said.max
            return number if least <= number <= most else _NOTHING
        if isinstance(kind, type) and issubclass(kind, Enum):
            known = {str(each.value): each for each in kind}
            typed = str(getattr(value, "value", value))
            found = known.get(typed if said.case_sensitive else typed.lower(), _NOTHING)
            if found is _NOTHING and (words := near(typed, known)):
                raise typer.BadParameter(f"{typed!r} is none; did you mean {' or '.join(words)}?")
            return found
        return _NOTHING


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


def format_of(
    path: Path, known: Collection[str], now: str, *, is_said: bool, option: str = "-o"
) -> str:
    """The format of a file: what its name says, or what ``is_said`` by ``--format``.

    Raises BadParameter where the name says what the command does not write, or something else
    than ``--format``: nobody who opens a page shall find a table of text.
    """
    suffix = path.suffix.lower()
    held = _HELD.get(suffix)
    # A day or a number at the end of a name is no suffix.
    is_open = suffix in _ANYTHING or not _LETTER.search(suffix)
    if is_open or (is_said and (held is None or now in held)):
        return now
    written = [each for each in held or () if each in known]
    if written and not is_said:
        return written[0]
    what = f"not in the format {now}" if is_said else "and this command writes none such"
    others = [".txt"] if "table" in known else []
    others += [end for end, formats in _HELD.items() if formats and formats[0] in known]
    named = "" if held is not None else "; with --format the name may be any"
    raise typer.BadParameter(
        f"{option}: {path.name} would be a {suffix} file, {what}; it writes {', '.join(others)}"
        f"{named}"
    )


def _format_of(path: Path, ctx: typer.Context, given: Mapping[str, Any]) -> dict[str, Enum]:
    """The format that the name of the file says, where none was asked for."""
    source = ctx.get_parameter_source("format_")
    now = given.get("format_")
    if not isinstance(now, Enum):
        return {}
    is_said = source is not None and source.name != "DEFAULT"
    every = {each.value: each for each in type(now)}
    return {"format_": every[format_of(path, every, now.value, is_said=is_said)]}
