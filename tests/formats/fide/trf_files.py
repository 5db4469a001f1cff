"""What the tests of TRF share: the real files, and lines in their columns."""

from __future__ import annotations

from pathlib import Path

from ratingbook.formats.fide.trf.read import read_trf
from ratingbook.model import Findings, Report
from tests.formats.helpers import reader_of

SAMPLES = (
    "2020_06.trf",
    "2021_03.trf",
    "armstrong_2011.tab",
    "armstrong_2012_with_bom.tab",
    "bunratty_masters_2011.tab",
    "burstein_late_entries.trf",
    "example1.trf",
    "example_trf26.trf",
    "irish_intermediate_champs_2011.tab",
    "issue_15.trf",
    "javafo_sample2.trf",
    "latin-1.tab",
    "trf-import-test.trf",
    "trf-team-import-test.trf",
    "trf26_team.trf",
)
DATES = ("042 2010/03/06", "052 2010/03/07")


read = reader_of(read_trf)


def sample(reference: Path, name: str) -> tuple[Report, Findings]:
    return read((reference / "samples" / "trf" / name).read_bytes())


def player_line(
    rank: int | str,
    *rounds: str,
    name: str = "Doe, Jo",
    rating: str = "1800",
    federation: str = "GER",
    sex: str = "m",
    title: str = "",
    number: str = "",
    birth: str = "",
    points: str = "",
    place: str = "",
) -> str:
    """A 001 line in its columns; a round is written as "2 w 1", right-aligned."""
    static = (
        f"001 {rank:>4} {sex:1}{title:>3} {name:33} {rating:>4} {federation:3} {number:>11} "
        f"{birth:10} {points:>4} {place:>4}"
    )
    return static + "".join(f"  {cell:>8}" for cell in rounds)


def file(*lines: str) -> str:
    return "\n".join([*DATES, *lines, ""])


def pair(white: str, black: str) -> tuple[Report, Findings]:
    """An event of two players with one round."""
    return read(file(player_line(1, white), player_line(2, black)))
