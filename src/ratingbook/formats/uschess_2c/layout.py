"""The three files of a 2C report, the columns that are read, and the codes in them."""

from typing import Final

EVENT: Final = "THEXPORT.DBF"
SECTIONS: Final = "TSEXPORT.DBF"
PLAYERS: Final = "TDEXPORT.DBF"
FILES: Final = (EVENT, SECTIONS, PLAYERS)

FORMAT: Final = "2C"
ROUND: Final = "D_RND"
"""How the columns of results begin; the number of the round follows."""

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
