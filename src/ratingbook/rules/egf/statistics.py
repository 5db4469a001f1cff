"""Paragraph 8: statistics of even games, beside what an edition predicts.

For each grade: games and wins of its players against opponents who are one to four
grades stronger.  A jigo is half a win.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from ratingbook.model import Colour, Entry, Report
from ratingbook.rules.egf.classes import is_counted
from ratingbook.rules.egf.columns import Parameters, Strength
from ratingbook.rules.egf.expected import curve_of, expected_between
from ratingbook.rules.egf.grades import (
    NO_GRADE,
    GradeIndex,
    grade_index,
    grade_name,
    grade_of_rating,
)
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.units import Probability

GAPS = (1, 2, 3, 4)
"""How many grades stronger the opponent is."""


class Count(NamedTuple):
    """Games of one grade against one gap: N_g, and won half points (2 · N_w)."""

    games: int = 0
    half_points: int = 0

    @property
    def wins(self) -> float:
        """N_w; a jigo is half a win."""
        return self.half_points / 2

    @property
    def share(self) -> float | None:
        """P_w = N_w / N_g; None without a game."""
        return self.half_points / 2 / self.games if self.games else None


@dataclass(frozen=True, slots=True)
class GradeRow:
    """One grade: what was counted against each gap, and what the edition predicts."""

    grade: GradeIndex
    counts: tuple[Count, ...]
    predicted: tuple[Probability, ...]

    @property
    def name(self) -> str:
        """The grade as players write it."""
        return grade_name(self.grade)


@paragraph("8", "{grade} against {gap} grades stronger: predicted {value}")
def predicted_share(grade: GradeIndex, gap: int, p: Parameters) -> Probability:
    """Paragraph 8: the expected score between the nominal ratings of two grades."""
    own, opponent = 2100.0 + 100.0 * grade, 2100.0 + 100.0 * (grade + gap)
    return expected_between(
        Strength(own, curve_of(own, p)), Strength(opponent, curve_of(opponent, p)), p
    )


def grade_of(entry: Entry) -> GradeIndex:
    """The declared grade of a player, else that of the rating; NO_GRADE for neither."""
    declared = grade_index(entry.grade)
    if declared != NO_GRADE or entry.standing is None or entry.standing.rating is None:
        return declared
    return grade_of_rating(entry.standing.rating)


def count(reports: Iterable[Report]) -> dict[tuple[GradeIndex, int], Count]:
    """The even games of all reports, by grade of the weaker player and gap."""
    counts: dict[tuple[GradeIndex, int], Count] = {}
    for report in reports:
        grades = {entry.id: grade_of(entry) for entry in report.entries}
        for game in report.games:
            if game.black is None or game.handicap != 0 or not is_counted(game):
                continue
            for colour in Colour:
                own = grades[game.white if colour is Colour.WHITE else game.black]
                other = grades[game.black if colour is Colour.WHITE else game.white]
                gap = other - own
                score = game.result.half_points(colour)
                if NO_GRADE in (own, other) or gap not in GAPS or score is None:
                    continue
                old = counts.get((own, gap), Count())
                counts[own, gap] = Count(old.games + 1, old.half_points + score)
    return counts


def statistics(counts: dict[tuple[GradeIndex, int], Count], p: Parameters) -> tuple[GradeRow, ...]:
    """The table, the weakest grade first."""
    grades = sorted({grade for grade, _ in counts})
    return tuple(
        GradeRow(
            grade,
            tuple(counts.get((grade, gap), Count()) for gap in GAPS),
            tuple(predicted_share(grade, gap, p) for gap in GAPS),
        )
        for grade in grades
    )
