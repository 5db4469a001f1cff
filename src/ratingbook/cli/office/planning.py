"""The commands around reports and lists: calendar, receipts, shadow runs."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from ratingbook.cli.office.answers import (
    ActorOption,
    Answer,
    HomeOption,
    KnownOption,
    acting_as,
    answering,
    day,
    known_fact,
    opened,
    some,
    today,
)
from ratingbook.cli.office.app import office
from ratingbook.cli.options import EncodingOption


@office.command()
@answering
def expect(
    name: Annotated[str, typer.Argument(help="The event, as its report will name it.")],
    end: Annotated[str, typer.Option(metavar="YYYY-MM-DD", help="Its last day.")],
    pool: Annotated[str, typer.Option(help="The pool.")],
    sender: Annotated[str, typer.Option(help="Who sends the report.")] = "",
    due: Annotated[int, typer.Option(help="Days after its end for the report.")] = 7,
    home: HomeOption = None,
    actor: ActorOption = None,
) -> Answer:
    """Announce an event of which a report will come."""
    opened(home)
    from ratingbook.office.acts import calendar as acts

    one = acts.Expected(name, day("--end", end), pool, sender, due)
    fact, findings = acts.expect(one, acting_as(actor))
    said = {"fact": fact, "due": one.due}
    return Answer(said, [f"{name} is due on {one.due}"], findings=findings)


@office.command()
@answering
def calendar(
    on: Annotated[
        str | None, typer.Option("--on", metavar="YYYY-MM-DD", help="As of that day; else today.")
    ] = None,
    known: KnownOption = None,
    home: HomeOption = None,
) -> Answer:
    """The next list of each pool, what is missing for it, and who is late."""
    from dataclasses import asdict

    opened(home)
    from ratingbook.office.acts import calendar as acts

    as_of = day("--on", on) or min(day("--known", known) or today(), today())
    found = acts.calendar(as_of, known_fact(known))
    rows: list[list[object]] = []
    for each in found:
        rows.append(
            [each.pool, each.last_list, each.next_list or "as events come", each.ready,
             len(each.open), len(each.missing), _reread(each.reread)]
        )  # fmt: skip
        for one in each.open:
            name = f"  report {one['report']} {one['section']}".rstrip()
            rows.append([name, one["end"], "", "", one["state"], "", ""])
        for one in each.missing:
            late = f"{one['days_late']} days late" if one["days_late"] else "not due yet"
            late += f" ({one['sender']})" if one["sender"] else ""
            rows.append([f"  {one['name']}", one["end"], "", "", "", "missing", late])
    columns = ("Pool", "Last list", "Next list", ">Ready", ">Open", ">Missing", "")
    said = {"day": as_of, "pools": [asdict(each) for each in found]}
    return Answer(said, columns=columns, rows=rows, none="There is no pool.")


def _reread(pools: Iterable[str]) -> str:
    """That a pool wants a run, since another one that it reads is otherwise by now."""
    named = ", ".join(pools)
    return f"{named} may be otherwise by now: run it again" if named else ""


@office.command()
@answering
def receipt(
    report: int,
    version: Annotated[
        int | None, typer.Option(help="An earlier version; else the newest.")
    ] = None,
    home: HomeOption = None,
) -> Answer:
    """What the sender of a report is told, in words."""
    from dataclasses import asdict

    opened(home)
    from ratingbook.office.acts.receipts import receipt as act

    found = act(report, version)
    said = {("said" if k == "findings" else k): v for k, v in asdict(found).items()}
    return Answer({**said, "words": found.words()}, found.words())


@office.command()
@answering
def shadow(
    run: Annotated[int, typer.Argument(help="A run, published or not.")],
    file: Annotated[Path, typer.Argument(help="The list of the other system.")],
    register: Annotated[str, typer.Option(help="Whose numbers its ids are.")],
    encoding: EncodingOption = None,
    home: HomeOption = None,
) -> Answer:
    """Compare a run with the list of the system that the office replaces."""
    from dataclasses import asdict

    office_ = opened(home)
    from ratingbook.office.acts.shadow import shadow as act

    found = act(office_, run, file, register)
    lines = [
        f"{some(found.compared, 'player is', 'players are')} in both: "
        f"{found.equal} equal, "
        f"{found.within_one} within one point",
        f"{len(found.only_theirs)} only in the list, {found.only_ours} only in the run",
    ]
    rows = [
        [r["person"], r["number"], r["name"], r["theirs"], r["ours"],
         f"{r['difference']:+.10g}".replace("-", "−")]
        for r in found.largest
    ]  # fmt: skip
    said = {k: v for k, v in asdict(found).items() if k != "findings"}
    columns = (">Person", ">Number", "Name", ">List", ">Run", ">Difference")
    return Answer(said, lines, columns, rows, found.findings)
