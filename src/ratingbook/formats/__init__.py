"""The files of the field, lenient in, strict out; formats of one family share a room.

:func:`read` finds out what a file is and reads it; what cannot be read becomes a
finding, never an exception.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from ratingbook.formats.catalogue import FORMATS
from ratingbook.formats.document.keys import NO_KEYS
from ratingbook.formats.files import (
    bytes_of,
    first_bytes,
    is_json,
    is_large,
    is_too_large,
    too_large,
    utf8,
)
from ratingbook.formats.format import Certainty, Format, FormatFault, Source, loaded
from ratingbook.formats.registry import formats, in_order, installed
from ratingbook.formats.tools.text import Decoded, by_its_name, decode
from ratingbook.model import Findings, Place, Report, Severity
from ratingbook.model.patterns import pattern
from ratingbook.model.sentences import sentence

__all__ = ["UNKNOWN_FORMAT", "Read", "is_report_by_place", "read", "read_bytes", "read_text"]

UNKNOWN_FORMAT = "file.unknown-format"
_LEGACY = "iso-8859-1"
_HEADER = 4096
"""More than the names of columns take."""
_PLAYERS = "ratingbook.formats.tables.read:looks_like_players"
_PAGE = pattern(rb"\s*+(?:\xef\xbb\xbf)?(?:<!--.*?-->\s*+)?<(?:!doctype html|html)\b", re.I | re.S)
_ARCHIVES = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
"""With what workbooks begin, the old ones too: nobody looks for lines in them."""


@dataclass(frozen=True, slots=True)
class Read:
    """What became of a file: the report, if there is one, and how it was read."""

    report: Report | None
    findings: Findings
    format: str = "unknown"
    encoding: str = "unknown"
    reason: str = ""
    """By what format and encoding were recognised, in words."""
    game: str | None = None
    """The game that files of the format are of; None: of any."""


class _File:
    """A file or a folder, as the formats look at it."""

    def __init__(self, path: Path | None, data: bytes) -> None:
        self.path, self.data = path, data
        self.notices = Findings()
        """What is said beside what the reader says."""

    @cached_property
    def is_json(self) -> bool:
        return self.path is None and is_json(self.data)

    @cached_property
    def json(self) -> str | None:
        """The text of JSON; None, and a finding that refuses it, where it cannot be read."""
        return utf8(self.data, self.notices)

    @cached_property
    def decoded(self) -> Decoded:
        return decode(self.data)

    @property
    def is_text(self) -> bool:
        """Whether there are lines; of a workbook nobody asks for them."""
        plain = self.path is None and not self.is_json and not self.data.startswith(_ARCHIVES)
        return plain and not self.decoded.findings.refused

    def shown_to(self, source: Source) -> Iterator[Any]:
        """What a detector is given, if the file is of that kind."""
        if self.path is not None:
            if source is Source.PATH:
                yield self.path
        elif source is Source.BYTES:
            yield self.data
        elif source is Source.JSON and self.is_json and self.json is not None:
            yield self.json
        elif source is Source.TEXT and self.is_text:
            yield self.decoded.lines


def read(
    path: Path,
    standing_fields: Mapping[str, type] = NO_KEYS,
    columns: Mapping[str, str] | None = None,
) -> Read:
    """Read the report in a file of any known format, or in a folder (2C).

    ``standing_fields`` are keys of a standing that a rule book reads beyond the
    common ones, and what each holds; ``columns`` says which header of a table has a field.
    Within :func:`~ratingbook.formats.tools.encodings.naming` text is in the encoding named there.
    """
    told = {"standing_fields": standing_fields, "columns": columns}
    place = _File(path, b"")
    known = _recognised(place, told, others=_is_folder(path))
    if known is not None:
        return _read(place, known, told)
    if is_large(path) and (found := _read_large(path)):
        return found
    data, findings = bytes_of(path)
    if data is None:
        return Read(None, findings)
    return _of_contents(data, told, path)


def _read_large(path: Path) -> Read | None:
    """What becomes of much text: it is read line by line where its format can be, else refused.

    None for workbooks, which are packed, and for rating lists, which are called so.
    """
    from ratingbook.formats.lists import looks_like_list

    start = _File(None, first_bytes(path))
    for each in FORMATS.values():
        if each.large and start.is_text and each.recognises(start.decoded.lines):
            report, findings = loaded(each.large)(path)
            reason = f"{each.sign}; read line by line"
            return Read(report, findings, each.name, start.decoded.encoding, reason, each.game)
    if is_too_large(path) and (start.is_text or start.is_json) and looks_like_list(path) is None:
        return Read(None, Findings([too_large()]))
    return None


def read_bytes(
    data: bytes,
    standing_fields: Mapping[str, type] = NO_KEYS,
    columns: Mapping[str, str] | None = None,
) -> Read:
    """Read the report in the contents of a file."""
    return _of_contents(data, {"standing_fields": standing_fields, "columns": columns}, None)


def _of_contents(data: bytes, told: Mapping[str, Any], path: Path | None) -> Read:
    file = _File(None, data)
    known = _recognised(file, told)
    # Of JSON that nobody knows it is said what a report document lacks.
    if known is None and file.is_json:
        known = FORMATS["report document"]
    return _unknown(file, path) if known is None else _read(file, known, told)


def is_report_by_place(path: Path) -> bool:
    """Whether a folder holds files that are one report together, or a file is one of these."""
    return _recognised(_File(path, b""), {"columns": None}, others=_is_folder(path)) is not None


def read_text(path: Path) -> tuple[str | None, Findings]:
    """The text of a file whose format the caller knows; None where it is refused."""
    data, findings = bytes_of(path)
    if data is None:
        return None, findings
    if is_json(data):
        return utf8(data, findings), findings
    decoded = decode(data)
    findings.extend(decoded.findings)
    if findings.refused:
        return None, findings
    return "\n".join(line.text for line in decoded.lines), findings


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def _recognised(file: _File, told: Mapping[str, Any], *, others: bool = True) -> Format | None:
    """The first format that knows the file; ``others``: those of other packages are asked, too."""
    for each in in_order(others=others):
        for given in file.shown_to(each.source):
            # Whoever names the columns of a table says that there are some.
            named = each.source is Source.TEXT and "columns" in each.takes and told["columns"]
            try:
                if named or each.recognises(given):
                    return each
            except FormatFault as fault:
                file.notices.extend([fault.as_warning()])
    return None


def _read(file: _File, known: Format, told: Mapping[str, Any]) -> Read:
    options = {name: told[name] for name in known.takes}
    if known.certainty is Certainty.GENERAL:
        file.notices.extend(installed()[1])
    encoding, reason = known.encoding, known.sign
    given: object = file.path or file.data
    if known.source is Source.JSON:
        given = file.json
        if given is None:
            return Read(None, file.notices, known.name, reason=reason)
    elif known.source is Source.TEXT:
        decoded = file.decoded
        # What a file is can be seen in any encoding that has ASCII in it.
        if decoded.by_letters and known.encoding != _LEGACY:
            decoded = decode(file.data, legacy=known.encoding)
        given, encoding, reason = decoded, decoded.encoding, f"{reason}; {decoded.reason}"
    try:
        report, findings = known.read(given, **options)
    except FormatFault as fault:
        report, findings = None, Findings([fault.finding])
    findings = Findings([*file.notices, *findings])
    return Read(report, findings, known.name, encoding, reason, known.game)


def _players_in(file: _File, path: Path | None) -> str:
    """What a file is that belongs elsewhere: of players; empty: not that either."""
    from ratingbook.formats.lists import looks_like_list
    from ratingbook.formats.players import is_players_file

    if path is not None and looks_like_list(path) is not None:
        return sentence("This is a rating list, and no report.")
    start = file.data[:_HEADER].lstrip().partition(b"\n")[0].decode("utf-8-sig", "replace")
    if is_players_file(start) or loaded(_PLAYERS)(file.decoded.lines):
        return sentence("This is a table of players, and no report.")
    return ""


def _unknown(file: _File, path: Path | None) -> Read:
    """Nobody knows the file."""
    decoded = file.decoded
    findings = Findings([*file.notices, *by_its_name(decoded.findings, path.name if path else "")])
    if findings.refused:
        return Read(None, findings, encoding=decoded.encoding or "unknown")
    findings.extend(installed()[1])
    if what := _players_in(file, path):
        findings.add(
            Severity.FATAL,
            "file.players",
            what,
            Place(line=1),
            "`ratingbook rate` takes it for its players; `ratingbook list` prints it.",
        )
        return Read(None, findings, encoding=decoded.encoding, reason=decoded.reason)
    if _PAGE.match(file.data[:_HEADER]):
        findings.add(
            Severity.FATAL,
            "file.page",
            sentence("This is a page of a web site, and no report."),
            Place(line=1),
            sentence(
                "Send what the program of the event exports: of Vega and "
                "Swiss-Manager the report for FIDE (TRF), of OpenGotha its XML, of "
                "chess-results the Excel file."
            ),
        )
        return Read(None, findings, encoding=decoded.encoding, reason=decoded.reason)
    names = ", ".join(each.name for each in formats().values() if each.reader)
    findings.add(
        Severity.FATAL,
        UNKNOWN_FORMAT,
        sentence("The file is of no format that is read here."),
        Place(line=1),
        f"Formats read: {names}. Of a table of your own, tell which column is what: "
        "--column FIELD=HEADER.",
    )
    return Read(None, findings, encoding=decoded.encoding, reason=decoded.reason)
