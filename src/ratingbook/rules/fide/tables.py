"""The two tables of the FIDE handbook, B.02, 8.1: the common ones with FIDE's ends."""

from ratingbook.rules.normal import DIFFERENCES, PROBABILITIES, by_difference, probability_in
from ratingbook.rules.units import Difference, Percent

TABLE_8_1_1 = ((100, 800), *DIFFERENCES, (0, -800))
"""Fractional score p in hundredths → rating difference d_p."""

TABLE_8_1_2 = (*PROBABILITIES, (620, 735, 99))
"""Difference from … to → score probability of the higher rated in hundredths; 1.00 above 735."""

_HIGHER = by_difference(TABLE_8_1_2)


def difference_for(percentage: Percent) -> Difference:
    """d_p of table 8.1.1 for a fractional score of 0 to 100 hundredths."""
    return TABLE_8_1_1[100 - percentage][1]


def probability_of_higher(difference: Difference) -> Percent:
    """P_D of table 8.1.2 for the higher rated player; ``difference`` ≥ 0."""
    return probability_in(_HIGHER, difference, 100)
