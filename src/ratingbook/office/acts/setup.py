"""An office from nothing: its tables, its actors, its pools and their policies."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from django.db import connections

from ratingbook.formats.registry import targets
from ratingbook.model import Finding, Findings, Severity
from ratingbook.model.patterns import pattern
from ratingbook.model.sentences import sentence
from ratingbook.office.engine.rules import Rules, why_no_decision
from ratingbook.office.home import Home, connect, find
from ratingbook.office.limits import NAME, TEXT, refuse_controls, refuse_long
from ratingbook.office.logic.doubts import CHECKS
from ratingbook.office.making import holds_office, making, with_tables
from ratingbook.office.placing import own_pool, setting_of
from ratingbook.office.refused import refuse
from ratingbook.office.store.ledger import (
    ROLES,
    SYSTEM,
    Who,
    acting,
    begin,
    check_may,
    head,
    may,
    once,
)
from ratingbook.office.store.models import Actor, Person, Pool
from ratingbook.rules.series import BookOrSeries
from ratingbook.rules.wording import either

_MOST_DAYS = 36_500
_MOST_PEOPLE = 100
"""Who look at a run, or a correction, before it holds."""
_NO_NAME = pattern(r"[@/\\?#%\x00-\x1f\x7f]|^\s|\s$")
"""What no name of a pool has: lists are named POOL@DATE, and pages by the pool in their address."""
_NOTHING = frozenset({"", "none", "–"})
"""What is typed in for a number that is to be none."""
MOST_DECIMALS = 6
"""Of a published number."""


def _number(text: str, most: int = _MOST_DAYS, least: int = 0) -> int:
    try:
        value = int(text)
    except ValueError:
        raise ValueError(sentence("it is no number")) from None
    if value < least:
        raise ValueError(sentence("it is below {least}", least=least))
    if value > most:
        raise ValueError(sentence("it is above {most}", most=most))
    return value


def _decimals(text: str) -> int:
    """With more, a rating times its power of ten is no longer exact."""
    return _number(text, MOST_DECIMALS)


def _people(text: str) -> int:
    """At least one: without anybody nothing would be looked at before it holds."""
    return _number(text, _MOST_PEOPLE, least=1)


def _numbers(text: str) -> list[float]:
    return [_decimal(each) for each in text.split(",") if each.strip()]


def _decimal(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ValueError(sentence("it is no number"))
    return value


def _check_digits(text: str) -> dict[str, str]:
    found = {}
    for each in filter(None, (part.strip() for part in text.split(","))):
        register, _, kind = each.partition("=")
        if kind not in CHECKS:
            raise ValueError(sentence("a check digit is one of {what}", what=", ".join(CHECKS)))
        found[register] = kind
    return found


class OrNothing:
    """Reads a number that may be left out: for whom there is none, ``none`` or nothing is said."""

    def __init__(self, read: Callable[[str], float]) -> None:
        self._read = read

    def __call__(self, text: str) -> float | None:
        """The number; refused if it is another word."""
        said = text.strip()
        return None if said.casefold() in _NOTHING else self._read(said)


class OneOf:
    """Reads one of a few words."""

    def __init__(self, *words: str) -> None:
        self.words = words

    def __call__(self, text: str) -> str:
        """The word; refused if it is none of them."""
        if text not in self.words:
            raise ValueError(sentence("it is one of {what}", what=", ".join(self.words)))
        return text


def _parts(text: str, count: int) -> list[str]:
    parts = text.split(":")
    if len(parts) != count:
        raise ValueError(sentence("it has not the form of its example"))
    return parts


def _sends(text: str) -> list[list[Any]]:
    """``fide:trf16:30,egf:h9:14``: to whom, in which form, within how many days."""
    found: list[list[Any]] = []
    for each in filter(None, text.split(",")):
        partner, form, days = _parts(each, 3)
        if form.strip() not in (known := targets()):
            raise ValueError(
                sentence("nothing is written as {form!r}, but as {what}",
                         form=form.strip(), what=", ".join(known))
            )  # fmt: skip
        found.append([partner.strip(), form.strip(), _number(days)])
    return found


def _receives(text: str) -> list[list[Any]]:
    """``fide:35``: from whom a list comes, and after how many days without one it is missed."""
    pairs = (_parts(each, 2) for each in filter(None, text.split(",")))
    return [[partner.strip(), _number(days)] for partner, days in pairs]


ALL = "all"
"""What a policy says that names no pool, and means all."""


def _pool_names(text: str) -> str | list[str]:
    said = text.strip()
    if said.casefold() == ALL:
        return ALL
    return [] if said.casefold() in _NOTHING else [each.strip() for each in said.split(",")]


POLICIES: Mapping[str, tuple[Any, Any, str]] = {
    "approvals": (1, _people, sentence("how many people must approve a run")),
    "four_eyes": (
        "no",
        OneOf("yes", "no"),
        sentence("whether who made a run may not approve it"),
    ),
    "decimals": (0, _decimals, sentence("decimals of a published rating")),
    "unidentified": (
        "hold_section",
        OneOf("hold_section", "leave_out_games"),
        sentence("what becomes of a section with entries at the desk"),
    ),
    "assume": (
        None,
        OrNothing(_decimal),
        sentence("rating of players whom the rules would leave unrated for ever"),
    ),
    "marks": ([], _numbers, sentence("ratings whose crossing a run tells: 2000,2200")),
    "corrections": (
        "rerate",
        OneOf("rerate", "next_list"),
        sentence("whether a correction rates again what follows, or only changes the next list"),
    ),
    "revise": (
        "none",
        OneOf("affected", "latest", "none"),
        sentence("which published lists get a revision when their numbers change"),
    ),
    "correction_approvals": (1, _people, sentence("how many people must accept a correction")),
    "correction_days": (
        None,
        OrNothing(_number),
        sentence("days after an event in which players may ask"),
    ),
    "answer_days": (30, _number, sentence("days in which a request is to be decided")),
    "sends": (
        [],
        _sends,
        sentence("where reports go: fide:trf16:30 is to fide, as TRF, in 30 days"),
    ),
    "receives": (
        [],
        _receives,
        sentence("from whom lists come, and after how many days one is missed"),
    ),
    "check_digits": (
        {},
        _check_digits,
        sentence("the check digits of registers: national=damm,club=luhn"),
    ),
    "reads": (
        ALL,
        _pool_names,
        sentence(
            "of which other pools of its federation the rules read what they have published: all, "
            "none, or their names"
        ),
    ),
    "lists": ("with_run", OneOf("with_run", "by_hand"), sentence("whether a run brings a list")),
}
"""Each policy's default, what reads it, and what it is."""


