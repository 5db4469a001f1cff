"""What may be meant by a word that is none of those that are known."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce

from ratingbook.model.sentences import Sentence, sentence

_GUESSES = 3
_ALIKE = 0.6
_SHORT = 3
"""Letters; of shorter words nearly all are alike."""


def near(asked: str, known: Iterable[str]) -> list[str]:
    """The known words that are written almost so; the nearest first, whatever their capitals."""
    from difflib import get_close_matches

    plain: dict[str, str] = {}
    for each in known:
        plain.setdefault(_plain(each), each)
    text = _plain(asked)
    if text in plain:
        return [plain[text]]
    found = get_close_matches(text, plain, n=_GUESSES, cutoff=_ALIKE)
    begins = [each for each in plain if len(text) >= _SHORT and each.startswith(text)]
    return [plain[each] for each in dict.fromkeys([*begins, *found])][:_GUESSES]


def did_you_mean(asked: str, known: Iterable[str], otherwise: str = "there is") -> Sentence:
    """The known words that are near, as a question; where none is, ``otherwise`` and all of them.

    >>> did_you_mean("Wite", ["white", "black"]), did_you_mean("x", ["white", "black"], "it has")
    ('did you mean white?', 'it has white, black')
    """
    every = list(known)
    words = near(asked, every)
    if not words:
        return Sentence.of(f"{otherwise} {{all}}", {"all": ", ".join(every)})
    return sentence("did you mean {words}?", words=reduce(_or, words))


def _or(one: str, other: str) -> str:
    return sentence("{one} or {other}", one=one, other=other)


def _plain(word: str) -> str:
    return word.strip().casefold().replace("_", "-")
