"""Receipts: what a sender is told of a report, in words."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from ratingbook.model.sentences import unpacked
from ratingbook.office.acts import states
from ratingbook.office.acts.amendments import pools_of_sections, shown_states
from ratingbook.office.acts.entering import document_of
from ratingbook.office.acts.holding import findings_now, reason_now
from ratingbook.office.acts.masking import mask_for_public, masked_in
from ratingbook.office.acts.senders import settled_by_office, state_told
from ratingbook.office.acts.twice import shared
from ratingbook.office.logic.doubts import FOR_OFFICERS
from ratingbook.office.refused import refuse
from ratingbook.office.store import ledger
from ratingbook.office.store import models as m
from ratingbook.rules.wording import either

_PLAYERS = ("{count} player", "{count} players")
_GAMES = ("{count} game", "{count} games")
_UNDATED = ("{count} further game has no day", "{count} further games have no day")


@dataclass(frozen=True)
class Receipt:
    """What the office says of a report that it has, with the names as its file has them.

    Whoever sends a guessed name would else be told by it who is suppressed.
    """

    number: str
    """REPORT-VERSION-FACT: names the file for ever."""
    at: datetime
    file: str
    sha256: str
    format: str
    sections: tuple[dict[str, Any], ...]
    entries: int
    games: int
    undated: int
    """Further games of which no day is known: nobody is asked who played them."""
    waiting: tuple[str, ...]
    """Of whom no number says who they are, until the report is published."""
    twice: tuple[str, ...]
    """Entries that are one person."""
    difference: tuple[str, ...]
    findings: tuple[dict[str, Any], ...]
    is_kept: bool
    """Whether the bytes are still there: files that name a suppressed person may be deleted."""
    head: str
    """The hash of the fact: whoever keeps it can prove what was received."""

    def words(self) -> list[str]:
        """The receipt as a letter."""
        said = [
            f"Receipt {self.number}",
            f"{self.file} came on {self.at:%Y-%m-%d at %H:%M} UTC and is kept under SHA-256 "
            f"{self.sha256}."
            if self.is_kept
            else f"{self.file} came on {self.at:%Y-%m-%d at %H:%M} UTC. It was deleted since then "
            f"with a person whom it named; its SHA-256 was {self.sha256}.",
            f"It is read as {self.format}: {either(self.entries, *_PLAYERS)}, "
            f"{either(self.games, *_GAMES)}.",
        ]
        if self.undated:
            said.append(either(self.undated, *_UNDATED) + ".")
        for each in self.sections:
            name = f"Section {each['section']}" if each["section"] else "The event"
            pool = f" in the pool {each['pool']}" if each["pool"] else ""
            why = f": {each['reason']}" if each["reason"] else ""
            said.append(f"{name}{pool} is {each['state']}{why}.")
        if self.waiting:
            said.append(
                f"No number says who these are, the office settles it: {'; '.join(self.waiting)}."
            )
        if self.twice:
            said.append(f"These entries are one person: {'; '.join(self.twice)}.")
        if self.difference:
            said.append("Against the version that counted: " + "; ".join(self.difference) + ".")
        for each in self.findings:
            where = f"Player {p}: " if (p := each["where"].get("player")) else ""
            said.append(f"{each['severity']}: {where}{each['message']} {each['remedy']}".rstrip())
        if not self.findings:
            said.append("Nothing was found to be wrong or odd.")
        said.append(f"The ledger has it as {self.head}.")
        return said


def receipt(report: int, version: int | None = None) -> Receipt:
    """The receipt of a report, of its newest version or of an earlier one."""
    versions = m.ReportVersion.objects.filter(report=report)
    one = (
        versions.filter(number=version).first() if version is not None
        else versions.order_by("-number").first()
    )  # fmt: skip
    if one is None:
        what = f"version {version} of report {report}" if version else f"report {report}"
        raise refuse(
            "office.no-report", f"There is no {what}.", "`ratingbook office reports` lists them."
        )
    fact = m.Fact.objects.get(seq=one.fact)
    sections = {each.id: each for each in m.Section.objects.filter(version=one).order_by("id")}
    now = shown_states(sections)
    pools = dict(m.Pool.objects.values_list("id", "name"))
    moved = pools_of_sections(ledger.head().seq)
    names = m.Entry.objects.filter(version__report=report).values_list("name", flat=True)
    said, masked = [], mask_for_public(written=names)
    is_open = any(each != states.PUBLISHED for each in now.values())
    settled = settled_by_office([one.id]).get(one.id, []) if is_open else []
    for number, each in sections.items():
        step = m.SectionStep.objects.filter(section=number).order_by("-fact").first()
        reason = m.Fact.objects.get(seq=step.fact).reason if step else ""
        pool = pools.get(moved.get(number, each.pool) or 0)
        said.append(
            {"section": each.name, "pool": pool, "state": state_told(now.get(number, ""), settled),
             "end": each.end,
             "reason": masked_in(reason_now(reason, pool), masked)}
        )  # fmt: skip
    return Receipt(
        number=f"{report}-{one.number}-{one.fact}",
        at=fact.at,
        file=one.file_name,
        sha256=one.blob_id,
        format=one.format,
        sections=tuple(said),
        entries=m.Entry.objects.filter(version=one).count(),
        games=(games := m.Game.of(one.id).count()),
        undated=_games_in(one) - games,
        waiting=tuple(each.name or each.number for each in settled),
        twice=tuple(", ".join(each) for each in shared(one.id).values()),
        difference=tuple(map(unpacked, one.difference)),
        findings=tuple(dict(x) for x in findings_now(one) if x["code"] not in FOR_OFFICERS),
        is_kept=one.blob.suppressed_by is None,
        head=fact.hash,
    )


def _games_in(one: m.ReportVersion) -> int:
    """How many games of two players the file has."""
    document = document_of(one)
    known = {each["id"] for each in document["players"]}
    return sum(
        each.get("white") in known and each.get("black") in known for each in document["games"]
    )
