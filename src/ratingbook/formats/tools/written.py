"""What a writer makes of a report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ratingbook.model import Findings


@dataclass(frozen=True, slots=True)
class Written:
    """The bytes of the file, or of the files of a folder.

    ``ids`` says for each entry of the report which id the format's reader gives it,
    where a format numbers the players itself; an id that is not in it stays as it is.
    The findings say what had to be changed or cut to fit; what the format has no place
    for at all need not be told, because it is found by reading back what was written.
    """

    files: Mapping[str, bytes]
    """Name → contents; a format of one file has the name ``""``."""
    findings: Findings = field(default_factory=Findings)
    ids: Mapping[str, str] = field(default_factory=dict)
