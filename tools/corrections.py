"""Random corrections of all kinds on random ledgers: preview = replay = what the run wrote.

    python -m tools.corrections --count 500 --seed 1 [--next-list | --lists | --backs | --versions]

For each correction: what the preview shows is what a full replay of the corrected facts
differs by, and what the run writes; and taking it back brings back the bits of before.  With
``--next-list`` the pools put corrections on the next list: what is published stays, the ratings
differ by what the preview says, and taking it back brings back the published ratings.  With
``--lists`` several come with one run, and every number of every list names those without which it
would be another one (``tools/correction_causes.py``).  With ``--backs`` they are taken back again
and again, and what holds is compared with a model (``tools/correction_backs.py``).  With
``--versions`` the reports come again under other numbers of their players
(``tools/correction_versions.py``).
"""

from __future__ import annotations

import argparse
import json
import math
import random
import shutil
import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from itertools import combinations
from pathlib import Path
from typing import Any

RULEBOOKS = ("fide", "egf", "uscf", "iccf-2009", "iecg-1999")
LISTED = ("fide-2024", "elo")
"""By which numbers of lists are tried: rated by lists, and event by event."""
NAMES = "Alfa Bravo Charlie Delta Echo Foxtrot Golf Hotel India Juliett Kilo Lima".split()
UNTIL = date(2024, 1, 1)
KINDS = (
    "result", "void", "swap", "rated", "player", "merge", "split", "move", "pool", "withdraw",
    "late", "opening", "undo", "parameters",
)  # fmt: skip


TODAY = date(2024, 1, 2)
MOST_DECIMALS = 2
"""Numbers that differ by little are to differ in what is published, where the rules have more."""


def who(name: str = "tina", day: date = TODAY) -> Any:
    """An actor at noon of a day."""
    from ratingbook.office.store.ledger import Who

    return Who(name, "tool", datetime(day.year, day.month, day.day, 12, tzinfo=UTC))


