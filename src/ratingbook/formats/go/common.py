"""What the Go formats share: grades, countries, player numbers, dates and komi.

A player's id in the report is his PIN (the eight digits of the European Go
Database) where the file gives one, and otherwise his place or number in the
file as text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from ratingbook.formats.tools.dates import (
    Calendar,
    Order,
    between,
    calendar,
    days_of,
    has_no_such_month,
    is_year_first,
    missing_days,
    spanned,
)
from ratingbook.formats.tools.notes import Notes, Remark
from ratingbook.model import MOST_STONES, Game, GameStatus, Place, Result, Severity
from ratingbook.model.patterns import pattern
from ratingbook.model.sentences import row_of, sentence

BOARD = "19"
"""The size of the board that ratings are about."""
KIND = "swiss"
"""What every event is called whose file does not say more."""

GRADE = Remark(
    "go.grade",
    Severity.WARNING,
    "Grades that are none of 30k to 1k, 1d to 9d, 1p to 9p were left out",
    "Correct the grade: it decides the first rating, and handicaps where they are computed.",
)
COUNTRY = Remark(
    "go.country",
    Severity.INFO,
    "Players have no country (XX is none); a player without one may stand for a bye",
    "Write the two-letter code of the country; take out players who stand for a bye.",
)
PIN = Remark(
    "go.pin",
    Severity.WARNING,
    "Player numbers that are not the eight digits of a PIN were left out",
    "Correct the PIN, or leave it out.",
)
DUPLICATE = Remark(
    "player.duplicate",
    Severity.ERROR,
    "Two players have the same number",
    "Give every player the number that is his own.",
    each=True,
)
GHOST = Remark(
    "go.ghost",
    Severity.WARNING,
    "Players called Ghost stand for a bye; they were left out, their games are byes",
    "Nothing to do if that is right; a person needs a name.",
)
NAME = Remark(
    "go.name",
    Severity.WARNING,
    "Players have no name",
    "Add the names; without them nobody can be identified.",
)
RATING = Remark(
    "go.rating",
    Severity.INFO,
    "Ratings of which the file does not clearly say that they are the EGF's were left out",
    "Nothing to do; ratings come from the list in force.",
)
PRELIMINARY = Remark(
    "go.preliminary",
    Severity.INFO,
    "Players who were only registered preliminarily and have no game were left out",
    "Nothing to do, unless results are missing.",
)
ROUNDS = Remark(
    "go.rounds",
    Severity.WARNING,
    "Results are missing: fewer rounds have games than the file declares",
    "Send the file again when all results are entered.",
)
BOARD_SIZE = Remark(
    "go.board",
    Severity.WARNING,
    f"The games were not played on a board of {BOARD} lines",
    "Do not send events on small boards for rating.",
)

KOMI = Remark(
    "go.komi",
    Severity.WARNING,
    "The komi is not a number of points and was left out",
    "Write the points that White has in even games, such as 6.5.",
)

NO_CLASS = Remark(
    "event.no-class",
    Severity.INFO,
    "The event's class is not given; it decides how much the games weigh",
    "Name the class A, B, C or D (in an h9 file as ; CL[A]), if the edition has classes.",
)
NO_DATES = Remark(
    "event.no-dates",
    Severity.WARNING,
    "The event's dates are not complete",
    "Add the first and the last day, each as year-month-day.",
)
UNREADABLE_DATES = Remark(
    "event.dates",
    Severity.WARNING,
    "Dates of the event were not understood",
    "Write the first and the last day as year-month-day.",
)
DOUBTFUL_DATES = Remark(
    "event.dates",
    Severity.WARNING,
    "The dates of the event can be read in several ways",
    "Write the first and the last day as year-month-day.",
)
BACKWARDS = Remark(
    "event.dates",
    Severity.ERROR,
    "The event ends before it starts",
    "Correct the dates.",
)
UNDERSTOOD_DATES = Remark(
    "event.dates",
    Severity.INFO,
    "The dates of the event are not two dates as year-month-day; they were understood",
    "Look whether they are right.",
)
UNUSUAL_DATES = Remark(
    "event.dates",
    Severity.WARNING,
    "The dates of the event are written in no usual order; they were understood",
    "Write the first and the last day as year-month-day.",
    first=True,
)
NO_SUCH_MONTH = Remark(
    "event.dates",
    Severity.ERROR,
    "A date of the event has a month that there is not",
    "Write the first and the last day as year-month-day.",
)

SELF = Remark(
    "game.self",
    Severity.ERROR,
    "A player meets himself",
    "Correct the opponent.",
    each=True,
)
OPPONENT = Remark(
    "game.opponent",
    Severity.ERROR,
    "A game names a player whom the file does not have",
    "Correct the player, or add him.",
    each=True,
)
TWICE = Remark(
    "game.twice",
    Severity.ERROR,
    "A player has two games in one round; the second was left out",
    "Take out the wrong one.",
    each=True,
)
RESULT = Remark(
    "game.result",
    Severity.ERROR,
    "The result of a game was not understood",
    "Correct the result.",
    each=True,
)
ROUND = Remark(
    "game.round",
    Severity.ERROR,
    "The round of a game is not a number from 1 on",
    "Correct the round.",
    each=True,
)
HANDICAP = Remark(
    "game.handicap",
    Severity.ERROR,
    "The handicap of a game is not a number of stones",
    "Write the number of stones, 0 for an even game.",
    each=True,
)
BOTH = Remark(
    "game.both",
    Severity.WARNING,
    "Games that both players lost, or both won, are not rated",
    "Nothing to do if that is right.",
)

_GRADE = pattern(r"\s*0?([1-9][0-9]?)\s*(k(?:yu)?|d(?:an)?|p(?:ro)?)\s*", re.IGNORECASE)
_HIGHEST = {"k": 30, "d": 9, "p": 9}
_PIN = pattern(r"[0-9]{8}")
_COUNTRY = pattern(r"[A-Za-z]{2}")
_UNKNOWN_COUNTRY = "XX"
_GHOST = pattern(r"ghost[0-9]*", re.IGNORECASE)
_NO_CLUB = pattern(r"x{2,}", re.IGNORECASE)
_KOMI = pattern(r"-?[0-9]{1,3}(?:[.,][0-9]{1,2})?")
_AGA = pattern(r"0*([1-9][0-9]{0,4})")
_AGA_TEMPORARY = 90_000
_PRO = 6


def grade(text: str) -> str | None:
    """A grade as ``12k``, ``6d`` or ``1p``; None where ``text`` is none.

    >>> grade("12K"), grade(" 6 dan"), grade("31k")
    ('12k', '6d', None)
    """
    match = _GRADE.fullmatch(text)
    if match is None:
        return None
    letter = match[2][0].lower()
    return f"{match[1]}{letter}" if int(match[1]) <= _HIGHEST[letter] else None


def strength(normal: str) -> int:
    """The grade on a scale without gap: 1k is −1, 1d is 0; a professional counts as 7d.

    >>> strength("3k"), strength("1k"), strength("1d"), strength("2p")
    (-3, -1, 0, 6)
    """
    number, letter = int(normal[:-1]), normal[-1]
    return {"k": -number, "d": number - 1}.get(letter, _PRO)


def computed_handicap(gap: int, reduction: int) -> int:
    """The difference of grades less the reduction, at least none and at most nine stones."""
    return min(max(gap - reduction, 0), MOST_STONES)


def country(text: str) -> str | None:
    """The two-letter code in capitals; None for XX and for anything else."""
    code = text.strip().upper()
    return code if _COUNTRY.fullmatch(code) and code != _UNKNOWN_COUNTRY else None


def club(text: str) -> str | None:
    """The club; None where nothing stands, or what stands in the column for none (xxxx)."""
    return text if text and not _NO_CLUB.fullmatch(text) else None


def pin(text: str) -> str | None:
    """The eight digits of a PIN; None for zeros and for anything else."""
    text = text.strip()
    return text if _PIN.fullmatch(text) and text.strip("0") else None


def aga(text: str) -> str | None:
    """A number of the American Go Association; None for a temporary one and anything else.

    Programs that do not know a number count down from 99999.

    >>> aga("00489"), aga("99998")
    ('489', None)
    """
    match = _AGA.fullmatch(text.strip())
    return match[1] if match and int(match[1]) < _AGA_TEMPORARY else None


def ids_elsewhere(**ids: str | None) -> dict[str, str]:
    """The numbers that are known, by the register that gave them."""
    return {register: number for register, number in ids.items() if number}


def komi(text: str, place: Place, notes: Notes) -> float | None:
    """The points that White has in even games; None, with a note, where it is no number."""
    if _KOMI.fullmatch(text):
        return float(text.replace(",", "."))
    if text:
        notes.add(KOMI, text, place)
    return None


def is_ghost(*names: str) -> bool:
    """Whether somebody of that name stands for a bye."""
    return any(_GHOST.fullmatch(name.strip()) for name in names)


def full_name(surname: str, first_name: str) -> str:
    """Surname and first name as every report of this project writes them."""
    return ", ".join(name for name in (surname.strip(), first_name.strip()) if name)


@dataclass(frozen=True, slots=True)
class Player:
    """What is needed to give a player his id."""

    number: int
    """His place or number in the file."""
    pin: str
    """As written."""
    label: str
    place: Place


def ids(players: Iterable[Player], notes: Notes) -> dict[int, str]:
    """The id of every player by his number, each id once: the PIN, or else the number."""
    first: dict[str, Player] = {}
    result: dict[int, str] = {}
    for player in players:
        own = _pin_of(player, notes)
        known = first.setdefault(own, player) if own else player
        if known is player:
            result[player.number] = own or str(player.number)
        else:
            notes.add(
                DUPLICATE,
                sentence(
                    "{label} and {other}: {own}", label=known.label, other=player.label, own=own
                ),
                player.place,
            )
            result[player.number] = str(player.number)
    return result


def _pin_of(player: Player, notes: Notes) -> str | None:
    known = pin(player.pin)
    if known is None and player.pin.strip("0"):
        notes.add(PIN, f"{player.label}: {player.pin}", player.place)
    return known


def event_dates(
    start: str, end: str, place: Place, notes: Notes, order: Order | None = None
) -> tuple[date | None, date | None]:
    """First and last day; a blank text is an unknown date.

    ``order`` is the order of year, month and day where the format prescribes one; dates
    that cannot be read in it are read as if there were none.
    """
    written = {name: text for name, text in (("the start", start), ("the end", end)) if text}
    meant = {text: days_of(text) for text in written.values()}
    for text in written.values():
        if not meant[text]:
            notes.add(NO_SUCH_MONTH if has_no_such_month(text) else UNREADABLE_DATES, text, place)
    if len(written) < 2:
        missing = missing_days("the start" in written, "the end" in written)
        notes.add(NO_DATES, sentence("{missing} missing", missing=missing), place)
    days = calendar(start, end, {})
    if order and all(order in found for found in meant.values() if found):
        days = Calendar(meant.get(start, {}).get(order), meant.get(end, {}).get(order))
        if not days.backwards:
            return days.start, days.end
    read_as = spanned((days.start, days.end))
    meaning = sentence("{written} as {days}", written=between(written.values()), days=read_as)
    if days.backwards:
        notes.add(BACKWARDS, meaning if days.in_doubt else read_as, place)
    elif days.others:
        others = row_of(spanned(other) for other in days.others)
        notes.add(
            DOUBTFUL_DATES,
            sentence("{meaning}, but it may be {others}", meaning=meaning, others=others),
            place,
        )
    elif days.in_no_order:
        notes.add(UNUSUAL_DATES, meaning, place)
    elif read_as and not all(is_year_first(text) for text in written.values() if meant[text]):
        notes.add(UNDERSTOOD_DATES, meaning, place)
    return days.start, days.end


def number(text: str) -> int | None:
    """A whole number without sign; None where ``text`` is none."""
    text = text.strip()
    return int(text) if re.fullmatch(r"[0-9]{1,6}", text) else None


def bye(player: str, number: int, result: Result, place: Place) -> Game:
    """A round in which a player had no opponent; his score is that of White."""
    return Game(
        white=player,
        black=None,
        result=result,
        status=GameStatus.BYE,
        round=number,
        white_rated=False,
        black_rated=False,
        place=place,
    )
