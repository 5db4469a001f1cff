"""Why a published rating changed, by the engine's own explanation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cache, lru_cache
from itertools import chain
from operator import attrgetter, itemgetter
from typing import Any

import pyarrow.compute as pc
from django.db.models import F

from ratingbook.model import Findings, Game, Severity, Standing
from ratingbook.model.decimals import change_of
from ratingbook.model.sentences import Sentence, row_of, sentence
from ratingbook.office.acts.people import merges, names_of
from ratingbook.office.acts.pools import pool_as_known
from ratingbook.office.acts.published import table_of
from ratingbook.office.acts.setup import decimals_of
from ratingbook.office.acts.snapshots import fed_of
from ratingbook.office.caching import CacheBySize
from ratingbook.office.engine.apart import wholes_of
from ratingbook.office.engine.fed import Fed
from ratingbook.office.engine.lists import is_rated_by_lists
from ratingbook.office.engine.reforms import ByReform
from ratingbook.office.engine.replay import Replay, begun_of
from ratingbook.office.engine.rules import Rules, reforms_of, rule_source
from ratingbook.office.home import Home
from ratingbook.office.logic.corrections import reason_said
from ratingbook.office.logic.first import first_of
from ratingbook.office.logic.rounding import rounded_one
from ratingbook.office.refused import refuse
from ratingbook.office.store import models as m
from ratingbook.rules.book import Row
from ratingbook.rules.wording import label


@dataclass(frozen=True)
class Listed:
    """The ratings of a row as the list publishes them; its own may have more decimals, or fewer."""

    before: float | None
    after: float | None
    change: float | None


@dataclass(frozen=True)
class Explained:
    """A change as it was published, derived anew."""

    key: str
    rows: list[Any]
    listed: tuple[Listed, ...]
    """What the list has of each row."""
    reforms: tuple[ByReform, ...]
    """What the rules did to the rating between the batch and the list."""
    findings: Findings


def explain(home: Home, person: int, one: m.List, key: str | None = None) -> Explained:
    """A person's last change up to a list, or that of a batch, as that list's run made it.

    Persons who were merged later are two on it; by their number each is explained as it was.
    """
    run = m.Run.objects.select_related("pool").get(id=one.run_id)
    own = _rows_of(home, run, person, one.date)
    if not own:
        raise refuse(
            "office.explain",
            sentence(
                "Person {person} has no rated game up to the list of {date}.",
                person=person,
                date=one.date,
            ),
            "`ratingbook office people` finds persons; a later list may have one.",
        )
    if key is not None and all(row["key"] != key for row in own):
        known = list(dict.fromkeys(row["key"] for row in reversed(own)))
        raise refuse(
            "office.explain",
            sentence(
                "Person {person} has no rated game in a batch {key!r} up to the list of {date}.",
                person=person,
                key=key,
                date=one.date,
            ),
            sentence("There are: {all}.", all=first_of(known)),
        )
    return _explained(home, person, run, own, (one.date, one.fact), key)


def explain_now(
    home: Home, person: int, pool: m.Pool | None = None, key: str | None = None,
    known: int | None = None,
) -> Explained:  # fmt: skip
    """A person's last published change, or that of a batch; of one pool, or of the one it is in.

    As known at a fact: what was published later does not count.
    """
    heads = m.Publication.objects.filter(seq__lte=F("pool__head")).select_related("run__pool")
    if pool is not None:
        heads = heads.filter(pool=pool)
    if known is not None:
        heads = heads.filter(fact__lte=known)
    heads = heads.defer("run__report", "run__counts").order_by("seq")
    found: list[tuple[date, m.Publication, list[dict[str, Any]]]] = []
    # The last one of each pool is left.
    for one in {each.pool_id: each for each in heads}.values():
        own = _rows_of(home, one.run, person, one.run.until)
        days = [row["date"] for row in own if key in (None, row["key"])]
        if days:
            found.append((max(days), one, own))
    if not found:
        raise refuse(
            "office.explain",
            sentence("Person {person} has no rated game.", person=person)
            if key is None
            else sentence(
                "Person {person} has no rated game in a batch {key!r}.", person=person, key=key
            ),
            "`ratingbook office person history` has the rated games of a person, and their "
            "batches.",
        )
    _, one, own = max(found, key=itemgetter(0))
    return _explained(home, person, one.run, own, (one.run.until, one.fact), key)


def _rows_of(home: Home, run: m.Run, person: int, day: date) -> list[dict[str, Any]]:
    """What a run rated of a person up to a day."""
    mine = pc.field("player") == str(merges(run.upto).get(person, person))
    columns = ["key", "turn", "before", "after", "date"]
    rows = table_of(home, run.file_id or "", columns, mine & (pc.field("date") <= day))
    own: list[dict[str, Any]] = rows.to_pylist()
    return own


def _explained(
    home: Home, asked: int, run: m.Run, own: Sequence[Mapping[str, Any]], upto: tuple[date, int],
    key: str | None,
) -> Explained:  # fmt: skip
    """The last of a person's own rows of a run, or those of a batch, up to a day and a fact."""
    upto_day, fact = upto
    person = merges(run.upto).get(asked, asked)
    last = max(own, key=lambda row: (row["date"], row["key"], row["turn"]))
    wanted = key or last["key"]
    fed = _fed(home, run.pool_id, run.upto, run.snapshot)
    rows = derived(home, run, person, wanted)
    findings = Findings()
    if asked != person:
        findings.add(
            Severity.INFO,
            "office.merged-person",
            sentence(
                "Person {asked} was merged: on this list it is person {person}.",
                asked=asked, person=person,
            ),
        )  # fmt: skip
    at = next((row["date"] for row in own if row["key"] == wanted), last["date"])
    # A list of a later day than its run has nothing that was added after the run's.
    until = min(upto_day, run.until) if wanted == last["key"] else at - timedelta(days=1)
    before = [row["date"] for row in own if row["date"] < at]
    decimals = decimals_of(pool_as_known(run.pool_id, fact), day=at)
    days = (max(before, default=date.min), at, until)
    _tell_added(fed, str(person), days, decimals, findings)
    now = rule_source(run.rulebook)
    if now != run.rule_source:
        findings.add(
            Severity.WARNING,
            "office.other-rule-source",
            sentence(
                "The numbers were made by rule source {source} and are explained with {now}.",
                source=run.rule_source[:8],
                now=now[:8],
            ),
            remedy="`ratingbook office replay` says whether any number is otherwise.",
        )
    turns = sorted((row for row in own if row["key"] == wanted), key=lambda row: row["turn"])
    listed = tuple(_listed(row, decimals) for row in turns)
    explained = _ends_at(rows[-1].row, run, at, decimals) if rows else None
    if listed and rows and listed[-1].after != explained:
        findings.add(
            Severity.WARNING,
            "office.explained-otherwise",
            sentence(
                "The explanation ends at {explained}, and published is {published}.",
                explained=explained,
                published=listed[-1].after,
            ),
            remedy=sentence("Tell it to the makers of the rule book, with the bundle of the list."),
        )
    rows = _with_names(rows)
    reforms: tuple[ByReform, ...] = ()
    if rows and wanted == last["key"]:
        of_day = cache(lambda day: decimals_of(pool_as_known(run.pool_id, fact), day=day))
        reforms = reforms_after(
            home, run, person, last, until, lambda value, day: rounded_one(value, of_day(day))
        )
        told = (*rows[-1].explanation, *(each.step for each in reforms))
        rows[-1] = replace(rows[-1], explanation=told)
    return Explained(wanted, rows, listed, reforms, findings)


