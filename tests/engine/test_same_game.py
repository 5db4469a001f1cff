"""A file of one game is not rated by the rule book of another."""

from __future__ import annotations

import pytest

from ratingbook.engine.intake import check_same_game
from ratingbook.formats.catalogue import FORMATS
from ratingbook.rules.registry import load

CHESS = ("TRF", "2C", "US Chess cross table")
GO = ("h9", "tou", "OpenGotha", "MacMahon")


@pytest.mark.parametrize(
    ("edition", "formats"),
    [
        ("fide-2009", GO),
        ("iccf-2009", GO),
        ("iecg-1999", GO),
        ("uscf-2011", GO),
        ("egf-2021", CHESS),
    ],
)
def test_the_other_game_is_an_error(edition, formats):
    book = load(edition)
    for name in formats:
        (finding,) = check_same_game(name, FORMATS[name].game, book)
        assert finding.code == "edition.other-game"
        assert finding.severity.name == "ERROR"
        assert name in finding.message
        assert edition in finding.message


@pytest.mark.parametrize(
    ("edition", "formats"), [("fide-2009", CHESS), ("uscf-2011", CHESS), ("egf-2021", GO)]
)
def test_the_same_game_and_a_document_are_not(edition, formats):
    book = load(edition)
    for name in (*formats, "report document"):
        assert not list(check_same_game(name, FORMATS[name].game, book))
