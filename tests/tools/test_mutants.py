"""Faults that ``python -m tools.mutants`` puts in: real ones, and in the right places."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tools.mutants import __main__ as main
from tools.mutants.judged import judgements, place_of
from tools.mutants.outcomes import Outcome
from tools.mutants.patching import functions_under, patch
from tools.mutants.sites import Mutant, mutants_of, mutated

SOURCE = '''"""A module: not 1 + 1."""

def expected(difference: int | None, share: float = 0.5) -> float:
    """Not 2 * 2."""
    if difference is not None and difference >= 400:
        return 1.0
    return min(share + 3 / 800, 1)
'''


@pytest.fixture
def mutants(tmp_path: Path) -> list[Mutant]:
    (tmp_path / "toy.py").write_text(SOURCE)
    return mutants_of(Path("toy.py"), tmp_path)


def test_faults_are_where_something_is_reckoned(mutants):
    found = {(each.line, each.before, each.after) for each in mutants}
    assert (5, "difference >= 400", "difference > 400") in found
    assert (5, "difference is not None", "difference is None") in found
    assert (7, "share + 3 / 800", "share - 3 / 800") in found
    assert (7, "3 / 800", "3 * 800") in found
    assert (7, "min(share + 3 / 800, 1)", "max(share + 3 / 800, 1)") in found
    assert (3, "0.5", "0.506") in found
    # Not in docstrings, nor in annotations.
    assert not any(each.line in {1, 4} for each in mutants)
    assert not any("None" in each.before and each.line == 3 for each in mutants)


def test_each_fault_is_put_in_alone(mutants, tmp_path):
    made = {}
    for each in mutants:
        if each.line == 5:
            room: dict[str, Any] = {}
            exec(compile(mutated(each, tmp_path), "toy", "exec"), room)
            made[each.after] = [room["expected"](points) for points in (399, 400, 401)]
    even = 0.50375
    assert made["difference > 400"] == [even, even, 1.0]
    assert made["difference is None"] == [even, even, even]
    assert made["401"] == [even, even, 1.0]
    assert made["difference is not None or difference >= 400"] == [1.0, 1.0, 1.0]


@pytest.mark.parametrize("head", ["", "from __future__ import annotations\n\n"])
def test_a_fault_reaches_functions_that_are_held_already(tmp_path, head):
    """Also what was made of one: nothing has to be imported again."""
    source = head + "def outer(least):\n    return lambda points: points >= least\n"
    path = tmp_path / "held.py"
    path.write_text(source)
    room: dict[str, Any] = {}
    exec(compile(source, str(path), "exec", dont_inherit=True), room)
    held = room["outer"](3)
    functions = functions_under(tmp_path)
    [fault] = mutants_of(Path("held.py"), tmp_path)
    assert held(3)
    assert patch(fault, tmp_path, functions) == 2
    assert not held(3)
    assert held(4)
    assert not room["outer"](4)(4)


def test_what_was_judged_stands_where_it_stood():
    """A judgement of a line that is otherwise now is worth nothing."""
    for place in judgements():
        lines = [line.strip() for line in (ROOT / place.path).read_text().splitlines()]
        assert place.line in lines, place


def test_faults_that_change_nothing_are_not_counted(mutants, tmp_path, monkeypatch, capsys):
    one, other, *_ = mutants
    monkeypatch.setattr(main, "ROOT", tmp_path)
    monkeypatch.setattr(main, "judgements", lambda: {place_of(one, tmp_path): "as was seen"})
    outcomes = [
        Outcome(each, verdict, 3, 5, 1.0, thorough=True)
        for each, verdict in [(one, "survived"), (other, "killed")]
    ]
    assert main.report(outcomes, 1.0) == 0
    printed = capsys.readouterr().out
    assert "1 of 2 noticed; of the 1 that are not judged equivalent 100.0%" in printed
    assert "(as was seen)" in printed
    monkeypatch.setattr(main, "judgements", dict)
    assert main.report(outcomes, 0.95) == 1
