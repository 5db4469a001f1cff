"""How the EGF tests rate a report: always as a document, end to end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import pytest

from ratingbook.engine.rate import Rating, rate
from ratingbook.formats.document.read import report_from
from ratingbook.rules.egf import egf_1998, egf_2013, egf_2021

EDITIONS = {"egf-1998": egf_1998, "egf-2013": egf_2013, "egf-2021": egf_2021}
DAYS = {"egf-1998": "2001-05-05", "egf-2013": "2013-05-05", "egf-2021": "2022-05-05"}
"""A day on which each edition was in force."""


class RateEgf(Protocol):
    """Rates players and games; keywords are the event's, ``settings`` the edition's.

    An event that names no start is of a day on which the edition was in force; a game
    that names no round has one of its own.
    """

    def __call__(
        self,
        edition: str,
        players: Sequence[Mapping[str, Any]],
        games: Sequence[Mapping[str, Any]],
        settings: Mapping[str, str] | None = None,
        **event: object,
    ) -> Rating: ...


@pytest.fixture(scope="session")
def rate_egf() -> RateEgf:
    """Rate a report with an EGF edition and explain everyone."""

    def rated(
        edition: str,
        players: Sequence[Mapping[str, Any]],
        games: Sequence[Mapping[str, Any]],
        settings: Mapping[str, str] | None = None,
        **event: object,
    ) -> Rating:
        document = {
            "ratingbook": "report/1",
            "event": {"start": DAYS[edition], **event},
            "players": [dict(player) for player in players],
            "games": [{"round": number, **game} for number, game in enumerate(games, 1)],
        }
        book = EDITIONS[edition].with_parameters(settings or {})
        return rate(report_from(document), book, explain=None)

    return rated
