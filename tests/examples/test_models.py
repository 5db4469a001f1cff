"""The models of the examples: compiled they give the same bits, and every command takes them."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from rating_models import glicko, glicko_2, weng_lin
from ratingbook.checks.columns import histories_are_the_same_compiled
from ratingbook.cli.app import app
from ratingbook.lab.compare import compare
from ratingbook.rules import registry
from ratingbook.rules.book import RuleBook
from tests.seldom import SELDOM

ROOT = Path(__file__).resolve().parents[2]
GAMES = ROOT / "examples" / "history" / "games.csv"


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As ``pip install -e examples/models`` would leave it."""
    info = tmp_path / "rating_models-1.0.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: rating-models\nVersion: 1.0.0\n")
    points = "glicko = rating_models:glicko\nglicko-2 = rating_models:glicko_2\n"
    points += "weng-lin = rating_models:weng_lin\n"
    (info / "entry_points.txt").write_text(f"[{registry.GROUP}]\n{points}")
    monkeypatch.syspath_prepend(tmp_path)


@SELDOM
@pytest.mark.parametrize("book", [glicko, glicko_2, weng_lin], ids=lambda book: book.name)
def test_compiled_and_plain_give_the_same_bits(book: RuleBook) -> None:
    histories_are_the_same_compiled(book)


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize("name", ["glicko", "glicko-2", "weng-lin"])
def test_what_if_explains_them(name: str):
    done = CliRunner().invoke(
        app, ["whatif", "--rulebook", name, "--rating", "1500", "1400=1", "1550=0", "--explain"]
    )
    assert done.exit_code == 0, done.output
    assert "new deviation" in done.output
    assert "new rating" in done.output


@pytest.mark.usefixtures("installed")
def test_who_is_not_sure_expects_less():
    """The more sure two systems are of the same ratings, the farther their predictions reach."""
    made = compare(
        GAMES, ["elo", "glicko", "glicko-2:months=6", "weng-lin"], compiled=False, seed=1
    )
    found = {each.name: each for each in made.systems}
    assert found.keys() == {"elo", "glicko", "glicko-2:months=6", "weng-lin", "constant"}
    assert made.left_out == 0
    assert found["glicko"].log_loss.mean < found["constant"].log_loss.mean
    assert found["weng-lin"].log_loss.mean < found["constant"].log_loss.mean
