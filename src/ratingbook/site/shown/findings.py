"""What the office notices, as the API tells it: places in their parts, remedies for programs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from ratingbook.model import Finding
from ratingbook.office.acts.masking import mask
from ratingbook.site.languages import SPOKEN
from ratingbook.site.shown.words import (
    REMEDIES,
    SENTENCE,
    UNKNOWN,
    mask_for_sender,
    masked_by_code,
)

_BY_PROGRAMS: Mapping[str, str | Promise] = {
    "office.no-day": _(
        "Send it with `end`, the last day of the event, and `start` if it took several; or have "
        "the days written into the file."
    ),
    "office.said-otherwise": _(
        "Leave out of `start` and `end` what the file says itself, and let none be before the "
        "first day; if the file is wrong, send it put right."
    ),
    "office.no-pool-named": _(
        "Send the file again with `pool`, or ask an officer to put it into one."
    ),
    "office.same-event": _(
        "If it is that event, send the file with the number of its report as `version_of`; if it "
        "is another one, with `another`."
    ),
    "office.same-event-of-others": _(
        "If it is that event, its sender may send a new version, and you may tell the office what "
        "is to be changed; if it is another one, send the file with `another`."
    ),
    "office.another-event": _(
        "If it is a version of that report, ask an officer to refuse this one, and send the file "
        "with the number of that report as `version_of`."
    ),
    "office.known-said": _(
        "Write it into the file, and send that with the number of the report as `version_of`."
    ),
}
"""What is done about findings by the fields of an upload, where pages have other ways."""
_LOOK = _("Ask for the list of them: the number may be mistyped, or it is another one now.")
"""What is done where something is not there, and only a command would list what is."""
_SHELL = re.compile(r"ratingbook|--\w|\bset \w+=")
"""By what a sentence is known that is for a shell; what the API has stands in backquotes, too."""


@dataclass(frozen=True)
class Noticed:
    """Something that a check noticed, and what to do about it."""

    code: str
    severity: str
    message: str
    where: Mapping[str, str | int]
    """File, line, column, section, player, round and path, as far as they are known."""
    remedy: str
    count: int
    """How many cases it sums up."""
    places: tuple[Mapping[str, str | int], ...]
    """Where the first of several cases are."""


def noticed(findings: Iterable[Finding]) -> list[Noticed]:
    """Findings, the gravest first, without the names of who is suppressed."""
    return [_noticed(each) for each in masked_by_code(findings, lambda _: mask())]


def noticed_by_sender(findings: Iterable[Finding]) -> list[Noticed]:
    """The same of an own report, for its sender: with the names as the own file has them."""
    return [_noticed(each) for each in masked_by_code(findings, mask_for_sender)]


def _noticed(said: Mapping[str, Any]) -> Noticed:
    code, remedy = said["code"], SPOKEN.told(said["remedy"])
    for_all = " ".join(each for each in SENTENCE.split(remedy) if not _SHELL.search(each))
    there = _BY_PROGRAMS.get(code) or REMEDIES.get(code, for_all)
    if not there and code.startswith(UNKNOWN):
        there = _LOOK
    return Noticed(
        code=code, severity=str(said["severity"]), message=SPOKEN.told(said["message"]),
        where=said["where"], remedy=str(there),
        count=said.get("count", 1), places=tuple(said.get("places", ())),
    )  # fmt: skip
