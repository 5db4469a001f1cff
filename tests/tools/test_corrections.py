"""A little of what ``tools.corrections`` tries in full counts (docs/corrections.md)."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("django")

from tests.seldom import seldom
from tools import correction_versions, corrections


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An office as it is when new."""
    return corrections.begun(tmp_path_factory.mktemp("model") / "office")


@pytest.mark.parametrize("rulebook", seldom(corrections.RULEBOOKS, but=("egf",)))
@pytest.mark.parametrize("next_list", [False, True], ids=["rerate", "next-list"])
def test_previews_say_what_runs_do(model: Path, rulebook: str, next_list: bool):
    """Under each rule book, of whole ratings or not, and far ahead of the first day."""
    found = [*corrections.trials(rulebook, 2, 5, model, next_list=next_list)]
    assert len(found) == 2
    assert [wrong for _, wrong in found if wrong] == []


@pytest.mark.parametrize("rulebook", seldom(corrections.RULEBOOKS, but=("fide",)))
def test_what_is_corrected_holds_in_later_versions(model: Path, rulebook: str):
    """Their players have other numbers; what is taken back is so in all."""
    found = [*correction_versions.trials(rulebook, 4, 5, model)]
    assert [wrong for _, wrong in found if wrong] == []
