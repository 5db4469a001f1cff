"""The account of a change: K, the games in a table, and one sentence for whoever asks why.

The numbers are those of the steps of an explanation that say what they are (``Step.role``);
where the rule book does not say it, or a step is withheld, there are none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple, TypeAlias

from ratingbook.desk.cross_table import CrossTable, Meeting
from ratingbook.desk.language import ENGLISH, Language
from ratingbook.desk.written import MOST_DIGITS, clean, fixed, number, points, rating_number
from ratingbook.engine.explain import Step, begun_by
from ratingbook.engine.rate import RatedRow
from ratingbook.model import Colour, Game, GameStatus
from ratingbook.model.decimals import change_of, mean
from ratingbook.model.making import QuicklyMade
from ratingbook.model.patterns import pattern
from ratingbook.rules.series import BookOrSeries

_STRONG = pattern(r"<b>(.*?)</b>")
_NEAR = 0.5 + 1e-6
"""What rounding alone can do to the last digit."""
_WHOLE = 1e-6
"""By how much a whole number may seem to be none."""
_SAME = 0.005
"""What two decimals do not show."""
_HALF_OF_LAST = {2: Decimal("0.005"), 3: Decimal("0.0005")}
"""By how much a number of so many decimals may be rounded."""
_DIGITS = range(2, 8)
"""After the point, of what is multiplied: the fewest with which the product comes out."""


_OfRoles: TypeAlias = Mapping[str, Sequence[tuple[Step, float]]]
"""Steps by the column of a table to which their number belongs, and that number."""


class Part(NamedTuple):
    """A part of a sentence."""

    text: str
    strong: bool = False


@dataclass(frozen=True, slots=True)
class GameAccount(metaclass=QuicklyMade):
    """A round of a player, with what it brought."""

    meeting: Meeting
    rating: float | None
    """With which the opponent counted."""
    expected: float | None
    change: float | None
    listed: float | None
    """The opponent's rating, which may be another number, or none."""

    @property
    def is_another(self) -> bool:
        """Whether the opponent counted with another number than the rating."""
        return self.rating != self.listed

    @property
    def why_unrated(self) -> str:
        """Why it does not count, in a word of English; empty where it does."""
        return self.not_rated(ENGLISH)

    def not_rated(self, language: Language) -> str:
        """The same in a language."""
        if self.meeting.rated:
            return ""
        if self.meeting.bye:
            return language.gettext("no opponent")
        status = self.meeting.status
        if status is GameStatus.PLAYED:
            return self._why(language)
        said = language.gettext("{status}, not rated")
        return said.format(status=language.gettext(status.value))

    def _why(self, language: Language) -> str:
        """Why a game that was played does not count, as far as one can tell."""
        game, is_white = self.meeting.game, self.meeting.colour is Colour.WHITE
        if game is not None and not (game.white_rated if is_white else game.black_rated):
            return language.gettext("not to be rated, as the report says")
        if self.meeting.half_points is None:
            return language.gettext("no result")
        if self.meeting.substituted:
            return language.gettext("rated for the substitute")
        if game is not None and (game.white_for if is_white else game.black_for):
            return language.gettext("rated for the player replaced")
        if self.rating is None:
            return language.gettext("the opponent has no rating")
        return language.gettext("not rated")


