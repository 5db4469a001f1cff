"""Players, their ratings and results, and why a rating changed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from ratingbook.client.said.corrections import Difference


@dataclass(frozen=True)
class PlayerFound:
    """A player as a search finds one."""

    id: int
    name: str
    also: tuple[str, ...]
    """Other names by which the player was found."""
    federation: str
    club: str
    numbers: tuple[tuple[str, str], ...]
    """In registers: of which, and the number."""
    ratings: tuple[tuple[str, float | None, int], ...]
    """Pool, rating and decimals."""


@dataclass(frozen=True)
class EventNamed:
    """An event."""

    report: int
    name: str
    start: date | None
    end: date | None


@dataclass(frozen=True)
class Reform:
    """A paragraph by which an edition changed all ratings."""

    edition: str
    paragraph: str
    anchor: str
    text: str
    is_of_decimals: bool
    """Whether nothing but the decimals became others."""


@dataclass(frozen=True)
class Result:
    """What an event, or all events of a list, did to a rating; ``key`` asks for its explanation."""

    pool: str
    key: str
    day: date
    events: tuple[EventNamed, ...]
    games: int
    score: float
    expected: float | None
    average: float | None
    """Of the opponents' ratings in the rated games."""
    performance: float | None
    before: float | None
    after: float | None
    change: float | None
    first: float | None
    is_revised: bool
    is_published: bool
    """Else the rules do not publish the rating yet, and the numbers are left out."""
    corrections: tuple[int, ...]
    decimals: int
    decimals_before: int
    was_listed: bool
    """Else the list of then had no rating of the player: the rules published one later."""
    follows: bool
    """Else it does not begin where the last one ended: the explanation says why."""
    reform: Reform | None
    """Where the rules changed all ratings, and no game was rated."""
    differences: tuple[Difference, ...]
    """Where corrections added something on a list, and no game was rated."""
    began: float | None
    """With what the rules let a player begin who had no rating: with that of another pool."""


@dataclass(frozen=True)
class PoolRating:
    """A player in a pool: on the newest list, and now."""

    pool: str
    rulebook: str
    by_lists: bool
    decimals: int
    official: float | None
    decimals_listed: int
    list: int | None
    """The number of the newest list."""
    list_day: date | None
    list_revision: int | None
    is_to_come: bool
    """Whether the day from which on the list is in force is still to come."""
    now: float | None
    games: int
    status: str
    last_played: date | None
    peak: float | None
    decimals_of_peak: int
    peak_day: date | None
    """None: the player came in with it."""
    last: Result | None
    is_live: bool


@dataclass(frozen=True)
class History:
    """The ratings of a pool over time; ``is_shortened`` where the oldest changes are left out."""

    pool: str
    decimals: int
    begin: date
    end: date
    first: float
    last: float
    peak: float
    peak_day: date | None
    revised: int
    is_shortened: bool
    rows: tuple[Result, ...]


@dataclass(frozen=True)
class Corrected:
    """A correction that reached numbers of a player in a pool."""

    number: int
    says: tuple[str, ...]
    day: date
    revised: int
    """Published numbers of the player there that it changed."""
    is_nothing: bool
    """Whether nothing of it is left: it was taken back, or takes back another of these."""


@dataclass(frozen=True)
class Apart:
    """Another number of a person whom a pool has apart until its next run: a merge came later."""

    number: int
    pool: str
    rating: float | None
    decimals: int


@dataclass(frozen=True)
class Revision:
    """A publication that made numbers of a player others, and not by corrections alone."""

    publication: int
    day: date
    """When it was published."""
    revised: int
    """Published numbers of the player that it made others so."""
    says: tuple[str, ...]
    """What came with it that can have done so; empty: nobody can tell."""


@dataclass(frozen=True)
class Player:
    """A player, with the newest results of one pool; ``Client.results`` gives all of them."""

    id: int
    name: str
    spoken: str
    title: str
    federation: str
    club: str
    ids: tuple[tuple[str, str], ...]
    last_played: date | None
    pools: tuple[PoolRating, ...]
    history: History | None
    results: tuple[Result, ...]
    results_of: str
    """The pool whose results stand here; empty: there are none."""
    corrections: tuple[Corrected, ...]
    """Of that pool."""
    revisions: tuple[Revision, ...]
    """What but corrections made numbers of that pool others."""
    apart: tuple[Apart, ...]


