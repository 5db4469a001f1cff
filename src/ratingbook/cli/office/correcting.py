"""The commands of corrections: asked for, previewed, decided, and told in the register."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ratingbook.cli.office.answers import (
    ActorOption,
    Answer,
    HomeOption,
    PersonArgument,
    ReasonOption,
    acting_as,
    answering,
    day,
    opened,
    pairs,
    person_number,
    some,
    usage,
)
from ratingbook.cli.office.app import office
from ratingbook.cli.office.told import (
    StateOption,
    corrections_told,
    crossed_lines,
    entries_told,
    entry_told,
    merged_lines,
    more_crossed,
    signed,
    why_told,
)
from ratingbook.office.limits import is_id

if TYPE_CHECKING:
    from ratingbook.office.acts.onward import Onward
    from ratingbook.office.acts.preview import Preview


_HASH = re.compile(r"\b([0-9a-f]{12})[0-9a-f]{52}\b")
"""A hash in a table is shown by its first digits: JSON has all of them."""


class Way(StrEnum):
    """What becomes of a correction."""

    rerate = "rerate"
    next_list = "next_list"


CorrectionArgument = Annotated[int, typer.Argument(metavar="CORRECTION")]


@office.command()
@answering
def games(report: int, home: HomeOption = None) -> Answer:
    """The games of a report with their numbers, as they hold now."""
    opened(home)
    from ratingbook.office.acts import asking, states
    from ratingbook.office.logic.corrections import SCORES
    from ratingbook.office.store.ledger import one_moment
    from ratingbook.office.store.models import Game

    version, _ = states.named(str(report))
    found = Game.of(version.id).select_related("white", "black")
    said = []
    # Who is suppressed is asked once, not for each game.
    with one_moment():
        for one in found.order_by("number"):
            now = asking.as_it_is(one)
            said.append(
                {
                    "game": one.number, "round": one.round, "white": now["names"][0],
                    "black": now["names"][1], "result": SCORES[now["half"]],
                    "rated": now["rated"], "status": now["status"],
                }
            )  # fmt: skip
    columns = (">Game", ">Round", "White", "Black", "Result", "Rated", "Status")
    rows = [list(x.values()) for x in said]
    return Answer({"games": said}, columns=columns, rows=rows, none="The report has no game.")


_ABOUT_REPORTS = ("--game", "--entry", "--move", "--to-pool", "--withdraw", "--late")
_ABOUT_POOLS = ("--opening", "--decide", "--openings", "--set", "--assume", "--rules-mended")
_GO_WITH: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "--report": (_ABOUT_REPORTS,),
    "--game": (("--report",), ("--result", "--rated", "--swap")),
    **dict.fromkeys(("--result", "--rated", "--swap"), (("--game",),)),
    "--entry": (("--report",), ("--player",)),
    "--player": (("--entry",),),
    **dict.fromkeys(("--move", "--to-pool", "--withdraw", "--late"), (("--report",),)),
    "--pool": (_ABOUT_POOLS,),
    "--person": (("--opening", "--decide"),),
    **dict.fromkeys(("--opening", "--decide"), (("--pool",), ("--person",))),
    "--from": (("--decide",),),
    "--register": (("--openings",),),
    **dict.fromkeys(("--openings", "--set", "--assume", "--rules-mended"), (("--pool",),)),
}
"""By option of ``correct`` the others, of each row at least one, without which it says nothing."""


def _check_together(context: typer.Context) -> None:
    """Refuse options that would do nothing, or lack what they are about: all of them at once."""
    given = {
        option
        for each in context.command.params
        if (source := context.get_parameter_source(each.name or "")) is not None
        and source.name == "COMMANDLINE"
        for option in each.opts
    }
    wrong = [
        f"{option} goes with {' or '.join(filter(None, (', '.join(several[:-1]), several[-1])))}"
        for option, every in _GO_WITH.items()
        if option in given
        for several in every
        if given.isdisjoint(several)
    ]
    if wrong:
        usage("; ".join(wrong))


@office.command()
@answering
def correct(
    context: typer.Context,
    report: Annotated[str | None, typer.Option(metavar="REPORT[:SECTION]")] = None,
    game: Annotated[int | None, typer.Option(help="Number of a game of the report.")] = None,
    result: Annotated[str | None, typer.Option(help="1-0, 0-1, 1/2-1/2, or none.")] = None,
    rated: Annotated[str | None, typer.Option(help="both, white, black or none.")] = None,
    swap: Annotated[bool, typer.Option("--swap", help="The colours were the other way.")] = False,
    entry: Annotated[str | None, typer.Option(help="Entry of the report, with --player.")] = None,
    player: Annotated[
        int | None,
        typer.Option(metavar="PERSON", parser=person_number, help="The person who that entry is."),
    ] = None,
    move: Annotated[
        str | None, typer.Option(metavar="YYYY-MM-DD", help="The last day of the event.")
    ] = None,
    to_pool: Annotated[str | None, typer.Option(help="The pool of the event.")] = None,
    withdraw: Annotated[bool, typer.Option("--withdraw", help="Take the event out.")] = False,
    late: Annotated[bool, typer.Option("--late", help="Let a held event in.")] = False,
    merge: Annotated[
        tuple[int, int] | None,
        typer.Option(metavar="PERSON PERSON", parser=person_number, help="Two persons are one."),
    ] = None,
    undo: Annotated[int | None, typer.Option(metavar="FACT", help="It no longer holds.")] = None,
    take_back: Annotated[
        int | None, typer.Option(metavar="CORRECTION", help="Undo an accepted correction.")
    ] = None,
    pool: Annotated[str | None, typer.Option(help="The pool, for what follows.")] = None,
    person: Annotated[
        int | None,
        typer.Option(metavar="PERSON", parser=person_number, help="Whose --opening or --decide."),
    ] = None,
    opening: Annotated[
        list[str] | None, typer.Option(metavar="KEY=VALUE", help="Rating, peak … of before.")
    ] = None,
    decide: Annotated[
        list[str] | None, typer.Option(metavar="KIND=VALUE", help="A floor, a reset …, decided.")
    ] = None,
    since: Annotated[
        str | None, typer.Option("--from", metavar="YYYY-MM-DD", help="From when --decide holds.")
    ] = None,
    openings: Annotated[
        Path | None, typer.Option(help="A players file with the standings of before.")
    ] = None,
    register: Annotated[str, typer.Option(help="Whose numbers the ids of that file are.")] = "",
    settings: Annotated[list[str] | None, typer.Option("--set", metavar="PARAMETER=VALUE")] = None,
    assume: Annotated[str | None, typer.Option(help="Rating of the unrated; empty: none.")] = None,
    rules_mended: Annotated[
        bool, typer.Option("--rules-mended", help="The program of the rule book was mended.")
    ] = False,
    evidence: Annotated[list[Path] | None, typer.Option(help="A file that shows it.")] = None,
    reason: ReasonOption = "",
    home: HomeOption = None,
    actor: ActorOption = None,
) -> Answer:
    """Ask for a correction; different options of one call are decided together.

    A call is of one game, one entry, one merge: others are asked for by themselves.
    """
    _check_together(context)
    office_ = opened(home)
    from ratingbook.office.acts import asking, corrections
    from ratingbook.office.acts.masking import says_of

    contents: list[Any] = []
    if game is not None:
        contents.append(asking.game(_number(report), game, result, rated, swap=swap))
    if entry is not None and player is not None:
        contents.append(asking.player(_number(report), entry, player))
    if move is not None:
        contents.append(asking.moved(report or "", day("--move", move)))
    if to_pool is not None:
        contents.append(asking.into_pool(report or "", to_pool))
    for wanted, kind in ((withdraw, "withdraw"), (late, "late")):
        if wanted:
            contents.append(asking.event(report or "", kind))
    if merge is not None:
        contents.append(asking.merge(*merge))
    if undo is not None:
        contents.append(asking.undo(undo))
    if take_back is not None:
        contents += corrections.taking_back(take_back)
    if opening and person is not None:
        contents.append(
            asking.opening(pool or "", {person: pairs("--opening", opening, "rating={}")})
        )
    if decide and person is not None:
        kinds, day_ = pairs("--decide", decide, "floor={}"), day("--from", since)
        contents.append(
            asking.decided(pool or "", person, kinds, day_, reason, acting_as(actor).now().date())
        )
    if openings is not None:
        contents.append(asking.openings_of_file(openings, pool or "", register))
    if settings or assume is not None:
        contents.append(asking.parameters(pool or "", pairs("--set", settings), assume))
    if rules_mended:
        contents.append(asking.rules(pool or ""))
    if not contents:
        usage("say what is to be corrected: --report 7 --game 3 --result 0-1, --merge, …")
    found = corrections.ask(office_, contents, reason, acting_as(actor), evidence or ())
    says = says_of(contents)
    said = {
        "correction": found.id, "state": found.state, "joined": found.joined,
        "contents": contents, "says": says,
    }  # fmt: skip
    line = f"correction {found.id}: {found.state}"
    line += f", as {found.joined}" if found.joined else ""
    return Answer(said, [line, *says], findings=found.findings)


def _number(report: str | None) -> int:
    if report is None or not is_id(report):
        usage("name the report by its number: --report 7")
    return int(report or 0)


@office.command("corrections")
@answering
def corrections_(
    state: StateOption = None,
    home: HomeOption = None,
) -> Answer:
    """The corrections and where they stand."""
    opened(home)
    from datetime import UTC, datetime

    from ratingbook.office.acts.register import standing

    return corrections_told(standing(datetime.now(UTC).date(), state), state)


@office.command()
@answering
def preview(
    numbers: Annotated[list[int], typer.Argument(metavar="CORRECTION...")],
    way: Annotated[
        Way | None,
        typer.Option("--way", help="Rated again, or on the next list; else as the pool does it."),
    ] = None,
    home: HomeOption = None,
) -> Answer:
    """What corrections would change in published numbers, together and each apart."""
    office_ = opened(home)
    from ratingbook.office.acts import corrections
    from ratingbook.office.acts.contradictions import contradicting
    from ratingbook.office.acts.named import onward_named, preview_named
    from ratingbook.office.acts.onward import onward
    from ratingbook.office.acts.outlook import outlook
    from ratingbook.office.acts.preview import previews

    requests = {number: corrections.named(number).contents for number in numbers}
    together, apart = previews(office_, requests, way.value if way else None)
    every = [each for contents in requests.values() for each in contents]
    beyond = onward_named(onward(office_, every, together))
    together = preview_named(together)
    said = together.as_dict()
    said |= {
        "onward": [each.as_dict() for each in beyond],
        "corrections": numbers,
        "differences": {name: x["differences"] for name, x in said["pools"].items()},
        "apart": {number: preview_named(each).as_dict() for number, each in apart.items()},
    }
    found = contradicting(requests)
    for contents in requests.values():
        corrections.tell_merges(found, contents)
    holding = [line for number in numbers if (line := _holding(number))]
    told = {number: outlook(corrections.named(number)) for number in numbers}
    said["outlook"] = told
    lines = [f"correction {number}: {each}" for number, some in told.items() for each in some]
    lines += [*holding, *(_lines(together) if together.reaches or not holding else ())]
    lines += [line for each in beyond for line in _onward_lines(each)]
    return Answer(said, lines, _COLUMNS, _rows(together), findings=found)


def _holding(number: int) -> str:
    """What is said of a correction that is accepted: it changes nothing any more."""
    from ratingbook.office.acts import corrections
    from ratingbook.office.acts.register import awaited_list
    from ratingbook.office.acts.requests import ACCEPTED, PUBLISHED

    state, day = corrections.named(number).state, awaited_list(number)
    if state not in (ACCEPTED, PUBLISHED):
        return ""
    comes = (
        "is published" if state == PUBLISHED
        else f"holds; the first list from {day} on has it" if day
        else "holds; the next run rates by it"
    )  # fmt: skip
    return (
        f"correction {number} {comes}: `ratingbook office register {number}` tells what it changes"
    )


_COLUMNS = ("Pool", ">Person", "Name", ">Before", ">After", ">Change")


_BECOME = "published ratings become others"
_STAYS = "a rating; by this it is not made anew"
"""Of a list on which a rating differs, and of which no revision is to come by the policy."""


def _stood(row: Mapping[str, Any]) -> str:
    """Where a rating stood that came to the other side of a mark."""
    if row["rating"] == "listed":
        return f"stood on the list of {row['day']}"
    return f"{row['rating']} {row['batch']} ({row['day']})"


def _lines(found: Preview) -> list[str]:
    from ratingbook.office.logic.comparing import crossings_in, only_in_bits

    lines = []
    for each in found.reaches:
        report = each.report
        if each.made is not None:
            lines.append(
                f"{each.pool}: on the next list, from {each.made.day}, "
                f"{some(each.players, 'rating differs', 'ratings differ')}; "
                "nothing that follows is rated again, and published lists stay"
            )
            lines.append(f"  marks crossed {crossings_in(report)}")
            lines += [f"  {each}" for each in crossed_lines(report)]
            continue
        if each.rated_again:
            lines.append(
                f"{each.pool}: it is rated again, not put on the next list: {each.rated_again}"
            )
        lines.append(
            f"{each.pool}: {some(each.players, 'player')} in "
            f"{some(each.batches, 'batch', 'batches')}; "
            f"{some(len(each.numbers), 'published rating becomes another', _BECOME)}, "
            f"in {some(report['rows'], 'row')} as a run counts them (also those with another "
            "rating before, number of games, score or day), "
            f"{only_in_bits(report)} more in bits only"
        )
        changing = some(report["players"], "player changes", "players change")
        lines.append(
            f"  {changing} as a run tells it; first ratings gained {report['firsts']['count']}, "
            f"lost {report['no_longer_rated']['count']}; marks crossed by ratings of now "
            f"{crossings_in(report)}, by ratings of the past "
            f"{crossings_in(report, 'crossed_then')}; "
            f"lists on which a number differs: {len(each.lists)}"
        )
        lines += [
            f"  on the list of {day}: {', '.join(each.columns.get(day, ())) or _STAYS}"
            for day in each.lists
        ]
        lines += [f"  {each}" for each in merged_lines(report)]
        lines += [f"  {each}" for each in crossed_lines(report)]
        lines += [f"  {some(count, 'player')} {was}" for was, count in report["statuses"].items()]
        lines += [
            f"  {x['name']} ({x['person']}) {_stood(x)} with "
            f"{x['was']:.10g}, now {x['now']:.10g}: the other side of {x['mark']:.10g}"
            for x in report["crossed_then"]
        ]
        lines += [f"  {each}" for each in more_crossed(report, "crossed_then")]
    lines += [
        f"besides, the next run of {pool} brings: {'; '.join(told)}"
        for pool, told in found.besides.items()
        if told
    ]
    return lines or ["No published number differs."]


_MOST_ONWARD = 3
"""Of the largest changes that follow in another pool so many are told."""


def _onward_lines(one: Onward) -> list[str]:
    """What follows in a pool that reads others."""
    from ratingbook.office.logic.comparing import crossings_in

    reads = " and ".join(one.reads)
    if one.report is None:
        return [f"{one.pool}, which reads {reads}, keeps its numbers"]
    changing = some(one.report["players"], "player changes", "players change")
    rows = some(one.report["rows"] + one.report["gone_rows"], "row")
    return [
        f"{one.pool}, which reads {reads}: once that is published {changing} by its next run, in "
        f"{rows}; marks crossed {crossings_in(one.report)}; "
        f"lists from the first of these numbers on: {len(one.lists)}",
        *(f"  {each}" for each in crossed_lines(one.report)),
        *(
            f"  {x['name']} ({x['player']}): {x['before']:.10g} → {x['after']:.10g}"
            for x in one.report["largest"][:_MOST_ONWARD]
        ),
    ]


def _rows(found: Preview) -> list[list[object]]:
    return [
        [
            each.pool,
            x["player"],
            x["name"],
            x["before"],
            x["after"],
            signed(x["change"]),
        ]
        for each in found.reaches
        for x in each.report["largest"]
    ]


@office.command()
@answering
def accept(
    number: CorrectionArgument,
    reason: ReasonOption = "",
    despite: Annotated[
        list[int] | None,
        typer.Option(
            metavar="CORRECTION", help="One that asks for something else of the same; repeatable."
        ),
    ] = None,
    home: HomeOption = None,
    actor: ActorOption = None,
) -> Answer:
    """Accept what the preview of a correction shows; the next run rates by it."""
    office_ = opened(home)
    from ratingbook.office.acts import corrections
    from ratingbook.office.acts.named import preview_named

    found = corrections.accept(office_, number, acting_as(actor), reason, despite or ())
    said = {
        "correction": number, "approvals": found.approvals, "needed": found.needed,
        "holds": found.holds, "facts": list(found.facts), "digest": found.preview.digest,
        "besides": {pool: list(told) for pool, told in found.preview.besides.items()},
    }  # fmt: skip
    line = f"correction {number}: {found.approvals} of {found.needed} approvals"
    lines = [line, *_lines(preview_named(found.preview))]
    return Answer(said, lines, findings=found.findings)


@office.command()
@answering
def reject(
    number: CorrectionArgument,
    reason: ReasonOption = "",
    home: HomeOption = None,
    actor: ActorOption = None,
) -> Answer:
    """Decide that nothing is corrected; who asked takes the request back so."""
    opened(home)
    from ratingbook.office.acts import corrections

    findings = corrections.reject(number, reason, acting_as(actor))
    return Answer({"correction": number}, [f"correction {number} is decided"],
                  findings=findings)  # fmt: skip


@office.command("join")
@answering
def join_(
    number: CorrectionArgument,
    into: int,
    reason: ReasonOption = "",
    home: HomeOption = None,
    actor: ActorOption = None,
) -> Answer:
    """A request is of the same matter as an earlier one."""
    opened(home)
    from ratingbook.office.acts import corrections

    findings = corrections.join(number, into, reason, acting_as(actor))
    return Answer({"correction": number, "into": into}, [f"{number} is joined to {into}"],
                  findings=findings)  # fmt: skip


@office.command()
@answering
def register(
    number: Annotated[int | None, typer.Argument(metavar="CORRECTION")] = None,
    out: Annotated[
        Path | None,
        typer.Option("-o", "--out", help="Folder for all of it as files, with feeds."),
    ] = None,
    home: HomeOption = None,
) -> Answer:
    """The public register: what was asked, decided and changed, and by which lists."""
    office_ = opened(home)
    from ratingbook.office.acts import register as acts

    if out is not None:
        names = acts.write(office_, out)
        return Answer({"files": names}, [f"{out}: {', '.join(names)}"])
    if number is None:
        return entries_told(acts.entries())
    return entry_told(acts.entry(office_, number))


@office.command()
@answering
def why(
    person: PersonArgument,
    pool: Annotated[str, typer.Option(help="The pool.")],
    home: HomeOption = None,
) -> Answer:
    """What was changed of a person's numbers after they were first rated, and why."""
    office_ = opened(home)
    from ratingbook.office.acts.people import exists
    from ratingbook.office.acts.register import since_first
    from ratingbook.office.acts.setup import pool_named

    exists(person)
    return why_told(person, since_first(office_, pool_named(pool), person))


