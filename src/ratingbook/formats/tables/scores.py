"""Results as people write them: of a game, and of a player in one round of a cross table.

Some signs mean different things in different tables.  ``+`` is a win in a Go table, and
a win by default where other cells say 1 and 0; the :class:`Notation` of the whole table
settles it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from ratingbook.formats.tools import dates
from ratingbook.model import Colour, GameStatus, Result
from ratingbook.model.patterns import pattern

HALF = {"1": 2, "0": 0, "½": 1, "+": 2, "-": 0, "=": 1}
"""Sign → half points."""

_HALVES = pattern(r"(?<![0-9/])1/2(?![0-9/])|(?<![0-9])0?[.,]50*(?![0-9])")
_ONE_OR_NOTHING = pattern(r"(?<![0-9.])([01])[.,]0+(?![0-9])")
_DASHES = str.maketrans("–—−‐‑‒", "------")
_BETWEEN = r"\s*[-:/]\s*"
_SIDES = pattern(rf"([01½+=-])({_BETWEEN}|\s+)([01½+=-])")
_DRAWS = frozenset(
    "½ = draw remis remi tie tied nul nulle tablas patta empate remíza jigo ничья".split()
)
_WHITE = frozenset("white weiss weiß w white_wins whitewins blanc blancs".split())
_BLACK = frozenset("black schwarz b black_wins blackwins noir noirs".split())
_OPEN = frozenset("* ? open adjourned unfinished hängepartie".split())
_GO = pattern(r"([wb])\s*\+.*")
_DEFAULT = pattern(r"\s*\(?(?:ff|forfeit|forfait|kampflos|walkover|w\.?/?o\.?|default)\)?$")
"""What stands behind the result of a game that was not begun."""
_TIME_OF_WHITE = pattern(r"0?1:00(:00)?( am)?")
_TIME_OF_BLACK = pattern(r"0?0:01(:00)?|12:01(:00)? am")
"""What spreadsheets make of 1:0 and 0:1."""
_DATE_OF_DRAW = pattern(r"0?2[-. ]?jan[a-z]*\.?|jan[a-z]*\.?[- ]?0?2|0?1[-. ]?feb[a-z]*\.?")
_DATE_OF_RESULT = pattern(
    r"(?:[0-9]{1,2}[-. ])?(?:jan|feb|janv|fevr|ene|gen|sty|lut)[a-z]*\.?(?:[- ][0-9]{1,4})?"
)

BYES = frozenset(
    "bye spielfrei frei exempt exent libre descansa riposo pauza wolny freilos "
    "kampflos forfait forfeit walkover".split()
)
"""Words for no opponent."""
DEFAULTS = frozenset("forfeit kampflos forfait ff walkover wo w/o w.o. default".split())
"""Words for a game that one side, or both, did not begin; they do not say which side."""


class Outcome(NamedTuple):
    """The result of a game and how it came about."""

    result: Result
    status: GameStatus = GameStatus.PLAYED
    was_date: bool = False
    """Whether a spreadsheet had turned the result into a date or a time."""


def outcome(text: str) -> Outcome | None:
    """The result of a game between White and Black; None where it is none for certain.

    >>> outcome("½ : ½")[:2], outcome("1F-0F")[:2]
    ((<Result.DRAW: '1/2-1/2'>, <GameStatus.PLAYED: 'played'>), \
(<Result.WHITE_WINS: '1-0'>, <GameStatus.FORFEIT: 'forfeit'>))
    """
    plain = _plain(text)
    if plain in _DRAWS:
        return Outcome(Result.DRAW)
    if plain in _WHITE or plain in _BLACK:
        return Outcome(Result.WHITE_WINS if plain in _WHITE else Result.BLACK_WINS)
    if plain in _OPEN:
        return Outcome(Result.NONE)
    if go := _GO.fullmatch(plain):
        return Outcome(Result.WHITE_WINS if go[1] == "w" else Result.BLACK_WINS)
    return _of_two_sides(plain) or _once_a_date(plain)


_ALPHABETS: Mapping[str, tuple[str, str, str]] = {
    "winner": ("w", "bs", "dt"),
    "sieger gewinner": ("w", "s", "ru"),
    "vainqueur gagnant": ("b", "n", "x"),
    "ganador vencedor": ("b", "n", "te"),
    "vincitore": ("b", "n", "p"),
    "zwyciezca vitez": ("b", "c", "r"),
    "winnaar": ("w", "z", "r"),
    "победитель": ("б", "ч", "н"),
    "vinnare vinder vinner": ("vh", "s", "r"),
    "kazanan": ("b", "s", "="),
}
"""By what a column is called that says who won: the letters of White, of Black, and of a draw."""
_WINNER_SIGNS = {"1": Result.WHITE_WINS, "0": Result.BLACK_WINS, "2": Result.BLACK_WINS}


@dataclass(frozen=True, slots=True)
class Winners:
    """What stands in a column that says who won: words, or letters of its language.

    >>> Winners.of("winner", ["W", "d"]).read("d").result.value
    '1/2-1/2'
    >>> Winners.of("sieger", ["W", "R"]).read("R").result.value
    '1/2-1/2'
    >>> Winners.of("ganador", ["B", "N", "T"]).read("B").result.value
    '1-0'
    """

    letters: Mapping[str, Result]

    @classmethod
    def of(cls, header: str, texts: Iterable[str]) -> Winners:
        """Of a column of this key: letters of its language, or English ones if only they fit."""
        own = next((each for names, each in _ALPHABETS.items() if header in names.split()), None)
        english = _letters(_ALPHABETS["winner"])
        if own is None:
            return cls(english)
        used = {plain for text in texts if len(plain := _plain(text)) == 1 and plain.isalpha()}
        found = _letters(own)
        return cls(english if not used <= found.keys() and used <= english.keys() else found)

    def read(self, text: str) -> Outcome | None:
        """The result: White, Black or nobody won; None where it may be a player's name."""
        plain = _plain(text)
        result = _WINNER_SIGNS.get(plain) or self.letters.get(plain)
        if result is not None:
            return Outcome(result)
        # A letter of another language says nothing, or the wrong thing.
        return None if len(plain) == 1 and plain.isalpha() else outcome(text)


