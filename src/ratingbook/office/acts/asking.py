"""What somebody asks to be corrected, as contents: looked up, and checked against what is."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from ratingbook.model import YEARS, StandingStatus
from ratingbook.model.sentences import row_of, sentence, stated
from ratingbook.office.acts import amendments, states
from ratingbook.office.acts.decisions import as_decided, openings_held, openings_that_count
from ratingbook.office.acts.masking import mask_for_public, name_in_report
from ratingbook.office.acts.people import canonical, exists, merges
from ratingbook.office.acts.published import head_run
from ratingbook.office.acts.setup import POLICIES, pool_named, rules_of
from ratingbook.office.acts.twice import refuse_twice
from ratingbook.office.acts.undoing import UNDONE
from ratingbook.office.engine.rules import (
    newcomer_columns,
    newcomer_fields,
    read_of_newcomers,
    rule_source,
    standing_fields,
    why_no_decision,
)
from ratingbook.office.limits import is_id
from ratingbook.office.logic.days import EARLIEST, day_within
from ratingbook.office.logic.feeding import of_one_person, who_counts
from ratingbook.office.logic.fixes import fixed
from ratingbook.office.logic.printed import sides_of
from ratingbook.office.refused import refuse
from ratingbook.office.store import ledger
from ratingbook.office.store import models as m

Content = dict[str, Any]

_HALVES: Mapping[str, int | None] = {
    "1-0": 2, "1/2-1/2": 1, "0-1": 0, "1–0": 2, "½–½": 1, "0–1": 0, "none": None,
}  # fmt: skip
RATED = ("both", "white", "black", "none")


def _count(text: str) -> int:
    if not is_id(text):
        raise ValueError(text)
    return int(text)


_STANDING = {
    "rating": float, **dict.fromkeys(("games", "wins", "draws", "losses"), _count),
    "status": lambda text: StandingStatus(text).value, "last_played": day_within,
}  # fmt: skip
"""What a run reads of each: what it could not read is refused here, before anybody decides."""
_YES, _NO = ("yes", "true", "1"), ("no", "false", "0")
_HOW = {
    "status": sentence("Write {all}.", all=", ".join(StandingStatus)),
    "last_played": sentence("Write a day as 2026-03-31, up to the year {year}.", year=YEARS[1]),
}


def game(
    report: int, number: int, result: str | None = None, rated: str | None = None,
    *, swap: bool = False,
) -> Content:  # fmt: skip
    """Another result or rated flag of a game, or the colours the other way round."""
    version, _ = states.named(str(report))
    one = (
        m.Game.of(version.id)
        .filter(number=number)
        .select_related("section", "white", "black")
        .first()
    )
    if one is None:
        count = m.Game.of(version.id).count()
        raise refuse(
            "office.no-game",
            sentence("Report {report} has no game {number}.", report=report, number=number),
            f"Its games are numbered from 1 to {count}: ratingbook office games {report}.",
        )
    if states.states([one.section_id]).get(one.section_id) == states.REFUSED:
        raise refuse(
            "office.refused-report",
            sentence("Report {report} is refused: nothing of it is rated.", report=report),
            sentence("Nothing is to do; a new version of it may be sent."),
        )
    before = as_it_is(one)
    say: dict[str, Any] = {}
    if result is not None:
        if result not in _HALVES:
            raise refuse(
                "office.result",
                sentence("{result!r} is no result.", result=result),
                sentence("Write 1-0, 0-1, 1/2-1/2 or none."),
            )
        if _HALVES[result] != before["half"]:
            say["half"] = _HALVES[result]
    if rated is not None:
        if rated not in RATED:
            raise refuse(
                "office.rated",
                sentence("{rated!r} is no rated flag.", rated=rated),
                sentence("Write {all}.", all=", ".join(RATED)),
            )
        if rated != before["rated"]:
            say["rated"] = rated
    seen = _numbers(one, before)
    if swap:
        say["white"] = seen[1]
    if not say:
        raise refuse(
            "office.as-it-is",
            sentence("The game is what you say already."),
            sentence("Nothing is to do."),
        )
    return {
        "kind": "game", "key": one.stable_key,
        "say": {**say, "sides": seen, "first": sides_of(one.white, one.black).first},
        "report": report, "game": number,
        "before": {key: before[key] for key in ("half", "rated", "status")},
        "where": place_of(one, seen), "pools": _pools([one.section]),
    }  # fmt: skip


def place_of(one: m.Game, sides: Sequence[str] | None = None) -> str:
    """Which game it is, in words: the event, the round and the players.

    ``sides`` are the entries by their numbers, whoever is named first coming first.
    """
    where = event_named(one.section)
    if one.round:
        where += f", round {one.round}"
    alike = m.Game.of(one.version_id).filter(
        section=one.section, round=one.round, white=one.white, black=one.black
    )
    if alike.count() > 1:
        where += f", game {one.number} of the report"
    names = {each.number: name_in_report(each) for each in (one.white, one.black)}
    first, second = sides if sides and names.keys() == set(sides) else names
    return f"{where}, {names[first]} – {names[second]}"


def as_it_is(one: m.Game) -> dict[str, Any]:
    """A game with the corrections that hold."""
    upto = ledger.head().seq
    row: dict[str, Any] = {
        "white": one.white_id, "black": one.black_id, "half": one.half_points,
        "rated": one.rated, "status": one.status,
    }  # fmt: skip
    row = fixed(row, amendments.overlay_of(upto, kept={}).games.get(one.id, {}))
    names = {each.id: name_in_report(each) for each in (one.white, one.black)}
    return {**row, "names": (names[row["white"]], names[row["black"]])}


def _numbers(one: m.Game, row: Mapping[str, Any]) -> list[str]:
    """The entries by their numbers, as they sit in a row of a game."""
    numbers = {each.id: each.number for each in (one.white, one.black)}
    return [numbers[row["white"]], numbers[row["black"]]]


def event_named(section: m.Section) -> str:
    """The name of an event, and of its section, for the public."""
    name = str(section.facts.get("name") or section.event)
    # A match may be called by those who play it.
    return mask_for_public()(f"{name} ({section.name})" if section.name else name)


def _pools(sections: list[m.Section]) -> list[int]:
    moved = amendments.pools_of_sections(ledger.head().seq)
    found = {moved.get(each.id, each.pool) for each in sections}
    return sorted(each for each in found if each is not None)


def player(report: int, number: str, person: int) -> Content:
    """An entry is another person than it was said to be."""
    version, sections = states.named(str(report))
    exists(person)
    entry = m.Entry.objects.filter(version=version, number=number).first()
    if entry is None:
        raise refuse(
            "office.no-entry",
            sentence("Report {report} has no entry {number!r}.", report=report, number=number),
            sentence("Look at the report."),
        )
    link = m.Link.objects.filter(entry=entry, revoked_by__isnull=True).first()
    if link is None:
        raise refuse(
            "office.at-desk", sentence("Nobody has said yet who entry {number} is.", number=number),
            f"Say it at the desk: ratingbook office link {report} {number} {person}.",
        )  # fmt: skip
    if canonical(link.person_id) == canonical(person):
        raise refuse(
            "office.as-it-is",
            sentence("Entry {number} is person {person}.", number=number, person=person),
            sentence("Nothing is to do."),
        )
    refuse_twice(entry, canonical(person))
    return {
        "kind": "player", "entry_id": entry.id, "entry": number, "person": canonical(person),
        "before": canonical(link.person_id), "report": report,
        "name": name_in_report(entry),
        "where": event_named(sections[0]), "pools": _pools(sections),
    }  # fmt: skip


def merge(source: int, target: int) -> Content:
    """Two numbers are one person."""
    for each in (source, target):
        exists(each)
    if canonical(source) == canonical(target):
        raise refuse(
            "office.merged",
            sentence("{source} and {target} are one person already.", source=source, target=target),
            sentence("Nothing is to do."),
        )
    return {"kind": "merge", "source": source, "target": target}


ASKED_TO_BE_UNDONE = tuple(sorted(UNDONE.keys() - {"linked"}))
"""The kinds of facts of which one asks that they no longer hold; links are undone at the desk."""


def undo(seq: int) -> Content:
    """A merge, a decision, or what an earlier correction said, no longer holds."""
    fact = m.Fact.objects.filter(seq=seq).first()
    if fact is None or fact.kind not in ASKED_TO_BE_UNDONE:
        what = sentence("There is no fact {seq}", seq=seq)
        if fact:
            what = sentence("Fact {seq} is “{kind}”", seq=seq, kind=stated(fact.kind))
        raise refuse(
            "office.undo",
            sentence("{what}; that is not undone so.", what=what),
            sentence("What can be is {all}.", all=row_of(map(stated, ASKED_TO_BE_UNDONE))),
        )
    if m.PersonAttribute.objects.filter(fact=seq).exists():
        raise refuse(
            "office.undo", sentence("Fact {seq} is of a title, by which nobody is rated.", seq=seq),
            f"Undo it: ratingbook office undo {seq} --reason …",
        )  # fmt: skip
    live = (x.objects.filter(fact=seq, revoked_by__isnull=True) for x in UNDONE[fact.kind])
    if m.Fact.objects.filter(revokes=seq).exists() or not any(each.exists() for each in live):
        raise refuse(
            "office.undone",
            sentence("Fact {seq} is undone already.", seq=seq),
            sentence("Nothing is to do."),
        )
    return {"kind": "undo", "fact": seq, "of": fact.kind}


def moved(report: str, day: date) -> Content:
    """An event ended on another day than its report says."""
    _, sections = states.named(report)
    numbers = [each.id for each in sections]
    was = amendments.last_day_known(numbers, ledger.head().seq)
    if was is None:
        raise refuse(
            "office.moved-day",
            sentence("No day of report {report} is known.", report=report),
            sentence("Receive it with one."),
        )
    if not EARLIEST <= day <= date.today():
        raise refuse(
            "office.moved-day", sentence("No event that is rated here ended on {day}.", day=day),
            sentence("Name a day from {EARLIEST} to today.", EARLIEST=EARLIEST),
        )  # fmt: skip
    if day == was:
        raise refuse(
            "office.as-it-is",
            sentence("The event ended on {day}.", day=day),
            sentence("Nothing is to do."),
        )
    content: Content = {
        "kind": "move", "sections": numbers,
        **amendments.days_told(numbers, day, ledger.head().seq),
        "where": event_named(sections[0]), "pools": _pools(sections),
    }  # fmt: skip
    amendments.refuse_impossible_days(
        dict.fromkeys(numbers, amendments.move_said(content)["moved"])
    )
    return content


def into_pool(report: str, name: str) -> Content:
    """An event belongs to another pool than it was rated in."""
    _, sections = states.named(report)
    pool = pool_named(name)
    before = _pools(sections)
    if before == [pool.id]:
        raise refuse(
            "office.as-it-is",
            sentence("The event is in the pool {name}.", name=name),
            sentence("Nothing is to do."),
        )
    return {
        "kind": "pool", "sections": [each.id for each in sections], "pool": pool.id,
        "pool_name": name, "where": event_named(sections[0]), "pools": [*before, pool.id],
    }  # fmt: skip


def event(report: str, kind: str) -> Content:
    """An event is taken out (``withdraw``), or one that was held is let in (``late``)."""
    # What is let in is no version that counts yet.
    which = states.that_counts if kind == "withdraw" else states.newest
    _, sections = states.named(report, which)
    now = states.states([each.id for each in sections])
    wanted = (states.READY,) if kind == "withdraw" else (states.HELD, states.REFUSED,
                                                         states.WITHDRAWN)  # fmt: skip
    chosen = [each for each in sections if now.get(each.id) in wanted]
    if not chosen:
        shown = states.as_shown(now, states.published_sections())
        said = row_of(map(stated, sorted(set(shown.values()))))
        raise refuse(
            "office.as-it-is",
            sentence("Report {report} is {said}.", report=report, said=said),
            sentence("Nothing is to do."),
        )
    return {
        "kind": kind, "sections": [each.id for each in chosen], "where": event_named(chosen[0]),
        "pools": _pools(chosen),
    }  # fmt: skip


def keys_of_standing(pool: m.Pool) -> list[str]:
    """What can be said of with what persons come into a pool."""
    return list(_known_of(pool))


def _known_of(pool: m.Pool) -> dict[str, Any]:
    return {**_STANDING, **newcomer_fields(rules_of(pool))}


def opening(name: str, values: Mapping[int, Mapping[str, str] | None]) -> Content:
    """With what persons come into a pool; what is not said stays as it is."""
    pool = pool_named(name)
    known = _known_of(pool)
    for person in values:
        exists(person)
    merged = merges()
    # Of whoever is one with somebody by now, the standing of that one counts.
    own = {merged.get(person, person): said for person, said in values.items()}
    before = openings_that_count(pool, own.keys(), merged)
    found: dict[str, Any] = {}
    old: dict[str, Any] = {}
    for person, said in own.items():
        read = None if said is None else _read(said, known)
        _refuse_impossible(pool, read)
        new = None if read is None else {**before.get(person, {}), **read}
        _refuse_sum(new, str(person))
        if new != before.get(person):
            found[str(person)], old[str(person)] = new, before.get(person)
    if not found:
        raise refuse(
            "office.as-it-is",
            sentence("All of them come in with that already."),
            sentence("Nothing is to do."),
        )
    return {
        "kind": "opening", "pool": pool.id, "pool_name": name, "values": found, "before": old
    }  # fmt: skip


def decided(
    name: str, person: int, said: Mapping[str, str], since: date | None, reason: str, today: date
) -> Content:
    """What is decided of a person from a day on that may be published already."""
    pool = pool_named(name)
    exists(person)
    found = []
    for word, text in said.items():
        kind, value, day = as_decided(pool, word, text, since, today)
        found.append([canonical(person), day.isoformat(), kind, value, reason])
    return {"kind": "decision", "pool": pool.id, "pool_name": name, "said": found, "new": True}


def _refuse_impossible(pool: m.Pool, said: Mapping[str, Any] | None) -> None:
    """A rating that the pool does not know would be in the way of every run."""
    rating = (said or {}).get("rating")
    why = "" if rating is None else why_no_decision(rules_of(pool), None, float(rating))
    if why:
        raise refuse("office.opening-value", why, sentence("Write one that is."))


def _refuse_sum(said: Mapping[str, Any] | None, number: str) -> None:
    """Nobody has more results than games; ``number`` names whose they are."""
    said = said or {}
    results = sum(said.get(key) or 0 for key in ("wins", "draws", "losses"))
    games = said.get("games")
    if games is not None and results > games:
        raise refuse(
            "office.opening-value",
            sentence(
                "Of {number} there are {games} rated games, but {sum} wins, draws and losses "
                "together.",
                number=number, games=games, sum=results,
            ),
            sentence("Correct the number that is wrong."),
        )  # fmt: skip


def _flag(text: str) -> bool:
    word = text.strip().casefold()
    if word not in (*_YES, *_NO):
        raise ValueError(text)
    return word in _YES


def _read(said: Mapping[str, str], known: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, text in said.items():
        if key not in known:
            raise refuse(
                "office.standing",
                sentence("The rules know no {key!r}.", key=key),
                sentence("They know {all}.", all=", ".join(known)),
            )
        holds = known[key]
        try:
            value = _flag(text) if holds is bool else holds(text)
            if isinstance(value, float) and not math.isfinite(value):
                raise ValueError(text)
        except (TypeError, ValueError):
            raise refuse(
                "office.standing",
                sentence("{key} cannot be {text!r}.", key=key, text=text),
                sentence("Write yes or no.") if holds is bool
                else _HOW.get(key, sentence("Write a number.")),
            ) from None  # fmt: skip
        found[key] = value.isoformat() if isinstance(value, date) else value
    return found


def openings_of_file(path: Path, name: str, scheme: str) -> Content:
    """With what all of a file come into a pool, by their numbers in a register."""
    from ratingbook.formats.standings import read_numbered
    from ratingbook.office.acts.imports import holders_of
    from ratingbook.office.logic.newcomers import coming_in

    pool = pool_named(name)
    rules = rules_of(pool)
    columns = read_of_newcomers(rules, date.today()).columns
    members, findings = read_numbered(path, scheme, standing_fields(rules), newcomer_columns(rules))
    if findings.refused:
        from ratingbook.office.refused import OfficeRefused

        raise OfficeRefused(findings.in_file(str(path)))
    entries = {each.entry.id: each.entry for each in members}
    number_of = {person: number for number, person in holders_of(list(entries), scheme).items()}
    said = {person: coming_in(entries[number], columns) for person, number in number_of.items()}
    held, merged = openings_held(pool), merges()
    before = of_one_person(held, merged)
    found: dict[str, Any] = {}
    old: dict[str, Any] = {}
    # Of several lines of one person the one counts whose standing counts; the others say nothing.
    for person, of in who_counts({*held, *said}, merged).items():
        if of not in said:
            continue
        _refuse_impossible(pool, said[of])
        new = {**before.get(person, {}), **said[of]}
        _refuse_sum(new, number_of[of])
        if new != before.get(person):
            found[str(person)], old[str(person)] = new, before.get(person)
    if not found:
        raise refuse(
            "office.as-it-is",
            sentence("Nothing in the file is otherwise."),
            sentence("Nothing is to do."),
        )
    return {
        "kind": "opening", "pool": pool.id, "pool_name": name, "values": found, "before": old
    }  # fmt: skip


def parameters(name: str, said: Mapping[str, str], assume: str | None = None) -> Content:
    """What the rules of a pool are set to; an empty value: as the edition has it."""
    pool = pool_named(name)
    content: Content = {
        "kind": "parameters", "pool": pool.id, "pool_name": name,
        "parameters": {key: value or None for key, value in said.items()},
    }  # fmt: skip
    if assume is not None:
        try:
            content["assume"] = POLICIES["assume"][1](assume)
        except ValueError:
            raise refuse(
                "office.value",
                sentence("{assume!r} is no rating.", assume=assume),
                sentence("Write a number."),
            ) from None
    made = amendments.with_parameters(rules_of(pool), content)
    if made == rules_of(pool):
        raise refuse(
            "office.as-it-is",
            sentence("The pool {name} is set so already.", name=name),
            sentence("Nothing is to do."),
        )
    made.book()
    return content


def rules(name: str) -> Content:
    """The program of the rule book was mended since the last publication."""
    pool = pool_named(name)
    run = head_run(pool)
    now = rule_source(pool.rulebook if run is None else run.rulebook)
    if run is None or run.rule_source == now:
        raise refuse(
            "office.as-it-is",
            sentence("What is published was made by these rules."),
            sentence("Nothing is to do."),
        )
    return {
        "kind": "rules", "pool": pool.id, "pool_name": name, "before": run.rule_source, "now": now
    }  # fmt: skip
