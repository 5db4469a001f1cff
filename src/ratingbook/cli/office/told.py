"""What several commands tell alike, of an office in a folder and of one that is served."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Annotated, Any

import typer

from ratingbook.cli.lists import cell
from ratingbook.cli.office.answers import Answer, some
from ratingbook.cli.screen import output, plain_table
from ratingbook.desk.written import clean
from ratingbook.office.logic.rounding import of_hundred
from ratingbook.rules.listing import Column

Said = Mapping[str, Any]
_NO_CORRECTION = "No correction was asked for."


class CorrectionState(StrEnum):
    """Where a correction stands."""

    open = "open"
    joined = "joined"
    rejected = "rejected"
    withdrawn = "withdrawn"
    accepted = "accepted"
    published = "published"


StateOption = Annotated[
    CorrectionState | None, typer.Option("--state", help="Only those in this state.")
]
ListArgument = Annotated[
    str, typer.Argument(metavar="LIST", help="Number, POOL@YYYY-MM-DD, or that and rREVISION.")
]


def desk_told(waiting: Sequence[Said]) -> Answer:
    """Who waits to be identified, with candidates and reasons."""
    rows: list[list[object]] = []
    for each in waiting:
        rows.append([each["report"], each["entry"], each["name"], "", "", each["why"]])
        for one in each["candidates"]:
            reasons = ", ".join(one["reasons"])
            if one["birth_years"]:
                reasons += ": the report has {}, the office {}".format(*one["birth_years"])
            score = of_hundred(one["score"])
            rows.append(["", "", f"  {one['name']}", one["person"], score, reasons])
    certain = sum(each["is_certain"] for each in waiting)
    lines = (
        [f"{some(certain, 'entry', 'entries')} certain by now: `ratingbook office match` links"]
        if certain
        else []
    )
    columns = (">Report", "Entry", "Name", ">Person", ">Score", "Why")
    none = "Nobody waits at the desk."
    return Answer({"waiting": waiting}, lines, columns, rows, none=none)


def corrections_told(found: Sequence[Said], state: str | None) -> Answer:
    """The corrections and where they stand; of one state, or of all."""
    rows = [
        [x["correction"], x["state"], f"{x['until']}{' (overdue)' * bool(x['overdue'])}",
         "; ".join(x["says"]), " ".join(x["outlook"])]
        for x in found
    ]  # fmt: skip
    columns = (">Correction", "State", "Until", "Says", "Accepted now")
    none = f"No correction is {state}." if state else _NO_CORRECTION
    return Answer({"corrections": found}, columns=columns, rows=rows, none=none)


def entries_told(found: Sequence[Said]) -> Answer:
    """The register, each correction in a line."""
    rows = [[x["correction"], x["state"], "; ".join(x["says"])] for x in found]
    columns = (">Correction", "State", "Says")
    return Answer({"entries": found}, columns=columns, rows=rows, none=_NO_CORRECTION)


def entry_told(said: Said) -> Answer:
    """What the register says of a correction; who acted, and hashes, as far as it says them."""
    lines = [f"correction {said['correction']}: {said['state']}", *said["says"], *said["outlook"]]
    lines += [_beside(each, said["joined"]) for each in said["beside"]]
    lines += map(_fact, said["facts"])
    for each in said["published"]:
        lists = ", ".join(f"{x['date']} r{x['revision']}" for x in each["lists"])
        lines.append(f"published in {each['pool']}{lists and f', lists {lists}'}")
    is_to_come = said["state"] == CorrectionState.accepted
    if "reach" in said:
        lines.append(
            _to_come(said["reach"], said["next_list"]) if is_to_come else _in_short(said["reach"])
        )
    changed = said.get("changed", ())
    rows = [
        [x["pool"], x["day"], x["batch"], x["person"], x["name"], x["was"], x["now"],
         _change(x),
         ", ".join([*map(str, x["corrections"]), *["something else"] * x["with_others"]])]
        for x in changed
    ]  # fmt: skip
    if any(x["with_others"] for x in changed):
        lines.append(_WITH_OTHERS)
    for each in said["published"]:
        if each["besides"]:
            lines.append(f"the run of {each['pool']} brought, too: {'; '.join(each['besides'])}")
    was, now = (">Is", ">Will be") if is_to_come else (">Was", ">Is")
    columns = ("Pool", "Day", "Batch", ">Person", "Name", was, now, _BY_ALONE, "By")
    return Answer(said, lines, columns, rows)


def why_told(person: int, changes: Sequence[Said]) -> Answer:
    """What was changed of a person's numbers after they were first rated, and why."""
    rows = [
        [x["day"], x["batch"], x["publication"], x["was"], x["now"],
         f"{x['added']:+.10g}" if "added" in x else "",
         "; ".join([*filter(None, [_LISTINGS[x["listing"]]]), *x["why"]])]
        for x in changes
    ]  # fmt: skip
    columns = ("Day", "Batch", ">Publication", ">Was", ">Is", ">Added", "Why")
    none = "Nothing was changed since it was first rated."
    return Answer({"person": person, "changes": changes}, columns=columns, rows=rows, none=none)


