"""Corrections of which the public is told no more than that they are there.

A request may be about an event that nobody has published, or about somebody of whom nothing is
published. For all but the office and who asked it has a number, a state and days, and no words,
reasons or numbers, until what it is about is published.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from django.db.models import Exists, F, OuterRef, Q

from ratingbook.desk.language import ENGLISH, Language
from ratingbook.office.acts.amendments import games_keyed
from ratingbook.office.acts.asking import event_named
from ratingbook.office.acts.masking import mask_for_public, saying, undone_named
from ratingbook.office.acts.public import never_public
from ratingbook.office.acts.states import let_out
from ratingbook.office.logic.corrections import UNTOLD, Content, persons_in
from ratingbook.office.store import models as m

_Every = Mapping[int, Sequence[Content]]
"""What corrections ask for, by their numbers."""


def saying_to_all(
    every: _Every, untold: Collection[int], language: Language = ENGLISH
) -> Callable[[int], list[str]]:
    """What tells everybody what each of these corrections asks for, by its number."""
    told = {number: some for number, some in every.items() if number not in untold}
    say = saying(told.values(), mask_for_public() if told else None, language)
    return lambda number: say(told[number]) if number in told else [language.gettext(UNTOLD)]


def untold_of(every: _Every) -> frozenset[int]:
    """Those of some corrections that are about what is not published yet."""
    named = _with_taken_back(every)
    is_unpublished = _Unpublished([each for some in named.values() for each in some]).has

    def is_untold(number: int) -> bool:
        return any(
            is_unpublished(each) or ("correction" in each and is_untold(each["correction"]))
            for each in named[number]
        )

    return frozenset(filter(is_untold, every))


def _with_taken_back(every: _Every) -> dict[int, Sequence[Content]]:
    """What they ask for, and all that they take back, which may itself have taken back others."""
    new = _named(every)
    found = dict(new)
    while wanted := _corrections_in(new) - found.keys():
        some = m.Correction.objects.filter(id__in=wanted).values_list("id", "contents")
        new = _named(dict(some))
        found |= new
    return found


def _named(every: _Every) -> dict[int, Sequence[Content]]:
    """What they ask for; what no longer holds by its name."""
    named = iter(undone_named([each for some in every.values() for each in some]))
    return {number: list(islice(named, len(some))) for number, some in every.items()}


def _corrections_in(named: _Every) -> set[int]:
    return {x["correction"] for some in named.values() for x in some if "correction" in x}


class _Unpublished:
    """Which contents name a person or an event that never was published."""

    def __init__(self, every: Iterable[Content]) -> None:
        contents = list(every)
        people = {who for each in contents for who in persons_in(each)}
        self._people = never_public(people) if people else set()
        self._sections, whole = _sections(contents)
        # Of these reports everything was published, in whichever version.
        rest = [each for each in contents if each.get("report") not in whole]
        self._games = _games(rest)
        self._entries = _entries(rest)
        self._whole = whole

    def has(self, content: Content) -> bool:
        """Whether one of them does."""
        if not self._people.isdisjoint(persons_in(content)):
            return True
        if content.get("report") in self._whole:
            return False
        if content["kind"] == "game":
            return content["key"] not in self._games
        if content["kind"] == "player":
            return content["entry_id"] not in self._entries
        return not self._sections.issuperset(content.get("sections", ()))


def _sections(contents: Iterable[Content]) -> tuple[set[int], set[int]]:
    """The sections that were published, or are of an event that was by the same name.

    And the reports of which all sections were.
    """
    some = list(contents)
    wanted = {number for each in some for number in each.get("sections", ())}
    reports = {each["report"] for each in some if "report" in each}
    if not wanted and not reports:
        return set(), set()
    of = m.Section.objects.filter(id__in=wanted).values("version__report")
    every: Any = m.Section.objects.filter(
        Q(version__report__in=reports) | Q(version__report__in=of)
    ).annotate(
        report=F("version__report"), out=Exists(let_out().filter(section=OuterRef("id")))
    )  # fmt: skip
    rows = list(every)
    named = _let_out_in((each.id, (each.report, event_named(each)), each.out) for each in rows)
    return named, {each.report for each in rows} - {each.report for each in rows if not each.out}


def _games(contents: Iterable[Content]) -> set[str]:
    """The keys of those games that were published, in any version of their reports."""
    of_games = [each for each in contents if each["kind"] == "game"]
    keys = frozenset(each["key"] for each in of_games)
    if not keys:
        return set()
    out = Exists(let_out().filter(section=OuterRef("section")))
    return set(games_keyed(keys, of_games).filter(out).values_list("stable_key", flat=True))


def _entries(contents: Iterable[Content]) -> set[int]:
    """The entries that were published, or stood by the same name in another version that was."""
    wanted = {each["entry_id"] for each in contents if each["kind"] == "player"}
    if not wanted:
        return set()
    own = m.Entry.objects.filter(id__in=wanted)
    of_version = m.Section.objects.filter(version=OuterRef("version"))
    out = Exists(of_version.filter(Exists(let_out().filter(section=OuterRef("id")))))
    some: Any = m.Entry.objects.filter(
        version__report__in=own.values("version__report"), name__in=own.values("name")
    )
    rows = some.annotate(out=out).values_list("id", "version__report", "name", "out")
    return _let_out_in((number, (report, name), is_out) for number, report, name, is_out in rows)


def _let_out_in(rows: Iterable[tuple[int, tuple[int, str], bool]]) -> set[int]:
    """The numbers of what was let out, and of what goes by the same name in the same report."""
    every = list(rows)
    out = {named for _, named, is_out in every if is_out}
    return {number for number, named, _ in every if named in out}