@dataclass(frozen=True, slots=True)
class Account(metaclass=QuicklyMade):
    """What became of a player, and by what."""

    rated: RatedRow
    games: tuple[GameAccount, ...]
    coefficients: tuple[float, ...]
    """K, or each K of several."""
    average: float | None = None
    """The mean number with which the opponents counted; None where one is not known."""
    begins: float | None = None
    """Where the rating begins of who has none, where that is known: at the grade's, or at another
    one that the rules name."""
    begun: Step | None = None
    """By which the rules name it; None: it is the grade's."""
    name_of_k: str = "K"
    reset: Step | None = None
    """By which the rules put another rating in the place of the one before, to reckon from."""
    bonus: float | None = None
    """What the rules add for all games together, where they do and it is known."""
    is_each_rounded: bool = False
    """Whether both ratings are rounded, and the change is the product but for that."""

    @property
    def start(self) -> float | None:
        """The rating from which is reckoned."""
        return self.before if self.reset is None else _number_of(self.reset)

    @property
    def before(self) -> float | None:
        """The rating from which the change goes."""
        row = self.rated.row
        return self.begins if row.before is None else row.before

    @property
    def change(self) -> float | None:
        """The change from there."""
        return change_of(self.before, self.rated.row.after)

    @property
    def keeps_decimals(self) -> bool:
        """Whether the rating goes on with decimals while whole numbers are published."""
        before, after = self.start, self.rated.row.after
        if before is None or after is None or self.rated.row.exact is None:
            return False
        return before % 1 != 0 and after % 1 == 0

    @property
    def reckoned(self) -> float | None:
        """The change as it is reckoned: of the decimals that go on, where there are such."""
        row, before = self.rated.row, self.start
        after = row.exact if self.keeps_decimals else row.after
        return change_of(before, after)

    @property
    def coefficient(self) -> float | None:
        """K, where there is one for all games."""
        return self.coefficients[0] if len(self.coefficients) == 1 else None

    @property
    def with_other_numbers(self) -> bool:
        """Whether an opponent counted with another number than the own rating."""
        return any(game.is_another for game in self.games)

    @property
    def with_stones(self) -> bool:
        """Whether somebody received stones in a rated game."""
        return any(game.meeting.handicap and game.meeting.rated for game in self.games)

    @property
    def product(self) -> float | None:
        """K times score less expected."""
        row, k = self.rated.row, self.coefficient
        if k is None or row.expected is None or not row.games:
            return None
        return k * (row.score - row.expected)

    @property
    def of_games(self) -> float | None:
        """What stands below the changes of the games: their sum, or the product."""
        changes = [game.change for game in self.games if game.meeting.rated]
        known = [each for each in changes if each is not None]
        return sum(known) if known and len(known) == len(changes) else self.product

    @property
    def is_all(self) -> bool:
        """Whether the change is that product, but for rounding, to whichever side rules round."""
        product = self.product
        if product is None or self.reckoned is None:
            return False
        return self.is_each_rounded or self._comes_to(product)

    def _comes_to(self, reckoned: float) -> bool:
        """Whether the change is so much, but for rounding."""
        change, exact, before = self.reckoned, self.rated.row.exact, self.start
        if change is None:
            return False
        is_exactly = None not in (exact, before) and (
            abs((exact or 0.0) - (before or 0.0) - reckoned) < _SAME
        )
        return is_exactly or self._is_rounded(change, reckoned)

    def _is_rounded(self, change: float, product: float) -> bool:
        """Whether one comes from the other by rounding to so many decimals as are printed."""
        if abs(change - product) < _SAME:
            return True
        printed = (change, self.rated.row.after or 0.0)
        return any(
            abs(change - product) * 10**digits < _NEAR
            and any(abs(each * 10**digits - round(each * 10**digits)) < _WHOLE for each in printed)
            for digits in range(MOST_DIGITS)
        )

    @property
    def is_all_with_bonus(self) -> bool:
        """Whether the change is that product and the bonus, and nothing besides but rounding."""
        product, bonus = self.product, self.bonus
        if product is None or not bonus:
            return False
        return self._comes_to(product + bonus)

    @property
    def most(self) -> GameAccount | None:
        """The game that moved the rating most in the direction in which it went."""
        change = self.reckoned
        known = [game for game in self.games if game.change]
        if not change or len(known) < 2:
            return None
        best = max(known, key=lambda game: (game.change or 0) * change)
        return best if (best.change or 0) * change > 0 else None

    def sentence(self, language: Language = ENGLISH) -> tuple[Part, ...]:
        """The account in words."""
        return tuple(_sentence(self, language))

    def text(self) -> str:
        """The same as one line."""
        return "".join(part.text for part in self.sentence())


@dataclass(frozen=True, slots=True)
class Term:
    """A part of the sum line: what it is, how it is reckoned, and what comes out."""

    label: str
    text: str
    result: str


def sum_line(account: Account, language: Language = ENGLISH) -> tuple[Term, ...]:
    """Score less expected, times K, rounded, the new rating; none where that is not all of it."""
    row, product, change = account.rated.row, account.product, account.reckoned
    if product is None or change is None or row.expected is None:
        return ()
    say, figure = language.gettext, language.figure
    sign = "−" if change < 0 else "+"
    keeps, written = account.keeps_decimals, _written(account)
    by, shown = _changed_by(account, written, language), rating_number(change, signed=True)
    changed = () if not by else (Term(by, "", figure(shown)),)
    published = () if not keeps else (
        Term(say("published"), "", figure(rating_number(row.after))),
    )  # fmt: skip
    after = row.exact if keeps else row.after
    return (
        Term(
            say("score − expected"),
            f"{points(row.score)} − {figure(f'{written.expected:f}')} =",
            figure(_fixed(written.difference)),
        ),
        Term(
            say("times {name}").format(name=account.name_of_k),
            f"× {figure(written.coefficient)} {written.sign}",
            figure(written.product),
        ),
        *changed,
        Term(
            say("new rating"),
            f"{figure(rating_number(account.start))} {sign} "
            f"{figure(rating_number(abs(change)))} {_sign_of_sum(account.start, change, after)}",
            figure(rating_number(after)),
        ),
        *published,
    )


