"""Remarks of one kind become one finding, or at most a score."""

from __future__ import annotations

from ratingbook.formats.tools.notes import SHOWN_EACH, Notes, Remark
from ratingbook.model import Finding, Place, Severity

SUMMED = Remark("a.b", Severity.INFO, "Something is odd", "Look.")
SINGLE = Remark("a.c", Severity.ERROR, "Something is wrong", "Mend it.", each=True)


def findings(kind: Remark, *examples: str) -> list[Finding]:
    notes = Notes()
    for line, example in enumerate(examples, 1):
        notes.add(kind, example, Place(line=line))
    return list(notes.findings())


def test_one_remark() -> None:
    (finding,) = findings(SUMMED, "5 Ada")
    assert finding.message == "Something is odd: 5 Ada."
    assert finding.remedy == "Look."


def test_five_examples_and_a_count() -> None:
    (finding,) = findings(SUMMED, *"abcdefg")
    assert finding.message == "Something is odd (7 in all): a; b; c; d; e and 2 more."
    assert finding.where == Place(line=1)


def test_equal_examples_are_counted() -> None:
    (finding,) = findings(SUMMED, "KIL", "GON", "KIL")
    assert finding.message == "Something is odd (3 in all): KIL (2×); GON."


def test_grave_remarks_are_shown_one_by_one_up_to_a_limit() -> None:
    shown = findings(SINGLE, *map(str, range(SHOWN_EACH + 7)))
    assert len(shown) == SHOWN_EACH + 1
    assert shown[0].message == "Something is wrong: 0."
    assert "(7 in all)" in shown[-1].message


def test_no_more_of_an_example_is_shown_than_somebody_reads() -> None:
    (finding,) = findings(SUMMED, "x" * 100_000)
    assert finding.message.endswith("x….")
    assert len(finding.message) < 300
