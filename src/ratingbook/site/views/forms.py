"""What forms have in common: an act is tried, what is refused is said, nothing is sent twice."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any, TypeVar

from django.contrib import messages
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from ratingbook.model import Finding
from ratingbook.office.acts.corrections import Asked
from ratingbook.office.limits import is_id
from ratingbook.office.refused import OfficeRefused, refuse
from ratingbook.office.store.models import Pool
from ratingbook.site import wrong
from ratingbook.site.languages import SPOKEN
from ratingbook.site.models import Sent
from ratingbook.site.shown.words import Told, told

T = TypeVar("T")
_KEPT = timedelta(days=2)


def mark() -> str:
    """What a form carries so that it counts once."""
    return secrets.token_urlsafe(12)


def refuse_unseen(request: HttpRequest, now: str, what: str) -> None:
    """Refuse what a form asks for where the page on which it rests would look otherwise now.

    ``now`` is what :func:`ratingbook.site.shown.seen.seen_as` says of it at this moment.
    """
    if text_in(request, "seen") != now:
        raise refuse(
            "site.changed", what,
            gettext("Look at it as it is now, and decide anew."),
        )  # fmt: skip


class Again(Exception):
    """The form was sent before, and what it asked for is done."""


def once(request: HttpRequest, act: Callable[[], T]) -> T:
    """Do what a form asks for, unless it was sent before; what is refused may be sent again."""
    given = request.POST.get("mark", "")[:40]
    if not given:
        # What refuses by itself to be done twice, and may take long, carries none.
        return act()
    now = datetime.now(UTC)
    try:
        with transaction.atomic():
            Sent.objects.filter(at__lt=now - _KEPT).delete()
            Sent(mark=given, at=now).save(force_insert=True)
            return act()
    except IntegrityError:
        if Sent.objects.filter(mark=given).exists():
            raise Again from None
        raise


def tried(
    request: HttpRequest, act: Callable[[], T], done: Callable[[T], str]
) -> list[Told] | None:
    """Try what a form asks for; None where it is done, else why it is refused."""
    try:
        found = once(request, act)
    except Again:
        messages.info(request, gettext("That was done already; it is not done twice."))
        return None
    except OfficeRefused as refused:
        return told(refused.findings)
    messages.success(request, done(found))
    return None


def tell(
    request: HttpRequest, findings: Iterable[Finding],
    telling: Callable[[Iterable[Finding]], Iterable[Told]] = told,
) -> None:  # fmt: skip
    """Show with the next page what the office noticed beside what it did."""
    for each in telling(findings):
        messages.info(request, f"{each.message} {each.remedy}".strip())


def told_of(words: str, asked: Asked, route: str) -> SafeString:
    """What is said of a correction that was asked for, whose number leads to its page.

    ``words`` have ``{n}``, that number, and ``{state}``.
    """
    link = format_html('<a href="{}">{}</a>', reverse(route, args=[asked.id]), asked.id)
    return format_html(words, n=link, state=SPOKEN.gettext(asked.state))


def to_preview(made: Sequence[Asked]) -> HttpResponse:
    """Lead whoever asked for a correction to what it changes; who asked before, to all of them."""
    if not made:
        return redirect("desk_corrections")
    # Who asks for the same as somebody before looks at that request.
    page = reverse("desk_correction", args=[made[0].joined or made[0].id])
    return redirect(f"{page}?preview=yes")


def number_in(request: HttpRequest, name: str) -> int | None:
    """A number of a form, or of an address; None where it is none."""
    text = (request.POST.get(name) or request.GET.get(name) or "").strip()
    return int(text) if is_id(text) else None


def day_in(request: HttpRequest, name: str) -> date | None:
    """A day of a form; None where none is given, refused where it is none."""
    text = (request.POST.get(name) or request.GET.get(name) or "").strip()
    if not text:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        wrong.note(request, name)
        raise refuse(
            "site.day",
            gettext("“{text}” is no day.").format(text=text),
            gettext("Write it as 2026-03-31."),
        ) from None


def text_in(request: HttpRequest, name: str) -> str:
    """A line of a form."""
    return str(request.POST.get(name) or "").strip()


def pairs_in(request: HttpRequest, name: str) -> dict[str, str]:
    """What a field says line by line, each as ``key = value``."""
    try:
        return _pairs(text_in(request, name))
    except OfficeRefused:
        wrong.note(request, name)
        raise


def _pairs(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for line in filter(str.strip, text.splitlines()):
        key, equals, value = (each.strip() for each in line.partition("="))
        if not key or not equals:
            raise refuse(
                "site.pair", gettext("“{text}” does not say what is what.").format(text=line),
                gettext("Write in each line what it is, =, and the value: rating = 1700."),
            )  # fmt: skip
        if key in found:
            raise refuse(
                "site.pair", gettext("“{key}” is said twice.").format(key=key),
                gettext("Leave the line that is right, and take out the other one."),
            )  # fmt: skip
        found[key] = value
    if not found:
        raise refuse(
            "site.pair", gettext("Nothing is said."),
            gettext("Write in each line what it is, =, and the value: rating = 1700."),
        )  # fmt: skip
    return found


def pool_in(request: HttpRequest, pools: Sequence[Pool]) -> Pool | None:
    """The pool that a form, or an address, names; else the first one."""
    wanted = request.POST.get("pool") or request.GET.get("pool")
    return next((each for each in pools if each.name == wanted), pools[0] if pools else None)


def said(request: HttpRequest) -> dict[str, Any]:
    """What was written into a form, to be shown again."""
    return {name: request.POST.get(name) for name in request.POST if name != "csrfmiddlewaretoken"}
