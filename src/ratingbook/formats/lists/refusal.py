"""Why a list is refused."""

from __future__ import annotations

from ratingbook.formats.tools.notes import Remark, shortened
from ratingbook.model import Finding, Portable
from ratingbook.model.findings import Place
from ratingbook.model.sentences import sentence, stated


class Refused(Portable):
    """The list cannot be used; ``finding`` says why."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.message)
        self.finding = finding


def refused(remark: Remark, example: str, place: Place = Place()) -> Refused:
    """The refusal of a list for something of this kind."""
    return Refused(
        Finding(
            remark.code,
            remark.severity,
            sentence("{what}: {examples}.", what=stated(remark.what), examples=shortened(example)),
            place,
            stated(remark.remedy),
        )
    )
