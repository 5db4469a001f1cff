"""Pages of directors: a report is sent, mended until it is clean, looked at, and submitted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from functools import wraps
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext

from ratingbook.model import Findings, Portable, Severity
from ratingbook.model.sentences import sentence
from ratingbook.office.acts import asking, corrections, receive
from ratingbook.office.acts.reports import KeptOut, own_reports, tell_of_refused
from ratingbook.office.acts.setup import every_pool
from ratingbook.office.home import current
from ratingbook.office.intake import MEDIA, contents
from ratingbook.office.limits import REASON, is_id
from ratingbook.office.refused import AllAtOnce, OfficeRefused, refuse
from ratingbook.office.store import blobs
from ratingbook.site import uploads
from ratingbook.site.accounts import reader_of
from ratingbook.site.models import Draft
from ratingbook.site.shown import directing, typed
from ratingbook.site.shown.seen import seen_as
from ratingbook.site.shown.words import LIKE_ANOTHER, OF_OTHERS, told_to_sender
from ratingbook.site.views.forms import (
    Again,
    day_in,
    mark,
    number_in,
    once,
    refuse_unseen,
    said,
    tell,
    text_in,
    told_of,
    tried,
)

REGISTERS = ("national", "fide", "egd", "uscf", "iccf")


def my_events(request: HttpRequest) -> HttpResponse:
    """What somebody has sent, and what is not sent yet."""
    return _show_events(request)


def _show_events(request: HttpRequest, problems: Any = ()) -> HttpResponse:
    found = directing.my_events(current(), reader_of(request).actor)
    return render(
        request, "site/my_events.html", {"mine": found, "problems": problems},
        status=422 if problems else 200,
    )  # fmt: skip


def new_report(request: HttpRequest) -> HttpResponse:
    """Send files of a report: it becomes a draft that only its sender sees."""
    if request.method == "POST":
        try:
            draft = _made(request, _uploaded(request))
            return redirect("draft", draft.id)
        except OfficeRefused as refused:
            return _new(request, told_to_sender(refused.findings))
    return _new(request)


def _new(
    request: HttpRequest, problems: Any = (), kind: str = "new_report",
    given: Mapping[str, str] = {}, one: Draft | None = None,
) -> HttpResponse:  # fmt: skip
    of = number_in(request, "of")
    own = own_reports(reader_of(request).actor) if of is not None else ()
    was = {"pool": directing.pool_before(of)} if of is not None and of in own else {}
    told = {**was, **given, **said(request)}
    asked = typed.asked_by(told.get("pool", "")) if kind == "typed_report" else None
    return render(
        request, f"site/{kind}.html",
        {"problems": problems, "pools": _pools(), "said": told, "asked": asked, "of": of,
         "seen": _seen(one) if one is not None else "",
         "registers": REGISTERS, "most": uploads.MOST_BYTES // 2**20},
        status=422 if problems else 200,
    )  # fmt: skip


def _pools() -> list[str]:
    return [each.name for each in every_pool()]


def _typed(request: HttpRequest) -> bytes:
    """The report document of what was typed in; refused with all that is wrong with it."""
    faults = AllAtOnce()
    faults.tried(lambda: _refuse_nameless(request))
    faults.tried(lambda: _refuse_days(request))
    keys = (*typed.EVENT, "players", "games", "register")
    asked = typed.asked_by(text_in(request, "pool"))
    data = faults.tried(lambda: typed.typed({key: text_in(request, key) for key in keys}, asked))
    faults.refuse()
    assert data is not None
    return data


def _refuse_nameless(request: HttpRequest) -> None:
    if not text_in(request, "name"):
        raise refuse("site.name", gettext("The event has no name."), gettext("Give it one."))


def _refuse_days(request: HttpRequest) -> None:
    faults = AllAtOnce()
    start = faults.tried(lambda: day_in(request, "start"))
    end = faults.tried(lambda: day_in(request, "end"))
    faults.refuse()
    if end is None:
        raise refuse(
            "site.no-day", gettext("The event has no last day."),
            gettext("Give it; without it no run could rate the event."),
        )  # fmt: skip
    if start is not None and end < start:
        raise refuse(
            "site.days-reversed",
            sentence("The event ends on {end}, before it starts on {start}.", end=end, start=start),
            sentence("Correct the dates; they settle which ratings and which list count."),
        )


class _Became(Portable):
    """A draft is a report by now: it was submitted, perhaps in another window."""

    def __init__(self, report: int) -> None:
        super().__init__(report)
        self.report = report


_View = Callable[..., HttpResponse]


def _of_draft(view: _View) -> _View:
    """Lead whoever comes back to a draft that was submitted to its report."""

    @wraps(view)
    def led(request: HttpRequest, *args: Any, **named: Any) -> HttpResponse:
        try:
            return view(request, *args, **named)
        except _Became as became:
            messages.info(request, gettext("The draft was submitted: this is the report."))
            return redirect("my_report", became.report)

    return led


@_of_draft
def typed_report(request: HttpRequest) -> HttpResponse:
    """Type in a small event; what comes of it is a draft as any other."""
    number = number_in(request, "draft")
    one = _draft(request, number) if number is not None else None
    if request.method != "POST":
        given = typed.as_typed(current(), one) if one is not None else {}
        return _new(request, kind="typed_report", given=given, one=one)
    try:
        if one is not None:
            _refuse_changed(request, one)
        data = _typed(request)
        if one is not None:
            one.file_name, one.media, one.sha256 = (
                typed.TYPED,
                MEDIA,
                blobs.keep(current(), data),
            )
            one.pool = pool if (pool := text_in(request, "pool")) in _pools() else one.pool
            one.save()
            return redirect("draft", one.id)
        draft = _made(request, (typed.TYPED, data, MEDIA))
    except OfficeRefused as refused:
        return _new(request, told_to_sender(refused.findings), "typed_report", one=one)
    return redirect("draft", draft.id)


def _uploaded(request: HttpRequest) -> tuple[str, bytes, str]:
    """The files of a report: one as it is, several as a folder."""
    with uploads.reported(request.FILES.getlist("files")) as path:
        return (path.name, *contents(path))


def _made(request: HttpRequest, file: tuple[str, bytes, str]) -> Draft:
    name, data, media = file
    actor, of = reader_of(request).actor, number_in(request, "of")
    if of is not None and of not in own_reports(actor):
        raise refuse(
            "office.not-yours",
            gettext("Report {of} is not yours.").format(of=of),
            gettext("Send a new one."),
        )
    pools, pool = _pools(), text_in(request, "pool")
    chosen = pool if pool in pools else pools[0] if len(pools) == 1 else ""
    sha256 = blobs.keep(current(), data)
    same = Draft.objects.filter(actor=actor, sha256=sha256, report__isnull=True).first()
    if same is not None:
        same.pool, same.version_of = chosen or same.pool, of or same.version_of
        same.save(update_fields=["pool", "version_of"])
        return same
    return Draft.objects.create(
        actor=actor, at=datetime.now(UTC), file_name=name, sha256=sha256, media=media,
        pool=chosen, version_of=of,
    )  # fmt: skip


def _draft(request: HttpRequest, number: int) -> Draft:
    """A draft of the reader's own; what became a report leads there."""
    actor = reader_of(request).actor
    found = directing.draft_of(number, actor)
    if found is not None:
        return found
    before = Draft.objects.filter(id=number, actor=actor).first()
    if before is None or before.report is None:
        raise Http404("no such draft")
    raise _Became(before.report)


