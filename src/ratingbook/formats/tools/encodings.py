"""In which encoding a file is that is neither UTF-8 nor marked, told by its letters.

Every encoding that a tournament program of some country writes is tried on the words
that have letters beyond ASCII.  A word costs as many bits as its pairs of letters are
rare in names; the encoding in which all words cost least is the right one.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import NamedTuple

from ratingbook.formats.tools.letters import LEVELS
from ratingbook.model import Finding, Place, Severity
from ratingbook.model.patterns import pattern
from ratingbook.model.sentences import sentence

_NAMED: ContextVar[str | None] = ContextVar("named", default=None)
LOOK = (
    "Look at the names; if they are wrong, say the right encoding with --encoding, or save the "
    "file as UTF-8."
)
"""What to do about a guess."""
_LONGEST_EXAMPLE = 40
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
    "cp1253": ("greek", "Greece"),
    "iso8859-7": ("greek", "Greece"),
    "cp1257": ("baltic", "Baltic countries"),
    "cp949": ("korean", "Korea, EUC-KR"),
    "cp950": ("taiwanese", "Taiwan and Hong Kong, Big5"),
    "euc_jp": ("japanese", "Japan, EUC-JP"),
}
"""Encoding → the script whose letters it is tried with, and where it is used."""
SELDOM: Mapping[str, tuple[str, str]] = {
    "cp1256": ("arabic", "Arabic"),
    "cp1255": ("hebrew", "Israel"),
    "iso8859-13": ("baltic", "Baltic countries"),
    "cp737": ("greek", "Greece, DOS"),
    "cp857": ("turkish", "Turkey, DOS"),
    "cp775": ("baltic", "Baltic countries, DOS"),
    "cp862": ("hebrew", "Israel, DOS"),
    "iso8859-4": ("baltic", "Baltic countries"),
    "iso8859-6": ("arabic", "Arabic"),
    "iso8859-16": ("central", "Romania"),
    "mac-roman": ("western", "Western Europe, Macintosh"),
    "mac-latin2": ("central", "Central Europe, Macintosh"),
    "mac-turkish": ("turkish", "Turkey, Macintosh"),
    "mac-cyrillic": ("cyrillic", "Cyrillic, Macintosh"),
    "mac-greek": ("greek", "Greece, Macintosh"),
}
"""The same of encodings that few files are in: much must speak for them."""

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
_SELDOM_MARGIN = 24
"""The same for an encoding that hardly anybody wrote in."""
_SURE = 16
"""Bits between the best encoding and another one that reads otherwise, to be sure."""
_SURE_OF_DIFFERING = 8
"""The same counted in the words that read otherwise."""
_LEAST_APART = 4
"""By so much the words that differ must speak against the usual encoding."""
_SYMBOL = 1.35
"""A letter of two bytes costs once what two letters of an alphabet cost in three pairs."""
_PLAUSIBLE: Mapping[str, float] = {
    "western": 10.5, "central": 10.5, "hungarian": 10.5, "turkish": 10.5, "baltic": 10.5,
    "chinese": 17.5, "taiwanese": 17.5, "japanese": 16, "korean": 16,
}  # fmt: skip
"""Bits a pair (or single letter) above which the words look like none: nothing is sure then."""
_PLAUSIBLE_ELSEWHERE = 10
"""The same in the other alphabets."""
_FEW, _MANY, _OF_MANY = 4, 16, 4.5
"""Fewer letters of two bytes may be anything; many fit by chance in no other encoding and may cost
more."""
_FIRST_WORDS = 150
"""Words that every encoding is tried on; the rest is for those that are not out of question."""
_FAR = 300
"""Bits behind the best that put an encoding out of question."""
_BACKOFF = 3
"""Bits more of a pair that no name has than its letters cost by themselves."""
_ASCII_BITS = 4
_LATIN = frozenset({"western", "central", "hungarian", "turkish", "baltic"})
_SINGLES = frozenset({"chinese", "japanese", "taiwanese", "korean"})
"""Scripts of which single letters are counted, because there are too many pairs."""
_BESIDE: Mapping[str, Sequence[str]] = {
    # It was made for š and ž, too.
    "iso-8859-15": ("central",),
    # Among seven languages the letters of one that has others would be rare.
    **dict.fromkeys(("cp1250", "iso8859-2", "cp852", "mac-latin2", "iso8859-16"), ("hungarian",)),
}
"""Other scripts with whose letters an encoding is tried."""
_RARE_LETTER = 17
_NARROW_KANA = 18
_MOST_WORDS = 1_000
_LONGEST = 256
"""Of a longer word the beginning is weighed: it is none of a language."""
_MOST_SIGNS = 3
"""In a longer word signs are letters of another encoding."""
_MOST_BYTES = 1 << 22
_QUOTATION = "“”„‘’‚«»"
_EDGE = "^"
_CEDILLAS = str.maketrans("șțȘȚ", "şţŞŢ")
"""Romanian letters are the same with a comma below."""
_FRACTIONS = b"\xbc\xbd\xbe"
"""Standing alone these are ¼, ½ and ¾, whatever letters ISO-8859-15 has there: none is a word."""
_SIGNS = frozenset("½¼¾§€“”„‘’‚–—°ºª©®«»\xa0…·•×±¡¿№¹²³¸´")
# Tried where a word begins only: else a line of letters without end is read from each of them.
_BYTES = pattern(rb"(?<![A-Za-z'])[A-Za-z']*+[\x80-\xff][A-Za-z'\x80-\xff]*")
_LETTERS = pattern(r"(?<![A-Za-z'])[A-Za-z']*+[^\x00-\x7f][A-Za-z'\u0080-\U0010ffff]*")
_FIRST_LEVEL = {
    "chinese": ("gb2312", 0xB0, 0xD7),
    "japanese": ("shift_jis", 0x82, 0x98),
    "taiwanese": ("big5", 0xA4, 0xC6),
    "korean": ("euc_kr", 0xB0, 0xC8),
}
"""The characters that people write, by their first byte in an encoding."""
_DOUBLE = frozenset({"gb18030", "cp932", "cp949", "cp950", "euc_jp"})

_levels: dict[str, Sequence[str]] = dict(LEVELS)


class Guess(NamedTuple):
    """The encoding, whether it is beyond doubt, and what else it may be."""

    encoding: str
    sure: bool
    other: str = ""
    """The next best encoding that reads the words otherwise."""
    example: str = ""
    """A word as it reads."""

    @property
    def severity(self) -> Severity:
        """How grave it is that the file has to be guessed at."""
        return Severity.INFO if self.sure else Severity.WARNING

    def with_example(self, name: str) -> str:
        """The name of an encoding, with a word by which people see whether the guess is right."""
        if not self.example:
            return name
        return sentence(
            "{encoding}, with words such as {example}", encoding=name,
            example=self.example[:_LONGEST_EXAMPLE],
        )  # fmt: skip

    def finding(self, code: str, said: str, where: Place) -> Finding:
        """That the file was guessed at; first where names may be others than these."""
        told = sentence("{said}.", said=said)
        if self.other and not self.sure:
            told = sentence("{said}; it may also be {other}.", said=said, other=label(self.other))
        return Finding(code, self.severity, told, where, LOOK, first=not self.sure)


def label(encoding: str) -> str:
    """The encoding with where it is used: ``cp1251 (Cyrillic)``."""
    known = CANDIDATES.get(encoding) or SELDOM.get(encoding)
    return f"{encoding} ({known[1]})" if known else encoding


def use(levels: Mapping[str, Sequence[str]]) -> None:
    """Tell encodings by other statistics, to try how good they are."""
    _levels.update(levels)
    _bits_of.cache_clear()
    _letter_bits_of.cache_clear()


def guessed(data: bytes, usual: str = USUAL) -> Guess:
    """In which encoding text is that is not UTF-8; ``usual`` is that of Western names."""
    # In lists of names most lines are ASCII, and looking for words in them takes longest.
    lines = [line for line in data[:_MOST_BYTES].split(b"\n") if not line.isascii()]
    found = (
        match[0][:_LONGEST]
        for line in lines
        for match in _BYTES.finditer(line)
        if not _may_be_signs(match[0], usual)
    )
    words = list(itertools.islice(dict.fromkeys(found), _MOST_WORDS))
    # The last line may be cut in the middle of a letter.
    whole = lines[:-1] if len(data) > _MOST_BYTES else lines
    read = {
        usual if encoding == USUAL else encoding: texts
        for encoding in (*CANDIDATES, *SELDOM)
        if (texts := _in_encoding(usual if encoding == USUAL else encoding, whole, words))
        is not None
    }
    costs = {each: _costs(read[each][:_FIRST_WORDS], each) for each in read}
    if len(words) > _FIRST_WORDS:
        nearest = min(map(sum, costs.values()))
        near = [each for each in read if sum(costs[each]) - nearest < _FAR or each == usual]
        costs = {each: _costs(read[each], each) for each in near}
    totals = {each: sum(costs[each]) + _prior(each) for each in costs}
    best = min(totals, key=totals.__getitem__)
    if _apart(usual, best, read, costs) < _LEAST_APART:
        best = usual
    others = [each for each in costs if read[each] != read[best]]
    other = min(others, key=totals.__getitem__, default="")
    sure = (
        _is_plausible(read[best], best, sum(costs[best]))
        and all(_is_behind(each, best, read, costs) for each in others)
        if words
        else _only_signs(lines, usual)
    )
    return Guess(best, sure, other, max(read[best], key=len, default=""))


def _only_signs(lines: Sequence[bytes], usual: str) -> bool:
    """Whether nothing beyond ASCII is a letter, so that no name can be read wrongly."""
    texts = (line.translate(None, _FRACTIONS).decode(usual, errors="replace") for line in lines)
    return all(letter in _SIGNS for text in texts for letter in text if not letter.isascii())


def _scripts(encoding: str) -> Sequence[str]:
    """The scripts whose letters an encoding is tried with; that of a Western one is the usual."""
    script, _ = CANDIDATES.get(encoding) or SELDOM.get(encoding) or CANDIDATES[USUAL]
    return script, *_BESIDE.get(encoding, ())


def _prior(encoding: str) -> int:
    """Bits by which the letters must speak for an encoding, since it is not the usual one."""
    if encoding in SELDOM:
        return _SELDOM_MARGIN
    return _MARGIN if encoding in CANDIDATES and encoding != USUAL else 0


def _costs(texts: Sequence[str], encoding: str) -> list[float]:
    """What each word costs in the script that fits it best: events have guests."""
    return [min(_cost(word, each) for each in _scripts(encoding)) for word in texts]


def _apart(
    other: str, best: str, read: Mapping[str, list[str]], costs: Mapping[str, list[float]]
) -> float:
    """Bits by which the words speak for the best encoding that read otherwise in another one.

    What both read alike tells of the language more than of the encoding.
    """
    if len(read[other]) != len(read[best]):
        return sum(costs[other]) - sum(costs[best])
    each = zip(read[other], read[best], costs[other], costs[best], strict=True)
    return sum(there - here for one, word, there, here in each if one != word)


def _is_behind(
    other: str, best: str, read: Mapping[str, list[str]], costs: Mapping[str, list[float]]
) -> bool:
    """Whether another encoding is out of question, by all words and by those that differ."""
    apart, differing = sum(costs[other]) - sum(costs[best]), _apart(other, best, read, costs)
    if not _prior(best) and differing >= 2 * _SURE:
        # The language of Western names is one of a dozen, whose letters each alone fit worse.
        apart = max(apart, differing)
    prior = _prior(other) - _prior(best)
    return apart >= 0 and apart + prior >= _SURE and differing + prior >= _SURE_OF_DIFFERING


def _is_plausible(texts: Sequence[str], encoding: str, cost: float) -> bool:
    """Whether the words look like words at all: they may be in an encoding that is not tried."""
    script = _scripts(encoding)[0]
    letters = sum(1 for word in texts for _ in pairs_of(word, script))
    most = _PLAUSIBLE.get(script, _PLAUSIBLE_ELSEWHERE)
    if script in _SINGLES:
        if letters < _FEW:
            return False
        most += _OF_MANY if letters >= _MANY else 0
    return cost <= most * letters


def _may_be_signs(word: bytes, usual: str) -> bool:
    """Whether a word may as well be a sign or a few, such as that of half a point, or €."""
    if len(word) > _MOST_SIGNS:
        return False
    text = word.decode(usual, errors="replace")
    return len(word) == 1 or not any(letter.isalpha() for letter in text)


def _in_encoding(encoding: str, lines: list[bytes], words: list[bytes]) -> list[str] | None:
    """The words of the lines as the encoding reads them; None where it cannot be this one."""
    if encoding not in _DOUBLE:
        return [word.decode(encoding, errors="replace").translate(_CEDILLAS) for word in words]
    found: dict[str, None] = {}
    for line in lines:
        try:
            text = line.decode(encoding)
        except UnicodeDecodeError:
            return None
        found.update(dict.fromkeys(match[0][:_LONGEST] for match in _LETTERS.finditer(text)))
        if len(found) > _MOST_WORDS:
            break
    return list(found)


def _cost(word: str, script: str) -> float:
    """How many bits a word costs in names of this script."""
    bits = _bits_of(script)
    if all(letter in _SIGNS for letter in word):
        return (_SIGN if len(word) <= _MOST_SIGNS else _ODD) * len(word)
    # A pair of quotation marks round a word is nothing odd; one alone is a letter of DOS.
    quoted = word[0] in _QUOTATION and word[-1] in _QUOTATION
    inner = word.strip(_QUOTATION) if quoted else word
    total = float(_SIGN * (len(word) - len(inner)))
    word = inner
    for pair in pairs_of(word, script):
        total += bits[pair] if pair in bits else _unknown(pair, script)
    for one, other in itertools.pairwise(word):
        if script not in _LATIN and one.isascii() != other.isascii():
            total += _MIXED
        if one.islower() and other.isupper() and not (one.isascii() and other.isascii()):
            total += _TURNED
    return total * _SYMBOL if script in _SINGLES else total


def _unknown(pair: str, script: str) -> float:
    for letter in pair:
        if not letter.isalpha() and letter not in (_EDGE, "'"):
            # A sign beside a word is nothing odd.
            return _SIGN if letter in _SIGNS and _EDGE in pair else _ODD
    if script not in _SINGLES:
        alone = _letter_bits_of(script)
        bits = sum(
            _ASCII_BITS if letter.isascii() else alone.get(letter, _UNKNOWN) for letter in pair
        )
        return min(bits + _BACKOFF, _UNKNOWN)
    codec, begin, end = _FIRST_LEVEL[script]
    try:
        first = pair.encode(codec)[0]
    except UnicodeEncodeError:
        return _ODD + 4
    common = begin <= first <= end
    if script == "japanese" and 0xA0 < first < 0xE0:
        return _NARROW_KANA
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


@cache
def _letter_bits_of(script: str) -> Mapping[str, float]:
    """What a letter costs whatever it stands beside."""
    parts: dict[str, float] = {}
    for pair, bits in _bits_of(script).items():
        for letter in pair:
            parts[letter] = parts.get(letter, 0) + 2.0**-bits
    return {letter: -math.log2(part) for letter, part in parts.items()}


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
