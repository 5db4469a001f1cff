"""What FIDE's list says of a player, the same in TXT and XML."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, NamedTuple

from ratingbook.formats.fide.trf.person import read_title
from ratingbook.formats.lists.players import STANDARD, Listed
from ratingbook.formats.tools.characters import one_line
from ratingbook.formats.tools.notes import CountedNotes, Remark
from ratingbook.model import Entry, Severity, Standing
from ratingbook.model.patterns import pattern

POOLS: Final = (STANDARD, "rapid", "blitz")
"""In the order of the list."""
TOP_K = 10
"""The K of who has been rated 2400 or more."""

ROW = Remark(
    "fide-list.row",
    Severity.WARNING,
    "Players whose data cannot be told apart were left out",
    "Compare these lines with the list on FIDE's site; download the list again.",
)
FLAG = Remark(
    "fide-list.flag",
    Severity.INFO,
    "Flags that are not known were left out",
    "Nothing to do: i and w are read, and no other matters for ratings.",
    shown=20,
)
POOL = Remark(
    "fide-list.pool",
    Severity.WARNING,
    "The list does not say whether its ratings are standard, rapid or blitz; "
    "they were taken as standard",
    'Name the file as FIDE does, with "standard", "rapid" or "blitz" in its name, or use the '
    "combined list.",
)

_NUMBER = pattern("[0-9]{1,4}")
_YEAR = pattern("(18|19|20|21)[0-9]{2}")
_NO_YEAR = frozenset(("", "0", "0000"))
_FEDERATION = pattern("[A-Z]{3}|[A-Z]{0}")
_LONGEST_ID = 14
_SEXES = {"": "", "M": "M", "F": "F", "m": "M", "f": "F", "w": "F", "W": "F"}
_SEX_OF = {"F": "w", "M": "m"}
"""As the model has it."""
_FLAG = pattern("[a-z]{0,4}")
_DAY = pattern(
    r"(?P<d>[0-9]{1,2})[./-](?P<m>[0-9]{1,2})[./-](?P<year>(?:18|19|20|21)[0-9]{2}|[0-9]{2})"
    r"|(?P<iso>(?:18|19|20|21)[0-9]{2})[./-][0-9]{1,2}[./-][0-9]{1,2}"
)
_NO_DAY = pattern(r"[ .0/-]*")
_YOUNGEST = 5
"""Years before the list in which nobody of it was born."""
_TITLE = pattern("[A-Za-z]{0,4}")
_TITLES = pattern("[A-Za-z, ]{0,100}")
_MIN_RATING, _MAX_RATING = 100, 4000


class Rated(NamedTuple):
    """A player's place in one pool; what is not known is None."""

    rating: int | None = None
    games: int | None = None
    """Rated games in the period of the list."""
    k: int | None = None


class FidePlayer(NamedTuple):
    """A row of the list; texts that are not given are empty."""

    id: str
    name: str
    federation: str = ""
    sex: str = ""
    """``M`` or ``F``."""
    title: str = ""
    women_title: str = ""
    other_titles: str = ""
    """Of arbiters, organisers and trainers, with commas."""
    arena_title: str = ""
    standard: Rated | None = None
    rapid: Rated | None = None
    blitz: Rated | None = None
    birth_year: int | None = None
    flag: str = ""
    """``i`` inactive, ``w`` woman, ``wi`` both."""

    def listed(self) -> Listed:
        """The player in the words of the model.

        The games of the list are those of one period, which a standing does not hold.
        K = 10 says that the player has been rated 2400.
        """
        sex = self.sex or ("F" if "w" in self.flag else "")
        entry = Entry(
            self.id,
            name=self.name,
            federation=self.federation or None,
            title=read_title(self.title) or read_title(self.women_title),
            sex=_SEX_OF.get(sex),
            birth_year=self.birth_year,
            ids={"fide": self.id},
        )
        standings = {
            pool: Standing(
                rating=rated.rating,
                extra=_said_by_k(rated.k, pool),
            )
            for pool, rated in zip(POOLS, (self.standard, self.rapid, self.blitz), strict=True)
            if rated is not None and rated.rating is not None
        }
        played = self.standard.games if self.standard else None
        return Listed(entry, standings, "i" in self.flag, played)