def _seen(one: Draft) -> str:
    return seen_as(directing.sent_of(one))


def _refuse_changed(request: HttpRequest, one: Draft) -> None:
    """Refuse an act on a draft that is no longer the one that the page showed."""
    refuse_unseen(
        request, _seen(one),
        gettext("The draft has changed meanwhile, perhaps in another window: nothing was done."),
    )  # fmt: skip


@_of_draft
def draft(request: HttpRequest, number: int) -> HttpResponse:
    """One problem after the other until the report is clean; then what it would give."""
    return _show_draft(request, _draft(request, number))


def _show_draft(request: HttpRequest, one: Draft, refused: Any = ()) -> HttpResponse:
    found = directing.check(current(), one)
    codes = {each.code for each in refused} or {each.code for each in found.problems}
    at = min(max(number_in(request, "problem") or 1, 1), max(len(found.problems), 1))
    return render(
        request, "site/draft.html",
        {"check": found, "typed": one.file_name == typed.TYPED, "problems": refused,
         "mark": mark(), "seen": _seen(one), "at": at,
         "problem": found.problems[at - 1] if found.problems else None,
         "may_be_another": bool(codes & LIKE_ANOTHER),
         "may_tell": bool(codes & OF_OTHERS), "longest": REASON, "said": said(request)},
        status=422 if refused else 200,
    )  # fmt: skip


