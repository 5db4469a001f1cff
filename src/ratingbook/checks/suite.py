"""The checks themselves."""

from __future__ import annotations

import ast
import inspect
import json
import random
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import partial
from math import isclose
from types import ModuleType
from urllib.parse import urlsplit

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from ratingbook.checks.columns import CHECKS_OF_HISTORIES
from ratingbook.checks.reports import reports
from ratingbook.engine.bindings import bulk_of
from ratingbook.engine.rate import Rating, rate
from ratingbook.engine.report.run import ReportRun
from ratingbook.engine.trace import those_called
from ratingbook.formats.document.read import read_document, report_from
from ratingbook.formats.document.write import frozen_side_as_dict, standing_as_dict
from ratingbook.model import Entry, Game, Report
from ratingbook.rules import registry
from ratingbook.rules.book import Batch, RatedBy, Row, RuleBook
from ratingbook.rules.paragraph import rules_in
from ratingbook.rules.settings import shown
from ratingbook.rules.text import Performed

_EXAMPLES = 40
_NEAR = 1e-6
"""What floats may lose that are added in another order, far below what is printed."""
_ROUNDS = frozenset({"round", "rint", "around", "round_"})
"""What Python and NumPy call it."""


@dataclass(frozen=True)
class Check:
    """One check of one edition; call it, and it raises AssertionError or returns."""

    name: str
    run: Callable[[], None]

    def __call__(self) -> None:
        """Run the check."""
        self.run()

    def __str__(self) -> str:
        return self.name


def checks_of(book: RuleBook, *, examples: int = _EXAMPLES) -> list[Check]:
    """All checks of an edition; ``examples`` random reports for each that draws them.

    An edition that rates histories is compiled, once for each state of its code.
    """
    plain: tuple[Callable[[RuleBook], None], ...] = (
        paragraphs_are_claimed,
        paragraphs_are_exercised,
        articles_can_be_followed,
        parameters_are_documented,
        readings_name_parameters,
        halves_are_rounded_exactly,
        tagged_functions_are_used,
        examples_come_out,
    )
    drawn: tuple[Callable[[RuleBook, Report, random.Random], None], ...] = (
        order_and_names_change_nothing,
        explanations_end_in_the_rows_number,
        changes_of_games_are_taken_together,
        better_results_never_lower_a_value,
        players_without_games_keep_their_rating,
        rated_games_are_counted,
        games_that_are_not_rated_change_nothing,
        new_standings_can_be_sent_in_again,
    )
    return [
        *(Check(f"{book.name}-{check.__name__}", partial(check, book)) for check in plain),
        *(
            Check(f"{book.name}-{check.__name__}", partial(_over_reports, check, book, examples))
            for check in drawn
        ),
        *(
            Check(f"{book.name}-{check.__name__}", partial(check, book))
            for check in CHECKS_OF_HISTORIES
        ),
    ]


def check_rulebook(book: RuleBook, *, examples: int = _EXAMPLES) -> None:
    """Run all checks of an edition; the first that fails raises AssertionError."""
    for check in checks_of(book, examples=examples):
        check()


