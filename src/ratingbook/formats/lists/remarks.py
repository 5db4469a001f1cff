"""What is noticed in a list of millions of lines: counted, a few examples kept."""

from __future__ import annotations

from dataclasses import dataclass, field

from ratingbook.formats.tools.notes import Kind, shortened
from ratingbook.model import Finding, Findings
from ratingbook.model.findings import Place


class Refused(Exception):
    """The list cannot be used; ``finding`` says why."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.message)
        self.finding = finding


def refused(kind: Kind, example: str, place: Place = Place()) -> Refused:
    """The refusal of a list for something of this kind."""
    return Refused(
        Finding(kind.code, kind.severity, f"{kind.what}: {shortened(example)}.", place, kind.remedy)
    )


@dataclass(slots=True)
class _Seen:
    """What is kept of the remarks of one kind."""

    place: Place
    count: int = 0
    examples: dict[str, None] = field(default_factory=dict)


class Remarks:
    """Remarks by kind, in bounded memory: a list may have one on every line."""

    def __init__(self) -> None:
        self._seen: dict[Kind, _Seen] = {}

    def add(self, kind: Kind, example: str, place: Place = Place()) -> None:
        """Remark that ``example`` is of this kind."""
        seen = self._seen.setdefault(kind, _Seen(place))
        seen.count += 1
        if len(seen.examples) < kind.shown:
            seen.examples[shortened(example)] = None

    def findings(self) -> Findings:
        """One finding for each kind, with the first examples."""
        findings = Findings()
        for kind, seen in self._seen.items():
            total = f" ({seen.count:,} in all)" if seen.count > 1 else ""
            more = " …" if seen.count > len(seen.examples) else ""
            shown = "; ".join(seen.examples)
            findings.add(
                kind.severity,
                kind.code,
                f"{kind.what}{total}: {shown}{more}.",
                seen.place,
                kind.remedy,
            )
        return findings