def _changed_by(account: Account, written: _Written, language: Language) -> str:
    """What makes another change of the product; empty where it is written as the change is."""
    say = language.gettext
    if account.is_each_rounded:
        return say("both ratings rounded")
    if account.is_all_with_bonus:
        return say("with the bonus")
    if not account.is_all:
        return say("with the other rules")
    is_same = rating_number(account.reckoned, signed=True) == written.product
    return "" if is_same else say("rounded")


class _Written(NamedTuple):
    """Score less expected, times K, with digits that a pocket calculator comes to the same with."""

    expected: Decimal
    difference: Decimal
    coefficient: str
    sign: str
    """``=``, or ``≈`` where no digits do."""
    product: str


def _written(account: Account) -> _Written:
    """The product is written as the change is, where they are the same."""
    product, change = account.product or 0.0, account.reckoned
    products = [(number(product, signed=True), _HALF_OF_LAST[2])]
    if change is not None and abs(change - product) < _SAME:
        products.insert(0, (rating_number(change, signed=True), _HALF_OF_LAST[3]))
    for shown, near in products:
        # Nearly always the fewest do.
        for digits in _DIGITS:
            expected, difference, coefficient = _factors(account, digits)
            if abs(difference * _value(coefficient) - _value(shown)) <= near:
                return _Written(expected, difference, coefficient, "=", shown)
    return _Written(*_factors(account, _DIGITS[0]), "≈", products[0][0])


def _factors(account: Account, digits: int) -> tuple[Decimal, Decimal, str]:
    """Expected, score less expected, and K with so many digits after the point."""
    row = account.rated.row
    expected = Decimal(fixed(row.expected or 0.0, digits))
    coefficient = number(account.coefficient, digits=digits)
    return expected, Decimal(row.score) - expected, coefficient


def _sign_of_sum(before: float | None, change: float, after: float | None) -> str:
    """Whether the numbers as they are written add up, or each is rounded by itself."""
    one, by, other = (_value(rating_number(each)) for each in (before, change, after))
    return "=" if one + by == other else "≈"


def _value(written: str) -> Decimal:
    """The number that stands there."""
    return Decimal(written.replace("−", "-"))


def _trimmed(value: Decimal) -> str:
    """As a sentence has it: with no needless digits, and no sign."""
    return number(abs(float(value)), digits=_DIGITS[-1])


def _fixed(value: Decimal) -> str:
    text = f"{abs(value):f}"
    return text if not value else f"{'+' if value > 0 else '−'}{text}"


def accounts(
    rows: Sequence[RatedRow],
    tables: Iterable[CrossTable],
    book: BookOrSeries,
    withheld: frozenset[str] = frozenset(),
) -> dict[tuple[str, str | None], Account]:
    """The account of each row, by player and section; of ``withheld`` without the steps."""
    return dict(each_account(rows, tables, book, withheld))


def each_account(
    rows: Sequence[RatedRow],
    tables: Iterable[CrossTable],
    book: BookOrSeries,
    withheld: frozenset[str] = frozenset(),
) -> Iterator[tuple[tuple[str, str | None], Account]]:
    """The same one by one, for who does not keep all games of everybody."""
    tables = list(tables)
    meetings: dict[tuple[str, str | None], list[Meeting]] = {}
    for table in tables:
        for line in table.lines:
            if line.rated is not None:
                key = (line.rated.row.id, line.rated.row.section)
                own = [each for cell in line.cells for each in cell]
                meetings.setdefault(key, []).extend(own)
    begins = _begins(rows, tables, book)
    before = {(each.row.id, each.row.section): _entered(each, begins, withheld) for each in rows}
    name_of_k = "con" if book.game == "Go" else "K"
    for rated in rows:
        key = (rated.row.id, rated.row.section)
        shown = rated.row.id not in withheld
        steps = rated.explanation if shown else ()
        by = rated.coefficients if shown else ()
        told = zip(rated.counted, rated.against, strict=bool(rated.against)) if shown else ()
        yield key, _account(
            rated, steps, by, dict(told), meetings.get(key, ()), before,
            begins.get(rated.row.id), name_of_k,
        )  # fmt: skip


