"""What the writers of Go files share: texts on one line, the encoding, which games count."""

from __future__ import annotations

from ratingbook.formats.tools.notes import Notes, Remark
from ratingbook.formats.tools.text import decode
from ratingbook.model import Game, GameStatus, Place, Severity
from ratingbook.model.patterns import pattern
from ratingbook.model.sentences import sentence

LATIN_9 = "iso-8859-15"
"""What tournament programs write and the receivers of their files expect."""

ENCODING = Remark(
    "go.encoding",
    Severity.WARNING,
    "The file is written as UTF-8, because of characters that could be misread in ISO-8859-15",
    "Tell the receiver so, or write the names without these characters.",
)

ONE_SIDE = Remark(
    "go.one-side",
    Severity.WARNING,
    "Games that are rated for one side only were written as rated for both",
    "Take these games out, or make them forfeits, if they shall not be rated at all.",
)
STONES = Remark(
    "go.stones",
    Severity.WARNING,
    "Handicaps of more than 99 stones were written as 99",
    "Correct the handicaps.",
)

MAX_STONES = 99
_GAPS = pattern("[\\s\x00-\x1f\x7f-\x9f\ud800-\udfff]+")
_NOT_BEGUN = (GameStatus.FORFEIT, GameStatus.CANCELLED, GameStatus.BYE)


def one_line(text: str | None) -> str:
    """``text`` with one blank for every gap, and for characters that no file can hold."""
    return _GAPS.sub(" ", text or "").strip()


def counts(game: Game) -> bool:
    """Whether a game was played and is to be rated, for one side at least."""
    return game.status not in _NOT_BEGUN and (game.white_rated or game.black_rated)


def note_game(game: Game, notes: Notes) -> None:
    """Note what a Go file cannot say of a game."""
    what = f"{game.white} against {game.black} in round {game.round or '?'}"
    if counts(game) and game.white_rated != game.black_rated:
        notes.add(ONE_SIDE, what, game.place)
    if game.handicap > MAX_STONES:
        notes.add(STONES, f"{what}: {game.handicap}", game.place)


def encoded(text: str, notes: Notes) -> bytes:
    """The bytes of a file: ISO-8859-15 where a reader finds the same text in it, else UTF-8.

    A reader tells the encoding by its letters, and may see other ones in a few rare ones.
    """
    data = text.encode(LATIN_9, errors="replace")
    if data.decode(LATIN_9) != text:
        strange = sorted({letter for letter in text if not _is_latin_9(letter)})
        notes.add(ENCODING, " ".join(strange[:20]), Place())
        return text.encode()
    if not text.isascii() and _lines(data) != _lines(text.encode()):
        notes.add(ENCODING, sentence("letters that together look like another encoding"), Place())
        return text.encode()
    return data


def _lines(data: bytes) -> list[str]:
    return [line.text for line in decode(data, legacy=LATIN_9).lines]


def _is_latin_9(letter: str) -> bool:
    return letter.encode(LATIN_9, errors="ignore") != b""
