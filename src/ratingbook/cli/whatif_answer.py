"""The answer of ``ratingbook whatif``: a line for each score, and what is enough for a target."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from rich.text import Text

from ratingbook.cli.rate import print_explanation
from ratingbook.cli.screen import (
    aligned,
    errors,
    number,
    output,
    plain_table,
    points,
    print_findings,
    rating_number,
    write,
)
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


def show(answer: Answer, *, as_json: bool) -> None:
    """Print the answer; one line for each score of the open games."""
    if as_json:
        write(json.dumps(as_dict(answer), ensure_ascii=False, indent=2))
        return
    console = output()
    if answer.outcomes:
        scores = list(answer.scores())
        console.print(Text(f"What if, by {answer.book.name}", style="bold"))
        console.print(_table(answer, scores))
        said = [*filter(None, [_of_target(answer, scores), _of_grade(answer, scores)])]
        for sentence in said:
            console.print(Text(sentence, style="bold"))
        for note in answer.notes:
            console.print(Text(note, style="dim"))
        for score in scores:
            if score.outcomes[0].rated.explanation:
                if answer.open:
                    console.print()
                    words = f"{points(score.half_points / 2)} of {len(answer.open)}:"
                    console.print(Text(words, style="bold"))
                print_explanation(score.outcomes[0].rated, console)
    print_findings(answer.findings, errors())


def _table(answer: Answer, scores: Sequence[Score]) -> object:
    whole = answer.edition.grades is not None
    rows = [score.outcomes[0].rated.row for score in scores]
    count = len(answer.open)
    open_ = ["open"] if count else []
    before = [row.before if row.before is not None else answer.begins for row in rows]
    changes = [
        [
            None if each.after is None or began is None else each.after - began
            for each in (score.outcomes[0], score.outcomes[-1])
        ]
        for score, began in zip(scores, before, strict=True)
    ]
    columns = [
        *([[f"{points(score.half_points / 2)} of {count}" for score in scores]] if count else []),
        [_rating(value, whole) for value in before],
        [_span([s.least, s.greatest], whole) for s in scores],
        [_span(pair, whole, signed=True) for pair in changes],
        aligned([points(row.score) for row in rows]),
        [str(row.games) for row in rows],
        aligned([number(row.expected) for row in rows]),
        [
            row.status if row.published or row.after is None else f"{row.status}, unpublished"
            for row in rows
        ],
    ]
    table = plain_table(
        *(f">{name}" for name in open_), ">before", ">after", ">change", ">score", ">games",
        ">expected", "status",
    )  # fmt: skip
    after = len(open_) + 1
    for row in zip(*columns, strict=True):
        table.add_row(*(Text(c, style="bold") if n == after else c for n, c in enumerate(row)))
    return table


def _rating(value: float | None, whole: bool, *, signed: bool = False) -> str:
    """A rating or a change; to the whole number where ratings have decimals that nobody says."""
    return rating_number(round(value) if whole and value is not None else value, signed=signed)


def _span(ends: Sequence[float | None], whole: bool, *, signed: bool = False) -> str:
    """One number, or from the least to the greatest where it matters which games are won."""
    texts = dict.fromkeys(_rating(value, whole, signed=signed) for value in ends)
    return " to ".join(texts)


def _of_target(answer: Answer, scores: Sequence[Score]) -> str | None:
    """What is enough for the target."""
    if answer.target is None:
        return None
    target, count = answer.target, len(answer.open)
    wanted = rating_number(target)
    if not count:
        after = scores[0].least
        if after is None:
            return f"There is no new rating, so nothing is said of {wanted}."
        short = target - after
        if short <= 0:
            return f"{rating_number(after)}: that is {wanted} or more."
        return f"{rating_number(after)}: {rating_number(short)} short of {wanted}."
    enough = [s for s in scores if s.least is not None and s.least >= target]
    if enough:
        least = enough[-1]
        return _gives(least, least.least, count, f", at least {wanted}")
    perhaps = [s for s in scores if s.greatest is not None and s.greatest >= target]
    if perhaps:
        return _gives(perhaps[-1], perhaps[-1].greatest, count, " at best: it matters against whom")
    return _gives(scores[0], scores[0].greatest, count, f": {wanted} is out of reach", "Even ")


def _gives(score: Score, after: float | None, count: int, then: str, even: str = "") -> str:
    made = f"{even}{points(score.half_points / 2)} of {count}"
    verb = "gives" if score.half_points <= 2 and not even else "give"
    return f"{made} {verb} {rating_number(after)}{then}."


def _of_grade(answer: Answer, scores: Sequence[Score]) -> str | None:
    """The grades that the new ratings are nearest to."""
    grades = answer.edition.grades
    if grades is None:
        return None
    before = scores[0].outcomes[0].rated.row.before
    began = before if before is not None else answer.begins
    reached = dict.fromkeys(
        grades.of_rating(score.least) for score in scores if score.least is not None
    )
    if not reached:
        return None
    old = "" if began is None else f"{grades.of_rating(began)} → "
    return f"Grade by rating: {old}{' or '.join(reached)}."


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
        "findings": [finding.as_dict() for finding in answer.findings],
    }
