"""A report rated by what is public: on the ratings from before it, and with what was corrected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Any

import pyarrow as pa

from ratingbook.model import Report
from ratingbook.office.acts.amendments import tried
from ratingbook.office.acts.setup import rules_of
from ratingbook.office.acts.snapshots import raw_of
from ratingbook.office.engine import standings_on
from ratingbook.office.home import Home
from ratingbook.office.intake import Understood, with_fixes
from ratingbook.office.logic.feeding import feed
from ratingbook.office.store import models as m


def ratings_before(home: Home, run: m.Run, day: date, sections: Sequence[int]) -> pa.Table:
    """The ratings on the eve of a day by what a run rated, as if some sections had never come.

    What has come since the run is nobody's to know before it is published, whoever asks.
    """
    pool, upto = run.pool, run.upto
    rules = rules_of(pool)
    without = [{"kind": "withdraw", "sections": list(sections)}]
    trial = tried(without, pool, rules, upto)
    fed = feed(raw_of(home, pool.id, upto), trial.merged, trial.overlay)
    return next(standings_on(fed, rules, [day - timedelta(days=1)]))


def as_corrected(report: Report, found: Understood, key: str) -> Report:
    """A report with the corrections that hold of its games, whose event goes by a key."""
    keys = found.stable_keys(key)
    said: dict[str, list[Mapping[str, Any]]] = {}
    fixes = m.GameFix.objects.filter(stable_key__in=list(keys), revoked_by__isnull=True)
    for of, what in fixes.order_by("fact", "id").values_list("stable_key", "said"):
        said.setdefault(of, []).append(what)
    numbers = zip(found.games.number, keys, strict=True)
    return with_fixes(report, {number: said[of] for number, of in numbers if of in said})
