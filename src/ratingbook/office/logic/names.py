"""Names as they are compared: Latin letters, folded spellings, and the keys of the register."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from anyascii import anyascii

_HAN = re.compile(r"[\u3400-\u9fff]+")
WHOLE_WORDS = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff]"
)
"""Signs of Chinese, Japanese and Korean, of which one or two are a word."""
_COMPOUND = frozenset({"欧阳", "司马", "诸葛", "上官", "夏侯", "司徒", "皇甫", "慕容"})
"""Chinese surnames of two characters."""
_BETWEEN = re.compile(r"[\s,.;:/\-()<>\[\]{}\"&_|+=*!?]+")
"""What stands between the parts of a name; within a part are apostrophes: O'Brien is one."""
_NO_LETTER = re.compile(r"[^a-z]+")
_FOLDS: tuple[tuple[str, str], ...] = (
    ("schtsch", "s"), ("shch", "s"), ("tsch", "c"), ("tch", "c"), ("sch", "s"), ("sh", "s"),
    ("zh", "s"), ("ch", "c"), ("cz", "c"), ("kh", "h"), ("ph", "f"), ("th", "t"), ("ck", "k"),
    ("x", "ks"), ("w", "v"), ("y", "i"), ("j", "i"), ("q", "k"), ("ae", "a"), ("oe", "o"),
    ("ue", "u"), ("z", "s"),
)  # fmt: skip
"""Spellings of one sound, the longest first."""
_DOUBLE = re.compile(r"(.)\1+")
_END = re.compile(r"(ff|f)$")
_MARKED = re.compile(r"([aou])e")
_VOWELS = re.compile(r"[aeiou]+")


def tokens(name: str) -> tuple[str, ...]:
    """The parts of a name in small Latin letters, in the order of the name."""
    if not name.isascii():
        name = _HAN.sub(
            lambda found: f" {_split_han(found.group())} ", unicodedata.normalize("NFC", name)
        )
    return tuple(filter(None, map(_plain, _BETWEEN.split(name))))


@lru_cache(maxsize=1 << 16)
def _plain(word: str) -> str:
    return _NO_LETTER.sub("", anyascii(word).lower())


def parts(name: str) -> tuple[str, ...]:
    """The parts of a name whatever their order, without marks on letters: ö, oe and o are one.

    Names that are equal in these are spellings of one; names of one sound are not.
    """
    return tuple(sorted(map(_without_marks, tokens(name))))


@lru_cache(maxsize=1 << 16)
def _without_marks(token: str) -> str:
    return _MARKED.sub(r"\1", token)


def _split_han(run: str) -> str:
    """A Chinese name: the surname apart from the rest."""
    cut = 2 if run[:2] in _COMPOUND and len(run) > 2 else 1
    return f"{run[:cut]} {run[cut:]}"


@lru_cache(maxsize=1 << 16)
def folded(token: str) -> str:
    """The token with spellings of one sound made equal."""
    for old, new in _FOLDS:
        token = token.replace(old, new)
    return _END.sub("v", _DOUBLE.sub(r"\1", token))


@lru_cache(maxsize=1 << 16)
def bones(token: str) -> str:
    """A folded token without its vowels: spellings of a name differ in them most."""
    return _VOWELS.sub("", token) or token


@dataclass(frozen=True, slots=True)
class Form:
    """A name in the shapes that are compared."""

    tokens: tuple[str, ...]
    folded: tuple[str, ...]
    sorted: str
    sorted_folded: str


@lru_cache(maxsize=1 << 16)
def form(name: str) -> Form:
    """The shapes of a name."""
    plain = tokens(name)
    fold = tuple(folded(each) for each in plain)
    return Form(plain, fold, " ".join(sorted(plain)), " ".join(sorted(fold)))


def as_given(name: str) -> Form:
    """The same of a name whose Chinese parts stand apart already, or are given names alone."""
    return form(_HAN.sub(lambda found: anyascii(found.group()), name))


def keys(plain: Sequence[str], fold: Sequence[str], birth_year: int | None) -> list[str]:
    """Under what a person of that name is looked up; sorted, so that every search is the same.

    ``plain`` are the tokens of the name, ``fold`` the same folded.
    """
    found: set[str] = set()
    ordered = sorted(fold)
    heads = [each[:3] for each in ordered]
    for after, one in enumerate(heads, 1):
        for other in heads[after:]:
            found.add(f"p:{one}:{other}")
    for index, token in enumerate(fold):
        bone = bones(token)
        for at, other in enumerate(fold):
            if at != index:
                found.add(f"c:{bone}:{other[0]}")
    if len(fold) == 1:
        found.add(f"c:{bones(fold[0])}:")
    if fold:
        found.add(f"j:{''.join(ordered)[:6]}")
    if birth_year is not None and plain:
        found.add(f"i:{birth_year}:{''.join(sorted([each[0] for each in plain]))}")
        for each in fold:
            found.add(f"y:{birth_year}:{each[:4]}")
    return sorted(found)


def told_apart(name: str) -> str:
    """A name that two senders spell alike, with the numbers in it: teams and guests have some."""
    digits = "".join(each for each in name if each.isdigit())
    return form(name).sorted_folded + digits or name
