"""The check suite holds for every installed edition, and each of its checks can fail."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import pytest
from hypothesis import Phase, settings

from ratingbook.checks import Check, check_rulebook, checks_of
from ratingbook.checks.chains import histories_are_chains_of_reports
from ratingbook.checks.columns import (
    CHECKS_OF_HISTORIES,
    changes_of_histories_are_explained,
    corrected_histories_are_full_replays,
    histories_are_the_same_compiled,
    stopped_histories_go_on_to_the_same_bits,
)
from ratingbook.checks.pools import pools_rated_together_are_chains_of_reports
from ratingbook.engine.rate import Rating, rate
from ratingbook.model import GameStatus, Report
from ratingbook.rules import registry
from ratingbook.rules.book import Batch, RatedBy, RuleBook
from ratingbook.rules.bulk import Bulk, Calendar, Outcome, summed
from ratingbook.rules.fide import fide_2009
from ratingbook.rules.fide.batch import FideBatch
from ratingbook.rules.fide.book import FideRuleBook
from ratingbook.rules.fide.bulk import FIDE_BULK, Known
from ratingbook.rules.fide.change import PeriodTally, with_side
from ratingbook.rules.fide.columns import Facts, Parameters, Reckoning, Side, Standing
from ratingbook.rules.fide.later import fide_2024
from ratingbook.rules.fide.pools import POOLS, Others
from ratingbook.rules.half import Half
from ratingbook.rules.iccf import iccf_2009
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.settings import Settings
from ratingbook.rules.text import Paragraph, Performed, Reading, Regulation, with_articles
from ratingbook.rules.units import SCORE_SCALE
from ratingbook.rules.usual import Side as UsualSide
from ratingbook.rules.usual import Standing as Columns
from ratingbook.rules.usual import Sums, lists_every, one_more
from tests.engine.history.histories import FAMILIES, SERIES
from tests.seldom import SELDOM, seldom

FEWER = 15
"""Reports that are drawn for editions that share their functions with another of ``FAMILIES``."""
CHECKS = [
    check
    for name in registry.names()
    for check in (
        checks_of(registry.edition(name))
        if name in FAMILIES
        else checks_of(registry.edition(name), examples=FEWER)
    )
]


OF_THE_ENGINE = (
    histories_are_the_same_compiled,
    corrected_histories_are_full_replays,
    stopped_histories_go_on_to_the_same_bits,
    changes_of_histories_are_explained,
)
OFTEN = [
    check
    for check in CHECKS
    if check.name.startswith((*FAMILIES,))
    or not check.name.endswith(tuple(each.__name__ for each in OF_THE_ENGINE))
]
"""What one edition of a federation shows of the engine the others show seldom."""


@pytest.mark.parametrize("check", seldom(CHECKS, but=OFTEN), ids=str)
def test_installed_editions_hold(check: Check) -> None:
    check()


@SELDOM
@pytest.mark.parametrize("name", [name for name in registry.names() if name not in FAMILIES])
def test_editions_hold_for_as_many_reports_as_their_families(name: str) -> None:
    for check in checks_of(registry.edition(name)):
        if not check.name.endswith(tuple(each.__name__ for each in CHECKS_OF_HISTORIES)):
            check()


@SELDOM
@pytest.mark.parametrize("name", SERIES)
def test_series_are_the_same_compiled(name: str) -> None:
    """A history that crosses editions, as each edition by itself."""
    histories_are_the_same_compiled(registry.load(name))


@pytest.mark.parametrize("name", ["fide", "uscf"])
def test_pools_of_series_are_chains_of_reports(name: str) -> None:
    """With the reform that draws rapid and blitz up to the standard rating of the same day."""
    pools_rated_together_are_chains_of_reports(registry.load(name))


@pytest.mark.parametrize("name", SERIES)
def test_series_are_chains_of_reports(name: str) -> None:
    """Each event by the edition of its day, and with the reforms between the lists."""
    histories_are_chains_of_reports(registry.load(name))


def test_fide_2009_is_among_them() -> None:
    assert "fide-2009" in registry.names()
    assert registry.load("fide-2009") is fide_2009


# Deliberately broken variants of fide-2009


def other(**changes: Any) -> RuleBook:
    """fide-2009 with other functions; its paragraphs are still those of the package."""
    bulk = replace(FIDE_BULK, **changes)
    return replace(fide_2009, bulk=bulk, package="ratingbook.rules.fide")


class NamesMatter(FideRuleBook):
    """The id of a player decides which games are rated."""

    def batches(self, report: Report) -> Iterator[FideBatch]:
        games = tuple(game for game in report.games if game.white.startswith("p"))
        yield from super().batches(replace(report, games=games))


def later_players_gain(
    half: Half, own: Standing, opponent: Standing, facts: Facts, p: Parameters
) -> Side:
    """The place of a player in the report enters the rating."""
    found: Side = FIDE_BULK.side_of(half, own, opponent, facts, p)
    return found._replace(k_new=found.k_new + found.other, k_rated=found.k_rated + found.other)


def other_number_in_the_row(
    stored: Standing, entered: Standing, value: Reckoning, left: Standing, p: Parameters
) -> Outcome:
    """The row says another number than the explanation ends in."""
    made: Outcome = FIDE_BULK.outcome(stored, entered, value, left, p)
    return made._replace(after=made.after + 1)


def reversed_side(tally: PeriodTally, standing: Standing, side: Side, p: Parameters) -> PeriodTally:
    """A win counts as a loss, and a loss as a win."""
    return with_side(tally, standing, side._replace(score=2 - side.score), p)


def idleness_counts_as_a_game(
    stored: Standing, entered: Standing, value: Reckoning, left: Standing, p: Parameters
) -> Outcome:
    """Who did not play has a rated game more."""
    made: Outcome = FIDE_BULK.outcome(stored, entered, value, left, p)
    return made if made.games else made._replace(games=1)


def as_many_games_as_before(entered: Standing, value: Reckoning, p: Parameters) -> Standing:
    """Who is new stays so."""
    left: Standing = FIDE_BULK.leave(entered, value, p)
    return left._replace(games=entered.games)


def twice_as_many_games(entered: Standing, value: Reckoning, p: Parameters) -> Standing:
    left: Standing = FIDE_BULK.leave(entered, value, p)
    return left._replace(games=2 * left.games - entered.games)


def rounded_by_python(points: float) -> int:
    """2.5 becomes 2, and 3.5 becomes 4."""
    return round(points)


def told_nothing(standing: Standing, others: Others, p: Parameters) -> Standing:
    """Who has no rating on a list does not start from the standard one."""
    return standing


def two_points_more(entered: Standing, value: Reckoning, p: Parameters) -> Standing:
    """Between the changes of the games and their sum."""
    left: Standing = FIDE_BULK.leave(entered, value._replace(total=value.total + TWO_POINTS), p)
    return left


class AllGamesCount(FideRuleBook):
    """Games that the report does not rate are rated."""

    def batches(self, report: Report) -> Iterator[FideBatch]:
        games = tuple(replace(g, white_rated=True, black_rated=True) for g in report.games)
        yield from super().batches(replace(report, games=games))


def impossible_games(standing: Standing, p: Parameters) -> Known:
    """A new standing holds a number of games that no report may hold."""
    known: Known = FIDE_BULK.known_of(standing, p)
    return known._replace(games=-1)


def deaf_to(book: FideRuleBook = fide_2009, **said: Any) -> FideRuleBook:
    """An edition whose reports say nothing but this of their games, or of the kind of the event."""

    class Deaf(FideRuleBook):
        def batches(self, report: Report) -> Iterator[FideBatch]:
            kind = {"kind": said["kind"]} if "kind" in said else {}
            games = {name: value for name, value in said.items() if name != "kind"}
            heard = tuple(replace(game, **games) for game in report.games)
            event = replace(report.event, **kind)
            yield from super().batches(replace(report, event=event, games=heard))

    return of_class(Deaf, book)


def of_class(kind: type[FideRuleBook], book: FideRuleBook = fide_2009) -> FideRuleBook:
    """An edition with the methods of ``kind``."""
    values = {name: getattr(book, name) for name in book.__dataclass_fields__}
    return kind(**values | {"package": "ratingbook.rules.fide"})


def only_the_first(
    half: Half, own: Standing, opponent: Standing, facts: Facts, p: Parameters
) -> bool:
    """More than 64 bits, in which compiled code loses what does not fit."""
    return half.game * (1 << 40) * (1 << 40) == 0


def even_opponents(
    half: Half, own: Standing, opponent: Standing, facts: Facts, p: Parameters
) -> bool:
    """The code of a player decides, which comes from the order of the names."""
    return half.other % 2 == 0


def every_other_row(
    half: Half, own: Standing, opponent: Standing, facts: Facts, p: Parameters
) -> bool:
    """The place of a game among those of its round decides, which is that in the file."""
    return half.game % 2 == 0


SEEN = [0]


def not_every_seventh(
    half: Half, own: Standing, opponent: Standing, facts: Facts, p: Parameters
) -> bool:
    """What was rated before is held outside of the standings."""
    SEEN[0] += 1
    return SEEN[0] % 7 > 0


@paragraph("7", "at least {value}")
def forgotten_floor(rating: int) -> int:
    """It has a paragraph, and no other function asks it."""
    return max(rating, 1000)


STRONG = 2400
TWO_POINTS = 2 * SCORE_SCALE


def counting(counts: Callable[..., bool]) -> RuleBook:
    """fide-2009 with another answer to which halves of a history count."""
    return replace(fide_2009, bulk=replace(FIDE_BULK, counts=counts))


def saying(book: RuleBook, **changes: Any) -> RuleBook:
    """An edition with another text."""
    return replace(book, text=replace(book.text, **changes))


def meaning(docs: Mapping[str, str]) -> RuleBook:
    """fide-2009 with other meanings of its parameters."""
    return replace(fide_2009, settings=replace(fide_2009.settings, docs=docs))


@paragraph("1", "change {value}")
def halved(change: int) -> int:
    """An invented rule: half of the points that the games bring."""
    return change // 2


def with_ten(so_far: Sums, standing: Columns, side: UsualSide, p: NamedTuple) -> Sums:
    """Ten points for each half point."""
    return one_more(so_far, side.score, 0, 10 * side.score * SCORE_SCALE)


def leave(entered: Columns, value: Sums, p: NamedTuple) -> Columns:
    """The rating after the report."""
    change = value.total // SCORE_SCALE
    return Columns(entered.rating + halved(change), entered.games + value.games)


class NoParameters(NamedTuple):
    """There is nothing to set."""

    nothing: int = 0


class NobodyPlays(RuleBook):
    """Reports do not get to the games, of which histories know."""

    def batches(self, report: Report) -> Iterable[Batch]:
        for batch in super().batches(report):
            yield replace(batch, games=())


def in_tens(kind: type[RuleBook]) -> RuleBook:
    """An invented edition, which is written once."""
    return kind(
        name="tens-2024",
        text=Regulation("Points for half points", "Tens"),
        settings=Settings(NoParameters()),
        rated_by=RatedBy.PERIOD,
        bulk=Bulk(fold=summed(with_ten), leave=leave, calendar=Calendar(lists_every(1))),
    )


PARAGRAPHS = fide_2009.text.paragraphs
READINGS = fide_2009.text.readings
EXAMPLES = fide_2009.text.examples
DOCS = fide_2009.settings.docs
FOLD = FIDE_BULK.fold
assert FOLD is not None

BROKEN: dict[str, dict[str, RuleBook]] = {
    "articles_can_be_followed": {
        "an article that is the number again": saying(
            fide_2009, paragraphs=with_articles(PARAGRAPHS, {"": {"2c": "2c"}})
        ),
        "an article beside a number that is called the regulation's": saying(
            iccf_2009,
            paragraphs=with_articles(iccf_2009.text.paragraphs, {"": {"5": "B.02 8.3.3"}}),
        ),
        "an article of two lines": saying(
            fide_2009, paragraphs=with_articles(PARAGRAPHS, {"": {"2c": "B.02\n8.56"}})
        ),
        "an address that is a file": saying(
            fide_2009, paragraphs=with_articles(PARAGRAPHS, {"handbook.pdf": {"2c": "8.56"}})
        ),
        "an address without an article": saying(
            fide_2009,
            paragraphs=(replace(PARAGRAPHS[0], url="https://example.org"), *PARAGRAPHS[1:]),
        ),
        "an edition whose address lacks http": saying(fide_2009, url="handbook.fide.com"),
    },
    "paragraphs_are_claimed": {
        "a paragraph that no function claims": saying(
            fide_2009, paragraphs=(*PARAGRAPHS, Paragraph("99", "Nobody's", "…"))
        ),
        "a number that stands twice": saying(fide_2009, paragraphs=(*PARAGRAPHS, PARAGRAPHS[0])),
        # Of an edition whose functions no other one shares.
        "a function that claims an unknown paragraph": saying(
            iccf_2009, paragraphs=tuple(p for p in iccf_2009.text.paragraphs if p.number != "3")
        ),
        "an office paragraph that does not say who": saying(
            fide_2009, paragraphs=(*PARAGRAPHS, Paragraph("99", "?", "…", Performed.OFFICE))
        ),
        "a historical paragraph that does not say why": saying(
            fide_2009, paragraphs=(*PARAGRAPHS, Paragraph("99", "?", "…", Performed.HISTORICAL))
        ),
    },
    "paragraphs_are_exercised": {
        "no worked example at all": saying(fide_2009, examples=()),
        "no round robin": saying(
            fide_2009, examples=tuple(e for e in EXAMPLES if "round robin" not in e.title)
        ),
    },
    "parameters_are_documented": {
        "a parameter without a meaning": meaning({k: v for k, v in DOCS.items() if k != "cap"}),
        "a meaning without a parameter": meaning({**DOCS, "kap": "?"}),
    },
    "readings_name_parameters": {
        "a parameter that does not exist": saying(
            fide_2009, readings=(*READINGS, Reading("F99", "?", "…", "…", "kap"))
        ),
        "an id that stands twice": saying(fide_2009, readings=(*READINGS, READINGS[0])),
    },
    "halves_are_rounded_exactly": {
        "a half goes to the even number": replace(fide_2009, package=__name__)
    },
    "tagged_functions_are_used": {"a floor that nobody asks": replace(fide_2009, package=__name__)},
    "examples_come_out": {
        "another number than the source's": saying(
            fide_2009, examples=(replace(EXAMPLES[0], expected={"A": 2799}),)
        ),
        "no worked example at all": saying(fide_2009, examples=()),
        "another K": fide_2009.with_parameters({"k_top": "20"}),
    },
    "order_and_names_change_nothing": {
        "later players gain": other(side_of=later_players_gain),
        "names matter": of_class(NamesMatter),
    },
    "explanations_end_in_the_rows_number": {
        "another number in the row": other(outcome=other_number_in_the_row),
        "a step of an unknown paragraph": saying(
            fide_2009, paragraphs=tuple(p for p in PARAGRAPHS if p.number != "2b")
        ),
    },
    "changes_of_games_are_taken_together": {
        "two points more than the games bring": other(leave=two_points_more),
    },
    "better_results_never_lower_a_value": {
        "losses pay": other(fold=replace(FOLD, add=reversed_side))
    },
    "players_without_games_keep_their_rating": {
        "idleness counts as a game": other(outcome=idleness_counts_as_a_game),
    },
    "rated_games_are_counted": {
        "no game is ever counted": other(leave=as_many_games_as_before),
        "each game counts twice": other(leave=twice_as_many_games),
    },
    "games_that_are_not_rated_change_nothing": {"all games count": of_class(AllGamesCount)},
    "new_standings_can_be_sent_in_again": {
        "an impossible number": other(known_of=impossible_games),
    },
    "histories_are_chains_of_reports": {
        "reports at the ratings of the latest list": deaf_to(white_rating=None, black_rating=None),
        "reports that are never late": deaf_to(fide_2024, reported=None),
        "reports without forfeits": deaf_to(status=GameStatus.PLAYED),
        "reports without matches and round robins": deaf_to(kind="swiss"),
        "reports rated for both sides": deaf_to(white_rated=True, black_rated=True),
    },
    "pools_rated_together_are_chains_of_reports": {
        "a list is told of no other": other(
            pools=replace(POOLS, told=told_nothing)
        ).with_parameters({"tempo": "year_2012"}),
    },
    "reports_and_histories_run_the_same_rules": {"nobody plays": in_tens(NobodyPlays)},
    "histories_are_the_same_compiled": {"a number too large": counting(only_the_first)},
    "names_and_the_order_of_a_history_change_nothing": {
        "names matter": counting(even_opponents),
        "the order of the rows matters": counting(every_other_row),
    },
    "stopped_histories_go_on_to_the_same_bits": {"a memory": counting(not_every_seventh)},
    "corrected_histories_are_full_replays": {"a memory": counting(not_every_seventh)},
    "changes_of_histories_are_explained": {
        "another number in the row": other(outcome=other_number_in_the_row),
        "a memory": counting(not_every_seventh),
    },
}
"""Check → what is wrong → a variant in which it is wrong."""


def check_of(book: RuleBook, name: str) -> Check:
    (found,) = [check for check in checks_of(book) if check.name == f"{book.name}-{name}"]
    return found


def test_every_check_has_a_variant_that_breaks_it() -> None:
    names = {check.name.removeprefix("fide-2009-") for check in checks_of(fide_2009)}
    assert names == set(BROKEN)


@pytest.fixture
def any_failure() -> Iterator[None]:
    """The first failing report is enough: nobody reads it, so none simpler is looked for."""
    usual = settings.get_current_profile_name()
    settings.register_profile("any failure", phases=(Phase.explicit, Phase.generate))
    settings.load_profile("any failure")
    yield
    settings.load_profile(usual)


@pytest.mark.usefixtures("any_failure")
@pytest.mark.parametrize(
    ("name", "fault"), [(name, fault) for name, faults in BROKEN.items() for fault in faults]
)
def test_each_check_can_fail(name: str, fault: str) -> None:
    with pytest.raises(AssertionError):
        check_of(BROKEN[name][fault], name)()


@pytest.mark.parametrize("name", BROKEN)
def test_the_variants_fail_for_their_fault_only(name: str) -> None:
    """The subclass and the replaced package alone break nothing."""
    written_once = name == "reports_and_histories_run_the_same_rules"
    check_of(in_tens(RuleBook) if written_once else of_class(FideRuleBook), name)()


def test_the_first_failing_check_stops_the_suite() -> None:
    with pytest.raises(AssertionError, match="99"):
        check_rulebook(BROKEN["paragraphs_are_claimed"]["a paragraph that no function claims"])


def test_a_check_has_the_name_of_its_edition() -> None:
    for check in checks_of(fide_2009):
        assert str(check) == check.name
        assert check.name.startswith("fide-2009-")


def test_the_number_of_random_reports_can_be_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Report] = []

    def counted(report: Report, book: RuleBook) -> Rating:
        seen.append(report)
        return rate(report, book)

    monkeypatch.setattr("ratingbook.checks.suite.rate", counted)
    (check,) = [c for c in checks_of(fide_2009, examples=3) if "without_games" in c.name]
    check()
    assert 1 <= len(seen) <= 3


def test_histories_of_substitutes_are_chains_of_reports(monkeypatch: pytest.MonkeyPatch) -> None:
    """The chain sees where the history does not know who was replaced."""
    monkeypatch.setattr("ratingbook.engine.history.plan.with_others", lambda games, *rest: games)
    with pytest.raises(AssertionError, match="in the history and"):
        histories_are_chains_of_reports(iccf_2009)
