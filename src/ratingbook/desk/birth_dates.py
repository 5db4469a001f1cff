"""Birth dates never reach a page that is sent round, nor what betrays them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from ratingbook.engine.explain import Step
from ratingbook.engine.rate import RatedRow
from ratingbook.model import Entry, Finding

_DATE = re.compile(r"\d+[./-]\d+[./-]\d+|'[^']*\d[^']*'|\"[^\"]*\d[^\"]*\"")
"""A date, or what a finding quotes with a digit in it."""


def who_betrays_a_birth_date(
    rows: Sequence[RatedRow], persons: Mapping[str, Entry]
) -> frozenset[str]:
    """Players whose explanation would betray a birth date, their own or an opponent's.

    A rating that follows from the age, with all its digits, gives the day of birth; so
    do the numbers of whoever met that player.
    """
    by_age = {each.row.id for each in rows if _rests_on_birth_date(each, persons)}
    met = {
        player
        for each in rows
        if each.row.id in by_age
        for game in each.counted
        for player in (game.white, game.black)
        if player
    }
    return frozenset(by_age | met)


def _rests_on_birth_date(rated: RatedRow, persons: Mapping[str, Entry]) -> bool:
    person = persons.get(rated.row.id)
    if person is None or person.birth_date is None:
        return False
    day = person.birth_date.isoformat()
    return any(day in step.inputs.values() for step in rated.explanation)


def step_without_birth_year(step: Step) -> Step:
    """A step whose rule asks for the year of birth does not say which."""
    years = {
        str(value)
        for name, value in step.inputs.items()
        if name.startswith("birth") and isinstance(value, int)
    }
    text = re.sub(r"\d+", lambda found: "…" if found[0] in years else found[0], step.text)
    return replace(step, text=text) if years else step


def finding_without_birth_date(finding: Finding) -> Finding:
    """A finding about a birth date does not quote it."""
    if "birth" not in f"{finding.code} {finding.where.path or ''} {finding.message}".casefold():
        return finding
    return replace(
        finding,
        message=_DATE.sub("…", finding.message),
        remedy=_DATE.sub("…", finding.remedy),
    )
