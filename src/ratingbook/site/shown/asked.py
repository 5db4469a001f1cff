"""What an officer can ask to be corrected, and what a form has to say for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from ratingbook.office.acts.asking import keys_of_standing
from ratingbook.office.acts.decisions import dated_kinds_of
from ratingbook.office.store.models import Pool


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
        _("The event ended on another day, and may belong to another list."), "report section day",
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


def decided_in(pool: Pool) -> list[str]:
    """What can be decided of somebody from a day on."""
    return dated_kinds_of(pool)


def said_of_openings(pool: Pool) -> str:
    """What can be said of with what somebody comes in, as it is typed in."""
    return ", ".join(keys_of_standing(pool))
