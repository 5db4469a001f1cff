"""An officer asks for any correction, which is then looked at and decided as all are."""

from __future__ import annotations

from datetime import date

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext

from ratingbook.office.acts import asking, corrections, states
from ratingbook.office.acts.setup import every_pool
from ratingbook.office.home import current
from ratingbook.office.refused import OfficeRefused, refuse
from ratingbook.office.store.models import Entry
from ratingbook.site import uploads
from ratingbook.site.accounts import reader_of
from ratingbook.site.shown import asked as shown
from ratingbook.site.shown.words import told
from ratingbook.site.views.choosing import Named, named
from ratingbook.site.views.forms import (
    day_in,
    mark,
    number_in,
    pairs_in,
    pool_in,
    said,
    tell,
    text_in,
    to_preview,
    told_of,
    tried,
)

_OTHER = "other"
"""The field that names a second person."""


_CARRIED = ("report", "fact", "correction")
"""What an address may say of what is corrected, whatever kind is chosen then."""


def new_correction(request: HttpRequest) -> HttpResponse:
    """The kinds of corrections, and the form of the one that is chosen."""
    name = request.POST.get("what") or request.GET.get("what", "")
    kind = shown.KINDS.get(name)
    pools = list(every_pool())
    pool = pool_in(request, pools)
    whom, other, problems = Named(), Named(field=_OTHER), None
    if kind is not None:
        whom, other = named(request), named(request, _OTHER)
    if request.method == "POST":
        made: list[corrections.Asked] = []
        problems = tried(
            request,
            lambda: made.append(_ask(request, name, whom, other)),
            lambda _: told_of(gettext("Correction {n} is {state}."), made[0], "desk_correction"),
        )
        if problems is None:
            return to_preview(made)
    given = {**request.GET.dict(), **said(request)}
    fields, report = kind.fields if kind else frozenset(), number_in(request, "report")
    events = shown.events_known(pools) if "report" in fields else {}
    is_known = report is not None and states.newest(report) is not None
    wrong = str(given.get("report") or "").strip() if "report" in fields and not is_known else ""
    why = problems or (told(_no_report(wrong).findings) if wrong else ())
    return render(
        request, "site/new_correction.html",
        {"kinds": shown.KINDS.items(), "what": name, "kind": kind, "pools": pools, "pool": pool,
         "decided": shown.decided_in(pool) if pool and name == "decision" else (),
         "keys": shown.said_of_openings(pool) if pool and name == "opening" else "",
         "report": report, "events": events, "event": events.get(report or 0),
         "is_known": is_known,
         "players": shown.players_of(report) if report and "entry" in fields else (),
         "carried": [(key, given[key]) for key in _CARRIED if given.get(key)],
         "whom": whom, "other": other, "said": given,
         "problems": why,
         "mark": mark()},
        status=422 if problems else 200,
    )  # fmt: skip


def _no_report(text: str) -> OfficeRefused:
    """What is said of an address, or of a form, that names a report which there is not."""
    return refuse(
        "site.report", gettext("There is no report “{text}”.").format(text=text),
        gettext("Write the number of a report, or choose one that the field offers."),
    )  # fmt: skip


def _ask(request: HttpRequest, kind: str, whom: Named, other: Named) -> corrections.Asked:
    who, reason = reader_of(request).who(), text_in(request, "reason")
    contents = _contents(request, kind, whom, other, who.now().date())
    with uploads.showing(request.FILES.getlist("files")) as evidence:
        asked = corrections.ask(current(), contents, reason, who, evidence)
    tell(request, asked.findings)
    return asked


def _contents(
    request: HttpRequest, kind: str, whom: Named, other: Named, today: date
) -> list[asking.Content]:
    """What the fields of a form ask for."""
    pool, section = text_in(request, "pool"), text_in(request, "section")
    if kind in ("late", "withdraw", "move", "pool", "player"):
        number = _number(request, "report", gettext("No report is named."))
        report = f"{number}:{section}" if section else str(number)
        if kind == "player":
            return [asking.player(number, _entry(request, number), whom.needed())]
        if kind == "pool":
            return [asking.into_pool(report, text_in(request, "into"))]
        if kind == "move":
            return [asking.moved(report, _day(request, "day"))]
        return [asking.event(report, kind)]
    if kind == "merge":
        return [asking.merge(whom.needed(), other.needed())]
    if kind == "undo":
        return [asking.undo(_number(request, "fact", gettext("No fact is named.")))]
    if kind == "take_back":
        of = _number(request, "correction", gettext("No correction is named."))
        return [dict(each) for each in corrections.taking_back(of)]
    if kind == "decision":
        decided = {text_in(request, "kind"): text_in(request, "value")}
        since, reason = day_in(request, "since"), text_in(request, "reason")
        return [asking.decided(pool, whom.needed(), decided, since, reason, today)]
    if kind == "opening":
        return [asking.opening(pool, {whom.needed(): pairs_in(request, "standing")})]
    if kind == "openings":
        with uploads.written(request.FILES.getlist("file"), uploads.of_a_list) as path:
            return [asking.openings_of_file(path, pool, text_in(request, "register"))]
    if kind == "parameters":
        assume = text_in(request, "assume") or None
        return [asking.parameters(pool, pairs_in(request, "parameters"), assume)]
    if kind == "rules":
        return [asking.rules(pool)]
    raise refuse("site.act", gettext("Nothing was chosen."), gettext("Choose what is corrected."))


def _entry(request: HttpRequest, report: int) -> str:
    """The number of the entry that was chosen, of the version that counts now."""
    chosen = number_in(request, "entry")
    if chosen not in {each.entry for each in shown.players_of(report)}:
        raise refuse(
            "site.entry", gettext("No player of the event was chosen."),
            gettext("Choose one; who an entry without a person is, is said at the desk."),
        )  # fmt: skip
    return Entry.objects.get(id=chosen).number


def _number(request: HttpRequest, field: str, missing: str) -> int:
    found = number_in(request, field)
    if found is None:
        raise refuse("site.number", missing, gettext("Write its number."))
    return found


def _day(request: HttpRequest, field: str) -> date:
    found = day_in(request, field)
    if found is None:
        raise refuse("site.day", gettext("No day is given."), gettext("Write it as 2026-03-31."))
    return found
