"""What follows from what never changes is kept in memory, as much of it as fits.

An office may have three pools or thirty: a number of places would be too few for the one, or too
much for the memory of the other.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import update_wrapper
from threading import Lock
from typing import Any, Generic, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class _Cached(Generic[P, T]):
    """A function whose last answers are kept, up to a size of all together.

    The last of all is kept however large it is.
    """

    def __init__(self, made: Callable[P, T], most: int, size: Callable[[Any], int]) -> None:
        self._made, self._most, self._size = made, most, size
        self._answers: OrderedDict[Hashable, T] = OrderedDict()
        self._lock = Lock()
        update_wrapper(self, made)

    def __call__(self, *args: P.args, **named: P.kwargs) -> T:
        """The answer, as it was given before if it is kept."""
        key = (args, tuple(sorted(named.items())))
        with self._lock:
            if key in self._answers:
                self._answers.move_to_end(key)
                return self._answers[key]
        answer = self._made(*args, **named)
        with self._lock:
            self._answers[key] = answer
            self._answers.move_to_end(key)
            total = sum(map(self._weight, self._answers.values()))
            while total > self._most and len(self._answers) > 1:
                total -= self._weight(self._answers.popitem(last=False)[1])
        return answer

    def _weight(self, answer: T) -> int:
        # An answer without anything in it takes a place, too.
        return max(1, self._size(answer))

    def cache_clear(self) -> None:
        """Forget all answers."""
        with self._lock:
            self._answers.clear()


@dataclass(frozen=True)
class CacheBySize:
    """Keeps the answers of a function that were asked for last, up to a size of all together."""

    most: int
    size: Callable[[Any], int] = len

    def __call__(self, made: Callable[P, T]) -> _Cached[P, T]:
        """The function, whose answers are kept."""
        return _Cached(made, self.most, self.size)
