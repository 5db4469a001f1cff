"""The engine's history of what is fed, and its batches by natural keys."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import numpy as np
import pyarrow as pa

from ratingbook.engine.history.api import History, program_for
from ratingbook.engine.history.differences import Difference
from ratingbook.engine.history.fit import check_history
from ratingbook.engine.history.intake.tables import PLAYER_COLUMNS
from ratingbook.engine.history.keys import own_keys
from ratingbook.engine.history.refused import HistoryRefused
from ratingbook.engine.history.run import Run
from ratingbook.engine.history.tables import batch_table
from ratingbook.model import Finding, Findings
from ratingbook.model.sentences import sentence
from ratingbook.office.engine.apart import apart, part_key
from ratingbook.office.engine.fed import BORN_IN, NO_SECTION, REPLACED, Fed
from ratingbook.office.engine.hearing import hear, plan_with
from ratingbook.office.engine.rules import Rules, reads_years, takes_sections
from ratingbook.office.placing import placed
from ratingbook.office.refused import OfficeRefused


def placed_in(fed: Fed, rules: Rules) -> Fed:
    """What is fed as the rules take it: all events are of the pool that these rules rate.

    And without years of birth where they ask for the day alone; where each section is rated by
    itself, those that are others than their event are events.
    """
    fed = apart(fed) if takes_sections(rules) else replace(fed, parts=None)
    events = placed(fed.events, rules.book())
    fed = fed if reads_years(rules) else fed.without(BORN_IN)
    return fed if events is fed.events else replace(fed, events=events)


def history_of(fed: Fed, rules: Rules) -> tuple[History, Findings]:
    """The history of what is fed, and what was found; refused where it cannot be rated."""
    fed = placed_in(fed, rules)
    try:
        history = History.of(
            _games_read(fed, rules), players=_players_read(fed, rules), events=fed.events,
            entries=fed.entries, decisions=fed.decisions, may_be_empty=True,
        )  # fmt: skip
    except HistoryRefused as error:
        raise OfficeRefused(error.findings) from None
    findings = Findings(history.findings)
    if len(history):
        findings.extend(check_history(history.given, rules.book()))
    if findings.refused:
        raise OfficeRefused(findings)
    return history, Findings(map(_for_an_office, findings))


def _games_read(fed: Fed, rules: Rules) -> pa.Table:
    """The games without whom substitutes replaced, where the rules do not ask."""
    unread = [] if rules.book().substitutes else [*REPLACED]
    return fed.games.select([each for each in fed.games.column_names if each not in unread])


def _players_read(fed: Fed, rules: Rules) -> pa.Table | None:
    """The players without what reports say of them and these rules do not read."""
    bulk = rules.book().bulk
    if fed.players is None or not fed.reported or bulk is None:
        return fed.players
    unread = fed.reported - {*PLAYER_COLUMNS, *own_keys(bulk)}
    return fed.players.select([each for each in fed.players.column_names if each not in unread])


def _for_an_office(finding: Finding) -> Finding:
    """A finding with what an office can do, which has pools with rules of their own."""
    if finding.code != "history.pool-assumed":
        return finding
    setting = finding.remedy.rpartition(" ")[2].rstrip(".")
    remedy = sentence(
        "If all are of one pool, say so by its rules: `ratingbook office pool rules POOL --set "
        "{setting} --reason TEXT`; else reports have to say it.",
        setting=setting,
    )
    return replace(finding, remedy=remedy)


def run_of(fed: Fed, rules: Rules) -> tuple[Run, Findings]:
    """A run of what is fed that stands at its beginning, and what was found."""
    history, findings = history_of(fed, rules)
    program = program_for(rules.book(), len(history), None)
    plan = (
        plan_with(fed.others, history.given, program, rules.assume)
        if fed.others is not None
        else None
    )
    # Not for the very numbers of an edition: the run of a ledger that reaches a million games
    # would compile its rules anew.
    run = Run(history.given, program, assume=rules.assume, constants=False, plan=plan)
    tell_beside(run, fed)
    return run, findings


def tell_beside(run: Run, fed: Fed) -> None:
    """What a run takes in beside the games: differences, and what other pools published."""
    if fed.others is not None:
        hear(run, fed.others, keyed_batches(run)["key"].to_pylist())
    if fed.differences is not None:
        columns = (fed.differences[name].to_pylist() for name in ("date", "player", "value"))
        run.add_later([Difference(*each) for each in zip(*columns, strict=True)])


def stop_of(run: Run, until: date | None) -> int:
    """The number of batches whose day is not after ``until``."""
    if until is None:
        return len(run.plan)
    day = (until - date(1970, 1, 1)).days
    return int(np.searchsorted(run.plan.keys, day, side="right"))


def keyed_batches(run: Run) -> pa.Table:
    """The natural keys of the batches: a late event shifts numbers, but no key."""
    return _natural(batch_table(run))


def _natural(table: pa.Table) -> pa.Table:
    """The natural key and the day of each batch."""
    days = table["day"].to_pylist()
    if "event" in table.column_names:
        sections = [NO_SECTION] * len(days)
        if "section" in table.column_names:
            sections = [str(each) for each in table["section"].to_pylist()]
        events = [str(each) for each in table["event"].to_pylist()]
        keys = list(map(part_key, events, sections))
    else:
        keys = [str(day) for day in days]
    return pa.table({"key": pa.array(keys, pa.string()), "day": table["day"]})
