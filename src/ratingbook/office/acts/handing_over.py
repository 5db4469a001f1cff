"""What the office holds of a person as that person is given it: of others nothing is told."""

from __future__ import annotations

import json
from typing import Any

from ratingbook.office.acts.masking import mask, masked_in, reason_of
from ratingbook.office.acts.published_rows import told_history
from ratingbook.office.acts.registry import export
from ratingbook.office.home import current
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import Who


def handed_over(person: int, who: Who) -> dict[str, Any]:
    """All that the office holds of a person, private things too, for that person."""
    said, masked = export(person, who), mask()
    why = reason_of(masked)
    # Others whom the person met, or who are named beside, may be suppressed.
    for each in said["known"]:
        each["facts"] = [{**f, "reason": why(f["kind"], f["reason"])} for f in each["facts"]]
    said["games"] = masked_in(said["games"], masked)
    said["changes"] = {
        pool.name: told_history(current(), pool, said["person"])
        for pool in m.Pool.objects.order_by("id")
    }
    return said


def as_text(said: dict[str, Any]) -> str:
    """The same as the file that is given away."""
    return json.dumps(said, ensure_ascii=False, indent=1, default=str) + "\n"
