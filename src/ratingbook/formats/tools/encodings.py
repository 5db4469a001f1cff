"""In which encoding a file is that is neither UTF-8 nor marked, told by its letters.

Every encoding that a tournament program of some country writes is tried on the words
that have letters beyond ASCII.  A word costs as many bits as its pairs of letters are
rare in names; the encoding in which all words cost least is the right one.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import NamedTuple

from ratingbook.formats.tools.letters import LEVELS

_NAMED: ContextVar[str | None] = ContextVar("named", default=None)
USUAL = "cp1252"
"""Western Europe: what a file is in whose letters say nothing else."""
CANDIDATES: Mapping[str, tuple[str, str]] = {
    USUAL: ("western", "Western Europe"),
    "cp1250": ("central", "Central Europe"),
    "cp1254": ("turkish", "Turkey"),
    "cp1251": ("cyrillic", "Cyrillic"),
    "koi8-r": ("cyrillic", "Cyrillic"),
    "koi8-u": ("cyrillic", "Ukraine"),
    "cp866": ("cyrillic", "Cyrillic, DOS"),
    "iso8859-5": ("cyrillic", "Cyrillic"),
    "gb18030": ("chinese", "China"),
    "cp932": ("japanese", "Japan, Shift-JIS"),
    "iso8859-2": ("central", "Central Europe"),
    "cp852": ("central", "Central Europe, DOS"),
    "cp850": ("western", "Western Europe, DOS"),
}
"""Encoding → the script whose letters it is tried with, and where it is used."""

_UNKNOWN = 17
"""Bits of a pair that no name has."""
_ODD = 22
"""Bits of a sign inside a word, or of a character that is none."""
_SIGN = 6
"""Bits of a sign that stands by itself."""
_TURNED = 7
"""Bits more of a capital behind a small letter: so look words in the wrong Cyrillic encoding."""
_MIXED = 40
"""Bits more of a Latin letter beside one of another script: so look Polish words in Japanese."""
_MARGIN = 12
"""Bits by which the usual encoding must be beaten."""
_SURE = 16
"""Bits between the best encoding and another one that reads otherwise, to be sure."""
_LATIN = frozenset({"western", "central", "turkish"})
_SINGLES = frozenset({"chinese", "japanese"})
"""Scripts of which single letters are counted, because there are too many pairs."""
_BESIDE = {"iso-8859-15": ("central",)}
"""It was made for š and ž, too."""
_RARE_LETTER = 17
_MOST_WORDS = 1_000
_MOST_SIGNS = 3
"""In a longer word signs are letters of another encoding."""
_MOST_BYTES = 1 << 22
_EDGE = "^"
_SIGNS = frozenset("½¼¾§€“”„‘’‚–—°ºª©®«»\xa0…·•×±¡¿№¹²³¸´")
# Tried where a word begins only: else a line of letters without end is read from each of them.
_BYTES = re.compile(rb"(?<![A-Za-z'])[A-Za-z']*+[\x80-\xff][A-Za-z'\x80-\xff]*")
_LETTERS = re.compile(r"(?<![A-Za-z'])[A-Za-z']*+[^\x00-\x7f][A-Za-z'\u0080-\U0010ffff]*")
_DOUBLE = frozenset({"gb18030", "cp932"})

_levels: dict[str, Sequence[str]] = dict(LEVELS)


class Guess(NamedTuple):
    """The encoding, whether it is beyond doubt, and what else it may be."""

    encoding: str
    sure: bool
    other: str = ""
    """The next best encoding that reads the words otherwise."""
    example: str = ""
    """A word as it reads."""


def label(encoding: str) -> str:
    """The encoding with where it is used: ``cp1251 (Cyrillic)``."""
    return f"{encoding} ({CANDIDATES[encoding][1]})" if encoding in CANDIDATES else encoding


def use(levels: Mapping[str, Sequence[str]]) -> None:
    """Tell encodings by other statistics, to try how good they are."""
    _levels.update(levels)
    _bits_of.cache_clear()


def guessed(data: bytes, usual: str = USUAL) -> Guess:
    """In which encoding text is that is not UTF-8; ``usual`` is that of Western names."""
    # In lists of names most lines are ASCII, and looking for words in them takes longest.
    lines = [line for line in data[:_MOST_BYTES].split(b"\n") if not line.isascii()]
    found = (
        match[0]
        for line in lines
        for match in _BYTES.finditer(line)
        if not _may_be_signs(match[0], usual)
    )
    words = list(itertools.islice(dict.fromkeys(found), _MOST_WORDS))
    costs: dict[str, float] = {}
    read: dict[str, list[str]] = {}
    for encoding, (script, _) in CANDIDATES.items():
        name = usual if encoding == USUAL else encoding
        # The last line may be cut in the middle of a letter.
        whole = lines[:-1] if len(data) > _MOST_BYTES else lines
        texts = _in_encoding(name, whole, words)
        if texts is not None:
            read[name] = texts
            scripts = [script, *_BESIDE.get(name, ())]
            costs[name] = sum(min(_cost(word, each) for each in scripts) for word in texts)
    best = min(costs, key=costs.__getitem__)
    if read[best] == read[usual] or costs[usual] - costs[best] < _MARGIN:
        best = usual
    others = [each for each in costs if read[each] != read[best]]
    other = min(others, key=costs.__getitem__, default="")
    sure = not other or costs[other] - costs[best] >= _SURE
    example = max(read[best], key=len, default="")
    return Guess(best, sure, other, example)


def _may_be_signs(word: bytes, usual: str) -> bool:
    """Whether a word may as well be a sign or a few, such as that of half a point, or €."""
    if len(word) > _MOST_SIGNS:
        return False
    text = word.decode(usual, errors="replace")
    return len(word) == 1 or not any(letter.isalpha() for letter in text)


def _in_encoding(encoding: str, lines: list[bytes], words: list[bytes]) -> list[str] | None:
    """The words of the lines as the encoding reads them; None where it cannot be this one."""
    if encoding not in _DOUBLE:
        return [word.decode(encoding, errors="replace") for word in words]
    found: dict[str, None] = {}
    for line in lines:
        try:
            text = line.decode(encoding)
        except UnicodeDecodeError:
            return None
        found.update(dict.fromkeys(match[0] for match in _LETTERS.finditer(text)))
        if len(found) > _MOST_WORDS:
            break
    return list(found)


def _cost(word: str, script: str) -> float:
    """How many bits a word costs in names of this script."""
    bits = _bits_of(script)
    if all(letter in _SIGNS for letter in word):
        return _SIGN * len(word)
    total = 0.0
    for pair in pairs_of(word, script):
        total += bits[pair] if pair in bits else _unknown(pair, script)
    for one, other in itertools.pairwise(word):
        if script not in _LATIN and one.isascii() != other.isascii():
            total += _MIXED
        if one.islower() and other.isupper() and not (one.isascii() and other.isascii()):
            total += _TURNED
    return total


def _unknown(pair: str, script: str) -> float:
    for letter in pair:
        if not letter.isalpha() and letter not in (_EDGE, "'"):
            # A quotation mark beside a word is nothing odd.
            return _SIGN if letter in _SIGNS and _EDGE in pair else _ODD
    if script not in _SINGLES:
        return _UNKNOWN
    codec = "gb2312" if script == "chinese" else "shift_jis"
    try:
        first = pair.encode(codec)[0]
    except UnicodeEncodeError:
        return _ODD + 4
    # The characters of the first level are those that people write.
    common = first <= 0xD7 if script == "chinese" else first <= 0x98
    if script == "japanese" and 0xA0 < first < 0xE0:
        return 10
    return _RARE_LETTER if common else _ODD


def pairs_of(word: str, script: str) -> Iterator[str]:
    """What is counted in a word: its pairs with a letter beyond ASCII, or such letters alone."""
    if script in _SINGLES:
        yield from (letter for letter in word if not letter.isascii())
        return
    small = f"{_EDGE}{''.join(map(_small, word))}{_EDGE}"
    for one, other in itertools.pairwise(small):
        if not (one.isascii() and other.isascii()):
            yield one + other


def _small(letter: str) -> str:
    """The small letter, where that is one letter."""
    return letter.lower() if len(letter.lower()) == 1 else letter


@cache
def _bits_of(script: str) -> Mapping[str, int]:
    width = 1 if script in _SINGLES else 2
    return {
        level[at : at + width]: bits
        for bits, level in enumerate(_levels[script])
        for at in range(0, len(level), width)
    }


@contextmanager
def naming(encoding: str | None) -> Iterator[None]:
    """Within, text files are in an encoding that somebody named; None: each says it itself."""
    before = _NAMED.set(encoding)
    try:
        yield
    finally:
        _NAMED.reset(before)


def named() -> str | None:
    """The encoding that somebody named for all text files, if anybody did."""
    return _NAMED.get()