def _said_by_k(k: int | None, pool: str) -> dict[str, int | bool]:
    """What K says of a player's past, where the number of games is not known."""
    if k is None:
        return {}
    return {"k": k, "reached_2400": True} if k == TOP_K and pool == STANDARD else {"k": k}


class BadCell(ValueError):
    """A text is not what its column holds."""


def is_id(text: str) -> bool:
    """Whether this is a FIDE number."""
    return text.isdecimal() and text.isascii() and len(text) <= _LONGEST_ID and text[0] != "0"


def name_of(text: str) -> str:
    """A name, with single blanks and without signs that nobody sees."""
    text = text.strip()
    return text if text.isascii() and "  " not in text else one_line(text)


def federation_of(text: str) -> str:
    """The three letters of a federation, or nothing."""
    if _FEDERATION.fullmatch(text):
        return text
    raise BadCell(text)


def sex_of(text: str) -> str:
    """``M``, ``F`` or nothing."""
    return _known(text, _SEXES)


def flag_of(text: str) -> str:
    """``i``, ``w``, ``wi`` or nothing; flags that are not known are no matter of ratings."""
    if not _FLAG.fullmatch(text.lower()) or len({*text.lower()}) < len(text):
        raise BadCell(text)
    return "".join(letter for letter in "wi" if letter in text.lower())


def _known(text: str, choices: dict[str, str]) -> str:
    if text in choices:
        return choices[text]
    raise BadCell(text)


def title_of(text: str) -> str:
    """A title as the list writes it: up to four letters; ``0`` stands for none in some files."""
    text = "" if text == "0" else text
    if _TITLE.fullmatch(text):
        return text
    raise BadCell(text)


def other_titles_of(text: str) -> str:
    """Titles of officials, with commas."""
    if _TITLES.fullmatch(text):
        return text
    raise BadCell(text)


def birth_year_of(text: str) -> int | None:
    """The year of birth; None where the list has 0."""
    if text in _NO_YEAR:
        return None
    if _YEAR.fullmatch(text):
        return int(text)
    raise BadCell(text)


@dataclass
class Remarked:
    """The flags that a reader does not know, each told once."""

    notes: CountedNotes
    seen: set[str] = field(default_factory=set)

    def flag(self, letter: str) -> None:
        """Note a flag that is not known, once."""
        if letter not in self.seen:
            self.seen.add(letter)
            self.notes.add(FLAG, letter)


def flags(text: str, remarked: Remarked) -> str:
    """The flags; those that are not known are noted."""
    known = flag_of(text)
    for letter in text.lower():
        if letter not in "wi":
            remarked.flag(letter)
    return known


def born(text: str, year: int) -> int | None:
    """The year of birth by a year or a birthday, in the list of a ``year``."""
    text = " ".join(text.split())
    match = _DAY.fullmatch(text.replace(" ", ""))
    if match and (match["iso"] or len(match["year"]) == 4):
        return int(match["iso"] or match["year"])
    if match:
        recent = 2000 + int(match["year"])
        return recent if recent <= year - _YOUNGEST else recent - 100
    return None if _NO_DAY.fullmatch(text) else birth_year_of(text)


def is_rating(number: int) -> bool:
    """Whether a number can be a rating."""
    return _MIN_RATING <= number <= _MAX_RATING


def rated_of(rating: str, games: str, k: str) -> Rated | None:
    """A player's place in one pool; None where he is unrated and played nothing."""
    points = _number_of(rating) or None
    if points is not None and not is_rating(points):
        raise BadCell(rating)
    played = _number_of(games)
    found = Rated(points, played, _number_of(k) or None)
    return None if found in (Rated(), Rated(games=0)) else found


def _number_of(text: str) -> int | None:
    if not text:
        return None
    if _NUMBER.fullmatch(text):
        return int(text)
    raise BadCell(text)


def pool_of(name: str) -> str | None:
    """The pool that the name of a file says; None where it says none, or several."""
    found = [pool for pool in POOLS if pool in name.lower()]
    return found[0] if len(found) == 1 else None
