"""Notices of corrections as officers see them: the mails that wait, and the last ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from ratingbook.office.acts import notices as acts
from ratingbook.office.acts.people import names_of
from ratingbook.office.home import current
from ratingbook.office.store import models as m
from ratingbook.site.shown.seen import seen_as

KINDS: Mapping[str, str | Promise] = {
    "received": _("received"), "joined": _("joined to an earlier one"), "rejected": _("refused"),
    "reopened": _("open again"),
    "withdrawn": _("taken back"), "accepted": _("accepted"), "published": _("published"),
    "changed": _("changed a rating"),
}  # fmt: skip
"""What is told of a correction."""
_SHOWN = 100
"""Of what waits, and of what became of the last ones."""


@dataclass(frozen=True)
class Whom:
    """Whom a mail is to: a person, or an actor."""

    name: str
    person: int | None


@dataclass(frozen=True)
class Mail:
    """A mail that waits, and the corrections of which it tells."""

    to: Whom
    is_digest: bool
    is_wanted: bool
    about: tuple[tuple[int, str | Promise], ...]
    """Each with what is told of it."""


@dataclass(frozen=True)
class Line:
    """A notice, and what became of it."""

    number: int
    at: datetime
    to: Whom
    correction: int
    kind: str | Promise
    state: str


@dataclass(frozen=True)
class Notices:
    """What waits, and what was."""

    waiting: tuple[Mail, ...]
    """The first of those that wait."""
    alone: int
    """Mails that go out each by itself."""
    digests: int
    unwanted: int
    failed: int
    lines: tuple[Line, ...]
    to_files: bool
    """Whether mails become files of the office's folder."""
    seen: str
    """What waits, in short."""


def notices() -> Notices:
    """The notices as they are now."""
    every = list(acts.waiting())
    last = list(m.Notice.objects.exclude(state=acts.WAITING).order_by("-id")[:_SHOWN])
    called = _called([*(x.whose for x in every[:_SHOWN]), *(x.whose for x in last)])
    unwanted = sum(each.contact is None for each in every)
    digests = sum(each.is_digest for each in every)
    return Notices(
        tuple(
            Mail(called[each.whose], each.is_digest, each.contact is not None,
                 tuple((one.correction_id, KINDS[one.kind]) for one in each.notices))
            for each in every[:_SHOWN]
        ),
        len(every) - digests - unwanted, digests, unwanted,
        m.Notice.objects.filter(state=acts.FAILED).count(),
        tuple(
            Line(x.id, x.at, called[x.whose], x.correction_id, KINDS[x.kind], x.state)
            for x in last
        ),
        acts.goes_to_files(current()),
        seen_as([(x.whose, x.is_digest, [one.id for one in x.notices]) for x in every]),
    )  # fmt: skip


def _called(whose: Iterable[str]) -> Mapping[str, Whom]:
    """Whom ``person:17`` and ``actor:tina`` are."""
    every = {each: each.partition(":")[::2] for each in whose}
    people = {each: int(which) for each, (kind, which) in every.items() if kind == "person"}
    names = names_of(people.values())
    return {
        each: Whom(names.get(people[each], which) if each in people else which, people.get(each))
        for each, (_kind, which) in every.items()
    }
