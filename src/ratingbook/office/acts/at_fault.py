"""By which reports a run was refused.

They came in before the rules of the pool were asked at receipt, or by other rules of it: the
history of all reports names a player or a column, but neither the report nor its event.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from ratingbook.model import Finding, Report
from ratingbook.model.sentences import row_of, sentence
from ratingbook.office.acts import states
from ratingbook.office.acts.amendments import overlay_of
from ratingbook.office.acts.people import portions
from ratingbook.office.engine.noticed import noticed
from ratingbook.office.engine.rules import Rules
from ratingbook.office.intake import numbered, report_in
from ratingbook.office.refused import OfficeRefused
from ratingbook.office.store import models as m


def naming_reports(
    refused: OfficeRefused, sections: Collection[int], rules: Rules, upto: int
) -> OfficeRefused:
    """The refusal of a run with what the rules refuse of each of its reports, before the rest."""
    return OfficeRefused([*_of_reports(sections, rules, upto), *refused.findings])


def _of_reports(sections: Collection[int], rules: Rules, upto: int) -> Iterator[Finding]:
    own: dict[int, list[m.Section]] = {}
    for some in portions(sorted(sections)):
        for each in m.Section.objects.filter(id__in=some).order_by("id"):
            own.setdefault(each.version_id, []).append(each)
    out = {game for game, said in overlay_of(upto).games.items() if said["half"] is None}
    for number, some in own.items():
        version = m.ReportVersion.objects.get(id=number)
        report = report_in(bytes(version.document))
        if report is None:
            continue
        games = _games_in(version, some, out)
        alike = replace(report, games=tuple(
            game for place, game in numbered(report) if place in games
        ))  # fmt: skip
        for finding in _refusing(alike, rules):
            yield _named(finding, version, some)


def _games_in(
    version: m.ReportVersion, sections: Collection[m.Section], out: Collection[int]
) -> set[int]:
    """The numbers of the games of sections that no correction has taken out."""
    rows = m.Game.of(version.id).filter(section__in=[each.id for each in sections])
    return {number for game, number in rows.values_list("id", "number") if game not in out}


def _refusing(report: Report, rules: Rules) -> list[Finding]:
    found = noticed(report, report.games, rules)
    return [each for each in found if each.severity.refuses]


def _named(finding: Finding, version: m.ReportVersion, sections: list[m.Section]) -> Finding:
    report = version.report_id
    return replace(
        finding,
        first=True,
        where=replace(finding.where, file=version.file_name),
        message=sentence(
            "Report {report}, {event}: {message}",
            report=report, event=states.name_of(version, sections), message=finding.message,
        ),
        remedy=row_of([*filter(None, [finding.remedy]), sentence(
            "Receive the report anew as it is right, or leave it out meanwhile: `ratingbook "
            "office hold {report} --reason TEXT`.",
            report=report,
        )], " "),
    )  # fmt: skip
