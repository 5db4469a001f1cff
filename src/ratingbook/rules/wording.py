"""Words that the findings of several rule books share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ratingbook.model import Entry, Event, Finding, Findings, Game, Place, Severity
from ratingbook.rules.text import blocks

KINDS = ("swiss", "round_robin", "team", "knockout", "scheveningen", "match")
"""The kinds of event that files say, in the words of reports."""

_ASSUMED = ", assumed"


def kind_of(event: Event) -> str:
    """The kind of an event, whatever its letters; empty: none is said."""
    return (event.kind or "").strip().casefold()


def counted(count: int, one: str, many: str = "") -> str:
    """So many of something: ``1 game``, ``1,200 games``; ``many`` where it takes more than an s."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def players_named(entries: Iterable[Entry]) -> str:
    """The first players of a list, and how many there are."""
    ids = [entry.id for entry in entries]
    if len(ids) == 1:
        return f"Player {ids[0]}"
    return f"{len(ids)} players ({', '.join(ids[:5])}{', …' if len(ids) > 5 else ''})"


class Notices:
    """What a federation's checks notice, written as one reads it.

    A code, two spaces and how severe it is, with ``assumed`` behind a warning of what files
    never hold; then, indented, the message, and after ``Remedy:`` what to do about it.  Words in
    braces are filled in.
    """

    def __init__(self, text: str) -> None:
        self._known = {
            code: _notice(code, severity, said)
            for code, severity, said in blocks(text, ("Remedy",))
        }

    def of(self, code: str, words: Mapping[str, object]) -> Finding:
        """A finding with these words, which has no place yet."""
        known = self._known[code]
        message, remedy = known.message.format(**words), known.remedy.format(**words)
        return replace(known, message=message, remedy=remedy)


def _notice(code: str, severity: str, said: Mapping[str, str]) -> Finding:
    return Finding(
        code,
        Severity(severity.removesuffix(_ASSUMED)),
        said[""],
        remedy=said.get("Remedy", ""),
        assumed=severity.endswith(_ASSUMED),
    )


class Notes(Findings):
    """The findings of a batch under a federation's ``notices``."""

    def __init__(self, notices: Notices, batch: Any, p: Any) -> None:
        super().__init__()
        self._notices, self._words = notices, {"batch": batch, "p": p}

    def tell(
        self,
        code: str,
        about: Entry | Game | Place | Sequence[Entry] | Sequence[Game] | None = None,
        /,
        **words: object,
    ) -> None:
        """Add a finding about a player, a game or several of them, of which the first is the place.

        Words that are always known: ``p``, ``batch``, the ``first`` and the ``count`` of what it
        is about, the id of the ``player``, and ``who`` names several of them.
        """
        several = [*about] if isinstance(about, Sequence) else [] if about is None else [about]
        first = several[0] if several else Place()
        known = {**self._words, "first": first, "count": len(several)}
        if isinstance(first, Entry):
            players = [each for each in several if isinstance(each, Entry)]
            known |= {"player": first.id, "who": players_named(players)}
        finding = self._notices.of(code, {**known, **words})
        place = first if isinstance(first, Place) else first.place
        self.extend([replace(finding, where=place)])
