"""The commands from a run to a list that anyone can verify."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ratingbook.cli.command import check_place, format_of
from ratingbook.cli.office.answers import (
    ActorOption,
    Answer,
    Format,
    FormatOption,
    HomeOption,
    KnownOption,
    PersonArgument,
    ReasonOption,
    acting_as,
    answer,
    answering,
    day,
    known_fact,
    not_yet,
    nothing_known,
    opened,
    refusal_of,
    some,
    usage,
    was_not_yet,
)
from ratingbook.cli.office.app import office
from ratingbook.cli.office.told import ListArgument, crossed_lines, merged_lines, print_list
from ratingbook.cli.screen import told_to

if TYPE_CHECKING:
    from ratingbook.model import Findings
    from ratingbook.office.acts.runs import Made
    from ratingbook.office.store.models import List, Run
    from ratingbook.rules.book import RuleBook
    from ratingbook.rules.listing import Listing


class ListingFormat(StrEnum):
    """Output of ``office list``: the last four are files of the federations."""

    table = "table"
    csv = "csv"
    json = "json"
    html = "html"
    xlsx = "xlsx"
    pdf = "pdf"
    fide_txt = "fide-txt"
    fide_xml = "fide-xml"
    iccf = "iccf"
    iecg = "iecg"


RunArgument = Annotated[int, typer.Argument(help="Number of the run.")]


@office.command()
@answering
def run(
    pool: Annotated[str | None, typer.Option(help="The pool.")] = None,
    until: Annotated[
        str | None, typer.Option(metavar="YYYY-MM-DD", help="Last day of the lists; else today.")
    ] = None,
    refresh: Annotated[
        int | None, typer.Option(metavar="RUN", help="This run on what is published now.")
    ] = None,
    queue: Annotated[
        bool, typer.Option("--queue", help="Leave it to `office work`, and return at once.")
    ] = False,
    home: HomeOption = None,
    actor: ActorOption = None,
) -> Answer:
    """Rate what is ready, as a draft that waits for approval."""
    if (pool is None) == (refresh is None):
        usage("run takes --pool POOL, or --refresh RUN")

    office_ = opened(home)
    from ratingbook.office.acts import jobs
    from ratingbook.office.acts.setup import pool_named

    who = acting_as(actor)
    plan = {"pool": pool, "until": str(day("--until", until) or ""), "refresh": refresh}
    if pool is not None:
        # Before it is a job, which would only fail.
        pool_named(pool)
    if queue:
        job = jobs.enqueue("run", plan, who)
        return Answer({"job": job}, [f"job {job} waits for `ratingbook office work`"])
    job, made = jobs.do_now(office_, "run", plan, who)
    return _made(made, job)


def _made(made: Made, job: int) -> Answer:
    found = _shown(made.run)
    return replace(found, said={**found.said, "job": job}, findings=made.findings)


def _gone(rows: int) -> str:
    """What is said of published rows that a run takes away."""
    are = some(rows, "published row is", "published rows are")
    return f"; {are} in this run no more" if rows else ""


def _shown(one: Run) -> Answer:
    from ratingbook.office.acts.named import named

    report: Mapping[str, Any] = named(one.report or {})
    said = {
        "run": one.id, "pool": one.pool.name, "state": one.state, "until": one.until.isoformat(),
        "base": one.base, "digest": one.digest, "rulebook": one.rulebook,
        "rule_source": one.rule_source, "engine": one.engine,
        "batches": one.counts.get("batches"), "games": one.counts.get("games"),
        "changed": one.counts.get("changed"), "lists": one.counts.get("lists", {}),
        "differences": report,
    }  # fmt: skip
    lines = [
        f"run {one.id} of {one.pool.name} up to {one.until}: {one.state}",
        f"{some(one.counts.get('games', 0), 'game')} in "
        f"{some(one.counts.get('batches', 0), 'batch', 'batches')}; "
        f"{some(report.get('players', 0), 'player changes', 'players change')}, "
        f"{report.get('firsts', {}).get('count', 0)} for the first time, "
        f"{report.get('opened', 0)} with the rating that they came in with, "
        f"{some(report.get('rows', 0), 'row differs', 'rows differ')} in a published rating, "
        f"before or after, in games, score or day{_gone(report.get('gone_rows', 0))}",
        f"digest {one.digest}",
        *_groups(report),
        *crossed_lines(report),
    ]
    rows = [
        [each["player"], each["name"], _rating(each["before"]), _rating(each["after"]),
         f"{each['change']:+.10g}".replace("-", "−")]
        for each in report.get("largest", [])
    ]  # fmt: skip
    return Answer(said, lines, (">Person", "Name", ">Before", ">After", ">Change"), rows)


def _rating(value: float | None) -> str:
    """A rating as lists print it: without decimals where it has none."""
    return "–" if value is None else f"{value:.12g}"


def _groups(report: Mapping[str, Any]) -> list[str]:
    """Who is rated for the first time, who no longer, and who is another: the first by name."""
    lines = []
    for key, what in (("firsts", "for the first time"), ("no_longer_rated", "no longer rated")):
        group = report.get(key, {"count": 0})
        if group["count"]:
            pairs = zip(group["names"], group["players"], strict=True)
            people = "; ".join(f"{name} ({number})" for name, number in pairs)
            more = group["count"] - len(group["players"])
            lines.append(f"{what}: {people}" + (f" and {more} more" if more else ""))
    return [*lines, *merged_lines(report)]


@office.command()
@answering
def show(number: RunArgument, home: HomeOption = None) -> Answer:
    """Show a run: what it would change."""
    opened(home)
    from ratingbook.office.acts import runs

    run = runs.run_named(number)
    return replace(_shown(run), findings=runs.findings_of(run))


@office.command()
@answering
def approve(
    number: RunArgument,
    reason: ReasonOption = "",
    home: HomeOption = None,
    actor: ActorOption = None,
) -> Answer:
    """Approve the numbers of a run."""
    opened(home)
    from ratingbook.office.acts import runs

    count, needed, findings = runs.approve(number, acting_as(actor), reason)
    said = {"run": number, "approvals": count, "needed": needed}
    return Answer(said, [f"run {number}: {count} of {needed} approvals"], findings=findings)


@office.command()
@answering
def discard(
    number: RunArgument, home: HomeOption = None, actor: ActorOption = None,
) -> Answer:  # fmt: skip
    """Throw a draft away."""
    opened(home)
    from ratingbook.office.acts import runs

    runs.discard(number, acting_as(actor))
    return Answer({"run": number, "state": "discarded"}, [f"run {number} is discarded"])


@office.command()
@answering
def publish(
    number: RunArgument, home: HomeOption = None, actor: ActorOption = None,
) -> Answer:  # fmt: skip
    """Let everybody see a run, and its list."""
    office_ = opened(home)
    from ratingbook.office.acts import runs

    done = runs.publish(office_, number, acting_as(actor))
    lists = [_list_said(each) for each in done.lists]
    said = {
        "run": number, "publication": done.seq, "fact": done.fact, "lists": lists,
        "list": done.lists[-1].id if done.lists else None,
    }  # fmt: skip
    lines = [f"run {number} is publication {done.seq}"]
    lines += [f"list {x['list']}: {x['title']}, {x['rows']} players" for x in lists]
    return Answer(said, lines, findings=done.findings)


def _list_said(one: List) -> dict[str, Any]:
    return {
        "list": one.id, "pool": one.pool.name, "date": one.date.isoformat(),
        "revision": one.revision, "title": one.title, "rows": one.rows, "digest": one.digest,
        "head": one.head, "run": one.run_id,
    }  # fmt: skip


@office.command()
@answering
def lists(
    pool: Annotated[str | None, typer.Option(help="Only of this pool.")] = None,
    known: KnownOption = None,
    home: HomeOption = None,
) -> Answer:
    """The lists that were published."""
    opened(home)
    from ratingbook.office.store.models import List

    upto = known_fact(known)
    found = List.objects.select_related("pool").order_by("id")
    if upto is not None:
        found = found.filter(fact__lte=upto)
    said = [_list_said(each) for each in found if pool in (None, each.pool.name)]
    rows = [
        # All of a head is in JSON: it would break a table of a usual screen.
        [x["list"], x["pool"], x["date"], x["revision"], x["rows"], x["run"], f"{x['head'][:12]}…"]
        for x in said
    ]
    columns = (">List", "Pool", "Date", ">Revision", ">Players", ">Run", "Head")
    whose = "" if pool is None else f" of the pool {pool}"
    none = f"No list{whose} is published."
    return Answer({"lists": said}, columns=columns, rows=rows, none=none)


@office.command("list")
def list_(
    context: typer.Context,
    name: Annotated[str | None, typer.Argument(metavar="LIST")] = None,
    make: Annotated[
        str | None, typer.Option(metavar="YYYY-MM-DD", help="Make the list of a day.")
    ] = None,
    pool: Annotated[str | None, typer.Option(help="With --make: the pool.")] = None,
    format_: Annotated[
        ListingFormat,
        typer.Option(
            "--format", help="For people, programs or a federation.", case_sensitive=False
        ),
    ] = ListingFormat.table,
    out: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--out",
            metavar="FILE",
            help="Write into this file; its suffix says the format. xlsx and pdf need one.",
        ),
    ] = None,
    font: Annotated[
        Path | None, typer.Option(help="A TrueType font for pdf: names beyond Latin letters.")
    ] = None,
    known: KnownOption = None,
    home: HomeOption = None,
    actor: ActorOption = None,
) -> None:
    """Print a published list as it was printed then; or make one of what is published."""
    if (name is None) == (make is None) or (make is not None and pool is None):
        usage("list takes LIST, or --make DATE --pool POOL")
    if out is not None:
        check_place(out, {})
        known_formats = [each.value for each in (Format if make is not None else ListingFormat)]
        source = context.get_parameter_source("format_")
        is_said = source is not None and source.name != "DEFAULT"
        format_ = ListingFormat(format_of(out, known_formats, format_.value, is_said=is_said))
    if make is not None:
        made_on, of = make, pool or ""

        def work() -> Answer:
            office_ = opened(home)
            from ratingbook.office.acts import lists as acts

            one, findings = acts.make_list(office_, of, day("--make", made_on), acting_as(actor))
            said = _list_said(one)
            return Answer(said, [f"list {one.id}: {one.title}, {some(one.rows, 'player')}"],
                          findings=findings)  # fmt: skip

        shown = Format.json if format_ is ListingFormat.json else Format.table
        with told_to(out, quiet=False):
            answer("list", shown, work)
    if format_ in (ListingFormat.xlsx, ListingFormat.pdf) and out is None:
        usage(f"--format {format_.value} writes a file: name it with -o")
    _print_list(name or "", _Shape(format_.value, out, font), known, home)


@dataclass(frozen=True)
class _Shape:
    """In what shape a list is wanted."""

    format: str
    out: Path | None
    font: Path | None


def _print_list(name: str, shape: _Shape, known: str | None, home: Path | None) -> None:
    """In the formats of ``ratingbook list``."""
    from ratingbook.cli.screen import errors, print_findings
    from ratingbook.desk.list_files import REGISTER_OF
    from ratingbook.model import Findings, Severity

    try:
        opened(home)
        from ratingbook.office.acts import lists as acts
        from ratingbook.office.engine.rules import Rules
        from ratingbook.office.store.models import Run

        one = acts.list_named(name, known_fact(known))
        run_ = Run.objects.get(id=one.run_id)
        book = Rules(run_.rulebook, run_.parameters, run_.assume).book().edition(one.date)
        listing = acts.listing_again(one, REGISTER_OF.get(shape.format))
        proof = acts.proof_of(one)
    except Exception as error:
        refused = refusal_of(error)
        if refused is None:
            raise
        if known is not None and was_not_yet(refused, known):
            refused = Findings([nothing_known(known, Severity.ERROR)])
        print_findings(refused, errors())
        raise typer.Exit(1) from None
    if shape.out is None:
        findings = _print_listing(listing, book, shape.format, proof)
    else:
        findings = _write_file(listing, book, shape, shape.out, proof)
    print_findings([*findings, *(not_yet(known) if known else ())], errors())
    raise typer.Exit(1 if findings.refused else 0)


def _write_file(
    listing: Listing, book: RuleBook, shape: _Shape, out: Path, proof: Mapping[str, object]
) -> Findings:
    """Write a list into a file, whole or not at all."""
    from ratingbook.cli.put import put
    from ratingbook.desk.list_files import FORMS, file_of
    from ratingbook.model import Findings
    from ratingbook.office.refused import not_written

    if shape.format in FORMS:
        found, findings = file_of(listing, book, shape.format, shape.font, proof)
    else:
        text = io.StringIO()
        with redirect_stdout(text):
            findings = _print_listing(listing, book, shape.format, proof)
        found = text.getvalue().encode()
    if found is None:
        return findings
    try:
        put(found, out)
    except OSError as error:
        return Findings([*findings, *not_written(out, error).findings])
    return findings


def _print_listing(
    listing: Listing, book: RuleBook, format_: str, proof: Mapping[str, object]
) -> Findings:
    from ratingbook.cli import lists as printing
    from ratingbook.cli.screen import write
    from ratingbook.desk.list_files import FORMS, file_of
    from ratingbook.model import Findings

    if format_ in FORMS:
        data, findings = file_of(listing, book, format_, besides=proof)
        if data is not None:
            write(data.decode().replace("\r\n", "\n").removesuffix("\n"))
        return findings
    if format_ == "html":
        write(printing.page(listing, book))
    else:
        reasons = Counter(each.reason for each in listing.not_listed)
        print_list(listing.title, listing.columns, listing.rows, reasons.most_common())
    return Findings()


@office.command()
@answering
def explain(
    person: PersonArgument,
    list_name: Annotated[
        str | None,
        typer.Option("--list", metavar="LIST", help="Up to this list, as it was; else up to now."),
    ] = None,
    batch: Annotated[str | None, typer.Option(help="The batch; else the last.")] = None,
    pool: Annotated[str | None, typer.Option(help="Only of this pool.")] = None,
    known: KnownOption = None,
    home: HomeOption = None,
    format_: FormatOption = Format.table,
) -> Answer:
    """Explain the last change of a person, paragraph by paragraph."""
    office_ = opened(home)
    from dataclasses import asdict
    from itertools import zip_longest

    from ratingbook.cli.derivation import print_explanation
    from ratingbook.cli.screen import output
    from ratingbook.desk.rows import row_as_dict
    from ratingbook.office.acts import explain as explaining
    from ratingbook.office.acts import lists as acts
    from ratingbook.office.acts.people import exists
    from ratingbook.office.acts.setup import pool_named

    exists(person)
    within = None if pool is None else pool_named(pool)
    if list_name is None:
        found = explaining.explain_now(office_, person, within, batch, known_fact(known))
    else:
        one = acts.list_named(list_name, known_fact(known))
        if within not in (None, one.pool):
            usage(f"--pool {pool}: list {list_name} is one of the pool {one.pool.name}")
        found = explaining.explain(office_, person, one, batch)
    if format_ is Format.table:
        for row, listed in zip_longest(found.rows, found.listed):
            print_explanation(row, output(), listed=listed)
    said = {
        "batch": found.key,
        "players": [
            {**row_as_dict(each, {}), "listed": listed and asdict(listed)}
            for each, listed in zip_longest(found.rows, found.listed)
        ],
        "reforms": [asdict(each) for each in found.reforms],
    }
    return Answer(said, findings=found.findings)


@office.command()
@answering
def bundle(
    name: ListArgument,
    out: Annotated[Path, typer.Argument(help="A new folder, or a file ending in .zip.")],
    with_birth_dates: Annotated[
        bool, typer.Option("--with-birth-dates", help="An auditor's bundle: not for the public.")
    ] = False,
    with_whole_facts: Annotated[
        bool,
        typer.Option(
            "--with-whole-facts",
            help="An auditor's bundle: who did what and why, and names, also of persons who were "
            "suppressed. Not for the public.",
        ),
    ] = False,
    home: HomeOption = None,
    actor: ActorOption = None,
) -> Answer:
    """Write all that a list was made of; `ratingbook verify` makes it again."""
    office_ = opened(home)
    from ratingbook.office.acts.bundles import write_bundle
    from ratingbook.office.acts.lists import list_named

    said = write_bundle(
        office_, list_named(name), out, acting_as(actor), with_birth_dates=with_birth_dates,
        with_whole_facts=with_whole_facts,
    )  # fmt: skip
    lines = [f"{out}: digest {said['digest']}"]
    if said["birth_dates"] or said["whole_facts"]:
        lines.append("It is for an auditor, not for the public.")
    return Answer({"out": str(out), **said}, lines)


@office.command()
@answering
def replay(home: HomeOption = None) -> Answer:
    """Make all that was published again from the facts; every bit must be the same."""
    from dataclasses import asdict

    opened(home)
    from ratingbook.office.acts.bundles import replay as act

    done, findings = act()
    rows = [[r.pool, r.seq, r.run, "equal" if r.is_equal else "differs"] for r in done]
    return Answer(
        {"publications": [asdict(each) for each in done]},
        columns=("Pool", ">Publication", ">Run", "Made again"), rows=rows, findings=findings,
        is_refused=findings.refused, none="Nothing is published.",
    )  # fmt: skip


@office.command()
@answering
def doctor(home: HomeOption = None) -> Answer:
    """Look at everything, and say what is wrong and how to mend it."""
    from ratingbook.office.acts.setup import reach_office
    from ratingbook.office.home import folder_of

    # Of a database that cannot be opened the doctor has more to say than others.
    office_ = reach_office(folder_of(home))
    from ratingbook.office.acts.doctor import examine

    findings = examine(office_)
    line = "something is wrong" if findings.refused else "the office is sound"
    return Answer({"sound": not findings.refused}, [line], findings=findings,
                  is_refused=findings.refused)  # fmt: skip


@office.command()
@answering
def digest(home: HomeOption = None) -> Answer:
    """One number over all facts and all that is published, for two offices to compare."""
    opened(home)
    from ratingbook.office.acts.bundles import digest as act

    found = act()
    return Answer({"digest": found}, [found])


@office.command()
@answering
def export(
    history: Annotated[Path, typer.Option(help="Folder for the tables that a run was fed.")],
    run_number: Annotated[int, typer.Option("--run", help="The run.")],
    home: HomeOption = None,
    actor: ActorOption = None,
) -> Answer:
    """Write exactly what a run was fed: `ratingbook history` of it gives the same numbers.

    All but differences.parquet: what corrections on the next list added, no history has.
    """
    office_ = opened(home)
    from ratingbook.office.acts.bundles import export_history

    names = export_history(office_, run_number, history, acting_as(actor))
    return Answer({"files": names}, [f"{history}: {', '.join(names)}"])
