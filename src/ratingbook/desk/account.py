"""The account of a change: K, the games in a table, and one sentence for whoever asks why.

The numbers are those of the steps of an explanation that say what they are (``Step.role``);
where the rule book does not say it, or a step is withheld, there are none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import NamedTuple

from ratingbook.desk.cross_table import CrossTable, Meeting
from ratingbook.desk.written import clean, number, points, rating_number
from ratingbook.engine.explain import Step, game_title
from ratingbook.engine.rate import RatedRow
from ratingbook.model import Colour, GameStatus
from ratingbook.rules.series import BookOrSeries

_RESULTS = ("loss to", "draw with", "win against")
_NEAR = 0.5 + 1e-6
"""What rounding alone can do."""


class Part(NamedTuple):
    """A part of a sentence."""

    text: str
    strong: bool = False


@dataclass(frozen=True, slots=True)
class GameAccount:
    """A round of a player, with what it brought."""

    meeting: Meeting
    title: str
    """What the steps of an explanation call the game."""
    rating: float | None
    """The opponent's rating before."""
    expected: float | None
    change: float | None

    @property
    def why_unrated(self) -> str:
        """Why it does not count, in a word; empty where it does."""
        if self.meeting.rated:
            return ""
        if self.meeting.bye:
            return "no opponent"
        status = self.meeting.status
        return "not rated" if status is GameStatus.PLAYED else f"{status.value}, not rated"


@dataclass(frozen=True, slots=True)
class Account:
    """What became of a player, and by what."""

    rated: RatedRow
    games: tuple[GameAccount, ...]
    coefficients: tuple[float, ...]
    """K, or each K of several."""
    begins: float | None = None
    """Where the rating begins of who has none, where that is known: at the grade's."""
    name_of_k: str = "K"

    @property
    def before(self) -> float | None:
        """The rating from which the change goes."""
        row = self.rated.row
        return self.begins if row.before is None else row.before

    @property
    def change(self) -> float | None:
        """The change from there."""
        after = self.rated.row.after
        return None if after is None or self.before is None else after - self.before

    @property
    def coefficient(self) -> float | None:
        """K, where there is one for all games."""
        return self.coefficients[0] if len(self.coefficients) == 1 else None

    @property
    def average(self) -> float | None:
        """The mean rating of the opponents in rated games."""
        known = [g.rating for g in self.games if g.meeting.rated and g.rating is not None]
        return sum(known) / len(known) if known else None

    @property
    def product(self) -> float | None:
        """K times score less expected."""
        row, k = self.rated.row, self.coefficient
        if k is None or row.expected is None or not row.games:
            return None
        return k * (row.score - row.expected)

    @property
    def is_all(self) -> bool:
        """Whether the change is that product, but for rounding."""
        change, product = self.change, self.product
        return change is not None and product is not None and abs(change - product) < _NEAR

    @property
    def most(self) -> GameAccount | None:
        """The game that moved the rating most in the direction in which it went."""
        change = self.change
        known = [game for game in self.games if game.change]
        if not change or len(known) < 2:
            return None
        best = max(known, key=lambda game: (game.change or 0) * change)
        return best if (best.change or 0) * change > 0 else None

    def sentence(self) -> tuple[Part, ...]:
        """The account in words."""
        return tuple(_sentence(self))

    def text(self) -> str:
        """The same as one line."""
        return "".join(part.text for part in self.sentence())


@dataclass(frozen=True, slots=True)
class Term:
    """A part of the sum line: what it is, how it is reckoned, and what comes out."""

    label: str
    text: str
    result: str


def sum_line(account: Account) -> tuple[Term, ...]:
    """Score less expected, times K, rounded, the new rating; none where that is not all of it."""
    row, product, change = account.rated.row, account.product, account.change
    if product is None or change is None or row.expected is None:
        return ()
    difference = _fixed(row.score - row.expected)
    sign = "−" if change < 0 else "+"
    rounded = "rounded" if account.is_all else "with the other rules"
    return (
        Term("score − expected", f"{points(row.score)} − {row.expected:.2f} =", difference),
        Term(
            f"times {account.name_of_k}",
            f"× {number(account.coefficient)} =",
            number(product, signed=True),
        ),
        Term(rounded, "", rating_number(change, signed=True)),
        Term(
            "new rating",
            f"{rating_number(account.before)} {sign} {rating_number(abs(change))} =",
            rating_number(row.after),
        ),
    )


