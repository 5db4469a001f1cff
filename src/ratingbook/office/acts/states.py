"""The states of sections: received, checked, identified, ready, rated, published; or aside."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery

from ratingbook.model import Severity
from ratingbook.model.sentences import sentence
from ratingbook.office.limits import is_id
from ratingbook.office.logic.stored import told_again
from ratingbook.office.refused import OfficeRefused, refuse
from ratingbook.office.store.ledger import Act
from ratingbook.office.store.models import (
    Fact,
    Publication,
    Report,
    ReportVersion,
    RunSection,
    Section,
    SectionStep,
)

CHECKED, READY = "checked", "ready"
HELD, REFUSED, WITHDRAWN, SUPERSEDED = "held", "refused", "withdrawn", "superseded"
PUBLISHED = "published"
RECEIVED = "received"
"""Of a report without sections: none of its games is there yet."""
ASIDE = (HELD, REFUSED, WITHDRAWN, SUPERSEDED)
ACTS = {"hold": HELD, "refuse": REFUSED, "withdraw": WITHDRAWN, "release": CHECKED}
"""What an officer does to a section, and the state that comes of it."""
_STOPPING = (ACTS.keys() - {"release"}) | {"undone"}
ALL = (REFUSED, HELD, CHECKED, READY, PUBLISHED, WITHDRAWN, SUPERSEDED)
"""The least advanced first: a report is where its least advanced section is."""


INTO_POOL = sentence(
    "Choose the pool: send the file again with --pool POOL; or `ratingbook office release REPORT "
    "--pool POOL --reason TEXT` puts it into one and lets it in."
)
"""What is done about a report that is held since no pool has it."""


def step(act: Act, kind: str, sections: Iterable[int], state: str, reason: str = "") -> int:
    """Bring sections into a state, by one fact."""
    some = sorted(sections)
    reports = (
        Section.objects.filter(id__in=some).values_list("version__report", flat=True).distinct()
    )
    fact = step_fact(act, kind, some, reports, state, reason)
    SectionStep.objects.bulk_create(
        [SectionStep(fact=fact, section_id=each, state=state) for each in some]
    )
    return fact


def step_fact(
    act: Act, kind: str, sections: Iterable[int], reports: Iterable[int], state: str, reason: str
) -> int:
    """The fact that brings sections of these reports into a state."""
    some = sorted(sections)
    return act.fact(
        kind,
        *(("section", each) for each in some),
        *(("report", each) for each in reports),
        payload={"sections": some, "state": state},
        reason=reason,
    )


def states(sections: Iterable[int] | None = None, upto: int | None = None) -> dict[int, str]:
    """The state of each section that the facts give it; as known at a fact."""
    steps = _steps(upto)
    if sections is not None:
        steps = steps.filter(section__in=list(sections))
    return dict(steps.values_list("section", "state"))


def _steps(upto: int | None) -> QuerySet[SectionStep]:
    """What made the states of sections, the last one last; as known at a fact."""
    steps = SectionStep.objects.order_by("fact")
    return steps if upto is None else steps.filter(fact__lte=upto)


def stopped(sections: Iterable[int]) -> bool:
    """Whether an officer holds, has refused or has withdrawn one of the sections.

    So is one that a correction had let in, and that another one undid.
    """
    steps = SectionStep.objects.filter(section__in=list(sections)).order_by("fact")
    last = dict(steps.values_list("section", "fact"))
    return Fact.objects.filter(seq__in=last.values(), kind__in=_STOPPING).exists()


def versions_beside(
    aside: Collection[str], versions: Iterable[int], upto: int | None = None
) -> set[int]:
    """Those of the versions with a section in another state than these; as known at a fact."""
    steps = _steps(upto).filter(section__version__in=set(versions))
    rows = steps.values_list("section", "section__version", "state")
    now = {section: (version, state) for section, version, state in rows}
    return {version for version, state in now.values() if state not in aside}


def published(upto: int | None = None) -> QuerySet[Any]:
    """The sections that what is published has rated, as a part of other queries.

    As known at a fact: what was published then.
    """
    heads = Publication.objects.filter(seq=F("pool__head"))
    if upto is not None:
        then = Publication.objects.filter(pool=OuterRef("pool"), fact__lte=upto).order_by("-seq")
        heads = Publication.objects.filter(fact=Subquery(then.values("fact")[:1]))
    return RunSection.objects.filter(run__in=heads.values("run")).values("section")


def let_out() -> QuerySet[RunSection]:
    """Sections in runs that were published, be they still."""
    return RunSection.objects.filter(run__publication__isnull=False)


def published_sections(upto: int | None = None) -> set[int]:
    """The sections that a published run has rated, of every pool; as known at a fact."""
    return set(published(upto).values_list("section", flat=True))


def as_shown(found: Mapping[int, str], known: Collection[int]) -> dict[int, str]:
    """The states as people see them: what is ready and among the ``known`` is published."""
    return {
        section: PUBLISHED if state == READY and section in known else state
        for section, state in found.items()
    }


def least(found: Iterable[str]) -> str:
    """The state of a report: that of its least advanced section."""
    return min(found, key=ALL.index, default=RECEIVED)


def newest(report: int, upto: int | None = None) -> ReportVersion | None:
    """The newest version of a report; as known at a fact."""
    versions = ReportVersion.objects.filter(report=report)
    if upto is not None:
        versions = versions.filter(fact__lte=upto)
    return versions.order_by("-number").first()


def no_report(report: int) -> OfficeRefused:
    """What is said where there is no such report."""
    return refuse(
        "office.no-report",
        sentence("There is no report {report}.", report=report),
        "`ratingbook office reports` lists them.",
    )


def refuse_unknown(report: int) -> None:
    """Refuse the number of no report."""
    if newest(report) is None:
        raise no_report(report)


FILE_REFUSED = "file refused"
UNDERSTOOD = "understood"
"""Said of a refused file that is looked at again whenever it comes: what else there is decides."""
"""The kind of the fact by which a file is kept that is no report."""


REFUSED_BY_FINDINGS = "refused"
"""The kind of the fact by which findings keep sections out; of an officer it is ``refuse``."""


def why_refused(findings: Iterable[Mapping[str, Any]]) -> str:
    """What findings of a version refuse it, in words: the first one, and how many more."""
    refusing = [each for each in findings if Severity(each["severity"]).refuses]
    if not refusing:
        return ""
    first: str = told_again(refusing[0])["message"]
    more = len(refusing) - 1
    return sentence("{one} And {n} more.", one=first, n=more) if more else first


def _has_section(version: OuterRef, wanted: Q, upto: int | None = None) -> Exists:
    """Whether a version has a section whose ``state`` is as wanted; as known at a fact."""
    steps = _steps(upto).filter(section=OuterRef("id")).order_by("-fact")
    sections: Any = Section.objects.annotate(state=Subquery(steps.values("state")[:1]))
    return Exists(sections.filter(wanted, version=version))


def is_beside(aside: Collection[str], version: OuterRef, upto: int | None = None) -> Exists:
    """Whether a version has a section in another state than these; as known at a fact."""
    return _has_section(version, Q(state__isnull=False) & ~Q(state__in=aside), upto)


def counting(version: OuterRef) -> Exists:
    """Whether a version counts: a section of it is checked or ready."""
    return _has_section(version, Q(state__in=(CHECKED, READY)))


def in_hand(version: OuterRef) -> Exists:
    """Whether a version counts, or may yet: a section of it is neither refused nor withdrawn."""
    return _has_section(version, ~Q(state__in=(REFUSED, WITHDRAWN)))


def _not_refused(version: OuterRef) -> Exists:
    return _has_section(version, ~Q(state=REFUSED))


def version_that_counts(report: OuterRef) -> Subquery:
    """The version of a report that counts, as a part of a query: what is published is of it.

    Where none does, the newest that was not refused; where all were, the newest.
    """
    versions: Any = ReportVersion.objects.filter(report=report).annotate(
        counts=counting(OuterRef("id")), good=_not_refused(OuterRef("id"))
    )
    return Subquery(versions.order_by("-counts", "-good", "-number").values("id")[:1])


def versions_that_count(reports: Iterable[int]) -> dict[int, int]:
    """By report the version that counts."""
    found: Any = Report.objects.filter(id__in=list(reports))
    versions = found.annotate(counting=version_that_counts(OuterRef("id")))
    return dict(versions.exclude(counting=None).values_list("id", "counting"))


def that_counts(report: int) -> ReportVersion | None:
    """The version of a report that counts."""
    found = versions_that_count([report]).get(report)
    return None if found is None else ReportVersion.objects.get(id=found)


def beside_refused(sections: Any) -> Any:
    """Sections without those whose files have faults of their own: these are no events."""
    steps = SectionStep.objects.filter(section=OuterRef("id")).order_by("-fact")
    kinds = Fact.objects.filter(seq=OuterRef("by"))
    last = sections.annotate(by=Subquery(steps.values("fact")[:1]))
    kind = Subquery(kinds.values("kind")[:1])
    return last.annotate(kind=kind).exclude(kind=REFUSED_BY_FINDINGS)


def refused_by_findings(version: ReportVersion) -> bool:
    """Whether nothing of a version counts, since the file itself has faults."""
    sections = Section.objects.filter(version=version)
    return sections.exists() and not beside_refused(sections).exists()


def compared(report: int) -> ReportVersion | None:
    """The version with which a new one is compared: the newest that was not refused, if any."""
    versions: Any = ReportVersion.objects.filter(report=report)
    found: ReportVersion | None = (
        versions.annotate(good=_not_refused(OuterRef("id"))).order_by("-good", "-number").first()
    )
    return found


def document_in(packed: bytes) -> dict[str, Any]:
    """The report document, as a version keeps it."""
    found: dict[str, Any] = json.loads(zlib.decompress(packed))
    return found


def name_of(version: ReportVersion, sections: Sequence[Section] | None = None) -> str:
    """What the event of a report is called; by its file where the report does not say.

    ``sections`` are those of the version, where they are at hand.
    """
    if sections is None:
        sections = list(Section.objects.filter(version=version).order_by("id"))
    if not sections:
        event: str | None = document_in(bytes(version.document))["event"].get("name")
        return event or version.file_name
    # A table names the event in each game; of several events none is the report's.
    names = {str(each.facts["name"]) for each in sections if each.facts.get("name")}
    return names.pop() if len(names) == 1 else version.file_name


def named(
    text: str, which: Callable[[int], ReportVersion | None] = that_counts
) -> tuple[ReportVersion, list[Section]]:
    """The sections that REPORT[:SECTION] names, in the version of the report that is meant."""
    number, _, section = text.partition(":")
    version = which(int(number)) if is_id(number) else None
    if version is None:
        raise refuse(
            "office.no-report",
            sentence("There is no report {number!r}.", number=number),
            "`ratingbook office reports` lists them.",
        )
    sections = list(Section.objects.filter(version=version).order_by("id"))
    if section:
        chosen = [each for each in sections if each.name == section]
        if not chosen:
            known = ", ".join(each.name for each in sections if each.name) or sentence(
                "none with a name"
            )
            raise refuse(
                "office.no-section",
                sentence(
                    "Report {number} has no section {section!r}.", number=number, section=section
                ),
                sentence("It has {known}.", known=known),
            )
        sections = chosen
    return version, sections
