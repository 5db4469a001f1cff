"""Findings in the words of one who has no report and no file: who asks what if is no player 7.

A sentence about the player who asks becomes another sentence, of another pattern, which catalogues
have as well; a plain text, such as a rule book of another package may say, is changed as a text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from ratingbook.desk.planned import ME
from ratingbook.model.patterns import pattern
from ratingbook.model.sentences import Sentence, sentence

_PLAYER = f"Player {ME}"
_SUBJECT = pattern(r"(?:Player )?\{(\w+)\}(: the | \{has\}| \w+|)")
"""How a sentence about a player begins."""
_PLAIN = pattern(rf"{_PLAYER}(: the | \w+|)")
_VERBS = {"has": "have", "is": "are", "was": "were", "does": "do", "goes": "go", "{has}": "have"}


def to_the_asker(message: str) -> str:
    """``Player me has`` as one says it to somebody: ``You have``."""
    if not isinstance(message, Sentence):
        return _PLAIN.sub(lambda found: _subject(found[1]), message)
    words = {key: _word(word) for key, word in message.words.items()}
    found = _SUBJECT.match(message.pattern)
    if found is None or message.words.get(found[1]) not in (ME, _PLAYER):
        return Sentence.of(message.pattern, words)
    return Sentence.of(pattern_for_the_asker(message.pattern), words)


def pattern_for_the_asker(pattern_: str) -> str:
    """The pattern of a sentence that begins with a player, where that is who asks."""
    found = _SUBJECT.match(pattern_)
    if found is None:
        return pattern_
    rest = pattern_[found.end() :]
    return _subject(found[2]) + re.sub(r"^( \w+ and) has\b", r"\1 have", rest)


def _subject(said: str) -> str:
    if said.startswith(":"):
        return "Your "
    verb = said.strip()
    if not verb:
        return "You"
    plain = verb[:-1] if verb.endswith("s") and not verb.endswith("ss") else verb
    return f"You {_VERBS.get(verb, plain)}"


def _word(word: str) -> str:
    if word == ME:
        return sentence("you")
    if not isinstance(word, Sentence):
        return word
    words: Mapping[str, str] = {key: _word(each) for key, each in word.words.items()}
    return Sentence.of(word.pattern, words)
