"""``icu-2012`` holds what every rule book must hold."""

import pytest

from icu_rating import icu_2012
from ratingbook.checks import Check, checks_of


@pytest.mark.parametrize("check", checks_of(icu_2012), ids=str)
def test_icu_2012(check: Check) -> None:
    """One test for each check, named after it."""
    check()


@pytest.mark.parametrize("version", ["0", "1", "2"])
def test_the_earlier_versions(version: str) -> None:
    """They hold it too; how histories are compiled, stopped and corrected is tried above."""
    book = icu_2012.with_parameters({"version": version})
    for check in checks_of(book, examples=5):
        if not any(word in check.name for word in ("compiled", "stopped", "corrected")):
            check()
