"""What an officer can ask to be corrected, and what a form has to say for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from ratingbook.office.acts import states
from ratingbook.office.acts.asking import keys_of_standing
from ratingbook.office.acts.decisions import dated_kinds_of
from ratingbook.office.acts.masking import as_reported, mask
from ratingbook.office.acts.people import names_of
from ratingbook.office.store import models as m
from ratingbook.office.store.models import Pool

_EVENTS = 200
"""Sections of the newest reports that are offered where an event is named."""


@dataclass(frozen=True)
class Kind:
    """A kind of correction; a game is corrected from its report, where it is seen."""

    title: str | Promise
    says: str | Promise
    fields: frozenset[str]
    """The fields of its form."""

    @property
    def is_of_a_pool(self) -> bool:
        """Whether the pool has to be chosen before the fields are known."""
        return "pool" in self.fields


def _kind(title: str | Promise, says: str | Promise, fields: str) -> Kind:
    return Kind(title, says, frozenset(fields.split()))


KINDS: Mapping[str, Kind] = {
    "late": _kind(
        _("Let an event in"),
        _("An event that was held, refused or withdrawn, or a new version of a published one, is "
          "rated in its own place, also after lists were published."),
        "report section",
    ),
    "withdraw": _kind(
        _("Take an event out"), _("Nothing of it is rated any more."), "report section"
    ),
    "move": _kind(
        _("Another last day of an event"),
        _("The event ended on another day, and its other days move along: it may belong to another "
          "list, and the first day may choose the ratings that it is rated by."),
        "report section day",
    ),
    "pool": _kind(
        _("Another pool of an event"), _("The event is rated on another list."),
        "report section into",
    ),
    "player": _kind(
        _("Another player of an event"), _("An entry of a report is somebody else."),
        "report entry person",
    ),
    "merge": _kind(
        _("Two persons are one"), _("The results of the first become those of the second."),
        "person other",
    ),
    "decision": _kind(
        _("A dated decision"),
        _("A level, a floor, a reset or what else the rules let an office decide, from a day on "
          "that may be published already."),
        "pool person kind value since",
    ),
    "opening": _kind(
        _("With what somebody came in"),
        _("Rating, games and what else holds before all games of the pool."),
        "pool person standing",
    ),
    "openings": _kind(
        _("With what all of a file came in"),
        _("A players file with the standings of before, by the numbers of a register."),
        "pool register file",
    ),
    "undo": _kind(
        _("A fact no longer holds"),
        _("A merge, a decision, or what a correction said; the audit has the numbers of facts."),
        "fact",
    ),
    "take_back": _kind(
        _("An accepted correction no longer holds"),
        _("All is as it was before it, with what came since then."), "correction",
    ),
    "parameters": _kind(
        _("The settings of the rules"),
        _("All that is published of the pool is rated again as if it had always been set so."),
        "pool parameters assume",
    ),
    "rules": _kind(
        _("The program of the rules was mended"),
        _("All that is published of the pool is rated again by the program as it is now."), "pool",
    ),
}  # fmt: skip
"""In the order in which they are offered; named as contents are, or what makes these."""


@dataclass(frozen=True)
class Played:
    """Who took part in an event: as its report has it, and who that is to the office."""

    entry: int
    """By which forms name it: its number is a name where a file has none."""
    number: str
    name: str
    person: int
    called: str


def players_of(report: int) -> list[Played]:
    """Those of the version that counts of whom it is known who they are, by name."""
    version = states.that_counts(report)
    if version is None:
        return []
    links = m.Link.objects.filter(entry__version=version, revoked_by__isnull=True)
    found = list(links.select_related("entry__version"))
    masked, names = mask(), names_of({each.person_id for each in found})
    players = []
    for each in found:
        entry, person = each.entry, each.person_id
        number, name = (as_reported(entry, text, masked) for text in (entry.number, entry.name))
        players.append(Played(entry.id, number, name, person, names.get(person, "")))
    return sorted(players, key=lambda each: (each.name.casefold(), each.entry))


@dataclass(frozen=True)
class Offered:
    """An event as it is offered where a report is named: several may have one name."""

    name: str
    day: date | None
    """Its last one, as the report has it."""
    pool: str
    """As it was received; empty where nobody has said which."""


def events_known(pools: Iterable[Pool]) -> dict[int, Offered]:
    """The newest events, by the numbers of their reports."""
    rows = m.Section.objects.order_by("-version__report", "-version__number", "id").values_list(
        "version__report", "facts__name", "end", "pool"
    )
    masked, found = mask(), dict[int, Offered]()
    called = {each.id: each.name for each in pools}
    for report, name, end, pool in rows[:_EVENTS]:
        found.setdefault(report, Offered(masked(str(name or "")), end, called.get(pool or 0, "")))
    return found


def decided_in(pool: Pool) -> list[str]:
    """What can be decided of somebody from a day on."""
    return dated_kinds_of(pool)


def said_of_openings(pool: Pool) -> str:
    """What can be said of with what somebody comes in, as it is typed in."""
    return ", ".join(keys_of_standing(pool))
