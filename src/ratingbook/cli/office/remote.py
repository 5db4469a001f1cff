"""``ratingbook office --server URL``: the commands that ask a served office over HTTP."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, fields, is_dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ratingbook.cli.command import Commands
from ratingbook.cli.office.answers import (
    Answer,
    EndOption,
    Format,
    FormatOption,
    StartOption,
    answering,
    day,
    person_number,
    some,
    usage,
)
from ratingbook.cli.office.told import (
    ListArgument,
    StateOption,
    corrections_told,
    desk_told,
    entries_told,
    entry_told,
    print_list,
    why_told,
)
from ratingbook.model import BadArgument, Finding, Findings, Place, Severity
from ratingbook.rules.listing import Column

if TYPE_CHECKING:
    from ratingbook.client import Client, Problem, Received, Then
    from ratingbook.client import Finding as Noticed

TOKEN = "RATINGBOOK_TOKEN"
_REFUSED = "refused"
_ANSWERED = 200
_NO_OFFICE = "See that --server names an office."
_NO_TOKEN = (
    "Make one on the page of your account, and let the file that --token-file names, or "
    f"{TOKEN}, hold nothing but that."
)
_BY_COMMAND = {
    "site.no-token": _NO_TOKEN,
    "office.no-list": "`ratingbook office --server URL lists` has their numbers; or write "
                      "POOL@YYYY-MM-DD.",
    "office.no-correction": "`ratingbook office --server URL register` lists them.",
    "office.no-change": "`ratingbook office --server URL player` has the results of a player.",
    "office.no-person": "Find one: ratingbook office --server URL player NAME.",
}  # fmt: skip
"""What is done otherwise by the command than by other programs."""
_TOO_LARGE = 413
_OF_FILE = (0, 404, 409, 422)
"""With findings: that a file cannot be read, or is not taken as what it was sent as."""
remote = Commands(
    help="A served office.", no_args_is_help=True, rich_markup_mode=None, add_completion=False
)


@dataclass(frozen=True)
class Server:
    """Where an office is served, and the file with the token for it."""

    url: str
    token_file: Path | None = None


_chosen: list[Server] = []


def choose(server: Server) -> None:
    """The server that is asked from now on."""
    _chosen[:] = [server]


def _token(server: Server) -> str | None:
    if server.token_file is None:
        return os.environ.get(TOKEN) or None
    try:
        # An editor of Windows may have left its mark before the token.
        return server.token_file.read_text("utf-8-sig").strip() or None
    except (OSError, UnicodeDecodeError) as error:
        usage(f"--token-file {server.token_file} cannot be read: {error}")
    return None


def _person(text: str) -> int:
    return person_number(text, "--server URL player")


def _asked(ask: Callable[[Client], Answer]) -> Answer:
    """What the office answers; what it refuses is findings and exit status 1."""
    try:
        from ratingbook.client import BadToken, Client, Problem
    except ImportError as error:
        return _refused("client.not-installed", f"The client is not installed: {error}.",
                        'Install it: pip install "ratingbook[client]".')  # fmt: skip
    server = _chosen[-1]
    try:
        with Client(server.url, _token(server)) as office:
            return ask(office)
    except Problem as problem:
        return _told(problem)
    except BadToken as error:
        return _refused("client.token", f"The token cannot be sent: {error}.", _NO_TOKEN)
    except BadArgument as error:
        return _refused("client.answer", f"{error}."[:500], _NO_OFFICE)


def _refused(code: str, message: str, remedy: str) -> Answer:
    found = Findings([Finding(code, Severity.ERROR, message, remedy=remedy)])
    return Answer({}, findings=found, is_refused=True)


def _told(problem: Problem) -> Answer:
    found = Findings(map(_finding, problem.findings))
    if found:
        return Answer({}, findings=found, is_refused=True)
    if problem.status == _ANSWERED:
        return _refused("client.answer", f"{problem}.", _NO_OFFICE)
    remedies = {
        0: "See that the server runs and that the address is right.",
        _TOO_LARGE: "Send each event by itself; what is no report is not sent to an office.",
    }
    return _refused("client.refused", str(problem), remedies.get(problem.status, ""))


def _finding(said: Noticed) -> Finding:
    kind = Severity.WARNING
    with suppress(ValueError):
        kind = Severity(said.severity)
    where: dict[str, Any] = {x.name: said.where.get(x.name) for x in fields(Place)}
    remedy = _BY_COMMAND.get(said.code, said.remedy)
    return Finding(said.code, kind, said.message, Place(**where), remedy)


@remote.command()
@answering
def status() -> Answer:
    """How the office is: where each pool stands, and the head of its ledger."""

    def ask(office: Client) -> Answer:
        found = office.status()
        rows = [[x.pool, x.until, x.last_list, x.next_list] for x in found.pools]
        lines = ["All is well." if found.is_well else "Not all is well."]
        columns = ("Pool", "Rated until", "Last list", "Next list")
        return Answer(asdict(found), lines, columns, rows)

    return _asked(ask)


@remote.command()
@answering
def lists() -> Answer:
    """The published lists, each in its newest revision."""

    def ask(office: Client) -> Answer:
        found = office.lists()
        rows = [[x.number, x.pool, x.day, x.revision, x.rows, x.title] for x in found]
        columns = (">List", "Pool", "Day", ">Revision", ">Players", "Title")
        said = {"lists": [asdict(x) for x in found]}
        return Answer(said, columns=columns, rows=rows, none="No list is published.")

    return _asked(ask)


@remote.command("list")
@answering
def list_(
    name: ListArgument,
    called: Annotated[str, typer.Option("--name", help="Only who goes by this.")] = "",
    format_: FormatOption = Format.table,
) -> Answer:
    """Print a published list as it was printed then."""

    def ask(office: Client) -> Answer:
        head = office.list_named(name)
        of = head.pool, head.day, head.revision
        if format_ is Format.json or called:
            lines = list(office.rows(*of, name=called or None))
        if format_ is Format.json:
            return Answer({**asdict(head), "rows": [asdict(x) for x in lines]})
        printed = office.printed(*of)
        wanted = {str(x.person) for x in lines} if called else None
        rows = [x for x in printed.rows if wanted is None or str(x["id"]) in wanted]
        columns = [Column(x.key, x.title, x.numeric) for x in printed.columns]
        left_out = [] if called else [(x.reason, x.players) for x in printed.not_listed]
        print_list(printed.title, columns, rows, left_out)
        return Answer({})

    return _asked(ask)


@remote.command()
@answering
def player(
    who: Annotated[str, typer.Argument(help="A number of the office, or a name to look for.")],
) -> Answer:
    """A player: ratings and results; of several that fit, who they are."""

    def ask(office: Client) -> Answer:
        number = int(who) if who.isdecimal() and len(who) < 10 else None
        if number is None:
            found = office.search(who)
            if len(found) != 1:
                rows = [[x.id, x.name, x.federation, x.club] for x in found]
                said = {"players": [asdict(x) for x in found]}
                columns = (">Player", "Name", "Federation", "Club")
                return Answer(said, [some(len(found), "player")], columns, rows)
            number = found[0].id
        one = office.player(number)
        results = list(office.results(number))
        lines = [one.name, *(
            f"{x.pool}: {_number(x.official if x.official is not None else x.now)}, "
            f"{some(x.games, 'game')}"
            for x in one.pools
        )]  # fmt: skip
        rows = [
            [x.day, x.pool, "; ".join(e.name for e in x.events), _number(x.before),
             _number(x.after), _number(x.change), x.key]
            for x in results
        ]  # fmt: skip
        said = {**asdict(one), "results": [asdict(x) for x in results]}
        heads = ("Day", "Pool", "Events", ">Before", ">After", ">Change", "Key")
        return Answer(said, lines, heads, rows)

    return _asked(ask)


@remote.command()
@answering
def explain(
    person: Annotated[int, typer.Argument(parser=_person)],
    list_name: Annotated[
        str | None,
        typer.Option("--list", metavar="LIST", help="Up to this list, as it was; else up to now."),
    ] = None,
    batch: Annotated[
        str | None, typer.Option(help="The batch, as `player` shows it as key; else the last.")
    ] = None,
    pool: Annotated[str | None, typer.Option(help="Only of this pool.")] = None,
) -> Answer:
    """Why a rating changed, paragraph by paragraph."""

    def ask(office: Client) -> Answer:
        if list_name is not None:
            upto = office.list_named(list_name)
            if pool not in (None, upto.pool):
                usage(f"--pool {pool}: list {list_name} is one of the pool {upto.pool}")
            one = (
                office.explain_on_list(person, upto.number)
                if batch is None
                else office.explain(person, upto.pool, batch, upto.number)
            )
        else:
            last = next(
                (x for x in office.results(person, pool) if x.key and batch in (None, x.key)), None
            )
            if last is None:
                return _refused("office.no-change", "Nothing of this player was rated there.",
                                _BY_COMMAND["office.no-change"])  # fmt: skip
            one = office.explain(person, last.pool, last.key)
        before, after = _number(one.before) or "none", _number(one.after)
        lines = [f"{one.name}, {one.pool}: {before} to {after}", one.text]
        if one.then is not None:
            lines.append(_of_then(one.then, one.change))
        for each in one.paragraphs:
            lines += ["", f"{each.number} {each.title}", *each.said]
            lines += [f"  {title}: {what}" for title, what in each.games]
        rows = [[x.round, x.colour, x.name, _number(x.rating), x.result, _number(x.expected),
                 _number(x.change)]
                for x in one.games]  # fmt: skip
        columns = (">Round", "Colour", "Opponent", ">Rating", "Result", ">Expected", ">Change")
        return Answer(asdict(one), lines, columns, rows)

    return _asked(ask)


def _of_then(then: Then, change: float | None) -> str:
    """That a change is told as it was, and what it is by now."""
    now = "By now nothing of this player is rated there."
    if then.holds:
        by_now = f"{then.change or 0:+.10g}".replace("-", "−")
        now = f"By now it is {by_now}."
        if then.change is None:
            now = "It is told otherwise by now."
        elif then.change == change:
            now = f"By now it is from {_number(then.before)} to {_number(then.after)}."
    return f"As it was reckoned for the list of {then.day}, revision {then.revision}. {now}"


@remote.command()
@answering
def why(
    person: Annotated[int, typer.Argument(parser=_person)],
    pool: Annotated[str, typer.Option(help="The pool.")],
) -> Answer:
    """What was changed of a person's numbers after they were first rated, and why."""

    def ask(office: Client) -> Answer:
        said = [_plain(each) for each in office.why(person, pool)]
        # What was not added has no such number, as in an office in a folder.
        return why_told(person, [
            {key: value for key, value in each.items() if key != "added" or value is not None}
            for each in said
        ])  # fmt: skip

    return _asked(ask)


