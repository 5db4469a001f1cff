"""A little of what ``tools.flips`` and ``tools.inputs`` try in full counts (docs/trust.md)."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tools import flips, inputs


def test_what_is_damaged_is_told_or_made_again():
    found = list(flips.outcomes("elo", 8, random.Random(3)))
    assert len(found) == 8
    assert not [each for each in found if each[1] in {"wrong", "traceback"}]
    assert not [each for each in found if each[2] in {"wrong", "traceback"}]


def test_damage_that_is_believed_is_noticed(monkeypatch: pytest.MonkeyPatch):
    """Without a look at the hashes of what is read."""
    monkeypatch.setattr(
        "ratingbook.engine.store.generation.Generation._data",
        lambda generation, name: generation.path(name).read_bytes(),
    )
    found = list(flips.outcomes("elo", 15, random.Random(4)))
    assert [each for each in found if {each[1], each[2]} & {"wrong", "traceback"}]


@pytest.mark.parametrize("book", inputs.BOOKS)
def test_rows_of_random_inputs_add_up(tmp_path: Path, book: str):
    found = []
    for number in range(12):
        chance = random.Random(f"{book} {number}")
        folder = tmp_path / str(number)
        folder.mkdir()
        found.append(inputs.outcome(book, *inputs.files(book, folder, chance)))
    assert set(found) <= {"rated", "refused"}
    assert "rated" in found