@_of_draft
def draft_file(request: HttpRequest, number: int) -> HttpResponse:
    """A mended file in the place of the one before, or another pool."""
    one = _draft(request, number)
    pool = text_in(request, "pool")
    try:
        _refuse_changed(request, one)
        if pool in _pools():
            one.pool = pool
        if "end" in request.POST:
            one.start, one.end = day_in(request, "start"), day_in(request, "end")
        if request.FILES:
            name, data, one.media = _uploaded(request)
            one.file_name, one.sha256 = name, blobs.keep(current(), data)
        one.save()
    except OfficeRefused as refused:
        return _show_draft(request, _draft(request, number), told_to_sender(refused.findings))
    return redirect("draft", one.id)


@_of_draft
def draft_people(request: HttpRequest, number: int) -> HttpResponse:
    """What the sender says of who somebody is; an officer decides by it."""
    one = _draft(request, number)
    try:
        _refuse_changed(request, one)
    except OfficeRefused as refused:
        return _show_draft(request, one, told_to_sender(refused.findings))
    asked = {each.entry: each for each in directing.check(current(), one).questions}
    said = {each.entry: (each.said, each.called) for each in asked.values() if each.said}
    for name in request.POST:
        entry, value = name.removeprefix("who:"), text_in(request, name)
        if name.startswith("who:") and entry in asked:
            if value == "new" or is_id(value):
                said[entry] = value, asked[entry].called
            elif not value:
                said.pop(entry, None)
    one.said = {entry: {"is": x, "called": called} for entry, (x, called) in said.items()}
    one.save(update_fields=["said"])
    messages.success(request, gettext("Kept; an officer sees what you say."))
    return redirect("draft", one.id)


@_of_draft
def draft_drop(request: HttpRequest, number: int) -> HttpResponse:
    """Throw a draft away; nothing of it is read, since it may be what cannot be."""
    one = _draft(request, number)
    try:
        _refuse_changed(request, one)
    except OfficeRefused as refused:
        return _show_events(request, told_to_sender(refused.findings))
    one.delete()
    messages.success(request, gettext("The draft is gone; nothing of it was submitted."))
    return redirect("my_events")


@_of_draft
def draft_submit(request: HttpRequest, number: int) -> HttpResponse:
    """Send the report to the office."""
    reader, one = reader_of(request), _draft(request, number)
    try:
        _refuse_changed(request, one)
        found = directing.check(current(), one)
        # What rests on reports of others the office says itself, and keeps what it refused.
        if not (found.is_clean or found.may_be_another or found.may_tell):
            # Buttons of pages that were left open, and programs, know nothing of what they say.
            return _show_draft(request, one, found.problems or told_to_sender(_without_pool()))
        another = request.POST.get("another") == "yes"
        options = replace(directing.sent_of(one).options, another=another)
        received = once(request, lambda: _receive(one, reader.who(), options))
    except Again:
        return redirect("my_events")
    except OfficeRefused as refused:
        return _told_of(request, one, refused.findings)
    messages.success(
        request,
        gettext("The office has it: report {n}, version {version}.").format(
            n=received.id, version=received.version
        ),
    )
    tell(request, received.findings, told_to_sender)
    return redirect("my_report", received.id)


