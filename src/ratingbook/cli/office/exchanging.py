"""The commands of what goes to other federations and comes from them, and of anomalies."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ratingbook.cli.office.answers import (
    ActorOption,
    Answer,
    HomeOption,
    ReasonOption,
    acting_as,
    answering,
    day,
    opened,
    some,
    usage,
)
from ratingbook.cli.office.app import office
from ratingbook.cli.options import EncodingOption


@office.command()
@answering
def outbox(home: HomeOption = None) -> Answer:
    """What goes to other federations: due, sent or answered, and what is overdue."""
    opened(home)
    from dataclasses import asdict
    from datetime import UTC, datetime

    from ratingbook.office.acts import exchange

    found = exchange.outbox(datetime.now(UTC).date())
    rows = [
        [x.partner, x.form, x.report, x.event, x.due, "overdue" if x.overdue else x.state]
        for x in found
    ]
    columns = ("To", "Form", ">Report", "Event", "Due", "State")
    said = {"outbox": [asdict(x) for x in found]}
    return Answer(said, columns=columns, rows=rows, none="Nothing goes to others.")


@office.command()
@answering
def send(
    report: int, partner: str,
    out: Annotated[Path, typer.Argument(help="The file, or the folder of several.")],
    home: HomeOption = None, actor: ActorOption = None,
) -> Answer:  # fmt: skip
    """Write a report as another federation takes it, and note that it was sent."""
    office_ = opened(home)
    from ratingbook.office.acts import exchange

    names, findings = exchange.send(office_, report, partner, out, acting_as(actor))
    return Answer({"files": names}, names, findings=findings)


@office.command()
@answering
def answered(
    report: int, partner: str,
    refused: Annotated[bool, typer.Option("--refused", help="They did not take it.")] = False,
    reason: ReasonOption = "",
    home: HomeOption = None, actor: ActorOption = None,
) -> Answer:  # fmt: skip
    """Note what another federation said of a report."""
    opened(home)
    from ratingbook.office.acts import exchange

    findings = exchange.answered(report, partner, acting_as(actor), reason, is_refused=refused)
    return Answer({"report": report}, [f"report {report}: noted"], findings=findings)


@office.command()
@answering
def inbox(
    file: Annotated[Path | None, typer.Argument(help="A list that has come.")] = None,
    partner: Annotated[str | None, typer.Option("--from", help="Of which federation.")] = None,
    date: Annotated[str | None, typer.Option("--date", metavar="YYYY-MM-DD")] = None,
    encoding: EncodingOption = None, home: HomeOption = None, actor: ActorOption = None,
) -> Answer:  # fmt: skip
    """The lists that came from other federations; or take one in, and find who is on it."""
    if file is not None and (partner is None or date is None):
        usage("inbox FILE takes --from PARTNER and --date YYYY-MM-DD")

    office_ = opened(home)
    from collections import Counter
    from dataclasses import asdict
    from datetime import UTC, datetime

    from ratingbook.office.acts import exchange
    from ratingbook.office.acts.abroad import OPEN

    if file is None:
        found, findings = exchange.inbox(datetime.now(UTC).date())
        rows = [[x["partner"], x["date"], x["fact"]] for x in found]
        return Answer(
            {"lists": found}, (), ("From", "Date", ">Fact"), rows, findings,
            none="No list has come.",
        )  # fmt: skip
    one = exchange.arrive(office_, file, partner or "", day("--date", date), acting_as(actor))
    said = {
        "fact": one.fact, "rows": one.rows, "players": list(one.players),
        "abroad": [asdict(each) for each in one.abroad],
    }  # fmt: skip
    rows = [[x["person"], x["name"], x["id"], x["rating"], x["games"]] for x in one.players]
    columns = (">Person", "Name", "Number", ">Rating", ">Games")
    lines = [f"{some(one.rows, 'player')} on the list, {len(one.players)} of them ours"]
    lines += [
        f"{pool}: {some(count, 'player')} with games elsewhere of which no report has come; "
        f"`ratingbook office abroad --pool {pool}` names them"
        for pool, count in Counter(x.pool for x in one.abroad if x.state == OPEN).items()
    ]
    return Answer(said, lines, columns, rows, one.findings)


@office.command("abroad")
@answering
def abroad_(
    pool: Annotated[str, typer.Option(help="The pool.")],
    list_: Annotated[
        str | None, typer.Option("--list", metavar="YYYY-MM-DD", help="Only by the list of a day.")
    ] = None,
    settle: Annotated[
        str | None, typer.Option(metavar="NUMBER", help="No report of this player will come.")
    ] = None,
    reason: ReasonOption = "",
    home: HomeOption = None, actor: ActorOption = None,
) -> Answer:  # fmt: skip
    """Whom the rules update for games that only another federation's lists tell of."""
    wanted = day("--list", list_)
    if settle is not None and wanted is None:
        usage("abroad --settle NUMBER takes --list YYYY-MM-DD")

    opened(home)
    from dataclasses import asdict

    from ratingbook.office.acts import abroad as acts

    if settle is not None and wanted is not None:
        findings = acts.settle(pool, wanted, settle, reason, acting_as(actor))
        return Answer({"settled": settle}, [f"{settle}: settled"], findings=findings)
    found = [x for x in acts.of_pool(pool) if wanted in (None, x.day)]
    rows = [
        [x.day, x.number, x.name, x.person, x.played, x.own, x.reported, x.state] for x in found
    ]
    columns = ("List", "Number", "Name", ">Person", ">Games", ">Ours", ">Reported", "State")
    lines = [f"§ {found[0].where}" if found else "No list tells of such games."]
    return Answer({"players": [asdict(x) for x in found]}, lines, columns, rows)


@office.command()
@answering
def anomalies(
    pool: Annotated[str, typer.Option(help="The pool.")],
    since: Annotated[str | None, typer.Option(metavar="YYYY-MM-DD")] = None,
    report: Annotated[int | None, typer.Option(help="Only what concerns this report.")] = None,
    home: HomeOption = None,
) -> Answer:
    """What is improbable or looks arranged, with reasons; none of it decides anything."""
    office_ = opened(home)
    from ratingbook.office.acts.anomalies import anomalies as look

    found = look(office_, pool, day("--since", since), report)
    rows = [
        [x["kind"], ", ".join(f"{n} ({p})" for p, n in zip(x["persons"], x["names"],
                                                           strict=True)),
         ", ".join(x["events"][:3]), "; ".join(x["reasons"]), " ".join(x["games"][:6])]
        for x in found
    ]  # fmt: skip
    columns = ("What", "Who", "Events", "Reasons", "Games")
    none = "Nothing is improbable."
    return Answer({"anomalies": found}, columns=columns, rows=rows, none=none)
