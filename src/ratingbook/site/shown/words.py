"""What the office says, in the words of its site: findings whose remedy is a page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ratingbook.model import Finding, Severity
from ratingbook.office.acts.masking import mask, mask_for_public, masked_in
from ratingbook.office.logic.stored import told_again
from ratingbook.site.languages import SPOKEN

REMEDIES: Mapping[str, str | Promise] = {
    "office.reason": _("Write the reason into its field."),
    "office.same-event": _(
        "If it is that event, send it as a new version; else say that it is another one."
    ),
    "office.same-event-of-others": _(
        "If it is that event, its sender may send a new version, and you may tell the office what "
        "is to be changed; if it is another one, say so where you submit it."
    ),
    "office.not-yours": _(
        "Whoever sent it may send a new version, and you may tell the office what is to be changed."
    ),
    "office.no-pool-named": _(
        "Choose the pool: the sender sends the file again with it, or an officer lets it in with "
        "it."
    ),
    "office.published-report": _(
        "Ask that it be taken out; it is decided as any other correction."
    ),
    "office.published-version": _(
        "Ask for a correction that lets the version in, or correct the games one by one."
    ),
    "office.list-missed": _("Take it in on the page of the outbox, once it has come."),
    "office.published-number": _(
        "Ask for it on the page of corrections; as many as the pool wants accept it there."
    ),
    "office.taken-out": _("Ask on the page of that correction that it be taken back."),
    "office.pool-published": _("Leave the pool as it is, and ask for a correction."),
    "office.day-to-come": _(
        "Send a file with the right day; if the day is right, an officer lets it in."
    ),
    "office.day-long-ago": _(
        "Send a file with the right day; if the day is right, an officer lets it in."
    ),
    "office.no-day": _(
        "Say the last day of the event with the draft, and the first if it took several; or have "
        "the days written into the file."
    ),
    "office.said-otherwise": _(
        "Leave the days empty that the file says itself, and let none be before the first; if the "
        "file is wrong, send it put right."
    ),
    "office.other-pool": _(
        "Choose the pool of which it is, or send it with what it says put right; else an officer "
        "decides in which pool it is rated."
    ),
    "office.leaves-pool": _(
        "If it is to stay there, ask for a correction of its pool; where both rate it, tell the "
        "office."
    ),
    "office.in-pool-already": _("Nothing is to do; an officer puts it aside."),
    "office.known-pool": _("If it is rated there, too, or there alone, tell the office."),
    "office.reform-not-done": _(
        "If they are of before that day, send the events from which they come, or ask for a "
        "correction of what they come in with."
    ),
    "office.is-published": _("An officer lets the new version in."),
    "office.is-rated": _(
        "Undo the link first, then choose again; the next run shows what changes."
    ),
    "office.not-approved": _("Approve the run first."),
    "office.head-moved": _("Refresh the run; then it is approved anew."),
    "office.undone-since": _("Refresh the run."),
    "office.nothing-ready": _("Look at the reports, and at what they wait for."),
    "office.held": _("When they are ready, the next run rates them in their place."),
    "office.rules-mended": _("Ask for a correction of the rules, and have it accepted."),
    "office.approve-again": _("They have to approve it anew."),
    "office.permission": _("Ask the administrator of the office for the role."),
    "office.actor": _("Ask the administrator of the office."),
    "office.contradicts": _("Look at both, and decide them together."),
    "office.contradicted": _(
        "Decide first which of them is right, and refuse the other; or say that you accept this "
        "one all the same. What is accepted last holds."
    ),
    "office.let-in": _(
        "Compare its games with the file; hold it if games are missing, and ask the sender for a "
        "file without these faults."
    ),
    "office.not-identified": _("Say at the desk who they are."),
    "office.at-desk": _("Say at the desk who it is."),
    "office.anomaly": _("It decides nothing; an officer looks at the games."),
    "file.players": _("Send the report of an event: its players with their games."),
    "file.too-large": _("Send a file for each event."),
    "json.encoding": _("Save it as UTF-8."),
    "report.version": _(
        "Send the file that the program of the event exports, or write it as a report document."
    ),
    "table.ambiguous": _("Leave one of the columns, or rename the other."),
    "table.no-results": _("Call the column of the results “result”."),
    "table.none": _("Write the names of the columns above the table: round, white, black, result."),
    "table.numbering": _("Call the column of these numbers “number”."),
    "table.understood": _(
        "Look whether each column was read as what it is; call one that was not what it is."
    ),
    "table.unknown-column": _("If a column matters, call it what it holds."),
    "h9.even": _("If stones were on the board, write them into the results (12+/w3)."),
    "fide.below-floor": _("Check that these are FIDE ratings."),
    "office.files-name-person": _(
        "If nobody may see these any more, delete them on the page on which the person was "
        "suppressed."
    ),
    "office.surname-in-reasons": _(
        "Search the audit for the surname. Reasons are never changed: tell the person."
    ),
    "office.mail": _(
        "Let whoever runs the server mend “mail” in office.json; then let those wait again that "
        "failed."
    ),
    "health.backup": _("Make one on the page of backups, and keep it on another disk."),
    "health.jobs": _("They are taken up as soon as a worker runs."),
}
UNKNOWN = "office.no-"
"""How the codes of findings begin that say that there is no such thing."""
_PLACES: Mapping[str, str | Promise] = {
    "line": _("line"), "column": _("column"), "section": _("section"), "player": _("player"),
    "round": _("round"), "path": _("field"),
}  # fmt: skip
_ORDER = {key: at for at, key in enumerate(_PLACES)}
COMMAND = re.compile(r"ratingbook|`|--\w|\bset \w+=")
"""By what a remedy is known that is for a shell."""
_LISTED = re.compile(r"(games|players)\[(\d+)\]")
SENTENCE = re.compile(r"(?<=[.。])\s+")
"""Between two sentences of a remedy."""


@dataclass(frozen=True)
class Told:
    """A finding as a page shows it."""

    code: str
    severity: str
    message: str
    where: str
    remedy: str

    @property
    def refuses(self) -> bool:
        """Whether nothing goes on before it is mended."""
        return self.severity in ("error", "fatal")


def told(
    findings: Iterable[Finding | Mapping[str, Any]], names: Mapping[str, str] = {}
) -> list[Told]:
    """Findings, the gravest first; ``names`` are those of the players of the report."""
    return _told_masked(findings, names, lambda _: mask())


OF_OTHERS = frozenset({"office.not-yours", "office.same-event-of-others", "office.sent-by-others"})
"""By which refusals a report is the matter of another sender."""
LIKE_ANOTHER = frozenset({"office.same-event", "office.same-event-of-others"})
"""By which refusals a report is taken for another one of which it may only have the look."""


def told_to_sender(
    findings: Iterable[Finding | Mapping[str, Any]], names: Mapping[str, str] = {}
) -> list[Told]:
    """The same of an own report, for its sender: with the names as the own file has them.

    Else a guessed name would be answered by what the office calls that person.
    """
    return _told_masked(findings, names, mask_for_sender)


def mask_for_sender(code: str) -> Callable[[str], str]:
    """What takes names out of a finding of an own report: only reports of others have any."""
    return mask_for_public() if code in OF_OTHERS else str


def _told_masked(
    findings: Iterable[Finding | Mapping[str, Any]], names: Mapping[str, str],
    hiding: Callable[[str], Callable[[str], str]],
) -> list[Told]:  # fmt: skip
    return [_told(each, names) for each in masked_by_code(findings, hiding)]


def masked_by_code(
    findings: Iterable[Finding | Mapping[str, Any]], hiding: Callable[[str], Callable[[str], str]]
) -> list[Mapping[str, Any]]:
    """Findings as they are written down, the gravest first.

    ``hiding`` gives for each code what takes names out.
    """
    said = [each.as_dict() if isinstance(each, Finding) else told_again(each) for each in findings]
    masks = {code: hiding(code) for code in {str(each["code"]) for each in said}}
    said.sort(key=lambda each: Severity(str(each["severity"])).rank)
    return [masked_in(each, masks[str(each["code"])]) for each in said]


def _told(said: Mapping[str, Any], names: Mapping[str, str]) -> Told:
    where = said.get("where") or {}
    parts = []
    # Findings that are kept have their places in another order.
    for key, value in sorted(where.items(), key=lambda each: _ORDER.get(each[0], len(_ORDER))):
        if key == "player" and _begins(said["message"], names.get(value)):
            # The sentence begins with the name, and need not be told it twice.
            continue
        if key == "player" and value in names:
            parts.append(f"{names[value]} ({value})")
        elif key == "path" and (found := _LISTED.fullmatch(str(value))):
            # Who typed an event in, or sent a file of another kind, knows of no fields.
            said_of = {"games": gettext("game {n}"), "players": gettext("player {n}")}[found[1]]
            parts.append(said_of.format(n=int(found[2]) + 1))
        elif key not in ("file",):
            parts.append(f"{_PLACES.get(key, key)} {value}")
    # What is to be done at a shell is no help to who reads a page.
    sentences = SENTENCE.split(SPOKEN.told(said.get("remedy") or ""))
    told = " ".join(each for each in sentences if not COMMAND.search(each))
    return Told(
        said["code"], str(said["severity"]), _plain(SPOKEN.told(said["message"])),
        ", ".join(parts), str(REMEDIES.get(said["code"], told)),
    )  # fmt: skip


def _begins(message: str, name: str | None) -> bool:
    """Whether a sentence begins with a name, and not with a longer word."""
    return bool(name and re.match(rf"{re.escape(name)}(?!\w)", message))


def _plain(message: str) -> str:
    return message.replace("`", "")