def _over_reports(
    check: Callable[[RuleBook, Report, random.Random], None], book: RuleBook, examples: int
) -> None:
    @settings(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(reports(book), st.randoms(use_true_random=False))
    def run(report: Report, chance: random.Random) -> None:
        check(book, report, chance)

    run()


def paragraphs_are_claimed(book: RuleBook) -> None:
    """Each paragraph is a function's, the office's or historical, and says so once."""
    numbers = [paragraph.number for paragraph in book.text.paragraphs]
    assert len(numbers) == len(set(numbers)), f"paragraph numbers repeat: {numbers}"
    assert book.rules, f"no tagged function is found in the package {book.package_name!r}"
    claimed = {rule.number(book.name) for rule in book.rules}
    for paragraph in book.text.paragraphs:
        if paragraph.performed is Performed.FUNCTION:
            assert paragraph.number in claimed, f"no function claims § {paragraph.number}"
        else:
            assert paragraph.by, f"§ {paragraph.number} does not say who performs it, or why"
    unknown = claimed - _numbers_of_family(book) - {""}
    assert not unknown, f"functions claim unknown §§: {unknown}"


def _numbers_of_family(book: RuleBook) -> set[str]:
    """The paragraphs of the edition and of the installed ones that share its functions."""
    own = {id(rule) for rule in rules_in(book.package_name)}
    family = [book]
    for name in registry.names():
        if name == book.name:
            continue
        other = registry.edition(name)
        if own & {id(rule) for rule in other.rules}:
            family.append(other)
    return {paragraph.number for each in family for paragraph in each.text.paragraphs}


def paragraphs_are_exercised(book: RuleBook) -> None:
    """The worked examples, under every reading, reach each paragraph that is a function's."""
    reached: set[str] = set()
    for variant in _variants(book):
        with those_called() as rules:
            for example in book.text.examples:
                rate(report_from(example.document, book.standing_fields), variant)
        reached |= {rule.number(book.name) for rule in rules}
    missing = [
        paragraph.number
        for paragraph in book.text.paragraphs
        if paragraph.performed is Performed.FUNCTION and paragraph.number not in reached
    ]
    assert not missing, f"no worked example reaches §§ {', '.join(missing)}"


def articles_can_be_followed(book: RuleBook) -> None:
    """Articles say more than the numbers, which are then the rule book's; addresses are some."""
    text = book.text
    assert not text.url or _is_address(text.url), f"{text.url!r} is no http(s) address"
    for each in text.paragraphs:
        about = f"§ {each.number}: its article {each.article!r}"
        assert each.article != each.number, f"{about} is its number: leave it empty"
        assert each.article == " ".join(each.article.split()), f"{about} is not one line"
        assert not each.url or each.article, f"§ {each.number} has an address and no article"
        assert not each.url or _is_address(each.url), (
            f"§ {each.number}: {each.url!r} is no http(s) address"
        )
        assert text.own_numbers or not each.article or each.performed is not Performed.FUNCTION, (
            f"{about} is another number than its own, which the edition calls the regulation's: "
            "say own_numbers=True"
        )


def _is_address(text: str) -> bool:
    address = urlsplit(text)
    return address.scheme in ("http", "https") and "." in address.netloc and " " not in text


def _variants(book: RuleBook) -> list[RuleBook]:
    """The edition, and the same with each reading that has choices set otherwise."""
    variants = [book]
    for name, value in book.parameters._asdict().items():
        if isinstance(value, IntEnum):
            choices = [member.name for member in type(value) if member is not value]
        elif isinstance(value, bool):
            choices = [str(not value)]
        else:
            continue
        variants += [book.with_parameters({name: choice}) for choice in choices]
    return variants


def parameters_are_documented(book: RuleBook) -> None:
    """Each parameter has a default, a meaning, and a text that sets it to the same value."""
    fields = book.parameters._fields
    assert set(book.settings.docs) == set(fields), "parameters and their docs differ"
    defaults = type(book.parameters)._field_defaults
    for name in fields:
        assert name in defaults, f"parameter {name} has no default"
        value = getattr(book.parameters, name)
        again = book.with_parameters({name: str(shown(value))})
        assert getattr(again.parameters, name) == value, f"{name} cannot be set as shown"


def readings_name_parameters(book: RuleBook) -> None:
    """A reading that names a parameter names one that exists; ids do not repeat."""
    ids = [reading.id for reading in book.text.readings]
    assert len(ids) == len(set(ids)), f"ids of readings repeat: {ids}"
    for reading in book.text.readings:
        known = reading.parameter is None or reading.parameter in book.parameters._fields
        assert known, f"reading {reading.id} names the parameter {reading.parameter}"


def halves_are_rounded_exactly(book: RuleBook) -> None:
    """No rule rounds by ``round``: a half goes to the even number, and floats hardly hold one."""
    for name, module in sorted(_modules_of(book.package_name).items()):
        for node in ast.walk(ast.parse(inspect.getsource(module))):
            if isinstance(node, ast.Call) and _called(node.func) in _ROUNDS:
                raise AssertionError(
                    f"{name}, line {node.lineno}: {_called(node.func)} takes a half to the even "
                    "number, of floats that hardly ever are one: say what becomes of it by "
                    "half_up, half_away_from_zero or half_even of ratingbook.rules.rounding"
                )


def tagged_functions_are_used(book: RuleBook) -> None:
    """What claims a paragraph is used by another function, or bound: else nobody is rated by it."""
    own = _modules_of(book.package_name)
    used = {
        name
        for module in own.values()
        for name in _names_used(ast.parse(inspect.getsource(module)), "")
    }
    idle = [
        f"{rule.name} ({rule.place}), § {rule.number(book.name)}"
        for rule in book.rules
        if rule.module in own and rule.number(book.name) and rule.name not in used
    ]
    assert not idle, f"nothing uses {', '.join(idle)}: call it, or take its tag away"


def _names_used(node: ast.AST, inside: str) -> Iterator[str]:
    """The names that are read below a node, but those of functions in themselves."""
    for child in ast.iter_child_nodes(node):
        own = child.name if isinstance(child, ast.FunctionDef) else inside
        name = (
            child.id if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Load)
            else child.attr if isinstance(child, ast.Attribute) else ""
        )  # fmt: skip
        if name and name != inside:
            yield name
        yield from _names_used(child, own)


