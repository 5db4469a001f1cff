"""Sentences that remember how they were made: a pattern, and the words that were filled in.

A sentence is a text in English, for whoever wants no more. Whoever tells it in another language
looks up the pattern, and fills in the words: no text is taken apart again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime
from functools import lru_cache
from string import Formatter
from typing import Any, NamedTuple

_REMEMBERED = 4096
"""Of how many patterns the parts are kept: those of all rule books here are a thousand."""
_FORMATTER = Formatter()
A_DAY, A_NUMBER = "{a day}", "{a number}"
"""Patterns that no catalogue has: a day as ISO 8601 writes it, a number with a point and commas.

Each language has its own way of writing them.
"""


class Sentence(str):
    """A text in English that remembers its pattern, and the words by their places.

    A word that is a sentence itself is told in another language, too. Whoever makes another text
    of it, such as one that says less, has a plain text.
    """

    __slots__ = ("pattern", "words")

    pattern: str
    words: Mapping[str, str]

    @classmethod
    def of(cls, pattern: str, words: Mapping[str, str]) -> Sentence:
        """A pattern, and what stands for ``{name}`` or ``{name:how}`` of it."""
        made = cls(filled(pattern, words))
        made.pattern, made.words = pattern, words
        return made

    def renamed(self, old: str, new: str) -> Sentence:
        """With another name in the words."""
        words = {
            key: word.renamed(old, new) if isinstance(word, Sentence) else word.replace(old, new)
            for key, word in self.words.items()
        }
        return Sentence.of(self.pattern, words)

    def changed(self, change: Callable[[str], str]) -> str:
        """With other words; a plain text where more than single words are changed."""
        whole = change(str(self))
        words = {
            key: word.changed(change) if isinstance(word, Sentence) else change(word)
            for key, word in self.words.items()
        }
        made = Sentence.of(self.pattern, words)
        return made if made == whole else whole


def sentence(pattern: str, /, **words: object) -> Sentence:
    """A pattern, a literal so that catalogues know it, filled in as ``str.format`` does."""
    return made_of(pattern, words)


def made_of(pattern: str, words: Mapping[str, object]) -> Sentence:
    """A pattern that is known, filled in as ``str.format`` does."""
    return Sentence.of(
        pattern, {each.place: _word(each, words) for each in parts_of(pattern) if each.name}
    )


def stated(text: str) -> Sentence:
    """A text into which nothing is filled, whatever braces it has."""
    return Sentence.of(text.replace("{", "{{").replace("}", "}}"), {})


def day_of(value: date) -> Sentence:
    """A day, which each language writes in its own way."""
    text = value.isoformat()
    return Sentence.of(A_DAY, {"a day": text})


def number_of(text: str) -> Sentence:
    """A number that has decimals or thousands, which each language writes in its own way."""
    return Sentence.of(A_NUMBER, {"a number": text})


def row_of(texts: Iterable[str], between: str = ", ") -> Sentence:
    """Texts in a row; those that are sentences are told in another language, too."""
    words = {f"n{place}": text for place, text in enumerate(texts)}
    return Sentence.of(between.join(f"{{{place}}}" for place in words), words)


def _word(part: Part, words: Mapping[str, object]) -> str:
    value, _ = _FORMATTER.get_field(part.name or "", (), words)
    if isinstance(value, Sentence) and not part.how and not part.conversion:
        return value
    if part.conversion:
        value = _FORMATTER.convert_field(value, part.conversion)
    if isinstance(value, date) and not (isinstance(value, datetime) or part.how or part.conversion):
        return day_of(value)
    text: str = _FORMATTER.format_field(value, part.how)
    if isinstance(value, int | float) and ("." in text or "," in text):
        return number_of(text)
    return text


def filled(pattern: str, words: Mapping[str, str]) -> str:
    """A pattern, its own or a translation of it, with the words."""
    # As many times as there are steps in all explanations: what can be known before is.
    text, places = _form_of(pattern)
    return text % tuple([words[place] for place in places])


@lru_cache(_REMEMBERED)
def _form_of(pattern: str) -> tuple[str, tuple[str, ...]]:
    """A pattern as ``%`` fills it in, and the words that it takes one after the other."""
    parts = parts_of(pattern)
    text = "".join(
        each.before.replace("%", "%%") + ("" if each.name is None else "%s") for each in parts
    )
    return text, tuple(each.place for each in parts if each.name is not None)


class Part(NamedTuple):
    """A piece of a pattern: what stands before a place for a word, and the place."""

    before: str
    name: str | None
    """What stands there; None at the end."""
    how: str
    conversion: str
    place: str
    """What the word is called: ``name``, or ``name:how``."""


@lru_cache(_REMEMBERED)
def parts_of(pattern: str) -> tuple[Part, ...]:
    """A pattern in pieces."""
    return tuple(
        Part(
            before, name, how or "", conversion or "",
            f"{name or ''}{f'!{conversion}' if conversion else ''}{f':{how}' if how else ''}",
        )
        for before, name, how, conversion in Formatter().parse(pattern)
    )  # fmt: skip


def packed(text: str) -> Any:
    """A text for JSON: of a sentence its pattern and words."""
    if not isinstance(text, Sentence):
        return text
    return [text.pattern, {key: packed(word) for key, word in text.words.items()}]


def unpacked(said: Any) -> str:
    """The text that was packed."""
    if isinstance(said, str):
        return said
    pattern, words = said
    return Sentence.of(pattern, {key: unpacked(word) for key, word in words.items()})
