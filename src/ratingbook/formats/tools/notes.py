"""Many remarks of one kind become one finding, and all of them part of a reader's answer.

:class:`Notes` keeps every example; :class:`CountedNotes` is for files with a remark on each
of millions of lines.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from ratingbook.model import Finding, Findings, Report, Severity
from ratingbook.model.findings import PLACES, Place
from ratingbook.model.sentences import row_of, sentence, stated

SHOWN_EACH = 20
"""How many remarks of a grave kind become findings of their own."""
_LONGEST = 200
"""How much of an example is shown: a name can be as long as a file."""

_Content = TypeVar("_Content")


@dataclass(frozen=True, slots=True)
class Remark:
    """What a reader may have to remark: what is the matter and what to do about it.

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
    first: bool = False
    """Whether all the numbers hang on it, so that it is told before others as grave."""


class Notes:
    """What a reader remarks, in the order in which it does, sorted by kind."""

    def __init__(self) -> None:
        self._notes: dict[Remark, list[tuple[str, Place]]] = {}

    def add(self, remark: Remark, example: str, place: Place) -> None:
        """Note that ``example`` is of this kind."""
        self._notes.setdefault(remark, []).append((example, place))

    def findings(self) -> Findings:
        """The findings that say all this."""
        findings = Findings()
        for remark, notes in self._notes.items():
            alone = notes[:SHOWN_EACH] if remark.each else []
            rest = notes[len(alone) :]
            for note in alone:
                _summarise(remark, [note], findings)
            if rest:
                _summarise(remark, rest, findings)
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


def all_of(texts: Iterable[str]) -> str:
    """Things that are meant together."""
    said, *others = texts
    for each in others:
        said = sentence("{one} and {other}", one=said, other=each)
    return said


def _summarise(remark: Remark, notes: list[tuple[str, Place]], findings: Findings) -> None:
    examples = Counter(shortened(example, remark.longest) for example, _ in notes)
    shown = [
        example if count == 1 else row_of((example, f"({count}×)"), " ")
        for example, count in list(examples.items())[: remark.shown]
    ]
    more = len(examples) - len(shown)
    listed = row_of(shown, "; ")
    if more:
        listed = sentence("{examples} and {more} more", examples=listed, more=more)
    _add(findings, remark, listed, [place for _, place in notes], len(notes))


@dataclass(slots=True)
class _Seen:
    """What is kept of the notes of one kind."""

    places: list[Place] = field(default_factory=list)
    count: int = 0
    examples: dict[str, None] = field(default_factory=dict)


class CountedNotes:
    """Notes in bounded memory: they are counted, and the first examples kept."""

    def __init__(self) -> None:
        self._seen: dict[Remark, _Seen] = {}

    def add(self, remark: Remark, example: str, place: Place = Place()) -> None:
        """Note that ``example`` is of this kind."""
        seen = self._seen.setdefault(remark, _Seen())
        seen.count += 1
        if len(seen.places) < PLACES:
            seen.places.append(place)
        if len(seen.examples) < remark.shown:
            seen.examples[shortened(example)] = None

    def findings(self) -> Findings:
        """One finding for each kind, with the first examples."""
        findings = Findings()
        for remark, seen in self._seen.items():
            listed = row_of(seen.examples, "; ")
            if seen.count > len(seen.examples):
                listed = row_of((listed, "…"), " ")
            _add(findings, remark, listed, seen.places, seen.count, ",")
        return findings


def _add(
    findings: Findings,
    remark: Remark,
    examples: str,
    places: Sequence[Place],
    count: int,
    how: str = "",
) -> None:
    what = stated(remark.what)
    message = sentence("{what}: {examples}.", what=what, examples=examples)
    if count > 1:
        message = sentence(
            "{what} ({count} in all): {examples}.", what=what, count=format(count, how),
            examples=examples,
        )  # fmt: skip
    finding = Finding(
        remark.code, remark.severity, message, places[0], stated(remark.remedy),
        first=remark.first, count=count, places=tuple(places[:PLACES]) if count > 1 else (),
    )  # fmt: skip
    findings.extend([finding])
