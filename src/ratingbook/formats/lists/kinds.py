"""Which lists are read, and what a file is."""

from __future__ import annotations

from pathlib import Path

from ratingbook.formats.lists.fide.txt import looks_like_fide_txt, read_fide_txt
from ratingbook.formats.lists.fide.xml import looks_like_fide_xml, read_fide_xml
from ratingbook.formats.lists.files import Source, holds_lists, members, opened
from ratingbook.formats.lists.go import (
    looks_like_aga_list,
    looks_like_egf_list,
    looks_like_ffg_list,
    read_aga_list,
    read_egf_list,
    read_ffg_list,
)
from ratingbook.formats.lists.iccf import looks_like_iccf_list, read_iccf_list
from ratingbook.formats.lists.iecg import looks_like_iecg_list, read_iecg_list
from ratingbook.formats.lists.players import ListKind
from ratingbook.formats.lists.refusal import Refused
from ratingbook.formats.lists.text import head

ARCHIVE = "zip archive"
"""What an archive is called of which it cannot be said which list is in it."""

KINDS = (
    ListKind("FIDE list (TXT)", "fide", "FIDE", looks_like_fide_txt, read_fide_txt),
    ListKind("FIDE list (XML)", "fide", "FIDE", looks_like_fide_xml, read_fide_xml),
    ListKind("ICCF list", "iccf", "ICCF", looks_like_iccf_list, read_iccf_list),
    ListKind("IECG list", "iecg", "IECG", looks_like_iecg_list, read_iecg_list),
    ListKind("EGF list", "egd", "EGF", looks_like_egf_list, read_egf_list),
    ListKind("FFG échelle", "ffg", "FFG", looks_like_ffg_list, read_ffg_list),
    ListKind("AGA TDList", "aga", "AGA", looks_like_aga_list, read_aga_list),
)


def kind_of(source: Source) -> ListKind | None:
    """The kind of a list that has just been opened; its beginning is read."""
    start = head(source.stream)
    return next((kind for kind in KINDS if kind.looks_like(start)), None)


def looks_like_list(path: Path) -> str | None:
    """What kind of rating list a file is, if it is one; a pipe or a folder is none."""
    if not _is_file(path):
        return None
    try:
        with opened(path) as source:
            kind = kind_of(source)
    except Refused:
        return ARCHIVE if holds_lists(members(path)) else None
    return kind.name if kind else None


def federation_of(name: str | None) -> str | None:
    """Whose list that kind is; None: it is none, or nobody can say."""
    return next((kind.federation for kind in KINDS if kind.name == name), None)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False
