"""Invented events of a small federation, as arbiters send them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.cli.conftest import run

__all__ = ["run"]

PEOPLE = (
    ("Alder, Ann", 1990, 4100001, 2100),
    ("Birch, Bob", 1985, 4100002, 2050),
    ("Cedar, Cyd", 2001, 4100003, 1900),
    ("Date, Dan", 1970, 4100004, 1800),
)
Rounds = Sequence[Sequence[tuple[int, int, float]]]
"""Rounds of games: White, Black (places in PEOPLE), White's score."""


def trf(name: str, day: str, order: Sequence[int], rounds: Rounds, *, numbers: bool = True) -> str:
    """A TRF of one day; ``order`` gives the start numbers."""
    lines = [f"012 {name}", "022 Exampleton", f"042 {day}", f"052 {day}", "092 Swiss"]
    start = {person: number for number, person in enumerate(order, 1)}
    for person in order:
        called, year, fide, rating = PEOPLE[person]
        points, cells = 0.0, []
        for games in rounds:
            for white, black, score in games:
                if person not in (white, black):
                    continue
                own = score if person == white else 1 - score
                other = start[black if person == white else white]
                points += own
                result = {1: "1", 0.5: "=", 0: "0"}[own]
                cells.append(f"{other:>4} {'w' if person == white else 'b'} {result}")
        number = fide if numbers else ""
        lines.append(
            f"001 {start[person]:>4} m    {called:<33} {rating:>4} GER {number:>11} {year}/00/00 "
            f"{points:>4.1f} {start[person]:>4}  {'  '.join(cells)}"
        )
    return "\n".join(lines) + "\n"


JANUARY = ([(0, 3, 1), (1, 2, 0.5)], [(2, 0, 1), (3, 1, 0)], [(0, 1, 0.5), (2, 3, 1)])
FEBRUARY = ([(0, 1, 1), (2, 3, 0.5)], [(1, 3, 1), (0, 2, 0)])
MARCH = ([(0, 2, 1), (1, 3, 0.5)],)
ORDERS = ((0, 1, 2, 3), (3, 2, 1, 0), (2, 0, 3, 1))


@pytest.fixture
def office(tmp_path: Path) -> Path:
    """A folder with three events, whose start numbers differ, and a players file."""
    events = tmp_path / "events"
    events.mkdir()
    told = (("January", JANUARY), ("February", FEBRUARY), ("March", MARCH))
    for number, ((month, rounds), order) in enumerate(zip(told, ORDERS, strict=True), 1):
        text = trf(f"{month} Open", f"2024/{number:02}/06", order, rounds)
        (events / f"{number}.trf").write_text(text, "utf-8")
    (tmp_path / "players.csv").write_text(
        "id,name,rating,games,ids.fide\n"
        '4100001,"Alder, Ann",2100,100,4100001\n'
        '4100002,"Birch, Bob",2050,100,4100002\n'
        '4100003,"Cedar, Cyd",1900,12,4100003\n'
        '4100004,"Date, Dan",1800,200,4100004\n'
        '4100005,"Elm, Eve",1750,60,4100005\n',
        "utf-8",
    )
    return tmp_path
