"""The eight years, through the real intake: files are written, received, rated and published."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from ratingbook.formats.registry import targets
from ratingbook.model import Report
from ratingbook.office.acts import desk, imports, receive, runs, setup
from ratingbook.office.demo import aftermath, world
from ratingbook.office.home import Home
from ratingbook.office.refused import refuse
from ratingbook.office.store.ledger import Who

_OFFICER = "demo"
_SOON = timedelta(days=3)
_LATE = 75
"""Days after which the late report of a year comes."""


@dataclass
class Played:
    """What the demonstration holds."""

    reports: int = 0
    lists: int = 0
    formats: set[str] = field(default_factory=set)
    refused: list[str] = field(default_factory=list)
    waiting: int = 0


def play(
    folder: Path,
    database: str = "",
    tell: Callable[[str], None] = lambda line: None,
    pools: Sequence[str] = (),
) -> Played:
    """Make an office with the whole federation in it, or with some of its pools only.

    Whole it has what waits in an office at work, too; a part of it only what was reported.
    """
    plans = _plans(pools)
    home = setup.init(folder, _who(date(world.FIRST_YEAR, 1, 1)), database)
    done = Played()
    with tempfile.TemporaryDirectory() as work:
        _open(home, plans, Path(work))
        for year in range(world.FIRST_YEAR, world.FIRST_YEAR + world.YEARS):
            for plan in plans:
                _year(home, plan, year, Path(work), done)
            tell(f"{year}: {done.reports} reports, {done.lists} lists")
        if not pools:
            tell("a correction, its revisions, and what waits")
            _at_work(home, plans[0], Path(work), done)
    return done


def _at_work(home: Home, plan: world.Plan, work: Path, done: Played) -> None:
    done.lists += aftermath.correct(home, plan, _who)
    format_, report = aftermath.to_look_at(plan)
    _receive(home, plan, format_, report, (report.event.end or date.max) + _SOON, work, done)


def _plans(pools: Sequence[str]) -> list[world.Plan]:
    """The pools that are wanted; all of them where none is named."""
    known = {each.pool: each for each in world.PLANS}
    for name in pools:
        if name not in known:
            raise refuse(
                "office.no-pool", f"The demonstration has no pool {name!r}.",
                f"It has {', '.join(known)}.",
            )  # fmt: skip
    return [each for each in world.PLANS if not pools or each.pool in pools]


def _who(day: date) -> Who:
    """The officer on a day of the past."""
    return Who(_OFFICER, "demo", datetime(day.year, day.month, day.day, 12, tzinfo=UTC))


def _open(home: Home, plans: Sequence[world.Plan], work: Path) -> None:
    """Everybody is registered, and the pools open."""
    who = _who(date(world.FIRST_YEAR, 1, 1))
    for plan in plans:
        setup.add_pool(plan.pool, plan.rulebook, who, None, dict(plan.policies))
    ratings = world.opening()
    said = [
        {
            "id": each.ids["national"], "name": each.name, "federation": "IRL", "sex": each.sex,
            "birth_date": each.born.isoformat(), "club": each.club,
            "ids": {k: v for k, v in each.ids.items() if k != "national"},
            "standing": {"rating": ratings[each.ids["national"]], "games": 40},
        }
        for each in world.people()
    ]  # fmt: skip
    path = work / "players.json"
    path.write_text(json.dumps(said), "utf-8")
    opens = next((each.pool for each in plans if each.opens), None)
    imports.import_file(home, path, "national", who, opens)


def _year(home: Home, plan: world.Plan, year: int, work: Path, done: Played) -> None:
    late: list[tuple[str, Report, date]] = []
    for number, (format_, report) in enumerate(world.reports(plan, year)):
        end = report.event.end or date(year, 12, 31)
        if number == 1:
            late.append((format_, report, end + timedelta(days=_LATE)))
        else:
            _send(home, plan, format_, report, end + _SOON, work, done)
    for format_, report, day in late:
        _send(home, plan, format_, report, day, work, done)
    _publish(home, plan, date(year + 1, 1, 1), done)


def _send(
    home: Home, plan: world.Plan, format_: str, report: Report, day: date, work: Path, done: Played
) -> None:
    """A report as a file of its format, received on a day; who is doubtful is looked at."""
    one = _receive(home, plan, format_, report, day, work, done)
    if one.id is None:
        return
    for each in desk.waiting(one.id) if one.waiting else ():
        best = each.candidates[0] if each.candidates else None
        person = str(best["person"]) if best and best["score"] >= 90 else "new"
        desk.link(one.id, each.entry, person, _who(day))


def _receive(
    home: Home, plan: world.Plan, format_: str, report: Report, day: date, work: Path, done: Played
) -> receive.Received:
    """A report as a file of its format, received on a day."""
    path = _file(report, format_, work / f"{plan.pool}-{done.reports}")
    received, _ = receive.receive_all(home, [path], _who(day), receive.Options(pool=plan.pool))
    one = received[0]
    done.reports += 1
    done.formats.add(format_)
    if one.state == "refused" or one.id is None:
        done.refused.append(f"{path.name} ({format_}): {[f.code for f in one.findings]}")
    done.waiting += one.waiting
    return one


def _file(report: Report, format_: str, path: Path) -> Path:
    """Write a report as its arbiter would send it."""
    target = targets()[format_]
    files = target.write(report).files
    if list(files) == [""]:
        path = path.with_suffix(target.suffix or ".json")
        path.write_bytes(files[""])
        return path
    path.mkdir()
    for name, data in files.items():
        (path / name).write_bytes(data)
    return path


def _publish(home: Home, plan: world.Plan, day: date, done: Played) -> None:
    """The run of the year, approved and published."""
    who = _who(day)
    made = runs.make(home, plan.pool, day, who)
    runs.approve(made.run.id, who)
    done.lists += len(runs.publish(home, made.run.id, who).lists)
