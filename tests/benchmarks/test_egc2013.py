"""The European Go Congress 2013: the marks that the EGF editions reached must be kept."""

from __future__ import annotations

import csv
import importlib.util
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType

import pytest

from ratingbook.engine.rate import rate
from ratingbook.rules.egf import egf_2013

SCRIPT = Path(__file__).resolve().parents[2] / "benchmarks" / "egc2013.py"
WEEK_1 = "E130728A"


@pytest.fixture(scope="module")
def data(reference: Path) -> Path:
    folder = reference / "data" / "egc2013"
    if not (folder / "games.csv").is_file():
        pytest.skip(f"no data of the European Go Congress 2013 in {folder}")
    return folder


@pytest.fixture(scope="module")
def congress(data: Path) -> Iterator[ModuleType]:
    """The benchmark as a module; it is a script beside the package, not part of it."""
    name = "benchmark_egc2013"
    spec = importlib.util.spec_from_file_location(name, SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "DATA", data)
        yield module
    del sys.modules[name]


@pytest.fixture(scope="module")
def golden(data: Path) -> dict[str, float]:
    """Each golden player's value after the first event."""
    with (data / "golden_week1.csv").open(encoding="utf-8", newline="") as file:
        return {row["pin"]: float(row["model_after"]) for row in csv.DictReader(file)}


def test_the_mark_is_reached(congress: ModuleType) -> None:
    comparisons = congress.rate_congress(egf_2013)
    assert len(comparisons) == 534
    assert congress.within(comparisons, 1) >= 473
    assert congress.within(comparisons, 2) >= 498


def test_the_mark_with_fitted_starts_is_reached(congress: ModuleType) -> None:
    comparisons = congress.rate_congress(egf_2013, fitted=True)
    assert len(comparisons) == 534
    assert congress.within(comparisons, 1) >= 517
    assert congress.within(comparisons, 2) >= 529


@pytest.mark.parametrize(
    ("settings", "one", "two"),
    [
        pytest.param({"loss_cap": "0"}, 383, 424, id="no loss cap"),
        pytest.param({"epsilon": "0.014"}, 448, 498, id="ε of 1998"),
        pytest.param({"epsilon_split": "stronger"}, 300, 433, id="ε off the stronger side"),
        pytest.param({"reset_grades": "0"}, 274, 331, id="no reset"),
        pytest.param({"epsilon": "0"}, 68, 203, id="no ε"),
    ],
)
def test_other_readings_agree_less(
    settings: Mapping[str, str], one: int, two: int, congress: ModuleType
) -> None:
    """The figures by which each reading of ``egf-2013`` was chosen."""
    comparisons = congress.rate_congress(egf_2013.with_parameters(settings))
    assert (congress.within(comparisons, 1), congress.within(comparisons, 2)) == (one, two)


def test_week_1_of_the_golden_players(congress: ModuleType, golden: Mapping[str, float]) -> None:
    assert len(golden) == 26
    players = {row["pin"]: row for row in congress.rows("players.csv")}
    standings = {pin: congress.first_standing(row, False) for pin, row in players.items()}
    (event,) = (row for row in congress.rows("events.csv") if row["egd_code"] == WEEK_1)
    games = [row for row in congress.rows("games.csv") if row["egd_code"] == WEEK_1]
    rating = rate(congress.report_of(event, games, players, standings), egf_2013)
    found = {rated.row.id: rated.row.exact for rated in rating.rows}
    far = {
        pin: (found[pin], model)
        for pin, model in golden.items()
        if found[pin] != pytest.approx(model, abs=0.01)
    }
    assert far == {}


def test_golden_players_start_from_the_list_before(congress: ModuleType, data: Path) -> None:
    """The ratings that the golden file names are those of the list before the congress."""
    before = {row["pin"]: row[congress.LIST_BEFORE] for row in congress.rows("players.csv")}
    with (data / "golden_week1.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            assert float(row["start_gor"]) == float(before[row["pin"]])
