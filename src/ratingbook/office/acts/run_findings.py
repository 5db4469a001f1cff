"""What a draft tells whoever approves it: what is not in it, and how far it reaches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from ratingbook.model import Findings, Severity
from ratingbook.model.sentences import row_of, sentence, stated
from ratingbook.office.acts import revisions, states
from ratingbook.office.acts.amendments import pools_of_sections
from ratingbook.office.acts.reasons import YEARS_NEW
from ratingbook.office.acts.snapshots import fed_of
from ratingbook.office.engine.fed import BORN_IN, Fed
from ratingbook.office.engine.lists import is_rated_by_lists
from ratingbook.office.engine.rating import RatedTables
from ratingbook.office.engine.rules import (
    Rules,
    reads_years,
    reforms_of,
    takes_sections,
    why_not_rated,
)
from ratingbook.office.home import Home
from ratingbook.office.logic.days import FAR_BACK
from ratingbook.office.logic.first import first_of
from ratingbook.office.store import ledger
from ratingbook.office.store import models as m
from ratingbook.rules.wording import either


def tell_held(pool: m.Pool, day: date, findings: Findings) -> None:
    """Sections that would have been rated, had nobody held them."""
    own = dict(m.Section.objects.filter(pool=pool.id, end__lte=day).values_list("id", "end"))
    now = states.states()
    _tell_of_no_pool(day, now, findings)
    held = [each for each in own if now.get(each) in (states.HELD, states.CHECKED)]
    if held:
        findings.add(
            Severity.INFO,
            "office.held",
            either(
                len(held),
                "{count} section that ended up to {day} is not in the run: it is held, or waits "
                "at the desk.",
                "{count} sections that ended up to {day} are not in the run: they are held, or "
                "wait at the desk.",
                day=day,
            ),
            remedy="`ratingbook office reports` shows them. When they are ready, the next run "
            "rates them in their place.",
        )


def _tell_of_no_pool(day: date, now: Mapping[int, str], findings: Findings) -> None:
    """Sections that are ready and that no run rates, since they have no pool."""
    moved = pools_of_sections(ledger.head().seq)
    without = m.Section.objects.filter(pool__isnull=True, end__lte=day).order_by("id")
    ready = [
        report
        for number, report in without.values_list("id", "version__report")
        if now.get(number) == states.READY and number not in moved
    ]
    if ready:
        named = ", ".join(map(str, dict.fromkeys(ready)))
        findings.add(
            Severity.WARNING,
            "office.ready-without-pool",
            either(
                len(ready),
                "{count} section is ready and in no run, since it has no pool: report {reports}.",
                "{count} sections are ready and in no run, since they have no pool: reports "
                "{reports}.",
                reports=named,
            ),
            remedy=sentence(
                "Put it into one: `ratingbook office correct --report REPORT --to-pool POOL "
                "--reason TEXT`."
            ),
        )


def tell_fed_anew(
    home: Home, base: m.Run | None, fed: Fed, rules: Rules, findings: Findings
) -> None:
    """The first run that is fed more of the same facts may have other numbers without a new one."""
    by_years = BORN_IN in fed.known_of_players and reads_years(rules)
    by_sections = fed.parts is not None and takes_sections(rules)
    by_others = fed.others is not None
    if base is None or not (by_years or by_sections or by_others):
        return
    now = fed_of(home, base.pool_id, base.upto)
    then = now.as_of(base.snapshot)
    if by_sections and now.parts is not None and then.parts is None:
        findings.add(
            Severity.WARNING,
            "office.sections-new",
            sentence(
                "From this run on each section counts by what it says itself, as its time control "
                "or its kind: numbers of events whose sections differ may be others than were "
                "published."
            ),
            remedy=sentence("Look at the changes before you approve the run."),
        )
    if by_others and now.others is not None and then.others is None:
        findings.add(
            Severity.WARNING,
            "office.others-new",
            sentence(
                "From this run on players count by what other pools of the federation have "
                "published of them: who had no rating here may have other numbers than were "
                "published."
            ),
            remedy=sentence(
                "Look at the changes before you approve the run, or keep the pool apart: "
                "`ratingbook office pool policy {pool} reads=none --reason TEXT`.",
                pool=base.pool.name,
            ),
        )
    if by_years and BORN_IN in now.known_of_players and BORN_IN not in then.known_of_players:
        findings.add(
            Severity.WARNING,
            YEARS_NEW,
            sentence(
                "Of players without a date of birth the year counts from this run on: K of "
                "juniors, and what follows from it, may be other numbers than were published."
            ),
            remedy=sentence("Look at the changes before you approve the run."),
        )


def tell_unrated(rated: RatedTables, rules: Rules, findings: Findings) -> None:
    """Games that are in the run and count for nobody, or for one side only."""
    if rated.games.any() and not len(rated.changes):
        findings.add(
            Severity.WARNING,
            "office.nobody-rated",
            sentence(
                "There are games, and nobody could be rated from them by {book}.",
                book=rules.rulebook,
            ),
            remedy=sentence(
                "Bring in the ratings that players had before: `ratingbook office import FILE "
                "--register NAME --pool POOL`."
            ),
        )
    elif rated.passed_over:
        reasons = why_not_rated(rules)
        findings.add(
            Severity.INFO,
            "office.passed-over",
            either(
                rated.passed_over,
                "{count} half of a game counts for nobody: so {book} wants it.",
                "{count} halves of games count for nobody: so {book} wants it.",
                book=rules.rulebook,
            )
            if reasons is None
            else either(
                rated.passed_over,
                "{count} half of a game counts for nobody: so {book} wants it ({reasons}).",
                "{count} halves of games count for nobody: so {book} wants it ({reasons}).",
                book=rules.rulebook,
                reasons=reasons,
            ),
        )


def tell_back(run: m.Run, base: m.Run | None, findings: Findings) -> None:
    """Tell of numbers of long ago that a run changes."""
    first = revisions.first_changed(run) if base is not None else None
    if base is None or first is None or first >= base.until - FAR_BACK:
        return
    findings.add(
        Severity.WARNING,
        "office.reaches-back",
        sentence(
            "The run changes published numbers back to {back}: as a late report, a correction or a "
            "decision does that reaches so far.",
            back=first,
        ),
        remedy=sentence("Look at what came of that time before you approve it."),
    )


def tell_reforms(run: m.Run, base: m.Run | None, rated: RatedTables, findings: Findings) -> None:
    """A reform changes what was rated before it; a pool that only opened then stays as it was.

    Lists of before it have its ratings all the same: the first run beyond the reform tells that.
    """
    if base is None or not len(rated.ratings):
        return
    rules = Rules(run.rulebook, run.parameters, run.assume)
    days = rated.batches["day"].to_pylist()
    for day, edition, _reform in reforms_of(rules, run.until):
        # A reform follows the list of its day; where events are rated, it comes before these.
        if base.until >= day or any(
            each < day or (each == day and is_rated_by_lists(rules)) for each in days
        ):
            continue
        newest = m.List.objects.filter(pool=run.pool, date__lt=day).order_by("-date").first()
        if newest is not None:
            findings.add(
                Severity.WARNING,
                "office.reform-not-done",
                sentence(
                    "The rules change all ratings on {day} ({edition}), but nothing was rated in "
                    "the pool {pool} before: the ratings with which it opens stay as they are, and "
                    "the list of {list} has them already.",
                    day=day,
                    edition=edition,
                    pool=run.pool.name,
                    list=newest.date,
                ),
                remedy=sentence(
                    "If they are of before that day, receive the events from which they come; or "
                    "say the changed ones: `ratingbook office correct --pool {pool} --openings "
                    "FILE --register NAME --reason TEXT`.",
                    pool=run.pool.name,
                ),
            )


def tell_lists(run: m.Run, findings: Findings) -> None:
    """Tell which published lists become others by a run, and in which columns."""
    columns = revisions.columns_by(run)
    days = revisions.by_policy(run.pool, revisions.reached_by(run), run.until)
    revised = {*days, revisions.brought_by(run)}
    again, stays = ([each for each in columns if (each in revised) is way] for way in (True, False))
    if again:
        findings.add(
            Severity.INFO,
            "office.lists-revised",
            either(
                len(again),
                "{count} published list gets a revision: {some}.",
                "{count} published lists get a revision: {some}.",
                some=_with_columns(again, columns),
            ),
        )
    if stays:
        findings.add(
            Severity.INFO,
            "office.lists-otherwise",
            either(
                len(stays),
                "On {count} published list that stays numbers would be others: {some}.",
                "On {count} published lists that stay numbers would be others: {some}.",
                some=_with_columns(stays, columns),
            ),
            remedy=sentence(
                "The policy revise of the pool says which lists get a revision; once this is "
                "published, `ratingbook office list --make DAY --pool {pool}` makes one.",
                pool=run.pool.name,
            ),
        )


def _with_columns(days: Sequence[date], columns: Mapping[date, Sequence[str]]) -> str:
    return first_of(
        sentence("{day} ({columns})", day=each, columns=row_of(map(stated, columns[each])))
        for each in days
    )
