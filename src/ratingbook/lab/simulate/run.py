"""A world under a rule book, meet by meet: paired by the published list, rated by the engine."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

import numpy as np

from ratingbook.engine.history.api import program_for
from ratingbook.engine.history.columns import HistoryInput
from ratingbook.engine.history.run import Run
from ratingbook.engine.intake import check_validity
from ratingbook.lab.reform import (
    Reform,
    batch_of,
    lift,
    one_edition,
    outside,
    table_of,
    with_reform,
)
from ratingbook.lab.simulate.chance import Purpose, stream
from ratingbook.lab.simulate.frame import Meet, history_of, meets_of
from ratingbook.lab.simulate.pairing import Rounds, divided
from ratingbook.lab.simulate.people import People, people_of
from ratingbook.lab.simulate.scenario import Scenario, ScenarioError
from ratingbook.lab.simulate.truth import scores, truth_of
from ratingbook.model import Findings
from ratingbook.rules import registry
from ratingbook.rules.book import RuleBook
from ratingbook.rules.series import BookOrSeries

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Simulated:
    """What was played, and which ratings were published."""

    world: Scenario
    seed: int
    book: RuleBook
    reform: Reform | None
    people: People
    meets: tuple[Meet, ...]
    history: HistoryInput
    """The games as they were played: any rule book can rate them."""
    ratings: Array
    """Before each meet, and at the end: the published ratings, NaN where there is none."""
    played: Array
    """Before each meet, and at the end: how many games everybody has played."""
    assume: float | None
    run: Run
    findings: Findings
    """Of days that lie outside the world: those of the edition, and of the reform."""

    def strength(self, meet: int) -> Array:
        """The true strengths before a meet; after the last one those at the last."""
        day = self.meets[min(meet, len(self.meets) - 1)].day
        return self.people.strength(day, self.world)


def assumed(book: RuleBook, world: Scenario) -> float | None:
    """The level of events that name none, where newcomers would else be unrated for ever."""
    return round(world.mean) if book.bulk.assumed_facts is not None else None


def validity(book: RuleBook, world: Scenario) -> Findings:
    """A warning where the edition was not in force in all the years of the world."""
    last = date(world.start.year + world.years - 1, 12, 31)
    return check_validity(book, world.start, "world", last)


def simulate(
    rulebook: str | BookOrSeries,
    world: Scenario | None = None,
    *,
    seed: int = 1,
    settings: Mapping[str, str] | None = None,
    reform: Reform | None = None,
    compiled: bool | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Simulated:
    """Play a scenario and rate it by a rule book, list by list.

    The whole history is planned once with empty boards.  Before each meet all lists are rated
    that are out by then, organisers pair by them, and the results go to their places in the plan;
    so the ratings are those of ``rate_history`` over the games that came out.  The same seed gives
    the same people and entries under every rule book.  ``progress`` is told the games played,
    and all.

    Raises :class:`ScenarioError` for a world without games, ``ReformError`` for a reform that
    cannot be tried, and ``ParameterError`` for parameters that the edition does not have.
    """
    world = world or Scenario()
    book = one_edition(registry.load(rulebook) if isinstance(rulebook, str) else rulebook)
    book = book.with_parameters(settings) if settings else book
    rules = book if reform is None else with_reform(book, reform)
    people = people_of(world, seed)
    meets = meets_of(world, people, seed)
    given = history_of(world, people, meets, book, seed)
    if not len(given.games):
        raise ScenarioError("nobody plays in this scenario: more players, or more events a year")
    assume = assumed(book, world)
    program = program_for(rules, len(given.games), compiled)
    run = Run(given, program, assume=assume, rows=False, constants=False)
    board, lists = _Board(world, seed, book, people, run), _Lists(run, reform)
    count = len(people)
    ratings = np.empty((len(meets) + 1, count), np.float32)
    played = np.zeros((len(meets) + 1, count), np.int32)
    for number, meet in enumerate(meets):
        lists.rate(meet.day)
        rating, _ = table_of(run)
        ratings[number] = rating
        board.hold(meet, rating)
        played[number + 1] = played[number]
        played[number + 1, meet.who] += meet.rounds
        if progress is not None:
            progress(meet.first_game + meet.games, len(given.games))
    lists.rate(None)
    findings = validity(book, world)
    if reform is not None:
        findings.extend(outside(run, reform))
    ratings[-1] = table_of(run)[0]
    return Simulated(
        world=world, seed=seed, book=rules, reform=reform, people=people, meets=meets,
        history=given, ratings=ratings, played=played, assume=assume, run=run, findings=findings,
    )  # fmt: skip


class _Lists:
    """The lists, or events, in the order in which they are rated, with a lift among them."""

    def __init__(self, run: Run, reform: Reform | None) -> None:
        self._run, self._reform = run, reform
        self._lifted_before = None if reform is None else batch_of(run, reform)

    def rate(self, day: int | None) -> None:
        """Rate what is out by a day, None: all, and lift ratings where a reform does so by then."""
        run, lifted = self._run, self._lifted_before
        stop = len(run.plan)
        if day is not None:
            stop = int(np.searchsorted(run.plan.keys, day, side="right"))
        if self._reform is not None and lifted is not None and lifted <= stop:
            self._up_to(lifted)
            lift(run, self._reform)
            self._lifted_before = None
        self._up_to(stop)

    def _up_to(self, batch: int) -> None:
        for _ in self._run.batches(batch):
            pass


class _Board:
    """Where people meet: pairs them, draws the results and writes them into the plan."""

    def __init__(
        self, world: Scenario, seed: int, book: RuleBook, people: People, run: Run
    ) -> None:
        self._world, self._people = world, people
        self._division = stream(seed, Purpose.DIVISION)
        self._pairing = stream(seed, Purpose.PAIRING)
        self._results = stream(seed, Purpose.RESULTS)
        lowest = people.aim - people.gap - world.ageing * 70
        deepest = world.sandbag_depth if people.sandbags.any() else 0
        self._expected = truth_of(
            world, book, int(lowest.min()) - deepest, int(people.aim.max()) + world.first_move
        )
        columns, games = run.given.games, run.plan.games
        self._white = (columns.white, games.white)
        self._black = (columns.black, games.black)
        self._score = (columns.score, games.score)
        self._places: Array | None = None
        if run.plan.moved is not None:
            self._places = np.empty(len(columns), np.int64)
            self._places[run.plan.moved] = np.arange(len(columns))
        self._number = 0

    def hold(self, meet: Meet, rating: Array) -> None:
        """Hold a meet: all its events, round after round."""
        world, people = self._world, self._people
        known = np.where(np.isfinite(rating), rating, people.guess)[meet.who]
        order = divided(meet, known, world, self._division)
        who, known = meet.who[order], known[order]
        strength = people.strength(meet.day, world, who)
        self._number += 1
        # In the last meet of a year everybody plays as well as possible.
        if self._number % world.meets:
            strength = strength - world.sandbag_depth * people.sandbags[who]
        rounds = Rounds(meet, known, world, self._pairing)
        for turn in range(meet.rounds):
            white, black = rounds.pairs()
            expected = self._expected(strength[white] + world.first_move, strength[black])
            score = scores(expected, world, self._results.random(len(white)))
            rounds.note(white, black, score)
            self._write(meet.rows(turn), who[white], who[black], score)

    def _write(self, rows: Array, white: Array, black: Array, score: Array) -> None:
        """The games in the order of the file, and in that in which they are rated."""
        places = rows if self._places is None else self._places[rows]
        for columns, values in (
            (self._white, white), (self._black, black), (self._score, score),
        ):  # fmt: skip
            for column, at in zip(columns, (rows, places), strict=True):
                column[at] = values
