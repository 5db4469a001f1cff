"""Every edition beside an independent reckoning of its text: ``make differential``, in small."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest

from tools.differential import __main__ as command
from tools.differential.common import Case, Oracle, Path

ORACLES = command.oracles()
PLAYERS = 60


@cache
def compared(edition: str, path: Path) -> command.Outcome:
    return command.compared(ORACLES[edition], edition, path, PLAYERS, seed=2)


@pytest.mark.parametrize("path", [Path.REPORT, Path.HISTORY])
@pytest.mark.parametrize("edition", ORACLES)
def test_the_rule_book_is_the_text(edition: str, path: Path) -> None:
    outcome = compared(edition, path)
    assert outcome.shown == []
    assert outcome.players == PLAYERS


@pytest.mark.parametrize("path", [Path.REPORT, Path.HISTORY])
@pytest.mark.parametrize("oracle", {id(each): each for each in ORACLES.values()}.values())
def test_ties_are_sought_out(oracle: Oracle, path: Path) -> None:
    """In sixty players of an edition there may be none; in those of a federation there are."""
    assert sum(compared(edition, path).ties for edition in oracle.EDITIONS) > 0


class Toy:
    """An oracle whose second case differs."""

    EDITIONS = ("toy-1",)

    def compare(self, edition: str, path: Path, players: int, seed: int) -> Iterator[Case]:
        for number in range(players):
            yield Case(f"{edition} player {number}", 1500 + number // 2, 1500, tie=number == 1)


@pytest.mark.parametrize(("players", "status"), [("0", 1), ("2", 0), ("3", 1)])
def test_a_difference_and_nothing_at_all_are_told(
    players: str,
    status: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(command, "oracles", lambda: {"toy-1": Toy()})
    assert command.main(["toy-1", "--path", "report", "--players", players]) == status
    lines = capsys.readouterr().out.splitlines()
    differing = "1" if players == "3" else "0"
    ties = "0" if players == "0" else "1"
    assert lines[1].split() == ["toy-1", "report", players, ties, differing]
    assert ("  toy-1 player 2" in lines) == (players == "3")


def test_an_edition_without_an_oracle_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        command.main(["fide-1870"])
    assert "no oracle for fide-1870" in capsys.readouterr().err
