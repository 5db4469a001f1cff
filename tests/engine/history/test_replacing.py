"""``_replace`` of NamedTuples: compiled code takes the fields that plain Python takes."""

from enum import IntEnum
from typing import NamedTuple

import numpy as np
import pytest
from numba import njit, typeof
from numba.core.errors import TypingError

from ratingbook.engine.history import replacing
from ratingbook.engine.history.program import Program
from ratingbook.rules import registry


class Kind(IntEnum):
    EVENT = 0
    MATCH = 1


class Player(NamedTuple):
    rating: float
    games: int
    rated: bool
    kind: Kind
    seat: int


class Pair(NamedTuple):
    """Fields of one type are another type for Numba."""

    white: int
    black: int


PLAYER = Player(1500.5, 7, False, Kind.EVENT, 3)


def played(player, times):
    """Fields of all types, in another order than that of the columns, and from each other."""
    for _ in range(times):
        player = player._replace(
            kind=Kind.MATCH, rated=not player.rated, games=player.games + 1, rating=player.games
        )
    return player


def swapped(pair):
    return pair._replace(white=pair.black, black=pair.white)


def unchanged(pair):
    return pair._replace()


@pytest.mark.parametrize("times", [0, 1, 2])
def test_compiled_as_in_plain_python(times):
    assert njit(played)(PLAYER, times) == played(PLAYER, times)
    assert played(PLAYER, 2) == Player(8, 9, False, Kind.MATCH, 3)


@pytest.mark.parametrize(("function", "made"), [(swapped, Pair(2, 1)), (unchanged, Pair(1, 2))])
def test_fields_of_one_type(function, made):
    assert njit(function)(Pair(1, 2)) == function(Pair(1, 2)) == made


def test_a_field_keeps_its_type():
    """A small number in a wide field is a wide one, wherever the standing comes from."""

    @njit
    def seated(pair, seat):
        return pair._replace(black=seat)

    seated(Pair(1, 2), np.int8(5))
    (made,) = seated.nopython_signatures
    assert made.return_type == typeof(Pair(1, 2))


def with_unknown(pair):
    return pair._replace(green=1)


def without_name(pair):
    return pair._replace(1)


def with_half(pair):
    return pair._replace(white=0.5)


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (with_unknown, "_replace takes fields of Pair by their names"),
        (without_name, "_replace takes fields of Pair by their names"),
        (with_half, "Pair.white is int64: it cannot become float64"),
    ],
)
def test_what_plain_python_refuses_or_a_field_cannot_hold_does_not_compile(function, said):
    with pytest.raises(TypingError, match=said):
        njit(function)(Pair(1, 2))


def test_a_number_is_not_cut_to_a_narrow_field():
    """Plain Python would keep it whole."""
    narrow = Pair(*np.array([1, 2], np.int32))
    with pytest.raises(TypingError, match=r"Pair\.white is int32: it cannot become int64"):
        njit(lambda pair, white: pair._replace(white=white))(narrow, 2**40)


def test_the_cache_knows_how_it_is_compiled(monkeypatch):
    """Compiled in another way it has another folder, and so have the loops that call it."""
    edition = registry.load("uscf-2011")
    folder = Program(edition, compiled=True).code_folder
    assert Program(edition, compiled=True).code_folder == folder
    monkeypatch.setattr(replacing, "replaced", lambda context, builder, called, given: given[0])
    assert Program(edition, compiled=True).code_folder != folder