@remote.command()
@answering
def register(
    number: Annotated[int | None, typer.Argument(metavar="CORRECTION")] = None,
) -> Answer:
    """The public register: what was asked, decided and changed, and by which lists."""

    def ask(office: Client) -> Answer:
        if number is None:
            return entries_told([
                {"correction": each.number, "state": each.state, "says": each.says}
                for each in office.corrections()
            ])  # fmt: skip
        said = _with_days(_plain(office.correction_entry(number)), "until", "next_list")
        if said["reach"] is None:
            del said["reach"]
        else:
            said["changed"] = [_plain(each) for each in office.correction_numbers(number)]
        return entry_told(said)

    return _asked(ask)


@remote.command()
@answering
def desk(
    report: Annotated[int | None, typer.Argument(help="Only this report.")] = None,
) -> Answer:
    """Who waits to be identified; it needs a token with the scope officer."""

    def ask(office: Client) -> Answer:
        return desk_told([_plain(each) for each in office.desk_waiting(report)])

    return _asked(ask)


@remote.command()
@answering
def corrections(state: StateOption = None) -> Answer:
    """The corrections and where they stand; it needs a token with the scope officer."""

    def ask(office: Client) -> Answer:
        found = office.desk_corrections(state.value if state else None)
        return corrections_told([_with_days(_plain(each), "until") for each in found], state)

    return _asked(ask)


