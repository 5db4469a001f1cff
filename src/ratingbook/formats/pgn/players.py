"""Who the players are, over all games of the file.

If every player has a FIDE ID, that is the id in the report; otherwise it is the
name as written, since a mixture would make two players of one.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from ratingbook.formats.fide.federations import FEDERATIONS
from ratingbook.formats.pgn.scan import RawGame
from ratingbook.formats.pgn.tags import NOBODY, is_order, rating_of
from ratingbook.formats.tools.notes import Notes, Remark
from ratingbook.model import Colour, Entry, Place, Severity, Standing
from ratingbook.model.sentences import sentence

REGISTER = "fide"
"""How the ids of an entry call FIDE's register."""

RATING = Remark(
    "pgn.rating",
    Severity.ERROR,
    "A rating is no number of two to four digits",
    "Write WhiteElo and BlackElo as numbers, or - for an unrated player.",
    each=True,
)
ORDER = Remark(
    "pgn.rating-order",
    Severity.WARNING,
    "Ratings of one digit were left out; arbiters sort players without a rating by them",
    "Write - for an unrated player, or the right rating.",
)
RATINGS = Remark(
    "pgn.ratings-differ",
    Severity.WARNING,
    "A player has different ratings in one event; each game keeps its own",
    "Correct the wrong one, or look which of them was in force.",
)
TWO_IDS = Remark(
    "pgn.two-persons",
    Severity.ERROR,
    "One name has several FIDE IDs, and not every game says which of them plays",
    "Give every game of these players their FIDE IDs.",
    each=True,
)
SPELLINGS = Remark(
    "pgn.spelling",
    Severity.WARNING,
    "A player with one FIDE ID is spelled in several ways; the first spelling was taken",
    "Look whether this is one person.",
)
ALIKE = Remark(
    "pgn.alike",
    Severity.WARNING,
    "Names are so alike that they may be one player; they were taken as different players",
    "Write the name of a player in the same way in all games.",
)
SOME_IDS = Remark(
    "pgn.some-ids",
    Severity.INFO,
    "Not every player has a FIDE ID; players are called by their names",
    "Add the missing IDs as WhiteFideId and BlackFideId.",
)
SEVERAL_PLAYERS = Remark(
    "pgn.consultation",
    Severity.WARNING,
    "Several players play on one side; they were taken as one player of that name",
    "Take such games out; they are not rated.",
)


@dataclass(frozen=True, slots=True)
class Side:
    """What a game says of one of its players."""

    name: str
    fide: str
    rating: int | None
    title: str
    team: str
    federation: str

    @property
    def known(self) -> bool:
        """Whether anybody is named."""
        return bool(self.fide or self.name)


def side_of(game: RawGame, colour: Colour, notes: Notes) -> Side:
    """What the game says of the player with this colour."""
    of = colour.value
    rating, sound = rating_of(game.text(f"{of}elo"))
    name = game.text(of)
    if name.casefold() in NOBODY:
        name = ""
    if not sound:
        said = game.text(f"{of}elo")
        notes.add(ORDER if is_order(said) else RATING, f"{name}: {said[:40]}", game.place)
    fide = game.text(f"{of}fideid").lstrip("0")
    federation = game.text(f"{of}fed").upper()
    return Side(
        name=name,
        fide=fide if fide.isascii() and fide.isdigit() else "",
        rating=rating,
        title=game.known(f"{of}title"),
        team=game.known(f"{of}team"),
        federation=federation if federation in FEDERATIONS else "",
    )