def _ends_at(row: Row, run: m.Run, day: date, decimals: int) -> float | None:
    """The number that an explanation comes to, as the pool publishes it.

    What a rule rounds in a way of its own (away from the rating before) is rounded by then.
    """
    book = Rules(run.rulebook, run.parameters, run.assume).book()
    most = book.edition(day).on(day).published_decimals
    is_plain = most is None or rounded_one(row.exact, most) == row.after
    return rounded_one(row.exact if is_plain else row.after, decimals)


def reforms_after(
    home: Home, run: m.Run, person: int, last: Mapping[str, Any], until: date,
    rounded: Callable[[float | None, date], float | None],
) -> tuple[ByReform, ...]:  # fmt: skip
    """What reforms of the rules did to a rating after its last row of a run, up to a day.

    ``rounded`` makes of a number the one that is published on a day.
    """
    rules = Rules(run.rulebook, run.parameters, run.assume)
    at, number = last["date"], last["after"]
    found = []
    for day, edition, reform in reforms_of(rules, until):
        # Where lists are rated a reform follows the list of its day; else it comes first.
        if day < at or (day == at and not is_rated_by_lists(rules)):
            continue
        if day > at:
            number = _rating_on(home, run, person, day - timedelta(days=1))
        then = _rating_on(home, run, person, day)
        before, after = rounded(number, at), rounded(then, day)
        if before is not None and after is not None and before != after:
            found.append(ByReform(day, edition, reform.paragraph, reform.text, before, after))
        at, number = day, then
    return tuple(found)