def _letters(alphabet: tuple[str, str, str]) -> dict[str, Result]:
    white, black, drawn = alphabet
    return {
        **dict.fromkeys(white, Result.WHITE_WINS),
        **dict.fromkeys(black, Result.BLACK_WINS),
        **dict.fromkeys(drawn, Result.DRAW),
    }


def is_of_two_sides(text: str) -> bool:
    """Whether it is a result such as 1-0, which nothing else in a table looks like."""
    found = _of_two_sides(_plain(text))
    return found is not None and found.status is GameStatus.PLAYED


def is_spoilt(text: str) -> bool:
    """Whether a spreadsheet turned a result into a date, so that nobody knows it any more."""
    plain = _plain(text)
    return bool(dates.days_of(plain) or _DATE_OF_RESULT.fullmatch(plain))


def _plain(text: str) -> str:
    text = " ".join(text.translate(_DASHES).casefold().split())
    return _ONE_OR_NOTHING.sub(r"\1", _HALVES.sub("½", text))


def _of_two_sides(plain: str) -> Outcome | None:
    bare = re.sub(r"(?<=[01½])\s*f\b", "", plain)
    bare = _DEFAULT.sub("", bare)
    if bare == "--":
        bare = "- -"
    match = _SIDES.fullmatch(bare)
    if match is None:
        return None
    white, black = match[1], match[3]
    default = bare != plain or {white, black} <= {"+", "-"}
    status = GameStatus.FORFEIT if default else GameStatus.PLAYED
    points = HALF[white], HALF[black]
    if points == (0, 0):
        return Outcome(Result.NONE, GameStatus.FORFEIT)
    if sum(points) != 2:
        return None
    return Outcome(of_points(points[0]), status)


def _once_a_date(plain: str) -> Outcome | None:
    """What a spreadsheet made of 1/2, 1:0 and 0:1, which can still be told.

    1-0 and 0-1 both become the same day, so they cannot.
    """
    if _TIME_OF_WHITE.fullmatch(plain):
        return Outcome(Result.WHITE_WINS, was_date=True)
    if _TIME_OF_BLACK.fullmatch(plain):
        return Outcome(Result.BLACK_WINS, was_date=True)
    days = dates.days_of(plain).values()
    halves = [{day.month, day.day} == {1, 2} for day in days]
    if (halves and all(halves)) or _DATE_OF_DRAW.fullmatch(plain):
        return Outcome(Result.DRAW, was_date=True)
    return None


def of_points(half_points: int, colour: Colour = Colour.WHITE) -> Result:
    """The result of a game in which the side with that colour had so many half points."""
    if half_points == 1:
        return Result.DRAW
    white_won = (half_points == 2) == (colour is Colour.WHITE)
    return Result.WHITE_WINS if white_won else Result.BLACK_WINS


