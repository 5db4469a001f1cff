"""What was decided is undone: links, merges and decisions, by facts of their own."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from shlex import quote

from ratingbook.model import Findings, Severity
from ratingbook.model.sentences import row_of, sentence, stated
from ratingbook.office.acts.people import one_with
from ratingbook.office.acts.ready import make_ready
from ratingbook.office.acts.ruled import refuse_undo
from ratingbook.office.acts.same_entries import are_same
from ratingbook.office.refused import refuse
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import Act, Who, acting, check_may
from ratingbook.rules.wording import either

UNDONE = {
    "linked": (m.Link, m.PersonName),
    "merge": (m.PersonRelation,),
    "decision": (m.Decision, m.PersonAttribute),
    "game fixed": (m.GameFix,),
    "section fixed": (m.SectionFix,),
}
"""Which acts can be undone, and what of theirs goes with them."""


def undo(seq: int, reason: str, who: Who, entries: Sequence[str] = ()) -> tuple[int, Findings]:
    """Revoke a link, a merge or a decision, by a fact of its own; the next run shows what comes.

    Of a fact that linked many, ``entries`` are those that are undone; without any it is all.
    """
    check_may(who, "undo")
    if not reason.strip():
        raise refuse(
            "office.reason", sentence("To undo needs a reason."), "Give one with --reason."
        )
    with acting(who) as act:
        fact = _undoable(seq, entries)
        live = m.Link.objects.filter(fact=seq, revoked_by__isnull=True).select_related(
            "entry__version"
        )
        links = {each.entry.number: each for each in live} if fact.kind == "linked" else {}
        chosen = {each: links[each] for each in links if not entries or each in entries}
        _refuse_unlinked(seq, entries, links)
        people = one_with(fact.payload["source"]) if fact.kind == "merge" else ()
        refuse_undo(fact, list(chosen.values()), people)
        if len(chosen) < len(links):
            undone = _undo_some(act, fact, list(chosen.values()), reason)
        else:
            undone = _undo_all(act, fact, reason)
            if len(links) > 1 and not entries:
                act.findings.add(
                    Severity.WARNING,
                    "office.links-undone",
                    either(
                        len(links),
                        "The fact linked {count} entry; it is undone.",
                        "The fact linked {count} entries; all of them are undone.",
                    ),
                    remedy="Link those who were right once more: ratingbook office desk has them. "
                    "Another time `ratingbook office undo FACT --entry ENTRY` undoes only some.",
                )
        _tell_newer(act, list(chosen.values()))
        versions = m.ReportVersion.objects.filter(entry__in=[x.entry_id for x in chosen.values()])
        for version in versions.distinct():
            make_ready(act, version)
    return undone, act.findings


def _undoable(seq: int, entries: Sequence[str]) -> m.Fact:
    """The fact, if it is one of those that are undone."""
    fact = m.Fact.objects.filter(seq=seq).first()
    if fact is None or fact.kind not in UNDONE:
        what = sentence("There is no fact {seq}", seq=seq)
        if fact:
            what = sentence("Fact {seq} is “{kind}”", seq=seq, kind=stated(fact.kind))
        raise refuse(
            "office.undo",
            sentence("{what}; that is not undone.", what=what),
            sentence(
                "What can be undone: {all}. What was received can be withdrawn.",
                all=row_of(map(stated, UNDONE)),
            ),
        )
    if entries and fact.kind != "linked":
        raise refuse(
            "office.undo",
            sentence("Fact {seq} is {kind!r}: it linked no entries.", seq=seq, kind=fact.kind),
            sentence("Undo all of it, without naming entries."),
        )
    if m.Fact.objects.filter(revokes=seq).exists():
        raise refuse(
            "office.undone",
            sentence("Fact {seq} is undone already.", seq=seq),
            sentence("Nothing is to do."),
        )
    return fact


def _refuse_unlinked(seq: int, entries: Sequence[str], links: Collection[str]) -> None:
    """Refuse entries whose links are not, or no longer, by the fact."""
    others = [each for each in entries if each not in links]
    if others:
        raise refuse(
            "office.no-entry",
            sentence("No link by fact {seq} holds of entry {number!r}.", seq=seq, number=others[0]),
            sentence("Those that hold are of {all}.", all=", ".join(links) or sentence("nobody")),
        )


def _undo_all(act: Act, fact: m.Fact, reason: str) -> int:
    subjects = m.FactSubject.objects.filter(fact=fact).values_list("kind", "subject")
    undone = act.fact(
        "undone", *subjects, payload={"fact": fact.seq, "kind": fact.kind}, reason=reason,
        revokes=fact.seq,
    )  # fmt: skip
    for model in UNDONE[fact.kind]:
        model.objects.filter(fact=fact.seq, revoked_by__isnull=True).update(revoked_by=undone)
    return undone


def _undo_some(act: Act, fact: m.Fact, links: Sequence[m.Link], reason: str) -> int:
    """What the fact said of other entries goes on to hold, so nothing revokes the fact itself."""
    entries = sorted(each.entry.number for each in links)
    reports = m.FactSubject.objects.filter(fact=fact, kind="report").values_list("kind", "subject")
    undone = act.fact(
        "undone", *reports, *(("person", each.person_id) for each in links),
        payload={"fact": fact.seq, "kind": fact.kind, "entries": entries}, reason=reason,
    )  # fmt: skip
    m.Link.objects.filter(id__in=[each.id for each in links]).update(revoked_by=undone)
    return undone


def _tell_newer(act: Act, links: Sequence[m.Link]) -> None:
    """A newer version has links of its own: that one is undone does not undo those."""
    by_fact: dict[int, list[str]] = {}
    for each in links:
        newer = m.Link.objects.filter(
            revoked_by__isnull=True, entry__version__report=each.entry.version.report_id,
            entry__version__number__gt=each.entry.version.number, person=each.person_id,
        )  # fmt: skip
        for link in newer.select_related("entry"):
            if are_same(each.entry, link.entry):
                by_fact.setdefault(link.fact, []).append(link.entry.number)
    for fact, numbers in sorted(by_fact.items()):
        only = " ".join(f"--entry {quote(each)}" for each in numbers)
        act.findings.add(
            Severity.WARNING,
            "office.newer-links",
            sentence(
                "A newer version of the report has the same persons by fact {fact}: entries {all}.",
                fact=fact,
                all=", ".join(numbers),
            ),
            remedy=f"Undo that, too, before it is let in: ratingbook office undo {fact} {only}.",
        )
