"""The three files of a 2C report, their columns, and the codes in them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

EVENT: Final = "THEXPORT.DBF"
SECTIONS: Final = "TSEXPORT.DBF"
PLAYERS: Final = "TDEXPORT.DBF"
FILES: Final = (EVENT, SECTIONS, PLAYERS)

FORMAT: Final = "2C"
ENCODING: Final = "cp1252"
"""What the programs of Windows write; nearly all reports are ASCII."""
ROUND: Final = "D_RND"
"""How the columns of results begin; the number of the round follows."""
ROUND_WIDTH: Final = 7
UNPLAYED: Final = "U0"

WIDTHS: Final = {
    EVENT: {
        "H_FORMAT": 5, "H_PROGRAM": 10, "H_EVENT_ID": 12, "H_NAME": 35, "H_TOT_SECT": 2,
        "H_BEG_DATE": 8, "H_END_DATE": 8, "H_AFF_ID": 8, "H_CITY": 21, "H_STATE": 2,
        "H_ZIPCODE": 10, "H_COUNTRY": 21, "H_SENDCROS": 1, "H_CTD_ID": 8, "H_ATD_ID": 8,
        "H_OTHER_TD": 255,
    },
    SECTIONS: {
        "S_EVENT_ID": 12, "S_SEC_NUM": 2, "S_SEC_NAME": 30, "S_R_SYSTEM": 1, "S_TIMECTL": 40,
        "S_CTD_ID": 8, "S_ATD_ID": 8, "S_TRN_TYPE": 1, "S_TOT_RNDS": 2, "S_LST_PAIR": 4,
        "S_BEG_DATE": 8, "S_END_DATE": 8, "S_SCH_LVL": 1, "S_GR_PRIX": 1, "S_GP_PTS": 3,
        "S_FIDE": 1,
    },
    PLAYERS: {
        "D_EVENT_ID": 12, "D_SEC_NUM": 2, "D_PAIR_NUM": 4, "D_MEM_ID": 8, "D_NAME": 30,
        "D_STATE": 2, "D_RATING": 4,
    },
}  # fmt: skip
"""The columns that are written, all of characters; those of the rounds follow the players'."""
MAX_SECTIONS: Final = 99
MAX_ROUNDS: Final = 99
"""As far as two digits go."""
MAX_PAIR: Final = 9999
MAX_RATING: Final = 9999

NEEDED: Final = {
    EVENT: ("H_NAME", "H_BEG_DATE", "H_END_DATE"),
    SECTIONS: ("S_SEC_NUM", "S_SEC_NAME"),
    PLAYERS: ("D_SEC_NUM", "D_PAIR_NUM", "D_MEM_ID", "D_NAME", "D_RATING"),
}
"""Columns without which nothing can be rated."""
TIME_CONTROL: Final = ("S_TIMECTL", "S_TIME_CTL")
"""Two spellings are in use."""

MAX_BYTES: Final = 8 * 1024 * 1024
MAX_RECORDS: Final = {EVENT: 100, SECTIONS: 100, PLAYERS: 10_000}
MAX_VALUES: Final = 300_000
"""Records times columns.  No report has more; a file that has is no pairing program's."""

SYSTEMS: Final = {"R": "regular", "Q": "quick", "D": "dual", "B": "blitz"}
"""The rating system of a section; dual counts in the regular and in the quick system."""
POOLS_OF_THEIR_OWN: Final = ("quick", "blitz")
"""Systems whose ratings are kept apart where a report has sections of several systems."""
KINDS: Final = {"S": "swiss", "2": "swiss", "C": "swiss", "R": "round_robin", "M": "match"}
"""The type of a section; a double or cumulative Swiss is a Swiss for the rating."""


def looks_like_2c(path: Path) -> bool:
    """Whether the path is one of the three files, or a folder that holds one of them."""
    try:
        return bool(files_in(path)) if path.is_dir() else path.name.upper() in FILES
    except (OSError, ValueError):  # A folder that may not be read, or no possible name.
        return False


def files_in(folder: Path) -> dict[str, list[Path]]:
    """Which of the three files the folder has, whatever the case of their names."""
    found: dict[str, list[Path]] = {}
    for path in sorted(folder.iterdir()):
        if path.name.upper() in FILES and path.is_file():
            found.setdefault(path.name.upper(), []).append(path)
    return found
