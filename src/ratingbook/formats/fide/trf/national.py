"""National records: the rating and the number that a federation gives a player."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ratingbook.formats.fide.trf import layout
from ratingbook.formats.fide.trf.checks import REFERENCE, number_in
from ratingbook.formats.fide.trf.players import PlayerLine
from ratingbook.formats.fide.trf.records import UNNEEDED, Records
from ratingbook.formats.tools.notes import Notes, Remark
from ratingbook.formats.tools.text import Line
from ratingbook.model import Place, Severity
from ratingbook.model.patterns import pattern
from ratingbook.model.sentences import sentence

SEVERAL = Remark(
    "trf.national-twice",
    Severity.INFO,
    "Players have several national records; the first one was taken",
    "Nothing to do, unless the other one is wanted.",
)
UNREADABLE = Remark(
    "trf.national",
    Severity.WARNING,
    "National records have left their columns, or their rating is no number; "
    "no rating was taken from them",
    "Write the starting rank into columns 5 to 8, the rating into 49 to 52, and the number "
    "into 58 to 68.",
)

NATIONAL = "national"
_COLUMNS = pattern(
    r"[A-Z]{3} [ 0-9]{4} .{4} (?P<name>.{33}) (?P<rating>[ 0-9]{4}) (?P<origin>.{3}) "
    r"(?P<number>.{11})(?: .*)?"
)


@dataclass(frozen=True, slots=True)
class National:
    """What a federation knows of a player."""

    rating: int | None
    number: str


def read_nationals(
    records: Records, players: Mapping[int, PlayerLine], notes: Notes
) -> dict[int, National]:
    """The national rating and number of each player who has one, by starting rank."""
    found: dict[int, National] = {}
    for line in records.nationals:
        rank = number_in(line.text[layout.RANK]) or 0
        player = players.get(rank)
        if player is None:
            notes.add(REFERENCE, f"{line.text[:3]}: {rank}", Place(line=line.number, column=5))
        elif rank in found:
            notes.add(SEVERAL, player.label, Place(line=line.number, player=player.id))
        elif (national := _national(line, player, notes)) is not None:
            found[rank] = national
    return found


def _national(line: Line, player: PlayerLine, notes: Notes) -> National | None:
    match = _COLUMNS.fullmatch(line.text.ljust(layout.NUMBER.stop))
    rating = number_in(match["rating"]) if match else None
    if match is None or rating is None:
        place = Place(line=line.number, column=layout.RATING.start + 1, player=player.id)
        notes.add(UNREADABLE, player.label, place)
        return None
    if line.text[layout.TITLE].strip() or match["origin"].strip():
        notes.add(UNNEEDED, sentence("national class and origin"), Place(line=line.number))
    return National(rating or None, match["number"].strip())
