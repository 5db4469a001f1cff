"""Glicko: the paper's example, growth over time, and the public checks."""

import math
from datetime import date

import pytest

from rating_models import glicko
from rating_models.alike import Facts, Side, Standing, taking
from rating_models.glicko.rules import Parameters, expected_score, grown, weight
from ratingbook.checks import Check, checks_of
from ratingbook.engine.rate import rate
from ratingbook.formats.document.read import report_from

CHECKS = [each for each in checks_of(glicko, examples=10) if not each.name.endswith("compiled")]


@pytest.mark.parametrize("check", CHECKS, ids=str)
def test_it_holds_what_every_rule_book_must(check: Check) -> None:
    """Compiled, it is tried by `make exhaustive`."""
    check()


@pytest.mark.parametrize(
    ("opponent", "deviation", "g", "expected"),
    [(1400, 30, 0.9955, 0.639), (1550, 100, 0.9531, 0.432), (1700, 300, 0.7242, 0.303)],
)
def test_the_table_of_the_paper(opponent: int, deviation: int, g: float, expected: float) -> None:
    """Glickman, The Glicko system, the table of the worked example."""
    found = weight(deviation)
    assert found == pytest.approx(g, abs=5e-5)
    assert expected_score(1500, opponent, found) == pytest.approx(expected, abs=5e-4)


def test_the_example_of_the_paper() -> None:
    """1464 with a deviation of 151.4, in the paper's rounding."""
    report = report_from(glicko.text.examples[0].document, glicko.standing_fields)
    row = next(each.row for each in rate(report, glicko).rows if each.row.id == "A")
    assert row.after == pytest.approx(1464.1, abs=0.05)
    assert row.standing.extra["deviation"] == pytest.approx(151.4, abs=0.05)
    assert row.expected == pytest.approx(0.639 + 0.432 + 0.303, abs=2e-3)


def test_c_of_the_paper_brings_50_to_350_in_30_periods() -> None:
    """√((350² − 50²) / 30) = 63.2."""
    assert math.sqrt((350**2 - 50**2) / 30) == pytest.approx(Parameters().c, abs=0.05)
    assert grown(50.0, 30, Parameters()) == pytest.approx(350, abs=0.5)
    assert grown(50.0, 31, Parameters()) == 350


def test_the_prediction_of_the_paper() -> None:
    """1400/80 is expected to score 0.376 against 1500/150."""
    assert glicko.bulk is not None
    assert glicko.bulk.predicted is not None
    side = Side(1500.0, 150.0, 1, 1, 0)
    found = glicko.bulk.predicted(Standing(1400.0, 9, 80.0), side, Parameters())
    assert found == pytest.approx(0.376, abs=5e-4)


def test_periods_of_months() -> None:
    """Two of them begin on 1 January, 1 March and so on; twelve on 1 January."""
    assert taking(date(2024, 1, 31), Facts(2)) == date(2024, 3, 1)
    assert taking(date(2024, 2, 29), Facts(2)) == date(2024, 3, 1)
    assert taking(date(2024, 12, 31), Facts(2)) == date(2025, 1, 1)
    assert taking(date(2024, 3, 1), Facts(12)) == date(2025, 1, 1)