def _fixed(value: float) -> str:
    text = f"{abs(value):.2f}"
    return text if float(text) == 0 else f"{'+' if value > 0 else '−'}{text}"


def accounts(
    rows: Sequence[RatedRow],
    tables: Iterable[CrossTable],
    book: BookOrSeries,
    withheld: frozenset[str] = frozenset(),
) -> dict[tuple[str, str | None], Account]:
    """The account of each row, by player and section; of ``withheld`` without the steps."""
    tables = list(tables)
    meetings: dict[tuple[str, str | None], list[tuple[Meeting, Mapping[str, str]]]] = {}
    for table in tables:
        names = {line.entry.id: line.entry.name for line in table.lines}
        for line in table.lines:
            if line.rated is not None:
                key = (line.rated.row.id, line.rated.row.section)
                own = [(each, names) for cell in line.cells for each in cell]
                meetings.setdefault(key, []).extend(own)
    begins = _begins(rows, tables, book)
    before = {
        (each.row.id, each.row.section): begins.get(each.row.id)
        if each.row.before is None
        else each.row.before
        for each in rows
    }
    name_of_k = "con" if book.game == "Go" else "K"
    found = {}
    for rated in rows:
        key = (rated.row.id, rated.row.section)
        shown = rated.row.id not in withheld
        steps = rated.explanation if shown else ()
        by = rated.coefficients if shown else ()
        account = _account(rated, steps, by, meetings.get(key, ()), before)
        found[key] = replace(account, begins=begins.get(rated.row.id), name_of_k=name_of_k)
    return found


def _begins(
    rows: Iterable[RatedRow], tables: Iterable[CrossTable], book: BookOrSeries
) -> dict[str, float]:
    """Where those begin who have no rating and a grade."""
    grades = book.edition(None).grades
    if grades is None:
        return {}
    declared = {line.entry.id: line.entry.grade for table in tables for line in table.lines}
    found = {}
    for each in rows:
        grade = declared.get(each.row.id)
        if each.row.before is None and each.row.after is not None and grade:
            with suppress(ValueError):
                found[each.row.id] = grades.rating_of(grade)
    return found


def _account(
    rated: RatedRow,
    steps: Sequence[Step],
    coefficients: tuple[float, ...],
    meetings: Iterable[tuple[Meeting, Mapping[str, str]]],
    before: Mapping[tuple[str, str | None], float | None],
) -> Account:
    by_game = _by_game(steps)
    titled = [
        (meeting, game_title(meeting.game, rated.row.id, names) if meeting.game else "")
        for meeting, names in meetings
    ]
    seen = Counter(title for _, title in titled)
    games = []
    for meeting, title in titled:
        # Two games of one name cannot be told apart.
        said = by_game.get(title, {}) if seen[title] == 1 and meeting.rated else {}
        expected, change = said.get("expected"), said.get("change")
        scored = None if meeting.half_points is None else meeting.half_points / 2
        if change is None and len(coefficients) == 1 and None not in (expected, scored):
            change = coefficients[0] * ((scored or 0.0) - (expected or 0.0))
        games.append(
            GameAccount(meeting, title, _opponents_rating(meeting, rated, before), expected, change)
        )
    return Account(rated, tuple(games), coefficients)


def _numbers(steps: Iterable[Step], role: str) -> Iterator[tuple[Step, float]]:
    for step in steps:
        value = step.value
        if step.role == role and isinstance(value, int | float) and not isinstance(value, bool):
            yield step, value


def _by_game(steps: Sequence[Step]) -> dict[str, dict[str, float]]:
    """For each game what its last steps say, of the last pass over the games."""
    phases = [step.phase for step, _ in _numbers(steps, "expected")]
    last = max(phases, default=0)
    found: dict[str, dict[str, float]] = {}
    for role in ("expected", "change"):
        for step, value in _numbers(steps, role):
            if step.game and step.phase == last:
                found.setdefault(step.game, {})[role] = value
    return found


