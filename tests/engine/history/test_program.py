"""What of a history the loops are linked for."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ratingbook.engine.history.plan import has_plain, plan_of
from ratingbook.engine.history.program import Program
from ratingbook.engine.history.run import Run
from ratingbook.rules import registry
from tests.engine.history.histories import history, tables


def numbers_of(run: Run) -> list[tuple[float, int]]:
    for _ in run.batches():
        pass
    standings = run.state.people.standings
    return list(zip(standings["rating"].tolist(), standings["games"].tolist(), strict=True))


@pytest.mark.parametrize(("name", "plain"), [("fide-2009", True), ("fide", False)])
def test_an_edition_reads_its_numbers_once_and_a_series_those_of_each_event(name, plain):
    program = Program(registry.load(name), compiled=False)
    given = history(tables(registry.load("fide-2009"), 5)).given
    assert plan_of(given, program).needs.plain is plain


def test_an_event_of_other_numbers_is_read():
    """K of the events is 40, whatever the edition says."""
    program = Program(registry.load("fide-2009"), compiled=False)
    given = history(tables(program.book, 5)).given
    plan = plan_of(given, program)
    facts = plan.events.facts.copy()
    facts["k_everybody"] = 40
    other = replace(plan, events=plan.events._replace(facts=facts))
    assert not has_plain(facts, program)
    read = Run(given, program, plan=replace(other, needs=replace(plan.needs, plain=False)))
    usual = Run(given, program, plan=plan)
    assert numbers_of(read) != numbers_of(usual)


def test_plain_or_not_the_numbers_are_the_same():
    program = Program(registry.load("fide-2009"), compiled=False)
    given = history(tables(program.book, 5)).given
    plan = plan_of(given, program)
    assert plan.needs.plain
    read = replace(plan, needs=replace(plan.needs, plain=False))
    assert numbers_of(Run(given, program, plan=plan)) == numbers_of(Run(given, program, plan=read))


def test_a_program_is_linked_once_for_the_same_needs():
    program = Program(registry.load("fide-2009"), compiled=False)
    plain = replace(program.needs, plain=True)
    assert program.fitted(plain) is program.fitted(plain)
    assert program.fitted(program.needs) is program
