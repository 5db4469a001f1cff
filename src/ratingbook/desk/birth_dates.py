"""Birth dates never reach a page that others see, nor what betrays them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import FunctionType
from typing import TypeVar

from ratingbook.desk.written import number
from ratingbook.engine.explain import Step
from ratingbook.engine.rate import RatedRow
from ratingbook.model import Entry, Finding
from ratingbook.model.patterns import pattern
from ratingbook.model.sentences import Sentence
from ratingbook.rules.series import BookOrSeries, Series

_DATE = pattern(r"\d+[./-]\d+[./-]\d+|'[^']*\d[^']*'|\"[^\"]*\d[^\"]*\"")
"""A date, or what a finding quotes with a digit in it."""
_AGE = pattern(r"birth|born|age(_|$)|adult|junior|years_old")
"""How inputs of a rule begin that say how old somebody is."""
WITHOUT_REASONS = "{k} = {value}: why is known to the player and the office"
"""What is said of a K for which the age is looked at."""
AS_GROWN_UP = "{k} = {value}: as for somebody grown up, since no year of birth is given"
"""The same where nobody has said an age: it is asked what would be."""
AS_LISTED = "{k} = {value}: as the list has it"
"""The same where a list prints it: it says no more than that."""
_FROM_OPPONENT_TO_OPPONENT = 2
Player = TypeVar("Player", str, int)
_WORDS_OF_AGE = pattern(r"\b(born|birth\w*|juniors?|adults?|age|years? old)\b", re.IGNORECASE)


def who_betrays_a_birth_date(
    rows: Sequence[RatedRow], persons: Mapping[str, Entry]
) -> frozenset[str]:
    """Players whose explanation would betray a birth date, their own or that of somebody near."""
    by_age = {each.row.id for each in rows if _rests_on_birth_date(each, persons)}
    pairs = {
        (game.white, game.black)
        for each in rows for game in each.counted
        if game.black
    }  # fmt: skip
    return frozenset(reached_from(by_age, pairs))


def reached_from(by_age: Iterable[Player], met: Iterable[tuple[Player, Player]]) -> set[Player]:
    """Who could be told an age by a number as it is before it is rounded, who has it too.

    A rating that follows from the age, with all its digits, gives the day of birth.  The rules rate
    those whom the player met by it, and again by these whom they met: so far it is in the numbers.
    """
    against: dict[Player, set[Player]] = {}
    for one, other in met:
        against.setdefault(one, set()).add(other)
        against.setdefault(other, set()).add(one)
    found = set(by_age)
    for _ in range(_FROM_OPPONENT_TO_OPPONENT):
        found.update(*(against.get(each, ()) for each in tuple(found)))
    return found


def _rests_on_birth_date(rated: RatedRow, persons: Mapping[str, Entry]) -> bool:
    person = persons.get(rated.row.id)
    if person is None or person.birth_date is None:
        return False
    day = person.birth_date.isoformat()
    return any(day in step.inputs.values() for step in rated.explanation)


def step_without_birth_year(step: Step) -> Step:
    """A step whose rule asks for the year of birth does not say which."""
    # Asked of every step of a page, and true of a few.
    asked = [name for name in step.inputs if name.startswith("birth")]
    if not asked:
        return step
    years = {str(value) for name in asked if isinstance(value := step.inputs[name], int)}
    if not years:
        return step
    text = re.sub(r"\d+", lambda found: "…" if found[0] in years else found[0], step.text)
    return replace(step, text=text)


def is_of_birth_date(finding: Finding) -> bool:
    """Whether a finding is about a birth date."""
    return "birth" in f"{finding.code} {finding.where.path or ''} {finding.message}".casefold()


def finding_without_birth_date(finding: Finding) -> Finding:
    """A finding about a birth date does not quote it."""
    if not is_of_birth_date(finding):
        return finding
    return replace(
        finding,
        message=_without_dates(finding.message),
        remedy=_without_dates(finding.remedy),
    )


def _without_dates(text: str) -> str:
    def without(part: str) -> str:
        return _DATE.sub("…", part)

    return text.changed(without) if isinstance(text, Sentence) else without(text)


def speaks_of_age(step: Step) -> bool:
    """Whether the sentence of a step has words of age."""
    return bool(_WORDS_OF_AGE.search(step.text))


def public_steps(
    steps: Sequence[Step], name_of_k: str, without_reasons: str = WITHOUT_REASONS
) -> tuple[Step, ...] | None:
    """The steps as everybody may see them; None: a rating follows from the age.

    A K for which the age is looked at is told without its reasons, whatever they are: who reads
    reasons with some and none with others knows whose they were.
    """
    found = []
    for step in steps:
        if not (any(map(_AGE.match, step.inputs)) or speaks_of_age(step)):
            found.append(step)
        elif step.role == "coefficient" and isinstance(step.value, int | float):
            words = {"k": name_of_k, "value": number(step.value)}
            text = Sentence.of(without_reasons, words)
            found.append(replace(step, text=text, inputs={}))
        elif not isinstance(step.value, bool):
            return None
    return tuple(found)


def rates_by_age(book: BookOrSeries) -> bool:
    """Whether a rule of the edition, or of one of a series, makes a rating of an age."""
    editions = book.editions if isinstance(book, Series) else (book,)
    return any(
        rule.role is None and _is_of_age(rule.function)
        for edition in editions for rule in edition.rules
    )  # fmt: skip


def _is_of_age(rule: FunctionType) -> bool:
    hints = rule.__annotations__
    asks = any(_AGE.match(name) for name in hints if name != "return")
    return asks and hints.get("return") not in ("bool", bool)
