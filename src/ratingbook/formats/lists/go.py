"""Rating lists of Go, as programs download them: of the EGF, the AGA and the FFG.

All three have one line for each player, and are read only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from typing import NamedTuple

from ratingbook.formats.lists.files import Source
from ratingbook.formats.lists.players import Listed, Rows, clean_number
from ratingbook.formats.lists.refusal import refused
from ratingbook.formats.lists.text import Lines
from ratingbook.formats.tools.characters import one_line
from ratingbook.formats.tools.notes import CountedNotes, Remark
from ratingbook.model import Entry, Place, Severity, Standing
from ratingbook.model.patterns import pattern
from ratingbook.model.sentences import sentence

ROW = Remark(
    "go-list.row",
    Severity.WARNING,
    "Lines that begin as those of players but cannot be read were left out",
    "Download the list again; if the federation has changed its form, these players are missing.",
)
TOO_MANY = Remark(
    "go-list.rows",
    Severity.FATAL,
    "Too many lines cannot be read, so that the list is not taken",
    "Download the list again; if it looks right, its form has changed.",
)
NUMBERLESS = Remark(
    "go-list.no-number",
    Severity.INFO,
    "Players without a number, who cannot be found, were left out",
    "Nothing to do, unless one of them is in the report.",
)

_EGF = pattern(
    r"\s*(?P<id>[0-9]{8})\s+(?P<name>\S.*?)\s+(?P<country>[A-Z]{2})\s+(?P<club>\S*)\s+"
    r"(?P<grade>[0-9]{1,2}[kdp])\s+(?:--|[0-9]{1,2}[kdp])?\s*(?P<rating>-?[0-9]{1,4})\s+"
    r"(?P<events>[0-9]{1,5})(?:\s+\S{1,12})?\s*"
)
_EGF_START = pattern(r"\s*[0-9]{8}\s")
_FFG = pattern(
    r"(?P<name>\S.{0,36}?)\s+(?P<rating>-?[0-9]{1,4})\s(?P<licence>[-A-Za-z])\s"
    r"(?P<id>[0-9A-Z]{7}|-{7})(?:\s(?P<club>\S{1,4})?\s*(?P<country>[A-Z]{2})?)?\s*"
)
_FFG_HEAD = "#Echelle"
_AGA_KINDS = r"(?:[A-Z][A-Za-z ]{2,20})?"
_AGA = pattern(
    rf"(?P<name>[^\t]*)\t(?P<id>[0-9]{{1,6}})\t{_AGA_KINDS}\t(?P<rating>-?[0-9]+(?:\.[0-9]+)?)?"
    r"(?:\t(?P<until>[0-9/]*)(?:\t(?P<club>[^\t]*)(?:\t(?P<state>[^\t]*)(?:\t[^\t]*)*)?)?)?\s*"
)
_UNRATED_FFG = "-9999"
_PATIENCE = 5
"""So many bad lines are no sign of another form, however short the list is."""
_MOST_BAD = 0.01
_ENOUGH = 3
"""So many lines of players in the first ones show what a list is."""


class GoPlayer(NamedTuple):
    """A row of a list; texts that are not given are empty."""

    register: str
    """Whose list it is: ``egd``, ``aga`` or ``ffg``."""
    id: str
    name: str = ""
    country: str = ""
    club: str = ""
    rating: float | None = None

    def listed(self) -> Listed:
        """The player in the words of the model."""
        entry = Entry(
            self.id,
            name=self.name,
            federation=self.country or None,
            club=self.club or None,
            ids={self.register: self.id},
        )
        if self.rating is None:
            return Listed(entry)
        return Listed(entry, {self.register: Standing(rating=self.rating)})


def looks_like_egf_list(head: str) -> bool:
    """Whether a list begins as that of the EGF, or is lines of it."""
    found = sum(_EGF.fullmatch(line) is not None for line in head.splitlines())
    return found >= _ENOUGH or (found > 0 and "GoR" in head)


def looks_like_ffg_list(head: str) -> bool:
    """Whether a list begins as the échelle of the FFG."""
    lines = head.splitlines()
    found = sum(_FFG.fullmatch(line) is not None for line in lines)
    return head.lstrip().startswith(_FFG_HEAD) or found >= max(_ENOUGH, len(lines) // 2)


def looks_like_aga_list(head: str) -> bool:
    """Whether a list begins as the TDList of the AGA: tabulators, no line of headings."""
    lines = head.splitlines()
    found = sum(_AGA.fullmatch(line) is not None for line in lines)
    return found >= _ENOUGH and found >= len(lines) // 2


def read_egf_list(
    source: Source, notes: CountedNotes, wanted: Collection[str] | None = None
) -> Rows:
    """The players of the EGF's list, or those only whose numbers are asked for."""

    def player(line: str) -> GoPlayer | None:
        match = _EGF.fullmatch(line)
        if match is None:
            return None
        surname, _, first = match["name"].partition(" ")
        return GoPlayer(
            "egd", match["id"], _name(surname, first), _country(match["country"]),
            _club(match["club"]), float(match["rating"]),
        )  # fmt: skip

    return _read(source, notes, wanted, _EGF_START, player)


