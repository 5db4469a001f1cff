"""Who is who: by which of a player's numbers, or by the name, files are joined.

A number within an event (a start number) is nobody's outside it: two files are joined by
it only where the names agree.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date
from difflib import SequenceMatcher

from ratingbook.model import Entry
from ratingbook.rules.wording import called

LOCAL, NAME = "local", "name"
REGISTERS = ("fide", "egd", "uscf", "iccf", "iecg", "ffg", "aga", "national")
"""Whose numbers ``Entry.ids`` may hold, of those that the formats know."""
ID_KINDS = (*REGISTERS, LOCAL, NAME)
"""What ``--id`` takes: a register, the ids of the files themselves, or the names."""

_HOME = {"FIDE": "fide", "EGF": "egd", "US Chess": "uscf", "ICCF": "iccf", "IECG": "iecg"}
_LIKE = 0.8
"""How like two words must be to be one, misspelt or in another spelling."""
_LEAST_LETTERS = 3
_LEAST_DIGITS = 5
"""Of a number of a register; start numbers are shorter."""
_KEPT = ("name", "federation", "title", "sex", "birth_date", "birth_year")
"""What the folder of a history keeps of a person, besides the numbers."""


def home_register(federation: str) -> str | None:
    """The register of a federation that has one of its own."""
    return _HOME.get(federation)


def clean_id(text: str) -> str:
    """A number without blanks and leading zeros; of other ids nothing is taken."""
    text = text.strip()
    return text.lstrip("0") or text if text.isdecimal() else text


def birth_year_of(entry: Entry) -> int | None:
    """The year of birth, if it is said."""
    return entry.birth_date.year if entry.birth_date else entry.birth_year


def one_person(entry: Entry, other: Entry) -> bool:
    """Whether two entries may be one person's: nothing that both say speaks against it."""
    years = birth_year_of(entry), birth_year_of(other)
    if None not in years and years[0] != years[1]:
        return False
    return same_name(entry.name, other.name)


def same_name(one: str, other: str) -> bool:
    """Whether each word of the shorter name is in the other; an empty name agrees with any.

    Words are compared without accents and case; a word may be the beginning of the other,
    or as good as it.
    """
    if one == other or not (one and other):
        return True
    words, others = sorted((name_words(one), name_words(other)), key=len)
    left = list(others)
    for word in words:
        found = next((each for each in left if _like(word, each)), None)
        if found is None:
            return False
        left.remove(found)
    return True


def with_number(entry: Entry, kind: str) -> Entry:
    """Somebody with the number of a register, where that is the only id that a file gives.

    A table has a column of ids, and whoever asks for numbers of a register means it; start numbers
    are shorter.
    """
    if kind in (NAME, LOCAL) or entry.ids or not has_long_id(entry):
        return entry
    return replace(entry, ids={kind: entry.id})


def has_long_id(entry: Entry) -> bool:
    """Whether the id that a file gives is too long for a start number."""
    return entry.id.isdecimal() and len(entry.id) >= _LEAST_DIGITS


def name_words(name: str) -> list[str]:
    """The words of a name, plain and in small letters; initials are no words."""
    found = [word for word in _plain_words(name) if len(word) > 1]
    return found or list(_plain_words(name))


def nearly_one_name(one: str, other: str) -> bool:
    """Whether two names of several words may be one, misspelt, shortened or with one word more."""
    words, others = sorted((list(_plain_words(one)), list(_plain_words(other))), key=len)
    if len(words) < 2 or len(others) > len(words) + 1:
        return False
    left = list(others)
    for word in words:
        meant = [each for each in left if _like(word, each) or _is_initial(word, each)]
        if not meant:
            return False
        # Tamm is Tamm before it is what a T stands for.
        left.remove(word if word in meant else max(meant, key=len))
    return True


def near_keys(name: str) -> set[tuple[str, str]]:
    """Two of which one is shared by names that are nearly one: a word, and how another begins."""
    words = set(_plain_words(name))
    return {
        (word, other[0])
        for word in words
        if len(word) >= _LEAST_LETTERS
        for other in words - {word}
    }


def _is_initial(word: str, other: str) -> bool:
    return min(len(word), len(other)) == 1 and word[0] == other[0]


def name_key(name: str) -> str:
    """By what equal names are found, in whatever order their words stand."""
    return " ".join(sorted(_plain_words(name)))


def folded(text: str) -> str:
    """A text without accents, umlauts and case."""
    apart = unicodedata.normalize("NFKD", text.casefold())
    plain = "".join(letter for letter in apart if not unicodedata.combining(letter))
    for pair in ("ae", "oe", "ue"):
        plain = plain.replace(pair, pair[0])
    return plain


def _plain_words(name: str) -> Iterator[str]:
    letters = (letter if letter.isalnum() else " " for letter in folded(name))
    yield from "".join(letters).split()


def _like(word: str, other: str) -> bool:
    if word == other:
        return True
    if word.isdecimal() or other.isdecimal() or min(len(word), len(other)) < _LEAST_LETTERS:
        return False
    digits = [[c for c in each if c.isdecimal()] for each in (word, other)]
    if digits[0] != digits[1]:
        return False
    begins = word.startswith(other) or other.startswith(word)
    return begins or SequenceMatcher(None, word, other).ratio() >= _LIKE


def named(entry: Entry) -> str:
    """Who it is: id, name, and the year of birth."""
    year = birth_year_of(entry)
    return f"{called(entry)} ({year})" if year else called(entry)


def persons_text(persons: Mapping[str, Entry]) -> str:
    """Who the players of a history are, as its folder keeps it."""
    rows = [
        {"id": person}
        | {n: str(v) for n in _KEPT if (v := getattr(entry, n)) is not None and v != ""}
        | {"ids": dict(entry.ids)}
        for person, entry in sorted(persons.items())
    ]
    return json.dumps(rows, ensure_ascii=False, indent=0) + "\n"


def persons_of(text: str) -> dict[str, Entry]:
    """Who the players of a history are, by their ids, from what its folder keeps."""
    found = {}
    for row in json.loads(text):
        born, year = row.get("birth_date"), row.get("birth_year")
        found[row["id"]] = Entry(
            row["id"], row.get("name", ""), row.get("federation"), row.get("title"),
            row.get("sex"), date.fromisoformat(born) if born else None,
            int(year) if year else None, ids=row.get("ids", {}),
        )  # fmt: skip
    return found
