"""What a player's line says of the person: title and birth."""

from __future__ import annotations

from datetime import date
from functools import lru_cache
from typing import NamedTuple

from ratingbook.formats.tools.dates import days_of, only_day
from ratingbook.formats.tools.notes import Remark
from ratingbook.model import Severity
from ratingbook.model.patterns import pattern

TITLE = Remark(
    "trf.title",
    Severity.INFO,
    "Titles that FIDE does not give were left out",
    "Write GM, IM, FM, CM, WGM, WIM, WFM or WCM in columns 11 to 13, or nothing.",
)
SHORT_TITLE = Remark(
    "trf.title-short",
    Severity.INFO,
    "Titles are written with one or two letters, as in old versions; they were understood",
    "Write GM, IM, FM, CM, WGM, WIM, WFM or WCM.",
)
BIRTH_DATE = Remark(
    "trf.birth-date",
    Severity.INFO,
    "Birth dates that are no dates, or may be read in several ways, were left out, "
    "or no more than the year was taken",
    "Nothing to do, unless the edition asks for the age.",
)

TITLES = frozenset("GM IM FM CM WGM WIM WFM WCM".split())
_OLD_TITLES = {
    "G": "GM",
    "M": "IM",
    "F": "FM",
    "C": "CM",
    "WG": "WGM",
    "WM": "WIM",
    "WF": "WFM",
    "WC": "WCM",
}
"""The short titles of the versions before TRF16, written in small or capital letters."""
_YEAR_ONLY = pattern(r"([0-9]{4})(?:[./-](?:00?|  ?)?){0,2}")
_FULL_YEAR = pattern("[0-9]{4}")
_BLANK_DATE = pattern(r"[\s./0-]*")
_REMEMBERED = 4096
"""Of how many texts it is kept what they mean: the same players are in many events."""
YEARS = range(1850, 2100)
"""The years in which a player may be born; other numbers in the field are none."""


class Birth(NamedTuple):
    """When somebody was born: the day, or else the year, or else nothing."""

    day: date | None = None
    year: int | None = None
    clear: bool = True
    """False where the field says more, or something else."""


@lru_cache(_REMEMBERED)
def read_title(text: str) -> str | None:
    """FIDE's title, also where it is written in an older way; None where it is none.

    >>> read_title("g"), read_title("WFM"), read_title("Dr")
    ('GM', 'WFM', None)
    """
    text = text.strip().upper()
    return text if text in TITLES else _OLD_TITLES.get(text)


@lru_cache(_REMEMBERED)
def read_birth(text: str) -> Birth:
    """The day, if ``text`` can only mean one; the year, if nothing else is sure."""
    if _BLANK_DATE.fullmatch(text):
        return Birth()
    if match := _YEAR_ONLY.fullmatch(text.strip()):
        year = int(match[1])
        return Birth(year=year) if year in YEARS else Birth(clear=False)
    # Two digits do not tell whether somebody was born in 1925 or in 2025.
    days = set(days_of(text).values()) if _FULL_YEAR.search(text) else set()
    years = {day.year for day in days}
    if len(years) != 1 or not years.issubset(YEARS):
        return Birth(clear=False)
    day = only_day(text)
    return Birth(day=day) if day else Birth(year=years.pop(), clear=False)