def init(folder: Path, who: Who, database: str = "") -> Home:
    """A new office: folder, tables, ledger, and its first actor, who may do everything."""
    if not who.actor.strip():
        raise refuse(
            "office.actor", sentence("The first actor has no name."), "Name one: --as NAME."
        )
    refuse_long(who.actor, NAME, sentence("The name"))
    refuse_controls(who.actor, sentence("The name"))
    # Of a database that refuses, or holds another office, nothing may stand in the next one's way.
    with making(folder, database) as made, with_tables(made.home):
        if made.is_there():
            _refuse_other(who)
        else:
            _begin(who)
    return made.home


def _begin(who: Who) -> None:
    """The ledger, and the first actor."""
    begin(who.now())
    with acting(who) as act:
        fact = act.fact("actor", ("actor", who.actor), payload={"roles": ["admin"]})
        Actor.objects.create(name=who.actor, roles=["admin"], made_by=fact)
        system = act.fact("actor", ("actor", SYSTEM), payload={"roles": []})
        Actor.objects.create(name=SYSTEM, roles=[], made_by=system)


def _refuse_other(who: Who) -> None:
    """Refuse an office that is not as new as :func:`_begin` makes it."""
    if head().seq != Actor.objects.count() or not Actor.objects.filter(name=who.actor).exists():
        raise holds_office()


