"""Persons at the desk: found, added, edited, merged, given what is held of them; and brought in."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext, ngettext

from ratingbook.office.acts import decisions, imports, registry
from ratingbook.office.acts import people as acts
from ratingbook.office.acts.again import match_people
from ratingbook.office.acts.handing_over import as_text, handed_over
from ratingbook.office.home import current
from ratingbook.office.logic.newcomers import NewPerson
from ratingbook.office.refused import OfficeRefused, refuse
from ratingbook.office.store.models import Pool
from ratingbook.site import uploads
from ratingbook.site.accounts import reader_of
from ratingbook.site.shown import people as shown
from ratingbook.site.shown import suppressing
from ratingbook.site.shown.words import told
from ratingbook.site.suppressing import suppress
from ratingbook.site.views.choosing import Named, named
from ratingbook.site.views.forms import (
    day_in,
    mark,
    refuse_unseen,
    said,
    tell,
    text_in,
    tried,
)

_REGISTERS = ("national", "fide", "egd", "uscf", "iccf")
_SAID = ("federation", "club", "title", "sex")
"""What is said of a person beside names, numbers and the birth date."""


def people(request: HttpRequest) -> HttpResponse:
    """Who there is; and somebody whom no report has brought."""
    problems: Any = None
    query = request.GET.get("q", "")
    if request.method == "POST":
        made: list[int] = []
        problems = tried(
            request, lambda: made.append(_add(request)),
            lambda _: gettext("{name} is person {n}.").format(
                name=text_in(request, "name"), n=made[0]
            ),
        )  # fmt: skip
        if problems is None:
            return redirect("desk_person", made[0]) if made else redirect("people")
    found = None
    try:
        found = shown.people(query)
    except OfficeRefused as refused:
        problems = problems or told(refused.findings)
    return render(
        request, "site/people.html",
        {"found": found, "query": query, "problems": problems or (), "said": said(request),
         "registers": _REGISTERS, "mark": mark()},
        status=422 if problems else 200,
    )  # fmt: skip


def _numbers(request: HttpRequest) -> dict[str, str]:
    number = text_in(request, "number")
    return {text_in(request, "register"): number} if number else {}


def _said_of(request: HttpRequest) -> dict[str, str]:
    return {key: text for key in _SAID if (text := text_in(request, key))}


def _add(request: HttpRequest) -> int:
    new = NewPerson(
        text_in(request, "name"), day_in(request, "born"), None, _said_of(request),
        _numbers(request),
    )  # fmt: skip
    who = reader_of(request).who()
    number, findings = acts.add_person(new, text_in(request, "reason"), who)
    findings.extend(match_people(who, [number]))
    tell(request, findings)
    return number


def desk_person(request: HttpRequest, person: int) -> HttpResponse:
    """What is said of a person, said otherwise; and whom else the person is."""
    problems: Any = None
    whom = Named()
    if request.method == "POST":
        whom = named(request)
        problems = tried(request, lambda: _act(request, person, whom), lambda done: done)
        if problems is None:
            return redirect("desk_person", person)
    return render(
        request, "site/desk_person.html",
        {"p": shown.person(person), "problems": problems or (), "said": said(request),
         "named": whom, "registers": _REGISTERS, "mark": mark()},
        status=422 if problems else 200,
    )  # fmt: skip


def _act(request: HttpRequest, person: int, whom: Named) -> str:
    who, reason, what = (
        reader_of(request).who(),
        text_in(request, "reason"),
        text_in(request, "act"),
    )
    if what == "edit":
        new = registry.Edit(
            text_in(request, "name") or None, day_in(request, "born"), _said_of(request),
            _numbers(request), day_in(request, "since"),
        )  # fmt: skip
        _, findings = registry.edit(person, new, reason, who)
        tell(request, [*findings, *match_people(who, [person])])
        return gettext("Person {n} is edited.").format(n=person)
    if what == "merge":
        target = whom.needed()
        _, findings = acts.merge(person, target, reason, who)
        tell(request, [*findings, *match_people(who, [person, target])])
        return gettext("{one} is {other} from now on.").format(one=person, other=target)
    raise refuse("site.act", gettext("Nothing was chosen."), gettext("Choose what is to be done."))


def person_suppress(request: HttpRequest, person: int) -> HttpResponse:
    """Let nobody see who a person is, after all that goes and all that stays was shown."""
    found = suppressing.suppressing(person)
    problems: Any = None
    if request.method == "POST":
        problems = tried(
            request, lambda: _suppress(request, found),
            lambda _: gettext("The files are deleted.") if found.is_suppressed
            else gettext("Person {n} is suppressed.").format(n=found.person),
        )  # fmt: skip
        if problems is None:
            return redirect("desk_person", found.person)
    return render(
        request, "site/person_suppress.html",
        {"p": found, "problems": problems or (), "said": said(request)},
        status=422 if problems else 200,
    )  # fmt: skip


def _suppress(request: HttpRequest, found: suppressing.Suppressing) -> None:
    refuse_unseen(request, found.seen, gettext("What is known of the person has changed."))
    if request.POST.get("looked") != "yes":
        raise refuse(
            "site.look", gettext("Nobody is suppressed before it was looked at."),
            gettext("Say that you have looked at what goes and what stays."),
        )  # fmt: skip
    with_files = found.is_suppressed or request.POST.get("files") == "yes"
    _, findings = suppress(
        current(), found.person, text_in(request, "reason"), reader_of(request).who(),
        with_files=with_files,
    )  # fmt: skip
    tell(request, findings)


def person_export(request: HttpRequest, person: int) -> HttpResponse:
    """All that the office holds of a person, as a file for that person."""
    text = as_text(handed_over(person, reader_of(request).who()))
    answer = HttpResponse(text, content_type="application/json")
    answer.headers["Content-Disposition"] = f'attachment; filename="person-{person}.json"'
    return answer


def bring_in(request: HttpRequest) -> HttpResponse:
    """Players of a file, the ratings with which a pool opens, or what another office decided."""
    problems: Any = None
    if request.method == "POST":
        problems = tried(request, lambda: _bring_in(request), lambda done: done)
        if problems is None:
            return redirect("bring_in")
    return render(
        request, "site/bring_in.html",
        {"pools": list(Pool.objects.order_by("id").values_list("name", flat=True)),
         "problems": problems or (), "said": said(request), "mark": mark(),
         "most": uploads.MOST_BYTES // 2**20},
        status=422 if problems else 200,
    )  # fmt: skip


def _bring_in(request: HttpRequest) -> str:
    who, pool = reader_of(request).who(), text_in(request, "pool")
    register = text_in(request, "register")
    with uploads.written(request.FILES.getlist("file"), uploads.of_a_list) as path:
        if text_in(request, "what") == "decisions":
            _, count, findings = decisions.import_decisions(
                current(), path, register, pool, text_in(request, "reason"), who
            )
            tell(request, findings)
            return ngettext(
                "{n} decision is brought in.", "{n} decisions are brought in.", count
            ).format(n=count)
        found = imports.import_file(current(), path, register, who, pool or None)
    tell(request, found.findings)
    return gettext("New persons: {made}; known: {known}; opening ratings: {opened}.").format(
        made=found.made, known=found.known, opened=found.opened
    )
