"""A person is suppressed: nobody may see any more who it is, and the results stay."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence

from ratingbook.model import Findings, Severity
from ratingbook.model.sentences import sentence
from ratingbook.office.acts.ages import EVER, as_said, columns_of, kept_births
from ratingbook.office.acts.audit import note
from ratingbook.office.acts.masking import count_surnames, names_suppressed
from ratingbook.office.acts.naming import Came, files_naming
from ratingbook.office.acts.people import exists, one_with
from ratingbook.office.acts.registry import (
    STAND_INS,
    refuse_suppressed,
    suppressed,
)
from ratingbook.office.acts.sweeping import suppressed_left, sweep, sweep_suppressed
from ratingbook.office.home import Home
from ratingbook.office.logic.chain import commitment, new_salt
from ratingbook.office.logic.masked import FILES_DELETED, SUPPRESSED, token
from ratingbook.office.refused import refuse
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import Who, acting, check_may
from ratingbook.rules.wording import either


def suppress(
    home: Home, person: int, reason: str, who: Who, *, with_files: bool = False
) -> tuple[int, Findings]:
    """Let nobody see who a person is: results stay for the sake of opponents, names go.

    Birth dates are deleted; where published numbers rest on one, a date that gives the same stands
    in for it, a year for a year, which tells no more than these.  With ``with_files`` the bytes of
    the files that name the person are deleted, which name others too, also where the person is
    suppressed already.  There is no way back.
    """
    check_may(who, "*")
    every = all_of(person)
    if not reason.strip():
        raise refuse(
            "office.reason", sentence("To suppress needs a reason."), "Give one with --reason."
        )
    fact, findings = _suppress(home, every, reason, who, with_files=with_files)
    if names_suppressed(reason):
        findings.add(
            Severity.WARNING, "office.reason-names-person",
            sentence("The reason has the name of the person, or a part of it."),
            remedy=sentence("It is covered wherever the reason is shown, and stays in the ledger "
                            "as it was written: a reason is never changed."),
        )  # fmt: skip
    _tell_surnames(fact, findings)
    return fact, findings


def all_of(person: int) -> list[int]:
    """The numbers of a person: the own one first, then those of whom it was found to be."""
    exists(person)
    return one_with(person)


def _suppress(
    home: Home, every: Sequence[int], reason: str, who: Who, *, with_files: bool
) -> tuple[int, Findings]:
    one = every[0]
    is_again = one in suppressed()
    left = _left_of(home, every) if with_files and is_again else {}
    if is_again:
        # Whoever suppressed the person may have been broken off before this.
        _empty_cache(home)
    if with_files:
        # What a broken receipt has left may name anybody, and nothing refers to it.
        sweep(home)
    kept = files_naming(home, every)
    files = [each.sha256 for each in kept.named]
    if with_files and is_again:
        return _delete_files(home, every, files, left, reason, who)
    refuse_suppressed(one)
    births, salt = kept_births(home, every), new_salt()
    with acting(who) as act:
        refuse_suppressed(one)
        fact = act.fact(
            SUPPRESSED, *(("person", each) for each in sorted(every)), reason=reason,
            payload={"files": files if with_files else [], STAND_INS: len(births)},
            private_commit=commitment(salt, as_said(births.values())) if births else None,
        )  # fmt: skip
        live = {"person__in": every, "revoked_by__isnull": True}
        for model in (m.PersonName, m.ExternalId, m.PersonAttribute):
            model._default_manager.filter(**live).update(revoked_by=fact)
        for each in every:
            m.PersonName.objects.create(person_id=each, text=token(each), kind="main", fact=fact)
        m.NameKey.objects.filter(person__in=every).delete()
        for private in (m.PersonPrivate, m.FormerBirth):
            private._default_manager.filter(person__in=every).delete()
        for (person, until), born in births.items():
            row = {"person_id": person, "salt": salt, "fact": fact, **columns_of(born)}
            if until == EVER:
                m.PersonPrivate.objects.create(**row)
            else:
                m.FormerBirth.objects.create(**row, until=until)
        m.EntryPrivate.objects.filter(entry__link__person__in=every).delete()
        if with_files:
            m.Blob.objects.filter(sha256__in=files).update(suppressed_by=fact)
        # Once the fact holds, whatever ends this act has left nothing of before; and again below,
        # for what others have put there until then.
        _empty_cache(home)
    if with_files:
        sweep_suppressed(home)
    _empty_cache(home)
    if files and not with_files:
        act.findings.add(
            Severity.INFO, "office.files-name-person",
            either(
                len(files), "{count} kept file still names the person.",
                "{count} kept files still name the person.",
            ),
            remedy=sentence(
                "If nobody may see these any more: `ratingbook office person suppress {person} "
                "--with-files --reason TEXT` deletes them.",
                person=one,
            ),
        )  # fmt: skip
    _tell_not_searched(kept.not_searched, act.findings)
    note(who, "suppress", str(one), sentence("done"))
    return fact, act.findings


def _tell_not_searched(files: Sequence[Came], findings: Findings) -> None:
    """What unpacks to more than any file that is read may name anybody."""
    if files:
        findings.add(
            Severity.WARNING, "office.files-not-searched",
            either(
                len(files),
                "{count} kept archive was not searched for the name, since it unpacks to more than "
                "is read: {files}.",
                "{count} kept archives were not searched for the name, since they unpack to more "
                "than is read: {files}.",
                files=", ".join(each.sha256[:12] for each in files),
            ),
            remedy=sentence(
                "Look whether somebody is named there: `ratingbook office audit fact:{fact}` "
                "says with what it came.",
                fact=files[0].fact,
            ),
        )  # fmt: skip


def _tell_surnames(fact: int, findings: Findings) -> None:
    """What no mask can find: a surname alone may be anybody's."""
    count = count_surnames(fact)
    if count:
        findings.add(
            Severity.WARNING, "office.surname-in-reasons",
            either(
                count, "{count} reason of an act names the person, or a namesake, by the surname "
                "alone, and is shown as it is.",
                "{count} reasons of acts name the person, or a namesake, by the surname alone, "
                "and are shown as they are.",
            ),
            remedy="`ratingbook office audit SURNAME` finds them. Reasons are never changed: tell "
            "the person.",
        )  # fmt: skip


