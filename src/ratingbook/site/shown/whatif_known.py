"""Of what a what-if is asked: the rule books of this office and others, and its players."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from functools import cache
from typing import Any

import pyarrow.compute as pc
from django.utils.text import format_lazy
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from ratingbook.engine.report.known import TOTALS
from ratingbook.model import Standing
from ratingbook.office.acts.explain import standing_of
from ratingbook.office.acts.people import canonical, names_of
from ratingbook.office.acts.published import head_run, table_of
from ratingbook.office.acts.registry import suppressed
from ratingbook.office.acts.setup import decimals_of, rules_of
from ratingbook.office.home import current
from ratingbook.office.logic.masked import token
from ratingbook.office.logic.rounding import rounded_one
from ratingbook.office.refused import refuse
from ratingbook.office.store import models as m
from ratingbook.rules import registry
from ratingbook.rules.book import RuleBook
from ratingbook.rules.series import BookOrSeries
from ratingbook.site.shown.persons import identity, refuse_unless_public
from ratingbook.site.shown.whatif_answer import ListedK, Told
from ratingbook.site.shown.whatif_fields import Choice, own_fields

_TELL_AGES = frozenset({"k"})
"""Keys of standings that a page says of nobody: after many games a K of 40 is that of a junior."""
OF_POOL = "pool:"
"""Begins the rule book of a pool of this office, with its settings."""
_USUAL = "fide"


def usual() -> str:
    """The rule book where none is named: that of the first pool."""
    pool = m.Pool.objects.order_by("id").values_list("name", flat=True).first()
    return f"{OF_POOL}{pool}" if pool else _USUAL


def books() -> tuple[Choice, ...]:
    """The pools of this office, then all that is installed."""
    pools = m.Pool.objects.order_by("id").values_list("name", "rulebook")
    own = [Choice(f"{OF_POOL}{name}", f"{name} ({rulebook})") for name, rulebook in pools]
    return (*own, *_installed())


@cache
def _installed() -> tuple[Choice, ...]:
    families = registry.families()
    found = [Choice(name, format_lazy(_("{name} (today)"), name=name)) for name in families]
    return (*found, *(Choice(name, name) for name in registry.names()))


def book_of(name: str) -> tuple[BookOrSeries, int | None]:
    """A rule book by its name, or that of a pool with the decimals that it publishes today."""
    if name.startswith(OF_POOL):
        pool = m.Pool.objects.filter(name=name.removeprefix(OF_POOL)).first()
        if pool is not None:
            rules = rules_of(pool)
            return rules.book(), decimals_of(pool, rules, date.today())
    else:
        try:
            return registry.load(name), None
        except registry.UnknownRuleBook:
            pass
    raise refuse(
        "office.no-rulebook", gettext("There is no rule book “{name}”.").format(name=name),
        gettext("The index of rule books has all that are installed."),
    )  # fmt: skip


Known = tuple[str, Standing, str]
"""The pool in which a player is known, how, and under which name."""


def known_player(query: Mapping[str, str]) -> tuple[int | None, Known | None]:
    """A player of the office: what is published, and never what is private."""
    text = query.get("player", "")
    if not text.isdecimal() or len(text) > 9:
        return None, None
    person = canonical(int(text))
    name = names_of([person]).get(person, "")
    if person in suppressed():
        name = token(person)
    chosen = query.get("rulebook", "").removeprefix(OF_POOL)
    pools = m.Pool.objects.filter(head__gt=0).order_by("id")
    listed = m.ListRow.objects.filter(person=person).order_by("-list")
    last = listed.values_list("list__pool", flat=True).first()
    pool = next((x for x in pools if x.name == chosen), None)
    pool = pool or next((x for x in pools if x.id == last), None)
    standing = _standing(pool, person) if pool is not None else None
    refuse_unless_public(identity(person), standing)
    if pool is None or standing is None:
        return person, None
    return person, (pool.name, standing, name)


def left_out(rulebook: str, person: int) -> Told | None:
    """That the rated games of somebody without a published rating are not reckoned with."""
    pool = m.Pool.objects.filter(head__gt=0, name=rulebook.removeprefix(OF_POOL)).first()
    row = None if pool is None else _row(head_run(pool), person)
    if row is None or row["published"] or not row["games"]:
        return None
    text = ngettext(
        "This player has {n} rated game here that has brought no published rating yet. It is not "
        "reckoned with; the event itself goes on with it.",
        "This player has {n} rated games here that have brought no published rating yet. They are "
        "not reckoned with; the event itself goes on with them.",
        row["games"],
    )
    return Told(
        "site.games-so-far", "warning", text.format(n=row["games"]),
        gettext("The page of the player has these games."),
    )  # fmt: skip


def _row(run: m.Run | None, person: int) -> Mapping[str, Any] | None:
    """What a run has of somebody."""
    if run is None:
        return None
    table = table_of(current(), run.ratings_id or "")
    rows = table.filter(pc.equal(table["player"], str(person))).to_pylist()
    return rows[0] if rows else None


def _standing(pool: m.Pool, person: int) -> Standing | None:
    run = head_run(pool)
    row = _row(run, person)
    if run is None or row is None or not row["published"]:
        return None
    # What the rules go on with has more decimals than they publish, and so has no page.
    rating = rounded_one(row["rating"], decimals_of(pool))
    found = standing_of(current(), run, person)
    going_on = found or Standing()
    public = {key: value for key, value in going_on.extra.items() if key not in _TELL_AGES}
    return replace(going_on, rating=rating, games=row["games"], extra=public)


_OF_K = ("rating", "games")
"""What else settles K: with others it is not the K of the list that is asked about."""


def listed_k(
    rulebook: str, person: int, edition: RuleBook, filled: Mapping[str, str],
    said: Mapping[str, str],
) -> ListedK | None:  # fmt: skip
    """The K with which the newest list of a pool has somebody, if it prints one.

    It is taken of a player as the office knows the player (``filled``), where nothing else is
    ``said`` that settles K.  A page says no more by it than the list does.
    """
    pool = rulebook.removeprefix(OF_POOL)
    rows = m.ListRow.objects.filter(person=person, list__pool__name=pool)
    row = rows.select_related("list").order_by("-list__date", "-list__revision").first()
    k = None if row is None else row.printed.get("k")
    if row is None or k is None:
        return None
    is_as_known = all(said.get(name, "") == filled.get(name, "") for name in _OF_K)
    says_more = any(said.get(name) for name in ("k", "birth_year"))
    if not is_as_known or says_more or "k" not in edition.standing_fields:
        return ListedK(row.list.date, k, {}, ())
    # The number of games would settle K without the age.
    by_list = {**said, "games": "", "k": str(k)}
    return ListedK(row.list.date, k, by_list, own_fields(edition, by_list))


def of_standing(standing: Standing | None) -> dict[str, str]:
    """A standing as it is filled in."""
    if standing is None or standing.rating is None:
        return {}
    said = {"rating": f"{standing.rating:.10g}", "games": str(standing.games or 0)}
    totals = ((name, getattr(standing, name)) for name in TOTALS)
    said |= {name: str(count) for name, count in totals if count is not None}
    if standing.status is not None:
        said["status"] = standing.status.value
    return said | {key: _as_filled_in(value) for key, value in standing.extra.items()}


def _as_filled_in(value: object) -> str:
    """As somebody fills in a field of the form: a flag is there or not."""
    if isinstance(value, bool):
        return "1" if value else ""
    return f"{value:.10g}" if isinstance(value, float) else str(value)
