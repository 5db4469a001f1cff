"""The columns and records of a TRF file.

Columns are Python slices, so they count from 0; findings count from 1.
"""

from typing import Final

RANK: Final = slice(4, 8)
SEX: Final = 9
TITLE: Final = slice(10, 13)
NAME: Final = slice(14, 47)
RATING: Final = slice(48, 52)
FEDERATION: Final = slice(53, 56)
NUMBER: Final = slice(57, 68)
BIRTH_DATE: Final = slice(69, 79)
POINTS: Final = slice(80, 84)
STANDING: Final = slice(85, 89)
ROUNDS: Final = 91
"""Where the first round begins."""
ROUND_WIDTH: Final = 10
LAST_RANK: Final = 9999
"""The largest starting rank."""
MAX_ROUNDS: Final = 400
"""No event has more; longer lines are damaged."""

PLAYED: Final = frozenset("10=")
"""Codes of games that were played and are rated."""
UNRATED: Final = frozenset("WDL")
"""Codes of games that lasted less than a move: they score, but are not rated."""
FORFEITS: Final = frozenset("+-")
BYES: Final = frozenset("HFUZ")
BLANK: Final = ""
CODES: Final = PLAYED | UNRATED | FORFEITS | BYES | {BLANK}

PLAYER: Final = "001"
NAME_OF_EVENT: Final = "012"
TEAM_OF_16: Final = "013"
TEAM_OF_26: Final = "310"
TEAMS: Final = frozenset({TEAM_OF_16, TEAM_OF_26})
CHIEF: Final = "102"
DEPUTY: Final = "112"

USED: Final = frozenset(
    "012 022 032 042 052 062 072 082 092 122 132 142 152 162 192 222 352 362".split()
    + "XXR XXS BBW BBD BBL BBZ BBF BBU".split()
)
"""Header records with one content each; the first one counts."""
ADDITIVE: Final = frozenset({"162", "XXS"})
"""Records whose lines add to each other."""
CHECKED: Final = frozenset("240 250 260 299 300 320 330 XXA XXP XXZ".split())
"""Byes, accelerations, points, line-ups: what they say of games stands in the 001 lines too."""
LISTS: Final = TEAMS | CHECKED | {CHIEF, DEPUTY, "DAT"}
"""Records of which every line counts."""
UNNEEDED: Final = CHECKED | frozenset("152 172 182 202 212 352 362 801 802 XXC".split())
"""Records of which nothing goes into the report."""
COMMENT: Final = "###"
NATIONAL: Final = "national rating"
"""The name here for a record that begins with the code of a federation."""
