"""What comes out of a what-if: each way in which open games can end, and each score."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby

from ratingbook.engine.rate import RatedRow
from ratingbook.formats.document.write import standing_as_dict
from ratingbook.model import Findings
from ratingbook.rules.book import RuleBook
from ratingbook.rules.series import BookOrSeries


@dataclass(frozen=True)
class Outcome:
    """One way in which the open games can end, and what comes out."""

    half_points: tuple[int, ...]
    """Scores of the open games."""
    rated: RatedRow

    @property
    def after(self) -> float | None:
        """The new rating."""
        return self.rated.row.after


@dataclass(frozen=True)
class Score:
    """All outcomes in which the open games bring the same score."""

    half_points: int
    outcomes: tuple[Outcome, ...]
    """From the least new rating to the greatest."""

    @property
    def least(self) -> float | None:
        """The new rating, whichever of the games are won."""
        return self.outcomes[0].after

    @property
    def greatest(self) -> float | None:
        """The new rating at best."""
        return self.outcomes[-1].after


@dataclass
class Answer:
    """What becomes of a rating."""

    book: BookOrSeries
    outcomes: list[Outcome] = field(default_factory=list)
    open: list[str] = field(default_factory=list)
    """The opponents of the open games."""
    findings: Findings = field(default_factory=Findings)
    notes: list[str] = field(default_factory=list)
    """How it was reckoned, where that goes not without saying."""
    begins: float | None = None
    """Where the rating begins of who has none yet: that of the grade."""
    target: float | None = None
    k_of_grown_up: tuple[float, ...] = ()
    """K as of somebody grown up, where a child has another one and nobody has said an age."""

    @property
    def edition(self) -> RuleBook:
        """The edition that rated."""
        return self.book.edition(None)

    def scores(self) -> Iterator[Score]:
        """The outcomes by the score of the open games, the best first."""

        def total(outcome: Outcome) -> int:
            return sum(outcome.half_points)

        ordered = sorted(self.outcomes, key=lambda each: (-total(each), each.after or 0.0))
        for half_points, found in groupby(ordered, key=total):
            yield Score(half_points, tuple(found))


def as_dict(answer: Answer) -> dict[str, object]:
    """The answer as JSON."""
    return {
        "rulebook": answer.book.name,
        "parameters": answer.book.non_default_parameters,
        "open": answer.open,
        "notes": answer.notes,
        "target": answer.target,
        "scores": [
            {
                "score": score.half_points / 2,
                "after": score.least,
                "after_at_best": score.greatest,
                "reaches_target": None
                if answer.target is None or score.least is None
                else score.least >= answer.target,
            }
            for score in answer.scores()
        ],
        "outcomes": [
            {
                "scores": [half / 2 for half in outcome.half_points],
                "before": outcome.rated.row.before,
                "after": outcome.rated.row.after,
                "exact": outcome.rated.row.exact,
                "change": outcome.rated.row.change,
                "score": outcome.rated.row.score,
                "games": outcome.rated.row.games,
                "expected": outcome.rated.row.expected,
                "status": outcome.rated.row.status,
                "published": outcome.rated.row.published,
                "standing": standing_as_dict(outcome.rated.row.standing),
                "explanation": [step.as_dict() for step in outcome.rated.explanation],
            }
            for outcome in answer.outcomes
        ],
        **answer.findings.as_dict(),
    }
