"""``ratingbook grades``: even games by grade, beside what an edition predicts (Go)."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.text import Text

from ratingbook import __version__
from ratingbook.cli.screen import (
    errors,
    output,
    plain_table,
    print_findings,
    print_refusal,
    write,
)
from ratingbook.desk.even_games import Counts, counts_in
from ratingbook.model import Findings
from ratingbook.rules.book import RuleBook
from ratingbook.rules.egf.statistics import GAPS, Count, GradeRow, statistics

_LEAST_COLUMNS = 24
"""A chart of fewer grades keeps its scale, and has room on the right."""
_LEAST_GAMES = 20
"""Fewer games of a grade are no point of the picture: chance alone moves them by 20 %."""
_LEFT, _TOP, _STEP, _HEIGHT = 44, 16, 26, 150
_NUMBERS = ("Nw", "Ng", "Pw", "predicted")


def run(
    paths: Sequence[Path], book: RuleBook, format_: str, columns: Mapping[str, str] | None = None
) -> bool:
    """Count the even games of all files and print the table; True if a file was refused."""
    counts: Counts = {}
    findings = Findings()
    for path in paths:
        found, more = counts_in(path, book, columns)
        findings.extend(more.in_file(str(path)))
        for key, each in found.items():
            old = counts.get(key, Count())
            counts[key] = Count(old.games + each.games, old.half_points + each.half_points)
    if findings.refused:
        return print_refusal(findings, as_json=format_ == "json")
    _print(statistics(counts, book.parameters), book, format_)
    print_findings(findings, errors())
    return False


def _print(rows: Sequence[GradeRow], book: RuleBook, format_: str) -> None:
    if format_ == "json":
        write(json.dumps(as_dict(rows, book), indent=2))
    elif format_ == "csv":
        write(_csv(rows))
    elif format_ == "html":
        write(page(rows, book))
    else:
        _print_table(rows, book)


def as_dict(rows: Sequence[GradeRow], book: RuleBook) -> dict[str, object]:
    """The table as JSON."""
    return {
        "rulebook": book.name,
        "parameters": book.non_default_parameters,
        "games": _games(rows),
        "grades": [
            {
                "grade": row.name,
                "against": [
                    {
                        "stronger": gap,
                        "Nw": int(each.wins) if each.wins.is_integer() else each.wins,
                        "Ng": each.games,
                        "Pw": each.share,
                        "predicted": predicted,
                    }
                    for gap, each, predicted in zip(GAPS, row.counts, row.predicted, strict=True)
                ],
            }
            for row in rows
        ],
    }


def _games(rows: Sequence[GradeRow]) -> int:
    return sum(each.games for row in rows for each in row.counts)


def _cells(each: Count, predicted: float) -> tuple[str, str, str, str]:
    """N_w, N_g, P_w and the prediction, in percent as the EGF prints them."""
    share = "–" if each.share is None else f"{100 * each.share:.1f}"
    return f"{each.wins:g}", str(each.games), share, f"{100 * predicted:.1f}"


def _csv(rows: Sequence[GradeRow]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["grade", *(f"G+{gap}_{name}" for gap in GAPS for name in _NUMBERS)])
    for row in rows:
        cells = [_cells(*pair) for pair in zip(row.counts, row.predicted, strict=True)]
        writer.writerow([row.name, *("" if c == "–" else c for group in cells for c in group)])
    return text.getvalue().removesuffix("\n")


def _print_table(rows: Sequence[GradeRow], book: RuleBook) -> None:
    console = output()
    console.print(Text(f"Even games by grade: {_games(rows)}, beside {book.name}", style="bold"))
    columns = (f">{name}" for gap in GAPS for name in (f"G+{gap} Nw/Ng", "Pw", "pred"))
    table = plain_table("grade", *columns)
    for row in rows:
        groups = [_cells(*pair) for pair in zip(row.counts, row.predicted, strict=True)]
        cells = (cell for nw, ng, *shares in groups for cell in (f"{nw}/{ng}", *shares))
        table.add_row(row.name, *cells)
    console.print(table)


def page(rows: Sequence[GradeRow], book: RuleBook) -> str:
    """Picture and table as one self-contained page."""
    from ratingbook.cli.pages import environment

    return (
        environment()
        .get_template("grades.html")
        .render(
            rows=rows,
            gaps=GAPS,
            games=_games(rows),
            book=book.name,
            version=__version__,
            cells=_cells,
            charts=[_chart(rows, index) for index in range(len(GAPS) if rows else 0)],
            left=_LEFT,
            top=_TOP,
            height=_HEIGHT,
            width=_LEFT + _STEP * max(_LEAST_COLUMNS, len(rows)) + 16,
            least_games=_LEAST_GAMES,
        )
    )


def _chart(rows: Sequence[GradeRow], index: int) -> dict[str, object]:
    """Places of the points of one gap: counted as dots, predicted as a line; 0 to 60 %."""

    def place(column: int, share: float) -> tuple[float, float]:
        y = _TOP + _HEIGHT * (1 - min(share, 0.6) / 0.6)
        return _LEFT + _STEP * (column + 0.5), round(y, 1)

    return {
        "gap": GAPS[index],
        "line": [place(n, row.predicted[index]) for n, row in enumerate(rows)],
        "dots": [
            (*place(n, share), f"{row.name}: {100 * share:.1f} % of {row.counts[index].games}")
            for n, row in enumerate(rows)
            if row.counts[index].games >= _LEAST_GAMES
            and (share := row.counts[index].share) is not None
        ],
        "grades": [(_LEFT + _STEP * (n + 0.5), row.name) for n, row in enumerate(rows)],
    }
