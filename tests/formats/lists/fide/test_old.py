"""FIDE's lists of 2001 to 2004, in their own layouts; the players are invented."""

from __future__ import annotations

import io

import pytest

from ratingbook.formats.lists.fide.common import FidePlayer, Rated
from ratingbook.formats.lists.fide.txt import looks_like_fide_txt, read_fide_txt
from ratingbook.formats.lists.files import Source
from ratingbook.formats.lists.refusal import Refused
from ratingbook.formats.tools.notes import CountedNotes

APR01 = """  ID_NUMBER NAME                             TITLE COUNTRY APR01 GAMES BIRTHDAY   FLAG
   90000991 Alpha, Anton                           AUT      2347    17 17.01.1972|
   90000815 Beta, Britta                     wf    DEN      2067     9 31.07.1973 wn|
"""
OCT01 = """  ID_NUMBER NAME                            TITLE COUNTRY OCT01 GAMES BIRTHDAY  SEX FLAG
   90000991 Alpha, Anton                           AUT      2347    17 17.01.1972 M|
   90000815 Beta, Britta                     wf    DEN      2067     9   .  .     F   w|
"""
JAN01 = """  ID_NUMBER NAME                             TITLE COUNTRY JAN01 GAMES FLAG
   90000991  Alpha, Anton                    g     AUT     2547    0   i|
"""
APR03 = """   CODE   NAME                          TITLE COUNTRY APR03 GAMES BIRTHDAY FLAG
 90000991  Alpha, Anton                         AUT  2347   17  17.01.72|
"""
NO_HEADER = """
 90000991  Alpha, Anton                         AUT  2347   17  17.01.72|
 90000815  von Beta-Gamma , Britta         wf  SCG  2132    0  10.02.81    w|
\x1a"""


def read(written: str) -> tuple[list[FidePlayer], dict[str, str]]:
    """The players; a bar marks the end of a line with blanks."""
    text = written.replace("|", "")
    assert looks_like_fide_txt(text)
    notes = CountedNotes()
    source = Source(io.BytesIO(text.encode()), "list.txt")
    rows = read_fide_txt(source, notes)
    players = [player for _, player in rows if isinstance(player, FidePlayer)]
    return players, {f.code: f.message for f in notes.findings()}


def test_a_list_with_birthdays_and_an_unknown_flag() -> None:
    (alpha, beta), told = read(APR01)
    assert alpha == FidePlayer(
        "90000991", "Alpha, Anton", "AUT", standard=Rated(2347, 17), birth_year=1972
    )
    assert (beta.women_title, beta.standard, beta.birth_year, beta.flag) == (
        "WFM", Rated(2067, 9), 1973, "w",
    )  # fmt: skip
    assert told.keys() == {"fide-list.flag"}


def test_a_list_with_sexes_and_empty_birthdays() -> None:
    (alpha, beta), told = read(OCT01)
    assert (alpha.sex, beta.sex, beta.birth_year, beta.flag) == ("M", "F", None, "w")
    assert not told


def test_a_list_without_birthdays() -> None:
    (alpha,), _ = read(JAN01)
    assert (alpha.title, alpha.standard, alpha.flag) == ("GM", Rated(2547, 0), "i")


def test_a_list_whose_numbers_are_called_code() -> None:
    (alpha,), told = read(APR03)
    assert (alpha.standard, alpha.birth_year) == (Rated(2347, 17), 1972)
    assert not told


def test_a_list_without_header_that_dos_ended() -> None:
    (alpha, beta), told = read(NO_HEADER)
    assert (alpha.id, alpha.birth_year) == ("90000991", 1972)
    assert (beta.name, beta.federation) == ("von Beta-Gamma , Britta", "SCG")
    assert not told


def test_a_row_without_a_rating_is_left_out_and_named() -> None:
    players, told = read(APR01 + "   90000777 Gamma, Gert                            DEN\n")
    assert [player.id for player in players] == ["90000991", "90000815"]
    assert "Gamma, Gert" in told["fide-list.row"]


def test_many_such_rows_refuse_the_list() -> None:
    bad = "   90000777 Gamma, Gert                            DEN\n" * 3
    with pytest.raises(Refused):
        read(APR01 + APR01.splitlines(keepends=True)[1] * 100 + bad)