@remote.command()
@answering
def receive(
    files: Annotated[list[Path], typer.Argument(help="Files of any format, or folders (2C).")],
    pool: Annotated[str, typer.Option(help="The pool, where the file does not say.")] = "",
    version_of: Annotated[
        int | None, typer.Option(help="The own report of which this is a new version.")
    ] = None,
    another: Annotated[
        bool, typer.Option("--another", help="It is another event than it looks like.")
    ] = False,
    start: StartOption = None,
    end: EndOption = None,
) -> Answer:
    """Send reports to the office, each file by itself; it needs a token with the scope report."""
    first, last = day("--start", start), day("--end", end)

    def ask(office: Client) -> Answer:
        from ratingbook.client import Problem

        def send(parts: Sequence[Path]) -> Received:
            return office.send(parts, pool, version_of, another=another, start=first, end=last)

        sent, stopped = [], Findings()
        for name, parts in _reports(files).items():
            try:
                sent.append(_sent(send, name, parts))
            except Problem as problem:
                # It is of who sends, or of the server: the others would be told the same.
                stopped = _told(problem).findings
                break
        said = [{**x, "findings": [each.as_dict() for each in found]} for x, found in sent]
        rows = [[x["file"], x["id"], x["version"], x["state"], x["waiting"]] for x in said]
        lines = [f"{x['file']}: {words}" for x in said for words in x["difference"]]
        findings = Findings([*(each for _, found in sent for each in found), *stopped])
        return Answer(
            {"reports": said}, lines, ("File", ">Report", ">Version", "State", ">At the desk"),
            rows, findings, bool(stopped) or any(x["state"] == _REFUSED for x in said),
        )  # fmt: skip

    return _asked(ask)


