"""What is kept in memory is bounded by its size, not by how many there are."""

from __future__ import annotations

from ratingbook.office.caching import CacheBySize


def counting(most: int):
    asked = []

    @CacheBySize(most)
    def made(name: str, size: int) -> tuple[str, ...]:
        asked.append(name)
        return (name,) * size

    return made, asked


def test_as_many_are_kept_as_fit():
    made, asked = counting(most=100)
    for _ in range(2):
        for number in range(50):
            assert made(str(number), 2) == (str(number),) * 2
    assert len(asked) == 50


def test_what_was_asked_for_last_stays():
    made, asked = counting(most=10)
    for name in ("a", "b", "a", "c", "a", "b"):
        made(name, 5)
    assert asked == ["a", "b", "c", "b"]


def test_the_last_is_kept_however_large_it_is():
    made, asked = counting(most=10)
    for name in ("small", "large", "large", "small"):
        made(name, 1 if name == "small" else 1000)
    assert asked == ["small", "large", "small"]


def test_empty_ones_take_places_too():
    made, _ = counting(most=10)
    for number in range(50):
        made(str(number), 0)
    assert len(made._answers) == 10


def test_all_is_forgotten():
    made, asked = counting(most=10)
    made("a", 1)
    made.cache_clear()
    made("a", 1)
    assert asked == ["a", "a"]
