"""Many remarks of one kind become one finding, and all of them part of a reader's answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from ratingbook.model import Finding, Findings, Place, Report, Severity

SHOWN_EACH = 20
"""How many remarks of a grave kind become findings of their own."""
_LONGEST = 200
"""How much of an example is shown: a name can be as long as a file."""

_Content = TypeVar("_Content")


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of remark: what is the matter and what to do about it.

    ``each``: everybody has to see every single one, as long as they are not too
    many; otherwise one finding sums them up.
    """

    code: str
    severity: Severity
    what: str
    remedy: str
    each: bool = False
    shown: int = 5
    """How many examples a summary names."""
    longest: int = _LONGEST
    """How many characters of an example are shown."""


class Notes:
    """Remarks in the order in which a reader makes them, sorted by kind."""

    def __init__(self) -> None:
        self._notes: dict[Kind, list[tuple[str, Place]]] = {}

    def add(self, kind: Kind, example: str, place: Place) -> None:
        """Remark that ``example`` is of this kind."""
        self._notes.setdefault(kind, []).append((example, place))

    def findings(self) -> Findings:
        """The findings that say all this."""
        findings = Findings()
        for kind, notes in self._notes.items():
            alone = notes[:SHOWN_EACH] if kind.each else []
            rest = notes[len(alone) :]
            for note in alone:
                _summarise(kind, [note], findings)
            if rest:
                _summarise(kind, rest, findings)
        return findings


def answer(
    content: _Content | None,
    findings: Findings,
    read: Callable[[_Content, Notes], Report | Finding],
) -> tuple[Report | None, Findings]:
    """What a reader answers: the report in ``content``, with ``findings`` and what was noted.

    ``read`` gives the report, or the finding that says why there is none.  It is not
    called where there is no content, or where the findings refuse it already.
    """
    findings = Findings(findings)
    if content is None or findings.refused:
        return None, findings
    notes = Notes()
    report = read(content, notes)
    findings.extend(notes.findings())
    if isinstance(report, Finding):
        findings.extend([report])
        return None, findings
    return report, findings


def shortened(text: str, longest: int = _LONGEST) -> str:
    """As much of an example as a finding shows."""
    return text if len(text) <= longest else text[: longest - 1] + "…"


def _summarise(kind: Kind, notes: list[tuple[str, Place]], findings: Findings) -> None:
    examples = Counter(shortened(example, kind.longest) for example, _ in notes)
    shown = [
        example if count == 1 else f"{example} ({count}×)"
        for example, count in list(examples.items())[: kind.shown]
    ]
    more = len(examples) - len(shown)
    tail = f" and {more} more" if more else ""
    total = f" ({len(notes)} in all)" if len(notes) > 1 else ""
    findings.add(
        kind.severity,
        kind.code,
        f"{kind.what}{total}: {'; '.join(shown)}{tail}.",
        notes[0][1],
        kind.remedy,
    )