def _told_of(request: HttpRequest, one: Draft, why: Findings) -> HttpResponse:
    """What keeps a report out; where that is another's, its sender may tell the office of it."""
    if request.POST.get("tell") != "yes" or not OF_OTHERS & {each.code for each in why}:
        return _show_draft(request, one, told_to_sender(why))
    try:
        file = KeptOut(one.file_name, one.sha256, one.media, why, text_in(request, "word"))
        tell_of_refused(current(), file, reader_of(request).who())
    except OfficeRefused as refused:
        return _show_draft(request, one, told_to_sender([*refused.findings, *why]))
    messages.success(request, gettext("The office is told; its officers read it at the desk."))
    return redirect("my_events")


def _without_pool() -> Findings:
    """What is asked of a report before it is submitted where nobody says its pool."""
    findings = Findings()
    findings.add(
        Severity.ERROR, "site.pool",
        gettext("The report does not say in which list of ratings the event counts."),
        remedy=gettext("Choose the pool, and check the file again."),
    )  # fmt: skip
    return findings


def _receive(one: Draft, who: Any, options: receive.Options) -> receive.Received:
    home = current()
    with directing.file_of(home, one) as path:
        found = receive.receive(home, path, who, options)
    if found.id is None:
        raise OfficeRefused(found.findings)
    one.report = found.id
    one.save(update_fields=["report"])
    return found


def my_report(request: HttpRequest, report: int) -> HttpResponse:
    """How far a report is, and what became of it."""
    found = directing.my_report(report, reader_of(request).actor)
    if found is None:
        raise Http404("no such report")
    return render(request, "site/my_report.html", {"mine": found})


def my_correction(request: HttpRequest, report: int) -> HttpResponse:
    """Ask that a game of one's own event be corrected."""
    reader = reader_of(request)
    found = directing.my_report(report, reader.actor)
    if found is None:
        raise Http404("no such report")
    problems: Any = None
    games = directing.games_of(report, as_sent=True)
    if request.method == "POST":
        problems = tried(
            request,
            lambda: ask_for_game(
                request, report, number_in(request, "game"), reader.who(), seen_as(games)
            ),
            lambda asked: told_of(
                gettext("Correction {n} is asked for; it is {state}."), asked, "correction"
            ),
        )
        if problems is None:
            return redirect("my_report", report)
    return render(
        request, "site/my_correction.html",
        {"mine": found, "games": games, "problems": problems or (),
         "said": said(request), "mark": mark(), "seen": seen_as(games),
         "chosen": number_in(request, "game")},
        status=422 if problems else 200,
    )  # fmt: skip


def ask_for_game(
    request: HttpRequest, report: int, number: int | None, who: Any, seen: str
) -> corrections.Asked:
    """What a form asks of a game, with the sheet that shows it; numbers are of what was seen."""
    refuse_unseen(
        request, seen,
        gettext("What is known of the games has changed meanwhile: nothing was asked for."),
    )  # fmt: skip
    if number is None:
        raise refuse("site.game", gettext("No game was chosen."), gettext("Choose the game."))
    content = asking.game(
        report, number, text_in(request, "result") or None, text_in(request, "rated") or None,
        swap=request.POST.get("swap") == "yes",
    )  # fmt: skip
    with uploads.showing(request.FILES.getlist("files")) as evidence:
        return corrections.ask(current(), [content], text_in(request, "reason"), who, evidence)
