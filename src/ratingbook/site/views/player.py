"""Pages of who has signed in: own results, confirmed or disputed; and what one is told."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext, ngettext

from ratingbook.office.acts import notices as acts
from ratingbook.office.refused import refuse
from ratingbook.office.store.models import Contact, LedgerHead
from ratingbook.site.accounts import reader_of
from ratingbook.site.models import Confirmation
from ratingbook.site.shown import own
from ratingbook.site.views.director import ask_for_game
from ratingbook.site.views.forms import mark, number_in, said, text_in, told_of, tried


def my_results(request: HttpRequest) -> HttpResponse:
    """The own events and games."""
    reader = reader_of(request)
    assert reader.person is not None
    found = own.results(reader.person, reader.actor, number_in(request, "page") or 1)
    return render(request, "site/my_results.html", {"own": found, "page": found})


def my_confirm(request: HttpRequest, report: int) -> HttpResponse:
    """The own results of an event are right; or nothing is said of them any more."""
    reader = reader_of(request)
    assert reader.person is not None
    event = own.own_event(reader.person, reader.actor, report)
    if event is None:
        raise Http404("no such event")
    page = number_in(request, "page") or 1
    # Back to where it was looked at.
    back = f"{reverse('my_results')}{f'?page={page}' if page > 1 else ''}#e{report}"
    if text_in(request, "seen") != event.seen:
        messages.warning(
            request,
            gettext("{name} has changed meanwhile: look at it as it is now.").format(
                name=event.name
            ),
        )
        return redirect(back)
    if text_in(request, "act") == "undo":
        Confirmation.objects.filter(actor=reader.actor, version=event.version).delete()
        said = gettext("{name}: that your results are right is taken back.")
        messages.success(request, said.format(name=event.name))
        return redirect(back)
    event = _confirmed(reader.person, reader.actor, event)
    if event.disputes:
        messages.warning(request, _disputed(event))
        return redirect(back)
    messages.success(
        request, gettext("{name}: you have confirmed your results.").format(name=event.name)
    )
    return redirect(back)


def _confirmed(person: int, actor: str, seen: own.OwnEvent) -> own.OwnEvent:
    """Confirm an event as it was seen, unless a game of it is disputed; the event as it is now.

    Whoever disputes one at the same moment waits for it, or was faster, and is heard.
    """
    with transaction.atomic():
        LedgerHead.objects.select_for_update().get(id=1)
        event = own.own_event(person, actor, seen.report) or seen
        if not event.disputes and not event.is_confirmed:
            Confirmation.objects.update_or_create(
                actor=actor, version=seen.version,
                defaults={"at": datetime.now(UTC), "said": seen.said},
            )  # fmt: skip
        return event


def _disputed(event: own.OwnEvent) -> str:
    """Why nobody says that all of an event is right, and that some of it is not."""
    said = ngettext(
        "{name} is not confirmed: you dispute a game of it by correction {n}. Take that back "
        "first, or wait until it is decided.",
        "{name} is not confirmed: you dispute games of it by corrections {n}. Take them back "
        "first, or wait until they are decided.",
        len(event.disputes),
    )
    return said.format(name=event.name, n=", ".join(map(str, event.disputes)))


def my_dispute(request: HttpRequest, report: int, game: int) -> HttpResponse:
    """A game of one's own is not as it stands: a correction is asked for."""
    reader = reader_of(request)
    assert reader.person is not None
    event = own.own_event(reader.person, reader.actor, report)
    if event is None:
        raise Http404("no such event")
    found = next((each for each in event.games if each.number == game), None)
    if found is None or not found.can_be_disputed:
        raise Http404("no such game")
    problems: Any = None
    if request.method == "POST":
        who = reader.who()
        problems = tried(
            request,
            lambda: ask_for_game(request, report, game, who, event.seen),
            lambda asked: told_of(
                gettext("You have asked for correction {n}; it is {state}."), asked, "correction"
            ),
        )
        if problems is None:
            return redirect("my_results")
    return render(
        request, "site/my_dispute.html",
        {"game": found, "event": event, "problems": problems or (), "said": said(request),
         "mark": mark()},
        status=422 if problems else 200,
    )  # fmt: skip


def notices(request: HttpRequest) -> HttpResponse:
    """Where the office writes to, and how often."""
    reader = reader_of(request)
    whose = (
        {f"actor:{reader.actor}": gettext("What becomes of your requests")} if reader.actor else {}
    )
    if reader.person is not None:
        whose[f"person:{reader.person}"] = gettext("Corrections that change your rating")
    problems: Any = None
    if request.method == "POST":
        problems = tried(
            request, lambda: _subscribe(request, set(whose)), lambda _: gettext("Kept.")
        )
        if problems is None:
            return redirect("notices")
    known = {each.whose: each for each in Contact.objects.filter(whose__in=list(whose))}
    rows = [{"whose": key, "name": name, "contact": known.get(key)} for key, name in whose.items()]
    return render(
        request, "site/notices.html",
        {"rows": rows, "wants": acts.WANTS, "problems": problems or (), "said": said(request)},
        status=422 if problems else 200,
    )  # fmt: skip


def _subscribe(request: HttpRequest, whose: set[str]) -> Any:
    chosen = text_in(request, "whose")
    if chosen not in whose:
        raise refuse(
            "site.notices",
            gettext("This is not yours."),
            gettext("Choose one of those on the page."),
        )
    return acts.set_contact(
        chosen, text_in(request, "address"), text_in(request, "wants"), reader_of(request).who()
    )


def stop_mails(request: HttpRequest, token: str) -> HttpResponse:
    """Where each mail leads for whom they are too many; the link itself ends nothing.

    Programs that look for bad links in mails follow it as well.
    """
    contact = Contact.objects.filter(token=token).first()
    if contact is None:
        raise Http404("nobody has this token")
    if request.method == "POST":
        acts.stop(token)
        contact.refresh_from_db()
    return render(request, "site/stop_mails.html", {"ended": contact.wants == acts.NONE})
