"""The study of the EGF's systems: the numbers that the documentation prints."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from benchmarks.lab_egf import EDITIONS, by_players, losses, write

PAGE = Path(__file__).parents[2] / "docs" / "lab-fit.md"


@pytest.mark.slow
def test_the_losses_at_the_congress_are_those_of_the_page(reference: Path, tmp_path: Path):
    if not (reference / "data" / "egc2013" / "games.csv").is_file():
        pytest.skip("no data of the European Go Congress 2013")
    found, white, black = losses(write(tmp_path))
    told = dict(re.findall(r"^\| `(egf-\d+)` .*? \| (0\.6[0-9]{3}) \| (?:0\.0|\|)", _rows(), re.M))
    assert [f"{found[name].mean():.4f}" for name in EDITIONS] == [told[each] for each in EDITIONS]
    mean, low, high = by_players(found["egf-1998"] - found["egf-2021"], white, black)
    assert (round(mean, 4), round(low, 4), round(high, 4)) == (0.0283, 0.0089, 0.0498)


def _rows() -> str:
    """The rows of the study, without empty cells at the end."""
    return PAGE.read_text("utf-8").replace(" | | |\n", " | |\n")
