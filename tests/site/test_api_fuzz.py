"""Whatever is asked of the API, as its description lets one ask: no fault of ours."""

from __future__ import annotations

import pytest

pytest.importorskip("django")
pytest.importorskip("schemathesis")

from tools import api_fuzz


def test_nothing_that_is_asked_is_a_fault_of_ours(world):
    asked, wrong = api_fuzz.fuzz(world.folder, examples=2)
    assert wrong == []
    assert asked >= 50
