"""How the ICCF tests rate a report: always as a document, end to end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import pytest

from ratingbook.engine.rate import Rating, rate
from ratingbook.formats.document.read import report_from
from ratingbook.rules.iccf import iccf_2009


class RateIccf(Protocol):
    """Rates players and games; keywords are the event's, ``settings`` the edition's.

    A game that names no round has one of its own.
    """

    def __call__(
        self,
        players: Sequence[Mapping[str, Any]],
        games: Sequence[Mapping[str, Any]],
        settings: Mapping[str, str] | None = None,
        **event: object,
    ) -> Rating: ...


@pytest.fixture(scope="session")
def rate_iccf() -> RateIccf:
    """Rate a report with ``iccf-2009`` and explain everyone."""

    def rated(
        players: Sequence[Mapping[str, Any]],
        games: Sequence[Mapping[str, Any]],
        settings: Mapping[str, str] | None = None,
        **event: object,
    ) -> Rating:
        document = {
            "ratingbook": "report/1",
            "event": event,
            "players": [dict(player) for player in players],
            "games": [{"round": number, **game} for number, game in enumerate(games, 1)],
        }
        book = iccf_2009.with_parameters(settings or {})
        return rate(report_from(document), book, explain=None)

    return rated
