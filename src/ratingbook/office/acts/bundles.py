"""From the office into a bundle, and a replay of all that was published."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

import pyarrow as pa

from ratingbook import __version__
from ratingbook.model import Findings, Severity
from ratingbook.model.sentences import sentence
from ratingbook.office import bundle, unpacked
from ratingbook.office.acts.audit import note
from ratingbook.office.acts.lists import rows_of, shown_salt
from ratingbook.office.acts.masking import mask
from ratingbook.office.acts.pools import pool_as_known
from ratingbook.office.acts.published import table_of
from ratingbook.office.acts.registry import is_any_age_gone, suppressed
from ratingbook.office.acts.setup import decimals_of
from ratingbook.office.acts.snapshots import build, fed_of_run
from ratingbook.office.engine.fed import ADULT, BORN, BORN_IN, Fed
from ratingbook.office.engine.foreseen import who_relies_on_adult, who_relies_on_births
from ratingbook.office.engine.history import placed_in
from ratingbook.office.engine.rating import RatedTables, rate
from ratingbook.office.engine.rules import Rules, rule_source
from ratingbook.office.home import Home, current
from ratingbook.office.logic import chained
from ratingbook.office.logic.chain import canonical
from ratingbook.office.logic.comparing import differing, moved
from ratingbook.office.refused import OfficeRefused, not_written, refuse
from ratingbook.office.signing import signature
from ratingbook.office.stand_ins import with_stand_ins
from ratingbook.office.store import ledger
from ratingbook.office.store import models as m
from ratingbook.office.store.damage import DAMAGED
from ratingbook.office.store.ledger import Who, check_may


def write_bundle(
    home: Home, one: m.List, out: Path, who: Who, *, with_birth_dates: bool = False,
    with_whole_facts: bool = False,
) -> Mapping[str, Any]:  # fmt: skip
    """Write the bundle of a list; gives its manifest.

    Birth dates stay inside, and the numbers must come out the same without them: where they do
    not, only an auditor's bundle can be verified.  Who acted, why, and what was said of persons
    stays inside, too, but for an auditor.
    """
    check_may(who, "export")
    if out.exists():
        raise refuse(
            "office.out",
            sentence("{out} exists already.", out=out),
            sentence("Name another file or folder."),
        )
    manifest, files = bundle_of(
        home, one, with_birth_dates=with_birth_dates, with_whole_facts=with_whole_facts
    )
    try:
        bundle.write(out, files)
    except OSError as error:
        raise not_written(out, error) from None
    note(
        who, "bundle", f"list {one.id}",
        sentence("written with whole facts") if with_whole_facts else sentence("written"),
    )  # fmt: skip
    return manifest


def bundle_of(
    home: Home, one: m.List, *, with_birth_dates: bool = False, with_whole_facts: bool = False
) -> tuple[Mapping[str, Any], dict[str, bytes]]:
    """The manifest of the bundle of a list, and its files."""
    run = m.Run.objects.select_related("pool").get(id=one.run_id)
    rules = Rules(run.rulebook, run.parameters, run.assume)
    # As `ratingbook history` takes it, which knows of no pool of an office.
    fed = placed_in(fed_of_run(home, run), rules)
    until, digest_of_numbers, numbers = _numbers(home, one, run, fed, rules)
    has_dates = bool(fed.births)
    stand_ins = 0
    if has_dates and not with_birth_dates:
        public = _for_the_public(fed, rules, until, digest_of_numbers)
        if public is None:
            raise only_with_birth_dates()
        fed, stand_ins = public
    if not with_birth_dates:
        fed = _with_adults_relied_on(fed, rules, until, digest_of_numbers)
    if fed.decisions is not None and not with_whole_facts:
        # No rule asks why the office decided something.
        fed = replace(fed, decisions=fed.decisions.drop_columns(["reason"]))
    files = {f"{name}.parquet": bundle.parquet(table) for name, table in fed.tables().items()}
    files |= {f"{name}.parquet": bundle.parquet(table) for name, table in numbers.items()}
    files["list.csv"] = _csv(one)
    facts = chained.lines(ledger.facts_from(1, one.fact), whole=with_whole_facts)
    files["facts.jsonl"] = b"\n".join([*facts, b""])
    manifest = {
        "ratingbook": bundle.VERSION,
        "pool": run.pool.name,
        "list": {
            "number": one.id, "date": one.date.isoformat(), "revision": one.revision,
            "title": one.title, "rows": one.rows, "digest": one.digest,
            "is_by_all": one.salt is not None, "salt": shown_salt(one),
            "decimals": decimals_of(pool_as_known(run.pool_id, one.fact)),
        },
        "rules": {
            "rulebook": run.rulebook, "parameters": run.parameters, "assume": run.assume,
            "source": run.rule_source, "engine": run.engine,
        },
        "until": until.isoformat(),
        "digest": digest_of_numbers,
        "birth_dates": has_dates and with_birth_dates,
        "stand_ins": stand_ins,
        "whole_facts": with_whole_facts,
        "head": one.head,
        "files": {name: hashlib.sha256(data).hexdigest() for name, data in files.items()},
    }  # fmt: skip
    text = (json.dumps(manifest, ensure_ascii=False, indent=1, default=str) + "\n").encode()
    signed = signature(home.folder, text)
    if signed is not None:
        files[unpacked.SIGNATURE] = json.dumps(signed, indent=1).encode()
    return manifest, {unpacked.MANIFEST: text, **files}


def only_with_birth_dates() -> OfficeRefused:
    """Why there is no bundle of a list for everybody."""
    return refuse(
        "office.needs-birth-dates",
        sentence(
            "Ratings of this list depend on birth dates, which a public bundle does not hold."
        ),
        "Write an auditor's bundle with --with-birth-dates, for whoever may see them.",
    )


def needs_birth_dates(home: Home, one: m.List) -> bool:
    """Whether ratings of a list depend on birth dates, so that no bundle of it can be public."""
    run = m.Run.objects.select_related("pool").get(id=one.run_id)
    rules = Rules(run.rulebook, run.parameters, run.assume)
    fed = placed_in(fed_of_run(home, run), rules)
    if not fed.births:
        return False
    until, digest, _ = _numbers(home, one, run, fed, rules)
    return _for_the_public(fed, rules, until, digest) is None


def _for_the_public(fed: Fed, rules: Rules, until: date, digest: str) -> tuple[Fed, int] | None:
    """What a run was fed without birth dates, or with dates that stand in for so many of them.

    None where other numbers would come of it.
    """
    without = fed.without(BORN, BORN_IN)
    if rate(without, rules, until).digest == digest:
        return without, 0
    found = with_stand_ins(fed, rules.book())
    if found is None:
        return None
    relying = _only_where_relied_on(found[0], rules, until)
    if rate(relying[0], rules, until).digest != digest:
        return None
    return relying


def _with_adults_relied_on(fed: Fed, rules: Rules, until: date, digest: str) -> Fed:
    """What is fed with those alone said to be adult, or not, whose numbers need it.

    Of all others a report has told the office alone.
    """
    if fed.players is None or ADULT not in fed.players.column_names:
        return fed
    without = fed.adults(())
    if rate(without, rules, until).digest == digest:
        return without
    return fed.adults(who_relies_on_adult(fed, rules, until))


def _only_where_relied_on(fed: Fed, rules: Rules, until: date) -> tuple[Fed, int]:
    """What is fed with the dates of those only whose numbers need them, and how many these are.

    Any other date would say what no number says.
    """
    dated = [player for player, day in fed.births.items() if day is not None]
    relying = who_relies_on_births(fed, rules, until, dated)
    return fed.born({each: None for each in dated if each not in relying}), len(relying)


def _numbers(
    home: Home, one: m.List, run: m.Run, fed: Fed, rules: Rules
) -> tuple[date, str, dict[str, pa.Table]]:
    """Up to which day a list is made, and of what numbers.

    A revision of a list that is older than its run has those of its own day.
    """
    if one.date < run.until:
        rated = rate(fed, rules, one.date)
        return one.date, rated.digest, {"changes": rated.changes, "ratings": rated.ratings}
    kept = {"changes": run.file_id, "ratings": run.ratings_id}
    numbers = {name: table_of(home, sha256 or "") for name, sha256 in kept.items()}
    return run.until, run.digest, numbers


def _csv(one: m.List) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    keys = [key for key, _, _ in one.columns]
    writer.writerow(keys)
    for row in rows_of(one):
        writer.writerow([row.get(key) for key in keys])
    return text.getvalue().encode()


def export_history(home: Home, number: int, folder: Path, who: Who) -> list[str]:
    """The tables that a run was fed, for ``ratingbook history``; gives their names.

    Reasons of decisions name nobody who is suppressed, which changes no number.
    """
    from ratingbook.office.acts.runs import run_named

    check_may(who, "export")
    run = run_named(number)
    rules = Rules(run.rulebook, run.parameters, run.assume)
    fed = placed_in(fed_of_run(home, run), rules)
    if fed.decisions is not None:
        at, masked = fed.decisions.column_names.index("reason"), mask()
        told = pa.array([masked(each) for each in fed.decisions["reason"].to_pylist()])
        fed = replace(fed, decisions=fed.decisions.set_column(at, "reason", told))
    folder.mkdir(parents=True, exist_ok=True)
    names = []
    for name, table in fed.tables().items():
        (folder / f"{name}.parquet").write_bytes(bundle.parquet(table))
        names.append(f"{name}.parquet")
    note(who, "export history", f"run {number}", sentence("written"))
    return names


_NOT_MADE: tuple[type[Exception], ...] = (OfficeRefused, *DAMAGED)


@dataclass(frozen=True)
class Replayed:
    """What became of one publication made again."""

    pool: str
    seq: int
    run: int
    is_equal: bool


def replay() -> tuple[list[Replayed], Findings]:
    """Make all that was published again from the facts; every bit must come out the same."""
    findings = Findings()
    done = []
    hidden, is_age_gone = suppressed(), is_any_age_gone()
    for each in m.Publication.objects.select_related("run", "pool").order_by("fact"):
        run = each.run
        where = {"seq": each.seq, "pool": each.pool.name, "run": run.id}
        try:
            fed = build(run.pool_id, run.upto).as_of(run.snapshot)
            rules = Rules(run.rulebook, run.parameters, run.assume)
            rated = rate(fed, rules, run.until)
        except _NOT_MADE as error:
            done.append(Replayed(each.pool.name, each.seq, run.id, False))
            findings.add(
                Severity.ERROR,
                "replay.damaged",
                sentence(
                    "Publication {seq} of {pool} (run {run}) cannot be made again: a row is "
                    "damaged ({error}).",
                    **where,
                    error=f"{type(error).__name__}: {error}",
                ),
                remedy="`ratingbook office doctor` looks for facts that were changed.",
            )
            continue
        # In place of birth dates of suppressed persons others are fed, which give the same numbers.
        same_facts = fed.digest == run.snapshot or bool(hidden)
        is_equal = rated.digest == each.digest and same_facts
        if not is_equal and hidden and _is_same_as_published(run, each.pool, rated):
            is_equal = True
            findings.add(
                Severity.INFO, "replay.stand-ins",
                sentence(
                    "Publication {seq} of {pool} (run {run}): all published numbers are the same; "
                    "digits that are not published rested on birth dates of suppressed persons.",
                    **where,
                ),
            )  # fmt: skip
        done.append(Replayed(each.pool.name, each.seq, run.id, is_equal))
        if is_equal:
            continue
        if is_age_gone:
            findings.add(
                Severity.WARNING,
                "replay.suppressed",
                sentence(
                    "Publication {seq} of {pool} (run {run}) rests on birth dates of suppressed "
                    "persons, which are gone.",
                    **where,
                ),
                remedy=sentence("The file of the run holds the numbers as they were published."),
            )
            continue
        same_rules = rule_source(run.rulebook) == run.rule_source
        what = (
            sentence("the facts that it was fed are others")
            if fed.digest != run.snapshot
            else sentence("the numbers come out otherwise")
        )
        findings.add(
            Severity.ERROR,
            "replay.differs" if same_rules else "replay.other-rule-source",
            sentence(
                "Publication {seq} of {pool} (run {run}): {what}.",
                seq=each.seq,
                pool=each.pool.name,
                run=run.id,
                what=what,
            )
            if same_rules
            else sentence(
                "Publication {seq} of {pool} (run {run}): {what}, by other rules than those of "
                "{engine}.",
                seq=each.seq,
                pool=each.pool.name,
                run=run.id,
                what=what,
                engine=run.engine,
            ),
            remedy="`ratingbook office doctor` looks for facts that were changed."
            if same_rules
            else _by_what_made_it(run.engine),
        )
    return done, findings


def _by_what_made_it(version: str) -> str:
    """How numbers are made again as they were, where the rules of this program are others."""
    if version == __version__:
        return sentence(
            "It was made by a state of the program between two versions; with that it is made as "
            "it was. What is published stays as it is."
        )
    return f"pip install ratingbook=={version} makes them as they were made."


def _is_same_as_published(run: m.Run, pool: m.Pool, rated: RatedTables) -> bool:
    """Whether nothing that a run published is otherwise."""
    decimals = decimals_of(pool)
    changes, ratings = (table_of(current(), each or "") for each in (run.file_id, run.ratings_id))
    found = differing(rated.changes, changes, decimals)
    return not (len(found.rows) or len(found.gone) or moved(rated.ratings, ratings, decimals))


def digest() -> str:
    """SHA-256 over all facts but their times, and all that is published, by natural keys."""
    total = hashlib.sha256()
    left_out = {"at", "hash", "prev", "private_commit", "salt"}
    for fact in ledger.facts_from():
        total.update(canonical({k: v for k, v in fact.items() if k not in left_out}))
    for each in m.Publication.objects.order_by("fact").select_related("pool"):
        total.update(f"{each.pool.name}/{each.seq}/{each.digest}\n".encode())
    for one in m.List.objects.order_by("id").select_related("pool"):
        total.update(f"{one.pool.name}/{one.date}/{one.revision}/{one.digest}\n".encode())
    return total.hexdigest()
