"""Players of a run of whose ages something else is said from a batch on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ratingbook.engine.history.records import accessors
from ratingbook.engine.history.run import Run


class OtherBirths:
    """What follows from other dates of birth of some players, by their codes, or who is adult.

    ``run`` and ``other`` are runs of one history but for that, which have not begun.  Standings
    keep what their rules make of it: wherever the first ones of the two differ.
    """

    def __init__(self, run: Run, other: Run, players: Iterable[int]) -> None:
        self._load, self._store = accessors(run.program.bulk.standing, int)
        self._found: dict[int, tuple[int, bool, dict[str, Any]]] = {}
        for code in players:
            own, theirs = (self._load(each.state.people.standings, code) for each in (run, other))
            new = {
                name: after
                for name, before, after in zip(own._fields, own, theirs, strict=True)
                if repr(before) != repr(after)
            }
            people = other.state.people
            self._found[code] = int(people.birth[code]), bool(people.adult[code]), new

    def hold(self, run: Run, players: Iterable[int]) -> None:
        """Let them hold for some of the players in a run, from the next batch on."""
        people = run.state.people
        for code in players:
            people.birth[code], people.adult[code], new = self._found[code]
            standing = self._load(people.standings, code)
            self._store(people.standings, code, standing._replace(**new))
