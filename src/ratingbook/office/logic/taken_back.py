"""Of what was accepted together, what one correction says and a later one takes back.

Nobody ever saw the one without the other: both are tried together, and so is nothing of them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ratingbook.office.logic.corrections import Content, about, left_by


@dataclass(frozen=True)
class Accepted:
    """A correction as it was accepted."""

    number: int
    contents: Sequence[Content]
    back: Sequence[Content]
    """What takes it back."""


@dataclass
class Left:
    """What is left of a correction beside those that were accepted with it."""

    of: Accepted
    void: set[str] = field(default_factory=set)
    """About what it takes something back that another one of these had said."""
    undone: set[str] = field(default_factory=set)
    """About what a later one of these takes it back."""

    @property
    def number(self) -> int:
        """Which correction it is."""
        return self.of.number

    @property
    def is_nothing(self) -> bool:
        """Whether all of it was taken back, or all of it takes something back."""
        said, back = _about(self.of.contents), _about(self.of.back)
        return said.keys() <= self.void or (bool(back) and back.keys() <= self.undone)

    @property
    def is_whole(self) -> bool:
        """Whether no other one of these has to do with it."""
        return not self.void and not self.undone

    @property
    def contents(self) -> list[Content]:
        """What it says still."""
        return _without(self.void | self.undone, self.of.contents)

    @property
    def back(self) -> list[Content]:
        """What takes back what is left of it."""
        return [] if self.is_nothing else _without(self.void | self.undone, self.of.back)


def takes_back(contents: Iterable[Content], back: Iterable[Content]) -> bool:
    """Whether contents say something of what takes another correction back: all of it or a part."""
    said, wanted = _about(contents), _about(back)
    return any(said[key] == wanted[key] for key in said.keys() & wanted.keys())


def left_of(every: Iterable[Accepted]) -> list[Left]:
    """What is left of each of these, in the order in which they were accepted."""
    found: list[Left] = []
    for one in every:
        mine = Left(one)
        said = _about(one.contents)
        for other in reversed(found):
            if other.is_nothing:
                # It was taken back before, and what says it anew stands by itself.
                continue
            back = _about(other.of.back)
            taken = {
                key for key, what in said.items()
                if key not in mine.void | other.undone and key in back and back[key] == what
            }  # fmt: skip
            if taken:
                other.undone |= taken
                mine.void |= taken
                # What undoes a fact is about that; what says it again is about the same as before.
                mine.void |= (
                    _about(one.back).keys() & _about(other.of.contents).keys()
                ) - said.keys()
        found.append(mine)
    return found


def _about(contents: Iterable[Content]) -> dict[str, Any]:
    return {key: what for each in contents for key, what in about(each).items()}


def _without(said: Collection[str], contents: Iterable[Content]) -> list[Content]:
    """What contents say of other things."""
    left = (left_by(said, each) for each in contents)
    return [each for each in left if each is not None]
