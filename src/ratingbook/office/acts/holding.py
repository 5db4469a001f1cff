"""What the office said of a version as it came, as far as it is still so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ratingbook.model.sentences import sentence
from ratingbook.office.acts import states
from ratingbook.office.acts.amendments import pools_of_sections
from ratingbook.office.store import ledger
from ratingbook.office.store import models as m

NO_POOL = "office.no-pool-named"
STRANGERS = "office.pool-of-strangers"
"""Why the pool is asked for, though only one counts such events."""
_OTHER_POOL = "office.other-pool"
"""Of the section that is named."""
HOLDS = frozenset(
    {
        NO_POOL, STRANGERS, "office.no-day", _OTHER_POOL, "office.day-to-come",
        "office.day-long-ago", "office.is-published", "office.was-stopped",
        "office.in-pool-already",
    }
)  # fmt: skip
"""Findings that say why a version is held: they are true as long as it is."""


WITHOUT_POOL = sentence("no pool is named")
"""Why a section is held that has none."""


def reason_now(reason: str, pool: object) -> str:
    """Why a section is in its state, where it may have got a pool since then."""
    if reason == WITHOUT_POOL and pool:
        return sentence("it has a pool by now; an officer lets it in")
    return reason


def findings_now(version: m.ReportVersion) -> Sequence[Mapping[str, Any]]:
    """The findings of a version without those that keep it out no longer.

    Whoever looks at what is published would else read that an officer has to let it in.
    """
    found: Sequence[Mapping[str, Any]] = version.findings
    if not HOLDS & {each["code"] for each in found}:
        return found
    own = dict(m.Section.objects.filter(version=version).values_list("id", "pool"))
    held = [number for number, state in states.states(own).items() if state == states.HELD]
    over = HOLDS if not held else frozenset()
    if held and NO_POOL in {each["code"] for each in found}:
        moved = pools_of_sections(ledger.head().seq)
        if all(moved.get(number, own[number]) is not None for number in held):
            over = frozenset({NO_POOL, STRANGERS})
    names = dict(m.Section.objects.filter(id__in=held).values_list("id", "name"))
    kept = {None, *names.values()}
    return [
        each for each in found
        if each["code"] not in over
        and (each["code"] != _OTHER_POOL or each["where"].get("path") in kept)
    ]  # fmt: skip