def _opponents_rating(
    meeting: Meeting, rated: RatedRow, before: Mapping[tuple[str, str | None], float | None]
) -> float | None:
    game = meeting.game
    if game is None:
        return None
    other = Colour.BLACK if meeting.colour is Colour.WHITE else Colour.WHITE
    named, opponent = game.rating(other), game.player(other)
    if named is not None or opponent is None:
        return named
    return before.get((opponent, rated.row.section), before.get((opponent, None)))


def spoken(name: str) -> str:
    """A name as it is said: ``Alpha, Anna`` is Anna Alpha."""
    family, comma, given = clean(name).partition(",")
    return f"{given.strip()} {family.strip()}" if comma and "," not in given else clean(name)


def _sentence(account: Account) -> Iterator[Part]:
    row = account.rated.row
    who = spoken(row.name) or f"player {clean(row.id)}"
    if not row.games:
        yield Part(f"No game of {who} was rated here")
        if account.before is not None and account.change in (None, 0):
            yield Part("; the rating stays ")
            yield Part(rating_number(account.before), strong=True)
        elif account.change:
            yield from (Part(": "), *_from_to(account))
        yield Part(".")
        return
    games = f"{row.games} rated game{'s' if row.games > 1 else ''}"
    if account.before is None:
        yield from _first_rating(account, who, games)
    elif row.expected is None:
        yield Part(points(row.score), strong=True)
        yield Part(f" came from {games} of {who}{_against(account)}: ")
        yield from _from_to(account)
        yield Part(".")
    else:
        of_whom = f" of {who}"
        if row.before is None:
            yield Part(f"{who} had no rating and began with ")
            yield Part(rating_number(account.begins), strong=True)
            yield Part(", that of the grade. ")
            of_whom = ""
        yield Part(f"From {games} ")
        yield Part(number(row.expected), strong=True)
        yield Part(f" points were expected{of_whom}, and ")
        yield Part(points(row.score), strong=True)
        yield Part(" came: ")
        yield from _difference(account)
        yield Part(".")
    most = account.most
    if most is not None:
        yield from _most(most, account.change or 0)


def _first_rating(account: Account, who: str, games: str) -> Iterator[Part]:
    row = account.rated.row
    yield Part(f"{who} had no rating; ")
    yield Part(points(row.score), strong=True)
    yield Part(f" came from {games}{_against(account)}. ")
    if row.after is None:
        yield Part("That is no rating yet.")
        return
    yield Part("The first rating is ")
    yield Part(rating_number(row.after), strong=True)
    yield Part("." if row.published else ", not yet published.")


def _against(account: Account) -> str:
    average = account.average
    return "" if average is None else f" against opponents of {average:.0f} on average"


def _from_to(account: Account) -> Iterator[Part]:
    yield Part(f"{rating_number(account.before)} → ")
    yield Part(rating_number(account.rated.row.after), strong=True)


def _difference(account: Account) -> Iterator[Part]:
    """Score less expected, times K, and what that is rounded."""
    row = account.rated.row
    difference = row.score - (row.expected or 0)
    way = "more" if difference > 0 else "less"
    same = abs(difference) < 0.005
    yield Part("just that" if same else f"{number(abs(difference))} {way}")
    product, change = account.product, account.change
    if product is not None and account.coefficient is not None:
        yield Part(f", times {account.name_of_k} ")
        yield Part(number(account.coefficient), strong=True)
        yield Part(" makes ")
        yield Part(number(product, signed=True), strong=True)
    if change is None:
        return
    changed = rating_number(change, signed=True)
    if product is None:
        yield Part(", and that makes ")
        yield Part(changed, strong=True)
    elif not account.is_all:
        yield Part("; with the other rules (bonus, floors, limits) the change is ")
        yield Part(changed, strong=True)
    elif changed != number(product, signed=True):
        yield Part(", rounded ")
        yield Part(changed, strong=True)


def _most(game: GameAccount, change: float) -> Iterator[Part]:
    meeting = game.meeting
    result = _RESULTS[meeting.half_points or 0]
    where = f" in round {meeting.round}" if meeting.round is not None else ""
    verb = "cost" if change < 0 else "brought"
    opponent = spoken(meeting.name) or f"number {meeting.opponent}"
    yield Part(f" The {result} {opponent}{where} {verb} most (")
    yield Part(number(game.change, signed=True), strong=True)
    yield Part(").")