def _entered(
    rated: RatedRow, begins: Mapping[str, float], withheld: frozenset[str]
) -> float | None:
    """The rating with which somebody is met: that of before, of the grade, or of a reset."""
    before, who = rated.row.before, rated.row.id
    steps = () if who in withheld else rated.explanation
    put = begun_by(steps) if before is None else _reset(_by_role(steps))
    return begins.get(who, before) if put is None else _number_of(put)


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
            begins = grades.begins(grade)
            if begins is not None:
                found[each.row.id] = begins
    return found


def _account(
    rated: RatedRow,
    steps: Sequence[Step],
    coefficients: tuple[float, ...],
    against: Mapping[Game, float],
    meetings: Iterable[Meeting],
    before: Mapping[tuple[str, str | None], float | None],
    begins: float | None,
    name_of_k: str,
) -> Account:
    of_roles = _by_role(steps)
    by_game = _by_game(of_roles)
    reset, begun = _reset(of_roles), None
    if rated.row.before is None and begins is None:
        begun = begun_by(steps)
        begins = None if begun is None else _number_of(begun)
    games = []
    for meeting in meetings:
        said = by_game.get(meeting.game, {}) if meeting.rated and meeting.game else {}
        expected, change = said.get("expected"), said.get("change")
        half = meeting.rated_half_points
        scored = None if half is None else half / 2
        if change is None and len(coefficients) == 1 and None not in (expected, scored):
            change = coefficients[0] * ((scored or 0.0) - (expected or 0.0))
        listed = _opponents_rating(meeting, rated, before)
        counted = against.get(meeting.game, listed) if meeting.rated and meeting.game else listed
        games.append(GameAccount(meeting, counted, expected, change, listed))
    return Account(
        rated, tuple(games), coefficients, _average(games), begins, begun, name_of_k,
        reset=reset, bonus=_bonus(of_roles, rated.row.games),
    )  # fmt: skip


def _bonus(steps: _OfRoles, games: int) -> float | None:
    """What the rules add for all games: so much for each, or for all at once."""
    if whole := steps.get("whole bonus"):
        return whole[-1][1]
    each = steps.get("bonus")
    return games * each[-1][1] if each else None


def _average(games: Iterable[GameAccount]) -> float | None:
    every = [game.rating for game in games if game.meeting.rated]
    known = [rating for rating in every if rating is not None]
    return mean(known) if len(known) == len(every) else None


def _reset(steps: _OfRoles) -> Step | None:
    """The last step that puts another rating in the place of the one before."""
    found = None
    for step, value in steps.get("begin", ()):
        if step.game is None and value != step.inputs.get("rating", value):
            found = step
    return found


def _number_of(step: Step) -> float | None:
    return float(step.value) if isinstance(step.value, int | float) else None


def _by_role(steps: Iterable[Step]) -> _OfRoles:
    """The steps of which the number is told in a column of a table."""
    found: dict[str, list[tuple[Step, float]]] = {}
    for step in steps:
        role, value = step.role, step.value
        if role and isinstance(value, int | float) and not isinstance(value, bool):
            found.setdefault(role, []).append((step, value))
    return found


def _by_game(steps: _OfRoles) -> dict[Game, dict[str, float]]:
    """For each game what its last steps say, of the last pass over the games.

    Games of which nothing tells one from the other have what all of them have in common.
    """
    phases = [step.phase for step, _ in steps.get("expected", ())]
    last = max(phases, default=0)
    of_each: dict[Game, dict[str, dict[str, float]]] = {}
    for role in ("expected", "change"):
        for step, value in steps.get(role, ()):
            if step.about is not None and step.phase == last:
                said = of_each.setdefault(step.about, {}).setdefault(role, {})
                said[step.game or ""] = value
    return {
        game: {
            role: common
            for role, each in of_game.items()
            if (common := _common(each.values())) is not None
        }
        for game, of_game in of_each.items()
    }


def _common(values: Iterable[float]) -> float | None:
    """The value that all of them are."""
    every = set(values)
    return every.pop() if len(every) == 1 else None


def _opponents_rating(
    meeting: Meeting,
    rated: RatedRow,
    before: Mapping[tuple[str, str | None], float | None],
) -> float | None:
    """The rating with which the opponent went into a game."""
    game = meeting.game
    if game is None:
        return None
    other = Colour.BLACK if meeting.colour is Colour.WHITE else Colour.WHITE
    opponent, section = game.player(other), rated.row.section
    found = game.rating(other)
    if found is None and opponent is not None:
        found = before.get((opponent, section), before.get((opponent, None)))
    return found


