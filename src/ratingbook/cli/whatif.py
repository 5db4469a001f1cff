"""The answer of ``ratingbook whatif``: a line for each score, and what is enough for a target."""

from __future__ import annotations

import json
from collections.abc import Sequence

from rich.text import Text

from ratingbook.cli.derivation import print_explanation
from ratingbook.cli.screen import aligned, errors, output, plain_table, print_findings, write
from ratingbook.desk.outcomes import Answer, Score, as_dict
from ratingbook.desk.written import as_shown, number, points, rating_number
from ratingbook.model.decimals import change_of


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
    rows = [score.outcomes[0].rated.row for score in scores]
    count = len(answer.open)
    open_ = ["open"] if count else []
    before = [as_shown(answer.begins if row.before is None else row.before) for row in rows]
    after = [[as_shown(value) for value in (score.least, score.greatest)] for score in scores]
    changes = [
        [change_of(began, value) for value in ends]
        for began, ends in zip(before, after, strict=True)
    ]
    columns = [
        *([[f"{points(score.half_points / 2)} of {count}" for score in scores]] if count else []),
        aligned([rating_number(value) for value in before]),
        _spans(after),
        _spans(changes, signed=True),
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
    bold = len(open_) + 1
    for row in zip(*columns, strict=True):
        table.add_row(*(Text(c, style="bold") if n == bold else c for n, c in enumerate(row)))
    return table


def _spans(rows: Sequence[Sequence[float | None]], *, signed: bool = False) -> list[str]:
    """Of each row one number, or two: the least and the greatest, if it matters what is won."""
    least, greatest = (
        aligned([rating_number(value, signed=signed) for value in ends])
        for ends in zip(*rows, strict=True)
    )
    return [
        one if own[0] == own[1] else f"{one.strip()} to {other}"
        for own, one, other in zip(rows, least, greatest, strict=True)
    ]


def _of_target(answer: Answer, scores: Sequence[Score]) -> str | None:
    """What is enough for the target."""
    if answer.target is None:
        return None
    target, count = answer.target, len(answer.open)
    wanted = rating_number(target)
    if not count:
        after = as_shown(scores[0].least)
        if after is None:
            return f"There is no new rating, so nothing is said of {wanted}."
        if after >= target:
            return f"{rating_number(after)}: that is {wanted} or more."
        return (
            f"{rating_number(after)}: {rating_number(change_of(after, target))} short of {wanted}."
        )
    enough = [s for s in scores if _reaches(s.least, target)]
    if enough:
        least = enough[-1]
        return _gives(least, least.least, count, f", at least {wanted}")
    perhaps = [s for s in scores if _reaches(s.greatest, target)]
    if perhaps:
        return _gives(perhaps[-1], perhaps[-1].greatest, count, " at best: it matters against whom")
    whose = " for somebody grown up" if answer.k_of_grown_up else ""
    then = f": {wanted} is out of reach{whose}"
    return _gives(scores[0], scores[0].greatest, count, then, "Even ")


def _reaches(after: float | None, target: float) -> bool:
    """Whether a rating as it is shown is that much, or more."""
    shown = as_shown(after)
    return shown is not None and shown >= target


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
