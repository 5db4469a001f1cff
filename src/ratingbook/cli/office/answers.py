"""What every command of the office has in common: who, where, and how the answer is shown."""

from __future__ import annotations

import functools
import inspect
import json
import os
import shlex
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer
from rich.text import Text

from ratingbook.cli.command import with_output, with_parameters
from ratingbook.cli.screen import errors, output, plain_table, print_findings, write
from ratingbook.desk.written import clean
from ratingbook.model import Finding, Findings, Severity

if TYPE_CHECKING:
    from ratingbook.office.home import Home
    from ratingbook.office.store.ledger import Who

REFUSED = 1
_DIGITS = 9
"""No office has as many persons as longer numbers count."""
ACTOR = "RATINGBOOK_ACTOR"


class Format(StrEnum):
    """How an answer is printed."""

    table = "table"
    json = "json"


StartOption = Annotated[
    str | None,
    typer.Option(metavar="YYYY-MM-DD", help="First day, where the file does not say it."),
]
EndOption = Annotated[
    str | None,
    typer.Option(metavar="YYYY-MM-DD", help="Last day, where the file does not say it."),
]
HomeOption = Annotated[
    Path | None,
    typer.Option("--home", help="Folder of the office; else RATINGBOOK_OFFICE, or this folder."),
]
ActorOption = Annotated[
    str | None, typer.Option("--as", metavar="ACTOR", help="Who acts; else RATINGBOOK_ACTOR.")
]
FormatOption = Annotated[Format, typer.Option("--format", help="For people or programs.")]
ReasonOption = Annotated[str, typer.Option("--reason", help="Why; it stands in the ledger.")]
KnownOption = Annotated[
    str | None,
    typer.Option("--known", metavar="YYYY-MM-DD", help="As the office knew it on that day."),
]


def person_number(text: str, found_by: str = "people") -> int:
    """The number of a person; whoever types a name is told which command finds its number."""
    if text.isascii() and text.isdecimal() and len(text) <= _DIGITS:
        return int(text)
    command = f"ratingbook office {found_by} {shlex.quote(text)}"
    raise typer.BadParameter(f"{text!r} is no person's number; `{command}` has it")


PersonArgument = Annotated[int, typer.Argument(parser=person_number)]
_NONE = inspect.Parameter.empty
_NAMED = inspect.Parameter(
    "named",
    inspect.Parameter.KEYWORD_ONLY,
    default=None,
    annotation=Annotated[
        Path | None, typer.Option("-o", "--out", metavar="FILE", help="The same as OUT.")
    ],
)


@dataclass(frozen=True)
class Answer:
    """What a command found: for programs ``said``, for people lines and tables."""

    said: Mapping[str, Any]
    lines: Sequence[str] = ()
    columns: Sequence[str] = ()
    rows: Sequence[Sequence[object]] = ()
    findings: Findings = field(default_factory=Findings)
    is_refused: bool = False
    none: str = "There is nothing to show."
    """What people read of a table without rows, where no line says it."""


_NOT_YET = {"office.no-list", "office.no-person"}
"""Codes of refusals of what there may have been later."""


def answering(function: Callable[..., Answer]) -> Callable[..., None]:
    """The command that prints what a function of its options finds, as ``--format`` says.

    The answer goes into the file of ``-o``; of a command that writes a file of its own, that file
    is named by it.
    """
    hints = get_type_hints(function, include_extras=True)
    own = [
        each.replace(annotation=hints[each.name], kind=inspect.Parameter.KEYWORD_ONLY)
        for each in inspect.signature(function).parameters.values()
    ]
    if "format_" not in hints:
        kind = inspect.Parameter.KEYWORD_ONLY
        own.append(
            inspect.Parameter("format_", kind, default=Format.table, annotation=FormatOption)
        )

    names_file = "out" in hints and inspect.signature(function).parameters["out"].default is _NONE
    if names_file:
        own = [each.replace(default=None) if each.name == "out" else each for each in own]
        own.append(_NAMED)

    @functools.wraps(function)
    def command(*, format_: Format, **given: Any) -> None:
        if "format_" in hints:
            given["format_"] = format_
        _refuse_large(given)
        if names_file:
            named = given.pop(_NAMED.name)
            if given["out"] is None and named is None:
                usage("name the new file: OUT, or -o OUT")
            if given["out"] is not None and named is not None:
                usage("name the new file once: OUT, or -o OUT")
            given["out"] = given["out"] or named
        work = functools.partial(function, **given)
        if given.get("known"):
            work = functools.partial(_as_known, work, given["known"])
        answer(function.__name__, format_, work)

    return with_output(with_parameters(command, own), files="out" in hints)


