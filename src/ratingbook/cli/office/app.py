"""The commands of the office; what each does stands in ``ratingbook.office.acts``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ratingbook.cli.command import Commands, several
from ratingbook.cli.office.answers import (
    ActorOption,
    Answer,
    EndOption,
    HomeOption,
    KnownOption,
    PersonArgument,
    ReasonOption,
    StartOption,
    acting_as,
    answering,
    day,
    first_actor,
    known_fact,
    opened,
    pairs,
    person_number,
    some,
)
from ratingbook.cli.office.told import desk_told
from ratingbook.cli.options import EncodingOption
from ratingbook.cli.put import put
from ratingbook.cli.screen import telling
from ratingbook.model import Findings

office = Commands(rich_markup_mode=None)
actors = several("Who may act.")
pools = several("Pools and their rules.")
office.add_typer(actors, name="actor")
office.add_typer(pools, name="pool")

ReportArgument = Annotated[str, typer.Argument(metavar="REPORT[:SECTION]")]


@office.command()
@answering
def init(
    home: HomeOption = None,
    database: Annotated[
        str, typer.Option(help="URL of a PostgreSQL database; else SQLite in the folder.")
    ] = "",
    actor: ActorOption = None,
) -> Answer:
    """Make a new office in a folder; who makes it may do everything."""
    from ratingbook.office.home import folder_of, start_django

    start_django()
    from ratingbook.office.acts import setup
    from ratingbook.office.store.ledger import Who

    name = first_actor(actor)
    made = setup.init(folder_of(home), Who(name), database)
    said = {"home": str(made.folder), "actor": name}
    return Answer(said, [f"An office in {made.folder}; {name} may do everything."])


@office.command()
@answering
def migrate(home: HomeOption = None) -> Answer:
    """Bring the tables to this version, and make the triggers anew."""
    from ratingbook.office import home as homes

    homes.connect(homes.find(homes.folder_of(home)))
    homes.migrate()
    return Answer({"migrated": True}, ["The tables are those of this version."])


@actors.command("add")
@answering
def actor_add(
    name: str,
    role: Annotated[list[str], typer.Option(help="admin, officer, director or player.")],
    person: Annotated[
        int | None, typer.Option(metavar="PERSON", parser=person_number, help="Who a player is.")
    ] = None,
    nobody: Annotated[
        bool, typer.Option("--nobody", help="The player is no longer the person it was.")
    ] = False,
    home: HomeOption = None,
    actor: ActorOption = None,
) -> Answer:
    """Add an actor, or give one other roles."""
    opened(home)
    from ratingbook.office.acts import setup

    findings = setup.add_actor(name, role, acting_as(actor), person, of_nobody=nobody)
    said = {"actor": name, "roles": role, "person": setup.person_of(name)}
    return Answer(said, [f"{name}: {', '.join(role)}"], findings=findings)


@pools.command("add")
@answering
def pool_add(
    name: str,
    rulebook: Annotated[str, typer.Option(help="An edition, or a series of them.")],
    settings: Annotated[list[str] | None, typer.Option("--set", metavar="PARAMETER=VALUE")] = None,
    policy: Annotated[list[str] | None, typer.Option(metavar="KEY=VALUE")] = None,
    home: HomeOption = None,
    actor: ActorOption = None,
) -> Answer:
    """Add a pool: an independent list of ratings under one rule book."""
    opened(home)
    from ratingbook.office.acts import setup

    number, findings = setup.add_pool(
        name, rulebook, acting_as(actor), pairs("--set", settings), pairs("--policy", policy)
    )
    return Answer({"pool": number, "name": name}, [f"pool {name}: {rulebook}"],
                  findings=findings)  # fmt: skip


@actors.command("list")
@answering
def actor_list(home: HomeOption = None) -> Answer:
    """Who may act, and what the roles let one do."""
    opened(home)
    from ratingbook.office.store.ledger import ROLES
    from ratingbook.office.store.models import Actor

    found = list(Actor.objects.order_by("name").values("name", "roles"))
    roles = {role: sorted(may) for role, may in ROLES.items()}
    rows = [[each["name"], ", ".join(each["roles"])] for each in found]
    lines = [
        f"{role}: {'everything' if '*' in may else ', '.join(may)}" for role, may in roles.items()
    ]
    return Answer({"actors": found, "roles": roles}, lines, ("Actor", "Roles"), rows)


@pools.command("rules")
@answering
def pool_rules(
    name: str,
    rulebook: Annotated[str | None, typer.Option(help="Another edition, or series.")] = None,
    settings: Annotated[list[str] | None, typer.Option("--set", metavar="PARAMETER=VALUE")] = None,
    reason: ReasonOption = "",
    home: HomeOption = None,
    actor: ActorOption = None,
) -> Answer:
    """Reform a pool: other rules from the next run on, which shows what they change."""
    opened(home)
    from ratingbook.office.acts import setup

    findings = setup.set_rules(name, rulebook, pairs("--set", settings), reason, acting_as(actor))
    pool = setup.pool_named(name)
    said = {"pool": name, "rulebook": pool.rulebook, "parameters": pool.parameters}
    return Answer(said, [f"pool {name}: {pool.rulebook}"], findings=findings)


@pools.command("policy")
@answering
def pool_policy(
    name: str,
    policy: Annotated[list[str] | None, typer.Argument(metavar="KEY=VALUE...")] = None,
    reason: ReasonOption = "",
    home: HomeOption = None,
    actor: ActorOption = None,
) -> Answer:
    """Show the policies of a pool, or set some."""
    opened(home)
    from ratingbook.office.acts import setup

    given = pairs("KEY=VALUE", policy)
    findings = setup.set_policies(name, given, reason, acting_as(actor)) if given else Findings()
    pool = setup.pool_named(name)
    rows = [[key, setup.policy(pool, key), what] for key, (_, _, what) in setup.POLICIES.items()]
    said = {"policies": {key: value for key, value, _ in rows}}
    return Answer(said, columns=("Policy", "Is", "Says"), rows=rows, findings=findings)


@office.command()
@answering
def receive(
    files: Annotated[list[Path], typer.Argument(help="Files of any format, or folders (2C).")],
    pool: Annotated[str | None, typer.Option(help="The pool, where the file does not say.")] = None,
    version_of: Annotated[
        int | None, typer.Option(help="The report of which this is a new version.")
    ] = None,
    another: Annotated[
        bool, typer.Option("--another", help="It is another event than it looks like.")
    ] = False,
    columns: Annotated[list[str] | None, typer.Option("--column", metavar="FIELD=HEADER")] = None,
    start: StartOption = None,
    end: EndOption = None,
    event: Annotated[
        str | None, typer.Option(help="Name of the event, where the file does not say it.")
    ] = None,
    encoding: EncodingOption = None,
    home: HomeOption = None,
    actor: ActorOption = None,
) -> Answer:
    """Take in reports: each is kept, read, checked, and its people are looked up."""
    office_ = opened(home)
    from ratingbook.office.acts import receive as acts
    from ratingbook.office.intake import Said

    said_of = Said(day("--start", start), day("--end", end), (event or "").strip() or None)
    options = acts.Options(pool, version_of, another, pairs("--column", columns) or None, said_of)
    received, _ = acts.receive_all(office_, files, acting_as(actor), options)
    findings = Findings(each for one in received for each in one.findings)
    said = [
        {
            "file": one.file, "id": one.id, "state": one.state, "sha256": one.sha256,
            "version": one.version, "new": one.is_new, "sections": dict(one.sections),
            "difference": list(one.difference), "linked": one.linked,
            "waiting": one.waiting,
            "findings": [each.as_dict() for each in one.findings],
        }
        for one in received
    ]  # fmt: skip
    rows = [[one.file, one.id, one.version, one.state, one.linked, one.waiting] for one in received]
    lines = [f"{one.file}: {words}" for one in received for words in one.difference]
    return Answer(
        {"reports": said}, lines, ("File", ">Report", ">Version", "State", ">Linked",
        ">At the desk"), rows, findings, any(one.state == "refused" for one in received),
    )  # fmt: skip


@office.command()
@answering
def reports(
    state: Annotated[str | None, typer.Option(help="Only those in this state.")] = None,
    known: KnownOption = None,
    home: HomeOption = None,
) -> Answer:
    """List the reports and where they stand."""
    opened(home)
    from dataclasses import asdict

    from ratingbook.office.acts import reports as acts

    upto = known_fact(known)
    found = acts.reports(state, upto)
    files = acts.refused_files(upto) if state in (None, "refused") else []
    rows = [[r.id, r.version, r.state, r.pool, r.name, r.waiting, r.reason] for r in found]
    called = {
        f.sha256: f"file {f.sha256[:12]}…" + (f" ({f.name})" if f.name else "") for f in files
    }
    rows += [
        [None, None, "refused", None, f"{called[f.sha256]}, {f.at:%Y-%m-%d}", None, f.reason]
        for f in files
    ]
    lines = [
        f"{called[each.sha256]}: {told['message']} {told['remedy']}".rstrip()
        for each in files if state == "refused" for told in each.findings
    ]  # fmt: skip
    return Answer(
        {"reports": [asdict(each) for each in found], "files": [asdict(each) for each in files]},
        lines,
        columns=(">Report", ">Version", "State", "Pool", "Event", ">At the desk", "Reason"),
        rows=rows, none=f"No report is {state}." if state else "No report has come.",
    )  # fmt: skip


@office.command("file")
@answering
def file_(
    report: int,
    out: Annotated[Path, typer.Argument(help="Where to write the bytes that came in.")],
    home: HomeOption = None,
) -> Answer:
    """Write the file of a report as it was received."""
    office_ = opened(home)
    from ratingbook.office.acts import states
    from ratingbook.office.refused import not_written
    from ratingbook.office.store import blobs

    version, _ = states.named(str(report), states.newest)
    data = blobs.load(office_, version.blob_id)
    try:
        put(data, out)
    except OSError as error:
        raise not_written(out, error) from None
    said = {"file": version.file_name, "sha256": version.blob_id, "size": len(data)}
    return Answer(
        said, [f"{version.file_name}: {some(len(data), 'byte')}, SHA-256 {version.blob_id}"]
    )


def _aside(
    what: str, sections: str, reason: str, home: Path | None, actor: str | None,
    pool: str | None = None,
) -> Answer:  # fmt: skip
    opened(home)
    from ratingbook.office.acts import reports as acts

    findings = acts.put_aside(sections, what, reason, acting_as(actor), pool)
    return Answer({"report": sections, "act": what}, [f"{sections}: {what}"], findings=findings)


@office.command()
@answering
def hold(
    sections: ReportArgument, reason: ReasonOption = "", home: HomeOption = None,
    actor: ActorOption = None,
) -> Answer:  # fmt: skip
    """Keep a report, or a section of it, out of the next runs."""
    return _aside("hold", sections, reason, home, actor)


@office.command()
@answering
def release(
    sections: ReportArgument,
    pool: Annotated[str | None, typer.Option(help="The pool that it goes into.")] = None,
    reason: ReasonOption = "",
    home: HomeOption = None,
    actor: ActorOption = None,
) -> Answer:
    """Let a report that was held, refused or withdrawn in again."""
    return _aside("release", sections, reason, home, actor, pool)


@office.command()
@answering
def refuse(
    sections: ReportArgument, reason: ReasonOption = "", home: HomeOption = None,
    actor: ActorOption = None,
) -> Answer:  # fmt: skip
    """Refuse a report, or a section of it."""
    return _aside("refuse", sections, reason, home, actor)


@office.command()
@answering
def withdraw(
    sections: ReportArgument, reason: ReasonOption = "", home: HomeOption = None,
    actor: ActorOption = None,
) -> Answer:  # fmt: skip
    """Take a report back that its sender no longer stands by."""
    return _aside("withdraw", sections, reason, home, actor)


@office.command("import")
@answering
def import_(
    file: Path,
    register: Annotated[str, typer.Option(help="Whose numbers the ids are: fide, national …")],
    pool: Annotated[
        str | None, typer.Option(help="The ratings of the file open this pool.")
    ] = None,
    decisions: Annotated[
        bool,
        typer.Option("--decisions", help="The file holds decisions: player,date,kind,value."),
    ] = False,
    encoding: EncodingOption = None,
    reason: ReasonOption = "",
    home: HomeOption = None,
    actor: ActorOption = None,
) -> Answer:
    """Bring in players, and the ratings with which a pool opens.

    Who is known by another number (a column ids.REGISTER) is found by it, and gets the new one.
    """
    office_ = opened(home)
    from ratingbook.office.acts.decisions import import_decisions
    from ratingbook.office.acts.imports import import_file

    if decisions:
        who = acting_as(actor)
        fact, count, findings = import_decisions(office_, file, register, pool or "", reason, who)
        return Answer(
            {"fact": fact, "decisions": count}, [f"{some(count, 'decision')} (fact {fact})"],
            findings=findings,
        )  # fmt: skip
    with telling("taking in players"):
        found = import_file(office_, file, register, acting_as(actor), pool)
    said = {
        "fact": found.fact, "made": found.made, "known": found.known, "opened": found.opened,
    }  # fmt: skip
    line = (
        f"{some(found.made, 'new person')}, {found.known} known, "
        f"{some(found.opened, 'opening rating')}"
    )
    return Answer(said, [line], findings=found.findings)


@office.command()
@answering
def desk(
    report: Annotated[int | None, typer.Argument(help="Only this report.")] = None,
    home: HomeOption = None,
) -> Answer:
    """Who waits to be identified, with candidates and reasons."""
    opened(home)
    from ratingbook.office.acts.desk import told_waiting

    return desk_told(told_waiting(report))


@office.command()
@answering
def match(
    report: Annotated[int | None, typer.Argument(help="Only this report.")] = None,
    home: HomeOption = None,
    actor: ActorOption = None,
) -> Answer:
    """Look again at who waits, and link those who are certain by now, as at receipt."""
    opened(home)
    from ratingbook.office.acts.again import match_all
    from ratingbook.office.acts.masking import mask, masked_in

    found, findings = match_all(acting_as(actor), report)
    said = [masked_in(each._asdict(), mask()) for each in found]
    rows = [
        [each["report"], each["entry"], each["name"], each["person"], ", ".join(each["why"])]
        for each in said
    ]
    told = Findings(each for each in findings if each.code != "office.certain-now")
    return Answer(
        {"linked": said}, [f"{some(len(found), 'entry', 'entries')} linked"],
        (">Report", "Entry", "Name", ">Person", "Why"), rows, told,
    )  # fmt: skip


@office.command()
@answering
def link(
    report: int,
    entry: Annotated[str, typer.Argument(help="Entry of the report; all: of all that wait.")],
    person: Annotated[str, typer.Argument(help="Number of a person, or new; of all: best.")],
    reason: ReasonOption = "",
    home: HomeOption = None,
    actor: ActorOption = None,
) -> Answer:
    """Say who an entry is; ``REPORT all new`` makes persons of all without a candidate.

    ``REPORT all best`` links all who have one likely candidate alone.
    """
    opened(home)
    from ratingbook.office.acts import desk as acts

    who = acting_as(actor)
    if (entry, person) == ("all", "new"):
        numbers, findings = acts.link_new(report, who, reason)
        return Answer({"persons": numbers}, [some(len(numbers), "new person")], findings=findings)
    if (entry, person) == ("all", "best"):
        count, findings = acts.link_best(report, who, reason)
        return Answer(
            {"linked": count}, [f"{some(count, 'entry', 'entries')} linked"], findings=findings
        )
    fact, number, findings = acts.link(report, entry, person, who, reason)
    said = {"fact": fact, "person": number}
    return Answer(said, [f"entry {entry} is person {number} (fact {fact})"], findings=findings)


@office.command()
@answering
def merge(
    source: PersonArgument,
    target: PersonArgument,
    reason: ReasonOption = "",
    home: HomeOption = None,
    actor: ActorOption = None,
) -> Answer:
    """SOURCE is the same person as TARGET; `undo` splits them again."""
    opened(home)
    from ratingbook.office.acts import people as acts
    from ratingbook.office.acts.again import match_people

    who = acting_as(actor)
    fact, findings = acts.merge(source, target, reason, who)
    findings.extend(match_people(who, [source, target]))
    return Answer({"fact": fact}, [f"{source} is {target} (fact {fact})"], findings=findings)


@office.command()
@answering
def undo(
    fact: int,
    entry: Annotated[
        list[str] | None,
        typer.Option(help="Of a fact that linked many, only this entry; may be given again."),
    ] = None,
    reason: ReasonOption = "",
    home: HomeOption = None,
    actor: ActorOption = None,
) -> Answer:
    """Revoke a link, a merge or a decision; what comes of it the next run shows."""
    opened(home)
    from ratingbook.office.acts.undoing import undo as act

    made, findings = act(fact, reason, acting_as(actor), entry or ())
    what = f"fact {fact} is undone by {made}"
    if entry:
        what = f"fact {fact} is undone for {', '.join(entry)} by {made}"
    return Answer({"fact": made}, [what], findings=findings)
