"""What an edition gives the engine so that it can rate columns of games.

A report is made into small columns, a history of millions of games has large ones; both
are rated by the functions named here.  They are pure, take NamedTuples of numbers and
call the functions of the paragraphs, so that they can be watched in a report and
compiled for a history.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, NamedTuple

from ratingbook.model import Colour, Event, FrozenSide, Game, GameStatus
from ratingbook.rules.arity import check_arities
from ratingbook.rules.half import Half, Status
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.pooling import Pools
from ratingbook.rules.units import SCORE_SCALE, Day, Games, HalfPoints, Rating, Year
from ratingbook.rules.usual import Side, Standing, Sums, no_games, side_of

NOT_GIVEN = -(10**6)
"""A whole number that the columns do not give."""

NO_NUMBER = math.nan
"""A number that does not exist: the rating of an unrated player, an expected score."""

EPOCH = date(1970, 1, 1)
_EPOCH_DAY = EPOCH.toordinal()

LAST_YEAR = 9999


def day_number(day: date | None) -> Day:
    """The day as the columns hold it: days since 1970-01-01, NOT_GIVEN where there is none."""
    return NOT_GIVEN if day is None else day.toordinal() - _EPOCH_DAY


def month_number(day: Day) -> int:
    """The month of a day number, counted from January of the year 0."""
    since_march, of_year = _march_year(day)
    return 12 * since_march + (5 * of_year + 2) // 153 + 2


def day_of_month(day: Day) -> int:
    """1 to 31, of a day number."""
    of_year = _march_year(day)[1]
    return of_year - (153 * ((5 * of_year + 2) // 153) + 2) // 5 + 1


def full_years(first: Day, day: Day) -> int:
    """The full years from one day to another: an age.

    A player born on 29 February is a year older on 1 March.
    """
    months = month_number(day) - month_number(first)
    return (months - int(day_of_month(day) < day_of_month(first))) // 12


def birthday(birth: Day, year: Year) -> Day:
    """The day of birth; 1 January where only the year is known, if it is one."""
    if birth != NOT_GIVEN or not 1 <= year <= LAST_YEAR:
        return birth
    return last_day_of(year - 1) + 1


def _march_year(day: Day) -> tuple[int, int]:
    """The year and the day in it, where years begin in March: 29 February then ends one of four."""
    since = day + 719468
    era = since // 146097
    of_era = since - era * 146097
    year = (of_era - of_era // 1460 + of_era // 36524 - of_era // 146096) // 365
    return era * 400 + year, of_era - (365 * year + year // 4 - year // 100)


def year_number(day: Day) -> Year:
    """The year of a day number."""
    return month_number(day) // 12


def last_day_of(year: Year) -> Day:
    """The day number of 31 December."""
    century = year // 100
    # Shifted: the same as divided by four, in a fifth of the time.
    return 365 * year + (year >> 2) - century + (century >> 2) - 719163


LEFT_OUT: Any = int(Status.LEFT_OUT)
"""For compiled code, in which a member of an enumeration is not a number."""


def status_of(game: Game) -> Status:
    """The status of a game as a column holds it."""
    return _STATUSES_OF_GAMES[game.status]


_STATUSES_OF_GAMES = {status: Status[status.name] for status in GameStatus}


def score_of(game: Game, colour: Colour) -> HalfPoints:
    """The score of a side as a column holds it: NOT_GIVEN without a result."""
    score = game.result.half_points(colour)
    return NOT_GIVEN if score is None else score


class Entered(NamedTuple):
    """How a player comes to a batch, besides the standing."""

    grade: int
    """Declared grade, coded by the edition, or NOT_GIVEN."""
    birth: Day
    """Day of birth, or NOT_GIVEN; where ``known`` has the year, ``birthday(how.birth, year)``."""
    adult: bool
    last: Day
    """Last day of the latest batch with a game of the player, or NOT_GIVEN."""
    day: Day
    """Last day of the batch: the latest on which one of its events ended; NOT_GIVEN in a report
    without dates."""
    decided: Any
    """What the office decided for the player: the edition's ``decisions``, each NO_NUMBER
    where nothing was decided.  Where each game is rated by itself they hold until a game of
    the event is rated for the player."""
    start: Day
    """First day of the event, or of the game; meaningless where a batch holds several."""


class Outcome(NamedTuple):
    """What a batch came to for one player; NO_NUMBER where there is no such number."""

    before: float
    after: float
    games: Games
    score: HalfPoints
    expected: float


class Listed(NamedTuple):
    """What the final table says of a player."""

    rating: float
    games: Games
    status: int
    """Index in :data:`STATUSES`."""
    published: bool


STATUSES = ("unrated", "starting", "provisional", "established", "unlisted")
"""The words for the status of a standing; a column holds their index."""

UNRATED, STARTING, PROVISIONAL, ESTABLISHED, UNLISTED = range(len(STATUSES))


def status_code(text: str) -> int:
    """The index of a status in :data:`STATUSES`; NOT_GIVEN for an unknown word."""
    word = text.strip().casefold()
    return STATUSES.index(word) if word in STATUSES else NOT_GIVEN


class Nothing(NamedTuple):
    """Stands for columns that an edition does not have: facts, kept sides, ratings elsewhere."""

    nothing: int = 0


class NoDecisions(NamedTuple):
    """The decisions of the office where the edition knows none."""

    rating: float = NO_NUMBER


@dataclass(frozen=True)
class Fold:
    """A round as a sum over the sides, in any order.

    Where ``applies(entered, parameters)``, the kernel of the round is
    ``value(entered, tally, parameters)`` with ``tally`` begun by ``begin(entered,
    parameters)`` and grown by ``add(tally, entered, side, parameters)`` for each side.
    In histories a player to whom it applies keeps no sides, and has lost those of before with the
    first game that counts.

    Where the standing has the sums of earlier sides, only reports carry these themselves:
    there ``resumed(entered, carried, games, parameters)`` begins the tally with the carried
    sides, before ``games`` of the batch.  ``settled(tally, entered, games, parameters)`` is the
    tally that has begun where it is known before the games how many there are, as when a history is
    explained; without it that is of no matter.
    """

    tally: type[Any]
    begin: Callable[..., Any]
    add: Callable[..., Any]
    value: Callable[..., Any] | None = None
    """None: the tally is the value."""
    applies: Callable[..., Any] | None = None
    """None: to everybody."""
    resumed: Callable[..., Any] | None = None
    """None: the standing has no sums of earlier sides."""
    settled: Callable[..., Any] | None = None
    """None: what is made of a game does not rest on how many there are."""
    rare: frozenset[str] = frozenset()
    """Fields of the tally that begin with 0 and few sides change: in memory they lie apart."""
    needs_rare: Callable[..., Any] | None = None
    """``needs_rare(parameters)``: whether any side changes them; None: some may."""
    changes_rare: Callable[..., Any] | None = None
    """``changes_rare(tally, side, parameters)``: whether this side reads or changes them, asked of
    a tally that has zeros there; None: any may.  Else they are not touched in memory."""
    unread: frozenset[str] = frozenset()
    """Fields of the standing that the rules of a side do not read: they lie apart, too."""

    def __post_init__(self) -> None:
        """Look whether the functions can be called as they will be."""
        check_arities(self)


def summed(add: Callable[..., Any], value: Callable[..., Any] | None = None) -> Fold:
    """The round of an edition that adds up changes: the usual sums, from no games on."""
    return Fold(Sums, no_games, add, value)


def for_ever(kept: Any, day: int, p: Any) -> bool:
    """What is kept counts however old it is."""
    return True


@dataclass(frozen=True)
class Keeping:
    """Sides that are kept for later batches of the same player.

    ``keeps(left, p)``
        whether a player who left a batch so still needs earlier sides;
    ``chosen(sides, entered, left, p)``
        a list that says of each side whether it is kept; None: all are;
    ``keep(side, start, entered, left, p)``
        what is kept of it; ``start`` is the day on which its event started;
    ``lasts(kept, day, p)``
        whether it still counts in a batch in which the player's last event ends on that day;
        by default it does;
    ``side(kept, entered, p)``
        the side that it is in a later batch; None: kept sides are not sides there;
    ``recall(standing, kept, day, p)``
        the standing with what is kept, before the player enters; None: nothing is
        recalled;
    ``renewed(kept, entered, left, p)``
        what is kept of an earlier batch, by how the player has left this one; it is asked
        before ``lasts``.  None: it stays as it is;
    ``as_printed(kept, p)``
        what is kept by numbers that lists print, as that of the :class:`Bulk`; None: as it is;
    ``thawed(frozen, standing, p)``
        what is kept by a side of a report's history, in plain Python; None where it is
        nothing to keep; without it by the names of the fields;
    ``frozen(kept, was, made, opponent, p)``
        the side of a history that it is, in plain Python: ``was`` in the report, or None of this
        batch, whose :class:`Outcome` for player and opponent are ``made`` and ``opponent``; without
        it by the names of the fields;
    ``sums``
        keys of a standing that say what the kept sides come to: they stand for a history that a
        report does not bring;
    ``assumed(known, p)``
        of how many earlier games of which a players file says nothing but the number a history
        assumes what they come to; in plain Python.  None: of none;
    ``tells_assumed(games)``
        the paragraph that tells it, of so many.
    """

    kept: type[Any]
    keeps: Callable[..., Any]
    keep: Callable[..., Any]
    chosen: Callable[..., Sequence[bool]] | None = None
    lasts: Callable[..., Any] = for_ever
    side: Callable[..., Any] | None = None
    recall: Callable[..., Any] | None = None
    renewed: Callable[..., Any] | None = None
    as_printed: Callable[..., Any] | None = None
    thawed: Callable[[FrozenSide, Any, Any], Any] | None = None
    frozen: Callable[[Any, FrozenSide | None, Outcome, Outcome, Any], FrozenSide] | None = None
    sums: frozenset[str] = frozenset()
    assumed: Callable[[Any, Any], int] | None = None
    tells_assumed: Callable[[Any], Any] | None = None

    def __post_init__(self) -> None:
        """Look whether the functions can be called as they will be."""
        check_arities(self)


@dataclass(frozen=True)
class EventRules:
    """Rules that look at all games of an event: of a match, of a round robin.

    ``wants(facts, p)``
        whether the rules of such an event do;
    ``number(entered, number, p)``
        the number with which a player is among the games, by the one in force;
    ``facts(facts, games, count, p)``
        the facts of the event with what its games say of it; ``games`` are those of the event
        in the batch, so many as
        :class:`~ratingbook.rules.event_games.EventGames`; in a report it is reported to all players
        of the event;
    ``half(half, own, facts, games, index, p)``
        the half as the event as a whole has it: with another status, where the game is not
        rated at all, or with another number for the opponent.  ``own`` is how the player
        entered, ``index`` the place of the game among the games.
    ``finds``
        the fields of the facts that are 0 before, and that nothing but ``facts`` fills.
    """

    wants: Callable[..., Any]
    number: Callable[..., Any]
    facts: Callable[..., Any]
    half: Callable[..., Any]
    finds: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        """Look whether the functions can be called as they will be."""
        check_arities(self)


@dataclass(frozen=True)
class FieldRules:
    """Rules that ask who takes part in an event, and with which ratings: the level of a tournament.

    ``wants(facts, p)``
        whether the rules of such an event do;
    ``facts(facts, numbers, p)``
        the facts of the event with what these say of it: ``numbers`` are those of all players of
        the event in the list that was in force when it began.  Of editions with lists only.
    """

    wants: Callable[..., Any]
    facts: Callable[..., Any]

    def __post_init__(self) -> None:
        """Look whether the functions can be called as they will be."""
        check_arities(self)


@dataclass(frozen=True)
class Words:
    """The words that an edition knows in one of the columns of text of the events.

    ``knows(event, p)``
        whether the word of such an event is one of them, or makes no difference.
    """

    knows: Callable[[Event, Any], bool]
    known: Sequence[str]
    """The words, for people."""
    otherwise: str
    """What becomes of an event with another word; empty where it is refused."""
    refuses: bool = False
    """Whether another word is an error, as it is in a report."""


class Turns(NamedTuple):
    """A round that may be repeated until nothing moves."""

    kernel: int
    """Which of the kernels it is; −1 after the last round."""
    at_most: int
    """How often it is played at most."""
    still: float
    """It is repeated until no value moves by as much as that; NEVER_STILL: always played
    ``at_most`` times."""
    goes_on: bool
    """Whether the first turn can be still, too: compared with the values of the round before."""
    must_settle: bool
    """Whether the batch is refused if something still moves in the last turn."""
    wanted: bool
    """Whether it is left out unless a value of the round before ``wants`` it."""
    in_turn: bool
    """Whether each player sees what the round left of those before him: in the order of the
    report, in histories in that of their first games.  Then the order enters the numbers."""


NEVER_STILL = -1.0


@dataclass(frozen=True)
class Calendar:
    """The lists of an edition that rates by periods."""

    taking: Callable[[date, Any], date]
    """Day of the list that takes what ended on a day, by the facts of the event."""
    in_force: Callable[..., date] | None = None
    """``in_force(day)``: the list in force on a day; None: ratings are those of the last list.
    In reports of a book that rates by events it is given the event's name, too."""
    by_game: bool = False
    """Whether each game goes by its own days, not by those of its event."""
    by_report: bool = False
    """With ``by_game``: whether it is the day of the report that decides, where one is said."""
    of_reports: frozenset[str] = frozenset()
    """Facts that say what comes in time for the list of a report.  In a history every game goes
    to the list that takes it, and they are the defaults."""
    splits: Callable[[int, Any], bool] | None = None
    """Whether an event of so many days, the first and the last counted, is rated month by month,
    by ``p``."""
    decides: Callable[[date, date, Event, Any], date] | None = None
    """``decides(start, end, event, p)``: the day that says which edition, and which amendments,
    an event is rated by; None: its last one."""
    late: Callable[[date, date, Any], bool] | None = None
    """``late(end, reported, p)``: whether a report of that day came too late for what ended on a
    day, so that it is left out."""
    kept_lists: int = 1
    """Earlier lists whose numbers are kept for games that are still to come."""