def spoken(name: str) -> str:
    """A name as it is said: ``Alpha, Anna`` is Anna Alpha."""
    family, comma, given = clean(name).partition(",")
    return f"{given.strip()} {family.strip()}" if comma and "," not in given else clean(name)


def _sentence(account: Account, language: Language) -> Iterator[Part]:
    row = account.rated.row
    who = spoken(row.name) or language.gettext("player {id}").format(id=clean(row.id))
    if not row.games:
        yield from _without_games(account, language, who)
        return
    if account.before is None:
        yield from _first_rating(account, language, who)
    elif row.expected is None:
        said = language.ngettext(
            "<b>{score}</b> came from {n} rated game of {who}: {before} → <b>{after}</b>.",
            "<b>{score}</b> came from {n} rated games of {who}: {before} → <b>{after}</b>.",
            row.games,
        )
        if account.average is not None:
            said = language.ngettext(
                "<b>{score}</b> came from {n} rated game of {who} against opponents of {average} "
                "on average: {before} → <b>{after}</b>.",
                "<b>{score}</b> came from {n} rated games of {who} against opponents of {average} "
                "on average: {before} → <b>{after}</b>.",
                row.games,
            )
        yield from _parts(
            said, score=points(row.score), n=row.games, who=who, average=_mean(account),
            before=language.figure(rating_number(account.before)),
            after=language.figure(rating_number(row.after)),
        )  # fmt: skip
    else:
        yield from _against_expected(account, language, who)
    most = account.most
    if most is not None:
        yield from _most(most, account.reckoned or 0, language)


def _parts(pattern: str, /, **words: object) -> Iterator[Part]:
    """A pattern with its words; what stands between ``<b>`` and ``</b>`` of it is strong."""
    for at, text in enumerate(_STRONG.split(pattern)):
        if text:
            yield Part(text.format(**words), strong=bool(at % 2))


def _mean(account: Account) -> str:
    return "" if account.average is None else fixed(account.average, 0)


def _without_games(account: Account, language: Language, who: str) -> Iterator[Part]:
    before, after = (
        language.figure(rating_number(value)) for value in (account.before, account.rated.row.after)
    )
    if account.before is not None and account.change in (None, 0):
        said = language.gettext(
            "No game of {who} was rated here; the rating stays <b>{rating}</b>."
        )
        yield from _parts(said, who=who, rating=before)
    elif account.change:
        said = language.gettext("No game of {who} was rated here: {before} → <b>{after}</b>.")
        yield from _parts(said, who=who, before=before, after=after)
    else:
        yield from _parts(language.gettext("No game of {who} was rated here."), who=who)


def _first_rating(account: Account, language: Language, who: str) -> Iterator[Part]:
    row = account.rated.row
    said = language.ngettext(
        "{who} had no rating; <b>{score}</b> came from {n} rated game. ",
        "{who} had no rating; <b>{score}</b> came from {n} rated games. ",
        row.games,
    )
    if account.average is not None:
        said = language.ngettext(
            "{who} had no rating; <b>{score}</b> came from {n} rated game against opponents of "
            "{average} on average. ",
            "{who} had no rating; <b>{score}</b> came from {n} rated games against opponents of "
            "{average} on average. ",
            row.games,
        )
    yield from _parts(
        said, who=who, score=points(row.score), n=row.games, average=_mean(account)
    )  # fmt: skip
    if row.after is None:
        said = language.gettext("That is no rating yet.")
    elif row.published:
        said = language.gettext("The first rating is <b>{rating}</b>.")
    else:
        said = language.gettext("The first rating is <b>{rating}</b>, not yet published.")
    yield from _parts(said, rating=language.figure(rating_number(row.after)))


