"""The lines of a TRF file sorted by record."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from ratingbook.formats.fide.federations import FEDERATIONS
from ratingbook.formats.fide.trf import layout
from ratingbook.formats.tools.notes import Notes, Remark
from ratingbook.formats.tools.text import Line
from ratingbook.model import Place, Severity
from ratingbook.model.patterns import pattern

_RULER = pattern(r"\s*1234567890[0-9]*|\s{3}[\s0-9]*|(?P<letter>[A-Z])(?P=letter){2} [A-Z0-9sf/ ]*")
"""Column numbers and descriptions (``DDD SSSS sTTT …``) that people and programs leave in."""
_TAG = pattern(r"[0-9]{3}|[A-Z]{3}|###")
_NATIONAL_RATING = pattern(r"[A-Z]{3} [ 0-9]{3}[0-9] .*")
_OTHER_TEXT = "text without a record number"

REPEATED = Remark(
    "trf.repeated",
    Severity.INFO,
    "A record is given more than once with different contents; the first one was used",
    "Delete the wrong one.",
)
UNNEEDED = Remark(
    "trf.unneeded",
    Severity.INFO,
    "Records that do not matter for rating were left out",
    "Nothing to do.",
    shown=30,
)
UNKNOWN = Remark(
    "trf.unknown-record",
    Severity.WARNING,
    "A line begins with no known record number and was not read",
    "Look whether the line holds results; if so, correct its record number.",
    each=True,
)


@dataclass(slots=True)
class Records:
    """The contents of a file by record."""

    players: list[Line] = field(default_factory=list)
    header: dict[str, list[Line]] = field(default_factory=dict)
    """The lines of each header record that is used."""
    lists: dict[str, list[Line]] = field(default_factory=dict)
    """The lines of each record of which every line counts."""
    nationals: list[Line] = field(default_factory=list)
    """The national records, which begin with the code of a federation."""

    @property
    def teams(self) -> bool:
        """Whether the file has team records."""
        return not layout.TEAMS.isdisjoint(self.lists)

    def text(self, *tags: str) -> str:
        """The content of the first of ``tags`` that has one."""
        lines = next((self.header[tag] for tag in tags if tag in self.header), [])
        return " ".join(_content(line.text) for line in lines)

    def texts(self, tag: str) -> tuple[str, ...]:
        """The contents of a record's lines that have one."""
        contents = (_content(line.text) for line in self.lists.get(tag, ()))
        return tuple(content for content in contents if content)

    def place(self, tag: str) -> Place:
        """Where the content of ``tag`` stands."""
        return Place(line=self.header[tag][0].number, column=5) if tag in self.header else Place()


def sort_records(lines: Iterable[Line], notes: Notes) -> Records:
    """The records of a file; unknown ones are noted, never dropped in silence."""
    records = Records()
    unknown: dict[str, list[Line]] = {}
    for line in lines:
        text = line.text.rstrip()
        if not text or _RULER.fullmatch(text):
            continue
        text = text.lstrip()
        tag = _tag(text)
        if tag == layout.PLAYER:
            records.players.append(Line(line.number, text))
        elif tag in layout.USED:
            _keep(records, tag, Line(line.number, text), notes)
        elif tag == layout.NATIONAL:
            records.nationals.append(Line(line.number, text))
        elif tag in layout.LISTS:
            records.lists.setdefault(tag, []).append(Line(line.number, text))
        elif tag not in layout.UNNEEDED and tag != layout.COMMENT:
            unknown.setdefault(tag, []).append(line)
        if tag in layout.UNNEEDED:
            notes.add(UNNEEDED, tag, Place(line=line.number))
    _note_unknown(unknown, notes)
    return records


def _tag(text: str) -> str:
    tag = text[:3].upper()
    if not _TAG.fullmatch(tag):
        return _OTHER_TEXT
    if tag in FEDERATIONS and _NATIONAL_RATING.fullmatch(text):
        return layout.NATIONAL
    return tag


def _keep(records: Records, tag: str, line: Line, notes: Notes) -> None:
    content = _content(line.text)
    if not content:
        return
    known = records.header.setdefault(tag, [])
    if not known or tag in layout.ADDITIVE:
        known.append(line)
    elif _content(known[0].text) != content:
        notes.add(REPEATED, tag, Place(line=line.number))


def _content(text: str) -> str:
    """What follows the record number; the blank between them is often forgotten."""
    return text[3:].strip()


def _note_unknown(unknown: dict[str, list[Line]], notes: Notes) -> None:
    for tag, lines in unknown.items():
        count = f" ({len(lines)} lines)" if len(lines) > 1 else ""
        notes.add(UNKNOWN, f"{tag}{count}", Place(line=lines[0].number, column=1))