class Ledger:
    """A random office: two pools under one rule book, a dozen people, some events."""

    lowest = 1300
    """No opening rating is lower."""
    today = TODAY
    """On which acts are done: no run goes far ahead of it."""

    def __init__(self, folder: Path, rulebook: str, chance: random.Random, model: Path) -> None:
        from ratingbook.office.acts import setup

        self.chance, self.rulebook, self._work = chance, rulebook, folder.with_name("files")
        self._work.mkdir(parents=True, exist_ok=True)
        # To make the tables of an office takes longer than to try two corrections in it.
        shutil.copytree(model, folder)
        self.home = setup.open_office(folder)
        self.fill()

    def who(self) -> Any:
        """An actor of today."""
        return who(day=self.today)

    def fill(self) -> None:
        """Its pools, people and events, and what is published of them."""
        from ratingbook.office.acts import reports, setup
        from ratingbook.office.engine.rules import Rules

        most = Rules(self.rulebook).book().published_decimals
        decimals = MOST_DECIMALS if most is None else min(MOST_DECIMALS, most)
        for name in ("main", "other"):
            policies = {"decimals": str(decimals), "assume": "1500"}
            setup.add_pool(name, self.rulebook, who(), None, policies)
        self._people()
        self.reports: list[int] = []
        for number in range(7):
            self.reports.append(self._event(number, "main" if number % 3 else "other"))
        reports.put_aside(str(self.reports[-1]), "hold", "waits", who())
        self._merge()
        for name in ("main", "other"):
            self.publish(name)

    def _people(self) -> None:
        from ratingbook.office.acts import imports

        rows = ["id,rating,games,name,birth_date,sex"]
        for number, name in enumerate(NAMES, 1):
            rating = self.chance.randrange(self.lowest, 2300)
            born = f"{self.chance.randrange(1950, 2008)}-05-0{1 + number % 9}"
            rows.append(f'{number},{rating},{self.chance.choice((12, 40))},"{name}, Any",{born},m')
        path = self._work / "opening.csv"
        path.write_text("\n".join(rows[: 1 + len(NAMES) * 2 // 3]) + "\n")
        for name in self._pools():
            imports.import_file(self.home, path, "national", who(), name)
        path.write_text("\n".join(rows) + "\n")
        imports.import_file(self.home, path, "national", who())

    def _pools(self) -> tuple[str, ...]:
        """Those in which people come with ratings."""
        return "main", "other"

    def _people_of_event(self) -> list[int]:
        """Who plays, by their places among all."""
        return self.chance.sample(range(len(NAMES)), 6)

    def _day(self) -> date:
        """On which an event may end."""
        return date(2021, 1, 10) + timedelta(days=self.chance.randrange(900))

    def _event(self, number: int, pool: str) -> int:
        from ratingbook.office.acts import desk, receive

        team, day = self._people_of_event(), self._day()
        games = []
        for round_, (one, other) in enumerate(combinations(range(len(team)), 2), 1):
            if self.chance.random() < 0.6:
                result = self.chance.choice(("1-0", "0-1", "1/2-1/2"))
                games.append({"round": round_, "white": str(one), "black": str(other),
                              "result": result})  # fmt: skip
        said = {
            "ratingbook": "report/1",
            "event": {"name": f"Event {number}", "start": str(day), "end": str(day), "class": "A",
                      "time_control": "G/90;d5"},
            "players": [
                {"id": str(seat), "name": f"{NAMES[index]}, Any",
                 "ids": {"national": str(index + 1)},
                 **({"grade": f"{1 + index}k"} if self.rulebook.startswith("egf") else {})}
                for seat, index in enumerate(team)
            ],
            "games": games,
        }  # fmt: skip
        path = self._work / f"{number}.json"
        path.write_text(json.dumps(said), "utf-8")
        options = receive.Options(pool=pool, another=True)
        received, _ = receive.receive_all(self.home, [path], who(day=day), options)
        one_id = received[0].id
        assert one_id is not None, [each.message for each in received[0].findings]
        for each in desk.waiting(one_id):
            desk.link(each.report, each.entry, "new", who(day=day))
        return one_id

    def file_of(self, report: int) -> Path:
        """The file by which a report came."""
        return self._work / f"{self.reports.index(report)}.json"

    def _merge(self) -> None:
        from ratingbook.office.acts import people
        from ratingbook.office.store.models import Person

        numbers = list(Person.objects.order_by("id").values_list("id", flat=True))
        source, target = self.chance.sample(numbers, 2)
        people.merge(source, target, "one person", who())

    def put_on_next_list(self) -> None:
        """Its pools rate no correction again from now on."""
        from ratingbook.office.acts import setup

        for name in ("main", "other"):
            setup.set_policies(name, {"corrections": "next_list"}, "", who())

    def publish(self, pool: str, until: date | None = None) -> Any:
        """A run, approved and published; up to a day, but not behind what is published."""
        from ratingbook.office.acts import runs
        from ratingbook.office.acts.published import head_run
        from ratingbook.office.acts.setup import pool_named

        base = head_run(pool_named(pool))
        day = until or (base.until if base else UNTIL)
        self.today = max(self.today, day + timedelta(days=1))
        made = runs.make(self.home, pool, day, self.who())
        runs.approve(made.run.id, self.who())
        runs.publish(self.home, made.run.id, self.who())
        return made.run

    def content(self, kind: str) -> list[Any] | None:
        """A random content of a kind; None: there is none to be had."""
        from ratingbook.office.refused import OfficeRefused

        try:
            return self._contents(kind)
        except OfficeRefused:
            return None

    def _contents(self, kind: str) -> list[Any] | None:
        from ratingbook.office.acts import asking
        from ratingbook.office.store import models as m

        report = self.chance.choice(self.reports[:-1])
        version = m.ReportVersion.objects.filter(report=report).latest("number")
        if kind in ("result", "void", "swap", "rated"):
            count = m.Game.objects.filter(version=version).count()
            said: dict[str, dict[str, Any]] = {
                "result": {"result": self.chance.choice(("1-0", "0-1", "1/2-1/2"))},
                "void": {"result": "none"}, "swap": {"swap": True},
                "rated": {"rated": self.chance.choice(("white", "black", "none"))},
            }  # fmt: skip
            return [asking.game(report, 1 + self.chance.randrange(count), **said[kind])]
        people = list(m.Person.objects.order_by("id").values_list("id", flat=True))
        if kind == "player":
            return [
                asking.player(report, str(self.chance.randrange(6)), self.chance.choice(people))
            ]
        if kind == "merge":
            return [asking.merge(*self.chance.sample(people, 2))]
        if kind in ("split", "undo"):
            wanted = ("merge",) if kind == "split" else ("decision", "game fixed", "section fixed")
            facts = m.Fact.objects.filter(kind__in=wanted).values_list("seq", flat=True)
            return [asking.undo(self.chance.choice(list(facts)))] if facts else None
        if kind == "move":
            return [asking.moved(str(report), self._day())]
        if kind == "pool":
            return [asking.into_pool(str(report), self.chance.choice(("main", "other")))]
        if kind in ("withdraw", "late"):
            chosen = self.reports[-1] if kind == "late" else report
            return [asking.event(str(chosen), kind)]
        if kind == "opening":
            rating = str(self.chance.randrange(1300, 2300))
            return [asking.opening("main", {self.chance.choice(people): {"rating": rating}})]
        return [asking.parameters("main", {}, str(self.chance.randrange(1200, 2000)))]


def rows_of(home: Any, pool: Any) -> dict[Any, tuple[Any, ...]]:
    """The published numbers of a pool, out of the tables that readers read.

    A rating that the rules do not publish is none.
    """
    from ratingbook.office.acts.published import head_run, history_of
    from ratingbook.office.acts.unpublished import public_until
    from ratingbook.office.store.models import Person

    run, people = head_run(pool), list(Person.objects.values_list("id", flat=True))
    until = public_until(home, run, pool.head, people) if run is not None else {}
    found = {}
    for person in people:
        for row in history_of(pool, person):
            is_public = row["day"] <= until.get(person, date.max)
            ratings = (row["before"], row["after"]) if is_public else (None, None)
            found[row["key"], person, row["turn"]] = (*ratings, row["games"], row["score"])
    return found


def replayed(pool: Any) -> str:
    """The digest of a full replay of all facts of a pool, without any cache."""
    from ratingbook.office.acts.published import head_run
    from ratingbook.office.acts.setup import rules_of
    from ratingbook.office.acts.snapshots import build
    from ratingbook.office.engine.rating import rate
    from ratingbook.office.store import ledger

    pool.refresh_from_db()
    run = head_run(pool)
    assert run is not None
    return rate(build(pool.id, ledger.head().seq), rules_of(pool), run.until).digest


def check(ledger: Ledger, contents: list[Any], *, takes_back: bool = True) -> list[str]:
    """What is wrong with a correction: nothing, else what in words."""
    from ratingbook.office.acts import corrections
    from ratingbook.office.acts.preview import Bench
    from ratingbook.office.acts.published import head_run, ratings_in
    from ratingbook.office.acts.setup import decimals_of
    from ratingbook.office.logic.effects import OPENED
    from ratingbook.office.logic.rounding import rounded_one
    from ratingbook.office.store.models import Pool

    pools = list(Pool.objects.order_by("id"))
    before = {each.id: rows_of(ledger.home, each) for each in pools}
    digests = {each.id: run.digest for each in pools if (run := head_run(each))}
    shown = Bench(ledger.home).preview(contents)
    asked = corrections.ask(ledger.home, contents, "random", ledger.who())
    accepted = corrections.accept(ledger.home, asked.joined or asked.id, ledger.who())
    wrong = []
    if accepted.preview.digest != shown.digest:
        wrong.append("two previews of one thing differ")
    reached = {(r["pool"], r["key"], r["person"], r["turn"]): r for r in shown.rows.to_pylist()}
    people_reached = {key[2] for key in reached}
    pools_reached = {each.pool for each in shown.reaches}
    for pool in pools:
        if pool.name not in pools_reached:
            # A replay says so as well; nothing is to be published.
            if replayed(pool) != digests[pool.id]:
                wrong.append(f"{pool.name}: the preview did not say that it is reached")
            continue
        run = ledger.publish(pool.name)
        if replayed(pool) != run.digest:
            wrong.append(f"{pool.name}: a full replay differs from the run")
        after = rows_of(ledger.home, pool)
        for key in before[pool.id].keys() | after.keys():
            was, now = before[pool.id].get(key), after.get(key)
            row = reached.pop((pool.id, *key), None)
            if row is None and key[1] in people_reached and _is_held_back(was, now):
                continue
            names = ("before", "after", "games", "score")
            said = None if row is None else (
                None if row["was_games"] is None else tuple(row[f"was_{n}"] for n in names),
                None if row["games"] is None else tuple(row[n] for n in names),
            )  # fmt: skip
            if (was, now) != (said or (was, was)):
                wrong.append(f"{pool.name} {key}: {was} became {now}, the preview said {said}")
        exact = ratings_in(run.ratings_id)
        for at in [each for each in reached if each[:2] == (pool.id, OPENED)]:
            # Of who has no rated game the rating itself is another one.
            told, came = reached.pop(at)["after"], rounded_one(exact.get(at[2]), decimals_of(pool))
            if told != came:
                wrong.append(f"{pool.name} {at}: came in with {came}, the preview said {told}")
        bits = {each.pool: each.report["rows_differing_in_bits"] for each in shown.reaches}
        if run.report["rows_differing_in_bits"] != bits.get(pool.name, 0):
            wrong.append(
                f"{pool.name}: {run.report['rows_differing_in_bits']} rows differ in bits, the "
                f"preview said {bits.get(pool.name, 0)}"
            )
    wrong += [f"the preview alone says {key}" for key in reached]
    if not takes_back:
        return wrong
    back = corrections.ask(ledger.home, corrections.taking_back(asked.id), "back", ledger.who())
    corrections.accept(ledger.home, back.joined or back.id, ledger.who())
    for pool in pools:
        is_reached = pool.name in pools_reached
        digest = ledger.publish(pool.name).digest if is_reached else replayed(pool)
        if digest != digests[pool.id]:
            wrong.append(f"{pool.name}: taking it back does not bring back the bits of before")
    return wrong


def _is_held_back(was: tuple[Any, ...] | None, now: tuple[Any, ...] | None) -> bool:
    """Whether a row stays, and its rating goes or comes by what the rules publish of its person.

    No run writes such a row, and a preview tells of what is written.
    """
    if was is None or now is None:
        return False
    return was[2:] == now[2:] and (None, None) in (was[:2], now[:2])


def _exact_now(pool: Any) -> Any:
    """The ratings of a pool as the next run goes on with them, not as they are published."""
    from ratingbook.office.acts.published import head_run, ratings_in

    run = head_run(pool)
    return ratings_in(run.ratings_id if run is not None else None)


def check_next_list(ledger: Ledger, contents: list[Any]) -> list[str]:
    """The same of a correction that goes on the next list; else it is rated again."""
    from ratingbook.office.acts import corrections
    from ratingbook.office.acts.preview import Bench
    from ratingbook.office.acts.published import head_run, ratings_in
    from ratingbook.office.acts.setup import decimals_of
    from ratingbook.office.logic.rounding import rounded_one
    from ratingbook.office.refused import OfficeRefused
    from ratingbook.office.store.models import Pool

    for pool in Pool.objects.order_by("id"):
        # Nothing but the correction is to be new on the next list.
        run = head_run(pool)
        assert run is not None
        ledger.publish(pool.name, run.until + timedelta(days=200))
    try:
        shown = Bench(ledger.home).preview(contents)
    except OfficeRefused as refused:
        # Of an event that went on the list before, not all can be corrected.
        codes = [each.code for each in refused.findings]
        return [] if codes == ["office.on-next-list"] else [str(refused)]
    if not shown.reaches or any(each.made is None for each in shown.reaches):
        # What takes it back may go on the next list.
        return check(ledger, contents, takes_back=False)
    added = {each.pool: each.made for each in shown.reaches}
    numbers = {
        each.pool: {row["person"]: row["after"] for row in each.rows.to_pylist()}
        for each in shown.reaches
    }
    pools = list(Pool.objects.order_by("id"))
    before = {each.name: (rows_of(ledger.home, each), _exact_now(each)) for each in pools}
    asked = corrections.ask(ledger.home, contents, "random", ledger.who())
    number = asked.joined or asked.id
    corrections.accept(ledger.home, number, ledger.who())
    wrong = []
    for pool in pools:
        made = added.get(pool.name)
        run = ledger.publish(pool.name, made.day if made else None)
        rows, ratings = before[pool.name]
        if replayed(pool) != run.digest:
            wrong.append(f"{pool.name}: a full replay differs from the run")
        if rows_of(ledger.home, pool) != rows:
            wrong.append(f"{pool.name}: numbers that were published are others")
        values = made.values if made else {}
        for person, rating in ratings_in(run.ratings_id).items():
            wanted = ratings.get(person, math.nan) + values.get(person, 0.0)
            if not abs(rating - wanted) <= 1e-9:
                wrong.append(f"{pool.name} {person}: {rating}, not {wanted}")
        exact, decimals = ratings_in(run.ratings_id), decimals_of(pool)
        for person, told in numbers.get(pool.name, {}).items():
            if rounded_one(exact.get(person), decimals) != told:
                wrong.append(f"{pool.name} {person}: {exact.get(person)}, the preview said {told}")
    back = corrections.taking_back(number)
    again = corrections.ask(ledger.home, back, "back", ledger.who())
    held = corrections.accept(ledger.home, again.joined or again.id, ledger.who())
    days = {each.pool: each.made.day for each in held.preview.reaches if each.made}
    for pool in pools:
        run = ledger.publish(pool.name, days.get(pool.name))
        for person, rating in ratings_in(run.ratings_id).items():
            if not abs(rating - before[pool.name][1].get(person, math.nan)) <= 1e-9:
                wrong.append(f"{pool.name} {person}: taking it back leaves {rating}")
    return wrong


def begun(folder: Path) -> Path:
    """An office as it is when new, to be copied."""
    from ratingbook.office.home import start_django

    start_django()
    from ratingbook.office.acts import setup

    setup.init(folder, who())
    close()
    return folder


def trials(
    rulebook: str, count: int, seed: int, model: Path, *, next_list: bool = False
) -> Iterator[tuple[str, list[str]]]:
    """Random corrections under one rule book, some on each random ledger: kind and faults."""
    chance = random.Random(f"{rulebook} {seed}")
    done = 0
    while done < count:
        with tempfile.TemporaryDirectory() as folder:
            ledger = Ledger(Path(folder) / "office", rulebook, chance, model)
            if next_list:
                ledger.put_on_next_list()
            for kind in chance.sample(2 * KINDS, 2 * len(KINDS)):
                contents = ledger.content(kind) if done < count else None
                if contents is None:
                    continue
                yield kind, (check_next_list if next_list else check)(ledger, contents)
                done += 1
            close()


def close() -> None:
    """Leave nothing of an office open."""
    from django.db import connections

    connections.close_all()


def main() -> int:
    """Try as many as asked for, and count by rule book and kind."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100, help="of each rule book")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rulebook", action="append")
    parser.add_argument("--next-list", action="store_true")
    parser.add_argument("--lists", action="store_true")
    parser.add_argument("--backs", action="store_true")
    parser.add_argument("--versions", action="store_true")
    parser.add_argument("--each", action="store_true", help="print a line for each correction")
    said = parser.parse_args()
    faults = 0
    with tempfile.TemporaryDirectory() as folder:
        model = begun(Path(folder) / "office")
        for rulebook in said.rulebook or (LISTED if said.lists else RULEBOOKS):
            counts: dict[str, int] = {}
            if said.lists:
                from tools import correction_causes

                tried = correction_causes.trials(rulebook, said.count, said.seed, model)
            elif said.backs:
                from tools import correction_backs

                tried = correction_backs.trials(rulebook, said.count, said.seed, model)
            elif said.versions:
                from tools import correction_versions

                tried = correction_versions.trials(rulebook, said.count, said.seed, model)
            else:
                tried = trials(rulebook, said.count, said.seed, model, next_list=said.next_list)
            for kind, wrong in tried:
                counts[kind] = counts.get(kind, 0) + 1
                for each in wrong:
                    print(f"{rulebook} {kind}: {each}", flush=True)
                faults += bool(wrong)
                if said.each:
                    print(rulebook, sum(counts.values()), kind, flush=True)
            print(rulebook, sum(counts.values()), dict(sorted(counts.items())), flush=True)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
