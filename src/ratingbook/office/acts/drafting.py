"""How a run is made: its number, what is fed and rated, and what differs, written by chunks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from django.db import transaction
from django.db.models import Max

from ratingbook import __version__
from ratingbook.model import Findings
from ratingbook.model.sentences import sentence
from ratingbook.office.acts.amendments import overlay_of
from ratingbook.office.acts.at_fault import naming_reports
from ratingbook.office.acts.causes import causes
from ratingbook.office.acts.people import merges
from ratingbook.office.acts.published import bytes_of, table_of
from ratingbook.office.acts.revisions import others_by
from ratingbook.office.acts.run_findings import tell_back, tell_lists, tell_reforms, tell_unrated
from ratingbook.office.acts.run_states import DRAFT, LISTS, MADE
from ratingbook.office.acts.setup import decimals_of, marks_of
from ratingbook.office.acts.siblings import has_siblings, tell_read, told_of
from ratingbook.office.engine.fed import Fed
from ratingbook.office.engine.rating import RatedTables, rate
from ratingbook.office.engine.rules import Rules, rule_source
from ratingbook.office.home import Home
from ratingbook.office.logic.comparing import Differing, differing, opened_in, report_of
from ratingbook.office.logic.stored import stored
from ratingbook.office.refused import OfficeRefused
from ratingbook.office.store import blobs
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import Who
from ratingbook.office.store.rows import CHUNK, put_rows

_PARQUET = "application/vnd.apache.parquet"
_COLUMNS = (
    "batch_id", "person", "turn", "run_id", "before", "after", "games", "score", "gone", "day",
)  # fmt: skip


@contextmanager
def _no_fence() -> Iterator[None]:
    with transaction.atomic():
        yield


@dataclass(frozen=True)
class Work:
    """How a run is done: what is told of its progress, and what guards each of its writes.

    ``fence`` is a transaction that fails once another worker has the job.
    """

    progress: Callable[[int, int, str], None] = lambda done, total, note: None
    fence: Callable[[], Any] = _no_fence
    began: Callable[[int], None] = lambda run: None
    """Told the number of the draft, as soon as there is one."""


ALONE = Work()
"""Of nobody who waits for it, or might do it, too."""


def draft_of(pool: m.Pool, rules: Rules, upto: int, until: date, who: Who) -> m.Run:
    """A run that has a number, and nothing in it yet."""
    with transaction.atomic():
        # The head of the ledger is locked: no two runs have one number.
        m.LedgerHead.objects.select_for_update().get(id=1)
        pool.refresh_from_db(fields=["head"])
        number = (m.Run.objects.aggregate(last=Max("id"))["last"] or 0) + 1
        return m.Run.objects.create(
            id=number, pool=pool, base=pool.head, upto=upto, until=until, state=DRAFT,
            rulebook=rules.rulebook, parameters=dict(rules.parameters), assume=rules.assume,
            rule_source=rule_source(rules.rulebook), engine=__version__,
            counts={"made_by": who.actor},
        )  # fmt: skip


@dataclass(frozen=True)
class Given:
    """What a run is fed, and of which sections."""

    fed: Fed
    section_of: pa.ChunkedArray
    """The section of each game."""
    sections: Sequence[int]
    """All that are fed, whatever their days, and whether they have games."""

    def rated(self, games: np.ndarray[Any, np.dtype[np.bool_]], run: m.Run) -> list[int]:
        """The sections of these games: who has some in a batch that ends later is not in the run.

        A section without games counts once it has ended.
        """
        played = set(pc.unique(self.section_of).to_pylist())
        found = set(pc.unique(self.section_of.filter(pa.array(games))).to_pylist())
        without = [each for each in self.sections if each not in played]
        days = overlay_of(run.upto).days if without else {}
        ends = dict(m.Section.objects.values_list("id", "end")) if without else {}
        for each in without:
            end = ends[each]
            if end is None or end + timedelta(days.get(each, 0)) <= run.until:
                found.add(each)
        return sorted(found)


def fill(
    home: Home, run: m.Run, given: Given, rules: Rules, base: m.Run | None, findings: Findings,
    work: Work,
) -> None:  # fmt: skip
    """Rate, compare, and write what differs, a chunk at a time."""
    fed = given.fed
    work.progress(1, 4, sentence("rating the events"))
    # To hash a million games takes half as long as to rate them, and another processor.
    with ThreadPoolExecutor(1) as aside:
        of_fed = aside.submit(lambda: fed.digest)
        try:
            rated = rate(fed, rules, run.until)
        except OfficeRefused as refused:
            raise naming_reports(refused, given.sections, rules, run.upto) from None
        of_rated = aside.submit(lambda: rated.digest)
        findings.extend(rated.findings)
        tell_unrated(rated, rules, findings)
        tell_reforms(run, base, rated, findings)
        work.progress(2, 4, sentence("comparing"))
        decimals = decimals_of(run.pool)
        before = (None, None)
        if base is not None:
            before = table_of(home, base.file_id or ""), table_of(home, base.ratings_id or "")
        found = differing(rated.changes, before[0], decimals)
        report = report_of(
            rated.ratings,
            before[1],
            found,
            decimals,
            marks_of(run.pool),
            opened_in(fed.players),
            merged=merges(run.upto),
        )
        run.snapshot, run.digest = of_fed.result(), of_rated.result()
    sections = given.rated(rated.games, run)
    work.progress(3, 4, sentence("writing what differs"))
    with work.fence():
        put_rows(
            m.RunSection._meta.db_table, ("run_id", "section"), [(run.id, s) for s in sections]
        )
    _write(run, rated, found, base, home, work)
    tell_back(run, base, findings)
    others = others_by(run, base, fed, rated.ratings, rated.changes)
    run.counts = {**run.counts, LISTS: others}
    tell_lists(run, findings)
    tell_read(run.pool, run, findings)
    needed = causes(home, run, base, found, rated)
    tables = {"file": rated.changes, "ratings": rated.ratings}
    if len(needed):
        tables["needed"] = needed
    if has_siblings(run.pool):
        tables["told"] = told_of(run, fed)
    files = {name: bytes_of(each) for name, each in tables.items()}
    kept = {name: blobs.keep(home, each) for name, each in files.items()}
    with work.fence():
        for name, sha256 in kept.items():
            blobs.enter(sha256, len(files[name]), _PARQUET)
        run.state = MADE
        run.file_id, run.ratings_id, run.told_id = kept["file"], kept["ratings"], kept.get("told")
        if "needed" in kept:
            m.Needed.objects.create(run=run, file_id=kept["needed"])
        run.report = report
        run.counts = {
            **run.counts, "sections": len(sections), "games": int(rated.games.sum()),
            "batches": len(rated.batches), "rows": len(rated.changes),
            "changed": report["players"], "passed_over": rated.passed_over,
            "findings": [stored(each) for each in findings],
        }  # fmt: skip
        run.save()
    work.progress(4, 4, sentence("the draft is made"))


def _write(
    run: m.Run, rated: RatedTables, found: Differing, base: m.Run | None, home: Home, work: Work
) -> None:
    days = _days(found.gone) | _days(found.rows)
    with work.fence():
        known = set(m.Batch.objects.filter(pool=run.pool).values_list("key", flat=True))
        m.Batch.objects.bulk_create(
            [m.Batch(pool=run.pool, key=key, day=days[key])
             for key in sorted(days.keys() - known)],
            batch_size=5000,
        )  # fmt: skip
        every = m.Batch.objects.filter(pool=run.pool).values_list("key", "id", "day")
    batches = {key: (number, day) for key, number, day in every}
    for table, gone in ((found.rows, False), (found.gone, True)):
        for start in range(0, len(table), CHUNK):
            rows = _rows(table.slice(start, CHUNK), batches, run.id, gone)
            with work.fence():
                put_rows(m.Change._meta.db_table, _COLUMNS, rows)


def _days(table: pa.Table) -> dict[str, date]:
    return dict(zip(table["key"].to_pylist(), table["date"].to_pylist(), strict=True))


def _rows(
    table: pa.Table, batches: Mapping[str, tuple[int, date]], run: int, gone: bool
) -> list[tuple[Any, ...]]:
    """Rows as they are kept: with a day where it is not the first one that the batch had.

    Of an event that came to another day those that are gone have the day on which they were.
    """
    columns = [table[name].to_pylist() for name in ("key", "player", "turn", "before", "after",
                                                     "games", "score", "date")]  # fmt: skip
    return [
        (number, int(player), turn, run, before, after, games, score, gone,
         day if day != first else None)
        for key, player, turn, before, after, games, score, day in zip(*columns, strict=True)
        for number, first in (batches[key],)
    ]  # fmt: skip
