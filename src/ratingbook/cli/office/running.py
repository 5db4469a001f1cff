"""The commands that keep an office running: jobs, workers, backups."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ratingbook.cli.command import several
from ratingbook.cli.office.answers import (
    ActorOption,
    Answer,
    Format,
    FormatOption,
    HomeOption,
    acting_as,
    answering,
    opened,
    some,
)
from ratingbook.cli.office.app import office
from ratingbook.model.sentences import sentence

job_commands = several("Single jobs.")
_MOST_JOBS = 100
"""That are told of."""
office.add_typer(job_commands, name="job")


@office.command()
@answering
def work(
    once: Annotated[bool, typer.Option("--once", help="End when nothing waits.")] = False,
    home: HomeOption = None,
) -> Answer:
    """Do the jobs that wait; a worker that was killed loses its job to this one."""
    opened(home)
    from ratingbook.office.acts import jobs

    count = jobs.work(once=once)
    return Answer({"done": count}, [some(count, "job")])


@office.command("jobs")
@answering
def list_jobs(home: HomeOption = None) -> Answer:
    """The jobs: how far they are, and how they ended."""
    opened(home)
    from ratingbook.office.acts import jobs
    from ratingbook.office.store.models import Job

    found = [jobs.told(each) for each in Job.objects.order_by("-id")[:_MOST_JOBS]]
    rows = [
        [j["id"], j["kind"], j["state"], f"{j['done']}/{j['total']}", j["why"] or j["note"],
         j["attempt"], j["actor"]]
        for j in found
    ]  # fmt: skip
    columns = (">Job", "Kind", "State", "Done", "Note", ">Attempt", "Actor")
    return Answer({"jobs": found}, columns=columns, rows=rows, none="There is no job.")


@job_commands.command("cancel")
@answering
def cancel_job(
    number: int, home: HomeOption = None, actor: ActorOption = None,
) -> Answer:  # fmt: skip
    """Ask a job to end."""
    opened(home)
    from ratingbook.office.acts import jobs

    state = jobs.cancel(number, acting_as(actor))
    return Answer({"job": number, "state": state}, [f"job {number}: {state}"])


@office.command()
@answering
def demo(
    home: HomeOption = None,
    database: Annotated[
        str, typer.Option(help="URL of an empty PostgreSQL database; else SQLite in the folder.")
    ] = "",
    pool: Annotated[
        list[str] | None, typer.Option(help="Only this pool; may be given again.")
    ] = None,
    format_: FormatOption = Format.table,
) -> Answer:
    """Make an office to try things in: invented people, eight years, five pools."""
    from dataclasses import asdict

    from ratingbook.cli.screen import errors
    from ratingbook.desk.written import clean
    from ratingbook.office.home import folder_of, start_django

    start_django()
    from ratingbook.office.demo.play import play

    def tell(line: str) -> None:
        if format_ is Format.table:
            errors().print(clean(line))

    done = play(folder_of(home), database, tell, pool or ())
    said = {**asdict(done), "formats": sorted(done.formats)}
    line = (
        f"{some(done.reports, 'report')} in {some(len(done.formats), 'format')}, "
        f"{some(done.lists, 'list')}"
    )
    from shlex import quote

    where = quote(str(folder_of(home)))
    return Answer(said, [
        line,
        f"To look at it: ratingbook office serve --home {where}",
        f"To sign in: ratingbook office user add demo --actor demo --as demo --home {where}",
    ])  # fmt: skip


@office.command()
@answering
def health(home: HomeOption = None) -> Answer:
    """A quick look for monitors: database, disk, jobs, backups; exit status 1 if not well."""
    from datetime import UTC, datetime

    office_ = opened(home)
    from ratingbook.office.acts.health import health as act

    found = act(office_, datetime.now(UTC))
    rows = [[key, value] for key, value in found.said.items()]
    return Answer(
        {"well": found.is_well, **found.said}, columns=("What", "Is"), rows=rows,
        findings=found.findings, is_refused=not found.is_well,
    )  # fmt: skip


@office.command()
@answering
def key(
    make: Annotated[bool, typer.Option("--make", help="Make the key; once.")] = False,
    home: HomeOption = None,
    actor: ActorOption = None,
) -> Answer:
    """The public key by which bundles are signed; publish it where people trust you."""
    office_ = opened(home)
    from ratingbook.office.acts.audit import note
    from ratingbook.office.refused import refuse
    from ratingbook.office.signing import make_key, public_key
    from ratingbook.office.store.ledger import check_may

    if make:
        who = acting_as(actor)
        check_may(who, "*")
        found: str | None = make_key(office_.folder)
        note(who, "key", found or "", sentence("made"))
    else:
        found = public_key(office_.folder)
    if found is None:
        raise refuse(
            "office.no-key",
            sentence("There is no key: bundles are not signed."),
            sentence("Make one with `ratingbook office key --make`, and publish what it shows."),
        )
    return Answer({"public_key": found}, [found])


@office.command()
@answering
def backup(
    out: Annotated[Path, typer.Argument(help="A new file, .tar.")],
    home: HomeOption = None,
    actor: ActorOption = None,
) -> Answer:
    """Write the whole office into one file, while it goes on working."""
    office_ = opened(home)
    from ratingbook.office.acts import backups

    said = backups.backup(office_, out, acting_as(actor))
    lines = [f"{out}: {said['files']} files, up to fact {said['seq']}"]
    if said["swept"]:
        lines.append(f"{some(said['swept'], 'file')} that nothing refers to deleted")
    return Answer(said, lines)


@office.command()
@answering
def restore(
    file: Path,
    home: HomeOption = None,
    database: Annotated[
        str, typer.Option(help="URL of an empty PostgreSQL database; else SQLite in the folder.")
    ] = "",
) -> Answer:
    """Make an office from a backup, in a folder that holds none."""
    from ratingbook.office.home import folder_of, start_django

    start_django()
    from ratingbook.office.acts import backups

    said, findings = backups.restore(file, folder_of(home), database)
    told = f"restored up to fact {said['seq']}, {said['accounts']} accounts"
    lines = [f"{told}, digest {said['digest']}"]
    return Answer(said, lines, findings=findings)
