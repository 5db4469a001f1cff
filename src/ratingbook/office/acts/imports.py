"""What an office brings along: its players, and the ratings with which a pool opens."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
from django.db.models import Max

from ratingbook.formats.lists import looks_like_list
from ratingbook.formats.players import NO_COLUMNS, Column
from ratingbook.formats.registers import REGISTERS, register_of
from ratingbook.formats.standings import read_numbered
from ratingbook.formats.tools.encodings import named
from ratingbook.model import Findings, Place, Severity
from ratingbook.model.sentences import sentence
from ratingbook.office.acts.again import match_again
from ratingbook.office.acts.decisions import OPENING, openings_held
from ratingbook.office.acts.filling import Filling
from ratingbook.office.acts.numbering import Numbering
from ratingbook.office.acts.people import (
    WRITTEN,
    make_persons,
    merges,
    refuse_number,
    rows_of_persons,
)
from ratingbook.office.acts.published import bytes_of
from ratingbook.office.acts.registry import hidden_numbers
from ratingbook.office.acts.ruled import refuse_opening
from ratingbook.office.acts.same_names import same_names, tell_same_names
from ratingbook.office.acts.setup import pool_named, rules_of
from ratingbook.office.engine.rules import (
    earlier_assumed,
    newcomer_columns,
    read_of_newcomers,
    standing_fields,
    why_no_decision,
)
from ratingbook.office.home import Home
from ratingbook.office.logic.ahead import made_ahead
from ratingbook.office.logic.chain import canonical
from ratingbook.office.logic.garbage import collect_new, nothing_collected
from ratingbook.office.logic.matching import ID_NEEDS_NAME, name_score
from ratingbook.office.logic.names import form
from ratingbook.office.logic.newcomers import (
    Intake,
    Newcomer,
    Packed,
    of_a_list,
    packed_of_a_list,
    unpacked,
)
from ratingbook.office.refused import OfficeRefused, refuse
from ratingbook.office.store import blobs
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import Act, Who, acting, check_may
from ratingbook.office.store.rows import among, indexed_afterwards, put_rows
from ratingbook.rules.wording import either

_PARQUET = "application/vnd.apache.parquet"
_AT_ONCE = 100_000
"""Players of a list that are taken in together; of a list of more, they are indexed afterwards."""
_NO_RATING = 10_000
"""No list has such a rating; numbers of registers are greater."""
_LONG = 1 << 23
"""Bytes of a list that another process reads."""


@dataclass(frozen=True)
class Imported:
    """What an import did."""

    fact: int
    made: int
    known: int
    opened: int
    findings: Findings


def import_file(
    home: Home, path: Path, scheme: str, who: Who, pool_name: str | None = None
) -> Imported:
    """Bring in players, whose ids in the file are numbers of a register, ``scheme``.

    With a pool, the ratings of the file are those with which it opens.
    """
    check_may(who, "people")
    scheme = scheme.strip()
    if not scheme:
        raise refuse(
            "office.scheme",
            sentence("The register of the ids has no name."),
            "Say --register national.",
        )
    pool = pool_named(pool_name) if pool_name else None
    rules, today = rules_of(pool) if pool else None, who.now().date()
    fields, beside = standing_fields(rules), newcomer_columns(rules)
    reads = read_of_newcomers(rules, today)
    findings, count, made, hidden, left = Findings(), 0, 0, hidden_numbers(), 0
    values: dict[int, Mapping[str, Any]] = {}
    is_new_register = (
        scheme not in REGISTERS and not m.ExternalId.objects.filter(scheme=scheme).exists()
    )
    seen: set[str] = set()
    other_names: dict[str, tuple[str, str]] = {}
    filling, numbering = Filling(path), Numbering(path, scheme)
    with nothing_collected(), acting(who) as act, ExitStack() as at_last:
        last = m.Person.objects.aggregate(last=Max("id"))["last"] or 0
        for given in portions(path, Intake(scheme, today, reads), fields, findings, beside):
            # Else the list would bring back the number and the name of a suppressed person.
            players = [
                each for each in given if hidden.keys().isdisjoint((each.person.ids or {}).items())
            ] if hidden else given  # fmt: skip
            left += len(given) - len(players)
            if not count and len(given) == _AT_ONCE:
                at_last.enter_context(indexed_afterwards(*WRITTEN))
            people, known = _people(act, players, numbering, seen)
            count, made = count + len(players), made + len(players) - len(known)
            others = _with_other_names(players, known)
            other_names |= others
            same = [each for each in players if each.id not in others]
            filling.look(same, known)
            numbering.look(same, known)
            if pool is not None:
                _refuse_impossible(pool, players, path)
                values |= {people[each.id]: each.value for each in players if each.value}
            collect_new()
        if findings.refused:
            raise OfficeRefused(findings.in_file(str(path)))
        if not count and not left:
            raise refuse(
                "office.empty",
                sentence("The file names no player."),
                sentence("Look at it."),
                Place(file=str(path)),
            )
        data = path.read_bytes() if path.is_file() else b""
        source = blobs.keep(home, data)
        blobs.enter(source, len(data), "application/octet-stream")
        opening = _open(act, home, pool, values, source) if pool is not None and values else None
        fact = act.fact(
            "imported",
            payload={
                "file": source,
                "scheme": scheme,
                "players": count,
                "made": made,
                "filled": len(filling.filled),
                **({"numbered": len(numbering.given)} if numbering.given else {}),
                # Whoever reads the file again needs it.
                **({"encoding": named()} if named() else {}),
            },
            evidence=[source],
        )
        filling.write(fact)
        numbering.write(fact)
        # Who is looked up needs the indexes.
        at_last.close()
        touched = [*range(last + 1, last + made + 1), *sorted(set(numbering.given.values()))]
        if touched:
            match_again(act, touched)
        if made and last:
            tell_same_names(same_names(last), act.findings, path)
    found = Findings([*findings, *act.findings, *filling.findings(), *numbering.findings()])
    if left:
        found.add(
            Severity.WARNING,
            "office.import-suppressed",
            either(
                left,
                "{count} player was not taken in, whose number is that of a suppressed person.",
                "{count} players were not taken in, whose numbers are those of suppressed persons.",
            ),
            Place(file=str(path)),
            sentence(
                "Nothing is to do. Who is to be seen again is added as a new person, by "
                "`ratingbook office person add`."
            ),
        )
    if is_new_register:
        _tell_unknown(scheme, pool, found, path)
    if other_names:
        _tell_other_names(other_names, opening, found, path)
    if pool is not None and len(values) < count:
        found.add(
            Severity.INFO,
            "office.no-opening",
            either(
                count - len(values),
                "{count} of the players has neither a rating nor games in the file.",
                "{count} of the players have neither a rating nor games in the file.",
            ),
        )
    if pool is not None and opening is not None:
        assumed = earlier_assumed(rules_of(pool), who.now().date(), values.values())
        if assumed:
            _tell_assumed(assumed, opening, path, found)
    return Imported(fact, made, count - made, len(values), found)


def _tell_other_names(
    others: Mapping[str, tuple[str, str]], opening: int | None, findings: Findings, path: Path
) -> None:
    """Who has the number of somebody of quite another name; ``opening``: the fact of ratings."""
    number, (said, here) = next(iter(others.items()))
    findings.add(
        Severity.WARNING,
        "office.import-name",
        either(
            len(others),
            "{count} of the players has another name here than in the office: {number}: "
            "{said} in the file, {here} here. Nothing is filled in.",
            "{count} of the players have other names here than in the office; the first is "
            "{number}: {said} in the file, {here} here. Nothing is filled in.",
            number=number, said=said, here=here,
        ),
        Place(file=str(path)),
        sentence(
            "If they are the same, say the name by `ratingbook office person edit PERSON --name "
            "NAME --reason TEXT`, and take the file in again. Else correct the numbers."
        )
        if opening is None
        else sentence(
            "If they are others, undo the opening ratings (fact {fact}) and correct the numbers.",
            fact=opening,
        ),
    )  # fmt: skip


def _tell_unknown(scheme: str, pool: m.Pool | None, findings: Findings, path: Path) -> None:
    """No format calls a register so: reports would name the same players by another one."""
    own = register_of(rules_of(pool).book().federation) if pool is not None else None
    what = sentence(
        "No format of reports has numbers of a register {scheme!r}; they name {known}.",
        scheme=scheme, known=", ".join(REGISTERS),
    )  # fmt: skip
    if pool is not None and own is not None:
        what = sentence(
            "{what} Reports of the pool {pool} mostly say {own}.", what=what, pool=pool.name,
            own=own,
        )  # fmt: skip
    findings.add(
        Severity.WARNING, "office.unknown-register", what, Place(file=str(path)),
        sentence(
            "If reports say {scheme} themselves (ids.{scheme}), nothing is to do. Else nobody is "
            "found by these numbers: `ratingbook office person edit PERSON --id REGISTER=NUMBER` "
            "gives one person the right one; an office that has just begun is begun anew.",
            scheme=scheme,
        ),
    )  # fmt: skip


def _tell_assumed(count: int, opening: int, path: Path, findings: Findings) -> None:
    """Ratings that rest on all games so far came with the number of these alone."""
    findings.add(
        Severity.WARNING, "office.earlier-assumed",
        either(
            count,
            "The rating of {count} player rests on earlier games of which the file has nothing but "
            "their number: they are taken as draws with equals.",
            "The ratings of {count} players rest on earlier games of which the file has nothing "
            "but their number: they are taken as draws with equals.",
        ),
        Place(file=str(path)),
        sentence(
            "Say what they come to, in columns earlier_score (points) and earlier_opponents (the "
            "sum of the opponents’ ratings): undo the opening ratings (fact {fact}) and import the "
            "file with them.",
            fact=opening,
        ),
    )  # fmt: skip


def portions(
    path: Path,
    intake: Intake,
    fields: Mapping[str, type],
    findings: Findings,
    beside: Mapping[str, Column] = NO_COLUMNS,
) -> Iterator[Sequence[Newcomer]]:
    """The players of a file, of a long list some at a time; what it says is told at the end."""
    if looks_like_list(path):
        given = (intake.scheme, _AT_ONCE, intake.today)
        if path.stat().st_size > _LONG:
            pieces: Iterator[list[Newcomer] | Packed | Findings]
            pieces = made_ahead(packed_of_a_list, path, *given, named())
        else:
            pieces = of_a_list(path, *given)
        for each in pieces:
            if isinstance(each, Findings):
                findings.extend(each)
            else:
                yield unpacked(each) if isinstance(each, tuple) else each
        return
    members, told = read_numbered(path, intake.scheme, fields, beside)
    findings.extend(told)
    if members and not told.refused:
        yield [intake.coming(each.entry) for each in members]
        findings.extend(intake.notes.findings())


def _people(
    act: Act, players: Sequence[Newcomer], numbering: Numbering, seen: set[str]
) -> tuple[dict[str, int], dict[str, int]]:
    """The person of each id, and of those who were known; the others are made.

    ``seen``: the ids before these.
    """
    scheme = numbering.scheme
    twice = next((each for each in players if each.id in seen), None)
    if twice is not None:
        raise refuse_number(scheme, twice.id, sentence("given twice"))
    seen.update(each.id for each in players)
    known = people_of([each.id for each in players], scheme)
    known |= numbering.known([each for each in players if each.id not in known])
    new = [each for each in players if each.id not in known]
    if not new:
        return known, known
    _, numbers = make_persons(act, [each.person for each in new], free=scheme)
    return known | {e.id: number for e, number in zip(new, numbers, strict=True)}, known


def _refuse_impossible(pool: m.Pool, players: Sequence[Newcomer], path: Path) -> None:
    """A rating that the pool does not know would be in the way of every run."""
    rules = rules_of(pool)
    _refuse_numbers(players, path)
    for rating in sorted({each.value["rating"] for each in players if "rating" in each.value}):
        why = why_no_decision(rules, None, float(rating))
        if why:
            whose = [each for each in players if each.value.get("rating") == rating]
            raise refuse(
                "office.opening-value",
                sentence(
                    "The rating of {id}, {name}, cannot be. {why}",
                    id=whose[0].id,
                    name=whose[0].person.name,
                    why=why,
                ),
                sentence("Correct it in the file, or leave it empty; nothing was taken in."),
                Place(file=str(path)),
            )


def _refuse_numbers(players: Sequence[Newcomer], path: Path) -> None:
    """Refuse ratings elsewhere that are numbers of registers: tables call both by their federation.

    So does a column that is called fide.
    """
    for each in players:
        for key, said in each.value.items():
            if key in REGISTERS and isinstance(said, int | float) and said >= _NO_RATING:
                raise refuse(
                    "office.opening-value",
                    sentence(
                        "The rating {key} of {id}, {name}, cannot be {said:.10g}.",
                        key=key, id=each.id, name=each.person.name, said=said,
                    ),
                    sentence(
                        "Call a column of the numbers of a register ids.{key}; nothing was taken "
                        "in.",
                        key=key,
                    ),
                    Place(file=str(path)),
                )  # fmt: skip


def _with_other_names(
    players: Sequence[Newcomer], known: Mapping[str, int]
) -> dict[str, tuple[str, str]]:
    """Who has the number of somebody with quite another name: what is said might be a stranger's.

    By number the name in the file, and that of the person.
    """
    names: dict[int, list[str]] = {}
    live = m.PersonName.objects.filter(revoked_by__isnull=True)
    for person, text in rows_of_persons(live, known.values(), "person", "text") if known else ():
        names.setdefault(person, []).append(text)
    found = {}
    for each in players:
        said, own = each.person.name, names.get(known.get(each.id, 0), ())
        if own and said not in (each.id, *own):
            name = form(said)
            if max(name_score(name, form(text)) for text in own) < ID_NEEDS_NAME:
                found[each.id] = (said, own[0])
    return found


def people_of(numbers: Sequence[str], scheme: str) -> dict[str, int]:
    """The persons of numbers of a register; who has none is not among them."""
    merged = merges()
    return {value: merged.get(who, who) for value, who in holders_of(numbers, scheme).items()}


def holders_of(numbers: Sequence[str], scheme: str) -> dict[str, int]:
    """The same as they came, whoever they are one with by now."""
    found = m.ExternalId.objects.filter(
        scheme=scheme, value__in=among(numbers), revoked_by__isnull=True
    )
    return dict(found.values_list("value", "person"))


def _open(
    act: Act,
    home: Home,
    pool: m.Pool,
    values: Mapping[int, Mapping[str, Any]],
    source: str,
) -> int:
    """One fact for a whole opening list; the pool must not know the persons yet."""
    again = sorted(openings_held(pool).keys() & values.keys())
    if again:
        raise refuse(
            "office.opened",
            either(
                len(again),
                "{count} person, {again}, has an opening rating in the pool {pool} already.",
                "{count} persons, the first is {again}, have an opening rating in the pool {pool} "
                "already.",
                again=again[0],
                pool=pool.name,
            ),
            sentence("Undo that decision first, or take them out of the file."),
        )
    refuse_opening(
        pool, list(values),
        f"ratingbook office correct --pool {pool.name} --openings FILE --register NAME "
        "--reason TEXT",
    )  # fmt: skip
    table = pa.table(
        {"person": pa.array(sorted(values)), "value": [str(values[p]) for p in sorted(values)]}
    )
    data = bytes_of(table)
    kept = blobs.keep(home, data)
    blobs.enter(kept, len(data), _PARQUET)
    fact = act.fact(
        "decision", ("pool", pool.id),
        payload={"kind": OPENING, "persons": len(values), "file": source},
        evidence=[kept, source],
    )  # fmt: skip
    put_rows(
        m.Decision._meta.db_table, ("fact", "pool_id", "person_id", "kind", "value"),
        [
            (fact, pool.id, person, OPENING, canonical(value).decode())
            for person, value in sorted(values.items())
        ],
    )  # fmt: skip
    return fact
