"""A player's history: every change with its day, events and derivation."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import TYPE_CHECKING, Any

from ratingbook.desk.explained import player_meant, with_names
from ratingbook.desk.pool import Pool
from ratingbook.engine.explain import Step
from ratingbook.model import Entry
from ratingbook.model.decimals import change_of

if TYPE_CHECKING:
    import pyarrow as pa

    from ratingbook.engine.history.run import Run
    from ratingbook.engine.report.run import RatedRow


@dataclass(frozen=True)
class Change:
    """What one list, event or game did to a player."""

    day: date
    events: tuple[str, ...]
    before: float | None
    after: float | None
    games: int
    score: float
    expected: float | None
    steps: tuple[Step, ...] = ()
    pool: str | None = None
    """The pool, where the history has several."""
    exact_before: float | None = None
    """What ``before`` is published of, where ratings go on with more decimals."""
    exact: float | None = None
    """What ``after`` is published of; of changes that are explained only."""

    @property
    def change(self) -> float | None:
        """``after − before`` as they are printed, where both exist."""
        return change_of(self.before, self.after)

    def as_dict(self) -> dict[str, Any]:
        """The change as the commands print it."""
        pool = {} if self.pool is None else {"pool": self.pool}
        decimals = {"exact_before": self.exact_before, "exact": self.exact}
        exact = {name: value for name, value in decimals.items() if value is not None}
        return {
            "date": self.day.isoformat(), **pool, "events": list(self.events),
            "before": self.before, "after": self.after, "change": self.change,
            **exact, "games": self.games, "score": self.score, "expected": self.expected,
            "explanation": [step.as_dict() for step in self.steps],
        }  # fmt: skip


@dataclass(frozen=True)
class Timeline:
    """A player, and all that happened to the rating."""

    person: Entry
    changes: tuple[Change, ...]

    def as_dict(self) -> dict[str, Any]:
        """The history as the commands print it."""
        from ratingbook.desk.rows import person_as_dict

        said = {"id": self.person.id, "name": self.person.name, **person_as_dict(self.person)}
        return {"player": said, "changes": [each.as_dict() for each in self.changes]}


def timeline_of(pool: Pool, asked: str, *, explain: bool, which: str | None = None) -> Timeline:
    """The history of a player, who may be named by the beginning of the name.

    Of a history of several pools all that happened in them, or in ``which``.  Raises ``NotOne``
    where it is nobody, or several, ``HistoryRefused``, and ``NothingToExplain`` for a pool
    that there is not.
    """
    from ratingbook.engine.history.explain import NothingToExplain
    from ratingbook.engine.history.pooled import PooledHistory

    person = player_meant(pool.everybody(), asked)
    rated = pool.rated(corrections=explain)
    if not isinstance(rated, PooledHistory):
        if which is not None:
            raise NothingToExplain(f"The history is of one pool, and none is called {which!r}.")
        by_batch = partial(rated.explain, person.id) if explain else None
        return Timeline(
            person, tuple(_changes(rated.run, rated.changes, person, None, by_batch, pool.person))
        )
    changes: list[Change] = []
    for name in rated.pools if which is None else (rated.known_pool(which),):
        by_batch = partial(rated.explain_batch, person.id, name) if explain else None
        changes += _changes(
            rated.run(name), rated.changes_in(name), person, name, by_batch, pool.person
        )
    return Timeline(person, tuple(sorted(changes, key=lambda change: change.day)))


def _changes(
    run: Run,
    table: pa.Table,
    person: Entry,
    pool: str | None,
    explained: Callable[[int], list[RatedRow]] | None,
    known: Callable[[str], Entry],
) -> Iterator[Change]:
    """The changes of a player in one pool."""
    import numpy as np
    import pyarrow.compute as pc

    ids = pc.cast(table["player"], "string")
    own = table.filter(pc.equal(ids, person.id)).to_pylist()
    history, plan = run.given, run.plan
    names = [str(name) for name in history.event_ids.to_pylist()]
    code = [str(each) for each in history.players.to_pylist()].index(person.id)
    games = plan.games
    found: dict[int, list[RatedRow]] = {}
    for row in own:
        batch = row["batch"]
        part = slice(int(games.offsets[batch]), int(games.offsets[batch + 1]))
        mine = (games.white[part] == code) | (games.black[part] == code)
        events = np.unique(games.event[part][mine]).tolist() if len(games.event) else []
        # Where files have no events, each day is one without a name.
        numbers = [n for n in events if names and n < len(plan.event_order)]
        codes = [plan.event_code(n, len(names)) for n in numbers]
        told = [names[code] for code in codes if code < len(names)]
        if explained is not None and batch not in found:
            found[batch] = explained(batch)
        one = found[batch].pop(0) if found.get(batch) else None
        yield Change(
            day=row["date"],
            events=tuple(dict.fromkeys(told)),
            before=row["before"],
            after=row["after"],
            games=row["games"],
            score=row["score"],
            expected=row["expected"],
            steps=() if one is None else with_names(one.explanation, known),
            pool=pool,
            exact_before=row.get("exact_before"),
            exact=None if one is None else one.row.exact,
        )