HISTORY_OF_A_REPORT = ("history", "history_own")
"""Fields of what is known of a player that only a report says: how many earlier sides it brings,
and the own rating that the first of them has."""


def no_facts(event: Event, p: Any) -> Nothing:
    """An edition that asks nothing of an event but its days."""
    del event, p
    return Nothing(0)


def as_it_is(record: Any, p: Any) -> Any:
    """What is known of a player is the standing, and the standing is what is known."""
    return record


def as_stored(standing: Any, how: Entered, facts: Any, p: Any) -> Any:
    """Players enter as they stand."""
    return standing


@paragraph("", "{status}, score {score}: not rated", silent=True)
def is_game(status: Status, score: HalfPoints) -> bool:
    """A game over the board, if it was lost on time, with a result.

    Whose text says that only such games are rated tags it with its paragraph:
    ``paragraph("3", edition="my-edition")(is_game)``.
    """
    return status <= Status.TIME and score >= 0


def was_played(half: Half, own: Any, opponent: Any, facts: Any, p: Any) -> bool:
    """Games over the board, those lost on time included, with a result."""
    return is_game(half.status, half.score)


@paragraph("", otherwise="the opponent has no rating: not rated", silent=True)
def is_met_rated(opponent: Rating) -> bool:
    """An opponent with a rating; to be tagged with the paragraph that asks for one."""
    return opponent > 0


