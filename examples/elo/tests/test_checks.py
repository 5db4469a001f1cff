"""``elo`` holds what every rule book must hold."""

import pytest

from elo_rating import elo
from ratingbook.checks import Check, checks_of


@pytest.mark.parametrize("check", checks_of(elo), ids=str)
def test_elo(check: Check) -> None:
    """One test for each check, named after it."""
    check()
