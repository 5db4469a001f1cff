"""The rules of a pool: the rule book by name, and what an office asks of it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cache, lru_cache, partial
from typing import Any, NamedTuple

from ratingbook.engine.columns import columns_beside
from ratingbook.engine.history.api import book_of
from ratingbook.engine.history.assumed import assumed_by
from ratingbook.engine.history.decided import kinds_of
from ratingbook.engine.history.keys import own_keys
from ratingbook.engine.intake import check_report, check_same_game
from ratingbook.engine.intake.edition import is_of_game
from ratingbook.engine.intake.said import asks_for_adults, keeps_earlier_games
from ratingbook.engine.intake.said import asks_for_births as asks_on
from ratingbook.engine.natural import hints_of
from ratingbook.engine.options import check_assumption
from ratingbook.engine.passed_over import reasons_in_words
from ratingbook.engine.source import source_of
from ratingbook.formats import Read
from ratingbook.formats.players import Column
from ratingbook.model import Findings, GameStatus, Report
from ratingbook.model.sentences import sentence
from ratingbook.office.engine.fed import BORN_IN
from ratingbook.office.refused import AllAtOnce, OfficeRefused, refuse
from ratingbook.rules import asked, registry
from ratingbook.rules.book import Abroad, RatedBy
from ratingbook.rules.half import Status
from ratingbook.rules.series import BookOrSeries
from ratingbook.rules.settings import ParameterError
from ratingbook.rules.timeline import Reform
from ratingbook.rules.units import FloatRating


@dataclass(frozen=True)
class Rules:
    """By which rules: a name of the registry, parameters, and an assumed rating."""

    rulebook: str
    parameters: Mapping[str, str] = field(default_factory=dict)
    assume: float | None = None

    def book(self) -> BookOrSeries:
        """The rule book; refused where it, or any of the parameters, is not known."""
        said = sorted(self.parameters.items())
        try:
            return _book(self.rulebook, tuple(said), self.assume)
        except OfficeRefused:
            each_alone = AllAtOnce()
            for one in said:
                each_alone.tried(partial(_book, self.rulebook, (one,), None))
            each_alone.refuse()
            raise

    def rates_game(self, game: str | None) -> bool:
        """Whether the rule book does not refuse a file of a game; None: of any."""
        return is_of_game(game, self.book())


@cache
def _book(
    rulebook: str, parameters: tuple[tuple[str, str], ...], assume: float | None
) -> BookOrSeries:
    """Looked up once: all that is installed is searched for the editions of a series."""
    try:
        book = book_of(rulebook, dict(parameters))
        if assume is not None:
            check_assumption(assume, book)
    except (registry.UnknownRuleBook, ParameterError, ValueError) as error:
        why = error.args[0] if error.args else ""
        is_asking = str(why).endswith("?")
        raise refuse(
            "office.rulebook",
            sentence("The rule book cannot be taken so: {why}", why=why) if is_asking
            else sentence("The rule book cannot be taken so: {why}.", why=why),
            "`ratingbook rulebooks` lists the editions, and the parameters of each.",
        ) from None  # fmt: skip
    if book.bulk is None:
        raise refuse(
            "office.rulebook",
            sentence("{rulebook} rates reports only, no histories.", rulebook=rulebook),
            sentence("Take a rule book with a bulk description."),
        )
    return book


def check(reading: Read, report: Report, rules: Rules | None) -> Findings:
    """What is wrong or odd in a report; ``rules`` are those of its pool, where that is known.

    What an edition needs to know of players is not asked: the office knows it.
    """
    findings = check_report(report, reading.findings)
    if rules is not None:
        findings.extend(check_same_game(reading.format, reading.game, rules.book()))
    return findings


def standing_fields(rules: Rules | None) -> Mapping[str, type]:
    """Keys of a standing that the rules read beyond the common ones."""
    return {} if rules is None else rules.book().standing_fields


def newcomer_columns(rules: Rules | None) -> Mapping[str, Column]:
    """Columns of a players file that say beside the standing how somebody comes in."""
    return {} if rules is None else columns_beside(rules.book())


def newcomer_fields(rules: Rules | None) -> Mapping[str, type]:
    """All columns that say how somebody comes in, beside the common ones, and what they hold.

    They are the keys of a standing, ratings elsewhere and in other pools, and what was found of a
    newcomer.
    """
    beside = {name: each.held for name, each in newcomer_columns(rules).items()}
    return {**beside, **standing_fields(rules)}


class OfNewcomers(NamedTuple):
    """What a file can say of its players beside their standings, by the rules of a pool."""

    columns: frozenset[str] = frozenset()
    """Columns of a players file that say how somebody comes in."""
    decisions: frozenset[str] = frozenset()
    """What the office decides of a day, and of nobody who comes in."""
    games: bool = False
    """Whether the rules go on with earlier games, which a list of players cannot bring in."""
    grade: bool = False
    """Whether they ask for the grade that somebody declares in an event."""


NOTHING_READ = OfNewcomers()


def read_of_newcomers(rules: Rules | None, day: date) -> OfNewcomers:
    """The same for these rules, as they are on a day."""
    if rules is None:
        return NOTHING_READ
    book = rules.book()
    columns = newcomer_fields(rules).keys() | ({"adult"} if asks_for_adults(book, day) else set())
    grade = book.bulk is not None and "grade" in book.bulk.known._fields
    return OfNewcomers(
        frozenset(columns), frozenset(decision_kinds(rules)), keeps_earlier_games(book), grade
    )


def expected_score(rules: Rules, day: date, white: float, black: float) -> float | None:
    """White's expected score by the rules of a day; None: they expect none of such a game."""
    said = tuple(sorted(rules.parameters.items()))
    return _expected(rules.rulebook, said, rules.assume, day, white, black)


