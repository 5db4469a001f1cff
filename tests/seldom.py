"""What ``make exhaustive`` runs, and ``make test`` leaves out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

SELDOM = pytest.mark.exhaustive
"""What takes long, and fails only where a test of the suite would most likely fail, too."""


def seldom(values: Iterable[Any], *, but: Iterable[Any]) -> list[Any]:
    """Values of a parameter: those of ``but`` are tried always, the others seldom."""
    often = list(but)
    return [each if each in often else pytest.param(each, marks=SELDOM) for each in values]
