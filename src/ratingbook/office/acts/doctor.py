"""The doctor looks at everything and says what is wrong and how to mend it; it mends nothing."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from functools import partial
from typing import Any

from django.db import DatabaseError, connection, transaction
from django.db.models import Max

from ratingbook.model import Findings, Severity
from ratingbook.model.sentences import sentence
from ratingbook.office.acts import agreement, derived, lists, standings
from ratingbook.office.acts.letting_in import SUBSTITUTIONS
from ratingbook.office.acts.published import table_of
from ratingbook.office.acts.setup import check_tables
from ratingbook.office.acts.snapshots import sexes_of
from ratingbook.office.acts.sweeping import suppressed_left, unknown
from ratingbook.office.home import Home
from ratingbook.office.intake import rows_in
from ratingbook.office.logic.chain import canonical
from ratingbook.office.logic.digests import table_digest
from ratingbook.office.logic.first import first_of
from ratingbook.office.logic.newcomers import READABLE_SEXES
from ratingbook.office.logic.rounding import rounded_one
from ratingbook.office.logic.stable import event_id
from ratingbook.office.refused import OfficeRefused
from ratingbook.office.store import blobs, ledger, triggers
from ratingbook.office.store import models as m
from ratingbook.office.store.away import in_a_line
from ratingbook.office.store.damage import DAMAGED, is_damaged
from ratingbook.office.store.moment import one_state
from ratingbook.office.store.tables import are_of_this_version
from ratingbook.rules.wording import either

_LARGE_WAL = 64 * 1024 * 1024
_DECIMALS = range(13)
"""With which ratings may have been published; a double has no more."""
_OF_DATABASE: tuple[type[Exception], ...] = (DatabaseError, *DAMAGED)
_RESTORE = "Restore the last backup: ratingbook office restore BACKUP --home NEW-FOLDER."


def examine(home: Home) -> Findings:
    """All that is wrong in an office."""
    findings = Findings()
    if not _guarded(findings, sentence("the tables"), lambda: _migrations(findings)):
        _files_alone(home, findings)
    if findings.refused:
        return findings
    # Not of the same moment: a file may go as soon as a fact says so.
    _guarded(findings, sentence("kept files"), lambda: _files(home, findings))
    with one_state():
        _look_at_rows(home, findings)
    return findings


def _look_at_rows(home: Home, findings: Findings) -> None:
    """All that is wrong with rows, and with what they say of files, at one moment."""
    looks: list[tuple[str, Callable[[], None]]] = [
        (sentence("the database"), lambda: _pages(findings)),
        (sentence("the chain of facts"), lambda: _chain(findings)),
        (sentence("triggers"), lambda: _triggers(findings)),
        (sentence("documents"), lambda: _documents(findings)),
        (sentence("rows of documents"), lambda: _rows_of_documents(findings)),
        (sentence("persons"), lambda: _people(findings)),
        (sentence("runs"), lambda: _runs(home, findings)),
        (sentence("published numbers"), lambda: _changes(home, findings)),
        (sentence("games of lists"), lambda: _games_of_lists(home, findings)),
        (sentence("standings of imports"), lambda: standings.look(home, findings)),
        (sentence("the log of the database"), lambda: _wal(home, findings)),
    ]
    for what, look in looks:
        _guarded(findings, what, look)
    compared: list[derived.Check] = []
    _guarded(findings, sentence("facts"), lambda: compared.extend(agreement.checks(home)))
    for each in compared:
        _guarded(findings, each.what, partial(agreement.tell, findings, each))


def _guarded(findings: Findings, what: str, look: Callable[[], None]) -> bool:
    """Look, and tell of what is so damaged that nothing can be made of it; whether it could."""
    try:
        # PostgreSQL reads nothing more in a transaction in which a look has failed, but after it.
        with transaction.atomic() if connection.in_atomic_block else nullcontext():
            look()
    except OfficeRefused as refused:
        # What is not installed here, say, is no reason to look at nothing else.
        findings.extend(each for each in refused.findings if each not in list(findings))
    except _OF_DATABASE as error:
        if is_damaged(error):
            told = sentence(
                "{what}: the database is damaged, so that this was not looked at to its end "
                "({error}).",
                what=what,
                error=in_a_line(error),
            )
            _tell(findings, "doctor.database", told, _RESTORE)
            return False
        if not isinstance(error, DAMAGED):
            raise
        _tell(
            findings,
            "doctor.damaged",
            sentence(
                "{what}: a row is damaged, so that this was not looked at to its end ({error}).",
                what=what,
                error=f"{type(error).__name__}: {error}",
            ),
            sentence("Somebody changed rows beside the ledger: compare with a backup."),
        )
    return True


def _tell(findings: Findings, code: str, message: str, remedy: str) -> None:
    findings.add(Severity.ERROR, code, message, remedy=remedy)


def _files_alone(home: Home, findings: Findings) -> None:
    """What can be said of kept files where no row can be read: they are known by their hashes."""
    whole, bad = 0, []
    for name, is_whole in blobs.kept(home):
        whole += is_whole
        if not is_whole:
            bad.append(f"{name[:12]}…")
    findings.add(
        Severity.INFO, "doctor.files-left",
        either(
            whole,
            "{count} kept file can be read, and is as it came.",
            "{count} kept files can be read, and are as they came.",
        ),
        remedy=sentence(
            "Where reports came after the last backup, receive their files again: they lie in "
            "{folder}.",
            folder=home.files,
        ),
    )  # fmt: skip
    if bad:
        _tell_files(findings, bad)


def _pages(findings: Findings) -> None:
    """What the database itself says of its pages and indexes; PostgreSQL says it as it reads."""
    if connection.vendor != "sqlite":
        return
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA integrity_check(10)")
        found = [in_a_line(row) for (row,) in cursor.fetchall() if row != "ok"]
    if found:
        told = sentence("The database is damaged: {error}.", error="; ".join(found[:3]))
        _tell(findings, "doctor.database", told, _RESTORE)


def _migrations(findings: Findings) -> None:
    check_tables()
    if not are_of_this_version():
        _tell(
            findings,
            "doctor.migrations",
            sentence("The tables are not those of this version."),
            "If no backup is there, make one with the version before; then run `ratingbook office "
            "migrate`.",
        )


def _chain(findings: Findings) -> None:
    last = None
    facts = []
    end = m.Fact.objects.aggregate(last=Max("seq"))["last"] or 0
    for fact in ledger.facts_from(1, end):
        facts.append(fact)
        last = fact
    for seq, why in ledger.broken_links(facts):
        _tell(
            findings,
            "doctor.chain",
            sentence("Fact {seq} {why}: somebody changed the ledger.", seq=seq, why=why),
            sentence("Compare with a backup, or a bundle of that time, which holds the chain."),
        )
    head = ledger.head()
    if (head.seq, head.hash) != ((last["seq"], last["hash"]) if last else (0, head.hash)):
        _tell(
            findings,
            "doctor.head",
            sentence(
                "The head names fact {seq}, and the chain ends at {last}.",
                seq=head.seq,
                last=last["seq"] if last else 0,
            ),
            sentence("Compare with a backup: facts at the end are missing."),
        )


def _triggers(findings: Findings) -> None:
    wanted, there = triggers.wanted(connection.vendor), triggers.present(connection)
    missing = sorted(name for name in wanted if name not in there)
    other = sorted(
        name for name, text in wanted.items()
        if name in there and " ".join(there[name].split()) != " ".join(text.split())
    )  # fmt: skip
    if missing or other:
        _tell(
            findings,
            "doctor.triggers",
            either(
                len(missing) + len(other),
                "{count} trigger that keeps facts is missing or changed: {some}.",
                "{count} triggers that keep facts are missing or changed: {some}.",
                some=first_of([*missing, *other]),
            ),
            "`ratingbook office migrate` makes them anew; then look whether facts were changed.",
        )


def _files(home: Home, findings: Findings) -> None:
    bad = []
    for each in m.Blob.objects.filter(suppressed_by__isnull=True).order_by("sha256"):
        try:
            blobs.load(home, each.sha256)
        except OfficeRefused as refused:
            # One that was suppressed meanwhile is gone rightly.
            if "office.file-suppressed" not in {one.code for one in refused.findings}:
                bad.append(f"{each.sha256[:12]}…")
    if bad:
        _tell_files(findings, bad)
    _suppressed_files(home, findings)
    left = [f"{each.parent.name}{each.name}"[:12] + "…" for each in unknown(home)]
    if left:
        findings.add(
            Severity.WARNING, "doctor.unknown-files",
            either(
                len(left),
                "{count} file is kept that nothing refers to: {some}. A receipt was broken off.",
                "{count} files are kept that nothing refers to: {some}. Receipts were broken off.",
                some=first_of(left),
            ),
            remedy=sentence(
                "`ratingbook office backup OUT` deletes them, as does `person suppress PERSON "
                "--with-files`. Send a report again that was not acknowledged."
            ),
        )  # fmt: skip


def _suppressed_files(home: Home, findings: Findings) -> None:
    """What a suppression was to delete, and has not, since it was broken off."""
    left = suppressed_left(home)
    if left:
        about = m.FactSubject.objects.filter(fact__in=left.values(), kind="person")
        persons = sorted({int(each) for each in about.values_list("subject", flat=True)})
        _tell(
            findings,
            "doctor.suppressed-files",
            either(
                len(left),
                "{count} file is still there that a fact has deleted: {some}. Whoever suppressed "
                "the person was broken off.",
                "{count} files are still there that facts have deleted: {some}. Whoever suppressed "
                "the persons was broken off.",
                some=first_of([f"{each[:12]}…" for each in sorted(left)]),
            ),
            sentence(
                "`ratingbook office person suppress {person} --with-files --reason TEXT`, given "
                "again, deletes them, as does `ratingbook office backup OUT`.",
                person=persons[0],
            ),
        )


def _tell_files(findings: Findings, bad: Sequence[str]) -> None:
    _tell(
        findings,
        "doctor.files",
        either(
            len(bad),
            "{count} kept file is missing or damaged: {some}.",
            "{count} kept files are missing or damaged: {some}.",
            some=first_of(bad),
        ),
        "Restore the folder `files` from a backup; files are known by their hashes.",
    )


def _documents(findings: Findings) -> None:
    """The rows of each version stand in the document that its fact names."""
    bad = []
    for each in m.ReportVersion.objects.order_by("id").iterator():
        document = zlib.decompress(bytes(each.document))
        sha256 = hashlib.sha256(document).hexdigest()
        fact = m.Fact.objects.filter(seq=each.fact).first()
        if sha256 != each.document_sha256 or fact is None or fact.payload["document"] != sha256:
            bad.append(
                sentence(
                    "report {report}, version {number}",
                    report=each.report_id,
                    number=each.number,
                )
            )
    if bad:
        _tell(
            findings,
            "doctor.documents",
            either(
                len(bad),
                "{count} document is not of its fact: {some}.",
                "{count} documents are not of their facts: {some}.",
                some=first_of(bad),
            ),
            sentence("Compare with a backup."),
        )


_OF_GAMES = (
    "number", "round", "white__number", "black__number", "half_points", "status", "rated",
    "handicap", "start", "end", "reported",
)  # fmt: skip


def _rows_of_documents(findings: Findings) -> None:
    """The games, sections and entries of each version are those of its document."""
    games, others = [], []
    told = m.Fact.objects.filter(kind="received", payload__has_key=SUBSTITUTIONS)
    with_substitutions = set(told.values_list("seq", flat=True))
    for each in m.ReportVersion.objects.select_related("report").order_by("id").iterator():
        key = each.report.event_key
        said = rows_in(bytes(each.document), key)
        if said is None:
            continue
        version = sentence(
            "report {report}, version {number}", report=each.report_id, number=each.number
        )
        held = (
            m.Game.of(each.id).order_by("number").values_list("version", *_OF_GAMES, "stable_key")
        )
        of_version = (each.id,) * len(said.keys)
        replaced = m.Substitution.objects.filter(version=each.id).order_by("number", "side")
        # Whose fact says nothing of it is rated without it.
        wanted = sorted(map(tuple, said.substitutions)) if each.fact in with_substitutions else []
        if list(held) != sorted(zip(of_version, *said.games[1:], said.keys, strict=True)) or (
            list(replaced.values_list("number", "side", "entry__number")) != wanted
        ):
            games.append(version)
        sections = m.Section.objects.filter(version=each.id).order_by("id").values_list(
            "name", "event", "start", "end", "facts"
        )  # fmt: skip
        named = [(s.name, event_id(key, s.event), s.start, s.end, dict(s.facts))
                 for s in said.sections]  # fmt: skip
        entries = m.Entry.objects.filter(version=each.id).values_list("number", "name", "printed")
        printed = {e.number: (e.name, canonical(dict(e.printed))) for e in said.entries}
        if list(sections) != named or printed != {
            number: (name, canonical(what)) for number, name, what in entries
        }:
            others.append(version)
    remedy = sentence("Somebody changed rows beside the ledger: compare with a backup.")
    if games:
        _tell(
            findings,
            "doctor.games",
            either(
                len(games),
                "The games of {count} report are not those of its document: {some}.",
                "The games of {count} reports are not those of their documents: {some}.",
                some=first_of(games),
            ),
            remedy,
        )
    if others:
        _tell(
            findings,
            "doctor.sections",
            either(
                len(others),
                "Sections or entries of {count} report are not those of its document: {some}.",
                "Sections or entries of {count} reports are not those of their documents: {some}.",
                some=first_of(others),
            ),
            remedy,
        )


def _people(findings: Findings) -> None:
    """What is said of persons can be read by a run; an office that is restored has it, too."""
    read = sexes_of(ledger.head().seq)
    bad = sorted(person for person, text in read.items() if text not in READABLE_SEXES)
    if bad:
        whose = [sentence("person {person}", person=each) for each in bad]
        findings.add(
            Severity.WARNING, "doctor.sex",
            either(
                len(bad),
                "The sex of {count} person is not understood, so that no run can rate: {some}.",
                "The sexes of {count} persons are not understood, so that no run can rate: {some}.",
                some=first_of(whose),
            ),
            remedy="Say it anew: `ratingbook office person edit PERSON --set sex=w`, or m, or "
            "nothing.",
        )  # fmt: skip


def _games_of_lists(home: Home, findings: Findings) -> None:
    """The newest revision of each list prints the games of its period."""
    newest = {(one.pool_id, one.date): one for one in _lists_in_order()}
    for one in newest.values():
        if lists.lacks_games(home, one):
            findings.add(
                Severity.WARNING,
                "doctor.games-of-list",
                sentence(
                    "The list of {day} of the pool {pool} prints nobody's games of the period.",
                    day=one.date,
                    pool=one.pool.name,
                ),
                remedy="An older program made it so. Make its next revision: "
                f"ratingbook office list --make {one.date} --pool {one.pool.name}.",
            )


def _lists_in_order() -> Iterable[m.List]:
    return m.List.objects.select_related("pool", "run").order_by("pool", "date", "revision")


def _changes(home: Home, findings: Findings) -> None:
    """The rows that readers see of each publication are those of its run."""
    bad = []
    for each in m.Publication.objects.select_related("run").order_by("fact"):
        names = ["key", "player", "turn", "before", "after", "games", "score", "date"]
        try:
            table = table_of(home, each.run.file_id or "", names)
        except OfficeRefused:
            continue
        columns = (table[name].to_pylist() for name in names)
        made = {(key, str(who), turn): rest for key, who, turn, *rest in zip(*columns, strict=True)}
        rows = m.Change.objects.filter(run=each.run).values_list(
            "batch__key", "person", "turn", "gone", "day", "before", "after", "games", "score"
        )
        report, count = each.run.report, 0
        for key, person, turn, gone, day, *rest in rows.iterator():
            count += 1
            *wanted, made_on = made.get((key, str(person), turn), (None,))
            is_elsewhere = day is not None and day != made_on
            is_other = is_elsewhere or not _is_shown(wanted or None, rest)
            if bool(wanted) if gone else is_other:
                bad.append(
                    sentence(
                        "person {person} in {key}, run {run}",
                        person=person,
                        key=key,
                        run=each.run.id,
                    )
                )
        if count != report["rows"] + report["gone_rows"]:
            bad.append(sentence("rows of run {run} that are missing", run=each.run.id))
    if bad:
        _tell(
            findings,
            "doctor.changes",
            either(
                len(bad),
                "{count} row is not as its run made it: {some}.",
                "{count} rows are not as their runs made them: {some}.",
                some=first_of(bad),
            ),
            sentence(
                "Somebody changed rows beside the ledger: compare with a backup; the file of the "
                "run holds the numbers as they were published."
            ),
        )


def _is_shown(made: Sequence[Any] | None, row: Sequence[Any]) -> bool:
    """Whether a row shows what was made, rounded as the policy was then."""
    if made is None or made[2:] != row[2:]:
        return False
    return any(
        all(
            rounded_one(was, decimals) == shown
            for was, shown in zip(made[:2], row[:2], strict=True)
        )
        for decimals in _DECIMALS
    )


def _runs(home: Home, findings: Findings) -> None:
    """Drafts that nobody works on, and publications whose files are others."""
    alive = m.Job.objects.filter(state="running", kind="run").exists()
    drafts = list(m.Run.objects.filter(state="draft").values_list("id", flat=True))
    if drafts and not alive:
        findings.add(
            Severity.WARNING,
            "doctor.drafts",
            either(
                len(drafts),
                "{count} run was left as a draft: {some}. Nobody sees it.",
                "{count} runs were left as drafts: {some}. Nobody sees them.",
                some=first_of(drafts),
            ),
            remedy="`ratingbook office discard RUN` throws one away.",
        )
    for each in m.Publication.objects.select_related("run"):
        run = each.run
        try:
            parts = [table_of(home, name or "") for name in (run.file_id, run.ratings_id)]
        except OfficeRefused:
            continue
        made = hashlib.sha256("\n".join(map(table_digest, parts)).encode()).hexdigest()
        if made != each.digest:
            _tell(
                findings,
                "doctor.run",
                sentence("The numbers of run {run} are not those that were published.", run=run.id),
                "`ratingbook office replay` makes them again from the facts.",
            )


def _wal(home: Home, findings: Findings) -> None:
    """A reader that stays open lets the log of SQLite grow."""
    log = home.sqlite_file.with_name(home.sqlite_file.name + "-wal")
    if home.is_sqlite and log.exists() and log.stat().st_size > _LARGE_WAL:
        findings.add(
            Severity.WARNING,
            "doctor.wal",
            sentence(
                "The log of the database has {megabytes} MB.", megabytes=log.stat().st_size // 2**20
            ),
            remedy=sentence(
                "Some program keeps a transaction open; end it, the log shrinks by itself."
            ),
        )
