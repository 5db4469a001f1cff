"""plain-elo-2024 holds what every rule book must hold."""

import pytest

from plain_elo import plain_elo_2024
from ratingbook.checks import Check, checks_of


@pytest.mark.parametrize("check", checks_of(plain_elo_2024), ids=str)
def test_plain_elo_2024(check: Check) -> None:
    """One test for each check, named after it."""
    check()