def _against_expected(account: Account, language: Language, who: str) -> Iterator[Part]:
    row = account.rated.row
    written = None if account.product is None else _written(account)
    expected = number(row.expected) if written is None else _trimmed(written.expected)
    is_one = expected == "1"
    if account.begun is not None:
        said = language.gettext(
            "{who} had no rating here and began with <b>{rating}</b> (paragraph {paragraph}). "
        )
        yield from _parts(
            said, who=who, rating=language.figure(rating_number(account.begins)),
            paragraph=account.begun.paragraph,
        )  # fmt: skip
    elif row.before is None:
        said = language.gettext(
            "{who} had no rating and began with <b>{rating}</b>, that of the grade. "
        )
        yield from _parts(said, who=who, rating=language.figure(rating_number(account.begins)))
    elif account.reset is not None:
        said = language.gettext(
            "{who} was set from {before} to <b>{rating}</b> first (paragraph {paragraph}). "
        )
        yield from _parts(
            said, who=who, before=language.figure(rating_number(row.before)),
            rating=language.figure(rating_number(account.start)), paragraph=account.reset.paragraph,
        )  # fmt: skip
    if row.before is None or account.reset is not None:
        said = language.ngettext(
            "From {n} rated game <b>{expected}</b> points were expected, and <b>{score}</b> came: ",
            "From {n} rated games <b>{expected}</b> points were expected, and <b>{score}</b> "
            "came: ",
            row.games,
        )
        if is_one:
            said = language.ngettext(
                "From {n} rated game <b>{expected}</b> point was expected, and <b>{score}</b> "
                "came: ",
                "From {n} rated games <b>{expected}</b> point was expected, and <b>{score}</b> "
                "came: ",
                row.games,
            )
    elif is_one:
        said = language.ngettext(
            "From {n} rated game <b>{expected}</b> point was expected of {who}, and "
            "<b>{score}</b> came: ",
            "From {n} rated games <b>{expected}</b> point was expected of {who}, and "
            "<b>{score}</b> came: ",
            row.games,
        )
    else:
        said = language.ngettext(
            "From {n} rated game <b>{expected}</b> points were expected of {who}, and "
            "<b>{score}</b> came: ",
            "From {n} rated games <b>{expected}</b> points were expected of {who}, and "
            "<b>{score}</b> came: ",
            row.games,
        )
    yield from _parts(
        said, n=row.games, expected=language.figure(expected), score=points(row.score), who=who
    )
    yield from _difference(account, written, language)
    yield Part(language.gettext("."))


def _difference(account: Account, written: _Written | None, language: Language) -> Iterator[Part]:
    """Score less expected, times K, and what that is rounded."""
    row, say, figure = account.rated.row, language.gettext, language.figure
    change = account.reckoned
    if written is None:
        difference = Decimal(fixed(row.score - (row.expected or 0), 2))
    else:
        difference = written.difference
    if not difference:
        said = say("just that")
    else:
        said = say("{difference} more") if difference > 0 else say("{difference} less")
    yield from _parts(said, difference=figure(_trimmed(difference)))
    if written is not None:
        about = "" if written.sign == "=" else f"{written.sign} "
        yield from _parts(
            say(", times {name} <b>{k}</b> makes <b>{product}</b>"), name=account.name_of_k,
            k=figure(written.coefficient), product=about + figure(written.product),
        )  # fmt: skip
    if change is None:
        return
    changed = rating_number(change, signed=True)
    said = ""
    if written is None:
        said = say(", and that makes <b>{change}</b>")
    elif account.is_each_rounded:
        said = say(", and with both ratings rounded <b>{change}</b>")
    elif account.is_all_with_bonus:
        said = say("; with the bonus the change is <b>{change}</b>")
    elif not account.is_all:
        said = say("; with the other rules the change is <b>{change}</b>")
    elif changed != written.product:
        said = say(", rounded <b>{change}</b>")
    yield from _parts(said, change=figure(changed))
    if account.keeps_decimals:
        yield from _parts(
            say("; that is <b>{exact}</b>, published as <b>{rating}</b>"),
            exact=figure(rating_number(row.exact)), rating=figure(rating_number(row.after)),
        )  # fmt: skip


def _most(game: GameAccount, change: float, language: Language) -> Iterator[Part]:
    meeting, say = game.meeting, language.gettext
    of_round = (
        say("loss to {opponent} in round {n}"), say("draw with {opponent} in round {n}"),
        say("win against {opponent} in round {n}"),
    )  # fmt: skip
    plain = say("loss to {opponent}"), say("draw with {opponent}"), say("win against {opponent}")
    which = (plain if meeting.round is None else of_round)[meeting.rated_half_points or 0]
    opponent = spoken(meeting.name) or say("number {n}").format(n=meeting.opponent)
    said = (
        say(" The {game} cost most (<b>{change}</b>).") if change < 0
        else say(" The {game} brought most (<b>{change}</b>).")
    )  # fmt: skip
    yield from _parts(
        said, game=which.format(opponent=opponent, n=meeting.round),
        change=language.figure(number(game.change, signed=True)),
    )  # fmt: skip
