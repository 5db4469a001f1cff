"""One of many histories: its name, its edition, and what is made of the games."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Job:
    """A history to rate, one of many over the same games.

    With ``bootstrap_seed`` the events are drawn anew (see
    :func:`~ratingbook.engine.spark.chance.resampled`), with ``simulate_seed`` the results
    (see :func:`~ratingbook.engine.spark.chance.simulated`); with both first the events,
    then their results.
    """

    name: str
    """Also the name of its folder."""
    rulebook: str
    settings: Mapping[str, str] = field(default_factory=dict)
    """Parameters of the rule book, as text."""
    assume: float | None = None
    bootstrap_seed: int | None = None
    simulate_seed: int | None = None
