"""The keys of a standing beyond the common ones: rule books declare them, nobody else."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from functools import cache
from types import MappingProxyType

from ratingbook.formats.document.schema import FIELDS, ValueKind, kind_holding
from ratingbook.rules import registry

NO_KEYS: Mapping[str, type] = MappingProxyType({})
"""What is said where no rule book is known."""


@cache
def declared(*, ours: bool = False) -> Mapping[str, type]:
    """The keys that the installed rule books declare, or only ``ours``, with what they hold."""
    found: dict[str, type] = {}
    for name in registry.names():
        try:
            book = registry.load(name)
        except registry.UnknownRuleBook:
            # Whoever asks for that rule book is told why it is not there.
            continue
        if ours and not type(book).__module__.startswith("ratingbook."):
            continue
        for key, held in book.standing_fields.items():
            # Of two that disagree nothing is expected.
            found[key] = held if found.get(key, held) is held else object
    return found


def kinds_of(standing_fields: Mapping[str, type]) -> dict[str, ValueKind]:
    """What each key may hold."""
    return {key: kind_holding(held) for key, held in standing_fields.items()}


class StandingKeys:
    """The keys that a file may use: those of its rule book, and of others where it uses them.

    A file may serve several federations; no rule book is loaded for one that does not.
    """

    def __init__(self, own: Mapping[str, type]) -> None:
        self._own = self._kinds = kinds_of(own)
        self._asked_all = False

    def beyond(self, used: AbstractSet[str]) -> Mapping[str, ValueKind]:
        """What the keys beyond the common ones may hold, of a standing that uses these."""
        if not self._asked_all and not used <= FIELDS["standing"].keys() | self._kinds.keys():
            self._asked_all = True
            self._kinds = {**kinds_of(declared()), **self._own}
        return self._kinds
