"""Pieces that a thread makes ahead are those that would be made anyway."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ratingbook.engine.history.intake.ahead import ahead, side_by_side


def pieces(count: int, made: list[int]) -> Iterator[int]:
    for number in range(count):
        made.append(number)
        yield number
    if count == 3:
        raise ValueError("damaged")


@pytest.mark.parametrize("count", [0, 1, 5])
def test_all_come_in_their_order(count: int):
    assert list(ahead(pieces(count, []))) == list(range(count))


def test_what_is_damaged_is_told_after_what_came_before():
    several = ahead(pieces(3, []))
    assert [next(several) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(ValueError, match="damaged"):
        next(several)


def test_no_more_than_one_is_made_ahead():
    made: list[int] = []
    several = ahead(pieces(9, made))
    assert next(several) == 0
    several.close()
    assert made in ([0], [0, 1])


def test_what_is_made_side_by_side_comes_in_order():
    def half(number: int) -> float:
        if number == 7:
            raise ValueError("damaged")
        return number / 2

    assert list(side_by_side(half, iter(range(7)))) == [0, 0.5, 1, 1.5, 2, 2.5, 3]
    several = side_by_side(half, iter(range(20)))
    assert [next(several) for _ in range(7)] == [0, 0.5, 1, 1.5, 2, 2.5, 3]
    with pytest.raises(ValueError, match="damaged"):
        next(several)
