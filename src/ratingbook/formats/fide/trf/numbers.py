"""What other registers call the players: FIDE's numbers, local ones, and those of programs.

Columns 58 to 68 are for FIDE's number.  Many organisers write there the numbers
of their own register, which are mostly shorter.  Nobody may be taken for another
player of FIDE's list because of that, so such numbers are kept apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from ratingbook.formats.fide.trf import layout
from ratingbook.formats.fide.trf.checks import REFERENCE
from ratingbook.formats.fide.trf.players import PlayerLine
from ratingbook.formats.fide.trf.records import UNNEEDED, Records
from ratingbook.formats.tools.notes import Notes, Remark
from ratingbook.model import Place, Severity
from ratingbook.model.patterns import pattern
from ratingbook.model.sentences import sentence

LOCAL = Remark(
    "trf.local-number",
    Severity.INFO,
    "Most numbers in columns 58 to 68 are too short for numbers of FIDE; "
    "all were taken as numbers of another register",
    "Write FIDE's numbers there before the report goes to FIDE; national numbers belong into "
    "national records.",
)
NO_FIDE_NUMBER = Remark(
    "trf.fide-number",
    Severity.WARNING,
    "Players have no number of FIDE in columns 58 to 68, but something else; "
    "it was taken as the number of another register",
    "Write FIDE's number, 6 digits or more, or nothing.",
)
TWICE = Remark(
    "trf.fide-number-twice",
    Severity.ERROR,
    "Two lines have one number of FIDE, so that two players would be rated from one rating",
    "Correct the number of one of them; if they are one person, give the games one line.",
    each=True,
)

FIDE = "fide"
LOCAL_REGISTER = "local"
"""The key of a number of which only is known that it is not FIDE's."""
_FIDE_NUMBER = pattern(r"0*([1-9][0-9]{5,10})")
_NOTHING = pattern(r"[0.\s-]*")
_DATA = pattern(r"DAT\s+0*([0-9]{1,4})\s+ID:([A-Z]{2,20})\s+(\S{1,64})", re.IGNORECASE)
"""A record of Tornelo with the player's number in another register."""


def read_numbers(
    records: Records, players: Mapping[int, PlayerLine], notes: Notes
) -> dict[int, dict[str, str]]:
    """What other registers call each player, by starting rank."""
    ids: dict[int, dict[str, str]] = {rank: {} for rank in players}
    _from_data(records, ids, notes)
    written = [p for p in players.values() if not _NOTHING.fullmatch(p.number)]
    fide = [p for p in written if _FIDE_NUMBER.fullmatch(p.number)]
    if len(fide) * 2 < len(written):
        _as_local(written, ids)
        notes.add(LOCAL, f"{written[0].label}: {written[0].number}", _place(written[0]))
        return ids
    odd = [p for p in written if not _FIDE_NUMBER.fullmatch(p.number)]
    _as_local(odd, ids)
    for player in odd:
        notes.add(NO_FIDE_NUMBER, f"{player.label}: {player.number}", _place(player))
    owners: dict[str, PlayerLine] = {}
    for player in fide:
        number = player.number.lstrip("0")
        ids[player.rank][FIDE] = number
        owner = owners.setdefault(number, player)
        if owner is not player:
            notes.add(
                TWICE,
                sentence(
                    "{number}: {label} and {other}",
                    number=number,
                    label=owner.label,
                    other=player.label,
                ),
                _place(player),
            )
    return ids


def _as_local(players: Iterable[PlayerLine], ids: Mapping[int, dict[str, str]]) -> None:
    for player in players:
        ids[player.rank][LOCAL_REGISTER] = player.number


def _place(player: PlayerLine) -> Place:
    return Place(line=player.line, column=layout.NUMBER.start + 1, player=player.id)


def _from_data(records: Records, ids: Mapping[int, dict[str, str]], notes: Notes) -> None:
    """The numbers in the records DAT; what else these hold is only named."""
    for line in records.lists.get("DAT", ()):
        match = _DATA.fullmatch(line.text)
        if match is None:
            notes.add(UNNEEDED, "DAT", Place(line=line.number))
        elif int(match[1]) not in ids:
            notes.add(REFERENCE, f"DAT: {match[1]}", Place(line=line.number, column=5))
        else:
            ids[int(match[1])].setdefault(match[2].lower(), match[3])
