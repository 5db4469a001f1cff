"""Results of games and of rounds, in every notation that people use."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratingbook.formats.tables.scores import (
    Notation,
    games_of_matrix_cell,
    half_points,
    is_spoilt,
    outcome,
)
from ratingbook.model import GameStatus, Result

WHITE, BLACK, DRAW, NONE = Result.WHITE_WINS, Result.BLACK_WINS, Result.DRAW, Result.NONE
PLAYED, FORFEIT, BYE = GameStatus.PLAYED, GameStatus.FORFEIT, GameStatus.BYE


@pytest.mark.parametrize(
    ("text", "result"),
    [
        *dict.fromkeys(
            ["1-0", "1:0", "1–0", "1 - 0", "1 0", "1.0-0.0", "1/0", "W+R", "w"], WHITE
        ).items(),
        *dict.fromkeys(["0-1", "0:1", "0—1", "0,0:1,0", "B+3.5", "Schwarz"], BLACK).items(),
        *dict.fromkeys(
            [
                "½-½",
                "1/2-1/2",
                "0.5-0.5",
                "0,5:0,5",
                ".5-.5",
                "½ ½",
                "1/2",
                "½",
                "=",
                "=-=",
                "remis",
                "Draw",
                "nulle",
                "tablas",
                "patta",
                "1/2:1/2",
            ],
            DRAW,
        ).items(),
        *dict.fromkeys(["*", "?"], NONE).items(),
    ],
)
def test_results_of_games(text, result):
    found = outcome(text)
    assert found is not None
    assert (found.result, found.status, found.was_date) == (result, PLAYED, False)


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("1F-0F", WHITE),
        ("+/-", WHITE),
        ("+:-", WHITE),
        ("+ -", WHITE),
        ("+--", WHITE),
        ("1-0F", WHITE),
        ("-/+", BLACK),
        ("- +", BLACK),
        ("0F-1F", BLACK),
        ("0-1 ff", BLACK),
        ("1-0 (forfeit)", WHITE),
        ("-/-", NONE),
        ("- -", NONE),
        ("--", NONE),
        ("0-0", NONE),
        ("0F-0F", NONE),
    ],
)
def test_forfeits(text, result):
    found = outcome(text)
    assert found is not None
    assert (found.result, found.status) == (result, FORFEIT)


@pytest.mark.parametrize(
    "text",
    ["", "2-0", "1-1", "½-0", "1", "10", "yes", "1-0-1", "3:2", "1850", "Doe, Jo", "½-½-½", "W 12"],
)
def test_what_is_no_result(text):
    assert outcome(text) is None
    assert not is_spoilt(text)


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("2011-01-02", DRAW),
        ("2011-02-01", DRAW),
        ("1/2/2011", DRAW),
        ("02-Jan", DRAW),
        ("Jan-02", DRAW),
        ("01-Feb", DRAW),
        ("01:00:00", WHITE),
        ("1:00", WHITE),
        ("00:01:00", BLACK),
        ("0:01", BLACK),
        ("12:01 AM", BLACK),
    ],
)
def test_results_that_a_spreadsheet_made_dates_of_and_that_can_be_told(text, result):
    found = outcome(text)
    assert found is not None
    assert (found.result, found.was_date) == (result, True)


@pytest.mark.parametrize("text", ["2000-01-01", "Jan-00", "01-Jan", "1-Jan", "01.01.2000"])
def test_results_that_a_spreadsheet_spoilt(text):
    assert outcome(text) is None
    assert is_spoilt(text)


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("1", 2),
        ("1.0", 2),
        ("+", 2),
        ("W", 2),
        ("½", 1),
        ("0.5", 1),
        ("0,5", 1),
        (".5", 1),
        ("=", 1),
        ("1/2", 1),
        ("d", 1),
        ("0", 0),
        ("-", 0),
        ("l", 0),
        ("0.0", 0),
        ("2", None),
        ("", None),
        ("x", None),
    ],
)
def test_scores_of_one_side(text, points):
    assert half_points(text) == points


TRF = Notation.of(["12w1", "3b="])
ICU = Notation.of(["12w1", "3b½", "4w="])
ROMANCE = Notation.of(["12n1", "3b0"])
US = Notation.of(["W 12", "L5"])
PLAIN = Notation.of(["12+", "3-"])


@pytest.mark.parametrize(
    ("notation", "text", "cell"),
    [
        (TRF, "12 w 1", (12, 2, "w", PLAYED, True)),
        (Notation.of(["W4+", "B2="]), "W4+", (4, 2, "w", PLAYED, True)),
        (Notation.of(["W4+", "B2="]), "B12=", (12, 1, "b", PLAYED, True)),
        (Notation.of(["W4½", "B2-"]), "W4½", (4, 1, "w", PLAYED, True)),
        (TRF, "12W1", (12, 2, "w", PLAYED, True)),
        (TRF, "0012 b =", (12, 1, "b", PLAYED, True)),
        (TRF, "12s½", (12, 1, "b", PLAYED, True)),
        (TRF, "12b0.5", (12, 1, "b", PLAYED, True)),
        (TRF, "12b1/2", (12, 1, "b", PLAYED, True)),
        (TRF, "w12 0", (12, 0, "w", PLAYED, True)),
        (TRF, "12w+", (12, 2, "w", FORFEIT, False)),
        (TRF, "12w-", (12, 0, "w", FORFEIT, False)),
        (TRF, "12w1F", (12, 2, "w", FORFEIT, False)),
        (TRF, "12w", (12, None, "w", PLAYED, True)),
        (TRF, "-1", (None, 2, "", BYE, False)),
        (TRF, "-½", (None, 1, "", BYE, False)),
        (TRF, "-0", (None, 0, "", BYE, False)),
        (TRF, "0000 - U", (None, 2, "", BYE, False)),
        (TRF, "0000 - H", (None, 1, "", BYE, False)),
        (TRF, "0000 - Z", (None, 0, "", BYE, False)),
        (TRF, "--", (None, 0, "", BYE, False)),
        (TRF, "bye", (None, None, "", BYE, False)),
        (TRF, "bye 1", (None, 2, "", BYE, False)),
        (TRF, "½ bye", (None, 1, "", BYE, False)),
        (TRF, "spielfrei", (None, None, "", BYE, False)),
        (ICU, "4w=", (4, 1, "w", PLAYED, False)),
        (ICU, "4b+", (4, 2, "b", PLAYED, False)),
        (ICU, "4b½", (4, 1, "b", PLAYED, True)),
        (ROMANCE, "3b0", (3, 0, "w", PLAYED, True)),
        (ROMANCE, "3n0", (3, 0, "b", PLAYED, True)),
        (US, "W 12", (12, 2, "", PLAYED, True)),
        (US, "D33", (33, 1, "", PLAYED, True)),
        (US, "X 4", (4, 2, "", FORFEIT, False)),
        (US, "F 4", (4, 0, "", FORFEIT, False)),
        (US, "B", (None, 2, "", BYE, False)),
        (US, "H---", None),
        (US, "U", (None, 0, "", BYE, False)),
        (PLAIN, "12+", (12, 2, "", PLAYED, True)),
        (PLAIN, "12+/w0", (12, 2, "w", PLAYED, True)),
        (PLAIN, "12=/b", (12, 1, "b", PLAYED, True)),
        (PLAIN, "12-!b3", (12, 0, "b", FORFEIT, False)),
        (PLAIN, "12?", (12, None, "", PLAYED, True)),
        (PLAIN, "+12", (12, 2, "", PLAYED, True)),
        (PLAIN, "-1", (1, 0, "", PLAYED, True)),
        (PLAIN, "= 7", (7, 1, "", PLAYED, True)),
        (PLAIN, "+12w", (12, 2, "w", PLAYED, True)),
        (PLAIN, "0+", (None, 2, "", BYE, False)),
        (PLAIN, "0=", (None, 1, "", BYE, False)),
        (PLAIN, "0-", (None, 0, "", BYE, False)),
        (TRF, "1", None),
        (TRF, "½", None),
        (TRF, "12", None),
        (TRF, "2012-01-12", None),
        (TRF, "12x1", None),
    ],
)
def test_cells_of_a_round(notation, text, cell):
    found = notation.read(text)
    assert (
        found and (found.opponent, found.points, found.colour, found.status, found.rated)
    ) == cell


def test_stones_of_a_handicap():
    cell = PLAIN.read("12+/w3")
    assert cell is not None
    assert cell.handicap == 3


def test_colours_of_several_languages_are_not_read():
    clash = Notation.of(["1w1", "2n0", "3b½"])
    assert clash.clash
    cell = clash.read("3b½")
    assert cell is not None
    assert cell.colour == ""


@pytest.mark.parametrize(
    ("text", "games"),
    [
        ("1", [(2, False)]),
        ("1½", [(2, False), (1, False)]),
        ("0 1", [(0, False), (2, False)]),
        ("+", [(2, True)]),
        ("0.5", [(1, False)]),
        ("=", [(1, False)]),
        ("12w1", None),
        ("2", None),
    ],
)
def test_cells_of_all_play_all(text, games):
    assert games_of_matrix_cell(text) == games


@given(st.text("0123456789wbsn+-=/!?½.,:fF uUhH*xX", max_size=10), st.booleans(), st.booleans())
def test_any_text_is_answered(text, digits, us):
    cell = Notation(digits=digits, us=us).read(text)
    assert cell is None or cell.points in (None, 0, 1, 2)
    found = outcome(text)
    assert found is None or found.result in Result
