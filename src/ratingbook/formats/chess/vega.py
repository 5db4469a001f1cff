"""Vega's cross table as text, and its description of a tournament (.tdf).

Both become the rows of a table, with the cells of rounds in the notation that tables have.
The description stands in the program's manual: records as in TRF, fields between bars,
and results 1, 0, 2 (a draw), or + - = for what was not played.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from ratingbook.formats.fide.federations import FEDERATIONS
from ratingbook.formats.fide.trf.person import read_title
from ratingbook.formats.tables.cells import MAX_COLUMNS, MAX_ROWS, Row, Sheet
from ratingbook.formats.tools.dates import calendar, days_of
from ratingbook.formats.tools.text import Decoded, Line
from ratingbook.model import Findings, Place, Report, Severity

_TITLE = re.compile(r"\s*Cross Table at round [0-9]{1,3}\b", re.IGNORECASE)
_HEADER = re.compile(r"\s*(?:Pos|ID)\s+NAME\s.*\|", re.IGNORECASE)
_ROW = re.compile(
    r"\s*(?P<number>[0-9]{1,5}) (?P<name>.*\S)\s+(?P<rating>[0-9]{1,4})\s+"
    r"(?:(?P<title>W?[GIFCN]M|AGM|AIM|AFM|ACM|WH|hm)\s+)?(?:(?P<federation>[A-Za-z]{1,5})\s+)?"
    r"(?P<points>[0-9]{1,3}\.[0-9])\s*\|(?P<rounds>[^|]*)\|"
)
_WITHDRAWN = re.compile(r"\s*\(W\)$")
_DAYS = re.compile(r"(?P<place>.*) - (?P<start>[0-9/.-]+), *(?P<end>[0-9/.-]+)")
_CELL = re.compile(r"(?P<sign>[-+=])(?:(?P<kind>[WBF])0*(?P<number>[1-9][0-9]{0,4})|(?P<bye>BYE))")
_SIGNS = {"+": "1", "-": "0", "=": "½"}
_PLAYER = re.compile(r"001 +[0-9]{1,5} *\|")
_ROUND = re.compile(r"0*(?P<number>[0-9]{1,5})\s*(?P<colour>[wb-])\s*(?P<sign>[012+=-])")
_POINTS = {"1": "1", "0": "0", "2": "½"}
_RECORDS = {
    "012": "event name", "022": "event place", "032": "event federation", "042": "event start",
    "052": "event end", "092": "event kind", "102": "event official", "122": "event time control",
    "162": "event rounds",
}  # fmt: skip
_FIELDS = (
    "number", "sex", "title", "name", "rating", "federation", "ids.fide", "foreign.national",
    "ids.national", "birth date", "points", "rank",
)  # fmt: skip
_KIND, _START, _END = "092", "042", "052"
_LOOKED_AT = 100
_COLUMNS = ("number", "name", "rating", "title", "federation", "club", "points")


def looks_like_vega(lines: Sequence[Line]) -> bool:
    """Whether there is the title and the header of a cross table, or a player with bars."""
    first = [line.text for line in islice(lines, _LOOKED_AT)]
    if any(map(_TITLE.match, first)) and any(map(_HEADER.match, first)):
        return True
    return any(_PLAYER.match(text) and text.count("|") >= len(_FIELDS) - 1 for text in first)


def read_vega(decoded: Decoded) -> tuple[Report | None, Findings]:
    """Read the report; None where the findings say why it cannot be read."""
    # Whoever asks whether a file is of Vega needs no tables.
    from ratingbook.formats.tables.read import read_known
    from ratingbook.formats.tables.split import too_large

    findings = Findings(decoded.findings)
    if findings.refused:
        return None, findings
    lines = decoded.lines
    described = any(_PLAYER.match(line.text) for line in lines)
    rows = list(islice(_of_description(lines) if described else _of_table(lines), MAX_ROWS + 1))
    if len(rows) > MAX_ROWS or any(len(row.cells) > MAX_COLUMNS for row in rows):
        findings.extend(too_large(Place(line=rows[-1].number)))
        return None, findings
    return read_known(Sheet(tuple(rows)), _left_out(lines, described, findings))


def _left_out(lines: Iterable[Line], described: bool, findings: Findings) -> Findings:
    """The findings, with the lines of players that are not of the form."""
    form, begins = (_PLAYER, "001") if described else (_ROW, "")
    below = described
    for line in lines:
        text = line.text.strip()
        if not below:
            below = bool(_HEADER.match(line.text))
            continue
        doubtful = text.startswith(begins) if described else text[:1].isdigit()
        if doubtful and not form.match(line.text):
            findings.add(
                Severity.ERROR,
                "vega.row",
                f"The line of a player was not understood: {text[:60]}.",
                Place(line=line.number),
                "Write the file again with the program.",
            )
    return findings


def _of_table(lines: Sequence[Line]) -> Iterator[Row]:
    """The rows of a cross table, below what stands above it."""
    above: list[Line] = []
    below = places = False
    for line in lines:
        text = line.text.strip()
        if not below:
            if _HEADER.match(line.text):
                below = True
                # Its numbers are those of the players, or their places so far.
                places = text.lower().startswith("pos")
                yield from _event(above)
                rounds = re.findall("[0-9]+", line.text.partition("|")[2])
                yield Row(line.number, (*_COLUMNS, *(("rank",) if places else ()), *rounds))
            elif text and not _TITLE.match(text):
                above.append(line)
        elif match := _ROW.match(line.text):
            federation = (match["federation"] or "").upper()
            known = federation in FEDERATIONS
            yield Row(line.number, (
                match["number"], _WITHDRAWN.sub("", match["name"]).strip(), match["rating"],
                match["title"] or "", federation if known else "", "" if known else federation,
                match["points"], *((match["number"],) if places else ()),
                *map(_cell, match["rounds"].split()),
            ))  # fmt: skip


def _event(above: Sequence[Line]) -> Iterator[Row]:
    """The name of the event, and its place and days."""
    for at, line in enumerate(above):
        if match := _DAYS.fullmatch(line.text.strip()):
            yield Row(line.number, ("event place", match["place"].strip()))
            yield from _days(line, match["start"], match["end"])
        elif not at:
            yield Row(line.number, ("event name", line.text.strip()))
    if above:
        yield Row(above[-1].number, ())


def _days(line: Line, start: str, end: str) -> Iterator[Row]:
    """The first and the last day; the program writes the day before the month."""
    days = calendar(start, end, {})
    for name, text, day in (("event start", start, days.start), ("event end", end, days.end)):
        if text:
            yield Row(line.number, (name, day.isoformat() if day else text))


def _cell(text: str) -> str:
    """A round: ``+W86`` as ``86w1``, a forfeit ``+F8`` as ``8-+``, ``=BYE`` as ``-½``."""
    match = _CELL.fullmatch(text)
    if match is None:
        return "" if not text.strip("-") else text
    sign = match["sign"]
    if match["bye"]:
        return "" if sign == "-" else f"-{_SIGNS[sign]}"
    if match["kind"] == "F":
        return f"{match['number']}-{sign}"
    return f"{match['number']}{match['kind'].lower()}{_SIGNS[sign]}"


def _of_description(lines: Sequence[Line]) -> Iterator[Row]:
    """The rows of a description: the event, and below a header the players."""
    begun = False
    said = {line.text[:3]: line.text[3:].strip() for line in lines if line.text[:3] in _RECORDS}
    most = max((line.text.count("|") + 1 for line in lines if _PLAYER.match(line.text)), default=0)
    for line in lines:
        record, text = line.text[:3], line.text[3:].strip()
        if not begun and record == _START:
            yield from _days(line, text, said.get(_END, ""))
        elif not begun and record in _RECORDS and record != _END and text:
            yield Row(line.number, (_RECORDS[record], _kind(text) if record == _KIND else text))
        elif _PLAYER.match(line.text):
            if not begun:
                begun = True
                rounds = map(str, range(1, most - len(_FIELDS) + 1))
                yield Row(line.number, ())
                yield Row(line.number, (*_FIELDS, *rounds))
            yield Row(line.number, tuple(_player(text)))


def _kind(text: str) -> str:
    """The kind of an event in the words of reports, where one of them is meant."""
    plain = text.casefold()
    kinds = {"team": "team", "swiss": "swiss", "robin": "round_robin"}
    return next((kind for word, kind in kinds.items() if word in plain), text)


def _player(text: str) -> Iterator[str]:
    cells = [cell.strip() for cell in text.split("|")]
    for name, cell in zip(_FIELDS, cells, strict=False):
        if name == "title":
            yield read_title(cell) or ""
        elif name == "birth date":
            days = {*days_of(cell).values()}
            yield days.pop().isoformat() if len(days) == 1 else ""
        elif name in ("ids.fide", "ids.national", "foreign.national"):
            yield cell if cell.strip("0") else ""
        else:
            yield cell
    yield from map(_round, cells[len(_FIELDS) :])


def _round(cell: str) -> str:
    """A round: ``16 w 0``, ``16 w 2`` (a draw), ``16 w +`` (not played), ``0000 - =``."""
    match = _ROUND.fullmatch(cell)
    if match is None:
        return cell
    sign, number = match["sign"], match["number"]
    if not number.strip("0"):
        return {"+": "-1", "1": "-1", "=": "-½", "2": "-½"}.get(sign, "")
    if sign in _POINTS:
        return f"{number}{match['colour'].strip('-')}{_POINTS[sign]}"
    return f"{number}-{sign}" if sign in "+-" else cell