class Players:
    """The players behind the sides of all games."""

    def __init__(self, sides: Iterable[tuple[Side, Place]], notes: Notes) -> None:
        self._ids: dict[str, dict[str, Place]] = defaultdict(dict)
        """Name → the FIDE IDs with which it stands; nothing is one of them."""
        self._names: dict[str, dict[str, Place]] = defaultdict(dict)
        """FIDE ID → the spellings of the name."""
        for side, place in sides:
            self._ids[side.name].setdefault(side.fide, place)
            if side.fide and side.name:
                self._names[side.fide].setdefault(side.name, place)
        without = {name: ids[""] for name, ids in self._ids.items() if set(ids) == {""}}
        self._by_id = not without
        if self._names:
            for name, place in without.items():
                notes.add(SOME_IDS, sentence("{name} has none", name=name), place)
        self._note_names(notes)
        self._note_alike(notes)

    def _note_names(self, notes: Notes) -> None:
        for name, ids in self._ids.items():
            known = [fide for fide in ids if fide]
            if name and len(known) > 1 and ("" in ids or not self._by_id):
                notes.add(TWO_IDS, f"{name}: {', '.join(known[:5])}", ids[known[1]])
            if ":" in name:
                notes.add(SEVERAL_PLAYERS, name[:80], next(iter(ids.values())))
        for fide, names in self._names.items():
            spelt = list(names)
            if len(spelt) > 1:
                notes.add(SPELLINGS, f"{fide}: {'; '.join(spelt[:5])}", names[spelt[1]])

    def _note_alike(self, notes: Notes) -> None:
        """Names of the same words, or with the first name as an initial only."""
        same_words: dict[str, list[str]] = defaultdict(list)
        same_initial: dict[str, list[str]] = defaultdict(list)
        for name in filter(None, self._ids):
            same_words[_words(name)].append(name)
            family, given = _family_and_given(name)
            if given:
                same_initial[f"{family}, {given[0]}"].append(name)
        with_initials = [
            names
            for names in same_initial.values()
            if any(len(_family_and_given(name)[1]) == 1 for name in names)
        ]
        told: set[tuple[str, ...]] = set()
        for names in map(tuple, [*same_words.values(), *with_initials]):
            if names not in told and self._may_be_one(names):
                notes.add(ALIKE, " and ".join(names[:5]), next(iter(self._ids[names[1]].values())))
                told.add(names)

    def _may_be_one(self, names: Iterable[str]) -> bool:
        """Whether these are several players, of whom not all have a FIDE ID."""
        ids = {name: self._fide_of(name) for name in names}
        return len({fide or name for name, fide in ids.items()}) > 1 and "" in ids.values()

    def _fide_of(self, name: str) -> str:
        return next((fide for fide in self._ids[name] if fide), "")

    def id_of(self, side: Side) -> str:
        """The id of the player in the report."""
        fide = side.fide or self._fide_of(side.name)
        if self._by_id:
            return fide
        return next(iter(self._names.get(fide, ())), side.name or fide)

    def entries(
        self, sides: Iterable[tuple[Side, Place, str]], notes: Notes
    ) -> tuple[dict[str, Entry], dict[str, int]]:
        """The entries by id, and the rating of each; sides come with the name of the event."""
        known: dict[str, list[tuple[Side, Place]]] = defaultdict(list)
        in_event: dict[tuple[str, str], int] = {}
        for side, place, event in sides:
            player = self.id_of(side)
            known[player].append((side, place))
            if side.rating is None:
                continue
            first = in_event.setdefault((event, player), side.rating)
            if first != side.rating:
                notes.add(
                    RATINGS,
                    sentence(
                        "{name} {first} and {rating}",
                        name=side.name,
                        first=first,
                        rating=side.rating,
                    ),
                    place,
                )
        entries = {player: _entry(player, own) for player, own in known.items()}
        ratings = {
            player: int(entry.standing.rating)
            for player, entry in entries.items()
            if entry.standing and entry.standing.rating is not None
        }
        return entries, ratings


def _entry(player: str, sides: list[tuple[Side, Place]]) -> Entry:
    """The player; of what differs between his games, the first is taken."""
    first = sides[0][0]
    rating = next((side.rating for side, _ in sides if side.rating), None)
    fide = _first(side.fide for side, _ in sides)
    return Entry(
        id=player,
        name=first.name,
        federation=_first(side.federation for side, _ in sides),
        title=_first(side.title for side, _ in sides),
        team=_first(side.team for side, _ in sides),
        ids={REGISTER: fide} if fide else {},
        standing=Standing(rating=rating) if rating else None,
        place=sides[0][1],
    )


def _first(texts: Iterable[str]) -> str | None:
    """The first that says anything."""
    return next((text for text in texts if text), None)


def _words(name: str) -> str:
    """The words of a name without accents, capitals and signs, in alphabetical order."""
    return " ".join(sorted(_plain(name).split()))


def _family_and_given(name: str) -> tuple[str, str]:
    """The plain family name, and the plain first names where a comma divides them."""
    family, _, given = name.partition(",")
    return _plain(family), _plain(given).replace(" ", "")


def _plain(text: str) -> str:
    letters = unicodedata.normalize("NFKD", text.casefold())
    kept = (each for each in letters if not unicodedata.combining(each))
    return " ".join("".join(each if each.isalnum() else " " for each in kept).split())
