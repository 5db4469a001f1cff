"""What is told of whom while the loops go over a report: the trace of each player."""

from __future__ import annotations

import sys
from collections.abc import Collection

from ratingbook.engine.trace import Call, Trace, watcher
from ratingbook.rules.paragraph import Role


class Teller:
    """Listens to the tagged functions while it is about somebody who is to be explained."""

    def __init__(self, wanted: Collection[int], roles: Collection[Role] | None = None) -> None:
        self._wanted = frozenset(wanted)
        self._calls: dict[int, list[Call]] = {player: [] for player in self._wanted}
        self._of_events: dict[int, list[Call]] = {}
        self._heard: set[tuple[int, int]] = set()
        self._trace = Trace()
        self._watch = watcher(self._trace, roles)
        self._before = sys.getprofile()

    def about(self, player: int) -> None:
        """From here on it is about a player, or about nobody."""
        if player in self._wanted:
            self._trace.calls = self._calls[player]
            sys.setprofile(self._watch)
        elif self._wanted:
            sys.setprofile(self._before)

    def about_event(self, event: int) -> None:
        """From here on it is about an event of the batch, or about nothing (−1)."""
        if not self._wanted:
            return
        if event < 0:
            sys.setprofile(self._before)
            return
        self._trace.phase = 0
        self._trace.calls = self._of_events.setdefault(event, [])
        sys.setprofile(self._watch)

    def plays_in(self, player: int, event: int) -> None:
        """What was said of an event is told once to who plays in it."""
        if player in self._wanted and (player, event) not in self._heard:
            self._heard.add((player, event))
            self._calls[player] += self._of_events.get(event, ())

    def turn_begins(self, turn: int, settles: bool) -> None:
        """A turn of a round: of a round that settles only the last turn is told."""
        if turn and settles:
            for calls in self._calls.values():
                calls[:] = [call for call in calls if call.phase != self._trace.phase]
        else:
            self._trace.phase += 1

    def looks_at_events(self) -> None:
        """The events of a batch are looked at, before it begins."""
        self._of_events.clear()
        self._heard.clear()

    def begins(self) -> None:
        """A batch begins: what is said before its rounds is of phase 0."""
        self._trace.phase = 0

    def stays(self, player: int) -> None:
        """A game did not count for a player: how the player came to it is of no matter."""
        if player in self._calls:
            self._calls[player][:] = [c for c in self._calls[player] if c.game is not None]

    def told(self, player: int) -> Trace:
        """What was told of a player since it was asked before."""
        calls = self._calls.get(player, [])
        if player in self._wanted:
            self._calls[player] = []
        return Trace(calls)
