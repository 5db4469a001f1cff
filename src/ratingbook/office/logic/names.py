"""Names as they are compared: Latin letters, folded spellings, and the keys of the register."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from anyascii import anyascii

_HAN = re.compile(r"[\u3400-\u9fff]+")
_COMPOUND = frozenset({"欧阳", "司马", "诸葛", "上官", "夏侯", "司徒", "皇甫", "慕容"})
"""Chinese surnames of two characters."""
_BETWEEN = re.compile(r"[\s,.;/\-()]+")
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
_VOWELS = re.compile(r"[aeiou]+")


def tokens(name: str) -> tuple[str, ...]:
    """The parts of a name in small Latin letters, in the order of the name."""
    if not name.isascii():
        name = _HAN.sub(
            lambda found: f" {_split_han(found.group())} ", unicodedata.normalize("NFC", name)
        )
    words = _BETWEEN.split(name)
    plain = [_NO_LETTER.sub("", anyascii(word).lower()) for word in words]
    return tuple(filter(None, plain))


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


def keys(name: Form, birth_year: int | None) -> list[str]:
    """Under what a person of that name is looked up; sorted, so that every search is the same."""
    found: set[str] = set()
    for one, other in combinations(sorted(name.folded), 2):
        found.add(f"p:{one[:3]}:{other[:3]}")
    for index, token in enumerate(name.folded):
        others = {each[0] for at, each in enumerate(name.folded) if at != index and each}
        found |= {f"c:{bones(token)}:{initial}" for initial in others or {""}}
    joined = "".join(sorted(name.folded))
    if joined:
        found.add(f"j:{joined[:6]}")
    if birth_year is not None and name.tokens:
        initials = "".join(sorted(each[0] for each in name.tokens))
        found.add(f"i:{birth_year}:{initials}")
        found |= {f"y:{birth_year}:{each[:4]}" for each in name.folded}
    return sorted(found)


def told_apart(name: str) -> str:
    """A name that two senders spell alike, with the numbers in it: teams and guests have some."""
    digits = "".join(each for each in name if each.isdigit())
    return form(name).sorted_folded + digits or name