def _refuse_large(given: Mapping[str, Any]) -> None:
    """No number of an office is so large that a database could not hold it."""
    for each in given.values():
        if isinstance(each, int) and len(str(abs(each))) > _DIGITS:
            usage(f"{each} is larger than any number of an office")


def _as_known(work: Callable[[], Answer], known: str) -> Answer:
    """The answer as of a day; where the office had not begun then, that is said with it."""
    try:
        found = work()
    except Exception as error:
        findings = refusal_of(error)
        if findings is None or not was_not_yet(findings, known):
            raise
        said = nothing_known(known, Severity.ERROR)
        return Answer({}, findings=Findings([said]), is_refused=True)
    if not known_fact(known):
        return replace(found, findings=Findings([*found.findings, nothing_known(known)]))
    return replace(found, findings=Findings([*found.findings, *not_yet(known)]))


def was_not_yet(findings: Findings, known: str) -> bool:
    """Whether something was refused that there was not yet, since the office had not begun."""
    return {each.code for each in findings} <= _NOT_YET and not known_fact(known)


def not_yet(known: str) -> list[Finding]:
    """What is said of a day that has not come: nobody knows what will be known on it."""
    if day("--known", known) <= today():
        return []
    return [
        Finding(
            "office.not-yet", Severity.WARNING,
            f"{known} has not come yet: this is what is known today.",
            remedy="Leave --known out, or name a day that is past.",
        )
    ]  # fmt: skip


def today() -> date:
    """The day by which the office counts."""
    return datetime.now(UTC).date()


def nothing_known(known: str, severity: Severity = Severity.WARNING) -> Finding:
    """What is said of a day on which the office had not begun."""
    from ratingbook.office.store.models import Fact

    first = Fact.objects.order_by("seq").values_list("at", flat=True).first()
    return Finding(
        "office.nothing-known", severity,
        f"Nothing was known on {known}: the office had not begun.",
        remedy=f"Its first fact is of {first:%Y-%m-%d}: ask for that day or a later one.",
    )  # fmt: skip


def answer(command: str, format_: Format, work: Callable[[], Answer]) -> None:
    """Do it and print the answer; what the office refuses is findings and exit status 1."""
    begun = time.perf_counter()
    try:
        found = work()
    except Exception as error:
        findings = refusal_of(error)
        if findings is None:
            _log(command, "failed", begun, [type(error).__name__])
            raise
        found = Answer({}, findings=findings, is_refused=True)
    _log(
        command, "refused" if found.is_refused else "done", begun, [f.code for f in found.findings]
    )
    if format_ is Format.json:
        said = {**found.said, "findings": [each.as_dict() for each in found.findings]}
        write(json.dumps(said, ensure_ascii=False, indent=2, default=str))
    else:
        _print(found)
        print_findings(found.findings, errors())
    raise typer.Exit(REFUSED if found.is_refused else 0)


def _log(command: str, outcome: str, begun: float, codes: Sequence[str]) -> None:
    from ratingbook.office.logs import log

    log(
        "command", command=command, outcome=outcome,
        seconds=round(time.perf_counter() - begun, 3), findings=sorted(set(codes)),
    )  # fmt: skip


def refusal_of(error: Exception) -> Findings | None:
    """The findings of a refusal; None: the exception is none."""
    from ratingbook.office.refused import OfficeRefused, not_installed

    if isinstance(error, OfficeRefused):
        return error.findings
    if isinstance(error, ModuleNotFoundError) and not (error.name or "").startswith("ratingbook"):
        return not_installed(error).findings
    is_database = type(error).__module__.startswith(("django.db", "sqlite3", "psycopg"))
    if is_database or isinstance(error, UnicodeDecodeError):
        from ratingbook.office.store.away import in_a_line
        from ratingbook.office.store.damage import is_damaged

        if is_damaged(error):
            return _one(
                "office.damaged", f"The database is damaged: {in_a_line(error)}.",
                "Restore the last backup: ratingbook office restore BACKUP --home NEW-FOLDER. "
                "`ratingbook office doctor` says what can still be read here.",
            )  # fmt: skip
    if is_database or isinstance(error, OSError):
        from ratingbook.office.home import read_only

        folder = read_only()
        where = str(getattr(error, "filename", None) or "")
        if folder is not None and (is_database or where.startswith(str(folder))):
            return _one(
                "office.read-only", f"Nobody may write in {folder}: the office can only be read.",
                "Copy the folder to where you may write, and do it there.",
            )  # fmt: skip
    if isinstance(error, OSError):
        return _one(
            "office.disk", f"The disk refuses: {error}.", "Make room, or mend the permissions."
        )
    if is_database:
        if _are_of_another_version():
            return _one(
                "office.migrations", "The tables of the office are not those of this version.",
                "If no backup is there, make one with the version before; then run `ratingbook "
                "office migrate`.",
            )  # fmt: skip
        return _one("office.database", f"The database refuses: {in_a_line(error)}.",
            "Nothing is half written. See that the database runs, has room and may be written, "
            "then try again.",
        )  # fmt: skip
    return None