def half_points(text: str) -> int | None:
    """What one side scored in a game, in half points; None where it is no such score."""
    plain = _plain(text)
    words = {"w": 2, "win": 2, "won": 2, "l": 0, "loss": 0, "lost": 0, "d": 1}
    if plain in words:
        return words[plain]
    if plain in _DRAWS:
        return 1
    found = _once_a_date(plain)
    if found and found.result is Result.DRAW:
        return 1
    return HALF.get(plain)


# The cells of a cross table


class Cell(NamedTuple):
    """What a player's row says of one round."""

    opponent: int | None
    """His number; None without one."""
    points: int | None
    """Half points; None: open, or unknown."""
    colour: str = ""
    """``w``, ``b``, or nothing."""
    status: GameStatus = GameStatus.PLAYED
    rated: bool = True
    handicap: int | None = None


_RESULT = r"(?:[01½+=-])"
_LETTER = r"[wbsnzcчб]"
_TRF = pattern(rf"0*([1-9][0-9]{{0,4}})\s*({_LETTER})\s*({_RESULT})?(f?)")
_COLOUR_FIRST = pattern(
    rf"({_LETTER})\s*0*([1-9][0-9]{{0,4}})(?:\s+|\s*:\s*|(?=[½+=-]))({_RESULT})"
)
"""A digit needs something between: ``W41`` may be against 41."""
_US = pattern(r"([wldxf])\s*0*([1-9][0-9]{0,4})")
_GO_CELL = pattern(r"0*([1-9][0-9]{0,4})\s*([-+=?])\s*([/!]?)\s*(?:([wb?])\s*([0-9]{1,2})?)?")
_SWISS_PERFECT = pattern(r"0*([0-9]{0,5}) ?: ?([wld+=-])?")
"""``11:W``, ``0:D`` (a bye), ``7:-`` (not played), ``:`` (nothing)."""
_NOT_PLAYED = pattern(r"0*([1-9][0-9]{0,4})-([-+])")
"""Three columns of Swiss-Manager put together: opponent, no colour, who appeared."""
_SIGN_FIRST = pattern(rf"([-+=])\s*({_LETTER})?\s*0*([1-9][0-9]{{0,4}})\s*({_LETTER})?")
_NOBODY = pattern(r"(?:0+\s*+-?|-)\s*+([-+=½01hufzbx])|([hufzbx])")
_BYE = pattern(r"(?:bye\s*\(?([01½])?\)?|([01½])\s*bye)")
_UNPLAYED = pattern(r"(?:0{4}\s*+)?-*+\s*+-*+|0")
"""Not paired; chess-results has a bare 0."""


