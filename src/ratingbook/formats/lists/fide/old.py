"""FIDE's lists of 2001 to 2004: the header does not stand over its columns, or there is none.

So nothing is read by columns: a line is a number, a name, perhaps a title, a federation, a
rating, games, and what is given of birthday, sex and flags.
"""

from __future__ import annotations

import re

from ratingbook.formats.lists.fide import common
from ratingbook.formats.lists.fide.common import BadCell, FidePlayer, Rated, Remarked
from ratingbook.model.patterns import pattern

_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}([0-9]{2,4})"
_HEADER = pattern(
    rf"\s*(?:ID_?NUMBER|CODE)\s+NAME\s+TITLE\s+COUNTRY\s+{_MONTH}\s+GAMES"
    r"(?:\s+BIRTHDAY)?(?:\s+SEX)?\s+FLAG\s*",
    re.IGNORECASE,
)
_ROW = pattern(
    r"\s*(?P<id>[1-9][0-9]{3,9})\s+(?P<name>\S.*?)(?:\s{2,}(?P<title>w?[gmfch]))?"
    r"\s+(?P<federation>[A-Z]{3})\s+(?P<rating>[0-9]{3,4})\s+(?P<games>[0-9]{1,3})"
    r"(?:\s+(?P<born>[0-9][0-9. ]{5,9}|\.\s*\.|[0-9]{4}))?"
    r"(?:\s+(?P<sex>[MF]))?(?:\s*(?<=[\s.])(?P<flag>[A-Za-z]{1,4}))?\s*"
)
_TITLES = {"g": "GM", "m": "IM", "f": "FM", "c": "CM", "h": "HM"}
_LONGEST = 200


def is_old_header(line: str) -> bool:
    """Whether this is the header of such a list."""
    return len(line) <= _LONGEST and _HEADER.fullmatch(line.rstrip()) is not None


def is_old_row(line: str) -> bool:
    """Whether this is a player's line of such a list."""
    return len(line) <= _LONGEST and _ROW.fullmatch(line) is not None


class OldReader:
    """Reads the lines of such a list; ``header`` is empty where it has none."""

    def __init__(self, header: str, remarked: Remarked) -> None:
        match = _HEADER.fullmatch(header.rstrip())
        year = int(match[1]) if match else 4
        self._year = year if year > 100 else 2000 + year
        self._remarked = remarked

    def player(self, line: str) -> FidePlayer | None:
        """The player of a line; None where it cannot be told apart."""
        match = _ROW.fullmatch(line) if len(line) <= _LONGEST else None
        if match is None:
            return None
        rating = int(match["rating"]) or None
        if rating is not None and not common.is_rating(rating):
            return None
        try:
            born = common.born(match["born"] or "", self._year)
            flag = common.flags(match["flag"] or "", self._remarked)
        except BadCell:
            return None
        title = (match["title"] or "").lower()
        name = common.name_of(match["name"])
        full = _TITLES.get(title.removeprefix("w"), "")
        women = title.startswith("w")
        return FidePlayer(
            id=match["id"],
            name=name,
            federation=match["federation"],
            sex=match["sex"] or "",
            title="" if women or not full else full,
            women_title=f"W{full[-2:]}" if women and full else "",
            standard=Rated(rating, int(match["games"])),
            birth_year=born,
            flag=flag,
        )