def _modules_of(package: str) -> Mapping[str, ModuleType]:
    """What is loaded of a package, or the module of the name."""
    return {
        name: module
        for name, module in sys.modules.copy().items()
        if name == package or name.startswith(package + ".")
    }


def _called(function: ast.expr) -> str:
    """What a function is called, whatever module it is of."""
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def examples_come_out(book: RuleBook) -> None:
    """There are worked examples, and they give the numbers of their source."""
    assert book.text.examples, "the edition has no worked example"
    for example in book.text.examples:
        rows = _rows(rate(report_from(example.document, book.standing_fields), book))
        for player, expected in example.expected.items():
            found = rows[player].after
            assert found == expected, f"{example.title}: {player} {found}, source {expected}"


def order_and_names_change_nothing(book: RuleBook, report: Report, chance: random.Random) -> None:
    """Relabelled players in another order, and games in another order, give the same."""
    ids = [entry.id for entry in report.entries]
    labels = dict(zip(ids, chance.sample([f"x{n}" for n in range(len(ids))], len(ids)),
                      strict=True))  # fmt: skip
    entries = [replace(entry, id=labels[entry.id], name="") for entry in report.entries]
    games = [_relabelled(game, labels) for game in report.games]
    chance.shuffle(entries)
    chance.shuffle(games)
    before = _rows(rate(report, book))
    after = _rows(rate(Report(report.event, tuple(entries), tuple(games)), book))
    for player, row in before.items():
        assert _numbers(row) == _numbers(after[labels[player]]), f"{player} depends on the order"


def _relabelled(game: Game, labels: Mapping[str, str]) -> Game:
    return replace(game, white=labels[game.white], black=labels[game.black] if game.black else None)


def explanations_end_in_the_rows_number(
    book: RuleBook, report: Report, chance: random.Random
) -> None:
    """Each player with a number has an explanation, its last value is that number."""
    del chance
    for rated in rate(report, book, explain=None).rows:
        if rated.row.after is None:
            continue
        assert rated.explanation, f"{rated.row.id} is not explained"
        last = rated.explanation[-1]
        assert last.value == rated.row.after, f"{rated.row.id}: {last} is not {rated.row.after}"
        numbers = {paragraph.number for paragraph in book.text.paragraphs}
        for step in rated.explanation:
            assert step.paragraph in numbers, f"{step.rule} claims no paragraph of {book.name}"
            assert step.text, f"{step.rule} says nothing"


def changes_of_games_are_taken_together(
    book: RuleBook, report: Report, chance: random.Random
) -> None:
    """Where steps tell the changes of single games, another step takes the sum of them.

    Else something is added between them that nobody explains, and no reader can sum them up.
    """
    del chance
    for rated in rate(report, book, explain=None).rows:
        of_game = {
            step.about: step.value for step in rated.explanation
            if step.role == "change" and isinstance(step.value, int | float)
        }  # fmt: skip
        if not of_game or rated.row.after is None:
            continue
        total = sum(of_game.values())
        taken = [
            value
            for step in rated.explanation if step.role != "change"
            for value in step.inputs.values() if isinstance(value, int | float)
        ]  # fmt: skip
        assert any(isclose(value, total, rel_tol=_NEAR, abs_tol=_NEAR) for value in taken), (
            f"{rated.row.id}: the changes of the games come to {total}, and no step takes that"
        )