def _rating_on(home: Home, run: m.Run, person: int, day: date) -> float | None:
    standing = _replay_of(home, run).standing(str(person), day)
    return None if standing is None else standing.rating


def _with_names(rows: Iterable[Any]) -> list[Any]:
    """The rows with opponents by their names, and events where steps name the games of several."""
    rows = list(rows)
    # Steps tell of games, too, that did not count.
    games = [*chain.from_iterable(row.counted for row in rows),
             *(step.about for row in rows for step in row.explanation if step.about)]  # fmt: skip
    met = {who for game in games for who in (game.white, game.black) if who}
    people = {str(each): name for each, name in names_of(map(int, met)).items()}
    rows = [
        replace(row, explanation=tuple(
            replace(step, game=_with_opponent(step.game, people)) for step in row.explanation
        ))
        for row in rows
    ]  # fmt: skip
    # A section that is rated as an event has the key of its event, and its own name.
    keys = {game.event: wholes_of(game.event) for game in games if game.event}
    facts = m.Section.objects.filter(event__in=set(chain.from_iterable(keys.values())))
    told = {event: str(said["name"]) for event, said in facts.values_list("event", "facts")
            if said.get("name")}  # fmt: skip
    names = {
        key: told[event]
        for key, events in keys.items()
        if (event := next((each for each in events if each in told), None))
    }
    if not names:
        return rows
    # The key of one may begin with that of another.
    order = sorted(names, key=len, reverse=True)

    def named(text: str) -> str:
        for key in order:
            text = (
                text.renamed(key, names[key])
                if isinstance(text, Sentence)
                else text.replace(key, names[key])
            )
        return text

    return [
        replace(row, explanation=tuple(
            replace(step, text=named(step.text), game=step.game and named(step.game),
                    event=named(step.event))
            for step in row.explanation
        ))
        for row in rows
    ]  # fmt: skip


def _with_opponent(game: str | None, people: Mapping[str, str]) -> str | None:
    """A game with the name of the opponent, who is a number to the engine."""
    if not isinstance(game, Sentence):
        return game
    number = str(game.words.get("opponent", ""))
    if number not in people:
        return game
    return Sentence.of(game.pattern, {**game.words, "opponent": label(number, people[number])})


def _listed(row: Mapping[str, Any], decimals: int) -> Listed:
    """The numbers of a row, rounded as lists are."""
    before, after = (rounded_one(row[name], decimals) for name in ("before", "after"))
    return Listed(before, after, change_of(before, after))


def derived(
    home: Home, run: m.Run, person: int, key: str, *, as_printed: bool = False
) -> list[Any]:
    """The rows of a person in a batch of a run, with their derivations.

    ``as_printed``: by the ratings that lists print, without the decimals that go on.
    """
    return _of_no_list(run.pool_id, _derived_of(home, run, person, key, as_printed=as_printed))


def _derived_of(
    home: Home, run: m.Run, person: int, key: str, *, as_printed: bool = False
) -> tuple[Any, ...]:
    rules = (run.rulebook, tuple(sorted(run.parameters.items())), run.assume)
    return _derived(home, run.pool_id, run.upto, run.snapshot, rules, person, key, as_printed)


def _of_no_list(pool: int, rows: Iterable[Any]) -> list[Any]:
    """The rows, whose steps name no list as one that the office has not published.

    Several periods can be rated in one run, which brings one list.
    """
    found = list(rows)
    steps = (step for row in found for step in row.explanation)
    # The day of a step is a text.
    days = {str(step.value) for step in steps if step.rule == _NAMES_LIST}
    known = m.List.objects.filter(pool=pool, date__in=days).values_list("date", flat=True)
    none = days.difference(map(str, known) if days else ())
    if not none:
        return found
    return [
        replace(row, explanation=tuple(
            replace(step, text=_on_no_list(step.text))
            if step.rule == _NAMES_LIST and str(step.value) in none else step
            for step in row.explanation
        ))
        for row in found
    ]  # fmt: skip


_NAMES_LIST = "list_in_force"
"""The rule that says with the numbers of which list an event is rated."""


def _on_no_list(text: Sentence) -> Sentence:
    """What that rule says, of a list that there is not."""
    event, start, value = (text.words[name] for name in ("event", "start", "value"))
    return sentence(
        "{event} starts on {start}: ratings as they stood on {value}, of which this office has "
        "published no list",
        event=event, start=start, value=value,
    )  # fmt: skip


