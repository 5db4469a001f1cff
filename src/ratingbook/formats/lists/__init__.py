"""Rating lists of federations, as sources of players and as outputs.

FIDE's as text and XML, plain or zipped, ICCF's, and the IECG list of rule II.5.
Lists have millions of players: they are streamed, and what is wrong with them is
counted.
"""

from __future__ import annotations

from ratingbook.formats.lists.check import check_list
from ratingbook.formats.lists.fide.common import FidePlayer, Rated
from ratingbook.formats.lists.fide.txt import write_fide_txt
from ratingbook.formats.lists.fide.xml import write_fide_xml
from ratingbook.formats.lists.iccf import IccfPlayer, write_iccf_list
from ratingbook.formats.lists.iecg import IecgPlayer, write_iecg_list
from ratingbook.formats.lists.kinds import looks_like_list
from ratingbook.formats.lists.source import (
    ListPlayers,
    OnList,
    read_entries,
    read_list,
    read_portions,
    read_some,
)

__all__ = [
    "FidePlayer",
    "IccfPlayer",
    "IecgPlayer",
    "ListPlayers",
    "OnList",
    "Rated",
    "check_list",
    "looks_like_list",
    "read_entries",
    "read_list",
    "read_portions",
    "read_some",
    "write_fide_txt",
    "write_fide_xml",
    "write_iccf_list",
    "write_iecg_list",
]