def _are_of_another_version() -> bool:
    """Whether the database refuses since nobody has brought its tables to this version."""
    from django.db import DatabaseError

    from ratingbook.office.store.tables import are_of_this_version

    try:
        return not are_of_this_version()
    except DatabaseError:
        # It does not answer.
        return False


def _one(code: str, message: str, remedy: str) -> Findings:
    return Findings([Finding(code, Severity.FATAL, message, remedy=remedy)])


def _print(found: Answer) -> None:
    console = output()
    is_empty = found.columns and not found.rows and not found.lines
    for line in [found.none] if is_empty else found.lines:
        console.print(Text(clean(line)))
    if found.rows:
        table = plain_table(*found.columns)
        for row in found.rows:
            table.add_row(*(Text(clean(_written(cell))) for cell in row))
        console.print(table)


def _written(cell: object) -> object:
    """As people read it; JSON has numbers as they are."""
    if cell is None:
        return ""
    return f"{cell:.10g}".replace("-", "−") if isinstance(cell, float) else cell


def opened(home: Path | None) -> Home:
    """The office of the option, the environment, or this folder."""
    from ratingbook.office.acts.setup import open_office
    from ratingbook.office.home import folder_of

    return open_office(folder_of(home))


def acting_as(name: str | None) -> Who:
    """Who acts: as said, by the environment, or the only actor that there is."""
    from ratingbook.office.refused import refuse
    from ratingbook.office.store.ledger import SYSTEM, Who
    from ratingbook.office.store.models import Actor

    chosen = name or os.environ.get(ACTOR)
    if chosen:
        return Who(chosen)
    known = list(Actor.objects.exclude(name=SYSTEM).values_list("name", flat=True))
    if len(known) == 1:
        return Who(known[0])
    raise refuse(
        "office.actor", f"Who acts? The office knows {', '.join(sorted(known))}.",
        "Say --as NAME, or set RATINGBOOK_ACTOR.",
    )  # fmt: skip


def first_actor(name: str | None) -> str:
    """Who makes an office: as said, by the environment, or whoever uses the machine."""
    import getpass

    return name or os.environ.get(ACTOR) or getpass.getuser()


def pairs(option: str, texts: Sequence[str] | None, example: str = "") -> dict[str, str]:
    """The KEY=VALUE pairs of an option that may repeat."""
    found = {}
    for text in texts or ():
        key, equals, value = text.partition("=")
        if not equals:
            such_as = f", such as {example.format(text)}" if example else ""
            usage(f"{option} takes KEY=VALUE{such_as}, not {text!r}")
        if key.strip() in found:
            usage(f"{option} says {key.strip()!r} twice")
        found[key.strip()] = value.strip()
    return found


def day(option: str, text: str | None) -> Any:
    """A day of an option; None where it is not given."""
    if text is None:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        return usage(f"{option} takes a day as YYYY-MM-DD, not {text!r}")


def known_fact(text: str | None) -> int | None:
    """The last fact that was known on the day of --known; None where it is not given."""
    from ratingbook.office.store.ledger import known_at

    return None if text is None else known_at(day("--known", text))


def some(count: int, one: str, many: str = "") -> str:
    """So many of something, in words."""
    return f"{count} {one if count == 1 else many or f'{one}s'}"


def usage(message: str) -> None:
    """Say what was wrong with the call; exit status 2."""
    errors().print(clean(f"ratingbook: {message}"), style="bold red")
    raise typer.Exit(2)