def counted(
    home: Home, run: m.Run, people: Iterable[int], key: str
) -> dict[int, dict[int | None, float | None]]:
    """What the ledger calls the games of a batch of a run that were rated for each of some.

    With the number with which the opponent counted, by rules where it can be another one than the
    rating of before; else None.
    """
    replay = _replay_of(home, run)
    found = replay.counted(map(str, people), key)
    return {
        int(person): {replay.number_of(game): number for game, number in games.items()}
        for person, games in found.items()
    }


@dataclass(frozen=True)
class Reckoned:
    """With what a change of somebody was reckoned."""

    against: Mapping[int | None, float | None]
    """By what the ledger calls each rated game the number with which the opponent counted, by rules
    where it can be another one than the rating of before; else None."""
    began: float | None
    """With what the rules let somebody begin who had no rating."""


def reckoned(home: Home, run: m.Run, person: int, key: str) -> Reckoned:
    """The same of one person, whose explanation is kept once it was asked for."""
    rows = _derived_of(home, run, person, key)
    number_of = ledger_numbers(home, run)
    against = {
        number_of(game): number
        for row in rows
        for game, number in zip(
            row.counted, row.against or [None] * len(row.counted), strict=True
        )
    }  # fmt: skip
    return Reckoned(against, begun_of(rows))


def begun(home: Home, run: m.Run, people: Iterable[int], key: str) -> dict[int, float]:
    """With what the rules let those of some people begin in a batch who had no rating."""
    found = _replay_of(home, run).begun(map(str, people), key)
    return {int(person): number for person, number in found.items()}


def ledger_numbers(home: Home, run: m.Run) -> Callable[[Game], int | None]:
    """What tells how the ledger calls a game of an explanation by a run."""
    return _replay_of(home, run).number_of


def standing_of(home: Home, run: m.Run, person: int) -> Standing | None:
    """How a person stands by a run, with all that its rules go on with."""
    return _replay_of(home, run).standing(str(person), run.until)


def _replay_of(home: Home, run: m.Run) -> Replay:
    rules = (run.rulebook, tuple(sorted(run.parameters.items())), run.assume)
    return _replay(home, run.pool_id, run.upto, run.snapshot, rules)


_MOST_GAMES = 4_000_000
"""Of the histories that are kept in a process, of all pools together."""


@lru_cache(maxsize=512)
def _derived(
    home: Home, pool: int, upto: int, snapshot: str, rules: tuple[str, Any, float | None],
    person: int, key: str, as_printed: bool,
) -> tuple[Any, ...]:  # fmt: skip
    """What is known at a fact stays as it is, and so does what follows from it."""
    return tuple(
        _replay(home, pool, upto, snapshot, rules).explain(str(person), key, as_printed=as_printed)
    )


@CacheBySize(_MOST_GAMES, attrgetter("games"))
def _replay(
    home: Home, pool: int, upto: int, snapshot: str, rules: tuple[str, Any, float | None]
) -> Replay:
    rulebook, parameters, assume = rules
    by = Rules(rulebook, dict(parameters), assume)
    return Replay(_fed(home, pool, upto, snapshot), by)


@CacheBySize(_MOST_GAMES, lambda fed: len(fed.games))
def _fed(home: Home, pool: int, upto: int, snapshot: str) -> Fed:
    return fed_of(home, pool, upto).as_of(snapshot)


def _tell_added(
    fed: Fed, person: str, days: tuple[date, date, date], decimals: int, findings: Findings
) -> None:
    """What corrections added on a list, between the game before and the end."""
    since, at, until = days
    rows = [] if fed.differences is None else fed.differences.to_pylist()
    for row in rows:
        if row["player"] == person and since <= row["date"] <= max(at - timedelta(days=1), until):
            value = f"{round(row['value'], decimals):+.10g}".replace("-", "−")
            reason = row_of(map(reason_said, row["reason"].split("; ")), "; ")
            findings.add(
                Severity.INFO,
                "office.difference",
                sentence(
                    "In the rating before it are {value} that {reason} added on {date}, beside all "
                    "games.",
                    value=value,
                    reason=reason,
                    date=row["date"],
                )
                if row["date"] < at
                else sentence(
                    "In the rating of the list are {value} that {reason} added on {date}, beside "
                    "all games.",
                    value=value,
                    reason=reason,
                    date=row["date"],
                ),
                remedy="`ratingbook office register` tells what was corrected.",
            )