def open_office(folder: Path) -> Home:
    """The office in a folder, ready to be used."""
    home = reach_office(folder)
    check_tables()
    return home


def reach_office(folder: Path) -> Home:
    """The office in a folder, without a look at its database, which may be damaged."""
    return connect(find(folder))


def check_tables() -> None:
    """Refuse a database in which nobody has made an office."""
    tables = connections["default"].introspection.table_names()
    if "office_ledgerhead" not in tables:
        raise refuse(
            "office.tables",
            sentence("The database has no tables of an office."),
            "Run `ratingbook office migrate`.",
        )


def add_actor(
    name: str,
    roles: list[str],
    who: Who,
    person: int | None = None,
    *,
    of_nobody: bool = False,
) -> Findings:
    """Add an actor, or give one other roles; ``person``: whose games are a player's own.

    Without one a player stays who it was, unless it is said to be ``of_nobody``.
    """
    check_may(who, "actors")
    unknown = sorted(set(roles) - ROLES.keys())
    if unknown or not name.strip():
        raise refuse(
            "office.role",
            sentence("There is no role {role!r}.", role=unknown[0])
            if unknown
            else sentence("The actor has no name."),
            sentence("Roles are {what}.", what=", ".join(ROLES)),
        )
    refuse_long(name, NAME, sentence("The name"))
    refuse_controls(name, sentence("The name"))
    if name == SYSTEM:
        raise refuse(
            "office.role", sentence("The office itself has no roles."), sentence("Name somebody.")
        )
    if person is not None and "player" not in roles:
        raise refuse(
            "office.player",
            sentence("Who has games of their own is a player."),
            sentence("Give the role player, too."),
        )
    if person is not None and not Person.objects.filter(id=person).exists():
        raise refuse(
            "office.no-person",
            sentence("There is no person {person}.", person=person),
            "`ratingbook office people` finds persons.",
        )
    if person is None and "player" in roles and not of_nobody:
        person = person_of(name)
    said = {"roles": sorted(roles)}
    about = [("actor", name)] if person is None else [("actor", name), ("person", person)]
    with acting(who) as act:
        payload = said if person is None else {**said, "person": person}
        fact = act.fact("actor", *about, payload=payload)
        Actor.objects.update_or_create(
            name=name, defaults={**said, "person": person},
            create_defaults={"name": name, **said, "person": person, "made_by": fact},
        )  # fmt: skip
        _refuse_locked(who)
        if "player" in roles and person is None:
            act.findings.add(
                Severity.WARNING, "office.player-of-nobody",
                sentence("{name} is a player, but no person: there are no own results.", name=name),
                remedy=sentence("Say who it is: give the role again, with the person."),
            )  # fmt: skip
    return act.findings


def _refuse_locked(who: Who) -> None:
    """Refuse what leaves nobody who may give roles: no act could ever give them one again."""
    if not any(may(each, "actors") for each in Actor.objects.all()):
        raise refuse(
            "office.last-admin",
            sentence("Nobody would be left who may give roles: {actor} is the last.",
                     actor=who.actor),
            sentence("Make somebody else an admin first."),
        )  # fmt: skip


def person_of(name: str) -> int | None:
    """Whose games are the own ones of an actor."""
    return Actor.objects.filter(name=name).values_list("person", flat=True).first()


