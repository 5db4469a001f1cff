"""A person is suppressed where an office has a site: its drafts are no matter of the ledger."""

from __future__ import annotations

from ratingbook.model import Findings, Severity
from ratingbook.model.sentences import sentence
from ratingbook.office.acts import suppressing
from ratingbook.office.home import Home
from ratingbook.office.store.ledger import Who
from ratingbook.rules.wording import either
from ratingbook.site.shown.directing import drafts_naming


def suppress(
    home: Home, person: int, reason: str, who: Who, *, with_files: bool = False
) -> tuple[int, Findings]:
    """Let nobody see who a person is; the findings tell of drafts that name the person, too."""
    people = suppressing.all_of(person)
    fact, findings = suppressing.suppress(home, person, reason, who, with_files=with_files)
    drafts, not_searched = drafts_naming(home, people)
    if drafts:
        findings.add(
            Severity.INFO, "office.drafts-name-person",
            either(
                len(drafts), "{count} draft that was not submitted names the person: {drafts}.",
                "{count} drafts that were not submitted name the person: {drafts}.",
                drafts=", ".join(map(str, drafts)),
            ),
            remedy=sentence("Nobody but their senders sees them, as these wrote them, and nobody "
                            "else can throw them away."),
        )  # fmt: skip
    if not_searched:
        findings.add(
            Severity.WARNING, "office.drafts-not-searched",
            either(
                len(not_searched),
                "{count} draft that was not submitted was not searched for the name, since it "
                "unpacks to more than is read: {drafts}.",
                "{count} drafts that were not submitted were not searched for the name, since they "
                "unpack to more than is read: {drafts}.",
                drafts=", ".join(map(str, not_searched)),
            ),
            remedy=sentence("Ask their senders to throw them away: the office does not take them."),
        )  # fmt: skip
    return fact, findings
