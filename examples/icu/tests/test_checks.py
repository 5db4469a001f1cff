"""``icu-2012`` holds what every rule book must hold."""

import pytest

from icu_rating import icu_2012
from ratingbook.checks import Check, check_rulebook, checks_of


@pytest.mark.parametrize("check", checks_of(icu_2012), ids=str)
def test_icu_2012(check: Check) -> None:
    """One test for each check, named after it."""
    check()


@pytest.mark.parametrize("version", ["0", "1", "2"])
def test_the_earlier_versions(version: str) -> None:
    """They hold it too."""
    check_rulebook(icu_2012.with_parameters({"version": version}), examples=15)
