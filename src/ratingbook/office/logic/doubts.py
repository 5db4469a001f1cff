"""What is odd about an entry beside the person that it is linked to: warnings, never refusals.

They are for officers, since they rest on what the office knows of that person.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ratingbook.model.sentences import sentence
from ratingbook.office.logic.matching import Described

RATING_GAP = 400.0
"""Points between what an entry prints and the list in force, from which it is told."""
YOUNGEST, OLDEST = 4, 105
"""Years of age between which people play."""
OF_LINKS = frozenset(
    f"office.{each}" for each in ("unused-standing", "unused-foreign", "unused-history")
)
"""Codes of findings that rest on who is linked: births decide that."""
FOR_OFFICERS = OF_LINKS | frozenset(
    f"office.{each}"
    for each in (
        "rating-gap",
        "birth-year",
        "sex",
        "age",
        "entry-class",
        "transposed-digits",
        "two-events",
        "anomaly",
        "unused-birth",
    )
)
"""Codes of findings that rest on what the office knows of persons: no sender is told of them.

Not even that there are any: whoever chose the days and numbers of a report would learn from it
when somebody was born, and which events are at the desk.
"""
_UNDER = re.compile(r"\b(?:u|under)[\s-]?(\d{3,4})\b", re.IGNORECASE)
_DAMM = (
    "0317598642", "7092154863", "4206871359", "1750983426", "6123045978",
    "3674209581", "5869720134", "8945362017", "9438617205", "2581436790",
)  # fmt: skip
"""The table of Damm's check digit: each row is for the digit so far."""


def _luhn(digits: list[int]) -> bool:
    """Every second digit from the right counts twice, as the sum of its digits."""
    doubled = (d if at % 2 == 0 else sum(divmod(2 * d, 10)) for at, d in enumerate(digits[::-1]))
    return sum(doubled) % 10 == 0


def _mod11(digits: list[int]) -> bool:
    """Each digit times its place from the right; the sum is a multiple of 11."""
    return sum(place * d for place, d in enumerate(digits[::-1], 1)) % 11 == 0


def _mod97(digits: list[int]) -> bool:
    """The whole number leaves 1 when divided by 97 (ISO 7064)."""
    return int("".join(map(str, digits))) % 97 == 1


def _damm(digits: list[int]) -> bool:
    state = 0
    for digit in digits:
        state = int(_DAMM[state][digit])
    return state == 0


CHECKS = {"luhn": _luhn, "mod11": _mod11, "mod97": _mod97, "damm": _damm}
"""Kinds of check digits by name; which register has which is a policy of the office."""


def fits(number: str, kind: str) -> bool:
    """Whether the check digit of a number fits."""
    digits = [int(each) for each in number if each.isascii() and each.isdigit()]
    return len(digits) == len(number) > 1 and CHECKS[kind](digits)


def slips(number: str) -> Iterator[str]:
    """The numbers that differ by two neighbouring digits in each other's place."""
    for at in range(len(number) - 1):
        if number[at] != number[at + 1]:
            yield number[:at] + number[at + 1] + number[at] + number[at + 2 :]


def doubts(
    entry: Described, known: Described, year: int | None, sections: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """Codes and words of what does not go together; ``sections`` are those that were played."""
    if entry.rating is not None and known.rating is not None:
        gap = abs(entry.rating - known.rating)
        if gap > RATING_GAP:
            yield (
                "office.rating-gap",
                sentence(
                    "the report prints {printed:.10g}, the list in force has {known:.10g}",
                    printed=entry.rating,
                    known=known.rating,
                ),
            )
    if entry.birth_year and known.birth_year and entry.birth_year != known.birth_year:
        yield (
            "office.birth-year",
            sentence("the report prints another birth year than the office knows"),
        )
    if entry.sex and known.sex and entry.sex != known.sex:
        yield (
            "office.sex",
            sentence(
                "the report prints {printed}, the office knows {known}",
                printed=entry.sex,
                known=known.sex,
            ),
        )
    born = entry.birth_year or known.birth_year
    if born and year and not YOUNGEST <= year - born <= OLDEST:
        yield "office.age", sentence("nobody plays at the age of {age}", age=year - born)
    for section in sections:
        limit = _UNDER.search(section)
        if limit and known.rating is not None and known.rating >= float(limit.group(1)):
            yield (
                "office.entry-class",
                sentence(
                    "plays in “{section}”, and the list in force has {known:.10g}",
                    section=section,
                    known=known.rating,
                ),
            )