@office.command()
@answering
def contact(
    whose: Annotated[str, typer.Argument(metavar="person:N|actor:NAME")] = "",
    address: Annotated[str, typer.Argument()] = "",
    wants: Annotated[str, typer.Option(help="each, digest or none.")] = "each",
    stop: Annotated[str | None, typer.Option(metavar="TOKEN", help="End the mails to it.")] = None,
    home: HomeOption = None,
    actor: ActorOption = None,
) -> Answer:
    """Where to write to a person or an actor, and how often."""
    opened(home)
    from ratingbook.office.acts import notices as acts

    if stop is not None:
        return Answer({"stopped": True}, ["No more mails."], findings=acts.stop(stop))
    findings = acts.set_contact(whose, address, wants, acting_as(actor))
    return Answer({"whose": whose, "wants": wants}, [f"{whose}: {wants}"], findings=findings)


@office.command()
@answering
def notices(
    send: Annotated[
        bool, typer.Option("--send", help="Send those that go out by themselves.")
    ] = False,
    digests: Annotated[bool, typer.Option("--digests", help="Send the digests, too.")] = False,
    again: Annotated[bool, typer.Option("--again", help="Let those wait that failed.")] = False,
    home: HomeOption = None,
    actor: ActorOption = None,
) -> Answer:
    """The notices of corrections: those that wait, or send them."""
    office_ = opened(home)
    from ratingbook.office.acts import notices as acts
    from ratingbook.office.store.models import Notice
    from ratingbook.site.letters import leading, speaking

    said: dict[str, Any] = {}
    from ratingbook.model import Findings

    findings = Findings()
    if again:
        said["again"] = acts.again(acting_as(actor))
    if send or digests:
        said["sent"], findings = acts.send(
            office_,
            acting_as(actor),
            digests=digests,
            speaking=speaking(office_),
            leading=leading(office_),
        )
    found = list(
        Notice.objects.order_by("-id").values("id", "whose", "correction", "kind", "state")[:100]
    )
    rows = [list(each.values()) for each in found]
    columns = (">Notice", "Whose", ">Correction", "Kind", "State")
    lines = [f"{key}: {value}" for key, value in said.items()]
    return Answer(
        {**said, "notices": found}, lines, columns, rows, findings, none="There is no notice."
    )


