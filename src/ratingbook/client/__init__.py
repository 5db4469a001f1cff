"""A served office, asked over HTTP: lists, players, explanations, and reports that are sent.

>>> from ratingbook.client import Client
>>> with Client("https://ratings.example.org") as office:  # doctest: +SKIP
...     for row in office.rows("standard", date(2026, 4, 1)):
...         print(row.place, row.name, row.rating)
"""

from ratingbook.client.asking import Client
from ratingbook.client.connection import BadToken, Problem
from ratingbook.client.said.corrections import (
    CorrectedGame,
    Correction,
    CorrectionLine,
    CorrectionStep,
    Mover,
    RevisedList,
)
from ratingbook.client.said.events import (
    Cell,
    CrossLine,
    Event,
    EventCorrection,
    EventFinding,
    EventLine,
)
from ratingbook.client.said.lists import (
    Downloads,
    Listed,
    ListFile,
    ListFiles,
    ListHead,
    ListLine,
    Moved,
    NewestFiles,
    Pool,
)
from ratingbook.client.said.office import (
    Figure,
    PoolStatus,
    Statistics,
    Status,
)
from ratingbook.client.said.players import (
    EventNamed,
    Explanation,
    GameRow,
    History,
    Paragraph,
    Part,
    Player,
    PlayerFound,
    PoolRating,
    Result,
)
from ratingbook.client.said.reports import (
    Finding,
    Me,
    Received,
    ReportLine,
    ReportState,
)
from ratingbook.client.said.rules import (
    BookParagraph,
    BookTable,
    Derived,
    Edition,
    Example,
    ExampleLine,
    Family,
    Parameter,
    Reading,
    RuleBook,
    Series,
    Step,
)
from ratingbook.client.said.whatif import (
    Answered,
    AskedField,
    Expected,
    Points,
    Told,
    WhatIf,
)
from ratingbook.client.signed import BadSignature, verified

__all__ = [
    "Answered", "AskedField", "BadSignature", "BadToken", "BookParagraph", "BookTable", "Cell",
    "Client", "CorrectedGame", "Correction", "CorrectionLine", "CorrectionStep", "CrossLine",
    "Derived", "Downloads", "Edition", "Event", "EventCorrection", "EventFinding", "EventLine",
    "EventNamed", "Example", "ExampleLine", "Expected", "Explanation", "Family", "Figure",
    "Finding", "GameRow", "History", "ListFile", "ListFiles", "ListHead", "ListLine", "Listed",
    "Me", "Moved", "Mover", "NewestFiles", "Paragraph", "Parameter", "Part", "Player",
    "PlayerFound", "Points", "Pool", "PoolRating", "PoolStatus", "Problem", "Reading", "Received",
    "ReportLine", "ReportState", "Result", "RevisedList", "RuleBook", "Series", "Statistics",
    "Status", "Step", "Told", "WhatIf", "verified",
]  # fmt: skip
