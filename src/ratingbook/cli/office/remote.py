"""``ratingbook office --server URL``: the commands that ask a served office over HTTP."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ratingbook.cli.office.answers import (
    Answer,
    EndOption,
    StartOption,
    answering,
    day,
    person_number,
    some,
    usage,
)
from ratingbook.model import BadArgument, Finding, Findings, Place, Severity

if TYPE_CHECKING:
    from ratingbook.client import Client, Problem, Received
    from ratingbook.client import Finding as Noticed

TOKEN = "RATINGBOOK_TOKEN"
_REFUSED = "refused"
_ANSWERED = 200
_NO_OFFICE = "See that --server names an office."
_NO_TOKEN = (
    "Make one on the page of your account, and let the file that --token-file names, or "
    f"{TOKEN}, hold nothing but that."
)
_BY_COMMAND = {"site.no-token": _NO_TOKEN}
"""What is done otherwise by the command than by other programs."""
_TOO_LARGE = 413
_OF_FILE = (0, 404, 409, 422)
"""With findings: that a file cannot be read, or is not taken as what it was sent as."""
remote = typer.Typer(
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
        return Answer({"lists": [asdict(x) for x in found]}, columns=columns, rows=rows)

    return _asked(ask)


@remote.command("list")
@answering
def list_(
    pool: str,
    on: Annotated[
        str | None, typer.Argument(metavar="YYYY-MM-DD", help="Its day; else the newest.")
    ] = None,
    revision: Annotated[int | None, typer.Option(help="Not the newest revision.")] = None,
    name: Annotated[str, typer.Option(help="Only who goes by this.")] = "",
) -> Answer:
    """A list."""
    wanted = day("YYYY-MM-DD", on)

    def ask(office: Client) -> Answer:
        chosen = wanted or next((x.day for x in office.lists() if x.pool == pool), None)
        if chosen is None:
            return _refused("client.refused", f"There is no list of the pool {pool!r}.",
                                  "Look at `ratingbook office --server URL lists`.")  # fmt: skip
        head = office.list_of(pool, chosen, revision)
        found = list(office.rows(pool, chosen, head.revision, name=name or None))
        rows = [[x.place, x.person, x.name, x.federation, _number(x.rating), _number(x.change)]
                for x in found]  # fmt: skip
        said = {**asdict(head), "rows": [asdict(x) for x in found]}
        lines = [f"{head.title}, revision {head.revision}, by {head.edition}"]
        columns = (">Place", ">Player", "Name", "Federation", ">Rating", ">Change")
        return Answer(said, lines, columns, rows)

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
        names = {x.pool: x.name for x in one.pools}
        results = list(office.results(number))
        lines = [one.name, *(
            f"{x.name}: {_number(x.official if x.official is not None else x.now)}, "
            f"{some(x.games, 'game')}"
            for x in one.pools
        )]  # fmt: skip
        rows = [
            [x.day, names.get(x.pool, x.pool), "; ".join(e.name for e in x.events),
             _number(x.before), _number(x.after), _number(x.change), x.pool, x.key]
            for x in results
        ]  # fmt: skip
        said = {**asdict(one), "results": [asdict(x) for x in results]}
        heads = ("Day", "Pool", "Events", ">Before", ">After", ">Change", ">Pool", "Key")
        return Answer(said, lines, heads, rows)

    return _asked(ask)


@remote.command()
@answering
def explain(
    person: Annotated[int, typer.Argument(parser=_person)],
    pool: Annotated[int | None, typer.Argument(help="The pool's number; else the last.")] = None,
    key: Annotated[str | None, typer.Argument(help="As `player` shows it; else the last.")] = None,
) -> Answer:
    """Why a rating changed, paragraph by paragraph."""

    def ask(office: Client) -> Answer:
        last = None if key else next(office.results(person, pool), None)
        if key is None and last is None:
            return _refused("client.refused", "Nothing of this player was rated there.",
                                  "Look at `ratingbook office --server URL player`.")  # fmt: skip
        of = pool if pool is not None and key else last.pool if last else 0
        one = office.explain(person, of, key or (last.key if last else ""))
        before, after = _number(one.before) or "none", _number(one.after)
        lines = [f"{one.name}, {one.pool_name}: {before} to {after}", one.text]
        for each in one.paragraphs:
            lines += ["", f"{each.number} {each.title}", *each.said]
            lines += [f"  {title}: {what}" for title, what in each.games]
        rows = [[x.round, x.colour, x.name, _number(x.rating), x.result, _number(x.expected),
                 _number(x.change)]
                for x in one.games]  # fmt: skip
        columns = (">Round", "Colour", "Opponent", ">Rating", "Result", ">Expected", ">Change")
        return Answer(asdict(one), lines, columns, rows)

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
    for path in dict.fromkeys(paths):
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
        return Answer({"reports": [asdict(x) for x in found]}, columns=columns, rows=rows)

    return _asked(ask)


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.10g}"
