"""``ratingbook history`` of reports, and of the folder that it leaves."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path

from rich.text import Text

from ratingbook import __version__
from ratingbook.cli.explained import nothing_to_explain
from ratingbook.cli.history import progress_bar, rate_here, tell, what_refuses
from ratingbook.cli.screen import (
    errors,
    output,
    plain_table,
    print_findings,
    print_refusal,
    telling,
    write,
)
from ratingbook.desk.correct import corrected_by, corrections_in, told_twice, with_persons
from ratingbook.desk.explained import in_order_of_rounds
from ratingbook.desk.facts import gather
from ratingbook.desk.pool import (
    NoPool,
    Pool,
    corrected_pool,
    left_beside,
    open_pool,
    pool_of,
)
from ratingbook.desk.timeline import Change, Timeline, timeline_of
from ratingbook.desk.written import clean, fixed, number, points, rating_number
from ratingbook.engine.history.explain import NothingToExplain
from ratingbook.engine.history.files import write_preview
from ratingbook.engine.history.fit import check_history
from ratingbook.engine.history.folder import alone_in
from ratingbook.engine.history.refused import HistoryRefused
from ratingbook.engine.left import PREVIEW, REGISTER
from ratingbook.engine.options import RunOptions, filled
from ratingbook.model import Findings, Severity
from ratingbook.model.decimals import change_of
from ratingbook.rules.series import BookOrSeries
from ratingbook.rules.wording import counted

_SHOWN = 40
"""Rows of a preview on the screen, at most; all are in the file."""


def rate_reports(
    games: Sequence[Path],
    book: BookOrSeries,
    out: Path,
    how: RunOptions,
    *,
    players: Sequence[Path],
    id_kind: str | None,
    columns: Mapping[str, str] | None,
    settings: Mapping[str, str],
) -> bool:
    """Rate reports as one history into a folder; True if one of them was refused."""
    begun = time.monotonic()
    findings = what_refuses((*games, *players), book, out)
    if findings.refused:
        print_findings(findings, errors())
        return True
    with telling("reading"):
        facts, findings = gather(games, book, players=players, id_kind=id_kind, columns=columns)
    if facts is None:
        print_findings(findings, errors())
        return True
    pool = pool_of(out, book, facts, settings=settings, assume=how["assume"])
    return _rate(pool, findings, how, begun)


def _rate(pool: Pool, findings: Findings, how: RunOptions, begun: float) -> bool:
    """Rate a pool into its folder, with all its facts; True if it was refused."""
    try:
        if not pool.tables.get("games"):
            findings.add(
                Severity.ERROR, "history.empty", "There is no game.",
                remedy="Name reports or tables with games that were played.",
            )  # fmt: skip
            raise HistoryRefused(findings)
        with alone_in(pool.folder):
            history = pool.history
            findings.extend(history.findings)
            findings.extend(check_history(history.given, pool.book))
            print_findings(findings, errors())
            if findings.refused:
                return True
            in_files = any(isinstance(table, Path | list) for table in pool.tables.values())
            beside = left_beside(pool, copied=not in_files)
            written = rate_here(history.given, pool.book, pool.folder, how, beside)
    except HistoryRefused as refused:
        print_findings(refused.findings, errors())
        return True
    tell(
        written, len(history.given.players), pool.book, pool.folder, time.monotonic() - begun,
        changes=how["changes"],
    )  # fmt: skip
    return False


def show_player(folder: Path, asked: str, format_: str, which: str | None) -> bool:
    """Print a player's history; True if the folder cannot be read."""
    try:
        pool = open_pool(folder)
        with telling("rating"):
            timeline = timeline_of(pool, asked, explain=format_ != "table", which=which)
    except (NoPool, HistoryRefused) as refused:
        return print_refusal(refused.findings, as_json=format_ == "json")
    except NothingToExplain as error:
        return nothing_to_explain(error, as_json=format_ == "json")
    if format_ == "json":
        document = {"rulebook": pool.book.name, **timeline.as_dict()}
        write(json.dumps(document, ensure_ascii=False, indent=2))
    elif format_ == "html":
        write(player_page(timeline, pool))
    else:
        _print_timeline(timeline, pool)
    return False


def _print_timeline(timeline: Timeline, pool: Pool) -> None:
    person = timeline.person
    numbers = ", ".join(f"{register} {each}" for register, each in person.ids.items())
    label = person.name or person.id
    title = ", ".join(part for part in (label, numbers, pool.book.name) if part)
    pools = ["pool"] if any(each.pool for each in timeline.changes) else []
    table = plain_table(
        "date", *pools, "events", ">before", ">after", ">change", ">games", ">score", ">expected",
        title=title,
    )  # fmt: skip
    for each in timeline.changes:
        change = each.change or 0
        color = "green" if change > 0 else "red" if change < 0 else ""
        table.add_row(
            str(each.day),
            *(each.pool or "" for _ in pools),
            Text(clean(", ".join(each.events))),
            rating_number(each.before),
            Text(rating_number(each.after), style="bold"),
            Text(rating_number(each.change, signed=True), style=color),
            str(each.games),
            number(each.score),
            number(each.expected),
        )
    output().print(table)
    if not timeline.changes:
        output().print("No game of this player was rated.")