def _empty_cache(home: Home) -> None:
    """Throw away the snapshots: they hold birth dates, and pages and files with names."""
    for snapshot in home.snapshots.iterdir():
        shutil.rmtree(snapshot, ignore_errors=True)


def _left_of(home: Home, people: Sequence[int]) -> dict[str, int]:
    """The files that facts about a person have deleted, and that are there, by these facts."""
    about = m.FactSubject.objects.filter(kind="person", subject__in=[str(each) for each in people])
    facts = set(about.values_list("fact", flat=True))
    return {sha256: fact for sha256, fact in suppressed_left(home).items() if fact in facts}


def _delete_files(
    home: Home,
    people: Sequence[int],
    files: Sequence[str],
    left: Mapping[str, int],
    reason: str,
    who: Who,
) -> tuple[int, Findings]:
    """Delete the files that name somebody who is suppressed already, by a fact of its own.

    Where an earlier fact has deleted them, and whoever gave it was broken off, that one stands.
    """
    if not files and not left:
        raise refuse(
            "office.suppressed",
            sentence("Person {person} is suppressed, and no kept file names them.",
                     person=people[0]),
            sentence("Nothing is to do."),
        )  # fmt: skip
    findings = Findings()
    if files:
        with acting(who) as act:
            fact = act.fact(
                FILES_DELETED, *(("person", each) for each in sorted(people)), reason=reason,
                payload={"files": list(files)},
            )  # fmt: skip
            m.Blob.objects.filter(sha256__in=files).update(suppressed_by=fact)
        findings.extend(act.findings)
        sweep_suppressed(home)
    else:
        fact = max(left.values())
    count = len(files) + len(left)
    findings.add(
        Severity.INFO, "office.files-deleted",
        either(
            count, "{count} kept file that named the person is deleted.",
            "{count} kept files that named the person are deleted.",
        ),
    )  # fmt: skip
    note(who, "suppress", str(people[0]), sentence("done"))
    return fact, findings