def _reports(paths: Iterable[Path]) -> dict[str, list[Path]]:
    """The files of each report, by what it is called: a folder of them, or one file.

    Files that are a report together only are sent together, whoever names them one by one.
    """
    from ratingbook.formats import is_report_by_place

    found: dict[str, list[Path]] = {}
    named = (path if path.name.strip(".") else path.resolve() for path in paths)
    for path in dict.fromkeys(named):
        is_part = is_report_by_place(path) and not path.is_dir()
        found.setdefault(str(path.parent if is_part else path), []).append(path)
    return found


def _is_of_file(problem: Problem) -> bool:
    """Whether another file may be taken."""
    has_said_why = bool(problem.findings) and problem.status in _OF_FILE
    return has_said_why or problem.status == _TOO_LARGE


def _sent(
    send: Callable[[Sequence[Path]], Received], name: str, parts: Sequence[Path]
) -> tuple[dict[str, Any], Findings]:
    """What became of a report: what is wrong with one does not keep the others out."""
    from ratingbook.client import Problem

    said: dict[str, Any] = {"file": Path(name).name or parts[0].name, "id": None}
    try:
        one = send(parts)
    except Problem as problem:
        if not _is_of_file(problem):
            raise
        findings = _told(problem).findings
    else:
        said |= {
            "id": one.id,
            "state": one.state,
            "sha256": one.sha256,
            "version": one.version,
            "new": one.is_new,
            "difference": list(one.difference),
            "waiting": one.waiting,
        }
        return said, Findings(map(_finding, one.findings)).in_file(said["file"])  # fmt: skip
    said |= {"state": _REFUSED, "sha256": "", "version": None, "new": True, "difference": [],
             "waiting": 0}  # fmt: skip
    return said, findings.in_file(said["file"])


@remote.command()
@answering
def reports() -> Answer:
    """The own reports and where they stand; it needs a token."""

    def ask(office: Client) -> Answer:
        found = list(office.reports())
        rows = [[x.report, x.version, x.state, x.pool, x.name, x.waiting, x.reason] for x in found]
        columns = (">Report", ">Version", "State", "Pool", "Event", ">Asked", "Reason")
        said = {"reports": [asdict(x) for x in found]}
        return Answer(said, columns=columns, rows=rows, none="No report has come.")

    return _asked(ask)


def _plain(said: Any) -> Any:
    """What the office said, with days as texts, as JSON has them and the commands of a folder."""
    if is_dataclass(said) and not isinstance(said, type):
        return {each.name: _plain(getattr(said, each.name)) for each in fields(said)}
    if isinstance(said, date):
        return said.isoformat()
    if isinstance(said, tuple):
        return [_plain(each) for each in said]
    return said


def _with_days(said: dict[str, Any], *names: str) -> dict[str, Any]:
    """The same with an empty text for days that there are none of."""
    return {key: value or "" if key in names else value for key, value in said.items()}


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.10g}"