def read_ffg_list(
    source: Source, notes: CountedNotes, wanted: Collection[str] | None = None
) -> Rows:
    """The players of the échelle, or those only whose numbers are asked for."""

    def player(line: str) -> GoPlayer | None:
        match = _FFG.fullmatch(line)
        if match is None:
            return None
        rating = None if match["rating"] == _UNRATED_FFG else float(match["rating"])
        return GoPlayer(
            "ffg", match["id"].strip("-"), _french_name(match["name"]),
            _country(match["country"] or ""), _club(match["club"] or ""), rating,
        )  # fmt: skip

    return _read(source, notes, wanted, re.compile(r"[^#\s]"), player)


def read_aga_list(
    source: Source, notes: CountedNotes, wanted: Collection[str] | None = None
) -> Rows:
    """The players of the TDList, or those only whose numbers are asked for."""

    def player(line: str) -> GoPlayer | None:
        match = _AGA.fullmatch(line)
        if match is None:
            return None
        surname, _, first = match["name"].partition(",")
        rating = float(match["rating"]) if match["rating"] else None
        return GoPlayer(
            "aga", match["id"], _name(surname, first), "", _club(match["club"] or ""), rating
        )

    return _read(source, notes, wanted, re.compile(r"[^\t]*\t"), player)


def _read(
    source: Source,
    notes: CountedNotes,
    wanted: Collection[str] | None,
    start: re.Pattern[str],
    player_of: Callable[[str], GoPlayer | None],
) -> Rows:
    """The players; ``start`` is how the line of one begins."""
    read = bad = 0
    place = Place()
    for first, block in Lines(source.stream, notes):
        for number, line in enumerate(block, first):
            if not start.match(line):
                continue
            player = player_of(line)
            if player is None:
                bad += 1
                place = Place(line=number)
                notes.add(
                    ROW,
                    sentence("line {number}: {line}", number=number, line=line.strip()[:60]),
                    place,
                )
                if bad > max(_PATIENCE, read):
                    raise refused(
                        TOO_MANY,
                        sentence("{bad:,} up to line {number}", bad=bad, number=number),
                        place,
                    )
                continue
            read += 1
            if not player.id:
                notes.add(NUMBERLESS, player.name, Place(line=number))
            elif wanted is None or clean_number(player.id) in wanted:
                yield number, player
    if bad > max(_PATIENCE, _MOST_BAD * read):
        raise refused(TOO_MANY, sentence("{bad:,} of {all:,}", bad=bad, all=bad + read), place)


def _name(surname: str, first: str) -> str:
    """Surname and first name, in which the EGF writes blanks as underscores."""
    parts = (one_line(part.replace("_", " ")) for part in (surname, first))
    return ", ".join(filter(None, parts))


def _french_name(text: str) -> str:
    """Surname in capitals, of one word or of several, and first name."""
    words = text.split()
    capitals = next((n for n, word in enumerate(words) if word != word.upper()), len(words))
    split = capitals if 0 < capitals < len(words) else 1
    return _name(" ".join(words[:split]), " ".join(words[split:]))


def _country(code: str) -> str:
    return "" if code == "XX" else code


def _club(text: str) -> str:
    club = one_line(text)
    return "" if re.fullmatch("x*", club) else club
