"""Swiss-Manager's text exports: the players and the pairings, two files that belong together.

The file of pairings says who met whom by starting numbers, the file of players who that is.
They are read one below the other in one file, in a folder, or where one of them is named and the
other lies beside it.  A bye for half a point stands in neither, and neither names the event.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from ratingbook.formats.fide.trf.person import read_title
from ratingbook.formats.tables.cells import MAX_ROWS, Row, Sheet
from ratingbook.formats.tools.dates import Order, days_of
from ratingbook.formats.tools.notes import Notes, Remark
from ratingbook.formats.tools.text import Decoded, Line, decode
from ratingbook.model import Findings, Place, Report, Severity
from ratingbook.model.patterns import pattern
from ratingbook.model.sentences import sentence

ROW = Remark(
    "swiss-manager.row",
    Severity.ERROR,
    "A line has fewer or more cells than its header, or no number where one belongs",
    "Export the file again (Extras, Daten Import/Export).",
    each=True,
)
RESULT = Remark(
    "game.result",
    Severity.ERROR,
    "A result was not understood",
    "Enter the result in the program, and export the pairings again.",
    each=True,
)
TEAM = Remark(
    "swiss-manager.team",
    Severity.ERROR,
    "Pairings are boards of team matches, of which the file does not say enough",
    "Export the event as a FIDE report (Extras, FIDE-Daten-Export TRF16).",
)
NATIONAL = Remark(
    "swiss-manager.national",
    Severity.WARNING,
    "Nobody has an international rating (EloInt); the national ones (EloNat) were taken",
    "Look whether they are those that count.",
)
ROUNDS = Remark(
    "swiss-manager.rounds",
    Severity.WARNING,
    "There are no pairings of some rounds before the last",
    "Export the pairings of all rounds, or add the other files.",
)
NO_DATES = Remark(
    "event.no-dates",
    Severity.WARNING,
    "The exports say neither the event nor its dates",
    "Convert them to a report document, and add the name, the first and the last day.",
)
_HALF = "Extras, Daten Import/Export, Spielerdaten and Spielerauslosung"

_PLAYERS = ("Nr", "Nachname", "Vorname")
_PAIRINGS = ("Runde", "NrW", "NrS", "ErgW", "ErgS", "Kontumaz")
_FIELDS = (
    "number", "name", "title", "rating", "federation", "sex", "birth date", "ids.fide",
    "ids.national", "foreign.national", "club",
)  # fmt: skip
_GAME = ("round", "white", "black", "result", "status")
_NOBODY = "-1"
_BY_DEFAULT = "K"
_RESULTS = {
    ("1", "0"): "1-0", ("0", "1"): "0-1", ("0.5", "0.5"): "1/2-1/2",
}  # fmt: skip
_NOT_PLAYED = ("0", "0")
"""The points of a pairing without a result, and with ``K`` of one that both did not begin."""
_ROUND = pattern("0*[1-9][0-9]{0,2}")
_NUMBER = pattern("0*[1-9][0-9]{0,4}")
_SEX = {"w": "w", "f": "w", "m": "m"}
_SUFFIXES = (".txt", ".csv")
_MOST_FILES = 200
_MOST_BYTES = 8 * 1024**2
_LOOKED_AT = 4096


_Cells = tuple[Line, dict[str, str]]
"""A line, and its cells by the names above them."""


class _Part(NamedTuple):
    """The rows below one header."""

    header: Line
    rows: list[Line]

    @property
    def is_of_players(self) -> bool:
        return _is_header(self.header.text, _PLAYERS)


def _cells(text: str) -> list[str]:
    return [cell.strip() for cell in text.split(";")]


def _is_header(text: str, names: Sequence[str]) -> bool:
    return ";" in text and set(names) <= set(_cells(text))


def looks_like_swiss_manager(lines: Sequence[Line]) -> bool:
    """Whether the first line with text is the header of one of the exports."""
    first = next((line.text for line in islice(lines, 20) if line.text.strip()), "")
    return _is_header(first, _PLAYERS) or _is_header(first, _PAIRINGS)


def read_swiss_manager(decoded: Decoded) -> tuple[Report | None, Findings]:
    """Read the report in a file with both exports; of one alone it is said what is missing."""
    findings = Findings(decoded.findings)
    if findings.refused:
        return None, findings
    parts = list(_parts(decoded.lines))
    missing = _missing(parts)
    if missing:
        findings.add(
            Severity.FATAL,
            "swiss-manager.half",
            sentence(
                "This is one of two exports of Swiss-Manager: {missing} are missing.",
                missing=missing,
            ),
            Place(line=1),
            sentence(
                "Put both exports ({both}) into a folder of their own and name it, or one below "
                "the other into one file; or export a FIDE report (TRF).",
                both=_HALF,
            ),
        )
        return None, findings
    return _report({"": parts}, findings)


def looks_like_exports(path: Path) -> bool:
    """Whether a path is one of the exports with the other beside it, or a folder with both."""
    return bool(_together(path))


def read_exports(path: Path) -> tuple[Report | None, Findings]:
    """Read the report in the exports of one event, which are files of their own."""
    findings = Findings()
    parts: dict[str, list[_Part]] = {}
    for each in _together(path):
        try:
            decoded = decode(each.read_bytes())
        except OSError as error:
            findings.add(
                Severity.FATAL,
                "file.unreadable",
                sentence(
                    "The file {file} cannot be opened: {why}.",
                    file=each.name,
                    why=error.strerror or error,
                ),
                remedy=sentence("Check that you may read it."),
            )
            return None, findings
        findings.extend(decoded.findings)
        parts[each.name] = list(_parts(decoded.lines))
    if findings.refused:
        return None, findings
    return _report(parts, findings)


def _together(path: Path) -> list[Path]:
    """The exports that a path means: one of players, and one or several of pairings."""
    try:
        if path.is_dir():
            players, pairings = _exports(path)
        elif path.suffix.lower() in _SUFFIXES and (kind := _kind(path)):
            players, pairings = _exports(path.parent)
            if kind == _PAIRINGS:
                pairings = [path]
        else:
            return []
    except (OSError, ValueError):
        return []
    # Of several lists of players nobody could say to which event the pairings belong.
    return [*players, *pairings] if len(players) == 1 and pairings else []


def _exports(folder: Path) -> tuple[list[Path], list[Path]]:
    """The exports of players, and those of pairings, in a folder."""
    kinds: dict[tuple[str, ...], list[Path]] = {_PLAYERS: [], _PAIRINGS: []}
    inside = (each for each in folder.iterdir() if each.suffix.lower() in _SUFFIXES)
    for each in sorted(islice(inside, _MOST_FILES)):
        if (kind := _kind(each)) and each.stat().st_size <= _MOST_BYTES:
            kinds[kind].append(each)
    return kinds[_PLAYERS], kinds[_PAIRINGS]


def _kind(path: Path) -> tuple[str, ...] | None:
    """By the names in its header, which of the exports a file is."""
    try:
        with path.open("rb") as file:
            start = file.read(_LOOKED_AT)
    except OSError:
        return None
    text = start.removeprefix(b"\xef\xbb\xbf").lstrip().decode("ascii", "replace")
    first = text.partition("\n")[0]
    return next((names for names in (_PLAYERS, _PAIRINGS) if _is_header(first, names)), None)


def _parts(lines: Sequence[Line]) -> Iterator[_Part]:
    """What stands below each header."""
    part: _Part | None = None
    for line in lines:
        if _is_header(line.text, _PLAYERS) or _is_header(line.text, _PAIRINGS):
            if part:
                yield part
            part = _Part(line, [])
        elif part and line.text.strip():
            part.rows.append(line)
    if part:
        yield part


def _missing(parts: Sequence[_Part]) -> str:
    """Which of the two exports is not there."""
    if not any(part.is_of_players for part in parts):
        return sentence("the players (Spielerdaten)")
    if all(part.is_of_players for part in parts):
        return sentence("the pairings (Spielerauslosung)")
    return ""


def _report(
    files: Mapping[str, Sequence[_Part]], findings: Findings
) -> tuple[Report | None, Findings]:
    # Whoever asks whether a file is of the program needs no tables.
    from ratingbook.formats.tables.read import read_known
    from ratingbook.formats.tables.split import too_large

    notes = Notes()
    sheets = [
        Sheet(tuple(_rows(part, notes)), name) for name, parts in files.items() for part in parts
    ]
    if sum(len(sheet.rows) for sheet in sheets) > MAX_ROWS:
        findings.extend(too_large(Place()))
        return None, findings
    rounds = {
        int(row.cells[0])
        for sheet in sheets
        for row in sheet.rows
        if len(row.cells) == len(_GAME) and _ROUND.fullmatch(row.cells[0])
    }
    if gone := sorted(set(range(1, max(rounds, default=0))) - rounds):
        notes.add(ROUNDS, ", ".join(map(str, gone[:20])), Place())
    notes.add(NO_DATES, sentence("the players and the pairings are all there is"), Place())
    findings.extend(notes.findings())
    return read_known(_joined(sheets), findings)


def _joined(sheets: Sequence[Sheet]) -> list[Sheet]:
    """The parts of one file below each other; the files of a folder as sheets with their names."""
    if all(sheet.name for sheet in sheets):
        return list(sheets)
    rows = [row for sheet in sheets for row in (*sheet.rows, Row(sheet.rows[-1].number, ()))]
    return [Sheet(tuple(rows))]


def _rows(part: _Part, notes: Notes) -> Iterator[Row]:
    """The rows of a table of players, or of one of games."""
    header = _cells(part.header.text)
    rows: list[_Cells] = []
    for line in part.rows:
        cells = _cells(line.text)
        # The last cells are empty, and programs that save a file again leave such out.
        if len(cells) > len(header) and any(cells[len(header) :]):
            notes.add(ROW, line.text[:60], Place(line=line.number))
            continue
        cells += [""] * (len(header) - len(cells))
        rows.append((line, dict(zip(header, cells, strict=False))))
    if part.is_of_players:
        yield from _players(part.header, rows, notes)
    else:
        yield from _games(part.header, rows, notes)


def _players(header: Line, rows: Sequence[_Cells], notes: Notes) -> Iterator[Row]:
    international = any(row.get("EloInt", "").strip("0") for _, row in rows)
    if not international and any(row.get("EloNat", "").strip("0") for _, row in rows):
        notes.add(NATIONAL, sentence("{n} players", n=len(rows)), Place(line=header.number))
    rating, other = ("EloInt", "EloNat") if international else ("EloNat", "")
    yield Row(header.number, _FIELDS)
    for line, row in rows:
        if not _NUMBER.fullmatch(row["Nr"]):
            notes.add(ROW, line.text[:60], Place(line=line.number))
            continue
        name = ", ".join(part for part in (row["Nachname"], row["Vorname"]) if part)
        yield Row(line.number, (
            row["Nr"], name or row.get("Name", ""), read_title(row.get("Titel", "")) or "",
            _unless_none(row.get(rating, "")), row.get("Fed", ""),
            _SEX.get(row.get("Sex", "").lower(), ""), _birth(row.get("Geburt", "")),
            _unless_none(row.get("FideIdent", "")), _unless_none(row.get("Identnr", "")),
            _unless_none(row.get(other, "")), row.get("Klub", ""),
        ))  # fmt: skip


def _unless_none(text: str) -> str:
    return text if text.strip("0") else ""


def _birth(text: str) -> str:
    """The day of birth, or the year alone; the program writes the day first."""
    day = days_of(text).get(Order.DMY)
    if day:
        return day.isoformat()
    return text if len(text) == 4 and text.isdecimal() and text.strip("0") else ""


def _games(header: Line, rows: Sequence[_Cells], notes: Notes) -> Iterator[Row]:
    yield Row(header.number, _GAME)
    for line, row in rows:
        place = Place(line=line.number)
        black = row["NrS"]
        numbers = (row["NrW"], *(() if black == _NOBODY else (black,)))
        if not _ROUND.fullmatch(row["Runde"]) or not all(map(_NUMBER.fullmatch, numbers)):
            notes.add(ROW, line.text[:60], place)
            continue
        if row.get("Mnr", "").strip("0"):
            notes.add(TEAM, line.text[:60], place)
            continue
        points = (row["ErgW"].replace(",", "."), row["ErgS"].replace(",", "."))
        if black == _NOBODY:
            # What a bye is worth is a setting of the program, whatever stands here.
            if points != _NOT_PLAYED:
                yield Row(line.number, (row["Runde"], row["NrW"], "", "1-0", ""))
            continue
        default = row["Kontumaz"].upper()
        if points == _NOT_PLAYED:
            result: str | None = "*"
        else:
            result = _RESULTS.get(points)
        if result is None or default not in ("", _BY_DEFAULT) or (default and points[0] == "0.5"):
            notes.add(RESULT, line.text[:60], place)
            continue
        status = "forfeit" if default else ""
        yield Row(line.number, (row["Runde"], row["NrW"], black, result, status))
