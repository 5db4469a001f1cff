"""The registry: our formats, and those that other packages bring.

A package registers a format by the entry point group ``ratingbook.formats``: a name =
an object of the class :class:`~ratingbook.formats.format.Format`.  What is wrong with
one is a finding, and the others are read as before.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING

from ratingbook.formats.catalogue import FORMATS, TARGETS
from ratingbook.formats.format import Certainty, Format, Target, targets_of
from ratingbook.model import Findings, Report, Severity
from ratingbook.model.sentences import sentence

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "ratingbook.formats"
_OPTIONS = {"standing_fields", "columns"}
_PACKAGE_REMEDY = "Mend or remove the package; what it would read is not read."


@cache
def installed() -> tuple[Mapping[str, Format], Findings]:
    """The formats of other packages by name, and which of them cannot be used."""
    # Loaded only where a file is not for certain one of ours: it takes a twentieth of `rate`.
    from importlib.metadata import entry_points

    found: dict[str, Format] = {}
    findings = Findings()
    for point in sorted(entry_points(group=GROUP), key=attrgetter("name", "value")):
        package = point.dist.name if point.dist else point.value
        fault, format_ = _format_of(point)
        if format_ is not None:
            fault = _clash(format_, found)
        if fault:
            findings.add(
                Severity.WARNING,
                "formats.not-loaded",
                sentence(
                    "The format {name!r} of {package} cannot be used: {fault}.",
                    name=point.name,
                    package=package,
                    fault=fault,
                ),
                remedy=_PACKAGE_REMEDY,
            )
        elif format_ is not None:
            found[format_.name] = replace(format_, package=package)
    return found, findings


def _format_of(point: EntryPoint) -> tuple[str, Format | None]:
    """The format of an entry point, or what is wrong with it."""
    try:
        format_ = point.load()
    # Whatever goes wrong in a stranger's module, our own formats are read.
    except Exception as error:
        return f"{type(error).__name__}: {error}", None
    if not isinstance(format_, Format):
        return f"{format_!r} is not a Format", None
    if bool(format_.reader) != bool(format_.detector):
        return "it needs both a detector and a reader, or neither", None
    if not format_.reader and not format_.writers:
        return "it is neither read nor written", None
    if len(format_.writers) > 1 and not format_.writer_for:
        return "of several writers writer_for must choose one", None
    if other := set(format_.takes) - _OPTIONS:
        return f"readers take {' or '.join(sorted(_OPTIONS))}, not {', '.join(sorted(other))}", None
    return "", format_


def _clash(format_: Format, others: Mapping[str, Format]) -> str:
    """Which of its names another format has."""
    known = {**FORMATS, **others}
    if format_.name in known:
        owner = known[format_.name].package or "ratingbook"
        return f"{owner} has a format of the name {format_.name!r}"
    from ratingbook.formats.lists.convert import LIST_TARGETS

    keys = TARGETS.keys() | _targets(others).keys() | LIST_TARGETS.keys()
    if taken := sorted(format_.writers.keys() & keys):
        return f"--format {', '.join(taken)} is another format"
    return ""


def formats() -> dict[str, Format]:
    """Every format by name, ours first."""
    return {**FORMATS, **installed()[0]}


def targets() -> dict[str, Target]:
    """Every way to write a report, by what ``convert --format`` takes, ours first."""
    return {**TARGETS, **_targets(installed()[0])}


def _targets(formats_: Mapping[str, Format]) -> dict[str, Target]:
    return {key: each for one in formats_.values() for key, each in targets_of(one).items()}


def target_of(suffix: str, report: Report) -> Target | None:
    """The format that a file's name asks for; of several the one that suits the report."""
    return _target(FORMATS, suffix, report) or _target(installed()[0], suffix, report)


def _target(among: Mapping[str, Format], suffix: str, report: Report) -> Target | None:
    wanted = suffix.lower()
    for each in among.values():
        if each.writers and each.suffix == wanted != "":
            return targets_of(each)[each.writer_of(report)]
    return None


def in_order(*, others: bool = True) -> Iterator[Format]:
    """The formats that are read, those with surer signs first, and ours before others.

    Other packages are asked only where a file is not for certain one of ours.
    """
    ours = [each for each in FORMATS.values() if each.reader]
    yield from (each for each in ours if each.certainty is Certainty.CERTAIN)
    rest = [each for each in ours if each.certainty is not Certainty.CERTAIN]
    if others:
        rest += (each for each in installed()[0].values() if each.reader)
    yield from sorted(rest, key=attrgetter("certainty"))
