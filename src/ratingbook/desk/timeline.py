"""A player's history: every change with its day, events and derivation."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

from ratingbook.desk.explained import player_meant
from ratingbook.desk.pool import Pool
from ratingbook.engine.explain import Step
from ratingbook.model import Entry


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

    @property
    def change(self) -> float | None:
        """``after − before``, where both exist."""
        return None if self.before is None or self.after is None else self.after - self.before

    def as_dict(self) -> dict[str, Any]:
        """The change as the commands print it."""
        return {
            "date": self.day.isoformat(), "events": list(self.events), "before": self.before,
            "after": self.after, "change": self.change, "games": self.games, "score": self.score,
            "expected": self.expected, "explanation": [step.as_dict() for step in self.steps],
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


def timeline_of(pool: Pool, asked: str, *, explain: bool) -> Timeline:
    """The history of a player, who may be named by the beginning of the name.

    Raises ``NotOne`` where it is nobody, or several, and ``HistoryRefused``.
    """
    import numpy as np
    import pyarrow.compute as pc

    person = player_meant(pool.everybody(), asked)
    rated = pool.rated(corrections=explain)
    changes = rated.changes
    ids = pc.cast(changes["player"], "string")
    own = changes.filter(pc.equal(ids, person.id)).to_pylist()
    history = rated.history.given
    names = [str(name) for name in history.event_ids.to_pylist()]
    code = [str(each) for each in history.players.to_pylist()].index(person.id)
    plan = rated.plan
    games = plan.games
    steps: dict[int, list[tuple[Step, ...]]] = {}
    found = []
    for row in own:
        batch = row["batch"]
        part = slice(int(games.offsets[batch]), int(games.offsets[batch + 1]))
        mine = (games.white[part] == code) | (games.black[part] == code)
        events = np.unique(games.event[part][mine]).tolist() if len(games.event) else []
        order = plan.event_order
        told = [names[int(order[n])] for n in events if n < len(order) and order[n] < len(names)]
        if explain and batch not in steps:
            steps[batch] = [each.explanation for each in rated.explain(person.id, batch)]
        found.append(
            Change(
                row["date"], tuple(dict.fromkeys(told)), row["before"], row["after"],
                row["games"], row["score"], row["expected"],
                steps[batch].pop(0) if steps.get(batch) else (),
            )
        )  # fmt: skip
    return Timeline(person, tuple(found))
