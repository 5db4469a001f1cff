"""Corrections and new versions of reports: what is corrected holds, and is taken back, in all.

After each correction the reports that it is about come again, with the same games and days, but
with their players in another order and under other numbers.  No published number changes by that,
and once the correction is taken back all numbers are those of before it.
"""

from __future__ import annotations

import json
import random
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tools.corrections import Ledger, close, rows_of

KINDS = ("result", "void", "swap", "rated", "player", "merge", "move", "pool", "opening")


def trials(rulebook: str, count: int, seed: int, model: Path) -> Iterator[tuple[str, list[str]]]:
    """Random corrections under one rule book, some on each random ledger: kind and faults."""
    chance, done = random.Random(f"versions {rulebook} {seed}"), 0
    while done < count:
        with tempfile.TemporaryDirectory() as folder:
            ledger = Ledger(Path(folder) / "office", rulebook, chance, model)
            for kind in chance.sample(2 * KINDS, 2 * len(KINDS)):
                contents = ledger.content(kind) if done < count else None
                wrong = None if contents is None else check(ledger, contents)
                if wrong is not None:
                    yield kind, wrong
                    done += 1
            close()


def check(ledger: Ledger, contents: list[Any]) -> list[str] | None:
    """What is wrong after versions of before and after a correction; None: it is refused."""
    from ratingbook.office.acts import corrections
    from ratingbook.office.refused import OfficeRefused

    first = ledger.chance.random() < 1 / 3
    before = _published(ledger)
    try:
        asked = corrections.ask(ledger.home, contents, "random", ledger.who())
        if first:
            # It is asked for of one version, and accepted when another one counts.
            _again(ledger, contents)
        corrections.accept(ledger.home, asked.joined or asked.id, ledger.who())
    except OfficeRefused:
        return None
    corrected = _published(ledger)
    _again(ledger, contents)
    wrong = [f"another version: {each}" for each in _differing(corrected, _published(ledger))]
    back = corrections.ask(ledger.home, corrections.taking_back(asked.id), "back", ledger.who())
    try:
        corrections.accept(ledger.home, back.joined or back.id, ledger.who())
    except OfficeRefused:
        if {each["kind"] for each in contents} != {"player"}:
            raise
        # Two who met were merged, and one of their entries is nobody of them any more.
        return wrong
    wrong += [f"taken back: {each}" for each in _differing(before, _published(ledger))]
    return wrong


def _published(ledger: Ledger) -> dict[Any, Any]:
    """All published numbers, once everything that waits is published."""
    from ratingbook.office.store.models import Pool

    found: dict[Any, Any] = {}
    for pool in Pool.objects.order_by("id"):
        ledger.publish(pool.name)
        pool.refresh_from_db()
        found |= {(pool.name, *key): row for key, row in rows_of(ledger.home, pool).items()}
    # What nobody was rated by is as good as not there.
    return {key: row for key, row in found.items() if row[2]}


def _differing(was: dict[Any, Any], now: dict[Any, Any]) -> list[str]:
    return [
        f"{key} {was.get(key)} became {now.get(key)}"
        for key in sorted(was.keys() | now.keys(), key=str) if was.get(key) != now.get(key)
    ]  # fmt: skip


def _again(ledger: Ledger, contents: list[Any]) -> None:
    """The reports of a correction come again, numbered otherwise, and are let in."""
    from ratingbook.office.acts import receive, reports, states
    from ratingbook.office.store.models import Section

    named = {each["report"] for each in contents if "report" in each}
    sections = [one for each in contents for one in each.get("sections", ())]
    named |= set(Section.objects.filter(id__in=sections).values_list("version__report", flat=True))
    for report in sorted(named or {ledger.chance.choice(ledger.reports[:-1])}):
        path = ledger.file_of(report)
        path.write_text(json.dumps(renumbered(json.loads(path.read_text()), ledger.chance)))
        options = receive.Options(version_of=report)
        (got,), _ = receive.receive_all(ledger.home, [path], ledger.who(), options)
        if got.state == states.HELD:
            reports.put_aside(str(report), "release", "it comes again", ledger.who())


def renumbered(said: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """A report with its players in another order, under the numbers of others."""
    old = [each["id"] for each in said["players"]]
    number = dict(zip(old, chance.sample(old, len(old)), strict=True))
    players = [{**each, "id": number[each["id"]]} for each in said["players"]]
    games = [
        {**each, "white": number[each["white"]], "black": number[each["black"]]}
        for each in said["games"]
    ]
    if not any("grade" in each for each in players):
        # Of two entries that were merged into one person the last one tells the grade.
        players = chance.sample(players, len(players))
    return {**said, "players": players, "games": games}
