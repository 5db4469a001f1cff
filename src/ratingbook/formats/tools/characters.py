"""Names in the letters that an encoding has."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from functools import cache

_PLAIN = {
    "Ø": "O", "ø": "o", "Đ": "D", "đ": "d", "Ħ": "H", "ħ": "h", "ı": "i", "Ł": "L", "ł": "l",
    "Ŧ": "T", "ŧ": "t", "Ŋ": "N", "ŋ": "n", "Œ": "OE", "œ": "oe", "Æ": "AE", "æ": "ae",
    "ß": "ss", "ẞ": "SS", "Þ": "Th", "þ": "th", "Ð": "D", "ð": "d", "ə": "a", "Ə": "A",
    "‘": "'", "’": "'", "ʼ": "'", "“": '"', "”": '"', "–": "-", "—": "-", "−": "-", "…": "...",
}  # fmt: skip
"""Letters and signs that are no plain letter with a mark."""
_UNKNOWN = "?"
_UNSEEN = frozenset(("Cc", "Zl", "Zp"))
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""What turns the direction of writing, also of what comes behind."""


def one_line(text: str) -> str:
    """``text`` without control characters, with single blanks between its words."""
    if not text.isprintable():
        text = "".join(map(_visible, text))
    return " ".join(text.split())


def _visible(letter: str) -> str:
    """The letter; nothing for halves of characters and what turns the direction of writing."""
    category = unicodedata.category(letter)
    if category in _UNSEEN:
        return " "
    return "" if category in ("Cs", "Cf") else letter


def is_control(letter: str) -> bool:
    """Whether nobody sees it, and others than its text may be changed by it where it is shown."""
    return unicodedata.category(letter) in _UNSEEN or letter in _TURNING


def in_letters_of(encoding: str, text: str) -> str:
    """``text`` in letters that ``encoding`` has, those of other scripts as they are spelled.

    What cannot be spelled, and a sign that has no likeness, is ``?``.

    >>> in_letters_of("cp1252", "Wałęsa, Ömer")
    'Walesa, Ömer'
    """
    composed = unicodedata.normalize("NFC", text)
    if _fits(composed, encoding):
        return composed
    return "".join(_letter(letter, encoding) for letter in composed)


def _letter(letter: str, encoding: str) -> str:
    if _fits(letter, encoding):
        return letter
    apart = unicodedata.normalize("NFKD", _PLAIN.get(letter, letter))
    plain = "".join(_PLAIN.get(each, each) for each in apart if not unicodedata.combining(each))
    if plain and _fits(plain, encoding):
        return plain
    # A mark by itself adds nothing to the letter before it.
    if unicodedata.combining(letter):
        return ""
    spelt = latin(letter) if letter.isalpha() else ""
    return spelt if spelt and _fits(spelt, encoding) else _UNKNOWN


def latin(letter: str) -> str:
    """How a letter of any script is spelled in Latin ones, as well as it is known here."""
    return _speller()(letter)


@cache
def _speller() -> Callable[[str], str]:
    # What the office installs; without it other scripts have no likeness.
    try:
        from anyascii import anyascii
    except ImportError:
        return lambda letter: unicodedata.normalize("NFKD", letter)
    return anyascii


def _fits(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True