def player_page(timeline: Timeline, pool: Pool) -> str:
    """A player's history as one self-contained page; every value is text, never markup."""
    from ratingbook.cli.pages import environment
    from ratingbook.desk.birth_dates import step_without_birth_year

    return (
        environment()
        .get_template("player.html")
        .render(
            person=timeline.person,
            changes=timeline.changes,
            steps=lambda each: [
                step_without_birth_year(step) for step in in_order_of_rounds(each.steps)
            ],
            curves=_curves(timeline),
            height=_HEIGHT,
            book=pool.book.name,
            title=pool.book.title,
            version=__version__,
            number=number,
            points=points,
            fixed=lambda value: "–" if value is None else fixed(value, 2),
            rating=rating_number,
        )
    )


_HEIGHT = 180
"""Of the picture, in pixels; its width is that of the page."""
_TICKS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000)
"""Distances of lines in the picture, of which there are to be few."""
_MOST_LINES = 6


def _curves(timeline: Timeline) -> list[dict[str, object]]:
    """The picture of each pool in which the player has a rating."""
    told: dict[str | None, list[Change]] = {}
    for each in timeline.changes:
        if each.after is not None:
            told.setdefault(each.pool, []).append(each)
    return [{"pool": pool, **_curve(changes)} for pool, changes in told.items()]


def _curve(changes: Sequence[Change]) -> dict[str, object]:
    """Places of the ratings in the picture, across in percent, and lines of round numbers.

    A rating holds until the next list, so the way is a stair.
    """
    told = [(each.day, each.after) for each in changes if each.after is not None]
    start = changes[0].before
    first, last = told[0][0], told[-1][0]
    every = [after for _, after in told] + ([] if start is None else [start])
    low, high = min(every), max(every)
    best_day, best = max(told, key=lambda one: one[1])
    step = next((each for each in _TICKS if (high - low) / each < _MOST_LINES - 1), _TICKS[-1])
    bottom, top = math.floor(low / step) * step, max(math.ceil(high / step), 1) * step
    top = max(top, bottom + step)
    days = max(1, (last - first).days)

    def across(day: date) -> float:
        return round(100 * (day - first).days / days, 2)

    def down(rating: float) -> float:
        return round(_HEIGHT * (top - rating) / (top - bottom), 1)

    ticks = range(bottom, top + 1, step)
    way, at = [], None if start is None else (0.0, down(start))
    for day, after in told:
        x, y = across(day), down(after)
        if at is not None:
            way += [(*at, x, at[1]), (x, at[1], x, y)]
        at = (x, y)
    return {
        "places": [(across(day), down(after), f"{day}: {rating_number(after)}")
                   for day, after in told],
        "ticks": [(rating_number(each), down(each)) for each in ticks],
        "way": [part for part in way if part[:2] != part[2:]],
        "low": rating_number(low), "high": rating_number(high),
        "first": str(first), "last": str(last),
        "from": start, "now": told[-1][1], "best": best, "best_day": str(best_day),
        "games": sum(each.games for each in changes),
    }  # fmt: skip


def correct(folder: Path, file: Path, out: Path | None, *, preview: bool) -> bool:
    """Tell what corrections change, or rate the corrected history into another folder."""
    begun = time.monotonic()
    try:
        pool = open_pool(folder)
        findings = Findings() if out is None else what_refuses((file, folder), pool.book, out)
        made, more = corrections_in(file, pool)
        findings.extend(more)
        if not findings.refused:
            pool = with_persons(pool, made)
            findings.extend(told_twice(pool, made.rows, file))
        if findings.refused:
            print_findings(findings, errors())
            return True
        if preview:
            print_findings(findings, errors())
            return _preview(pool, made.rows, out)
    except (NoPool, HistoryRefused) as refused:
        print_findings(refused.findings, errors())
        return True
    assert out is not None
    now = corrected_pool(pool, out, made.rows, file=file.name, day=date.today())
    if _rate(now, findings, filled(RunOptions, RunOptions(assume=pool.assume)), begun):
        return True
    output().print(
        f"{counted(len(made.rows), 'correction')} more in the register: {out / REGISTER}"
    )
    return False


def _preview(pool: Pool, rows: Sequence[Mapping[str, str]], out: Path | None) -> bool:
    with progress_bar():
        corrected = corrected_by(pool, rows)
    findings = Findings(corrected.findings)
    if not corrected.players_reached:
        findings.add(
            Severity.WARNING, "correction.reaches-nobody",
            "The corrections change what is known, but no rating.",
            remedy="Look whether they are about games that are rated.",
        )  # fmt: skip
    print_findings(findings, errors())
    output().print(
        f"The corrections reach {counted(corrected.players_reached, 'player')} in "
        f"{counted(corrected.batches_reached, 'batch', 'batches')}"
        + (f": {out / f'{PREVIEW}.parquet'}" if out else "")
    )
    every = corrected.preview.to_pylist()
    # Elsewhere it is the start of a list, or what was expected, that differs.
    told = [row for row in every if row["after_old"] != row["after_new"]]
    pools = ["pool"] if "pool" in corrected.preview.column_names else []
    table = plain_table("date", *pools, "id", "name", ">was", ">becomes", ">change")
    for row in told[:_SHOWN]:
        person = pool.person(str(row["player"]))
        was, now = row["after_old"], row["after_new"]
        change = change_of(was, now)
        table.add_row(
            str(row["date"]), *(row[name] for name in pools), clean(person.id),
            Text(clean(person.name)), rating_number(was),
            Text(rating_number(now), style="bold"), rating_number(change, signed=True),
        )  # fmt: skip
    if told:
        output().print(table)
    if len(told) > _SHOWN:
        output().print(f"… and {len(told) - _SHOWN:,} more changes")
    if same := len(every) - len(told):
        output().print(f"{counted(same, 'change')} more, after which the rating is what it was")
    if out is not None:
        with alone_in(out):
            print_findings(write_preview(out, corrected.preview), errors())
    return False
