"""The editions hold what every rule book must hold."""

import pytest

from nowhere_rating import nowhere_2023, nowhere_2026
from ratingbook.checks import Check, checks_of


@pytest.mark.parametrize("check", checks_of(nowhere_2023) + checks_of(nowhere_2026), ids=str)
def test_edition(check: Check) -> None:
    """One test for each check, named after it."""
    check()
