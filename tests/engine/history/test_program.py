"""What of a history the loops are linked for."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pytest

from ratingbook.engine.history.plan import has_plain, plan_of
from ratingbook.engine.history.program import Program
from ratingbook.engine.history.records import CACHE_LINE, parted_accessors, record_types
from ratingbook.engine.history.run import Run
from ratingbook.model import Event
from ratingbook.rules import registry
from ratingbook.rules.bulk import Bulk
from ratingbook.rules.fide.bulk import FIDE_BULK
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


def declared() -> list[tuple[Bulk, Any]]:
    books = registry.editions()[0]
    return [(book.bulk, book.parameters) for book in books]


def test_what_only_the_games_of_an_event_say_is_0_in_its_facts():
    for bulk, p in declared():
        if bulk.event_rules is not None:
            facts = bulk.facts_of(Event(), p)
            assert {getattr(facts, name) for name in bulk.event_rules.finds} <= {0}
    assert FIDE_BULK.event_rules is not None
    assert FIDE_BULK.event_rules.finds


def test_what_only_a_report_says_of_an_event_is_the_default_in_histories():
    """The loops take the defaults as given, so facts of an event without days must have them."""
    asked = set()
    for bulk, p in declared():
        if bulk.calendar is not None:
            facts, defaults = bulk.facts_of(Event(), p), bulk.facts._field_defaults
            for name in bulk.calendar.of_reports:
                assert getattr(facts, name) == defaults[name]
                asked.add(name)
    assert asked == {"until"}


def test_a_tally_begins_with_0_in_what_lies_apart():
    for bulk, p in declared():
        if bulk.fold is not None:
            tally = bulk.fold.begin(bulk.standing_of(bulk.known(), p), p)
            assert {getattr(tally, name) for name in bulk.fold.rare} <= {0}
    assert FIDE_BULK.fold is not None
    assert FIDE_BULK.fold.rare


def test_what_no_side_reads_of_a_standing_lies_apart():
    program = Program(registry.load("iccf-2009"), compiled=False)
    assert {"own_total", "own_own"} <= {*(program.aside.names or ())}
    assert program.work.itemsize == CACHE_LINE
    for bulk, _ in declared():
        if bulk.fold is not None:
            assert bulk.fold.unread <= {*bulk.standing._fields}


@pytest.mark.parametrize(("needed", "stored"), [(True, 7), (False, 0)])
def test_what_lies_apart_is_touched_only_where_it_is_needed(needed, stored):
    class Pair(NamedTuple):
        near: int
        far: int

    near, far = record_types({"tally_far"}, tally=Pair)
    load, store = parted_accessors(Pair, int, "tally", {"far"}, rare=True)
    records, others = np.zeros(2, near), np.zeros(2, far)
    store(records, others, 1, Pair(5, 7), needed)
    assert (records["tally_near"].tolist(), others["tally_far"].tolist()) == ([0, 5], [0, stored])
    others["tally_far"] = 9
    assert load(records, others, 1, needed) == Pair(5, 9 if needed else 0)


def test_a_program_is_linked_once_for_the_same_needs():
    program = Program(registry.load("fide-2009"), compiled=False)
    plain = replace(program.needs, plain=True)
    assert program.fitted(plain) is program.fitted(plain)
    assert program.fitted(program.needs) is program