def add_pool(
    name: str,
    rulebook: str,
    who: Who,
    parameters: Mapping[str, str] | None = None,
    policies: Mapping[str, str] | None = None,
) -> tuple[int, Findings]:
    """Add a pool under a rule book or a series; gives its number."""
    check_may(who, "pools")
    if not name.strip():
        raise refuse(
            "office.name", sentence("The pool has no name."), sentence("Give it one: standard.")
        )
    refuse_long(name, NAME, sentence("The name"))
    if _NO_NAME.search(name):
        raise refuse(
            "office.name",
            sentence("A pool cannot be called {name!r}: lists go by POOL@DATE.", name=name),
            sentence("Name it without @ / \\ ? # %, and without blanks at its ends."),
        )
    if Pool.objects.filter(name=name).exists():
        raise refuse(
            "office.pool-exists",
            sentence("There is a pool {name!r} already.", name=name),
            sentence("Give another name."),
        )
    values = _policies(policies or {})
    rules = Rules(rulebook, dict(parameters or {}), values.get("assume"))
    book = rules.book()
    _refuse_of_no_rating(rules, values)
    with acting(who) as act:
        act.findings.extend(_of_another_list(name, book))
        number = (Pool.objects.order_by("-id").values_list("id", flat=True).first() or 0) + 1
        payload = {
            "name": name, "rulebook": rulebook, "parameters": dict(parameters or {}),
            "policies": values,
        }  # fmt: skip
        fact = act.fact("pool", ("pool", number), payload=payload)
        Pool.objects.create(
            id=number, name=name, rulebook=rulebook, parameters=dict(parameters or {}),
            policies=values, made_by=fact,
        )  # fmt: skip
    _tell_too_few(values, act.findings)
    return number, act.findings


def _of_another_list(name: str, book: BookOrSeries) -> list[Finding]:
    """A pool with the name of one list of its rules that would rate another one."""
    setting = setting_of(book, name.strip().casefold())
    if setting is None:
        return []
    return [
        Finding(
            "office.pool-of-another-list",
            Severity.WARNING,
            sentence(
                "The pool is called {name}, and by its rules it rates the list {own} of {book}.",
                name=name, own=own_pool(book), book=book.name,
            ),
            remedy=sentence(
                "Set the list, if it is that one: `ratingbook office pool rules {name} --set "
                "{setting} --reason TEXT`.",
                name=name, setting=setting,
            ),
        )
    ]  # fmt: skip


def set_policies(pool: str, policies: Mapping[str, str], reason: str, who: Who) -> Findings:
    """Set policies of a pool, from now on."""
    check_may(who, "pools")
    values = _policies(policies)
    with acting(who) as act:
        one = pool_named(pool)
        rules = Rules(one.rulebook, one.parameters, values.get("assume", policy(one, "assume")))
        rules.book()
        _refuse_of_no_rating(rules, values)
        act.fact("policy", ("pool", one.id), payload=values, reason=reason)
        one.policies = {**one.policies, **values}
        one.save(update_fields=["policies"])
    _tell_too_few(values, act.findings)
    return act.findings


def _refuse_of_no_rating(rules: Rules, values: Mapping[str, Any]) -> None:
    """Refuse what no published rating of the rules has: it would be there and show nowhere."""
    most = rules.book().published_decimals
    wanted = values.get("decimals", 0)
    if most is not None and wanted > most:
        raise refuse(
            "office.decimals",
            either(
                most,
                "{rulebook} publishes ratings with {count} decimal at most, so lists by it have "
                "no {wanted}.",
                "{rulebook} publishes ratings with {count} decimals at most, so lists by it have "
                "no {wanted}.",
                rulebook=rules.rulebook, wanted=wanted,
            ) if most else sentence(
                "{rulebook} publishes whole ratings, so lists by it have no decimals.",
                rulebook=rules.rulebook,
            ),
            sentence(
                "Say decimals={most}, or first give the pool rules that publish more.", most=most
            ),
        )  # fmt: skip
    for each in values.get("marks", ()):
        why = why_no_decision(rules, None, each)
        if why:
            raise refuse(
                "office.marks",
                sentence("No rating can cross the mark {mark:.10g}. {why}", mark=each, why=why),
                sentence("Name marks among the ratings of the rules."),
            )


def _tell_too_few(values: Mapping[str, Any], findings: Findings) -> None:
    """A policy that asks for more people than there are, at least yet."""
    actors = [each for each in Actor.objects.all() if each.roles]
    for key, what in (("approvals", "approve"), ("correction_approvals", "accept")):
        allowed = sum(may(each, what) for each in actors)
        if values.get(key, 0) > allowed:
            findings.add(
                Severity.WARNING,
                "office.too-few",
                sentence(
                    "The policy {key} wants {wanted} people, and {count} may do it.",
                    count=allowed,
                    key=key,
                    wanted=values[key],
                ),
                remedy="Let more people do it: ratingbook office actor add NAME --role officer.",
            )


