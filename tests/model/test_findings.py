"""Findings are collected, each once."""

from __future__ import annotations

from ratingbook.model import Finding, Findings, Place, Severity

ONE = Finding("a.b", Severity.INFO, "One.")
OTHER = Finding("c.d", Severity.ERROR, "Other.", Place(line=3))


def test_what_is_added_to_a_copy_is_not_in_the_first() -> None:
    first = Findings([ONE])
    copy = Findings(first)
    copy.extend(Findings([OTHER]))
    assert [*first] == [ONE]
    assert [*copy] == [OTHER, ONE]


def test_equal_ones_of_several_collectors_are_one() -> None:
    both = Findings([ONE])
    both.extend(Findings([Finding("a.b", Severity.INFO, "One."), OTHER]))
    assert len(both) == 2
