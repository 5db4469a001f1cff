"""A player of a list, whatever federation's: the person, and a standing in each pool."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from ratingbook.formats.lists.files import Source
from ratingbook.formats.tools.notes import CountedNotes
from ratingbook.model import Entry, Standing

STANDARD = "standard"
"""The pool of an event that names none, and of a list that has one pool only."""


@dataclass(frozen=True, slots=True)
class Listed:
    """What a list says of a player, in the words of the model.

    ``entry`` is the person, without a standing; its id is the player's number in the list.
    """

    entry: Entry
    standings: Mapping[str, Standing] = field(default_factory=dict)
    """Pool → standing; a pool in which the player is unrated is left out."""
    inactive: bool = False
    played: int | None = None
    """Rated games in the period of the list, in the pool that the list is about first; None: it
    does not say."""


class Player(Protocol):
    """A row of a list, as its format has it."""

    @property
    def id(self) -> str:
        """The player's number."""

    @property
    def name(self) -> str:
        """The player's name."""

    def listed(self) -> Listed:
        """The same in the words of the model."""


Rows = Iterator[tuple[int, Player]]
"""Players, each with the line where it stands."""


@dataclass(frozen=True, slots=True)
class ListKind:
    """A format of lists."""

    name: str
    register: str
    """What ``Entry.ids`` and ``Entry.foreign`` call it."""
    federation: str
    """Whose list it is: its rule books take the ratings as their own."""
    looks_like: Callable[[str], bool]
    """Whether a list begins so."""
    read: Callable[[Source, CountedNotes, Collection[str] | None], Rows]
    """The players, or those only whose numbers are asked for; may raise ``Refused``."""


def clean_number(text: str) -> str:
    """A player's number as lists write it: without blanks and leading zeros."""
    return text.strip().lstrip("0")