def set_rules(
    pool: str, rulebook: str | None, parameters: Mapping[str, str], reason: str, who: Who
) -> Findings:
    """A reform: the pool goes by other rules from the next run on, which shows what changes.

    ``parameters`` are set beside those that the pool has; without ``rulebook`` it stays.
    """
    check_may(who, "pools")
    if not reason.strip():
        raise refuse(
            "office.reason", sentence("A reform needs a reason."), "Give one with --reason."
        )
    one = pool_named(pool)
    if rulebook is None and not parameters:
        raise refuse(
            "office.nothing", sentence("No other rules are given."), "Say --rulebook or --set."
        )
    chosen = rulebook or one.rulebook
    kept = one.parameters if rulebook in (None, one.rulebook) else {}
    values = {**kept, **parameters}
    Rules(chosen, values, policy(one, "assume")).book()
    with acting(who) as act:
        act.fact(
            "rules", ("pool", one.id), reason=reason,
            payload={
                "rulebook": chosen, "parameters": values,
                "before": {"rulebook": one.rulebook, "parameters": one.parameters},
            },
        )  # fmt: skip
        one.rulebook, one.parameters = chosen, values
        one.save(update_fields=["rulebook", "parameters"])
    return act.findings


def _policies(given: Mapping[str, str]) -> dict[str, Any]:
    values = {}
    for key, text in given.items():
        if key not in POLICIES:
            raise refuse(
                "office.policy",
                sentence("There is no policy {key!r}.", key=key),
                sentence("Policies are {what}.", what=", ".join(POLICIES)),
            )
        refuse_long(text, TEXT, sentence("What the policy says"))
        try:
            values[key] = POLICIES[key][1](text)
        except ValueError as error:
            raise refuse(
                "office.policy",
                sentence(
                    "The policy {key} cannot be {text!r}: {error}.",
                    key=key,
                    text=text,
                    error=error.args[0],
                ),
                sentence("It says {words}.", words=POLICIES[key][2]),
            ) from None
    reads = values.get("reads", ALL)
    for name in reads if reads != ALL else ():
        pool_named(name)
    return values


def every_pool() -> Sequence[Pool]:
    """All pools, in their order; within one moment they are asked for once."""
    return once("pools", lambda: list(Pool.objects.order_by("id")))


def only_pool() -> Pool | None:
    """The pool of an office that has but one."""
    pools = list(Pool.objects.all()[:2])
    return pools[0] if len(pools) == 1 else None


def pool_named(name: str) -> Pool:
    """The pool of a name; refused where there is none."""
    pool = Pool.objects.filter(name=name).first()
    if pool is None:
        known = ", ".join(Pool.objects.order_by("name").values_list("name", flat=True))
        raise refuse(
            "office.no-pool",
            sentence("There is no pool {name!r}.", name=name),
            sentence("There is {known}.", known=known)
            if known
            else "Add one: ratingbook office pool add NAME.",
        )
    return pool


def policy(pool: Pool, key: str) -> Any:
    """What a policy of a pool says."""
    return pool.policies.get(key, POLICIES[key][0])


def decimals_of(pool: Pool, rules: Rules | None = None, day: date | None = None) -> int:
    """The decimals of a published number: as the pool says, but no more than its rules publish.

    Of a day where one is named: editions of one regulation may publish more, or fewer.
    """
    book = (rules or rules_of(pool)).book()
    most = (book if day is None else book.edition(day).on(day)).published_decimals
    wanted = int(policy(pool, "decimals"))
    return wanted if most is None else min(wanted, most)


def marks_of(pool: Pool) -> list[float]:
    """The ratings whose crossing is told."""
    return [float(each) for each in policy(pool, "marks")]


def rules_of(pool: Pool) -> Rules:
    """The rules of a pool."""
    return Rules(pool.rulebook, pool.parameters, policy(pool, "assume"))
