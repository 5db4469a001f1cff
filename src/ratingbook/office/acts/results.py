"""The results of games as they held before a correction of them, and as they hold now."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from django.db.models import OuterRef, Subquery, TextField
from django.db.models.functions import Cast

from ratingbook.office.acts import states
from ratingbook.office.acts.requests import OPEN, with_states
from ratingbook.office.logic.corrections import Content
from ratingbook.office.logic.feeding import fixed
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import once

_Row = Mapping[str, Any]


def standing(content: Content) -> int | None:
    """White's half points as they hold now of a game of which something is asked."""
    games: Any = m.Game.objects.filter(
        section__version__report=content["report"], stable_key=content["key"]
    ).annotate(counts=states.counting(OuterRef("section__version")))
    one = games.order_by("counts", "id").last()
    if one is None:
        half: int | None = content["before"]["half"]
        return half
    fixes = m.GameFix.objects.filter(stable_key=content["key"], revoked_by__isnull=True)
    row = {
        "white": one.white_id, "black": one.black_id, "half": one.half_points,
        "rated": one.rated, "status": one.status,
    }  # fmt: skip
    half = _after(row, fixes.order_by("fact", "id"))["half"]
    return half


def taken_effect(every: Sequence[Content]) -> list[Content]:
    """What corrections ask for, each of a game with what held of it when that took effect.

    Something else may have been accepted of the game after it was asked for.  What is still to be
    decided is beside what holds now, and what never took effect as it was when it was asked for.
    """
    keys = frozenset(each["key"] for each in every if each["kind"] == "game")
    if not keys:
        return list(every)
    fixes = once(("decided of games", keys), lambda: _fixes(keys))
    return [_as_it_took_effect(each, fixes.get(each.get("key", ""), ())) for each in every]


def _still_asked() -> list[Content]:
    """What is asked for and not decided yet."""
    found = with_states(m.Correction.objects.all()).filter(state=OPEN)
    return [each for contents in found.values_list("contents", flat=True) for each in contents]


def _fixes(keys: Collection[str]) -> dict[str, list[Any]]:
    """What corrections ever decided of games, by their keys; each knows what was ``asked``."""
    accepted = m.FactSubject.objects.filter(
        kind="fact", subject=Cast(OuterRef(OuterRef("fact")), TextField()),
        fact__kind="correction accepted",
    )  # fmt: skip
    of = m.Reached.objects.filter(fact__in=accepted.values("fact"))
    every: Any = m.GameFix.objects.filter(stable_key__in=keys)
    asked = Subquery(of.values("correction__contents")[:1])
    found: dict[str, list[Any]] = {}
    for each in every.annotate(asked=asked).order_by("fact", "id"):
        found.setdefault(each.stable_key, []).append(each)
    return found


def _as_it_took_effect(content: Content, fixes: Sequence[Any]) -> Content:
    """A content with what held of its game just before the fact by which it took effect."""
    own = [each for each in fixes if content in (each.asked or ())]
    if own:
        of = own[-1].fact
        held = [
            each for each in fixes
            if each.fact < of and (each.revoked_by is None or each.revoked_by > of)
        ]  # fmt: skip
    elif fixes and content in once("still asked", _still_asked):
        held = [each for each in fixes if each.revoked_by is None]
    else:
        return content
    # The first that was decided of a game was asked for when it was as it was reported.
    said = (each for each in fixes[0].asked or () if each.get("key") == content["key"])
    reported = next(said, content)["before"]
    row = _after({"white": None, "black": None, **reported}, held)
    return {**content, "before": {key: row[key] for key in reported}}


def _after(row: _Row, fixes: Iterable[m.GameFix]) -> _Row:
    """A game as it is with what was decided of it."""
    for each in fixes:
        row = fixed(row, each.said)
    return row