@dataclass(frozen=True, slots=True)
class Notation:
    """What the signs of a table mean, seen from all of its cells."""

    digits: bool = False
    """Results are 1, 0 and ½, so that ``+`` and ``-`` are something else."""
    unrated_signs: bool = False
    """``+ = -`` are games that are not rated: there is a ½ beside ``=``."""
    us: bool = False
    """US Chess: W, L, D before the opponent, and H, B, U, X, F for what was not played."""
    romance: bool = False
    """``b`` is White: blanc, blancas, białe."""
    by_case: bool = False
    """US Chess: ``W2`` was White and ``w2`` Black."""
    clash: bool = False
    """The letters of colours are of several languages, so that ``b`` cannot be told."""

    @classmethod
    def of(cls, texts: Iterable[str]) -> Notation:
        """The notation of the cells of a table."""
        signs, letters, us = set(), set(), False
        cases = set()
        cells = set(texts)
        for text in cells:
            if text[:1].casefold() in ("w", "l", "d") and _US.fullmatch(_plain(text)):
                cases.add(text[:1].isupper())
        for text in {_plain(text) for text in cells}:
            if match := _TRF.fullmatch(text):
                signs.add(match[3])
                letters.add(match[2])
            elif match := _COLOUR_FIRST.fullmatch(text):
                signs.add(match[3])
                letters.add(match[1])
            elif match := _SIGN_FIRST.fullmatch(text):
                letters.update({match[2], match[4]} - {None})
            elif _US.fullmatch(text):
                us = True
        romance = bool(letters & set("ncч")) or "б" in letters
        return cls(
            digits=not signs.isdisjoint("10½"),
            unrated_signs={"½", "="} <= signs,
            us=us,
            by_case=us and len(cases) == 2,
            romance=romance and "w" not in letters,
            clash="w" in letters and romance,
        )

    def _colour(self, letter: str | None) -> str:
        if not letter or self.clash:
            return ""
        if letter == "b":
            return "w" if self.romance else "b"
        return {"w": "w", "б": "w"}.get(letter, "b")

    def read(self, text: str) -> Cell | None:
        """What a cell says; None where it cannot be told.

        >>> Notation().read("W 12")[:3], Notation(digits=True).read("12 b ½")[:3]
        ((12, 2, ''), (12, 1, 'b'))
        """
        plain = _plain(text)
        if match := _TRF.fullmatch(plain):
            return self._signed(match[1], match[2], match[3], bool(match[4]))
        if match := _COLOUR_FIRST.fullmatch(plain):
            return self._signed(match[2], match[1], match[3], default=False)
        if match := _SWISS_PERFECT.fullmatch(plain):
            return _of_swiss_perfect(match)
        if match := _NOT_PLAYED.fullmatch(plain):
            cell = Cell(int(match[1]), HALF[match[2]], status=GameStatus.FORFEIT, rated=False)
            return cell
        if not self.digits and (match := _GO_CELL.fullmatch(plain)):
            return self._of_go(match)
        if match := _US.fullmatch(plain):
            colour = ("w" if text.strip()[:1].isupper() else "b") if self.by_case else ""
            return _of_us(match)._replace(colour=colour if match[1] in "wld" else "")
        if not self.digits and (match := _SIGN_FIRST.fullmatch(plain)):
            return Cell(int(match[3]), HALF[match[1]], self._colour(match[2] or match[4]))
        return self._without_opponent(plain)

    def _signed(self, opponent: str, letter: str, sign: str | None, default: bool) -> Cell:
        cell = Cell(int(opponent), None if sign is None else HALF[sign], self._colour(letter))
        if default:
            return cell._replace(status=GameStatus.FORFEIT, rated=False)
        if sign in ("+", "-", "=") and self.unrated_signs:
            return cell._replace(rated=False)
        if sign in ("+", "-") and self.digits:
            return cell._replace(status=GameStatus.FORFEIT, rated=False)
        return cell

    def _of_go(self, match: re.Match[str]) -> Cell:
        points = None if match[2] == "?" else HALF[match[2]]
        colour = (match[4] or "").strip("?")
        cell = Cell(int(match[1]), points, colour, handicap=int(match[5]) if match[5] else None)
        default = match[3] == "!"
        return cell._replace(status=GameStatus.FORFEIT, rated=False) if default else cell

    def _without_opponent(self, plain: str) -> Cell | None:
        bye = Cell(None, None, status=GameStatus.BYE, rated=False)
        if plain in BYES:
            return bye
        if match := _BYE.fullmatch(plain):
            return bye._replace(points=HALF[match[1] or match[2]])
        if _UNPLAYED.fullmatch(plain):
            return bye._replace(points=0)
        match = _NOBODY.fullmatch(plain)
        if match is None:
            return None
        full = {"b", "x"} if self.us else {"u", "f", "b", "x"}
        sign = match[1] or match[2]
        points = 2 if sign in full else 1 if sign == "h" else HALF.get(sign, 0)
        return bye._replace(points=points)


def _of_swiss_perfect(match: re.Match[str]) -> Cell:
    sign = match[2] or ""
    points = {"w": 2, "+": 2, "d": 1, "=": 1, "l": 0, "-": 0}.get(sign)
    if not match[1]:
        return Cell(None, points or 0, status=GameStatus.BYE, rated=False)
    cell = Cell(int(match[1]), points)
    default = sign in ("+", "-") and sign != ""
    return cell._replace(status=GameStatus.FORFEIT, rated=False) if default else cell


def _of_us(match: re.Match[str]) -> Cell:
    points = {"w": 2, "x": 2, "d": 1, "l": 0, "f": 0}[match[1]]
    cell = Cell(int(match[2]), points)
    default = match[1] in "xf"
    return cell._replace(status=GameStatus.FORFEIT, rated=False) if default else cell


def games_of_matrix_cell(text: str) -> list[tuple[int, bool]] | None:
    """The half points of each game in a cell of an all-play-all table, and whether by default.

    >>> games_of_matrix_cell("1 ½")
    [(2, False), (1, False)]
    """
    plain = _plain(text).replace(" ", "")
    if any(char not in HALF for char in plain):
        return None
    return [(HALF[char], char in "+-") for char in plain]
