"""How sentences are said that are made of a pattern and its words; English, unless told otherwise.

A pattern is English and has its words in braces. Whoever tells it in another language, as the
site does, looks the pattern up before the words come in.
"""

from __future__ import annotations

from ratingbook.model.patterns import pattern
from ratingbook.model.sentences import A_DAY, A_NUMBER, Sentence, filled

_FRACTION = pattern(r"([+−] ?)?\d+\.\d+")
_WORD = pattern(r"[a-z ]+|[A-Z][a-z]+ \d|[A-Z]+ [a-z]+")
_QUOTED = "!r"
"""How the place of a word ends that stands in quotation marks."""
_SHARE = "%"
"""The same of a share of a hundred."""
_DAY = pattern(r"\d{4}-\d{2}-\d{2}")


class Language:
    """English: each pattern as it stands."""

    def gettext(self, message: str) -> str:
        """A pattern in this language."""
        return message

    def pgettext(self, context: str, message: str) -> str:
        """A pattern, or a word, of which the same text is another one elsewhere."""
        return message

    def ngettext(self, one: str, many: str, count: int) -> str:
        """A pattern in the form that so many things take."""
        return one if count == 1 else many

    def figure(self, text: str) -> str:
        """A number that is written with a point, and with commas between its thousands."""
        return text

    def day(self, text: str) -> str:
        """A day that is written as ISO 8601 has it."""
        return text

    def result(self, text: str) -> str:
        """What a game ended with: ``½–½``, or a word."""
        return self.gettext(text)

    def said(self, text: str) -> str:
        """A sentence of an explanation; a text that is none stays as it is."""
        if not isinstance(text, Sentence):
            return text
        written = self._written(text)
        if written is not None:
            return written
        words = {key: self._word(word) for key, word in text.words.items()}
        return filled(self.gettext(text.pattern), words)

    def told(self, text: str) -> str:
        """A finding, or a reason: its words are names and texts of files, and stay as they are.

        A word that is a sentence itself, a day or a number is told in the language, too.
        """
        if not isinstance(text, Sentence):
            return text
        written = self._written(text)
        if written is not None:
            return written
        words = {key: self._told_at(key, word) for key, word in text.words.items()}
        return filled(self.gettext(text.pattern), words)

    def _told_at(self, place: str, word: str) -> str:
        if place.endswith(_QUOTED):
            return self.quoted(word)
        return self.share(word) if place.endswith(_SHARE) else self.told(word)

    def share(self, text: str) -> str:
        """A share of a hundred, with its sign."""
        return text

    def quoted(self, word: str) -> str:
        """A word that stands in quotation marks, as Python writes them."""
        return word

    def _written(self, text: Sentence) -> str | None:
        """A day or a number in the way of the language; None for what is a sentence."""
        if text.pattern == A_NUMBER:
            return self.figure(str(text))
        if text.pattern == A_DAY:
            # Of a birth date nothing is left on pages for everybody.
            return self.day(str(text)) if _DAY.fullmatch(text) else str(text)
        return None

    def _word(self, word: str) -> str:
        if isinstance(word, Sentence):
            return self.said(word)
        if _FRACTION.fullmatch(word):
            return self.figure(word)
        if _DAY.fullmatch(word):
            return self.day(word)
        return self.gettext(word) if _WORD.fullmatch(word) else word


ENGLISH = Language()
