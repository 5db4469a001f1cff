"""Runs: planned as jobs, looked at, approved, published; and lists by hand."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext, ngettext

from ratingbook.model import Findings
from ratingbook.office.acts import calendar as announced
from ratingbook.office.acts import jobs as acts
from ratingbook.office.acts import lists, runs
from ratingbook.office.acts.published import head_run
from ratingbook.office.acts.setup import pool_named
from ratingbook.office.home import current
from ratingbook.office.refused import OfficeRefused, refuse
from ratingbook.office.store.ledger import check_may
from ratingbook.office.store.models import Job, List, Pool, Run
from ratingbook.site.accounts import reader_of
from ratingbook.site.languages import SPOKEN, written_day
from ratingbook.site.shown import running
from ratingbook.site.shown.kept import by_ledger
from ratingbook.site.shown.seen import seen_as
from ratingbook.site.shown.words import told
from ratingbook.site.views.forms import (
    day_in,
    mark,
    number_in,
    refuse_unseen,
    said,
    tell,
    text_in,
    tried,
)
from ratingbook.site.views.paging import paged_query

_FIRST_ROWS = 15
"""Of a list that is not made yet."""
_LINES = 40
"""Runs, or lists, of a page."""
_ENDED = (acts.DONE, acts.FAILED, acts.CANCELLED)


def all_runs(request: HttpRequest) -> HttpResponse:
    """The runs; and a form that plans one."""
    problems: Any = None
    if request.method == "POST":
        made: list[int] = []
        problems = tried(request, lambda: made.append(_plan(request)),
                         lambda _: gettext("The run is planned."))  # fmt: skip
        if problems is None:
            return redirect("job", made[0]) if made else redirect("runs")
    runs = Run.objects.select_related("pool").order_by("-id")
    return render(
        request, "site/runs.html",
        {"runs": paged_query(request, runs, _LINES), "plans": running.plans(),
         "problems": problems or (), "said": said(request), "mark": mark(),
         "waiting": Job.objects.filter(kind="run", state__in=(acts.WAITING, acts.RUNNING))},
        status=422 if problems else 200,
    )  # fmt: skip


def _plan(request: HttpRequest, refresh: int | None = None) -> int:
    """A run as a job: whoever plans it may go on meanwhile."""
    who = reader_of(request).who()
    check_may(who, "run")
    pool, until = None, day_in(request, "until")
    if not refresh:
        one = pool_named(text_in(request, "pool"))
        pool = one.name
        runs.refuse_day(until, head_run(one), who.now().date())
    plan = {"pool": pool, "until": str(until or ""), "refresh": refresh}
    same = Job.objects.filter(kind="run", plan=plan, state__in=(acts.WAITING, acts.RUNNING))
    if (first := same.first()) is not None:
        return first.id
    return acts.enqueue("run", plan, who)


def run(request: HttpRequest, number: int) -> HttpResponse:
    """What a run would change, and the decision on it."""
    problems: Any = None
    if request.method == "POST":
        done: list[Any] = []
        problems = tried(request, lambda: done.append(_act(request, number)), lambda _: done[0][1])
        if problems is None:
            kind, _, job = done[0] if done else ("run", "", number)
            return redirect(kind, job)
    found = running.shown(current(), number, reader_of(request).actor)
    if found is None:
        raise Http404("no such run")
    return render(
        request, "site/run.html",
        {"r": found, "problems": problems or (), "mark": mark(), "said": said(request)},
        status=422 if problems else 200,
    )  # fmt: skip


def _act(request: HttpRequest, number: int) -> tuple[str, str, int]:
    """Approve, publish, refresh or discard a run; gives where to go on, and what to say."""
    who, what = reader_of(request).who(), text_in(request, "act")
    if what == "approve":
        if request.POST.get("looked") != "yes":
            raise refuse("site.look", gettext("Nobody approves what was not looked at."),
                         gettext("Say that you have looked at the differences."))  # fmt: skip
        count, needed, _ = runs.approve(number, who, text_in(request, "reason"))
        return (
            "run",
            gettext("Run {n} has {count} of {needed} approvals.").format(
                n=number, count=count, needed=needed
            ),
            number,
        )
    if what == "publish":
        found = runs.publish(current(), number, who)
        tell(request, found.findings)
        return (
            "run",
            gettext("Run {n} is published: its numbers hold from now on.").format(n=number),
            number,
        )
    if what == "refresh":
        runs.run_named(number)
        return "job", gettext("The run is made anew."), _plan(request, number)
    if what == "discard":
        runs.discard(number, who)
        return "run", gettext("Run {n} is discarded.").format(n=number), number
    raise refuse(
        "site.act", gettext("Nothing was chosen."), gettext("Choose what becomes of the run.")
    )


def list_maker(request: HttpRequest) -> HttpResponse:
    """A list of a day by what is published, looked at before it is made."""
    pools = list(Pool.objects.filter(head__gt=0).order_by("id").values_list("name", flat=True))
    problems: Any = None
    draft = None
    if request.method == "POST":
        problems = tried(
            request,
            lambda: _make_list(request),
            _said_of_list,
        )
        if problems is None:
            return redirect("list_maker")
    elif request.GET.get("pool"):
        try:
            draft = _draft(request)
        except OfficeRefused as refused:
            problems = told(refused.findings)
    lists = List.objects.select_related("pool").order_by("-id")
    return render(
        request, "site/list_maker.html",
        {"pools": pools, "draft": draft, "problems": problems or (), "mark": mark(),
         "pool": request.POST.get("pool") or request.GET.get("pool", ""),
         "day": request.POST.get("day") or request.GET.get("day", ""),
         "lists": paged_query(request, lists, _LINES)},
        status=422 if problems else 200,
    )  # fmt: skip


def _draft(request: HttpRequest) -> dict[str, Any]:
    """The list as it would be, beside the one before."""
    day = day_in(request, "day")
    if day is None:
        raise refuse("site.day", gettext("No day is given."), gettext("Give the day of the list."))
    most = None if request.GET.get("all") == "yes" else _FIRST_ROWS
    today = reader_of(request).who().now().date()
    return _draft_of(request.GET["pool"], day, today, most)


def _last_list(pool: Pool) -> List | None:
    return List.objects.filter(pool=pool).order_by("-date", "-revision").first()


def _seen(pool: Pool, last: List | None) -> str:
    """By what a list would be made: the ratings that are published, and the list before."""
    return seen_as(pool.head, last.id if last is not None else None)


@by_ledger
def _draft_of(name: str, day: date, today: date, most: int | None) -> dict[str, Any]:
    pool, _, found = lists.planned(current(), name, day, today)
    before = _last_list(pool)
    old = {int(row["id"]): row.get("rating") for row in (lists.rows_of(before) if before else ())}
    new = {int(str(row["id"])): row.get("rating") for row in found.rows}
    return {
        "seen": _seen(pool, before),
        "title": found.listing.title, "date": found.date, "rows": len(found.rows),
        "before": before, "entered": len(new.keys() - old.keys()),
        "left": len(old.keys() - new.keys()),
        "moved": sum(old[p] != new[p] for p in new.keys() & old.keys()),
        "columns": found.listing.columns, "first": [
            [row.get(column.key) for column in found.listing.columns] for row in found.rows[:most]
        ],
    }  # fmt: skip


def _make_list(request: HttpRequest) -> tuple[List, Findings]:
    day = day_in(request, "day")
    if day is None:
        raise refuse("site.day", gettext("No day is given."), gettext("Give the day of the list."))
    pool = pool_named(text_in(request, "pool"))
    refuse_unseen(
        request, _seen(pool, _last_list(pool)),
        gettext("What is published of {pool} has changed meanwhile: no list was made.").format(
            pool=pool.name
        ),
    )  # fmt: skip
    return lists.make_list(current(), pool.name, day, reader_of(request).who())


def _said_of_list(made: tuple[List, Findings]) -> str:
    """What became of it: one on which nothing is otherwise is not made again."""
    one, findings = made
    for each in told(findings):
        if each.code == lists.UNCHANGED:
            return each.message
    return ngettext(
        "List {n} of {date} is made: {rows} player.",
        "List {n} of {date} is made: {rows} players.",
        one.rows,
    ).format(n=one.id, date=written_day(one.date), rows=one.rows)


def calendar(request: HttpRequest) -> HttpResponse:
    """The next list of each pool, what is missing for it, and who is late; and what will come."""
    problems: Any = None
    if request.method == "POST":
        problems = tried(
            request, lambda: _expect(request),
            lambda one: gettext("The report of {name} is due on {day}.").format(
                name=one.name, day=written_day(one.due)
            ),
        )  # fmt: skip
        if problems is None:
            return redirect("calendar")
    return render(
        request, "site/calendar.html",
        {"pools": running.calendar_of(datetime.now(UTC).date()), "problems": problems or (),
         "said": said(request), "mark": mark(), "usual": announced.DUE_DAYS},
        status=422 if problems else 200,
    )  # fmt: skip


def _expect(request: HttpRequest) -> announced.Expected:
    """Announce an event of which a report will come."""
    end, due = day_in(request, "end"), number_in(request, "due")
    if end is None:
        raise refuse("site.day", gettext("No day is given."), gettext("Write it as 2026-03-31."))
    one = announced.Expected(
        text_in(request, "name"), end, text_in(request, "pool"), text_in(request, "sender"),
        announced.DUE_DAYS if due is None else due,
    )  # fmt: skip
    _, findings = announced.expect(one, reader_of(request).who())
    tell(request, findings)
    return one


def jobs(request: HttpRequest) -> HttpResponse:
    """Long work: what waits, what runs, how it ended."""
    found = paged_query(request, Job.objects.order_by("-id"), _LINES)
    for each in found.rows:
        each.why = acts.why_failed(each)
    return render(request, "site/jobs.html", {"jobs": found})


def job(request: HttpRequest, number: int) -> HttpResponse:
    """One job; the part that moves asks for itself, and a reload does the same."""
    found = Job.objects.filter(id=number).first()
    if found is None:
        raise Http404("no such job")
    findings = told(found.answer.get("findings", ()))
    share = 100 * found.done // found.total if found.total else 0
    return render(
        request, "site/job.html",
        {"job": found, "is_over": found.state in _ENDED, "findings": findings, "share": share,
         "run": found.answer.get("run"), "log": acts.log_of(found),
         "was": request.GET.get("was", "") if "HX-Request" in request.headers else ""},
    )  # fmt: skip


def job_cancel(request: HttpRequest, number: int) -> HttpResponse:
    """Ask a job to end."""
    who = reader_of(request).who()
    check_may(who, "run")
    problems = tried(
        request,
        lambda: acts.cancel(number, who),
        lambda state: gettext("Job {n} is {state}.").format(n=number, state=SPOKEN.gettext(state)),
    )
    if problems:
        return render(request, "site/nothing_done.html", {"problems": problems}, status=422)
    return redirect("job", number_in(request, "number") or number)
