"""The results of games as they held before a correction of them, and as they hold now."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django.db.models import OuterRef, Subquery, TextField
from django.db.models.functions import Cast

from ratingbook.office.acts import states
from ratingbook.office.acts.amendments import games_keyed
from ratingbook.office.acts.requests import OPEN, with_states
from ratingbook.office.logic.corrections import Content
from ratingbook.office.logic.fixes import (
    Said,
    Sides,
    attributes,
    called,
    fixed,
    told,
    turned,
)
from ratingbook.office.logic.printed import sides_of
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import is_any, once


def standing(every: Sequence[Content]) -> list[Content]:
    """What is asked for, each of a game with what holds of it now.

    Its result and its flag are of the sides of the request, whoever has White now.
    """
    now = as_they_are(games_asked(every))
    return [
        {**each, "before": _before(each, now[each["key"]])}
        if each["kind"] == "game" and each["key"] in now
        else each
        for each in every
    ]


def _before(content: Content, row: Said) -> dict[str, Any]:
    """How a game was, as the ``before`` of a content tells it, and who had White then."""
    white, _black = called(content["say"], _sides(row))
    of_sides = turned(row) if content["say"].get("sides", [white])[0] != white else row
    said = {key: of_sides[key] for key in ("half", "rated", "status") if key in of_sides}
    return {**said, "white": white}


def _sides(row: Said) -> Sides:
    return Sides(row["white"], row["black"], row["first"])


def is_so(content: Content, now: Said) -> bool:
    """Whether a game is as a request says it, whoever said it."""
    say = content["say"]
    white, black = called(say, _sides(now))
    known = attributes({
        "sides": (white, black), "white": white,
        **{name: now[name] for name in ("half", "rated", "status")},
        **{name: say[name] for name in ("first",) if name in say},
    })  # fmt: skip
    return all(known[name] == x for name, x in attributes(say).items())


def games_asked(contents: Sequence[Content], **also: Any) -> list[Any]:
    """The games of which something is asked, in all versions; the one that counts comes last.

    Each knows its version and its section, and the ``state`` of that; and what is asked ``also``.
    """
    keys = frozenset(each["key"] for each in contents if each["kind"] == "game")
    if not keys:
        return []
    steps = m.SectionStep.objects.filter(section=OuterRef("section")).order_by("-fact")
    games = games_keyed(keys, contents).select_related("white", "black", "section", "version")
    every: Any = games.annotate(
        counts=states.counting(OuterRef("section__version")),
        state=Subquery(steps.values("state")[:1]), **also,
    )  # fmt: skip
    return once(("games asked of", keys, *also), lambda: list(every.order_by("counts", "id")))


def as_they_are(games: Sequence[Any]) -> dict[str, Said]:
    """Such games as they are now, by their keys; sides by the numbers of their version."""
    fixes = _decided_of(frozenset(each.stable_key for each in games)) if games else {}
    found: dict[str, Said] = {}
    for one in games:
        sides = sides_of(one.white, one.black)
        row = {
            **sides._asdict(), "half": one.half_points, "rated": one.rated, "status": one.status,
        }  # fmt: skip
        held = (x.said for x in fixes.get(one.stable_key, ()) if x.revoked_by is None)
        found[one.stable_key] = fixed(row, told(held, sides))
    return found


def _decided_of(keys: frozenset[str]) -> Mapping[str, Sequence[Any]]:
    """What corrections ever decided of games, by their keys: asked for once in a moment."""
    return once(("decided of games", keys), lambda: _fixes(keys)) if is_any("game fixed") else {}


def taken_effect(every: Sequence[Content]) -> list[Content]:
    """What corrections ask for, each of a game with what held of it when that took effect.

    Something else may have been accepted of the game after it was asked for.  What is still to be
    decided is beside what holds now, and what never took effect as it was when it was asked for.
    """
    keys = frozenset(each["key"] for each in every if each["kind"] == "game")
    if not keys:
        return list(every)
    fixes = _decided_of(keys)
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
    first = next(said, content)
    sides = _sides_reported(first)
    # What it said of White then is who had it by the report.
    reported = {**first["before"], **sides._asdict()}
    row = fixed(reported, told((each.said for each in held), sides))
    return {**content, "before": _before(content, row)}


def _sides_reported(first: Content) -> Sides:
    """Who had White, and who Black, in the report when the first correction was asked for."""
    if "first" in first["say"]:
        white, black = first["say"]["sides"]
        return Sides(white, black, first["say"]["first"])
    games = games_keyed([first["key"]], [first]).select_related("white", "black")
    one = games.order_by("id").first()
    if one is None:
        return Sides("", "", "")
    known = sides_of(one.white, one.black)
    white, black = first["say"].get("sides", known[:2])
    return Sides(white, black, white if known.first == known.white else black)
