"""Which fields of a form are meant by what is refused: pages mark them, and say it above."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.http import HttpRequest

from ratingbook.site.shown.words import Told

_FIELDS: Mapping[str, tuple[str, ...]] = {
    "office.reason": ("reason",), "office.value": ("value",), "office.opening-value": ("value",),
    "office.policy": ("value",), "office.marks": ("value",), "office.decimals": ("value",),
    "office.standing": ("standing",), "office.decision-kind": ("kind",), "office.title": ("title",),
    "office.result": ("result",), "office.as-it-is": ("result",), "office.rated": ("rated",),
    "office.undo": ("fact",), "office.undone": ("fact",), "office.no-correction": ("correction",),
    "office.no-game": ("game",), "office.no-entry": ("entry",), "office.since": ("since",),
    "office.contact": ("address",), "office.address": ("address",), "office.name": ("name",),
    "office.due": ("due",), "office.role": ("roles",), "office.player": ("roles",),
    "office.pool-exists": ("name",), "office.webhooks": ("url",), "office.webhook-inside": ("url",),
    "site.look": ("looked",), "site.name": ("name",), "site.no-day": ("end",),
    "site.days-reversed": ("start", "end"), "site.pool": ("pool",), "site.game": ("game",),
    "site.report": ("report",), "site.entry": ("entry",), "site.no-file": ("file", "files"),
    "site.level": ("level",), "site.players": ("players",), "site.games": ("games",),
    "site.user": ("name",), "site.user-exists": ("name",), "site.no-role-ticked": ("roles",),
    "site.person": ("person", "other"), "site.no-person": ("person", "other"),
    "site.several-persons": ("person", "other"),
}  # fmt: skip
"""By the code of a finding what it is about, where no other field can be meant."""
_OF_PERSONS = ("person", "other")
_NOTED = "_ratingbook_wrong"


def note(request: HttpRequest, *fields: str) -> None:
    """Remember fields that cannot be read, whatever is said of them."""
    setattr(request, _NOTED, _noted(request) | set(fields))


def meant(request: HttpRequest, problems: Iterable[Told]) -> frozenset[str]:
    """The fields that are meant by what is refused, with those that were remembered."""
    found = set(_noted(request))
    for each in problems:
        fields = _FIELDS.get(each.code, ())
        found |= {
            name for name in fields if fields != _OF_PERSONS or _is_about(request, name, each)
        }
    return frozenset(found)


def _is_about(request: HttpRequest, name: str, problem: Told) -> bool:
    """Whether a sentence about a person is about that of a field."""
    text = str(request.POST.get(name, "")).strip()
    if problem.code == "site.person":
        return name in request.POST and not text
    return bool(text) and text in problem.message


def _noted(request: HttpRequest) -> frozenset[str]:
    found: frozenset[str] = getattr(request, _NOTED, frozenset())
    return found