def against_rated(half: Half, own: Any, opponent: Any, facts: Any, p: Any) -> bool:
    """Games over the board with a result, against opponents with a rating."""
    theirs = side_of(half, own, opponent, facts, p).opponent
    return is_game(half.status, half.score) and is_met_rated(theirs)


def usual_outcome(stored: Any, entered: Any, value: Any, left: Any, p: Any) -> Outcome:
    """The row by the ratings and by the sums of the value; a rating of 0 is no rating.

    A player who entered without a rating has no expected score.
    """
    before = float(stored.rating) if has_rating(stored.rating) else NO_NUMBER
    after = float(left.rating) if has_rating(left.rating) else NO_NUMBER
    expected = value.expected / SCORE_SCALE if has_rating(entered.rating) else NO_NUMBER
    return Outcome(before, after, value.games, value.score, expected)


def has_rating(rating: float) -> bool:
    """Whether that is a rating: neither 0 nor NO_NUMBER."""
    return rating != 0 and not math.isnan(rating)


def usual_listed(standing: Any, p: Any) -> Listed:
    """Whoever has a rating is on the list."""
    if has_rating(standing.rating):
        return Listed(float(standing.rating), standing.games, ESTABLISHED, True)
    return Listed(NO_NUMBER, standing.games, UNRATED, False)


