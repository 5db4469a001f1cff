"""What a report says that the rules of its pool use, and the office does not rate by: it is told.

An office rates by what it knows of persons itself.  Who sends more than that would else wait for
numbers that never come.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from django.db.models import Q

from ratingbook.model import Finding, Place, Report, Severity
from ratingbook.model.findings import PLACES
from ratingbook.model.sentences import Sentence, sentence
from ratingbook.office.acts.known import known_in
from ratingbook.office.acts.people import merges
from ratingbook.office.acts.setup import rules_of
from ratingbook.office.engine.rules import asks_for_births, decision_kinds, reads_years
from ratingbook.office.engine.said import Said, Use, used_of
from ratingbook.office.intake import EntryRow, Understood
from ratingbook.office.store import models as m
from ratingbook.rules.wording import either

_DECIDE_OPENING = sentence(
    "Bring in with what players come into the pool: `ratingbook office import FILE --register NAME "
    "--pool POOL`, or `ratingbook office decide PERSON opening RATING --pool POOL --reason TEXT`."
)


def unused(
    one: Understood, pools: Sequence[m.Pool | None], people: Mapping[str, int],
    report: int | None = None,
) -> Iterator[Finding]:  # fmt: skip
    """One finding for each kind of such facts of a file, by the pools of its sections.

    ``people`` are those who entries are known to be; ``report`` is the one of which it is a
    version, if any.
    """
    if any(each.severity.refuses for each in one.findings):
        return
    for pool in {each.id: each for each in pools if each is not None}.values():
        sections = [at for at, each in enumerate(pools) if each is not None and each.id == pool.id]
        part = _Part(one, pool, sections, people, report)
        for use in part.uses():
            yield _finding(use, pool)


class _Part:
    """The sections of a file that are of one pool."""

    def __init__(
        self, one: Understood, pool: m.Pool, sections: Collection[int],
        people: Mapping[str, int], report: int | None,
    ) -> None:  # fmt: skip
        self._one, self._pool, self._people, self._report = one, pool, people, report
        self._rules = rules_of(pool)
        self._book = self._rules.book()
        self._sections = sections
        self._is_whole = len(sections) == len(one.sections)
        played = one.played
        self._played = {number for at in sections for number in played[at]}
        self._known: set[str] | None = None

    def uses(self) -> Iterator[Use]:
        """What is said, and the rules use."""
        beyond = self._beyond()
        found = [] if beyond is None else used_of(beyond, self._book, lambda e: self._knows(e.id))
        by_kind = {each.kind: each for each in found}
        rows = [each for each in self._one.entries if each.number in self._played]
        own = by_kind.pop(Said.STANDING, None)
        brought = {
            each.number: None for each in rows
            if each.printed.get("rating") is not None or (own and each.number in own.players)
        }  # fmt: skip
        if brought and (unknown := [each for each in brought if not self._knows(each)]):
            yield _of_players(Said.STANDING, unknown)
        if births := self._births(rows):
            yield _of_players(Said.BIRTH, births)
        for kind in (Said.HISTORY, Said.LEVELS):
            if kind in by_kind:
                yield by_kind[kind]
        yield from self._later(by_kind.get(Said.FOREIGN))
        yield from self._decided(by_kind.get(Said.DECISIONS))

    def _later(self, foreign: Use | None) -> Iterator[Use]:
        """Of whom a report of before said something, that holds."""
        met = [each for each in foreign.players if self._knows(each)] if foreign else []
        if foreign is not None and met:
            places = tuple(Place(player=each) for each in met[:PLACES])
            yield replace(foreign, count=len(met), places=places, players=tuple(met))

    def _decided(self, use: Use | None) -> Iterator[Use]:
        """Decisions of days: what settles how a player comes in is rated by."""
        dated = decision_kinds(self._rules)
        names = tuple(each for each in use.names if each in dated) if use else ()
        if use is not None and names:
            yield replace(use, names=names)

    def _beyond(self) -> Report | None:
        beyond = self._one.beyond
        if beyond is None or self._is_whole:
            return beyond
        own = {(each.name, each.event) for at in self._sections
               for each in [self._one.sections[at]]}  # fmt: skip
        return replace(
            beyond,
            entries=tuple(each for each in beyond.entries if each.id in self._played),
            games=tuple(g for g in beyond.games if (g.section or "", g.event) in own),
        )

    def _knows(self, entry: str) -> bool:
        """Whether the pool has a rating of who that is, or games of which one comes."""
        if self._known is None:
            self._known = self._look_up()
        return entry in self._known

    def _look_up(self) -> set[str]:
        if not self._people:
            return set()
        merged = merges()
        who = {entry: merged.get(person, person) for entry, person in self._people.items()}
        known = known_in(self._pool, set(who.values()), self._report)
        return {entry for entry, person in who.items() if person in known}

    def _births(self, rows: Sequence[EntryRow]) -> list[str]:
        """Those of whose births the office will know nothing to rate by, though the report does."""
        days = self._one.days
        said = [each for each in rows if each.birth_date or each.birth_year]
        if not said or days is None or not asks_for_births(self._rules, days[1]):
            return []
        linked = {self._people[e.number] for e in said if e.number in self._people}
        merged = merges() if linked else {}
        by_year = reads_years(self._rules)
        enough = Q(birth_date__isnull=False)
        if by_year:
            enough |= Q(birth_year__isnull=False)
        # Runs take the birth of whoever is one with somebody.
        asked = {merged.get(each, each) for each in linked}
        every = asked | {source for source, target in merged.items() if target in asked}
        known = m.PersonPrivate.objects.filter(enough, person__in=every)
        has = {
            merged.get(each, each) for each in known.values_list("person", flat=True)
        } if linked else set()  # fmt: skip
        # Whoever is made new from the entry has the birth that it says.
        return [
            each.number for each in said
            if (
                merged.get(self._people[each.number], self._people[each.number]) not in has
                if each.number in self._people
                else each.birth_date is None and not by_year
            )
        ]  # fmt: skip


def _of_players(kind: Said, numbers: Sequence[str]) -> Use:
    return Use(
        kind, len(numbers), tuple(Place(player=each) for each in numbers[:PLACES]),
        players=tuple(numbers),
    )  # fmt: skip


def _finding(use: Use, pool: m.Pool) -> Finding:
    says, remedy = _WORDS[use.kind]
    place = use.places[0] if use.places else Place()
    return Finding(
        f"office.unused-{use.kind}", Severity.WARNING,
        says(use.count, pool=pool.name, names=", ".join(use.names)), place, remedy,
        count=use.count, places=use.places if use.count > 1 else (),
    )  # fmt: skip


_Says = Callable[..., Sentence]
_WORDS: Mapping[Said, tuple[_Says, str]] = {
    Said.STANDING: (
        lambda count, **words: either(
            count,
            "The report brings a rating of {count} player of whom the pool {pool} has none: "
            "it is not used, the player comes in without one.",
            "The report brings ratings of {count} players of whom the pool {pool} has none: "
            "they are not used, the players come in without one.",
            **words,
        ),
        _DECIDE_OPENING,
    ),
    Said.FOREIGN: (
        lambda count, **words: either(
            count,
            "The report says a rating elsewhere ({names}) of {count} player who is in the "
            "pool {pool}: what an earlier report said of it holds, if one did.",
            "The report says ratings elsewhere ({names}) of {count} players who are in the "
            "pool {pool}: what earlier reports said of them holds, if they did.",
            **words,
        ),
        sentence(
            "If it is another one by now, have the games name it (“white_rating”, “black_rating”)."
        ),
    ),
    Said.HISTORY: (
        lambda count, **words: either(
            count,
            "Earlier games that the report brings along for {count} player (“history”) are "
            "not used in the pool {pool}.",
            "Earlier games that the report brings along for {count} players (“history”) are "
            "not used in the pool {pool}.",
            **words,
        ),
        sentence(
            "Receive the reports of these games; or bring in the standings after them: "
            "`ratingbook office import FILE --register NAME --pool POOL`."
        ),
    ),
    Said.BIRTH: (
        lambda count, **words: either(
            count,
            "The rules of the pool {pool} ask when players are born; of {count} player the "
            "office has no birth date, though the report says something of it: that is not "
            "used.",
            "The rules of the pool {pool} ask when players are born; of {count} players the "
            "office has no birth dates, though the report says something of them: that is "
            "not used.",
            **words,
        ),
        sentence("Say it: `ratingbook office person edit PERSON --born YYYY-MM-DD --reason TEXT`."),
    ),
    Said.DECISIONS: (
        lambda count, **words: either(
            count,
            "The report has decisions on {count} player ({names}): in the pool {pool} they "
            "are not used, since the office decides itself.",
            "The report has decisions on {count} players ({names}): in the pool {pool} they "
            "are not used, since the office decides itself.",
            **words,
        ),
        sentence(
            "Decide it: `ratingbook office decide PERSON KIND VALUE --pool POOL --from DATE "
            "--reason TEXT`."
        ),
    ),
    Said.LEVELS: (
        lambda count, **words: either(
            count,
            "What the report says of {count} of its events by itself ({names}) is not used "
            "in the pool {pool}: it is rated by what is said of all.",
            "What the report says of {count} of its events by themselves ({names}) is not "
            "used in the pool {pool}: they are rated by what is said of all.",
            **words,
        ),
        sentence("Send each of these events as a report of its own."),
    ),
}
"""What is said of each kind, and what to do."""
