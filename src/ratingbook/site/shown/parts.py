"""Which section of the office a game of a report is in: by its section, and the event it names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ratingbook.office.store import models as m


class Parts:
    """The sections of a report that were rated; ``key`` is that of its event.

    Several events of a report may have sections of one name, or of none.
    """

    def __init__(self, sections: Sequence[m.Section], key: str) -> None:
        self.all = sections
        self._named = {(each.name, _event_of(each, key)): each for each in sections}
        self._by_name = {each.name: each for each in reversed(sections)}

    def of(self, name: str | None, event: str | None) -> m.Section:
        """That of the games of a section that name an event."""
        called = name or ""
        found = self._named.get((called, event)) or self._by_name.get(called)
        return found or self.all[0]

    def has(self, name: str, event: str | None) -> bool:
        """Whether a section that is called so is one of them."""
        return (name, event) in self._named

    def layers(self) -> list[list[m.Section]]:
        """All of them in as few groups as there can be without two of one name in any."""
        found: list[list[m.Section]] = []
        seen = Counter[str]()
        for each in self.all:
            if seen[each.name] == len(found):
                found.append([])
            found[seen[each.name]].append(each)
            seen[each.name] += 1
        return found


def _event_of(section: m.Section, key: str) -> str | None:
    """The event of a report of several; None: it is that of the report."""
    return None if section.event == key else section.event.removeprefix(f"{key}/")
