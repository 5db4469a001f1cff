"""What tokens are for: reports that are sent and where they stand, and the desk of the office."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from ninja import File, Form, Query, Schema
from ninja.files import UploadedFile
from pydantic import Field

from ratingbook.office.acts import receive, states
from ratingbook.office.acts.reports import own_reports
from ratingbook.office.home import current
from ratingbook.office.intake import Said
from ratingbook.office.refused import OfficeRefused, refuse
from ratingbook.site import uploads
from ratingbook.site.accounts import reader_of
from ratingbook.site.answers import Table, as_json
from ratingbook.site.api.answers import OnlyJson, Paging, given, parts, rows_as_table
from ratingbook.site.api.described import part_model
from ratingbook.site.api.operations import SPACE, reads, writes
from ratingbook.site.api.public import Day, Number, Text
from ratingbook.site.problems import problem
from ratingbook.site.shown import desk_tables, directing
from ratingbook.site.shown.findings import Noticed, noticed_by_sender
from ratingbook.site.shown.reports import ReportLine, lines_of, open_reports, own_lines
from ratingbook.site.tokens import token_of


@dataclass(frozen=True)
class Me:
    """Whose token it is, and what it may do."""

    name: str
    actor: str
    roles: tuple[str, ...]
    person: int | None
    scopes: tuple[str, ...]
    until: datetime


@reads("/me", "me", Me)
def me(request: HttpRequest, shape: Query[OnlyJson]) -> HttpResponse:
    """Whose token this is."""
    reader, token = reader_of(request), token_of(request)
    assert token is not None
    roles, scopes = tuple(sorted(reader.roles)), tuple(token.scopes)
    return given(
        request, Me(reader.name, reader.actor, roles, reader.person, scopes, token.until), shape
    )


def _lines(rows: Sequence[ReportLine]) -> Table:
    return rows_as_table(ReportLine, rows)


def _parts(
    request: HttpRequest, paging: Paging, numbers: Sequence[int],
    lines: Callable[[Sequence[int]], Sequence[ReportLine]],
) -> HttpResponse:  # fmt: skip
    return parts(
        request, paging, lambda first, most: lines(numbers[first : first + most]),
        lambda line: line.report, _lines,
    )  # fmt: skip


@reads("/reports", "reports", part_model(ReportLine), has_table=True)
def my_reports(request: HttpRequest, paging: Query[Paging]) -> HttpResponse:
    """The reports that the owner of the token sent, as they came."""
    return _parts(request, paging, sorted(own_reports(reader_of(request).actor)), own_lines)


@dataclass(frozen=True)
class Received:
    """What the office did with a report."""

    id: int
    version: int
    state: str
    is_new: bool
    """False: the office had this very file."""
    sha256: str
    waiting: int
    """Players at the desk; for who is no officer all whom no number of the report names."""
    difference: tuple[str, ...]
    findings: tuple[Noticed, ...]


class Sent(Schema):
    """What is said of a report beside its files."""

    pool: Text = ""
    version_of: Number | None = None
    another: bool = False
    start: Day | None = Field(None, description="First day, where the file does not say it.")
    end: Day | None = Field(None, description="Last day, where the file does not say it.")


@writes("/reports", "send_report", {201: Received, 200: Received}, route="reports")
def send_report(
    request: HttpRequest, files: File[list[UploadedFile]], sent: Form[Sent]
) -> HttpResponse:
    """Send a report: one file, or several that belong together.

    `pool`, `start` and `end` (YYYY-MM-DD) where the report does not say them, `version_of` for a
    new version of an own report, `another` where it is another event than it looks like. The same
    file twice changes nothing.
    """
    reader = reader_of(request)
    if sent.version_of is not None and sent.version_of not in own_reports(reader.actor):
        raise refuse("office.no-report", f"Report {sent.version_of} is not yours.", "Send it new.")
    said_of = Said(sent.start, sent.end)
    options = receive.Options(sent.pool or None, sent.version_of, sent.another, said=said_of)
    try:
        with uploads.reported(files) as path:
            found = receive.receive(current(), path, reader.who(), options)
        if found.id is None or found.version is None or _is_refused(found):
            raise OfficeRefused(found.findings)
    except OfficeRefused as refused:
        return _refused(refused)
    said = Received(
        id=found.id, version=found.version, state=found.state, is_new=found.is_new,
        sha256=found.sha256, waiting=found.waiting, difference=tuple(found.difference),
        findings=tuple(noticed_by_sender(found.findings)),
    )  # fmt: skip
    made = as_json(said)
    made.status_code = 201 if found.is_new else 200
    # Of a file that somebody else has sent before there is nothing to be read here.
    if found.id in own_reports(reader.actor):
        made.headers["Location"] = reverse(f"{SPACE}:report", args=(found.id,))
    return made


def _is_refused(found: receive.Received) -> bool:
    """Whether findings keep it out; what an officer refused before is answered as it is."""
    return found.state == states.REFUSED and found.findings.refused


def _refused(refused: OfficeRefused) -> HttpResponse:
    findings = noticed_by_sender(refused.findings)
    return problem(422, findings, "The office refuses this report")


@reads("/reports/{number:number}", "report", directing.MyReport, tag="reports")
def my_report(request: HttpRequest, number: int, shape: Query[OnlyJson]) -> HttpResponse:
    """How far an own report is: its road, versions, and corrections."""
    found = directing.my_report(number, reader_of(request).actor)
    if found is None:
        raise refuse("office.no-report", f"You have no report {number}.", "Look at your reports.")
    return given(request, found, shape)


@reads("/desk/reports", "desk_reports", part_model(ReportLine), has_table=True, tag="desk")
def desk_reports(request: HttpRequest, paging: Query[Paging]) -> HttpResponse:
    """All reports that are not published yet, and what each waits for."""
    return _parts(request, paging, open_reports(), lines_of)


@reads("/desk/waiting", "desk_waiting", part_model(desk_tables.Waiting), has_table=True, tag="desk")
def desk_waiting(
    request: HttpRequest, paging: Query[Paging], report: Number | None = None
) -> HttpResponse:
    """Who waits to be identified, of all reports or of one, with candidates and reasons."""
    found = desk_tables.waiting(report, datetime.now(UTC).date())
    return parts(
        request, paging, lambda first, most: found[first : first + most], lambda each: each.id,
        lambda rows: Table(*desk_tables.waiting_table(rows)),
    )  # fmt: skip


@reads(
    "/desk/corrections", "desk_corrections", part_model(desk_tables.Standing), has_table=True,
    tag="desk",
)  # fmt: skip
def desk_corrections(
    request: HttpRequest, paging: Query[Paging],
    state: Literal["open", "joined", "rejected", "withdrawn", "accepted", "published"]
    | None = None,
) -> HttpResponse:  # fmt: skip
    """The corrections and where they stand, with what accepting one would not change."""
    found = desk_tables.corrections(state, datetime.now(UTC).date())
    return parts(
        request, paging, lambda first, most: found[first : first + most],
        lambda each: each.correction, lambda rows: Table(*desk_tables.corrections_table(rows)),
    )  # fmt: skip
