"""The ratings that a list of games gives beside the players: a standing, and what differs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from ratingbook.formats.tables.cells import where
from ratingbook.formats.tables.mapping import Block, shown
from ratingbook.formats.tables.people import Register
from ratingbook.formats.tools.notes import Notes, Remark
from ratingbook.model import Colour, Entry, Game, Place, Severity, Standing
from ratingbook.model.sentences import sentence

DIFFER = Remark(
    "table.ratings-differ",
    Severity.WARNING,
    "A player has several ratings in the list; the first is his rating, and any other one holds "
    "for its game only",
    "If one is a typing error, correct it. Where a rating is missing, the first one was used.",
    shown=20,
)
FIRST_TAKEN = replace(
    DIFFER, what="A player has several ratings in the list; the first one was taken for all games"
)


@dataclass(slots=True)
class Ratings:
    """The first rating of each player, from all lists of games of a file."""

    register: Register
    notes: Notes
    _first: dict[str, tuple[float, Place]] = field(default_factory=dict)
    _listed: set[str] = field(default_factory=set)
    """Whose first rating is that of a list of players."""

    def settled(self, games: Sequence[Game], block: Block) -> Iterator[Game]:
        """The games, without the ratings that are those of the players' standings."""
        for game in games:
            for colour in Colour:
                self._enter(game, colour, block)
        for game in games:
            white, black = (self._own(game, colour, block) for colour in Colour)
            yield replace(game, white_rating=white, black_rating=black)

    def _enter(self, game: Game, colour: Colour, block: Block) -> None:
        """Make the first rating of a player his standing."""
        player, rating = game.player(colour), game.rating(colour)
        if player is None or rating is None or player in self._first:
            return
        entry = self.register.entries[player]
        if entry.standing and entry.standing.rating is not None:
            self._first[player] = entry.standing.rating, entry.place
            self._listed.add(player)
            return
        self._first[player] = rating, _place(game, colour, block)
        standing = replace(entry.standing or Standing(), rating=rating)
        self.register.entries[player] = replace(entry, standing=standing)

    def _own(self, game: Game, colour: Colour, block: Block) -> float | None:
        """The rating for this game alone; None where it is that of the standing."""
        player, rating = game.player(colour), game.rating(colour)
        if player is None or player not in self._first:
            return rating
        first, place = self._first[player]
        if game.black is None:
            return None
        if rating == first:
            # Beside a game that says when it began it is the one of then, be it still the same.
            return rating if game.start and player in self._listed else None
        here = _place(game, colour, block)
        said = "no rating" if rating is None else f"{rating:g}"
        if rating is not None or f"{colour.value}_rating" in block.head.columns:
            name = shown(self.register.entries[player].name or player)
            what = sentence(
                "{name}: {first:g} ({place}), but {said} ({here})",
                name=name,
                first=first,
                place=where(place),
                said=said,
                here=where(here),
            )
            self.notes.add(DIFFER, what, here)
        return rating


def tell_other_rating(entry: Entry, register: Register, notes: Notes) -> None:
    """Note a row about a known player whose rating is not the one that was taken."""
    known = register.entries[register.find_or_add(entry)]
    taken, said = (x.standing.rating if x.standing else None for x in (known, entry))
    if said is not None and taken is not None and said != taken:
        what = sentence(
            "{name}: {taken:g}, but {said:g} ({place})",
            name=shown(known.name or known.id),
            taken=taken,
            said=said,
            place=where(entry.place),
        )
        notes.add(FIRST_TAKEN, what, entry.place)


def _place(game: Game, colour: Colour, block: Block) -> Place:
    """Where the rating of a side of a game stands."""
    at = block.head.columns.get(f"{colour.value}_rating", (0,))
    return block.sheet.place(game.place.line or 0, at[0], game.player(colour), game.round)