def better_results_never_lower_a_value(
    book: RuleBook, report: Report, chance: random.Random
) -> None:
    """Within a round, with all else frozen, half a point more never lowers the value."""
    run = ReportRun(report, book, bulk_of(book), ())
    for batch in book.batches(report):
        for part in _parts(book, batch):
            run.rate_together(part)
            for seat in run.seats:
                worse = [n for n, side in enumerate(seat.sides) if side.score < 2]
                if not worse:
                    continue
                n = chance.choice(worse)
                better = [*seat.sides]
                better[n] = better[n]._replace(score=better[n].score + 1)
                if not book.monotone(seat.entered, seat.sides, better):
                    continue
                low, high = run.exact(seat, seat.sides), run.exact(seat, better)
                assert low is None or (high is not None and high >= low), (
                    f"{seat.player}: half a point more in side {n} turns {low} into {high}"
                )


def _parts(book: RuleBook, batch: Batch) -> Iterator[Batch]:
    """The batch, or each of its games where they are rated by themselves."""
    if book.rated_by is not RatedBy.GAME:
        yield batch
        return
    for game in batch.games:
        both = tuple(entry for entry in batch.entries if entry.id in (game.white, game.black))
        yield replace(batch, entries=both, games=(game,))


def players_without_games_keep_their_rating(
    book: RuleBook, report: Report, chance: random.Random
) -> None:
    """Who did not play has the rating and the games of before."""
    del chance
    for row in _rows(rate(replace(report, games=()), book)).values():
        assert row.after == row.before, f"{row.id} changed without a game"
        assert row.games == 0
        known = report.entry(row.id).standing
        assert known is None or row.standing.games == known.games, f"{row.id} has more games"


def rated_games_are_counted(book: RuleBook, report: Report, chance: random.Random) -> None:
    """The new standing has the games of before and those that changed the rating.

    A regulation may count fewer games than it rates, as those against opponents without a rating;
    but some of those that gave another rating, and none that was not rated.
    """
    del chance
    rows = [rated.row for rated in rate(report, book).rows]
    for player, last in {row.id: row for row in rows}.items():
        own = [row for row in rows if row.id == player]
        known = report.entry(player).standing
        before, games = (known.games if known else None) or 0, sum(row.games for row in own)
        least = before + any(row.games and row.after != row.before for row in own)
        assert least <= (last.standing.games or 0) <= before + games, (
            f"{player} had {before} games, and {games} were rated: the new standing says "
            f"{last.standing.games}"
        )


def games_that_are_not_rated_change_nothing(
    book: RuleBook, report: Report, chance: random.Random
) -> None:
    """A game that counts for neither side is as good as none."""
    assume(len(report.games) > 1)
    swiss = replace(report, event=replace(report.event, kind=None))
    n = chance.randrange(len(report.games))
    silent = replace(report.games[n], white_rated=False, black_rated=False)
    games = swiss.games
    with_it = rate(replace(swiss, games=(*games[:n], silent, *games[n + 1 :])), book)
    without = rate(replace(swiss, games=(*games[:n], *games[n + 1 :])), book)
    for player, row in _rows(with_it).items():
        assert _numbers(row) == _numbers(_rows(without)[player]), f"{player} is rated for it"


def new_standings_can_be_sent_in_again(
    book: RuleBook, report: Report, chance: random.Random
) -> None:
    """The standings that come out are understood as standings that go in."""
    del chance
    rows = _rows(rate(report, book)).values()
    document = {
        "ratingbook": "report/1",
        "players": [
            {
                "id": row.id,
                "standing": standing_as_dict(row.standing),
                "history": [frozen_side_as_dict(side) for side in row.history],
            }
            for row in rows
        ],
        "games": [],
    }
    again, findings = read_document(json.dumps(document), book.standing_fields)
    assert again is not None
    assert not len(findings), f"a new standing is not understood: {list(findings)}"
    for row in rows:
        assert _entry(again, row.id).standing == row.standing
        assert _entry(again, row.id).history == row.history


def _entry(report: Report, player: str) -> Entry:
    return report.entry(player)


def _rows(rating: Rating) -> dict[str, Row]:
    assert not rating.findings.refused, f"refused: {[str(f) for f in rating.findings]}"
    return {rated.row.id: rated.row for rated in rating.rows}


def _numbers(row: Row) -> tuple[object, ...]:
    return (row.before, row.after, row.exact, row.games, row.score, row.expected, row.status)
