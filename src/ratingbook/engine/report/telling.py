"""What is told of whom while the loops go over a report: the trace of each player."""

from __future__ import annotations

import sys
from collections.abc import Collection

from ratingbook.engine.trace import Call, Trace, listen_again, watcher
from ratingbook.rules.paragraph import Role


class Teller:
    """Listens to the tagged functions while it is about somebody of whom something is asked.

    Of ``wanted`` all is told, of the others what plays one of these ``roles``.
    """

    def __init__(
        self, wanted: Collection[int], others: Collection[int], roles: Collection[Role]
    ) -> None:
        self._roles, asked = roles, [*others] if roles else []
        self._calls: dict[int, list[Call]] = {player: [] for player in (*asked, *wanted)}
        self._of_events: dict[int, list[Call]] = {}
        self._heard: set[tuple[int, int]] = set()
        self._trace = Trace()
        whole, part = watcher(self._trace), watcher(self._trace, roles)
        self._watches = dict.fromkeys(asked, part) | dict.fromkeys(wanted, whole)
        self._watch_events = whole if wanted else part
        self._before = sys.getprofile()

    @property
    def listens(self) -> bool:
        """Whether something is asked of somebody."""
        return bool(self._calls)

    def about(self, player: int) -> None:
        """From here on it is about a player, or about nobody."""
        if player in self._calls:
            self._trace.calls = self._calls[player]
            sys.setprofile(self._watches[player])
        elif self._calls:
            listen_again(self._before)

    def about_event(self, event: int) -> None:
        """From here on it is about an event of the batch, or about nothing (−1)."""
        if not self._calls:
            return
        if event < 0:
            listen_again(self._before)
            return
        self._trace.phase = 0
        self._trace.calls = self._of_events.setdefault(event, [])
        sys.setprofile(self._watch_events)

    def plays_in(self, player: int, event: int) -> None:
        """What was said of an event is told once to who plays in it."""
        if player in self._calls and (player, event) not in self._heard:
            self._heard.add((player, event))
            said = self._of_events.get(event, [])
            for call in said:
                call.event = event
            if self._watches[player] is not self._watch_events:
                said = [call for call in said if call.rule.role in self._roles]
            self._calls[player] += said

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
        if player in self._calls:
            self._calls[player] = []
        return Trace(calls)
