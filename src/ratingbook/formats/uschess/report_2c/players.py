"""The rows of the players, each with a cell for every round."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from ratingbook.formats.tools.notes import Notes, Remark
from ratingbook.formats.uschess.report_2c import layout
from ratingbook.formats.uschess.report_2c.sections import Section
from ratingbook.formats.uschess.report_2c.tables import Record, Table
from ratingbook.formats.uschess.rows import CODES, Cell, Row
from ratingbook.model import Place, Severity, Standing
from ratingbook.model.patterns import pattern
from ratingbook.model.sentences import sentence

PAIRING_NUMBER = Remark(
    "uschess.pairing-number",
    Severity.ERROR,
    "A player's record has no pairing number",
    "Fill in D_PAIR_NUM; the opponents refer to it.",
    each=True,
)
UNKNOWN_SECTION = Remark(
    "uschess.unknown-section",
    Severity.ERROR,
    "Players' records name a section that TSEXPORT.DBF does not have",
    "Export the three files anew, together.",
)
EMPTY_SECTION = Remark(
    "uschess.empty-section",
    Severity.WARNING,
    "Sections have no players",
    "Look whether TDEXPORT.DBF is complete.",
)
LAST_PAIR = Remark(
    "uschess.last-pair",
    Severity.WARNING,
    "The highest pairing number is not the one that the section declares (S_LST_PAIR)",
    "Look whether players are missing, and correct S_LST_PAIR; US Chess refuses the report "
    "otherwise.",
)
ROUNDS = Remark(
    "uschess.rounds",
    Severity.ERROR,
    "Sections declare more rounds (S_TOT_RNDS) than the players' records have columns for",
    "Export the three files anew, together; results are missing.",
)
MORE_ROUNDS = Remark(
    "uschess.rounds",
    Severity.WARNING,
    "There are results in more rounds than a section declares (S_TOT_RNDS)",
    "Correct the number of rounds, or the results.",
)
RATING = Remark(
    "uschess.rating",
    Severity.ERROR,
    "A rating (D_RATING) is no whole number",
    "Write the rating as a number without sign, and 0 for an unrated player.",
    each=True,
)
RESULT = Remark(
    "uschess.result",
    Severity.ERROR,
    "A result was not understood",
    "Write the result, the opponent's pairing number and the colour, such as W39W, L14B, D12B, "
    "or H0, B0, U0, X0, F0.",
    each=True,
)
BLANK = Remark(
    "uschess.blank",
    Severity.WARNING,
    "Results are blank; these rounds were read as unplayed",
    "Enter the results, or U0 for an unplayed round.",
)

_CELL = pattern(r"([A-Z$#%])\s*([0-9]{0,4})\s*([WB]?)")
_ROUND = pattern(re.escape(layout.ROUND) + r"([0-9]{1,3})")
_MAX_RATING_DIGITS = 4
_UNRATED = frozenset({"UNR", "UNR.", "NEW"})


def read_rows(table: Table, sections: Mapping[int, Section], notes: Notes) -> list[Row]:
    """The rows of all sections, in the order of the file."""
    rounds = {int(m[1]): m[0] for column in table.columns if (m := _ROUND.fullmatch(column))}
    rows = []
    for record in table.records:
        row = _row(record, _section(record, sections, notes), rounds, notes)
        if row:
            rows.append(row)
    for section in sections.values():
        own = [row for row in rows if row.section == section.name]
        _check_rounds(rounds, section, own, notes)
        _check_last_pair(section, own, notes)
    return rows


def _section(record: Record, sections: Mapping[int, Section], notes: Notes) -> Section | None:
    number = record.whole("D_SEC_NUM")
    section = sections.get(number) if number is not None else None
    if section is None:
        what = f"{record.text('D_NAME')}, section {record.text('D_SEC_NUM') or 'blank'}"
        notes.add(UNKNOWN_SECTION, what, record.place)
    return section


def _row(
    record: Record, section: Section | None, rounds: Mapping[int, str], notes: Notes
) -> Row | None:
    name = " ".join(record.text("D_NAME").split())
    pair = record.whole("D_PAIR_NUM")
    section_name = section.name if section else f"Section {record.text('D_SEC_NUM')}"
    place = replace(record.place, section=section_name, player=record.text("D_MEM_ID") or None)
    if not pair:
        what = f"{name or 'without a name'}: {record.text('D_PAIR_NUM') or 'blank'}"
        notes.add(PAIRING_NUMBER, what, place)
        return None
    label = f"{pair} {name}"
    return Row(
        section=section_name,
        pair=pair,
        member=record.text("D_MEM_ID"),
        name=name,
        cells=_cells(record, section, rounds, label, place, notes),
        standing=_standing(record, label, place, notes),
        place=place,
    )


def _standing(record: Record, label: str, place: Place, notes: Notes) -> Standing | None:
    """The printed rating; on how many games it is based the file does not say."""
    text = record.text("D_RATING")
    if text.upper() in _UNRATED:
        return None
    rating = record.whole("D_RATING")
    if text and (rating is None or len(text) > _MAX_RATING_DIGITS):
        notes.add(RATING, f"{label}: {text}", place)
        return None
    return Standing(rating=rating) if rating else None


def _cells(
    record: Record,
    section: Section | None,
    rounds: Mapping[int, str],
    label: str,
    place: Place,
    notes: Notes,
) -> dict[int, Cell]:
    cells = {}
    declared = section.rounds if section else None
    for number, column in rounds.items():
        text = record.text(column).upper()
        match = _CELL.fullmatch(text)
        if match and match[1] in CODES:
            cells[number] = Cell(match[1], int(match[2] or 0), match[3])
        elif text:
            notes.add(
                RESULT,
                sentence(
                    "{label} in round {number}: {text}", label=label, number=number, text=text
                ),
                replace(place, round=number),
            )
        elif declared is None or number <= declared:
            notes.add(
                BLANK,
                sentence("{label} in round {number}", label=label, number=number),
                replace(place, round=number),
            )
    return cells


def _check_rounds(
    rounds: Mapping[int, str],
    section: Section,
    rows: Iterable[Row],
    notes: Notes,
) -> None:
    """Compare the declared rounds with the columns and with the results."""
    if section.rounds is None:
        return
    if not rounds.keys() >= set(range(1, section.rounds + 1)):
        what = sentence(
            "{section}: {rounds} declared, {rounds2} columns",
            section=section.name,
            rounds=section.rounds,
            rounds2=len(rounds),
        )
        notes.add(ROUNDS, what, section.place)
    for row in rows:
        beyond = [n for n, cell in row.cells.items() if n > section.rounds and cell.code != "U"]
        if beyond:
            notes.add(
                MORE_ROUNDS,
                sentence("{label} in round {number}", label=row.label, number=beyond[0]),
                row.at(beyond[0]),
            )


def _check_last_pair(section: Section, rows: Sequence[Row], notes: Notes) -> None:
    if not rows:
        notes.add(EMPTY_SECTION, section.name, section.place)
        return
    last = max(row.pair for row in rows)
    if section.last_pair not in (None, last):
        what = sentence(
            "{section}: {last_pair} declared, {last} found",
            section=section.name,
            last_pair=section.last_pair,
            last=last,
        )
        notes.add(LAST_PAIR, what, section.place)
