"""A served office, asked over HTTP: lists, players, explanations, and reports that are sent.

>>> from ratingbook.client import Client
>>> with Client("https://ratings.example.org") as office:  # doctest: +SKIP
...     for row in office.rows("standard", date(2026, 4, 1)):
...         print(row.place, row.name, row.rating)
"""

from ratingbook.client.asking import Client, Problem
from ratingbook.client.said import (
    Explanation,
    Finding,
    GameRow,
    Listed,
    ListHead,
    ListLine,
    Paragraph,
    Player,
    PlayerFound,
    Pool,
    PoolRating,
    Received,
    ReportLine,
    ReportState,
    Result,
    Status,
)
from ratingbook.client.signed import BadSignature, verified

__all__ = [
    "BadSignature", "Client", "Explanation", "Finding", "GameRow", "ListHead", "ListLine",
    "Listed", "Paragraph", "Player", "PlayerFound", "Pool", "PoolRating", "Problem", "Received",
    "ReportLine", "ReportState", "Result", "Status", "verified",
]  # fmt: skip
