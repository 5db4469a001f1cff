"""Halves of games that were there and are not rated: why, by the rule book, and what to do."""

from __future__ import annotations

from ratingbook.model.sentences import Sentence, row_of, sentence
from ratingbook.rules.not_rated import NotRated
from ratingbook.rules.series import BookOrSeries

_WORDS = {
    NotRated.FORFEIT: sentence("a game that was not played, such as a forfeit"),
    NotRated.LATE: sentence("a report that came too late"),
    NotRated.UNRATED: sentence("an opponent without a rating"),
    NotRated.FIRST_RATING: sentence("too few games or points for a first rating"),
    NotRated.WITHOUT_GRADE: sentence("a player with neither a rating nor a grade"),
    NotRated.CLASS: sentence("an event of a class, or a time, that is not rated"),
    NotRated.SYSTEM: sentence("an event of another rating system"),
    NotRated.MATCH: sentence("a match of players who are not established, or too far apart"),
    NotRated.DECIDED: sentence("a match that was decided already"),
    NotRated.OTHER_LIST: sentence("an event of FIDE without a FIDE rating to go by"),
}
_REMEDIES = {
    NotRated.UNRATED: "A rating that an opponent had before the first of these games belongs in a "
    "players file (--players).",
    NotRated.WITHOUT_GRADE: "A rating or a grade that somebody had before the first of these games "
    "belongs in a players file (--players).",
    NotRated.LATE: "The day of a report belongs into its games (reported).",
    NotRated.CLASS: "The class and the days of an event belong in its report, or in --events.",
}


def reasons_in_words(book: BookOrSeries) -> Sentence | None:
    """Why these rules may not rate a half of a game; None: the rule book does not say."""
    known = [_WORDS[each] for each in book.not_rated]
    return row_of(known) if known else None


def remedy_of(book: BookOrSeries) -> str:
    """What to do about games that should be rated, at a shell."""
    known = [_REMEDIES[each] for each in book.not_rated if each in _REMEDIES]
    return " ".join(["Mostly there is nothing to do: so the rules want it.", *known])
