"""The commands about persons: find, add, edit, decide, export, suppress."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ratingbook.cli.command import WithNegativeNumbers, format_of, several
from ratingbook.cli.office.answers import (
    ActorOption,
    Answer,
    HomeOption,
    KnownOption,
    PersonArgument,
    ReasonOption,
    acting_as,
    answering,
    day,
    known_fact,
    opened,
    pairs,
    some,
)
from ratingbook.cli.office.app import office
from ratingbook.cli.put import put

persons = several("Single persons.")
office.add_typer(persons, name="person")

IdOption = Annotated[list[str] | None, typer.Option("--id", metavar="REGISTER=NUMBER")]
BornOption = Annotated[str | None, typer.Option(metavar="YYYY-MM-DD")]
AttributeOption = Annotated[
    list[str] | None, typer.Option("--set", metavar="federation|club|title|sex=VALUE")
]


@office.command()
@answering
def people(
    query: Annotated[str, typer.Argument(help="A number, or a part of a name.")] = "",
    limit: Annotated[int, typer.Option(min=1, help="At most so many.")] = 50,
    all_: Annotated[bool, typer.Option("--all", help="However many there are.")] = False,
    known: KnownOption = None,
    home: HomeOption = None,
) -> Answer:
    """Find persons."""
    opened(home)
    from dataclasses import asdict

    from ratingbook.office.acts.people import events_of, portions
    from ratingbook.office.acts.searching import search_some

    upto = known_fact(known)
    found, total = search_some(query, None if all_ else limit, upto)
    events = {
        person: count
        for some_ in portions([each.person for each in found])
        for person, count in events_of(some_, upto).items()
    }
    rows = [
        [p.person, p.name, " ".join(f"{k}:{v}" for k, v in p.ids.items()),
         p.attributes.get("federation"), events[p.person], p.merged_into]
        for p in found
    ]  # fmt: skip
    more = [f"{len(found)} of {some(total, 'person')}; --all shows all"]
    return Answer(
        {
            "people": [{**asdict(each), "events": events[each.person]} for each in found],
            "total": total,
        },
        more if len(found) < total else [],
        columns=(">Person", "Name", "Numbers", "Fed", ">Events", ">Merged into"), rows=rows,
        none=f"Nobody is found by {query!r}." if query else "There is no person.",
    )  # fmt: skip


@persons.command("add")
@answering
def person_add(
    name: str,
    id_: IdOption = None,
    born: BornOption = None,
    attribute: AttributeOption = None,
    reason: ReasonOption = "",
    home: HomeOption = None,
    actor: ActorOption = None,
) -> Answer:
    """Add a person whom no report has brought."""
    opened(home)
    from ratingbook.office.acts import people as acts
    from ratingbook.office.acts.again import match_people
    from ratingbook.office.logic.newcomers import NewPerson

    born_on, said = day("--born", born), pairs("--set", attribute)
    new = NewPerson(name, born_on, None, said, pairs("--id", id_))
    who = acting_as(actor)
    number, findings = acts.add_person(new, reason, who)
    findings.extend(match_people(who, [number]))
    return Answer({"person": number}, [f"person {number}: {name}"], findings=findings)


@persons.command("edit")
@answering
def person_edit(
    person: PersonArgument,
    name: Annotated[str | None, typer.Option(help="The new name; the old one stays known.")] = None,
    id_: IdOption = None,
    born: BornOption = None,
    attribute: AttributeOption = None,
    since: Annotated[
        str | None, typer.Option("--from", metavar="YYYY-MM-DD", help="From when --set holds.")
    ] = None,
    reason: ReasonOption = "",
    home: HomeOption = None,
    actor: ActorOption = None,
) -> Answer:
    """Say something else of a person; what was said before stays in the ledger."""
    opened(home)
    from ratingbook.office.acts import registry as acts
    from ratingbook.office.acts.again import match_people

    new = acts.Edit(
        name, day("--born", born), pairs("--set", attribute), pairs("--id", id_),
        day("--from", since),
    )  # fmt: skip
    who = acting_as(actor)
    fact, findings = acts.edit(person, new, reason, who)
    findings.extend(match_people(who, [person]))
    return Answer({"fact": fact}, [f"person {person} (fact {fact})"], findings=findings)


@persons.command("show")
@answering
def person_show(
    person: PersonArgument,
    known: KnownOption = None,
    home: HomeOption = None,
) -> Answer:
    """What is public of a person, and all facts about it."""
    opened(home)
    from ratingbook.office.acts.masking import mask, reason_of
    from ratingbook.office.acts.registry import show

    said, why = show(person, known_fact(known)), reason_of(mask())
    said["facts"] = [{**f, "reason": why(f["kind"], f["reason"])} for f in said["facts"]]
    lines = [f"person {said['person']}: {said['name']}"]
    lines += [f"also {each}" for each in said["names"]]
    lines += [f"{key}: {value}" for key, value in {**said["attributes"], **said["ids"]}.items()]
    if said["merged_into"]:
        lines.append(f"is person {said['merged_into']}")
    rows = [
        [f["seq"], f"{f['at']:%Y-%m-%d}", f["kind"], f["actor"], f["from"], f["reason"]]
        for f in said["facts"]
    ]
    columns = (">Fact", "Known on", "Kind", "Actor", "From", "Reason")
    return Answer(said, lines, columns, rows)


@persons.command("history")
@answering
def person_history(
    person: PersonArgument,
    pool: Annotated[str, typer.Option(help="The pool.")],
    publication: Annotated[int | None, typer.Option(help="As published then; else now.")] = None,
    known: KnownOption = None,
    home: HomeOption = None,
) -> Answer:
    """The published changes of a person."""
    office = opened(home)
    from ratingbook.office.acts.people import canonical, exists
    from ratingbook.office.acts.published import publication_at
    from ratingbook.office.acts.published_rows import told_history
    from ratingbook.office.acts.setup import pool_named

    exists(person)
    one, upto = pool_named(pool), known_fact(known)
    seq = publication if upto is None else publication_at(one, upto)
    found = told_history(office, one, canonical(person), seq)
    rows = [
        [r["day"], r["key"], r["before"], r["after"] if r["published"] else f"({r['after']:g})",
         r["games"], r["score"]]
        for r in found
    ]  # fmt: skip
    held = any(not r["published"] for r in found)
    return Answer(
        {"person": person, "changes": found}, ["(…) not published"] if held else [],
        columns=("Day", "Batch", ">Before", ">After", ">Games", ">Score"), rows=rows,
        none="Nothing of it is published.",
    )  # fmt: skip


@persons.command("export")
@answering
def person_export(
    person: PersonArgument,
    out: Annotated[Path, typer.Argument(help="A new file, .json.")],
    home: HomeOption = None,
    actor: ActorOption = None,
) -> Answer:
    """Write all that the office holds of a person, private things too, for that person."""
    format_of(out, ["json"], "json", is_said=True, option="OUT")
    opened(home)
    from ratingbook.office.acts.handing_over import as_text, handed_over
    from ratingbook.office.refused import not_written, refuse

    said = handed_over(person, acting_as(actor))
    if out.exists():
        raise refuse("office.out", f"{out} exists already.", "Name a new file.")
    try:
        put(as_text(said).encode(), out)
    except OSError as error:
        raise not_written(out, error) from None
    return Answer(
        {"out": str(out), **said}, [f"{out}: {some(len(said['entries']), 'entry', 'entries')}"]
    )


@persons.command("suppress")
@answering
def person_suppress(
    person: PersonArgument,
    with_files: Annotated[
        bool, typer.Option("--with-files", help="Delete the files that name the person, too.")
    ] = False,
    reason: ReasonOption = "",
    home: HomeOption = None,
    actor: ActorOption = None,
) -> Answer:
    """Let nobody see who a person is; results stay. There is no way back."""
    office_ = opened(home)
    from ratingbook.site.suppressing import suppress

    fact, findings = suppress(office_, person, reason, acting_as(actor), with_files=with_files)
    return Answer(
        {"fact": fact}, [f"person {person} is suppressed (fact {fact})"], findings=findings
    )


@office.command(cls=WithNegativeNumbers)
@answering
def decide(
    person: PersonArgument,
    kind: Annotated[
        str,
        typer.Argument(help="opening, title, assumed, floor, reset, or a kind of the rule book."),
    ],
    value: str,
    pool: Annotated[str, typer.Option(help="The pool.")],
    since: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="YYYY-MM-DD",
            help="From when, else today; an opening rating holds before all games.",
        ),
    ] = None,
    evidence: Annotated[
        list[Path] | None, typer.Option(help="A file that shows it; it is kept.")
    ] = None,
    reason: ReasonOption = "",
    home: HomeOption = None,
    actor: ActorOption = None,
) -> Answer:
    """Decide something of a person: a rating, a floor, a reset, a title."""
    office_ = opened(home)
    from ratingbook.office.acts import decisions as acts

    said = acts.Deciding(
        person, kind, value, pool, reason, day("--from", since), tuple(evidence or ())
    )
    fact, findings = acts.decide(office_, said, acting_as(actor))
    found, words = acts.told(fact)
    undo = f"Undo it: ratingbook office undo {fact} --reason …"
    return Answer({"fact": fact, **found}, [f"{words} (fact {fact}). {undo}"], findings=findings)
