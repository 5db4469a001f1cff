"""The fields of a written line: what fits into their columns, and what is told if it does not."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date

from ratingbook.formats.tools.characters import one_line
from ratingbook.formats.tools.notes import Notes, Remark
from ratingbook.model import Place, Severity
from ratingbook.rules.rounding import as_published

TEXT = Remark(
    "trf.text",
    Severity.INFO,
    "Texts were put into one line: line ends, tabs and double blanks became single blanks, "
    "and what cannot be seen was left out",
    "Look at these texts.",
)
CUT = Remark(
    "trf.cut",
    Severity.WARNING,
    "Texts that are longer than their columns were cut",
    "Shorten them, if what was cut matters.",
)
LEFT_OUT = Remark(
    "trf.left-out",
    Severity.WARNING,
    "What the columns have no room for, or the standard does not allow, was left out",
    "Correct it in the report, or tell it in another way.",
    shown=12,
)
ROUNDED = Remark(
    "trf.rounded",
    Severity.INFO,
    "Ratings were rounded to whole numbers",
    "Nothing to do.",
)

_LAST_RATING = 9999


@dataclass(frozen=True, slots=True)
class Fields:
    """Makes the fields, and notes what did not fit; ``place`` says whose they are."""

    notes: Notes
    place: Place = field(default_factory=Place)

    def text(self, text: str | None, width: int, what: str) -> str:
        """A text in one line of at most ``width`` characters."""
        given = (text or "").strip()
        plain = one_line(given)
        if plain != given:
            self.notes.add(TEXT, f"{what} {plain[:width].strip()}", self.place)
        if len(plain) > width:
            self.notes.add(CUT, f"{what} {plain[:width].strip()}", self.place)
        return plain[:width].strip()

    def rating(self, rating: float | None, what: str) -> str:
        """A rating of up to four digits; halves are rounded up."""
        if not rating:
            return ""
        if not is_writable_rating(rating):
            return self.left_out(f"{what} {rating:g}")
        whole = int(as_published(float(rating), 0))
        if whole != rating:
            self.notes.add(ROUNDED, f"{what} {rating:g}", self.place)
        return str(whole)

    def left_out(self, what: str) -> str:
        """Nothing, and a note that says so."""
        self.notes.add(LEFT_OUT, what, self.place)
        return ""


def is_writable_rating(rating: float | None) -> bool:
    """Whether there is a rating, of one to four digits once it is rounded."""
    return rating is not None and 1 <= as_published(float(rating), 0) <= _LAST_RATING


def day_text(day: date) -> str:
    """A date as the standard writes it.

    >>> day_text(date(2026, 1, 9))
    '2026/01/09'
    """
    return f"{day.year:04}/{day.month:02}/{day.day:02}"
