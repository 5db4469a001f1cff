"""The editions whose histories are tried, and a time in which much changed."""

from datetime import date
from typing import Any

from ratingbook.checks.histories import history, said_of_some, tables
from ratingbook.rules import registry

__all__ = ["EDITIONS", "FAMILIES", "FEW_LISTS", "SERIES", "history", "said_of_some", "tables"]

EDITIONS = [name for name in registry.names() if registry.load(name).bulk is not None]

FAMILIES = sorted({registry.load(name).federation: name for name in EDITIONS}.values())
"""One edition of each federation, for what does not depend on the edition."""

SERIES = [name for name, of in registry.families().items() if len(set(of) & set(EDITIONS)) > 1]
"""Several editions in a row, which a history crosses."""

FEW_LISTS: dict[str, Any] = {"first": date(2021, 7, 1), "years": 3.5}
"""A time in which FIDE changed its rules often, for what takes long with many lists."""
