"""What the sender of a report is told of who plays in it, until it is published.

A name links by itself only with an equal birth year. So whoever saw who waits at the desk, and who
does not, could send the names of pages with one year after the other until it is the right one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from ratingbook.model import Findings
from ratingbook.office.acts import states
from ratingbook.office.acts.entering import Received
from ratingbook.office.acts.identify import known_by_number
from ratingbook.office.acts.people import Register
from ratingbook.office.acts.ready import taking_part
from ratingbook.office.intake import EntryRow
from ratingbook.office.logic.doubts import FOR_OFFICERS
from ratingbook.office.store import models as m


def settled_by_office(versions: Iterable[int]) -> dict[int, list[m.Entry]]:
    """By version who plays in it of whom no number says who that is.

    Whether the office knows it by now is told to officers alone.
    """
    every: dict[int, list[m.Entry]] = {}
    for each in taking_part().filter(version__in=list(versions)):
        every.setdefault(each.version_id, []).append(each)
    register, found = Register({}), {}
    for version, entries in every.items():
        rows = [EntryRow(each.number, each.name, each.printed, None, None) for each in entries]
        known = known_by_number(rows, register)
        if left := [each for each in entries if each.number not in known]:
            found[version] = left
    return found


def state_told(state: str, settled: Iterable[object]) -> str:
    """The state of a section of which the office settles who some players are."""
    return states.CHECKED if state == states.READY and any(settled) else state


def as_told_to_sender(one: Received) -> Received:
    """What becomes of a file, without what rests on what the office knows of persons."""
    findings = Findings(each for each in one.findings if each.code not in FOR_OFFICERS)
    told = replace(one, findings=findings)
    if one.id is None or one.version is None or one.state == states.PUBLISHED:
        return told
    version = m.ReportVersion.objects.get(report=one.id, number=one.version)
    players = taking_part().filter(version=version).count()
    settled = settled_by_office([version.id]).get(version.id, [])
    sections: Mapping[str, str] = {
        name: state_told(state, settled) for name, state in one.sections.items()
    }
    is_refused = set(one.sections.values()) == {states.REFUSED}
    return replace(
        told, state=state_told(one.state, settled), sections=sections,
        linked=players - len(settled), waiting=0 if is_refused else len(settled),
    )  # fmt: skip
