"""Words that the findings of several rule books share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ratingbook.model import Entry, Event, Finding, Findings, Game, Place, Severity
from ratingbook.model.findings import PLACES
from ratingbook.model.sentences import Sentence, made_of, number_of, row_of, sentence
from ratingbook.rules.text import blocks

KINDS = ("swiss", "round_robin", "team", "knockout", "scheveningen", "match")
"""The kinds of event that files say, in the words of reports."""


def kind_of(event: Event) -> str:
    """The kind of an event, whatever its letters; empty: none is said."""
    return (event.kind or "").strip().casefold()


def counted(count: int, one: str, many: str = "") -> Sentence:
    """So many of something: ``1 game``, ``1,200 games``; ``many`` where it takes more than an s."""
    what = one if count == 1 else many or one + "s"
    return Sentence.of(f"{{count}} {what}", {"count": _thousands(count)})


def either(count: int, one: str, many: str, /, **words: object) -> Sentence:
    """A sentence about ``{count}`` things, which is another one where there is one of them."""
    return made_of(one if count == 1 else many, {"count": _thousands(count), **words})


def _thousands(count: int) -> str:
    text = f"{count:,}"
    return number_of(text) if "," in text else text


def label(id_: str, name: str) -> str:
    """A player by id and name; where names make persons, they are the same, and said once."""
    return id_ if id_ == name else f"{id_} {name}".strip()


def called(entry: Entry) -> str:
    """A player as findings call one: a number of an event alone tells nobody who it is."""
    return label(entry.id, entry.name)


def players_named(entries: Iterable[Entry]) -> Sentence:
    """The first players of a list, and how many there are."""
    several = list(entries)
    if len(several) == 1:
        return sentence("Player {who}", who=called(several[0]))
    said = [called(entry) for entry in several[:5]]
    # Names hold commas.
    between = "; " if any(entry.name for entry in several[:5]) else ", "
    who = row_of([*said, "…"] if len(several) > 5 else said, between)
    return sentence("{count} players ({who})", count=len(several), who=who)


class Notices:
    """What a federation's checks notice, written as one reads it.

    A code, two spaces and how severe it is; then, indented, the message, and after ``Remedy:`` what
    to do about it.  Words in braces are filled in, in the severity too.  ``warning first`` goes
    before all others, ``warning assumed`` is of what the file does not say and was taken.  Of one
    code there can be several: ``x.pool/none`` is told as ``x.pool``.
    """

    def __init__(self, text: str) -> None:
        self._known = {name: (how, said) for name, how, said in blocks(text, ("Remedy",))}

    @property
    def texts(self) -> Iterator[tuple[str, bool]]:
        """All messages and remedies, as patterns, and whether their finding refuses a report."""
        for how, said in self._known.values():
            refuses = how.split()[0] in ("fatal", "error")
            yield from ((text, refuses) for text in said.values() if text)

    def of(self, name: str, words: Mapping[str, object]) -> Finding:
        """A finding with these words, which has no place yet."""
        how, said = self._known[name]
        severity, *marks = how.format(**words).split()
        message, remedy = (made_of(said.get(part, ""), words) for part in ("", "Remedy"))
        code = name.partition("/")[0]
        # What refuses a report is more than something assumed, and a note is less.
        assumed = "assumed" in marks and severity == Severity.WARNING
        return Finding(
            code, Severity(severity), message, remedy=remedy, first="first" in marks,
            assumed=assumed,
        )  # fmt: skip


class Notes(Findings):
    """The findings of a batch under a federation's ``notices``."""

    def __init__(self, notices: Notices, batch: Any, p: Any, **words: Any) -> None:
        super().__init__()
        self._notices, self._words = notices, {"batch": batch, "p": p, **words}

    def place_of(self, about: Entry | Game | Place | None) -> Place:
        """Where a finding about this stands: in the section, if that is rated by itself."""
        place = about.place if isinstance(about, Entry | Game) else about or Place()
        section = self._words["batch"].section
        return place if section is None else replace(place, section=section)

    def tell(
        self,
        code: str,
        about: Entry | Game | Place | Sequence[Entry] | Sequence[Game] | None = None,
        /,
        **words: object,
    ) -> None:
        """Add a finding about a player, a game or several of them, of which the first is the place.

        Where there are none, nothing is told.

        Words that are always known: ``p``, ``batch``, the ``first`` and the ``count`` of what it
        is about, the ``player`` by id and name, and ``who`` names several of them.
        """
        several = [*about] if isinstance(about, Sequence) else [] if about is None else [about]
        if not several and about is not None:
            return
        first = several[0] if several else None
        known = {**self._words, "first": first, "count": len(several)}
        if isinstance(first, Entry):
            players = [each for each in several if isinstance(each, Entry)]
            known |= {"player": called(first), "who": players_named(players)}
        finding = self._notices.of(code, {**known, **words})
        places = [self.place_of(each) for each in several[:PLACES]] if len(several) > 1 else []
        finding = replace(finding, count=max(len(several), 1), places=tuple(places))
        self.extend([replace(finding, where=self.place_of(first))])