@office.command()
@answering
def audit(
    text: Annotated[str, typer.Argument(help="A part of a reason, an act or a name.")] = "",
    by: Annotated[str | None, typer.Option(help="Only of this actor.")] = None,
    kind: Annotated[str | None, typer.Option(help="Only acts of this kind.")] = None,
    since: Annotated[str | None, typer.Option(metavar="YYYY-MM-DD")] = None,
    about: Annotated[str | None, typer.Option(metavar="person:7")] = None,
    seal: Annotated[
        bool, typer.Option("--seal", help="Put a digest of acts that are no facts into the chain.")
    ] = False,
    home: HomeOption = None,
    actor: ActorOption = None,
) -> Answer:
    """All acts of everybody, searched."""
    opened(home)
    from ratingbook.office.acts import trail
    from ratingbook.office.refused import refuse

    if seal:
        fact, findings = trail.seal(acting_as(actor))
        return Answer({"fact": fact}, [f"fact {fact}"] if fact else [], findings=findings)
    if kind is not None and kind not in (known := trail.kinds()):
        raise refuse(
            "office.audit-kind", f"No act is of the kind {kind!r}.",
            f"The kinds are {', '.join(known)}; without --kind all acts are shown.",
        )  # fmt: skip
    found = trail.search(text, by, kind, day("--since", since), about).acts()
    rows = [
        [str(x["at"])[:16], x["actor"], x["act"], x["fact"],
         " ".join(_HASH.sub(r"\1…", each) for each in x["subjects"][:4]), x["reason"]]
        for x in found
    ]  # fmt: skip
    columns = ("At", "Actor", "Act", ">Fact", "About", "Reason")
    return Answer({"acts": found}, columns=columns, rows=rows, none="There is no such act.")