@lru_cache(maxsize=1 << 18)
def _expected(
    rulebook: str, parameters: tuple[tuple[str, str], ...], assume: float | None, day: date,
    white: float, black: float,
) -> float | None:  # fmt: skip
    from ratingbook.desk.library import predict
    from ratingbook.model import Refused

    try:
        return predict(_book(rulebook, parameters, assume), white, black, day)
    except (ValueError, Refused):
        # A number that a list by other rules has may be none of these.
        return None


def earlier_assumed(rules: Rules, day: date, values: Iterable[Mapping[str, Any]]) -> int:
    """With how many of these values rules assume what the earlier games of a player come to."""
    assumed = assumed_by(rules.book().edition(day).on(day))
    return 0 if assumed is None else sum(map(bool, map(assumed, values)))


def asks_for_births(rules: Rules, day: date) -> bool:
    """Whether it makes a difference to the rules when somebody is born who plays on a day."""
    return _asks(rules.rulebook, tuple(sorted(rules.parameters.items())), rules.assume, day)


@lru_cache(maxsize=1 << 12)
def _asks(
    rulebook: str, parameters: tuple[tuple[str, str], ...], assume: float | None, day: date
) -> bool:
    return asks_on(_book(rulebook, parameters, assume), day)


def reads_years(rules: Rules) -> bool:
    """Whether the year of birth is enough for the rules, where no day is known."""
    bulk = rules.book().bulk
    return bulk is not None and BORN_IN in own_keys(bulk)


def why_not_rated(rules: Rules) -> str | None:
    """Why the rules may not rate a half of a game, in words; None: they do not say."""
    return reasons_in_words(rules.book())


def decision_kinds(rules: Rules) -> list[str]:
    """What the office can decide of a player, besides how he comes in."""
    return kinds_of(rules.book())


def why_no_decision(rules: Rules, kind: str | None, value: float) -> str:
    """Why a decision of a kind cannot have this value; empty: it can. No kind: a rating."""
    book = rules.book()
    low, high = book.rating_range
    if kind is not None and book.bulk is not None:
        hints = hints_of(book.bulk.decisions)
        if hints[kind] != FloatRating:
            return (
                ""
                if math.isfinite(value)
                else sentence("{kind} cannot be {value}.", kind=kind, value=value)
            )
    if not low <= value <= high:
        return sentence(
            "The pool knows ratings from {low} to {high}, not {value:.10g}.",
            low=low, high=high, value=value,
        )  # fmt: skip
    if book.whole_ratings and value != math.floor(value):
        return sentence("The pool knows whole ratings, not {value:.10g}.", value=value)
    return ""


def publishes(rules: Rules, rating: float, games: int) -> bool:
    """Whether the rules, as they stand last, publish a rating that rests on so many games."""
    book = rules.book()
    assert book.bulk is not None
    return asked.publishes(book.bulk, rating, games, book.edition(None).parameters)


def never_rated(rules: Rules) -> frozenset[GameStatus]:
    """How games came to their results that the rules never rate, whatever a report says."""
    book = rules.book()
    assert book.bulk is not None
    known = [stage.parameters for stage in book.stages()]
    return frozenset(
        status for status in GameStatus
        if not any(asked.can_be_rated(book.bulk, Status[status.name], p) for p in known)
    )  # fmt: skip


def reforms_of(rules: Rules, until: date) -> list[tuple[date, str, Reform]]:
    """The days up to one on which the rules changed all ratings, the editions and what they did.

    Where events are rated by lists a reform follows the list of its day; else it comes first.
    """
    return [
        (each.since, each.edition, each.reform)
        for each in rules.book().stages()
        if each.reform is not None and each.since is not None and each.since <= until
    ]


def abroad_of(rules: Rules) -> Abroad | None:
    """By whose lists the rules update players for games elsewhere, and whom."""
    return rules.book().abroad


def takes_sections(rules: Rules) -> bool:
    """Whether a section is rated by itself."""
    return rules.book().rated_by is RatedBy.SECTION


@cache
def rule_source(rulebook: str) -> str:
    """SHA-256 of the functions that rate, without their docstrings and comments.

    It covers all modules of the rule book's package, and those beside the packages of
    federations in ``ratingbook.rules``.
    """
    edition = Rules(rulebook).book().edition(None)
    package = type(edition).__module__.rpartition(".")[0] or type(edition).__module__
    return source_of(*{package, "ratingbook.rules"})
