"""The desk: reports under review, who people are, corrections and decisions."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext, ngettext

from ratingbook.model.sentences import sentence
from ratingbook.office.acts import anomalies as anomaly
from ratingbook.office.acts import asking, corrections, decisions, states, undoing
from ratingbook.office.acts import desk as acts
from ratingbook.office.acts.again import match_all
from ratingbook.office.acts.masking import mask
from ratingbook.office.acts.people import names_of
from ratingbook.office.acts.register import awaited_list
from ratingbook.office.acts.reports import put_aside
from ratingbook.office.acts.requests import deadline, is_overdue, with_states
from ratingbook.office.acts.setup import every_pool, pool_named
from ratingbook.office.home import current
from ratingbook.office.limits import is_id
from ratingbook.office.refused import OfficeRefused, refuse
from ratingbook.office.store import blobs
from ratingbook.office.store.models import Correction, Entry, Evidence
from ratingbook.site import uploads
from ratingbook.site.accounts import reader_of
from ratingbook.site.languages import SPOKEN
from ratingbook.site.shown import desk as shown
from ratingbook.site.shown import directing, running
from ratingbook.site.shown.masking import saying
from ratingbook.site.shown.seen import seen_as
from ratingbook.site.shown.words import told
from ratingbook.site.templatetags.written import day as written_day
from ratingbook.site.uploads import ending_of
from ratingbook.site.views.choosing import Named, named
from ratingbook.site.views.director import ask_for_game
from ratingbook.site.views.forms import (
    Again,
    day_in,
    mark,
    number_in,
    pool_in,
    refuse_unseen,
    said,
    tell,
    text_in,
    to_preview,
    told_of,
    tried,
)
from ratingbook.site.views.paging import paged_query


def desk(request: HttpRequest) -> HttpResponse:
    """What waits, and the next question."""
    state = request.GET.get("state", "")[:20]
    found = shown.desk(state)
    context = {"desk": found, "question": found.question, "mark": mark(),
               "last": shown.decided(["linked"], 3)}  # fmt: skip
    return render(request, "site/desk.html", context)


def identity(request: HttpRequest) -> HttpResponse:
    """Who an entry is: candidates, a search, somebody new; and what was decided last."""
    problems: Any = None
    report, entry = number_in(request, "report"), number_in(request, "entry")
    if request.method == "POST":
        problems = tried(request, lambda: _link(request), lambda found: found)
        if problems is None:
            return redirect((request.POST.get("back") == "desk" and "desk") or "identity")
    question = shown.question(report, entry) if report is not None else None
    is_next = question is None and report is not None
    if question is None:
        # What was asked about is decided, perhaps in another window: there may be other questions.
        question = shown.next_question(report)
    query = request.GET.get("q", "")[:100]
    return render(
        request, "site/identity.html",
        {"question": question, "problems": problems or (), "mark": mark(), "query": query,
         "is_next": is_next,
         "searched": shown.searched(query), "last": shown.decided(["linked", "merge", "undone"])},
        status=422 if problems else 200,
    )  # fmt: skip


def _link(request: HttpRequest) -> str:
    """Say who an entry is, unless somebody has said it meanwhile."""
    report, entry = number_in(request, "report") or 0, number_in(request, "entry") or 0
    person = text_in(request, "person")
    asked = shown.question(report, entry) if entry else None
    if asked is None:
        raise refuse(
            "site.decided",
            gettext("Who entry {entry} of report {report} is was decided meanwhile.").format(
                entry=shown.entry_called(entry), report=report
            ),
            gettext("Look at what was decided last; undo it if it is wrong."),
        )
    who = reader_of(request).who()
    reason = text_in(request, "reason")
    _, number, findings = acts.link(report, asked.entry, person, who, reason)
    tell(request, findings)
    return gettext("“{name}” of the report is {who} ({n}).").format(
        name=asked.name, who=names_of([number]).get(number, number), n=number
    )


def identity_undo(request: HttpRequest) -> HttpResponse:
    """Take a link, a merge or a decision back; of a report also the link of a single entry."""
    number, entries = number_in(request, "fact") or 0, []
    fact, _, linked = text_in(request, "link").partition(" ")
    entry = Entry.objects.filter(id=linked).first() if is_id(linked) else None
    if is_id(fact) and entry:
        number, entries = int(fact), [entry.number]
    many = 0 if entries else shown.many_in(number)
    # A single click that was wrong is taken back by another one; all else asks why.
    reason = text_in(request, "reason") or ("" if many else sentence("undone at the desk"))

    def undo() -> int:
        if many and text_in(request, "all") != "yes":
            raise refuse(
                "site.look", ngettext(
                    "This undoes {n} of them at once.", "This undoes {n} of them at once.", many
                ).format(n=many),
                gettext("Say that it is to be all of them, and why. A single entry is undone on "
                        "the page of its report."),
            )  # fmt: skip
        made, findings = undoing.undo(number, reason, reader_of(request).who(), entries)
        tell(request, findings)
        return made

    problems = tried(
        request, undo,
        lambda made: gettext("Entry {entry} is linked no longer.").format(
            entry=shown.entry_called(entry.id)
        ) if entry else gettext("Undone: {what}.").format(what=shown.decision_said(number)),
    )  # fmt: skip
    if problems:
        return _problem_page(request, problems)
    report = number_in(request, "report")
    if report is not None:
        return redirect("desk_report", report)
    person = number_in(request, "of")
    if person is not None:
        return redirect("desk_person", person)
    back = {"decisions": "decisions", "desk": "desk"}.get(request.POST.get("back", ""), "identity")
    return redirect(back)


def _problem_page(request: HttpRequest, problems: Any) -> HttpResponse:
    """What was refused, where the form has no page of its own."""
    return render(request, "site/nothing_done.html", {"problems": problems}, status=422)


def desk_report(request: HttpRequest, report: int) -> HttpResponse:
    """A report under review: accept it, refuse it with a reason, hold it."""
    problems: Any = None
    found = shown.review(report)
    if found is None:
        raise Http404("no such report")
    if request.method == "POST":
        problems = tried(request, lambda: _review(request, report, found.seen), lambda done: done)
        if problems is None:
            return redirect("desk_report", report)
    return render(
        request, "site/desk_report.html",
        {"review": found, "problems": problems or (), "mark": mark(), "said": said(request)},
        status=422 if problems else 200,
    )  # fmt: skip


def _review(request: HttpRequest, report: int, seen: str) -> str:
    refuse_unseen(
        request, seen,
        gettext("Report {n} has changed meanwhile: nothing was decided.").format(n=report),
    )  # fmt: skip
    what, section = text_in(request, "act"), text_in(request, "section")
    who, reason = reader_of(request).who(), text_in(request, "reason")
    if what == "new":
        people, findings = acts.link_new(report, who, reason)
        tell(request, findings)
        return ngettext("{n} new person.", "{n} new persons.", len(people)).format(n=len(people))
    if what in ("best", "match"):
        if what == "best":
            count, findings = acts.link_best(report, who, reason)
        else:
            certain, findings = match_all(who, report)
            count = len(certain)
        tell(request, findings)
        return ngettext("{n} entry is linked.", "{n} entries are linked.", count).format(n=count)
    name = f"{report}:{section}" if section else str(report)
    if what == "take out":
        content = asking.event(name, "withdraw")
        asked = corrections.ask(current(), [content], reason, who)
        tell(request, asked.findings)
        return told_of(gettext("Correction {n} is {state}."), asked, "desk_correction")
    if what not in states.ACTS:
        raise refuse(
            "site.act",
            gettext("Nothing was chosen."),
            gettext("Choose what becomes of the report."),
        )
    pool = text_in(request, "pool") if what == "release" else ""
    tell(request, put_aside(name, what, reason, who, pool or None))
    return gettext("Report {name}: {what}.").format(name=name, what=SPOKEN.gettext(what))


def desk_file(request: HttpRequest, report: int) -> HttpResponse | FileResponse:
    """The bytes of a report as they came in, to be saved and not shown."""
    try:
        version, _ = states.named(str(report), states.newest)
        data = blobs.load(current(), version.blob_id)
    except OfficeRefused:
        raise Http404("no such report") from None
    return _saved(data, Path(version.file_name).name)


def _saved(data: bytes, name: str) -> HttpResponse:
    """A download that no browser takes for a page."""
    response = HttpResponse(data, content_type="application/octet-stream")
    plain = "".join(c if c.isalnum() or c in ".-_" else "_" for c in name)[-100:] or "file"
    response.headers["Content-Disposition"] = f'attachment; filename="{plain}"'
    return response


_CORRECTIONS = 50
"""Corrections of a page."""


def desk_corrections(request: HttpRequest) -> HttpResponse:
    """The corrections that were asked for, the newest first."""
    today = datetime.now(UTC).date()
    every = paged_query(request, with_states(Correction.objects.order_by("-id")), _CORRECTIONS)
    say = saying([each.contents for each in every.rows], mask())
    found = [
        {
            "one": each,
            "says": say(each.contents),
            "until": deadline(each),
            "is_late": is_overdue(each, today),
        }
        for each in every.rows
    ]
    return render(request, "site/desk_corrections.html", {"every": found, "paged": every})


def ask_correction(request: HttpRequest, report: int) -> HttpResponse:
    """An officer asks for the correction of a game."""
    found = shown.review(report)
    if found is None:
        raise Http404("no such report")
    problems: Any = None
    games = directing.games_of(report)
    if request.method == "POST":
        who = reader_of(request).who()
        game = number_in(request, "game")
        made: list[corrections.Asked] = []
        problems = tried(
            request,
            lambda: made.append(ask_for_game(request, report, game, who, seen_as(games))),
            lambda _: told_of(gettext("Correction {n} is {state}."), made[0], "desk_correction"),
        )
        if problems is None:
            return to_preview(made)
    return render(
        request, "site/ask_correction.html",
        {"line": found.line, "games": games, "problems": problems or (),
         "said": said(request), "mark": mark(), "seen": seen_as(games),
         "chosen": number_in(request, "game")},
        status=422 if problems else 200,
    )  # fmt: skip


def desk_correction(request: HttpRequest, number: int) -> HttpResponse:
    """A correction: its preview, and the signature of who accepts it."""
    problems: Any = None
    if request.method == "POST":
        problems = tried(request, lambda: _decide(request, number), lambda found: found)
        if problems is None:
            return redirect("desk_correction", number)
    with_preview = "preview" in request.GET or bool(problems)
    found = running.correction(current(), number, with_preview=with_preview)
    if found is None:
        raise Http404("no such correction")
    reader = reader_of(request)
    return render(
        request, "site/desk_correction.html",
        {"c": found, "problems": problems or (), "mark": mark(), "said": said(request),
         "is_own": found.asked_by == reader.actor,
         "has_signed": reader.actor in found.signed, "has_lapsed": reader.actor in found.lapsed},
        status=422 if problems else 200,
    )  # fmt: skip


def _decide(request: HttpRequest, number: int) -> str:
    who, reason = reader_of(request).who(), text_in(request, "reason")
    if text_in(request, "act") == "reject":
        corrections.reject(number, reason, who)
        return gettext("Correction {n} is refused.").format(n=number)
    if text_in(request, "act") == "join":
        into = number_in(request, "into") or 0
        corrections.join(number, into, reason, who)
        return gettext("Correction {n} is joined to {into}.").format(n=number, into=into)
    if request.POST.get("looked") != "yes":
        raise refuse(
            "site.look", gettext("Nobody accepts what was not looked at."),
            gettext("Say that you have compared the facts and looked at the largest changes."),
        )  # fmt: skip
    despite = [int(each) for each in request.POST.getlist("despite") if is_id(each)]
    try:
        found = corrections.accept(current(), number, who, reason, despite)
    except OfficeRefused as refused:
        # A second click came later than the first one, which may have been the last signature.
        has_signed = any(each.code == "office.approved" for each in refused.findings)
        if has_signed or corrections.holds_by(number, who.actor):
            raise Again from None
        raise
    if found.holds and (since := awaited_list(number)):
        return gettext("Correction {n} holds; the first list from {day} on has it.").format(
            n=number, day=written_day(since)
        )
    if found.holds:
        return gettext("Correction {n} holds; the next run rates by it.").format(n=number)
    return gettext("Correction {n} has {approvals} of {needed} signatures.").format(
        n=number, approvals=found.approvals, needed=found.needed
    )


def correction_file(request: HttpRequest, number: int, sha256: str) -> HttpResponse:
    """What shows that a correction is right."""
    asked = Correction.objects.filter(id=number).first()
    if asked is None or not Evidence.objects.filter(fact=asked.made_by, blob=sha256).exists():
        raise Http404("no such file")
    data = blobs.load(current(), sha256)
    return _saved(data, f"correction-{number}-{sha256[:8]}{ending_of(data)}")


def decide(request: HttpRequest) -> HttpResponse:
    """What the office itself decides of a person: an opening rating, a floor, a title."""
    pools = list(every_pool())
    pool = pool_in(request, pools)
    problems: Any = None
    whom = Named()
    if request.method == "POST":
        whom = named(request)
        problems = tried(
            request,
            lambda: _decision(request, whom),
            lambda fact: gettext("Decided: {what}.").format(what=shown.decision_said(fact)),
        )
        if problems is None:
            return redirect("decisions")
    return render(
        request, "site/decisions.html",
        {"pools": pools, "pool": pool, "kinds": decisions.kinds_of(pool) if pool else [],
         "problems": problems or (), "said": said(request), "mark": mark(), "named": whom,
         "last": shown.decided(["decision"], 20)},
        status=422 if problems else 200,
    )  # fmt: skip


def _decision(request: HttpRequest, whom: Named) -> int:
    with uploads.showing(request.FILES.getlist("files")) as evidence:
        wanted = decisions.Deciding(
            whom.needed(), text_in(request, "kind"), text_in(request, "value"),
            text_in(request, "pool"), text_in(request, "reason"), day_in(request, "since"),
            evidence,
        )  # fmt: skip
        fact, findings = decisions.decide(current(), wanted, reader_of(request).who())
    tell(request, findings)
    return fact


def anomalies(request: HttpRequest) -> HttpResponse:
    """What is improbable, or looks arranged, in a pool; none of it decides anything."""
    pools = [each.name for each in every_pool()]
    chosen = request.GET.get("pool", "")
    problems, found = [], None
    if chosen:
        try:
            pool_named(chosen)
            found = anomaly.anomalies(current(), chosen, day_in(request, "since"))
        except OfficeRefused as refused:
            problems = told(refused.findings)
    return render(
        request, "site/anomalies.html",
        {"pools": pools, "chosen": chosen, "found": found, "problems": problems,
         "since": request.GET.get("since", "")},
    )  # fmt: skip