def print_list(
    title: str, columns: Sequence[Column], rows: Sequence[Said], left_out: Iterable[tuple[str, int]]
) -> None:
    """A list as its federation prints it, and for what reasons so many are not on it."""
    console = output()
    console.print(clean(title))
    table = plain_table(*(">" * each.numeric + each.title for each in columns))
    for row in rows:
        table.add_row(*(cell(row.get(each.key)) for each in columns))
    console.print(table)
    for reason, count in left_out:
        console.print(f"Not listed: {clean(reason)}: {count}")


def signed(change: float) -> str:
    """A difference with its sign."""
    return f"{change:+.10g}".replace("-", "−")


def _beside(other: Said, joined: int | None) -> str:
    """How another request is beside one, which is ``joined`` to it or to none."""
    what = (
        "it is decided with" if other["correction"] == joined
        else "decided with it:" if other["joined"]
        else "it takes back" if other["taken_back"]
        else "taken back by" if other["takes_back"] else "about the same:"
    )  # fmt: skip
    line = f"{what} correction {other['correction']} ({other['state']})"
    return line + ", which asks for something else of the same" * bool(other["contradicts"])


def _fact(one: Said) -> str:
    """What somebody did; to the public nobody has a name, and a fact has no hash."""
    by = f" by {one['by']}" if one["by"] else ""
    reason = f": {one['reason']}" if one["reason"] else ""
    proof = f", {one['hash'][:12]}" if "hash" in one else ""
    return f"{one['at'][:10]} {one['what']}{by}{reason} (fact {one['fact']}{proof})"


def _change(one: Said) -> str:
    """A difference, or why there is none of two numbers; and what became of the line on a list."""
    if one["now"] is None:
        return "no rating any more"
    if one["was"] is None:
        return "first rating"
    change = "" if one["change"] is None else signed(one["change"])
    return ", ".join(filter(None, (change, _LISTINGS[one["listing"]])))


_BY_ALONE = ">By corrections"
"""The column of what corrections did by themselves: else it would be read as Is without Was."""
_WITH_OTHERS = (
    "something else of the same run moved some of these numbers, too: "
    "was and is are what was published, the differences those of corrections alone"
)
_LISTINGS = {"": "", "left": "not on this list any more", "came": "not on this list before"}
"""What became of the line of somebody who has a rating all the same."""


def _to_come(reach: Said, next_list: str) -> str:
    """What is going to change by a correction that is accepted, as its page says it."""
    if not reach["players"]:
        return "no published number will become another one by it"
    players = some(reach["players"], "player")
    told = (
        f"nothing is rated again: the first list from {next_list} on has it, for {players}"
        if next_list
        else f"not published yet: the next run will change {players}"
    )
    return ", ".join(filter(None, (told, _largest(reach))))


def _in_short(reach: Said) -> str:
    """The figures of a correction, as its page has them."""
    told = f"{some(reach['players'], 'player')}, {some(len(reach['lists']), 'list')} revised"
    return ", ".join(filter(None, (told, _largest(reach))))


def _largest(reach: Said) -> str:
    of_pools: Mapping[str, float] = reach["largest"]
    return ", ".join(
        f"largest difference {value:.10g}" + (f" in {pool}" if len(of_pools) > 1 else "")
        for pool, value in of_pools.items()
    )


def merged_lines(report: Mapping[str, Any]) -> list[str]:
    """Who is one with somebody else now, and so has no number of the own any more."""
    group = report.get("merged", {"count": 0})
    if not group["count"]:
        return []
    names = zip(
        group["names"], group["players"], group["into_names"], group["into"], strict=True
    )  # fmt: skip
    people = "; ".join(
        f"{name} ({number}) is one with {other} ({into}) now" for name, number, other, into in names
    )
    more = group["count"] - len(group["players"])
    return [people + (f" and {more} more" if more else "")]


def crossed_lines(report: Mapping[str, Any]) -> list[str]:
    """Whose rating of now comes to the other side of a mark."""
    told = [
        f"{x['name']} ({x['player']}) goes from {x['before']:.10g} "
        f"to {x['after']:.10g}, to the other side of {x['mark']:.10g}"
        for x in report.get("crossed", ())
    ]
    return [*told, *more_crossed(report, "crossed")]


def more_crossed(report: Mapping[str, Any], key: str) -> list[str]:
    """That a report counts more crossings of marks than it names."""
    from ratingbook.office.logic.comparing import crossings_in

    more = crossings_in(report, key) - len(report.get(key, ()))
    return [f"and {some(more, 'crossing', 'crossings')} more"] if more else []