def usual_exact(entered: Any, value: Any, left: Any, p: Any) -> float:
    """The value, on the scale of the sums; a rating with decimals is the exact one itself.

    Who is left without a rating has none.
    """
    if not has_rating(left.rating):
        return NO_NUMBER
    return left.rating if isinstance(left.rating, float) else float(value.value / SCORE_SCALE)


@dataclass(frozen=True, eq=False)
class Bulk:
    """How an edition rates: its columns, and the functions over them.

    Reports and histories go the same way.  ``p`` are the edition's parameters, always the
    last argument.  What an edition does not say is the usual thing: the records and sums of
    :mod:`.usual`, or of others the fields ``rating`` and ``games`` of the standing, and
    ``value``, ``games``, ``score`` and ``expected`` of the value.

    ``standing_of(known, p)``
        the standing by what the players file says; of a player whom it does not hold,
        ``known`` has its defaults;
    ``assumed(known, rating, p)``
        the same for a player without a rating under ``--assume``; None: the edition
        leaves nobody unrated for ever;
    ``facts_of(event, p)``
        what the edition reads of an event, in plain Python;
    ``enter(standing, entered, facts, p)``
        the standing with which the player enters the batch; ``facts`` are those of the
        event in an edition that rates sections, else the defaults;
    ``side_of(half, own, opponent, facts, p)``
        the side of a half that counts;
    ``counts(half, own, opponent, facts, p)``
        whether the half counts for its player; ``own`` and ``opponent`` as they entered;
    ``kernels``
        the functions of the rounds, ``kernel(entered, sides, p)``;
    ``kernel_at(facts, turn, p)``
        which of them is the round ``turn`` of a batch, −1 after the last; None: there is
        one kernel, and one round;
    ``round_at(number, p)``
        in place of ``kernel_at`` where rounds are repeated until nothing moves: the
        :class:`Turns` of a round;
    ``wants(value)``
        whether a value wants the next round, of those that are left out otherwise;
    ``moved(side, value)``
        the side with the opponent's value of the round before; None: one round;
    ``between(entered, value)``
        what the kernel gets as the standing: with the own value of the round before; None:
        as entered;
    ``leave(entered, value, p)``
        the new standing;
    ``outcome(stored, entered, value, left, p)``
        the row of the changes; ``stored`` is the standing before ``enter``;
    ``listed(standing, p)``
        the row of the final table;
    ``opponents_number(entered, side, value, p)``
        the number with which the opponent of a side counted in the last round, in plain Python;
        None: the rating with which the opponent went into the game;
    ``in_force(standing, p)``
        the whole number that events begun now use;
    ``exact(entered, value, left, p)``
        the unrounded new rating;
    ``known_of(standing, p)``
        what a players file would say of the standing: the way back of ``standing_of``;
    ``predicted(entered, side, p)``
        the share of the point that the edition expects of the side before the game is played,
        NO_NUMBER where it expects none; None: it never does;
    ``performance(entered, sides, value, p)``
        the performance in a report, in plain Python;
    ``performance_against(total, score, games)``
        the performance against rated opponents, by the sum of their ratings and half points, in
        plain Python; None: more than that plays a part, or the edition knows none;
    ``coefficient(standing, day, p)``
        the K by which an event would be rated that begins on a day, 0 for who has no rating, in
        plain Python; None: the edition has no such number;
    ``left_unrated(half, p)``
        what an explanation says of a half that the report does not rate;
    ``corrected(standing, decided, p)``
        the standing as the office decided, before the player enters; None: ``enter`` sees to it;
    ``remembers(standing, number, p)``
        the standing with the memory of a number that a game names as in force: it has been
        published, too; None: nothing is remembered.
    """

    leave: Callable[..., Any]
    standing: type[Any] = Standing
    side: type[Any] = Side
    value: type[Any] = Sums
    known: type[Any] = Nothing
    """What a players file says of a player; without it the standing itself, with its defaults."""
    facts: type[Any] = Nothing
    kernels: tuple[Callable[..., Any], ...] = ()
    """None beside a fold that applies to everybody; at least one beside ``Fold(applies=…)``."""
    standing_of: Callable[..., Any] = as_it_is
    enter: Callable[..., Any] = as_stored
    counts: Callable[..., Any] = was_played
    side_of: Callable[..., Any] = side_of
    outcome: Callable[..., Any] = usual_outcome
    listed: Callable[..., Any] = usual_listed
    facts_of: Callable[[Event, Any], Any] = no_facts
    exact: Callable[..., Any] = usual_exact
    known_of: Callable[..., Any] = as_it_is
    predicted: Callable[..., float] | None = None
    performance: Callable[..., Any] | None = None
    performance_against: Callable[..., Any] | None = None
    coefficient: Callable[..., int] | None = None
    as_printed: Callable[..., Any] | None = None
    """``as_printed(standing, p)``: the standing with the numbers that lists print, for whoever may
    not know the decimals with which ratings go on; None: there are none."""
    born: Callable[..., Any] | None = None
    """``born(standing, birth, p)``: the standing of a player who was born on that day, or of one
    of whom nobody knows when; None: a standing knows no age, so that no K hangs on one."""
    left_unrated: Callable[..., Any] | None = None
    counted: Callable[..., Any] | None = None
    """``counted(entered, sides, p)``: the sides of a batch that went into the rating, in plain
    Python, where a side can stand there and not count; None: all that are not carried."""
    decisions: type[Any] = NoDecisions
    """What the office can decide for a player: numbers whose default is NO_NUMBER."""
    lasting: frozenset[str] = frozenset()
    """The decisions that hold for all of a report; the others are used up by the first batch in
    which a game of the player is rated."""
    settles_idle: bool = False
    """Whether ``leave`` and ``outcome`` say how players stand in a report who have no game that
    counted: a decision may have changed them.  Otherwise they stand as before."""
    assumes_games: bool = False
    """Whether a rated player without a number of games is taken to have some; then it is not
    given after a report either."""
    moved: Callable[..., Any] | None = None
    kernel_at: Callable[..., Any] | None = None
    round_at: Callable[..., Any] | None = None
    wants: Callable[..., Any] | None = None
    between: Callable[..., Any] | None = None
    fold: Fold | None = None
    keeping: Keeping | None = None
    opponents_number: Callable[..., Any] | None = None
    opponents_as_listed: bool = False
    """Whether ``opponents_number`` is the published rating where both players have one: nobody need
    be asked for it then."""
    in_force: Callable[..., Any] | None = None
    event_rules: EventRules | None = None
    field_rules: FieldRules | None = None
    corrected: Callable[..., Any] | None = None
    remembers: Callable[..., Any] | None = None
    calendar: Calendar | None = None
    """None: every section is rated by itself, in the order of its end."""
    codes: Mapping[str, Callable[[str], int]] = field(default_factory=dict)
    """Columns of text: from the text to the number that the functions read."""
    event_words: Mapping[str, Words] = field(default_factory=dict)
    """The columns of events in which the edition looks for certain words."""
    age_seen: Callable[[int, int, Any], object] | None = None
    """``age_seen(birth, day, p)``: all that the edition makes of a birth date in an event of a
    day, both as days; ``NOT_GIVEN``: nobody knows it.  With dates by which it says the same on all
    days of a player no number differs, and of those who are younger it never says what it says of
    who is older than these.  None: more is made of it, or nothing."""
    caveat_of: Callable[[Event, Any], str] | None = None
    """``caveat_of(event, p)``: what is not rated as in a report of such an event, or nothing."""
    assumed_facts: Callable[[Any, float, Any], Any] | None = None
    """``assumed_facts(facts, rating, p)``: the facts of an event under ``--assume``."""
    counts_meetings: bool = False
    """Whether sides need the number of meetings."""
    counts_margins: bool = False
    """Whether sides need margins and who is at home; without it a half has neither."""
    assumed: Callable[..., Any] | None = None
    pools: Pools | None = None
    """The pools of the edition, where they read each other."""
    reformed: Callable[..., Any] | None = None
    """``reformed(standing, p)``: a standing after the one-off reform that the edition declares."""

    def __post_init__(self) -> None:
        """Complete what follows from the rest; raise what cannot be meant."""
        check_arities(self)
        if self.fold is not None and self.fold.applies is None and self.kernels:
            raise ValueError(
                "Bulk has kernels beside a fold for everybody: they would never be played; leave "
                "them out, or say with Fold(applies=…) whom the fold is for"
            )
        if self.fold is not None and self.fold.applies is not None and not self.kernels:
            raise ValueError(
                "Bulk has Fold(applies=…) and no kernels: nothing rates the players to whom the "
                "fold does not apply; name their round in kernels"
            )
        if self.known is Nothing:
            object.__setattr__(self, "known", self.standing)
