"""How long texts may be, and which are numbers, by whichever door they come in.

Doors are pages, the API, commands and files.  Pages show texts, mails and lists carry them, and
facts keep them for ever.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from unicodedata import category

from ratingbook.model import Finding, Place, Severity
from ratingbook.model.sentences import Sentence, sentence
from ratingbook.office.refused import refuse

REASON = 1000
"""Why something is done, and every other remark."""
NAME = 200
"""What people, events, places, pools and clubs are called."""
LABEL = 60
"""What somebody calls something of the own, such as a token, or a title of a person."""
TEXT = 500
"""Whatever else is a line: an address, what a policy says, a fact of a report."""
_DIGITS = 10
"""Numbers of the office have fewer."""
_TOLD = 20
"""Texts of one file of which it is told one by one that they are too long."""


def is_id(text: str) -> bool:
    """Whether a text is a number that something of the office can have.

    Of digits as they are typed: what else Unicode counts among them (``²``) no number is read from.
    """
    return text.isascii() and text.isdecimal() and len(text) < _DIGITS


def refuse_long(text: str, most: int, what: Sentence) -> None:
    """Refuse a text that is longer than that; ``what`` it is, as a sentence begins."""
    if len(text) > most:
        raise refuse("office.too-long", _message(text, most, what), remedy(most))


def refuse_any_long(said: object, most: int, what: Sentence) -> None:
    """Refuse any text within what somebody says."""
    for text in _texts(said):
        refuse_long(text, most, what)


def refuse_controls(said: object, what: Sentence) -> None:
    """Refuse what nobody can read, nor type again, in any text within what somebody says."""
    for text in _texts(said):
        found = next((each for each in text if category(each) == "Cc"), None)
        if found is not None:
            raise refuse(
                "office.control-character",
                sentence(
                    "{what} has a control character: {which}.", what=what,
                    which=f"U+{ord(found):04X}",
                ),
                sentence("Write it without."),
            )  # fmt: skip


def is_short(said: object, most: int) -> bool:
    """Whether no text within what is said is longer than that."""
    return all(len(text) <= most for text in _texts(said))


def too_long(said: Iterable[tuple[Sentence, object, int, Place]]) -> list[Finding]:
    """Of texts that came in a file: those that are too long; each with its limit and place."""
    found: list[Finding] = []
    for what, value, most, place in said:
        for text in _texts(value):
            if len(text) > most and len(found) < _TOLD:
                message = _message(text, most, what)
                found.append(
                    Finding("office.too-long", Severity.ERROR, message, place, remedy(most))
                )
    return found


def remedy(most: int) -> Sentence:
    """What to do about a text that is too long."""
    return sentence("Make it shorter: at most {most} characters.", most=most)


def _message(text: str, most: int, what: Sentence) -> Sentence:
    return sentence(
        "{what} is too long: it has {n} characters, and {most} are taken.",
        what=what,
        n=len(text),
        most=most,
    )


def _texts(said: object) -> Iterable[str]:
    if isinstance(said, str):
        yield said
    elif isinstance(said, Mapping):
        for key, value in said.items():
            yield from _texts(key)
            yield from _texts(value)
    elif isinstance(said, Iterable):
        for each in said:
            yield from _texts(each)
