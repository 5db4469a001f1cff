"""Tables 3 and 4 of the ICCF rules: the common ones with ICCF's ends."""

from ratingbook.rules.normal import DIFFERENCES, PROBABILITIES, by_difference, probability_in
from ratingbook.rules.units import Difference, Percent

TABLE_3 = ((100, 677), *DIFFERENCES, (0, -677))
"""Percentage score P → rating difference D_p: 1.00 earns no more than 0.99."""

TABLE_4 = PROBABILITIES
"""Difference from … to → P_H of the higher rated in hundredths; 0.99 from 620 on."""

_HIGHER = by_difference(TABLE_4)


def difference_for(percentage: Percent) -> Difference:
    """D_p of table 3 for 0 to 100 percent."""
    return TABLE_3[100 - percentage][1]


def probability_of_higher(difference: Difference) -> Percent:
    """P_H of table 4; ``difference`` ≥ 0."""
    return probability_in(_HIGHER, difference, 99)
