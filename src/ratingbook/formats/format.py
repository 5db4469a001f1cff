"""What a format is: one record says how a file is recognised, who reads it, and who writes it.

Functions are named, ``package.module:function``, and loaded where a file needs them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, IntEnum
from importlib import import_module
from typing import Any

from ratingbook.formats.tools.written import Written
from ratingbook.model import Finding, Findings, Portable, Report, Severity
from ratingbook.model.sentences import sentence

Answer = tuple[Report | None, Findings]
"""What a reader gives: the report, if there is one, and what was noticed."""


class Source(Enum):
    """What the detector and the reader of a format are given."""

    TEXT = "lines"
    """The detector the lines (a tuple of ``Line``), the reader all that decoding gave."""
    JSON = "text"
    """The text of a file that begins as JSON does, in UTF-8."""
    BYTES = "bytes"
    """The bytes of a file that is neither JSON nor, for certain, another format."""
    PATH = "path"
    """The path of a folder, whose files are one report."""


class Certainty(IntEnum):
    """How sure the sign of a format is: those with surer signs are asked first."""

    CERTAIN = 0
    """No file of another format has it."""
    LIKELY = 1
    """Files of other formats have it by accident."""
    GENERAL = 2
    """Whatever has columns may be a table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A format as people know it."""

    name: str
    game: str | None = None
    """The game that its files are of; None: of any."""
    sign: str = ""
    """By what a file is recognised, in words."""
    source: Source = Source.TEXT
    detector: str = ""
    """Whether a file is of the format; empty where it is not read."""
    reader: str = ""
    """The report of a file, and the findings (an ``Answer``); empty where it is not read."""
    large: str = ""
    """Who reads a file too large to be held in memory, by its path; empty: nobody."""
    certainty: Certainty = Certainty.CERTAIN
    takes: tuple[str, ...] = ()
    """What the reader takes by keyword of ``standing_fields`` and ``columns``, see ``read``."""
    encoding: str = "utf-8"
    """That of the text in its files; of lines, the single-byte one where they are not UTF-8."""
    suffix: str = ""
    """The end of the names of its files; empty for a folder."""
    writers: Mapping[str, str] = field(default_factory=dict)
    """What ``convert --format`` takes → the function that makes a ``Written`` of a report."""
    writer_for: str = ""
    """Of several writers, the key of the one that suits a report."""
    package: str = ""
    """The distribution that brought it; empty for our own."""

    def recognises(self, given: object) -> bool:
        """Whether a file is of the format, by what its ``source`` gives."""
        return bool(self._call(self.detector, given))

    def read(self, given: object, **options: object) -> Answer:
        """The report of a file, and what was noticed."""
        answer = self._call(self.reader, given, **options)
        try:
            report, findings = answer
        except (TypeError, ValueError):
            report, findings = answer, None
        if isinstance(report, Report | None) and isinstance(findings, Findings):
            return report, findings
        raise self._fault(self.reader, sentence("gave no report with findings"))

    def write(self, writer: str, report: Report) -> Written:
        """What one of its writers makes of a report."""
        written = self._call(writer, report)
        if isinstance(written, Written):
            return written
        raise self._fault(writer, sentence("gave nothing Written"))

    def writer_of(self, report: Report) -> str:
        """The key of the writer that suits a report."""
        if not self.writer_for:
            return next(iter(self.writers))
        key = self._call(self.writer_for, report)
        if key in self.writers:
            return str(key)
        raise self._fault(self.writer_for, sentence("named none of its writers"))

    def _call(self, name: str, *given: object, **options: object) -> Any:
        """What a function answers; only one of another package may fail."""
        if not self.package:
            return loaded(name)(*given, **options)
        try:
            return loaded(name)(*given, **options)
        # A stranger's mistake is no reason to end in an exception.
        except Exception as error:
            what = sentence("ended in an error: {error}", error=f"{type(error).__name__}: {error}")
            raise self._fault(name, what) from error

    def _fault(self, name: str, what: str) -> FormatFault:
        finding = Finding(
            "formats.fault",
            Severity.FATAL,
            sentence(
                "{name}, with which {package} brings {format}, {what}.",
                name=name,
                package=self.package,
                format=self.name,
                what=what,
            ),
            remedy=sentence("Tell the authors of that package, with the file."),
        )
        return FormatFault(finding)


class FormatFault(Portable):
    """A function of another package's format did not do its work; ``finding`` says what."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.message)
        self.finding = finding

    def as_warning(self) -> Finding:
        """The finding where others may still know the file."""
        return replace(self.finding, severity=Severity.WARNING)


@dataclass(frozen=True, slots=True)
class Target:
    """One way in which a format is written."""

    key: str
    """What ``convert --format`` takes."""
    format: Format
    writer: str

    @property
    def name(self) -> str:
        """The name of the format."""
        return self.format.name

    @property
    def suffix(self) -> str:
        """The end of the names of its files; empty for a folder."""
        return self.format.suffix

    def write(self, report: Report) -> Written:
        """The files that say the report."""
        return self.format.write(self.writer, report)


def targets_of(format_: Format) -> dict[str, Target]:
    """The ways in which a format is written, by what ``convert --format`` takes."""
    return {key: Target(key, format_, writer) for key, writer in format_.writers.items()}


def loaded(name: str) -> Callable[..., Any]:
    """The function that is named ``package.module:function``."""
    module, _, function = name.partition(":")
    found: Callable[..., Any] = getattr(import_module(module), function)
    return found
