"""How often players won, drew and lost in the games that were rated, for lists that print it.

The rows of a run have games and scores, from which this does not follow.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

from ratingbook.engine.history.run import Run
from ratingbook.engine.loops.arrays import RATED_SAID
from ratingbook.engine.report.known import TOTALS
from ratingbook.model import Standing
from ratingbook.rules.book import RuleBook, results_after
from ratingbook.rules.bulk import NOT_GIVEN
from ratingbook.rules.half import Half, Part, Status

Results = tuple[int | None, int | None, int | None]
UNKNOWN: Results = (None, None, None)


def prints_results(edition: RuleBook, day: date) -> bool:
    """Whether the list of a day has these columns."""
    return {*TOTALS} <= {column.key for column in edition.listing((), day).columns}


def results_of(run: Run, stop: int, games: Mapping[str, int]) -> dict[str, Results]:
    """By player, in the batches before ``stop`` and in what the players file says of before.

    ``games`` are the rated games that everybody has by then: where the results are not of just
    these they are not known.  For rule books that look at the game alone to say whether it counts.
    """
    scores: dict[int, list[int]] = {}
    for player, score in _rated(run, stop):
        scores.setdefault(player, []).append(score)
    opening = _opening(run)
    found = {}
    for code, each in enumerate(run.given.players.to_pylist()):
        person = str(each)
        totals = results_after(opening.get(code, Standing()), scores.get(code, ()))
        known = [count for count in totals if count is not None]
        is_whole = len(known) == len(totals) and sum(known) == games.get(person)
        found[person] = totals if is_whole else UNKNOWN
    return found


def _opening(run: Run) -> dict[int, Standing]:
    """What the players file says, by code of the player."""
    table = run.given.standings
    if table is None:
        return {}
    names = [each for each in ("games", *TOTALS) if each in table.column_names]
    return {
        row["player"]: Standing(**{name: row[name] for name in names})
        for row in table.select(["player", *names]).to_pylist()
    }


def _rated(run: Run, stop: int) -> Iterator[tuple[int, int]]:
    """The player and the half points of every side that counts in the batches before ``stop``."""
    bulk, games, events = run.program.bulk, run.plan.games, run.plan.events
    standing = bulk.standing_of(bulk.known(), run.stretches[0].parameters)
    default = bulk.facts()
    offsets = games.offsets.tolist()
    for batch in range(stop):
        p = run.stretch_of(batch).parameters
        for at in range(offsets[batch], offsets[batch + 1]):
            event = int(games.event[at])
            start, end = (
                int(own[at] if len(own) else of_events[event])
                for own, of_events in ((games.start, events.start), (games.end, events.end))
            )
            rated = int(games.rated[at]) if len(games.rated) else 3
            sides = int(games.white[at]), int(games.black[at])
            for colour, player in enumerate(sides):
                score = int(games.score[at])
                half = _half(
                    2 - score if colour and score >= 0 else score,
                    Status(int(games.status[at])) if len(games.status) else Status.PLAYED,
                    (start, end, int(games.reported[at]) if len(games.reported) else end),
                    sides[1 - colour], at, is_said=bool(rated & RATED_SAID),
                )  # fmt: skip
                if rated >> colour & 1 and bulk.counts(half, standing, standing, default, p):
                    yield player, half.score


def _half(
    score: int, status: Status, days: tuple[int, int, int], other: int, game: int, *, is_said: bool
) -> Half:
    start, day, reported = days
    nothing: dict[str, Any] = dict.fromkeys(
        ("margin", "partner", "opponents_partner", "own", "opponent"), NOT_GIVEN
    )
    return Half(
        score=score, stones=0, opponent_stones=0, start=start, day=day, reported=reported, event=0,
        meetings=1, other=other, game=game, home=0, status=status, instead=0, part=Part.ALONE,
        rated_said=is_said, **nothing,
    )  # fmt: skip