@dataclass(frozen=True)
class ChangedSince:
    """A published number that became another one: after a batch, or on a list."""

    batch: str
    day: date
    publication: int
    was: float | None
    now: float | None
    listing: str
    """``left`` a list, or ``came`` on one, and has a rating all the same; else empty."""
    added: float | None
    """What corrections added on a list, where nothing was rated again."""
    corrections: tuple[int, ...]
    why: tuple[str, ...]


@dataclass(frozen=True)
class GameRow:
    """A game of an explanation."""

    event: str
    apart: str
    """What tells it apart from another one of the same event, round, colour and opponent."""
    round: int | None
    colour: str
    opponent: int | None
    name: str
    rating: float | None
    """With which the opponent counted."""
    rating_is: str
    """Empty: a rating; else ``level``, ``limited``, ``replaced``, ``stand-in`` or ``then``."""
    result: str
    handicap: int
    expected: float | None
    used: float | None
    """The opponent's rating to which the expected score belongs, where that is another one."""
    change: float | None
    why_unrated: str


@dataclass(frozen=True)
class Paragraph:
    """A paragraph as it acted."""

    number: str
    title: str
    article: str
    url: str
    text: str
    said: tuple[str, ...]
    games: tuple[tuple[str, str], ...]
    result: str


@dataclass(frozen=True)
class Part:
    """A part of a sentence."""

    text: str
    strong: bool


@dataclass(frozen=True)
class Term:
    """A part of the sum: what it is, how it is reckoned, and what comes out."""

    label: str
    text: str
    result: str


@dataclass(frozen=True)
class Since:
    """A number as it was first published, and now: ``before``, ``change`` or ``after``."""

    label: str
    first: float | None
    now: float | None
    in_all: float | None
    """The difference; of it some was ``brought`` along, and some came ``here``."""
    brought: float | None
    here: float | None


@dataclass(frozen=True)
class Otherwise:
    """A correction that went on the next list, while the games stay as they were rated."""

    correction: int
    says: tuple[str, ...]
    value: float | None
    """What it added to the rating; None: nothing to anybody."""
    day: date
    list_day: date | None


@dataclass(frozen=True)
class Then:
    """The list as of which a change is told, which is told otherwise by now."""

    list: int
    day: date
    revision: int
    before: float | None
    after: float | None
    change: float | None
    """As these are now."""
    holds: bool
    """Whether there is one now."""


@dataclass(frozen=True)
class ByReform:
    """What the rules did to a rating on a day on which they changed all ratings once."""

    day: date
    edition: str
    paragraph: str
    text: str
    before: float
    after: float


@dataclass(frozen=True)
class Explanation:
    """Why a rating changed."""

    person: int
    name: str
    pool: str
    then: Then | None
    """None: it is told as it is now."""
    decimals: int
    key: str
    day: date
    by_lists: bool
    rulebook: str
    edition: str
    edition_from: date | None
    run: int
    """Which brought the number, and when it was published."""
    published: date
    events: tuple[EventNamed, ...]
    began: float | None
    """From what is reckoned where there was no rating: from another pool's, or that of a grade."""
    before: float | None
    after: float | None
    change: float | None
    sentence: tuple[Part, ...]
    sum: tuple[Term, ...]
    games: tuple[GameRow, ...]
    rated_games: int
    score: float
    expected: float | None
    average: float | None
    of_games: float | None
    """What the games brought together, before it is rounded."""
    performance: float | None
    name_of_k: str
    coefficients: tuple[float, ...]
    paragraphs: tuple[Paragraph, ...]
    is_published: bool
    is_withheld: bool
    """Whether the steps are left out, since a birth date could be reckoned from them."""
    is_of_printed: bool
    """Whether it is reckoned from the ratings that lists print."""
    differs: str
    """What the derivation ends at, where that is not what is published."""
    substitutes: str
    unrounded: float | None
    """The new rating before it is rounded for lists, where they have fewer decimals."""
    since: tuple[Since, ...]
    corrections: tuple[Corrected, ...]
    """Those that made it another number."""
    otherwise: tuple[Otherwise, ...]
    reasons: tuple[str, ...]
    """Why it is another number than at first, where corrections alone did not make it so."""
    reforms: tuple[ByReform, ...]
    """What the rules did to the rating after it, up to the list, or to now."""

    @property
    def text(self) -> str:
        """The sentence."""
        return "".join(each.text for each in self.sentence)
